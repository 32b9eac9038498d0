/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_draft.c -- drafts the declaration of a device that was
 * probed.
 */
#include "suite/run/probe/probe_draft.h"

#include <inttypes.h>

#include "base/text.h"
#include "base/vtime.h"
#include "suite/decl/capability.h"
#include "suite/decl/owes.h"
#include "suite/lang/chair.h"
#include "suite/run/probe/probe.h"
#include "suite/run/probe/probe_seen.h"
#include "suite/run/probe/probe_span.h"
#include "suite/run/probe/probe_state.h"
#include "wire/frame/crc.h"

#define ACK_TIME_MIN   VSPAN_MS /* no device can promise a shorter time */
#define LIVE_TOLERANCE (100 * VSPAN_MS)

static const char *const outcome_words[] = {
	[PROBE_SHOWN] = "shown",
	[PROBE_NOT] = "not shown",
	[PROBE_UNTRIED] = "not tried",
};

/*
 * Prints a claim for a capability that was shown, with a remark if one chair
 * did not show it.
 */
static void draft_claims(const struct probe *p, const struct dut *dut,
			 struct text *t)
{
	enum chair chair;

	for (const struct capability *c = decl_capabilities; c->word; c++) {
		if (decl_derived(c->word) || !(probe_was_seen(p, c->word) ||
					       probe_is_seen(p, dut, c->word)))
			continue;
		text_printf(t, "claims %-17s # %s", c->word, c->text);
		if (probe_has_outcome(p, c->word, PROBE_NOT, &chair))
			text_printf(t, " Not shown as %s.", chair_name(chair));
		text_puts(t, "\n");
	}
	text_puts(t, "\n");
}

static void draft_ids(const struct decl *d, struct text *t)
{
	text_puts(t, "# As they were given: the stimuli carried these.\n");
	text_printf(t, "id job_id 0x%" PRIx32 "\n", d->job_id);
	text_printf(t, "id pid_on_fep 0x%x\n", d->pid_on_fep);
	text_printf(t, "id resource_index 0x%x\n", d->resource_index);
	text_printf(t, "id ri_generation 0x%x\n", d->ri_generation);
	text_printf(t, "id initiator 0x%" PRIx32 "\n", d->initiator);
	text_printf(t, "id memory_key 0x%" PRIx64 "\n", d->memory_key);
	text_printf(t, "id memory_offset 0x%" PRIx64 "\n", d->memory_offset);
	text_printf(t, "size memory_len %" PRIu32 "\n", d->memory_len);
	text_printf(t, "port %u\n\n", (unsigned)d->udp_port);
}

/* Prints a number: as measured, or the declaration's value. */
static void draft_number(struct text *t, const char *key, uint32_t measured,
			 const char *what)
{
	if (measured)
		text_printf(t, "%s %" PRIu32 "\n", key, measured);
	else
		text_printf(t, "# %s: not seen. %s\n", key, what);
}

static void draft_sizes(const struct probe *p, struct text *t)
{
	draft_number(t, "size mtu", p->m.mtu, "It sent no long message.");
	draft_number(t, "size max_ack_data", p->m.max_ack_data,
		     "No read brought its data in the ACK.");
	draft_number(t, "size mp_range", p->m.mp_range,
		     "No ACK_CC told the range.");
	text_puts(t, "\n");
}

static void draft_time(struct text *t, const char *key, vspan value,
		       vspan tolerance, const char *what)
{
	if (!value) {
		text_printf(t, "# timer %s: not seen. %s\n", key, what);
		return;
	}
	text_printf(t, "timer %s ", key);
	probe_span_print(t, value);
	text_puts(t, " tolerance ");
	probe_span_print(t, tolerance);
	text_puts(t, "\n");
}

/*
 * A time measured once is no bound: a live device, perhaps on a shared machine,
 * may take much longer the next time, and a delayed ACK may not have been
 * observed at all.
 */
static void draft_timers(const struct probe *p, const struct dut *dut,
			 struct text *t)
{
	const struct measures *m = &p->m;
	const vspan least = dut->virtual ? 0 : LIVE_TOLERANCE;
	const vspan nack = probe_whole_us(m->nack_time);
	const vspan clear = probe_whole_us(m->clear_time);
	const vspan ack =
		m->ack_time ? probe_longer(probe_round_span(2 * m->ack_time),
					   ACK_TIME_MIN)
			    : 0;

	text_puts(t, "# Seen once each: look them up, then narrow the "
		     "tolerances.\n");
	draft_time(t, "rto", m->rto, probe_longer(m->rto / 4, least),
		   "It sent nothing twice.");
	draft_time(t, "nack_time", nack, probe_longer(nack, least),
		   "It sent nothing after a NACK.");
	draft_time(t, "clear_time", clear, probe_longer(4 * clear, least),
		   "No Clear Command came.");
	draft_time(t, "ack_time", ack, probe_longer(ack, least),
		   p->nacks ? "No ACK answered a request with ar = 1."
			    : "No ACK came.");
	if (m->max_rto_retx)
		text_printf(t, "limit max_rto_retx %u\n", m->max_rto_retx);
	if (m->max_nack_retx)
		text_printf(t, "limit max_nack_retx %u%s\n", m->max_nack_retx,
			    m->nack_endless ? " # or more" : "");
	text_puts(t, "\n");
}

static void draft_causes(const struct probe *p, const struct dut *dut,
			 struct text *t)
{
	bool asked = dut->control && dut_has_verb(dut, "ses_policy");

	if (p->m.gtd_cause.len)
		text_printf(t, "%scause gtd %s\n", asked ? "# " : "",
			    text_cstr(&p->m.gtd_cause));
	if (p->m.error_cause.len)
		text_printf(t, "%scause error %s\n", asked ? "# " : "",
			    text_cstr(&p->m.error_cause));
	if (p->m.gtd_cause.len || p->m.error_cause.len)
		text_puts(t, "\n");
}

static void draft_trials(const struct probe *p, struct text *t)
{
	text_printf(t, "# What was tried, %zu stimuli:\n", p->ntrials);
	for (size_t i = 0; i < p->ntrials; i++) {
		const struct probe_trial *trial = &p->trials[i];
		bool told = trial->why[0];

		text_printf(t, "#   %-22s %-9s  %s%s%s\n", trial->word,
			    chair_name(trial->chair),
			    outcome_words[trial->outcome], told ? ": " : "",
			    told ? trial->why : "");
		if (trial->broke[0])
			text_printf(t, "#   %-22s on the way it broke %s\n", "",
				    trial->broke);
	}
}

void probe_draft(const struct probe *p, const struct dut *dut, const char *name,
		 struct text *t)
{
	text_puts(t,
		  "# A draft, made by \"rung probe\": what the device showed. "
		  "What it can do besides,\n# and what it cannot, its maker "
		  "knows.\n");
	owes_print(&p->owes, p->base, t);
	text_printf(t, "name %s\nversion %s\n\n", name, p->base->version);
	draft_claims(p, dut, t);
	draft_ids(p->base, t);
	draft_sizes(p, t);
	draft_timers(p, dut, t);
	text_printf(t, "crc %s\n\n",
		    !p->base->crc     ? "none"
		    : p->base->crc_be ? "big"
				      : "little");
	draft_causes(p, dut, t);
	draft_trials(p, t);
}
