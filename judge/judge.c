/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/judge.c -- who is asked about a packet, and what is written down.
 *
 * A packet is read, its flow found, the monitors of its kind look at it, and
 * then the flow takes it in.
 */
#include "judge/judge.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "judge/roce.h"
#include "judge/srd.h"
#include "judge/state.h"
#include "judge/straight.h"
#include "judge/wqe.h"

/* Files of rules, in the order in which their findings appear. */
static const struct monitor *const rules[] = {
	rules_uet_wire, rules_uet_shape, rules_uet_pdc,  rules_uet_src,
	rules_uet_rtx,  rules_uet_ses,   rules_uet_ack,  rules_uet_cc,
	rules_uet_rod,  rules_uet_dst,   rules_uet_nack, rules_uet_trim,
	rules_uet_cp,   rules_uet_life,  rules_uet_rudi, rules_uet_late,
};

void judge_conf_default(struct judge_conf *ret)
{
	*ret = (struct judge_conf){
		.max_rto_retx = 5,
		.max_nack_retx = 5,
		.max_ack_data = 16,
		.mp_range = 1024,
		.mtu = 8192,
		.version = UET_1_0_1,
	};
}

vspan look_overdue(const struct judge_conf *conf)
{
	return conf->rto_init ? 2 * conf->rto_init : 10 * VSPAN_MS;
}

vspan look_rto(const struct judge_conf *conf, unsigned n)
{
	const vspan limit = 8 * VSPAN_S;
	vspan rto = conf->rto_init;

	while (n-- && rto < limit)
		rto *= 2;
	if (rto > limit)
		rto = limit;
	return rto > conf->rto_tolerance ? rto - conf->rto_tolerance : 0;
}

vspan look_repair(const struct judge_conf *conf, unsigned copies)
{
	const unsigned n = copies ? copies - 1 : 0;

	return 2 * (look_rto(conf, n) + conf->rto_tolerance) +
	       conf->rto_tolerance + conf->nack_retx_time;
}

vspan look_grace(const struct judge_conf *conf)
{
	return conf->grace ? conf->grace : VSPAN_MS;
}

/* ---- Life ---- */

/* Requests without a PDC that are followed at a time. */
static size_t rudi_room(size_t max_flows)
{
	const size_t most = 4096;

	return max_flows < most / 64 ? max_flows * 64 : most;
}

int judge_new(struct judge **ret, const struct judge_conf *conf,
	      size_t max_flows)
{
	struct judge *j = calloc(1, sizeof(*j));
	uint32_t sides = 8;

	if (!j)
		return ERR_NOMEM;
	j->conf = *conf;
	j->tells_usual = usual_is_told(conf);
	j->goes_straight = straight_is_open(conf);
	j->common = conf->common ? conf->common : &j->own;
	if (!max_flows)
		max_flows = 1;
	while (!conf->together && sides < 4 * max_flows && sides < 512)
		sides *= 2;
	j->side_mask = sides - 1;
	j->sides = calloc(sides, sizeof(*j->sides));
	j->nowhere = pool_large(NULL, sizeof(*j->nowhere));
	if (!j->sides || !j->nowhere || loose_flows_new(j) < 0 ||
	    table_new(&j->table, max_flows, conf->memory) < 0 ||
	    rudi_seen_new(&j->rudi, rudi_room(max_flows)) < 0) {
		judge_free(j);
		return ERR_NOMEM;
	}
	j->nowhere->number = JUDGE_NO_FLOW;
	j->nowhere->home = pool_large(NULL, sizeof(*j->nowhere->home));
	if (!j->nowhere->home) {
		judge_free(j);
		return ERR_NOMEM;
	}
	home_begin(j->nowhere->home);
	j->table.over = conf->over;
	j->table.arg = conf->arg;
	*ret = j;
	return 0;
}

void judge_free(struct judge *j)
{
	if (!j)
		return;
	table_free(&j->table);
	rudi_seen_free(&j->rudi);
	srd_seen_free(j->srd);
	wqe_seen_free(j->wqe);
	roce_seen_free(j->roce);
	if (j->nowhere)
		free(j->nowhere->home);
	free(j->nowhere);
	loose_flows_free(j);
	free(j->sides);
	free(j);
}

void judge_reset(struct judge *j)
{
	j->flow = NULL;
	j->totals = (struct judge_totals){0};
	j->ib_forgotten = 0;
	table_reset(&j->table);
	rudi_seen_reset(&j->rudi);
	loose_flows_reset(j);
	ib_flows_reset(srd_seen_flows(j->srd));
	ib_flows_reset(wqe_seen_flows(j->wqe));
	ib_flows_reset(roce_seen_flows(j->roce));
	memset(j->sides, 0, (j->side_mask + 1) * sizeof(*j->sides));
	j->nsides = 0;
}

static void count_usual(struct judge_common *c)
{
	for (size_t i = 0; i < sizeof(c->usual) / sizeof(c->usual[0]); i++)
		usual_count(&c->usual[i], c->all.seen);
}

/* What was usual may be wrong from now on. */
void judge_declare(struct judge *j, const struct judge_conf *conf)
{
	count_usual(j->common);
	memset(j->common->usual, 0, sizeof(j->common->usual));
	j->conf = *conf;
	j->tells_usual = usual_is_told(conf);
	j->goes_straight = straight_is_open(conf);
}

void judge_doubt(struct judge *j)
{
	ib_flows_doubt(srd_seen_flows(j->srd));
	ib_flows_doubt(wqe_seen_flows(j->wqe));
	ib_flows_doubt(roce_seen_flows(j->roce));
	j->conf.whole = false;
	for (size_t i = 0; i < j->table.n; i++)
		j->table.flows[i].whole = false;
}

/* ---- What was looked at ---- */

static struct side *side_slot(const struct judge *j, const struct ip_addr *addr)
{
	uint32_t i = addr->len;

	for (unsigned k = 0; k < addr->len; k++)
		i = i * 31 + addr->b[k];
	for (;; i++) {
		struct side *s = &j->sides[i & j->side_mask];

		if (!s->used || ip_addr_equal(&s->addr, addr))
			return s;
	}
}

struct side *judge_side(struct judge *j, const struct ip_addr *addr)
{
	struct side *s;

	if (j->conf.together)
		return &j->common->all;
	s = side_slot(j, addr);
	if (s->used)
		return s;
	if (j->nsides == j->side_mask) /* one stays free, to end a search */
		return &j->common->all;
	j->nsides++;
	s->used = true;
	s->addr = *addr;
	return s;
}

uint32_t judge_seen(const struct judge *j, const struct ip_addr *side,
		    enum req_id req, enum req_role role)
{
	const struct side *s = side_slot(j, side);
	uint32_t n = 0;

	if (!s->used || req < 0 || req >= REQ_COUNT)
		return 0;
	if (role & REQ_SRC)
		n += s->seen[req][0];
	if (role & REQ_DST)
		n += s->seen[req][1];
	return n;
}

static uint64_t seen_as(const struct side *s, enum req_id req,
			enum req_role role)
{
	return (role & REQ_SRC ? s->seen[req][0] : 0u) +
	       (uint64_t)(role & REQ_DST ? s->seen[req][1] : 0u);
}

int judge_common_new(struct judge_common **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : ERR_NOMEM;
}

void judge_common_free(struct judge_common *c)
{
	free(c);
}

uint64_t judge_common_seen(struct judge_common *c, enum req_id req,
			   enum req_role role)
{
	count_usual(c);
	return seen_as(&c->all, req, role);
}

uint64_t judge_seen_all(const struct judge *j, enum req_id req,
			enum req_role role)
{
	uint64_t n = seen_as(&j->own.all, req, role);

	for (uint32_t i = 0; j->nsides && i <= j->side_mask; i++)
		if (j->sides[i].used)
			n += seen_as(&j->sides[i], req, role);
	return n;
}

/* ---- Findings ---- */

struct finding *judge_found(struct judge *j)
{
	struct finding *x = j->n < j->max ? &j->ret[j->n] : &j->over;

	j->n++;
	j->last = x;
	*x = (struct finding){0};
	return x;
}

static void begin_finding(struct judge *j, const struct flow *f, unsigned end,
			  enum req_id req, enum req_role role, uint32_t frame)
{
	struct finding *x = judge_found(j);

	*x = (struct finding){.req = req,
			      .role = role,
			      .side = f->end[end].addr,
			      .frame = frame,
			      .flow = f->number,
			      .ends = {f->end[0].addr, f->end[1].addr},
			      .pdcid = {f->end[0].pdcid, f->end[1].pdcid}};
}

void look_blame(struct look *l, enum req_id req, enum req_role role)
{
	begin_finding(l->j, l->f, l->from, req, role, l->in->frame);
}

void look_owed(struct look *l, enum req_id req, uint32_t frame)
{
	begin_finding(l->j, l->f, !l->from, req, REQ_DST, frame);
}

bool lacks(struct absence *a, enum req_id req, enum req_role role, unsigned end,
	   uint32_t frame, bool missing)
{
	flow_side(a->j, a->f, end)->seen[req][role == REQ_DST]++;
	if (missing)
		begin_finding(a->j, a->f, end, req, role, frame);
	return missing;
}

static void write(char *s, size_t size, const char *fmt, va_list args)
	__attribute__((format(printf, 3, 0)));

static void write(char *s, size_t size, const char *fmt, va_list args)
{
	vsnprintf(s, size, fmt, args);
}

void expected(struct judge *j, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write(j->last->expected, sizeof(j->last->expected), fmt, args);
	va_end(args);
}

void actual(struct judge *j, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write(j->last->actual, sizeof(j->last->actual), fmt, args);
	va_end(args);
}

void too_early(struct judge *j)
{
	j->last->timing = true;
}

void because(struct judge *j, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write(j->last->text, sizeof(j->last->text), fmt, args);
	va_end(args);
}

/* ---- Packets ---- */

/* An answer can name it: by its own PSN, or by the one that it asks about. */
static bool names_psn(const struct look *l)
{
	return l->takes_psn ||
	       (l->kind == LOOK_CP && l->cp.ctl_type == PDS_CP_ACK_REQUEST);
}

/* All cases of a row hold; one without LOOK_GAPS wants LOOK_WHOLE as well. */
static bool is_asked(const struct monitor *m, unsigned kind, unsigned cases)
{
	const unsigned whole = m->what & LOOK_GAPS ? 0 : LOOK_WHOLE;

	if (cases & LOOK_USUAL && !(m->what & USUAL_ASKED))
		return false;
	return m->what & kind && !(((m->what & LOOK_CASES) | whole) & ~cases);
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
static const struct asked *who_looks(const struct look *l, unsigned cases)
{
	const uint32_t what = l->kind | cases;
	struct asked *a =
		&l->j->common->asked[what * 0x9e3779b1u >> (32 - ASKED_BITS)];

	if (a->what != what)
		find_monitors(l->kind, cases, a);
	return a;
}

static void ask(struct look *l, unsigned cases)
{
	const struct asked *a = who_looks(l, cases);

	for (unsigned i = 0; i < a->n; i++)
		a->look[i](l);
}

/* The first packet of its key: all monitors look, and those that will not look
 * again count by themselves. */
static void ask_first(struct look *l, struct usual *u, unsigned cases)
{
	struct judge_common *c = l->j->common;
	uint32_t(*const all)[2] = l->seen;

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		for (const struct monitor *m = rules[i]; m->look; m++) {
			if (!is_asked(m, l->kind, cases))
				continue;
			l->seen = m->what & USUAL_ASKED ? all : c->shown;
			m->look(l);
		}
	l->seen = all;
	usual_learn(u, !l->j->n, c->shown, all);
}

static HOT void look_each(struct look *l)
{
	struct usual *u = l->j->tells_usual ? usual_find(l) : NULL;

	if (unlikely(!u)) {
		ask(l, look_cases(l));
	} else if (unlikely(!u->known)) {
		ask_first(l, u, look_cases(l));
	} else {
		u->times++;
		if (usual_asks(l))
			ask(l, look_cases(l) | LOOK_USUAL);
	}
}

/* The flow is made of nothing but answers: they may be somebody else's. */
static bool is_hearsay(const struct look *l)
{
	return !l->f->whole && !l->peer->any;
}

static void look_all(struct look *l)
{
	look_place(l);
	look_facts(l, false);
	tally_take(l);
	look_each(l);
	if (unlikely(is_hearsay(l)))
		rules_uet_loose_answer(l);
	flow_take(l);
}

/* Of a flow whose packets were captured twice, or not as a whole, the order is
 * not known or not all of the bytes. */
static void note_use(struct look *l)
{
	struct flow *f = l->f;

	if (unlikely(!f->first_frame)) {
		f->first_frame = l->in->frame;
		f->first_at = l->at;
	}
	if (unlikely(l->in->copy || l->in->cut))
		f->whole = false;
}

static void unread(struct look *l)
{
	if (l->in->copy || l->in->cut || l->trimmed || l->len < 2)
		return;
	look_unread(l);
	rules_uet_unread(l);
}

/* It changes nothing, but whose copy it is can be told. */
static void note_copy(struct look *l, enum look_found found)
{
	if (found == LOOK_LOOSE)
		loose_note(l);
	if (found != LOOK_FLOW)
		return;
	look_place(l);
	if (l->old)
		look_facts(l, false);
}

/* Whoever gets a trimmed ACK, NACK or CP drops it (table 3-61). */
static bool is_dropped(const struct look *l)
{
	return l->trimmed && !(l->kind & (LOOK_REQ | LOOK_RUDI | LOOK_UUD));
}

/* What is dropped was sent all the same. */
static void note_dropped(struct look *l, enum look_found found)
{
	if (found != LOOK_FLOW || !l->takes_psn)
		return;
	look_place(l);
	flow_take_sent(l);
}

/* Whoever never sees a family has no memory for it. */
static size_t push_ib(struct judge *j, const struct judge_packet *p)
{
	switch (p->d->family) {
	case FAMILY_SRD:
		if (!j->srd && srd_seen_new(&j->srd) < 0)
			break;
		j->family = FAMILY_SRD;
		rules_srd(j, j->srd, p);
		break;
	case FAMILY_WQE:
		if (!j->wqe && wqe_seen_new(&j->wqe) < 0)
			break;
		j->family = FAMILY_WQE;
		rules_wqe(j, j->wqe, p);
		break;
	case FAMILY_ROCE:
		if (!j->roce && roce_seen_new(&j->roce) < 0)
			break;
		j->family = FAMILY_ROCE;
		rules_roce(j, j->roce, p);
		break;
	default:
		break;
	}
	return j->n;
}

HOT size_t judge_push(struct judge *j, const struct judge_packet *p,
		      struct finding *ret, size_t max)
{
	struct look l = {.j = j, .conf = &j->conf};
	enum look_found found;

	j->ret = ret;
	j->max = max;
	j->n = 0;
	j->flow = NULL;
	j->facts = (struct judge_facts){.flow = JUDGE_NO_FLOW};
	j->family = FAMILY_UET;
	if (unlikely(p->pkt->family == PACKET_IB))
		return push_ib(j, p);
	if (unlikely(!look_read(&l, p))) {
		unread(&l);
		return j->n;
	}
	table_now(&j->table, p->at, j->conf.idle);
	found = look_find(&l);
	if (likely(found != LOOK_NOWHERE))
		note_use(&l);
	if (unlikely(p->copy)) {
		note_copy(&l, found);
		return 0;
	}
	if (unlikely(is_dropped(&l))) {
		note_dropped(&l, found);
		return 0;
	}
	switch (found) {
	case LOOK_FLOW:
		look_all(&l);
		break;
	case LOOK_LOOSE:
		look_each(&l);
		tally_loose(&l);
		loose_take(&l);
		break;
	case LOOK_FOREIGN:
		look_place(&l);
		look_facts(&l, true);
		rules_uet_foreign(&l);
		if (names_psn(&l))
			flow_take_stray(&l, true);
		break;
	case LOOK_NOWHERE:
		j->totals.nowhere++;
		rules_uet_nowhere(&l);
		rules_uet_loose_answer(&l);
		break;
	}
	return j->n;
}

static void end_flow(struct judge *j, struct flow *f, vtime now)
{
	struct absence a = {.j = j, .conf = &j->conf, .f = f, .now = now};

	for (a.source = 0; a.source < 2; a.source++) {
		a.d = &f->home->dir[a.source];
		rules_uet_end(&a);
	}
}

/* Who joined does not know whether there is a way that it does not see. */
static bool spoke_both(const struct judge_conf *conf, const struct flow *f)
{
	struct judge_side_tally sent[2];

	if (!conf->joined)
		return true;
	tally_ends(f, sent);
	return sent[0].packets && sent[1].packets;
}

static void end_rudi(struct judge *j, vtime now)
{
	struct flow *f = j->nowhere;
	struct absence a = {.j = j, .conf = &j->conf, .f = f, .now = now};

	for (size_t i = 0; i < j->rudi.n; i++) {
		struct rudi_pkt *p = &j->rudi.pkts[i];

		f->end[0].addr = p->src;
		f->end[1].addr = p->dst;
		for (unsigned e = 0; e < 2; e++) {
			f->side[e] = judge_side(j, &f->end[e].addr);
			f->end[e].here =
				!j->conf.afar &&
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

		if (f->used && f->home && f->whole && j->conf.whole &&
		    spoke_both(&j->conf, f))
			end_flow(j, f, now);
	}
	if (judge_saw_all(&j->conf))
		end_rudi(j, now);
	return j->n;
}
