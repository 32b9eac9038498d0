/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitors.c -- which monitors look at a packet.
 */
#include "judge/uet/monitors.h"

#include <assert.h>

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/fast/predicted.h"
#include "judge/uet/monitor.h"
#include "judge/uet/pkt_place.h"

/* Files of rules, in the order in which their findings appear. */
static const struct monitor *const rules[] = {
	rules_uet_wire, rules_uet_shape, rules_uet_pdc,  rules_uet_src,
	rules_uet_rtx,  rules_uet_ses,   rules_uet_ack,  rules_uet_cc,
	rules_uet_rod,  rules_uet_dst,   rules_uet_nack, rules_uet_trim,
	rules_uet_cp,   rules_uet_life,  rules_uet_rudi, rules_uet_late,
};

/* All cases of a row hold; one without PKT_GAPS wants PKT_COMPLETE as well. */
static bool is_asked(const struct monitor *m, unsigned kind, unsigned cases)
{
	const unsigned complete = m->what & PKT_GAPS ? 0 : PKT_COMPLETE;

	return m->what & kind && !(((m->what & PKT_CASES) | complete) & ~cases);
}

static void find_monitors(unsigned kind, unsigned cases, struct asked *ret)
{
	ret->n = 0;
	ret->what = kind | cases;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (const struct monitor *m = rules[i]; m->look; m++) {
			if (!is_asked(m, kind, cases))
				continue;
			assert(ret->n < ASKED_MOST);
			ret->look[ret->n++] = m->look;
		}
}

/* Most packets are as some before them: the same monitors look. */
static const struct asked *who_looks(const struct pkt_ctx *l, unsigned cases)
{
	const uint32_t what = l->kind | cases;
	struct asked *a =
		&l->j->common->asked[what * 0x9e3779b1u >> (32 - ASKED_BITS)];

	if (a->what != what)
		find_monitors(l->kind, cases, a);
	return a;
}

static void judge_ask(struct pkt_ctx *l, unsigned cases)
{
	const struct asked *a = who_looks(l, cases);

	for (unsigned i = 0; i < a->n; i++)
		a->look[i](l);
}

/* The first packet of its key: all rules look.  What those that rely on a
 * condition show is remembered; the others look at each packet. */
static void ask_first(struct pkt_ctx *l, struct predicted *u, unsigned cases)
{
	struct judge_common *c = l->j->common;
	uint32_t(*const all)[2] = l->seen;
	bool fits = true;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (const struct monitor *m = rules[i]; m->look; m++) {
			if (!is_asked(m, l->kind, cases))
				continue;
			if (m->relies == ALWAYS)
				fits = predicted_ask(u, m->look) && fits;
			l->seen = m->relies == ALWAYS ? all : c->shown;
			m->look(l);
		}
	l->seen = all;
	predicted_learn(u, fits && !l->j->n, c->shown, all);
}

HOT void monitors_ask(struct pkt_ctx *l)
{
	struct judge_common *c = l->j->common;
	struct predicted *u = NULL;

	if (l->j->tells_predicted)
		u = predicted_find(l, c->predicted, c->all.seen);
	if (unlikely(!u)) {
		judge_ask(l, pkt_cases(l));
		return;
	}
	if (unlikely(!u->known)) {
		ask_first(l, u, pkt_cases(l));
		return;
	}
	u->times++;
	for (unsigned i = 0; i < u->nask; i++)
		u->ask[i](l);
}
