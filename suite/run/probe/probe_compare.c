/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_compare.c -- lists the differences between a device
 * that was probed and its declaration.
 */
#include "suite/run/probe/probe_compare.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/vtime.h"
#include "suite/decl/capability.h"
#include "suite/decl/owes.h"
#include "suite/run/probe/probe.h"
#include "suite/run/probe/probe_seen.h"
#include "suite/run/probe/probe_span.h"
#include "suite/run/probe/probe_state.h"
#include "wire/frame/crc.h"

/* Returns why a stimulus showed nothing; NULL if none was tried. */
static const char *why_not(const struct probe *p, const char *word)
{
	const char *why = NULL;

	for (size_t i = 0; i < p->ntrials; i++) {
		const struct probe_trial *t = &p->trials[i];

		if (strcmp(t->word, word) != 0 || t->outcome == PROBE_UNTRIED)
			continue;
		if (!why || t->outcome == PROBE_NOT)
			why = t->why;
	}
	return why;
}

static bool was_shown(const struct probe *p, const struct dut *dut,
		      const char *word)
{
	return probe_is_shown(p, word) || probe_is_seen(p, dut, word);
}

void probe_unclaimed(const struct probe *p, const struct dut *dut,
		     struct text *t)
{
	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (!decl_derived(c->word) && !decl_claims(p->base, c->word) &&
		    was_shown(p, dut, c->word))
			text_printf(t, "%s%s", text_between(t->len, " "),
				    c->word);
}

static size_t compare_claim(const struct probe *p, const struct dut *dut,
			    const char *word, struct text *t)
{
	const char *why = why_not(p, word);

	if (!decl_claims(p->base, word) || !why || was_shown(p, dut, word))
		return 0;
	text_printf(t, "%-18s claimed, not shown%s%s\n", word,
		    why[0] ? ": " : "", why);
	return 1;
}

/* |key| is a group and a name: "size mtu". */
static bool compare_is_given(const struct decl *d, const char *key)
{
	return decl_given(d, strchr(key, ' ') + 1);
}

static size_t compare_number(const struct decl *d, const char *key,
			     uint32_t measured, uint32_t declared,
			     struct text *t)
{
	if (!compare_is_given(d, key) || !measured || measured == declared)
		return 0;
	text_printf(t, "%-18s %" PRIu32 " measured, %" PRIu32 " declared\n",
		    key, measured, declared);
	return 1;
}

/*
 * Compares a time.  |early|: a shorter time is wrong as well, beyond a fifth.
 */
static size_t compare_time(const struct decl *d, const char *key,
			   vspan measured, const struct decl_time *declared,
			   bool early, struct text *t)
{
	const bool late = measured > declared->value + declared->tolerance;

	if (!compare_is_given(d, key) || !measured ||
	    !(late || (early && measured < declared->value / 5 * 4)))
		return 0;
	text_printf(t, "%-18s ", key);
	probe_span_print(t, probe_whole_us(measured));
	text_puts(t, " measured, ");
	probe_span_print(t, probe_whole_us(declared->value));
	text_puts(t, " declared\n");
	return 1;
}

size_t probe_compare(const struct probe *p, const struct dut *dut,
		     struct text *t)
{
	const struct measures *m = &p->m;
	const struct decl *d = p->base;
	size_t n = owes_compare(&p->owes, d, t);

	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (!decl_derived(c->word))
			n += compare_claim(p, dut, c->word, t);
	n += compare_number(d, "size mtu", m->mtu, d->mtu, t);
	n += compare_number(d, "size max_ack_data", m->max_ack_data,
			    d->max_ack_data, t);
	n += compare_number(d, "size mp_range", m->mp_range, d->mp_range, t);
	n += compare_number(d, "limit max_rto_retx", m->max_rto_retx,
			    d->max_rto_retx, t);
	n += compare_number(d, "limit max_nack_retx",
			    m->nack_endless ? 0 : m->max_nack_retx,
			    d->max_nack_retx, t);
	n += compare_time(d, "timer rto", m->rto, &d->rto, true, t);
	n += compare_time(d, "timer nack_time", m->nack_time, &d->nack_time,
			  true, t);
	n += compare_time(d, "timer clear_time", m->clear_time, &d->clear_time,
			  false, t);
	n += compare_time(d, "timer ack_time", m->ack_time, &d->ack_time, false,
			  t);
	return n;
}
