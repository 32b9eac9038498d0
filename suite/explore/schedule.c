/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/schedule.c -- a run of two reference endpoints on a link that
 * does what the odometer says.
 */
#include "suite/explore/schedule.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/rng.h"
#include "suite/transport.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define SCHEDULE_HOP     (10 * VSPAN_US)
#define SCHEDULE_AT_ONCE VSPAN_US
#define SCHEDULE_KEY     7
#define SCHEDULE_NO_KEY  9    /* no memory has it */
#define SCHEDULE_UINT64  7    /* the datatype of an atomic */
#define SCHEDULE_PLACE   4096 /* bytes of memory for each request of WQE */
#define SCHEDULE_ROOM    2048 /* of UET, whose messages are shorter */
#define SCHEDULE_FLOWS   8
#define SCHEDULE_PDCS    2 /* of RUD and ROD that a judge follows at once */
#define SCHEDULE_STEPS   20000
#define SCHEDULE_IDLE    (50 * VSPAN_MS)   /* then the initiator closes */
#define SCHEDULE_END     (20 * VSPAN_S)    /* a run must be quiet by then */
#define SCHEDULE_STATES  ((size_t)1 << 12) /* of a table, at first */
#define SCHEDULE_MOST    ((size_t)1 << 24) /* states of a table */
#define SCHEDULE_HEAP    ((size_t)1 << 26) /* bytes, few of them touched */
#define SCHEDULE_KEEPS   16                /* bytes that a switch keeps */
#define ODOMETER_RARE    6 /* one of so many drawn packets may have a fault */

/* ---- Decisions ---- */

static unsigned odometer_new(const struct odometer *o, unsigned bound,
			     bool rare)
{
	if (!o->rng || (rare && rng_below(o->rng, ODOMETER_RARE)))
		return 0;
	return rng_below(o->rng, bound);
}

unsigned odometer_pick(struct odometer *o, unsigned bound, bool rare)
{
	if (o->at == ODOMETER_MAX)
		return 0;
	if (o->at == o->n) {
		o->v[o->n] = (uint16_t)odometer_new(o, bound, rare);
		o->bound[o->n++] = (uint16_t)bound;
	}
	return o->v[o->at++];
}

bool odometer_next(struct odometer *o)
{
	o->n = o->at; /* decisions that were not reached do not count */
	o->at = 0;
	while (o->n > o->root && o->v[o->n - 1] + 1 == o->bound[o->n - 1])
		o->n--;
	if (o->n <= o->root)
		return false;
	o->v[o->n - 1]++;
	o->fixed = o->n;
	return true;
}

/* ---- States ---- */

static uint64_t schedule_mix(uint64_t h, uint64_t v)
{
	struct rng r = {h ^ v};

	return rng_next(&r);
}

static uint64_t schedule_hash(const struct dgram *d)
{
	uint64_t h = schedule_mix(d->len, (uint64_t)d->dscp << 8 | d->ecn), v;
	size_t i = 0;

	for (; i + 8 <= d->len; i += 8) {
		memcpy(&v, d->data + i, 8);
		h = (h ^ v) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	for (; i < d->len; i++)
		h = schedule_mix(h, d->data[i]);
	return schedule_mix(h, d->entropy);
}

/*
 * The state of a run: what both ends were given, and what is in flight.  The
 * ends are deterministic, so the same input left them in the same state.
 */
static uint64_t schedule_state(const struct schedule *p)
{
	uint64_t h = schedule_mix(p->history[0], p->left);

	h = schedule_mix(h, p->history[1]);
	h = schedule_mix(h, (uint64_t)p->now);
	for (size_t i = 0; i < p->nflights; i++)
		h += schedule_mix(p->flights[i].hash,
				  (uint64_t)p->flights[i].at * 2 +
					  p->flights[i].to);
	return h | 1;
}

/* Returns the place of a state, or the free one where it belongs. */
static uint64_t *schedule_place(const struct schedule_states *s, uint64_t h)
{
	size_t i = (size_t)(h >> 20) & (s->size - 1);

	while (s->v[i] && s->v[i] != h)
		i = (i + 1) & (s->size - 1);
	return &s->v[i];
}

/* Doubles the table.  Without memory it stays as it is. */
static void schedule_grow(struct schedule_states *s)
{
	struct schedule_states more = {.n = s->n, .size = 2 * s->size};
	struct heap *heap = memory_use(NULL); /* no run brings it back */

	if (s->size < SCHEDULE_MOST)
		more.v = memory_calloc(more.size, sizeof(*more.v));
	memory_use(heap);
	if (!more.v)
		return;
	for (size_t i = 0; i < s->size; i++)
		if (s->v[i])
			*schedule_place(&more, s->v[i]) = s->v[i];
	free(s->v);
	*s = more;
}

/*
 * Return: the state was passed before.  A full table takes no more states, and
 * a schedule that comes to one of those again goes on.
 */
static bool schedule_passed(struct schedule_states *s, uint64_t h)
{
	uint64_t *place;

	if (s->n >= s->size / 4 * 3)
		schedule_grow(s);
	place = schedule_place(s, h);
	if (*place == h)
		return true;
	if (s->n < s->size / 4 * 3) {
		*place = h;
		s->n++;
	}
	return false;
}

static bool schedule_has_pdcs(const struct schedule *p)
{
	return p->subject == DRAFT_RUD || p->subject == DRAFT_ROD;
}

/* ---- Findings ---- */

__attribute__((format(printf, 3, 4))) static void
schedule_wrong(struct schedule *p, unsigned what, const char *fmt, ...)
{
	va_list ap;

	if (p->wrong)
		return;
	p->wrong = true;
	p->what = what;
	va_start(ap, fmt);
	vsnprintf(p->text, sizeof(p->text), fmt, ap);
	va_end(ap);
}

static void schedule_found(struct schedule *p, const struct finding *f,
			   size_t n)
{
	for (size_t i = 0; i < n && i < 4; i++)
		if (req_get(f[i].req)->level == REQ_M)
			schedule_wrong(p,
				       SCHEDULE_FOUND + 4 * (unsigned)f[i].req +
					       (unsigned)f[i].role,
				       "%s/%s: %s", req_get(f[i].req)->id,
				       req_role_name(f[i].role), f[i].text);
}

static void schedule_look(struct schedule *p, unsigned side,
			  const struct dgram *d)
{
	struct finding f[4];
	const struct judge_packet in = {
		.pkt = &p->pkt, .d = d, .at = p->now, .frame = ++p->frame};

	packet_parse((enum family)d->family, &p->pkt, d->data, d->len);
	schedule_found(p, f, judge_push(p->judge[side], &in, f, 4));
}

static void schedule_says(struct schedule *p, unsigned from,
			  const struct dgram *d, enum schedule_fault fault)
{
	static const char *const words[] = {"",          "lost", "duplicated",
					    "overtaken", "late", "trimmed"};

	if (!p->trace)
		return;
	memory_use(NULL); /* the text is the caller's */
	packet_parse((enum family)d->family, &p->pkt, d->data, d->len);
	text_printf(p->trace, "  %8.3f ms  %c  ", (double)p->now / 1e6,
		    from ? '<' : '>');
	packet_print(p->trace, &p->pkt, PACKET_FULL, NULL);
	text_printf(p->trace, "%s%s\n", fault ? "  # " : "", words[fault]);
	memory_use(p->heap);
}

/* ---- Marks ---- */

/* Returns the bytes of the run in hand. */
static size_t schedule_hand(const struct schedule *p)
{
	return offsetof(struct schedule, flights) +
	       p->nflights * sizeof(p->flights[0]) -
	       offsetof(struct schedule, now);
}

static void schedule_unmark(struct schedule *p)
{
	while (p->nmarks)
		p->marks[--p->nmarks].set = false;
}

/*
 * Marks the next decision, which is new, about a packet of |from|.  Without
 * memory there is no mark, and the runs that differ here begin at their start.
 */
static void schedule_mark(struct schedule *p, unsigned from,
			  const struct dgram *d)
{
	struct schedule_mark *m;

	if (p->anew || p->unpruned || p->odometer.at == ODOMETER_MAX)
		return;
	m = &p->marks[p->odometer.at];
	while (p->nmarks > p->odometer.at)
		p->marks[--p->nmarks].set = false;
	p->nmarks = p->odometer.at + 1;
	memory_use(NULL);
	if (!m->run)
		m->run = memory_alloc(sizeof(*p));
	if (!m->out)
		m->out = memory_alloc(sizeof(*m->out));
	if (m->run && m->out && !heap_save(p->heap, &m->heap)) {
		memcpy(m->run, &p->now, schedule_hand(p));
		dgram_copy(m->out, d);
		m->from = from;
		m->set = true;
	}
	memory_use(p->heap);
}

/* Returns the mark at the last decision that an earlier run did not make. */
static const struct schedule_mark *schedule_marked(const struct schedule *p)
{
	const size_t at = p->odometer.fixed - 1;

	if (p->anew || p->unpruned || !p->odometer.fixed || at >= p->nmarks ||
	    !p->marks[at].set)
		return NULL;
	return &p->marks[at];
}

/* ---- The link ---- */

static void schedule_flies(struct schedule *p, unsigned to,
			   const struct dgram *d, vspan span)
{
	struct schedule_flight *f = &p->flights[p->nflights];

	if (p->nflights == SCHEDULE_FLIGHTS) {
		schedule_wrong(p, SCHEDULE_FULL,
			       "more packets are in flight than fit");
		return;
	}
	*f = (struct schedule_flight){
		.at = p->now + span, .to = to, .order = p->order++};
	if (p->left && !p->unpruned) /* else no state is compared */
		f->hash = schedule_hash(d);
	f->d = memory_alloc(offsetof(struct dgram, data) + d->len);
	if (!f->d) {
		schedule_wrong(p, SCHEDULE_MEMORY, "no memory");
		return;
	}
	dgram_copy(f->d, d);
	p->nflights++;
}

/* UUD is not answered: there are no repairs that a fault could disturb. */
static enum schedule_fault schedule_decides(struct schedule *p, unsigned from,
					    const struct dgram *d)
{
	const bool trims = suite_families[d->family]->has_pdcs;
	const unsigned bound = trims ? SCHEDULE_FAULTS : SCHEDULE_TRIM;
	struct odometer *o = &p->odometer;

	if (!p->left)
		return SCHEDULE_NONE;
	if (o->at >= o->fixed && !p->unpruned &&
	    schedule_passed(&p->states, schedule_state(p))) {
		p->pruned = true;
		return SCHEDULE_NONE;
	}
	if (o->at == ODOMETER_MAX)
		schedule_wrong(p, SCHEDULE_FULL,
			       "a run has more decisions than fit");
	if (o->at >= o->fixed)
		schedule_mark(p, from, d);
	return (enum schedule_fault)odometer_pick(o, bound, true);
}

static void schedule_fares(struct schedule *p, unsigned from, struct dgram *d,
			   enum schedule_fault fault)
{
	const vspan late = 3 * p->conf[from].rto_init / 2;

	schedule_says(p, from, d, fault);
	p->left -= fault != SCHEDULE_NONE;
	p->losses += fault == SCHEDULE_LOSE || fault == SCHEDULE_TRIM;
	p->copies += fault == SCHEDULE_DUPLICATE || fault == SCHEDULE_DELAY;
	if (fault == SCHEDULE_LOSE)
		return;
	if (fault == SCHEDULE_TRIM) {
		if (d->len > SCHEDULE_KEEPS)
			d->len = SCHEDULE_KEEPS;
		d->dscp = p->frame % 2 ? p->conf[from].dscp_trimmed
				       : p->conf[from].dscp_trimmed_lasthop;
	}
	if (fault == SCHEDULE_DUPLICATE)
		schedule_flies(p, !from, d, SCHEDULE_HOP);
	if (fault == SCHEDULE_REORDER && d->ecn)
		d->ecn = ECN_CE; /* it waited in a queue */
	schedule_flies(p, !from, d,
		       fault == SCHEDULE_REORDER
			       ? 3 * SCHEDULE_HOP + SCHEDULE_HOP / 2
		       : fault == SCHEDULE_DELAY ? late
						 : SCHEDULE_HOP);
}

static void schedule_sends(struct schedule *p, unsigned from, struct dgram *d)
{
	enum schedule_fault fault;

	schedule_look(p, from, d);
	fault = schedule_decides(p, from, d);
	if (!p->pruned)
		schedule_fares(p, from, d, fault);
}

/* ---- The ends ---- */

static void schedule_event(struct schedule *p, unsigned side,
			   const struct orc_event *ev)
{
	if (side == 1 && ev->kind == EV_RECV && ev->status == STATUS_OK)
		p->received++;
	if (side == 0 && ev->kind == EV_COMPLETION && ev->handle &&
	    ev->handle <= p->requests) {
		if (ev->status == STATUS_OK)
			p->completed[ev->handle]++;
		else
			p->failed[ev->handle]++;
	}
}

static void schedule_drain_packets(struct schedule *p, unsigned side)
{
	while (!p->pruned && p->api[side]->poll_tx(p->end[side], &p->out))
		schedule_sends(p, side, &p->out);
}

/* Drains the ends from |side| on. */
static void schedule_drain(struct schedule *p, unsigned side)
{
	for (; side < 2; side++) {
		struct orc_event ev;

		while (p->api[side]->poll_event(p->end[side], &ev))
			schedule_event(p, side, &ev);
		schedule_drain_packets(p, side);
	}
}

static void schedule_post(struct schedule *p, unsigned side, struct orc_op op)
{
	op.peer = p->conf[!side].addr;
	if (p->api[side]->post(p->end[side], &op, p->now))
		schedule_wrong(p, SCHEDULE_REFUSED,
			       "side %c refuses operation %d", "AB"[side],
			       (int)op.kind);
	p->history[side] =
		schedule_mix(p->history[side],
			     (uint64_t)op.kind << 32 | op.handle << 8 | op.len);
}

static size_t schedule_first(const struct schedule *p)
{
	size_t first = 0;

	for (size_t i = 1; i < p->nflights; i++)
		if (p->flights[i].at < p->flights[first].at ||
		    (p->flights[i].at == p->flights[first].at &&
		     p->flights[i].order < p->flights[first].order))
			first = i;
	return first;
}

static void schedule_arrives(struct schedule *p)
{
	const size_t i = schedule_first(p);
	const struct schedule_flight f = p->flights[i];

	p->flights[i] = p->flights[--p->nflights];
	schedule_look(p, f.to, f.d);
	if (p->api[f.to]->feed(p->end[f.to], f.d, p->now))
		schedule_wrong(p, SCHEDULE_MEMORY, "no memory");
	p->history[f.to] =
		schedule_mix(p->history[f.to] ^ f.hash, (uint64_t)p->now);
	memory_free(f.d);
}

static vtime schedule_deadline(const struct schedule *p)
{
	const vtime a = p->api[0]->deadline(p->end[0]);
	const vtime b = p->api[1]->deadline(p->end[1]);

	return a < b ? a : b;
}

/* Lets the next thing happen. Return: false: nothing more does. */
static bool schedule_step(struct schedule *p)
{
	const vtime due = schedule_deadline(p);
	vtime next = due;

	if (p->nflights && p->flights[schedule_first(p)].at < next)
		next = p->flights[schedule_first(p)].at;
	if (next == VTIME_NEVER || next > SCHEDULE_END)
		return false;
	if (next > p->now)
		p->now = next;
	if (due <= p->now) {
		p->api[0]->tick(p->end[0], p->now);
		p->api[1]->tick(p->end[1], p->now);
	} else {
		schedule_arrives(p);
	}
	schedule_drain(p, 0);
	return true;
}

/* ---- Requests ---- */

/* A message of UET and the instructions to its target. */
struct schedule_kind {
	enum op_kind kind;
	uint32_t len;
	bool empty;   /* each second one has no bytes */
	bool headers; /* each has the next of the three headers */
	enum op_gtd gtd;
	bool nack;    /* the target refuses a packet once */
	bool refused; /* no memory has the key: the operation must fail */
};

static const struct schedule_kind schedule_pdc_kinds[] = {
	{.kind = OP_SEND, .len = 64, .empty = true},
	{.kind = OP_SEND, .len = 1024 + 64},
	{.kind = OP_WRITE, .len = 64, .headers = true},
	{.kind = OP_READ, .len = 16},
	{.kind = OP_READ, .len = 1024},
	{.kind = OP_SEND, .len = 32, .gtd = OP_GTD_YES},
	{.kind = OP_SEND, .len = 48, .nack = true},
	{.kind = OP_WRITE, .len = 16, .refused = true},
	{.kind = OP_ATOMIC, .len = 8},
};

/* The NACKs of the first requests, in turn. */
static const uint8_t schedule_nacks[] = {NACK_NO_RESOURCE, NACK_NO_PKT_BUFFER,
					 NACK_NO_SES_MSG_AVAIL,
					 NACK_NO_GTD_DEL_AVAIL};

/* Sends are not idempotent. */
static const struct schedule_kind schedule_rudi_kinds[] = {
	{.kind = OP_WRITE, .len = 64},
	{.kind = OP_READ, .len = 16},
	{.kind = OP_READ, .len = 1024},
	{.kind = OP_WRITE, .len = 48, .nack = true},
};

static const struct schedule_kind schedule_uud_kinds[] = {
	{.kind = OP_SEND, .len = 64},
	{.kind = OP_SEND, .len = 1024},
};

#define SCHEDULE_KINDS(kinds) (sizeof(kinds) / sizeof((kinds)[0]))

/* The kinds of requests, by subject; how many there are. */
static unsigned schedule_kinds(enum draft_subject s)
{
	switch (s) {
	case DRAFT_RUD:
	case DRAFT_ROD:
		return SCHEDULE_KINDS(schedule_pdc_kinds);
	case DRAFT_RUDI:
		return SCHEDULE_KINDS(schedule_rudi_kinds);
	case DRAFT_WQE:
		return 3;
	default:
		return 2;
	}
}

/* Returns the kind of a message of UET. */
static const struct schedule_kind *schedule_kind(const struct schedule *p,
						 unsigned i)
{
	switch (p->subject) {
	case DRAFT_RUDI:
		return &schedule_rudi_kinds[p->kinds[i]];
	case DRAFT_UUD:
		return &schedule_uud_kinds[p->kinds[i]];
	default:
		return &schedule_pdc_kinds[p->kinds[i]];
	}
}

static struct orc_op schedule_message(const struct schedule *p, unsigned i)
{
	static const enum op_mode modes[] = {OP_RUD, OP_ROD, OP_RUDI, OP_UUD};
	const struct schedule_kind *k = schedule_kind(p, i);
	struct orc_op op = {.kind = k->kind,
			    .len = k->len,
			    .mode = modes[p->subject],
			    .key = k->refused ? SCHEDULE_NO_KEY : SCHEDULE_KEY};

	if (k->empty && i % 2)
		op.len = 0;
	if (k->headers)
		op.header = (enum op_header)(i % (OP_HEADER_SMALL + 1));
	if (op.kind == OP_ATOMIC)
		op.amo = (struct op_amo){.opcode = AMO_SUM,
					 .datatype = SCHEDULE_UINT64,
					 .operand = i + 1};
	return op;
}

/* Makes a QP and brings it to RTS. Return: its number. */
static uint32_t schedule_qp(struct schedule *p, unsigned side)
{
	const bool srd = p->subject == DRAFT_SRD;
	struct op_result made = {0};

	schedule_post(p, side,
		      (struct orc_op){.kind = OP_CREATE_QP,
				      .vb.type = srd ? QP_SRD : QP_RC,
				      .ret = &made});
	return made.qpn;
}

static void schedule_connect(struct schedule *p, unsigned side, uint32_t qpn,
			     uint32_t peer)
{
	for (int state = QP_INIT; state <= QP_RTS; state++)
		schedule_post(
			p, side,
			(struct orc_op){.kind = OP_MODIFY_QP,
					.vb = {.qpn = qpn,
					       .state = (enum qp_state)state,
					       .qkey = 5,
					       .dest_qp = peer,
					       .rq_psn = 10,
					       .sq_psn = 10}});
}

/* A work request: a send of one or two packets, a write of two. */
static struct orc_op schedule_work(const struct schedule *p, unsigned kind,
				   uint32_t qpn, uint32_t peer, uint32_t ah)
{
	const uint32_t mtu = p->conf[0].mtu;
	struct orc_op op = {.kind = OP_POST_SEND,
			    .key = SCHEDULE_KEY,
			    .vb = {.qpn = qpn,
				   .dest_qp = peer,
				   .ah = ah,
				   .qkey = 5,
				   .opcode = kind == 2 ? WR_WRITE : WR_SEND}};

	if (p->subject == DRAFT_SRD)
		op.len = kind ? 200 : 64;
	else
		op.len = kind ? mtu + 64 : 64;
	return op;
}

static void schedule_posts_work(struct schedule *p)
{
	const uint32_t a = schedule_qp(p, 0), b = schedule_qp(p, 1);
	struct op_result made = {0};

	schedule_connect(p, 0, a, b);
	schedule_connect(p, 1, b, a);
	if (p->subject == DRAFT_SRD)
		schedule_post(
			p, 0,
			(struct orc_op){.kind = OP_CREATE_AH, .ret = &made});
	else
		schedule_post(
			p, 1,
			(struct orc_op){.kind = OP_EXPOSE,
					.key = SCHEDULE_KEY,
					.len = p->requests * SCHEDULE_PLACE});
	for (unsigned i = 0; i < p->requests; i++)
		schedule_post(p, 1,
			      (struct orc_op){.kind = OP_POST_RECV,
					      .handle = i + 1,
					      .len = 4096,
					      .vb.qpn = b});
	for (unsigned i = 0; i < p->requests; i++) {
		struct orc_op op = schedule_work(p, p->kinds[i], a, b, made.ah);

		op.handle = i + 1;
		op.offset = i * SCHEDULE_PLACE;
		schedule_post(p, 0, op);
	}
}

/* Tells the target how to answer the next request packet. */
static void schedule_policy(struct schedule *p, const struct schedule_kind *k,
			    unsigned i)
{
	struct orc_op op = {.kind = OP_SES_POLICY,
			    .policy = {.count = 1, .gtd = k->gtd}};

	if (k->nack)
		op.policy.nack_code =
			schedule_nacks[i % SCHEDULE_KINDS(schedule_nacks)];
	schedule_post(p, 1, op);
}

static bool schedule_has_small(const struct schedule *p)
{
	for (unsigned i = 0; i < p->requests; i++)
		if (schedule_message(p, i).header == OP_HEADER_SMALL)
			return true;
	return false;
}

static void schedule_posts_messages(struct schedule *p)
{
	/* a small header has no key */
	static const uint64_t keys[] = {SCHEDULE_KEY, 0};
	const size_t n = schedule_has_small(p) ? 2 : 1;

	for (size_t i = 0; i < n; i++)
		schedule_post(
			p, 1,
			(struct orc_op){.kind = OP_EXPOSE,
					.key = keys[i],
					.len = p->requests * SCHEDULE_ROOM});
	for (unsigned i = 0; i < p->requests; i++) {
		const struct schedule_kind *k = schedule_kind(p, i);
		struct orc_op op = schedule_message(p, i);

		if (k->gtd || k->nack)
			schedule_policy(p, k, i);
		op.handle = i + 1;
		op.offset = i * SCHEDULE_ROOM;
		schedule_post(p, 0, op);
	}
}

/* ---- Series ---- */

unsigned schedule_series_count(const struct schedule *p)
{
	unsigned n = 1;

	for (unsigned i = 0; i < p->requests; i++)
		n *= schedule_kinds(p->subject);
	return n;
}

void schedule_series(struct schedule *p, unsigned i)
{
	const unsigned kinds = schedule_kinds(p->subject);
	struct odometer *o = &p->odometer;

	for (unsigned k = p->requests; k-- > 0; i /= kinds) {
		o->v[k] = (uint16_t)(i % kinds);
		o->bound[k] = (uint16_t)kinds;
	}
	o->n = o->fixed = o->root = p->requests;
	o->at = 0;
	memset(p->states.v, 0, p->states.size * sizeof(*p->states.v));
	p->states.n = 0;
}

/* ---- A run ---- */

static void schedule_begin(struct schedule *p)
{
	for (unsigned i = 0; i < 2; i++) {
		p->api[i]->reset(p->end[i], 1 + i);
		judge_reset(p->judge[i]);
		p->history[i] = i;
	}
	while (p->nflights)
		memory_free(p->flights[--p->nflights].d);
	p->now = 0;
	p->steps = 0;
	p->frame = 0;
	p->order = 0;
	p->left = p->faults;
	p->received = p->losses = p->copies = 0;
	p->pruned = p->wrong = false;
	p->text[0] = 0;
	memset(p->completed, 0, sizeof(p->completed));
	memset(p->failed, 0, sizeof(p->failed));
	for (unsigned i = 0; i < p->requests; i++) {
		p->kinds[i] = odometer_pick(&p->odometer,
					    schedule_kinds(p->subject), false);
		p->history[0] = schedule_mix(p->history[0], p->kinds[i]);
	}
}

/* How many messages the target reports as received. */
static unsigned schedule_messages(const struct schedule *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->requests; i++)
		if (p->subject > DRAFT_UUD)
			n += p->kinds[i] != 2;
		else
			n += schedule_kind(p, i)->kind != OP_READ &&
			     !schedule_kind(p, i)->refused;
	return n;
}

/* All is quiet: each operation has ended once, each message came once. */
static void schedule_ends(struct schedule *p)
{
	const bool uud = p->subject == DRAFT_UUD;
	const unsigned n = schedule_messages(p);

	for (unsigned i = 1; i <= p->requests; i++) {
		const bool refused = p->subject <= DRAFT_UUD &&
				     schedule_kind(p, i - 1)->refused;

		if (refused && (p->failed[i] != 1 || p->completed[i]))
			schedule_wrong(p, SCHEDULE_FAILED,
				       "operation %u failed %u times and "
				       "completed %u times, but no memory has "
				       "its key",
				       i, p->failed[i], p->completed[i]);
		else if (refused)
			continue;
		else if (p->failed[i])
			schedule_wrong(p, SCHEDULE_FAILED,
				       "operation %u failed", i);
		else if (p->completed[i] != 1)
			schedule_wrong(p, SCHEDULE_COMPLETED,
				       "operation %u completed %u times", i,
				       p->completed[i]);
	}
	if (uud && (p->received + p->losses < n || p->received > n + p->copies))
		schedule_wrong(p, SCHEDULE_RECEIVED,
			       "%u of %u datagrams arrived", p->received, n);
	if (!uud && p->subject != DRAFT_RUDI && p->received != n)
		schedule_wrong(p, SCHEDULE_RECEIVED,
			       "%u messages arrived instead of %u", p->received,
			       n);
}

/* Rows that schedule_ends checks of each transport. */
static const struct {
	unsigned subjects; /* a mask */
	enum req_id req;
} schedule_rows[] = {
	{1u << DRAFT_RUD, REQ_MODE_RUD_1},
	{1u << DRAFT_RUD | 1u << DRAFT_ROD, REQ_RUD_SVC_2},
	{1u << DRAFT_RUD | 1u << DRAFT_ROD, REQ_RUD_SVC_4},
	{1u << DRAFT_RUD | 1u << DRAFT_ROD, REQ_UET_SES_36},
	{1u << DRAFT_SRD, REQ_SRD_03},
	{1u << DRAFT_RUD | 1u << DRAFT_ROD | 1u << DRAFT_SRD | 1u << DRAFT_WQE,
	 REQ_I1},
	{~(1u << DRAFT_UUD), REQ_I3},
};

static void schedule_count_rows(const struct schedule *p,
				struct schedule_totals *t)
{
	for (size_t i = 0; i < sizeof(schedule_rows) / sizeof(schedule_rows[0]);
	     i++)
		if (schedule_rows[i].subjects >> p->subject & 1)
			t->seen[schedule_rows[i].req][1]++;
	for (unsigned i = 0; i < p->requests && schedule_has_pdcs(p); i++) {
		t->seen[REQ_UET_SES_01][1] += !schedule_message(p, i).len;
		t->seen[REQ_I10][1] +=
			schedule_kind(p, i)->refused && p->requests > 1;
	}
}

static void schedule_counts(const struct schedule *p, struct schedule_totals *t)
{
	t->schedules++;
	t->pruned += p->pruned;
	t->packets += p->frame;
	for (unsigned side = 0; side < 2 && !p->pruned; side++)
		judge_seen_add_side(p->judge[side], &p->conf[side].addr,
				    t->seen);
	if (!p->pruned && !p->wrong)
		schedule_count_rows(p, t);
}

static void schedule_starts(struct schedule *p)
{
	schedule_unmark(p);
	schedule_begin(p);
	if (p->subject <= DRAFT_UUD)
		schedule_posts_messages(p);
	else
		schedule_posts_work(p);
	schedule_drain(p, 0);
}

/*
 * Goes on from a mark, by the decision that the odometer has now.  Return: how
 * many packets were judged before.
 */
static uint32_t schedule_resumes(struct schedule *p,
				 const struct schedule_mark *m)
{
	struct odometer *o = &p->odometer;
	uint32_t shared;

	heap_back(p->heap, &m->heap);
	memcpy(&p->now, m->run,
	       offsetof(struct schedule, flights) -
		       offsetof(struct schedule, now));
	memcpy(&p->now, m->run, schedule_hand(p));
	shared = p->frame;
	dgram_copy(&p->out, m->out);
	o->at = o->fixed - 1;
	schedule_fares(
		p, m->from, &p->out,
		(enum schedule_fault)odometer_pick(o, SCHEDULE_FAULTS, true));
	schedule_drain_packets(p, m->from);
	schedule_drain(p, m->from + 1);
	return shared;
}

static void schedule_ends_well(struct schedule *p)
{
	struct finding f[4];

	if (p->nflights)
		schedule_wrong(p, SCHEDULE_STUCK,
			       "stuck: packets are still in flight");
	else
		schedule_ends(p);
	for (unsigned i = 0; i < 2 && !p->wrong; i++) {
		schedule_found(p, f, judge_end(p->judge[i], p->now, f, 4));
		if (judge_totals(p->judge[i])->forgotten)
			schedule_wrong(p, SCHEDULE_FULL,
				       "a judge has no room for its flows");
	}
}

void schedule_run(struct schedule *p, struct schedule_totals *totals)
{
	const struct schedule_mark *m = schedule_marked(p);
	struct heap *before = memory_use(p->heap);
	uint32_t shared = 0;

	if (m)
		shared = schedule_resumes(p, m);
	else
		schedule_starts(p);
	while (!p->pruned && !p->wrong && schedule_step(p))
		if (++p->steps == SCHEDULE_STEPS)
			schedule_wrong(p, SCHEDULE_STUCK,
				       "stuck: %u steps, and no end", p->steps);
	if (!p->pruned && !p->wrong)
		schedule_ends_well(p);
	schedule_counts(p, totals);
	totals->pushed += p->frame - shared;
	memory_use(before);
}

/* ---- Making ---- */

static struct judge_conf schedule_declares(const struct orc_conf *c)
{
	struct judge_conf j;

	judge_conf_default(&j);
	j.complete = true;
	j.here = c->addr;
	if (!suite_families[c->family]->has_pdcs) {
		j.grace = -1;
		return j;
	}
	JUDGE_CONF_OF(&j, c);
	j.rto_late = SCHEDULE_AT_ONCE;
	j.ack_time = SCHEDULE_AT_ONCE;
	return j;
}

/* RUD and ROD differ in what the specification leaves open, to show more. */
static void schedule_settings(enum draft_subject s, struct orc_conf *c)
{
	switch (s) {
	case DRAFT_RUD:
		c->ack_type = ORC_ACK_CC;
		c->infer_loss = 2;
		c->probe = true;
		break;
	case DRAFT_ROD:
		c->nack_ccx = true;
		break;
	default:
		break;
	}
}

/*
 * Configures an end and its judge.  The cache of monitors (judge_common) is not
 * part of the heap: which monitors look at a packet depends on the packet
 * alone.
 */
static int schedule_configures(struct schedule *p, unsigned i)
{
	struct orc_conf *c = &p->conf[i];

	orc_conf_default(c);
	c->family = draft_family(p->subject);
	c->addr = ip_addr_v4(0x0a000001u + i);
	c->seed = 1 + i;
	c->max_rto_retx = 15;
	c->max_nack_retx = 255;
	c->close_idle = SCHEDULE_IDLE;
	schedule_settings(p->subject, c);
	p->declared[i] = schedule_declares(c);
	if (judge_common_new(&p->common[i]))
		return ERR_NOMEM;
	p->declared[i].common = p->common[i];
	p->declared[i].no_prediction = true;
	p->declared[i].rudi_max = schedule_has_pdcs(p);
	return 0;
}

/* Makes an end and its judge. */
static int schedule_makes(struct schedule *p, unsigned i)
{
	if (judge_new(&p->judge[i], &p->declared[i],
		      schedule_has_pdcs(p) ? SCHEDULE_PDCS : SCHEDULE_FLOWS))
		return ERR_NOMEM;
	return p->api[i]->make(&p->end[i], &p->conf[i]);
}

int schedule_new(struct schedule **ret, enum draft_subject subject,
		 const struct orc_api *const api[2], unsigned requests,
		 unsigned faults)
{
	struct schedule *p = memory_calloc(1, sizeof(*p));
	struct heap *before;
	int err;

	if (!p)
		return ERR_NOMEM;
	if (requests > SCHEDULE_REQUESTS || subject == DRAFT_ROCE) {
		free(p);
		return ERR_VALUE;
	}
	p->subject = subject;
	p->api[0] = api[0];
	p->api[1] = api[1];
	p->requests = requests;
	p->faults = faults;
	/* rings of queue pairs make a copy large; RUDI and UUD have few runs */
	p->anew = !schedule_has_pdcs(p) || api[0] != &orc_reference ||
		  api[1] != &orc_reference;
	p->states.size = SCHEDULE_STATES;
	p->states.v = memory_calloc(SCHEDULE_STATES, sizeof(*p->states.v));
	err = p->states.v ? heap_new(&p->heap, SCHEDULE_HEAP) : ERR_NOMEM;
	for (unsigned i = 0; i < 2 && !err; i++)
		err = schedule_configures(p, i);
	before = memory_use(p->heap);
	for (unsigned i = 0; i < 2 && !err; i++)
		err = schedule_makes(p, i);
	memory_use(before);
	if (err)
		schedule_free(p);
	else
		*ret = p;
	return err;
}

void schedule_free(struct schedule *p)
{
	struct heap *before;

	if (!p)
		return;
	before = memory_use(p->heap);
	for (unsigned i = 0; i < 2; i++)
		if (p->end[i])
			p->api[i]->free(p->end[i]);
	memory_use(before);
	for (unsigned i = 0; i < 2; i++)
		judge_common_free(p->common[i]);
	for (size_t i = 0; i < ODOMETER_MAX; i++) {
		heap_copy_free(&p->marks[i].heap);
		free(p->marks[i].run);
		free(p->marks[i].out);
	}
	heap_free(p->heap);
	free(p->states.v);
	free(p);
}
