/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/judge.c -- the entry points of the judge: they pass each packet to the
 * monitors of its kind.
 *
 * For each packet: parse it, find its flow, call the monitors, then update the
 * flow.
 */
#include "judge/judge.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "judge/core/flow_summary.h"
#include "judge/core/pdcless_flows.h"
#include "judge/core/state.h"
#include "judge/fast/fast_path.h"
#include "judge/fast/predicted.h"
#include "judge/findings.h"
#include "judge/transport.h"
#include "judge/uet/flow/sent.h"
#include "judge/uet/flow/take.h"
#include "judge/uet/form/rules_shape.h"
#include "judge/uet/form/rules_wire.h"
#include "judge/uet/monitors.h"
#include "judge/uet/pdcless/pdcless.h"
#include "judge/uet/pdcless/rules_rudi.h"
#include "judge/uet/pkt_flow.h"
#include "judge/uet/pkt_place.h"
#include "judge/uet/pkt_read.h"
#include "judge/uet/rules/rules_end.h"
#include "judge/uet/rules/rules_pdc.h"

/* ---- Life ---- */

/* Returns how many requests without a PDC the judge follows at a time. */
static size_t rudi_room(const struct judge_conf *conf, size_t max_flows)
{
	const size_t most = 4096;

	if (conf->rudi_max)
		return conf->rudi_max;
	return max_flows < most / 64 ? max_flows * 64 : most;
}

int judge_new(struct judge **ret, const struct judge_conf *conf,
	      size_t max_flows)
{
	struct judge *j = pool_large(NULL, sizeof(*j));
	uint32_t sides = 8;

	if (!j)
		return ERR_NOMEM;
	j->conf = *conf;
	j->tells_predicted = predicted_is_told(conf);
	j->takes_fast_path = fast_path_is_open(conf);
	if (!conf->common && judge_common_new(&j->own) < 0) {
		memory_free(j);
		return ERR_NOMEM;
	}
	j->common = conf->common ? conf->common : j->own;
	if (!max_flows)
		max_flows = 1;
	while (sides < 4 * max_flows && sides < 512)
		sides *= 2;
	j->side_mask = sides - 1;
	if (!conf->shared_counters)
		j->sides = memory_calloc(sides, sizeof(*j->sides));
	j->unmatched = pool_large(NULL, sizeof(*j->unmatched));
	if ((!j->sides && !conf->shared_counters) || !j->unmatched ||
	    table_new(&j->table, max_flows, conf->memory) < 0 ||
	    rudi_seen_new(&j->rudi, rudi_room(conf, max_flows)) < 0) {
		judge_free(j);
		return ERR_NOMEM;
	}
	j->unmatched->number = JUDGE_NO_FLOW;
	j->unmatched->rare = &flow_nothing;
	j->unmatched->hot = pool_large(NULL, sizeof(*j->unmatched->hot));
	if (!j->unmatched->hot) {
		judge_free(j);
		return ERR_NOMEM;
	}
	hot_begin(j->unmatched->hot);
	j->table.over = conf->over;
	j->table.arg = conf->arg;
	*ret = j;
	return 0;
}

void judge_free(struct judge *j)
{
	if (!j)
		return;
	judge_common_free(j->own);
	table_free(&j->table);
	rudi_seen_free(&j->rudi);
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (j->state[f])
			judge_families[f]->end(j->state[f]);
	if (j->unmatched)
		memory_free(j->unmatched->hot);
	memory_free(j->unmatched);
	pdcless_flows_free(j);
	memory_free(j->sides);
	memory_free(j);
}

/* The table is large, and a run of a case uses two of its slots. */
static void sides_reset(struct judge *j)
{
	for (uint32_t i = 0; j->nsides && i <= j->side_mask; i++) {
		if (!j->sides[i].used)
			continue;
		memset(&j->sides[i], 0, sizeof(j->sides[i]));
		j->nsides--;
	}
}

void judge_reset(struct judge *j)
{
	j->flow = NULL;
	j->totals = (struct judge_totals){0};
	j->ib_forgotten = 0;
	table_reset(&j->table);
	rudi_seen_reset(&j->rudi);
	pdcless_flows_reset(j);
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (j->state[f])
			judge_families[f]->reset(j->state[f]);
	sides_reset(j);
}

/* Discards the predictions, since other packets may be correct from now on. */
void judge_declare(struct judge *j, const struct judge_conf *conf)
{
	if (j->tells_predicted) {
		judge_count_predicted(j->common);
		memset(j->common->predicted, 0, sizeof(j->common->predicted));
	}
	j->conf = *conf;
	j->tells_predicted = predicted_is_told(conf);
	j->takes_fast_path = fast_path_is_open(conf);
}

void judge_mark_incomplete(struct judge *j)
{
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (j->state[f])
			judge_families[f]->mark_incomplete(j->state[f]);
	j->conf.complete = false;
	for (size_t i = 0; i < j->table.n; i++)
		j->table.flows[i].complete = false;
}

/* ---- Packets ---- */

/*
 * Returns true if the packet has a PSN, or requests an ACK of one: the two
 * packets whose PSN an answer can carry.
 */
static bool names_psn(const struct pkt_ctx *l)
{
	return l->takes_psn ||
	       (l->kind == PKT_CP && l->cp.ctl_type == PDS_CP_ACK_REQUEST);
}

/*
 * Returns true if the flow has only answers: they may belong to another flow.
 */
static bool is_ack_only(const struct pkt_ctx *l)
{
	return !l->f->complete && !l->peer->any;
}

static void pkt_all(struct pkt_ctx *l)
{
	pkt_place(l);
	pkt_facts(l, false);
	flow_stats_take(l);
	monitors_ask(l);
	if (unlikely(is_ack_only(l)))
		rules_uet_pdcless_answer(l);
	flow_take(l);
}

/*
 * Marks a flow whose packets were captured twice or truncated: their order or
 * some of their bytes are unknown.
 */
static void note_use(struct pkt_ctx *l)
{
	struct flow *f = l->f;

	if (unlikely(!f->first_frame)) {
		f->first_frame = l->in->frame;
		f->first_at = l->at;
	}
	if (unlikely(l->in->copy || l->in->cut))
		f->complete = false;
}

static void unread(struct pkt_ctx *l)
{
	if (l->in->copy || l->in->cut || l->trimmed || l->len < 2)
		return;
	pkt_unread(l);
	rules_uet_unread(l);
}

/* A copy does not change the flow; this records which flow and PSN it has. */
static void note_copy(struct pkt_ctx *l, enum pkt_found found)
{
	if (found == PKT_PDCLESS)
		pdcless_note(l);
	if (found != PKT_FLOW)
		return;
	pkt_place(l);
	if (l->old)
		pkt_facts(l, false);
}

/* The receiver drops a trimmed ACK, NACK or CP (table 3-61). */
static bool judge_is_dropped(const struct pkt_ctx *l)
{
	return l->trimmed && !(l->kind & (PKT_REQ | PKT_RUDI | PKT_UUD));
}

/* Records the transmission of a packet that its receiver drops. */
static void note_dropped(struct pkt_ctx *l, enum pkt_found found)
{
	if (found != PKT_FLOW || !l->takes_psn)
		return;
	pkt_place(l);
	flow_take_sent(l);
}

/* The state of a family is allocated on first use; without memory its packets
 * are not judged. */
static size_t push_other(struct judge *j, const struct judge_packet *p)
{
	const unsigned family = p->d->family;
	const struct judge_family *row = judge_families[family];

	if (!j->state[family] &&
	    row->start(&j->state[family], (enum family)family) < 0)
		return 0;
	j->family = (enum family)family;
	row->push(j, j->state[family], p);
	return j->n;
}

HOT size_t judge_push(struct judge *j, const struct judge_packet *p,
		      struct finding *ret, size_t max)
{
	struct pkt_ctx l = {.j = j, .conf = &j->conf};
	enum pkt_found found;

	j->ret = ret;
	j->max = max;
	j->n = 0;
	j->flow = NULL;
	j->facts = (struct judge_facts){.flow = JUDGE_NO_FLOW};
	j->family = MAIN_FAMILY;
	if (unlikely(p->d->family != MAIN_FAMILY))
		return push_other(j, p);
	if (unlikely(!pkt_read(&l, p))) {
		unread(&l);
		return j->n;
	}
	table_now(&j->table, p->at, j->conf.idle);
	found = pkt_find_flow(&l);
	if (likely(found != PKT_UNMATCHED))
		note_use(&l);
	if (unlikely(p->copy)) {
		note_copy(&l, found);
		return 0;
	}
	if (unlikely(judge_is_dropped(&l))) {
		note_dropped(&l, found);
		return 0;
	}
	switch (found) {
	case PKT_FLOW:
		pkt_all(&l);
		break;
	case PKT_PDCLESS:
		monitors_ask(&l);
		tally_pdcless(&l);
		pdcless_take(&l);
		break;
	case PKT_FOREIGN:
		pkt_place(&l);
		pkt_facts(&l, true);
		rules_uet_foreign(&l);
		if (names_psn(&l))
			flow_take_out_of_window(&l, true);
		break;
	case PKT_UNMATCHED:
		j->totals.unmatched++;
		rules_uet_unmatched(&l);
		rules_uet_pdcless_answer(&l);
		break;
	}
	return j->n;
}

static void end_flow(struct judge *j, struct flow *f, vtime now)
{
	struct absence a = {.j = j, .conf = &j->conf, .f = f, .now = now};

	for (a.source = 0; a.source < 2; a.source++) {
		a.d = &f->hot->dir[a.source];
		rules_uet_end(&a);
	}
}

/* A capture that starts midstream may hold only one direction. */
static bool spoke_both(const struct judge_conf *conf, const struct flow *f)
{
	struct judge_side_stats sent[2];

	if (!conf->midstream)
		return true;
	flow_stats_ends(f, sent);
	return sent[0].packets && sent[1].packets;
}

static void end_rudi(struct judge *j, vtime now)
{
	struct flow *f = j->unmatched;
	struct absence a = {.j = j, .conf = &j->conf, .f = f, .now = now};

	for (size_t i = 0; i < j->rudi.n; i++) {
		struct judge_rudi_pkt *p = &j->rudi.pkts[i];

		f->end[0].addr = p->src;
		f->end[1].addr = p->dst;
		for (unsigned e = 0; e < 2; e++) {
			f->side[e] = judge_side_number(j, &f->end[e].addr);
			f->end[e].here =
				!j->conf.remote_vantage &&
				(!j->conf.here.len ||
				 ip_addr_equal(&j->conf.here, &f->end[e].addr));
		}
		rules_uet_rudi_end(&a, p);
	}
}

size_t judge_end(struct judge *j, vtime now, struct finding *ret, size_t max)
{
	j->ret = ret;
	j->max = max;
	j->n = 0;
	for (size_t i = 0; i < j->table.n; i++) {
		struct flow *f = &j->table.flows[i];

		if (f->used && f->hot && f->complete && j->conf.complete &&
		    spoke_both(&j->conf, f))
			end_flow(j, f, now);
	}
	if (judge_saw_all(&j->conf))
		end_rudi(j, now);
	return j->n;
}

/* ---- Summaries ---- */

void judge_flows(const struct judge *j,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg)
{
	struct judge_flow_stats stats;
	struct judge_flow view;

	for (size_t i = 0; i < j->table.n; i++) {
		if (!j->table.flows[i].used)
			continue;
		flow_stats_show(&j->table.flows[i], &view, &stats);
		see(arg, &view);
	}
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (j->state[f])
			judge_families[f]->each(j->state[f], see, arg);
	pdcless_flows_each(j, see, arg);
}

const struct judge_totals *judge_totals(struct judge *j)
{
	j->totals.forgotten =
		j->table.forgotten + j->ib_forgotten + j->pdcless_forgotten;
	j->totals.idle_evicted = j->table.idle_evicted;
	return &j->totals;
}

size_t judge_flow_bytes(void)
{
	return table_flow_bytes();
}
