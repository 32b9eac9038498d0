/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe.c -- evaluates the records of the stimuli: the outcome
 * of each, and what it shows of the device.
 */
#include "suite/run/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_parse.h"
#include "suite/decl/owes.h"
#include "suite/run/probe/probe_measure.h"
#include "suite/run/probe/probe_state.h"

/*
 * Claims every capability, buffers as large as the wire allows, and timers of
 * almost 0, so that no packet is too early or too many.
 */
static void open_text(struct text *t)
{
	text_puts(t, "name a device that is probed\nclaims");
	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (!decl_derived(c->word))
			text_printf(t, " %s", c->word);
	text_puts(t, "\n"
		     "size max_ack_data 8192\n"
		     "size mp_range 32640\n"
		     "timer rto 1us\n"
		     "timer nack_time 1us\n"
		     "timer ack_time 200ms tolerance 100ms\n");
}

/*
 * Sets numbers that no declaration may contain, so that no device violates
 * them.
 */
static void open_wide(struct decl *d)
{
	d->mtu = 8192;
	d->max_rto_retx = 1000;
	d->max_nack_retx = 1000;
	d->clear_time.value = VSPAN_S;
}

/* Sets the known values: ids, memory, the port. */
static void open_base(struct decl *d, const struct decl *base)
{
	d->version = base->version;
	d->uet = base->uet;
	d->job_id = base->job_id;
	d->pid_on_fep = base->pid_on_fep;
	d->resource_index = base->resource_index;
	d->ri_generation = base->ri_generation;
	d->initiator = base->initiator;
	d->memory_key = base->memory_key;
	d->memory_offset = base->memory_offset;
	d->memory_len = base->memory_len;
	d->udp_port = base->udp_port;
}

int probe_new(struct probe **ret, const struct decl *base)
{
	struct probe *p = memory_calloc(1, sizeof(*p));
	struct text t = {0};
	struct diag diag;
	int err;

	if (!p)
		return ERR_NOMEM;
	open_text(&t);
	err = text_err(&t);
	if (!err)
		err = decl_parse(&p->open, "probe", text_cstr(&t), t.len,
				 &diag);
	text_free(&t);
	if (err) {
		free(p);
		return err;
	}
	open_wide(p->open);
	open_base(p->open, base);
	p->base = base;
	*ret = p;
	return 0;
}

void probe_free(struct probe *p)
{
	if (!p)
		return;
	text_free(&p->m.gtd_cause);
	text_free(&p->m.error_cause);
	decl_free(p->open);
	free(p);
}

const struct decl *probe_decl(const struct probe *p)
{
	return p->open;
}

bool probe_answered(const struct probe *p)
{
	return p->answered;
}

/* "probe/read.medium@target" -> "read.medium" */
static void trial_word(struct probe_trial *t, const struct record *r)
{
	const char *at = strchr(r->id, '/');
	const char *word = at ? at + 1 : r->id;

	snprintf(t->word, sizeof(t->word), "%.*s", (int)strcspn(word, "@"),
		 word);
}

static bool is_habit(const struct probe *p, const char *what)
{
	for (size_t i = 0; i < p->nhabits; i++)
		if (strcmp(p->habits[i], what) == 0)
			return true;
	return false;
}

/*
 * Finds deviations that the device also shows when a PDC is opened, or with the
 * simplest request: they say nothing about the probed capability.
 */
static void learn_habits(struct probe *p, const struct probe_trial *t,
			 const struct record *r)
{
	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (!f->stepped || p->nhabits == HABITS_MAX ||
		    is_habit(p, f->what) ||
		    (f->phase == PHASE_BODY && strcmp(t->word, "rud") != 0))
			continue;
		memcpy(p->habits[p->nhabits++], f->what, sizeof(f->what));
	}
}

/* Returns true if the stimulus tests that row. */
static bool is_covered(const struct record *r, enum req_id id)
{
	for (size_t i = 0; r->test_case && i < r->test_case->ncovers; i++)
		if (r->test_case->covers[i].id == id)
			return true;
	return false;
}

static bool probe_is_refusal(const struct probe *p, const struct record *r,
			     const struct rec_finding *f)
{
	if (f->remark || f->phase == PHASE_TEARDOWN)
		return false;
	if (f->stepped)
		return is_covered(r, f->req) || !is_habit(p, f->what);
	return f->line;
}

/*
 * A finding of a monitor does not refute what the lines have shown, nor does a
 * habitual deviation after which the stimulus continued.
 */
static enum probe_outcome outcome(const struct probe *p, const struct record *r)
{
	const unsigned met = r->rungs_matched + r->rungs_stepped;

	if (r->verdict == VERDICT_NA || r->verdict == VERDICT_ERROR)
		return PROBE_UNTRIED;
	if (r->verdict == VERDICT_PASS)
		return PROBE_SHOWN;
	if (r->cut_short)
		return PROBE_NOT;
	for (size_t i = 0; i < r->nfindings; i++)
		if (probe_is_refusal(p, r, &r->findings[i]))
			return PROBE_NOT;
	if (met && met == r->rungs_expected)
		return PROBE_SHOWN;
	return PROBE_NOT;
}

/* Describes what came instead of the expected packet. */
static void trial_why(const struct probe *p, struct probe_trial *t,
		      const struct record *r)
{
	if (t->outcome == PROBE_UNTRIED)
		snprintf(t->why, sizeof(t->why), "%s", r->reason);
	if (t->outcome != PROBE_NOT)
		return;
	snprintf(t->why, sizeof(t->why), "nothing came");
	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (!f->actual[0] || !probe_is_refusal(p, r, f))
			continue;
		snprintf(t->why, sizeof(t->why), "it sent %s", f->actual);
		return;
	}
}

/*
 * Records the monitors' findings.  In a measurement they are ignored, because
 * it drives the device to limits that the monitors do not know yet.
 */
static void trial_broke(struct probe_trial *t, const struct record *r)
{
	size_t n = 0;

	if (strncmp(t->word, "measure/", 8) == 0)
		return;

	for (size_t i = 0; i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];
		const char *id = req_get(f->req)->id;

		if ((f->line && !f->stepped) || strstr(t->broke, id) ||
		    n + strlen(id) + 8 > sizeof(t->broke))
			continue;
		n += (size_t)snprintf(t->broke + n, sizeof(t->broke) - n,
				      "%s%s/%s", text_between(n, " "), id,
				      req_role_name(f->role));
	}
}

static void look_for_answers(struct probe *p, const struct record *r)
{
	for (size_t i = 0; i < r->nrecs && !p->answered; i++)
		p->answered = r->recs[i].kind == REC_RX;
}

enum probe_outcome probe_take(struct probe *p, const struct record *r)
{
	struct probe_trial *t;

	look_for_answers(p, r);
	owes_take(&p->owes, r, p->base);
	if (p->ntrials == TRIALS_MAX)
		return PROBE_NOT;
	t = &p->trials[p->ntrials++];
	trial_word(t, r);
	t->chair = r->chair;
	learn_habits(p, t, r);
	t->outcome = outcome(p, r);
	trial_why(p, t, r);
	trial_broke(t, r);
	probe_measure(p, t->word, r);
	return t->outcome;
}

void probe_strays(struct probe *p, uint64_t strays)
{
	p->owes.strays = strays;
}
