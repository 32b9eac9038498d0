/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/monitors.c -- calls the monitors that check a packet.
 */
#include "judge/uet/monitors.h"

#include <assert.h>

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/fast/predicted.h"
#include "judge/uet/monitor.h"
#include "judge/uet/pkt_place.h"

/* The tables of rules, in the order in which their findings appear. */
static const struct monitor *const rules[] = {
	rules_uet_wire, rules_uet_shape, rules_uet_pdc,  rules_uet_src,
	rules_uet_rtx,  rules_uet_ses,   rules_uet_ack,  rules_uet_cc,
	rules_uet_rod,  rules_uet_dst,   rules_uet_nack, rules_uet_trim,
	rules_uet_cp,   rules_uet_life,  rules_uet_rudi, rules_uet_late,
};

/*
 * Returns true if all cases of a row hold; a row without PKT_GAPS also needs
 * PKT_COMPLETE.
 */
static bool is_asked(const struct monitor *m, unsigned kind, unsigned cases)
{
	const unsigned complete = m->what & PKT_GAPS ? 0 : PKT_COMPLETE;

	return m->what & kind && !(((m->what & PKT_CASES) | complete) & ~cases);
}

/*
 * Returns true if the rules of a table check the packet.  All of them judge its
 * sender, except those of one table, which also judge the receiver.
 */
static bool judges_someone(const struct monitor *table, unsigned cases)
{
	return !(cases & PKT_ASIDE) || table == rules_uet_late;
}

static void find_monitors(unsigned kind, unsigned cases, struct asked *ret)
{
	ret->n = 0;
	ret->what = kind | cases;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (const struct monitor *m = rules[i]; m->look; m++) {
			if (!judges_someone(rules[i], cases) ||
			    !is_asked(m, kind, cases))
				continue;
			assert(ret->n < ASKED_MOST);
			ret->look[ret->n++] = m->look;
		}
}

/*
 * Returns the monitors for a packet, from a cache: most packets are of a kind
 * that came before.
 */
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

/*
 * Runs all rules on the first packet of its key.  The prediction stores what
 * the rules with a condition checked, and the other rules, which check each
 * packet.
 */
static void ask_first(struct pkt_ctx *l, struct predicted *u, unsigned cases)
{
	struct judge_common *c = l->j->common;
	uint32_t(*const all)[2] = l->seen;
	bool fits = true;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (const struct monitor *m = rules[i]; m->look; m++) {
			if (!judges_someone(rules[i], cases) ||
			    !is_asked(m, l->kind, cases))
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
