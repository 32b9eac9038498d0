/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/pair_test.h -- two endpoints joined by a wire in virtual time
 * that delays, loses and duplicates as a test says, and records what crossed
 * it.
 *
 * Side 0 (A) is the one that tests post to; side 1 (B) answers.
 */
#ifndef ORACLE_CORE_PAIR_TEST_H
#define ORACLE_CORE_PAIR_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/core/orc.h"

enum { A, B };

#define SEEN_BYTES 128 /* bytes recorded of a packet */

/* The fate of a packet: |copies| of it arrive after |delay|. */
struct fate {
	unsigned copies;
	vspan delay; /* in addition to the hop */
	bool ce;
};

struct pair_test_seen {
	unsigned from;
	vtime at;
	bool lost;
	struct ip_addr src, dst;
	uint16_t entropy;
	uint8_t dscp;
	size_t len;
	uint8_t data[SEEN_BYTES];
};

struct flying {
	vtime at;
	uint64_t order;
	unsigned to;
	struct dgram *d;
};

struct pair {
	struct orc_conf conf[2];
	struct orc *end[2];
	vtime now;
	vspan hop;
	struct fate (*fate)(struct pair *p, unsigned from,
			    const struct dgram *d);
	void *ctx;
	uint64_t sent[2]; /* [side] packets so far */
	uint64_t fed[2];
	struct flying *flying;
	size_t flying_cap, nflying;
	uint64_t order;
	struct pair_test_seen *seen;
	size_t seen_cap, nseen;
	struct orc_event *events[2];
	size_t events_cap[2], nevents[2];
	struct mem mem; /* memory of the helper itself */
	bool meagre;    /* an end may lack memory for a packet */
};

/*
 * pair_conf sets defaults that suit most tests; change them before pair_open.
 */
static inline void pair_conf(struct pair *p)
{
	*p = (struct pair){.hop = 10 * VSPAN_US};
	for (unsigned i = 0; i < 2; i++) {
		orc_conf_default(&p->conf[i]);
		p->conf[i].addr = ip_addr_v4(0x7f000001u + i);
		p->conf[i].seed = 7 + i;
		p->conf[i].start_psn_fixed = true;
		p->conf[i].start_psn = 332;
	}
}

static inline void core_pair_test_pair_open(struct pair *p)
{
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(orc_reference.make(&p->end[i], &p->conf[i]),
				 0);
}

static inline void core_pair_test_pair_close(struct pair *p)
{
	for (unsigned i = 0; i < 2; i++) {
		orc_reference.free(p->end[i]);
		free(p->events[i]);
	}
	for (size_t i = 0; i < p->nflying; i++)
		free(p->flying[i].d);
	free(p->flying);
	free(p->seen);
}

static inline void pair_remember(struct pair *p, unsigned from,
				 const struct dgram *d, bool lost)
{
	struct pair_test_seen *s;

	p->seen = mem_grow(&p->mem, p->seen, &p->seen_cap, p->nseen + 1,
			   sizeof(*p->seen));
	assert_non_null(p->seen);
	s = &p->seen[p->nseen++];
	*s = (struct pair_test_seen){
		.from = from,
		.at = p->now,
		.lost = lost,
		.src = d->src,
		.dst = d->dst,
		.entropy = d->entropy,
		.dscp = d->dscp,
		.len = d->len,
	};
	memcpy(s->data, d->data, d->len < SEEN_BYTES ? d->len : SEEN_BYTES);
}

/* pair_inject puts a forged datagram on the wire. */
static inline void pair_inject(struct pair *p, unsigned to,
			       const struct dgram *d, vspan delay)
{
	struct flying *f;

	p->flying = mem_grow(&p->mem, p->flying, &p->flying_cap, p->nflying + 1,
			     sizeof(*p->flying));
	assert_non_null(p->flying);
	f = &p->flying[p->nflying++];
	f->at = p->now + delay;
	f->order = p->order++;
	f->to = to;
	f->d = malloc(sizeof(*f->d));
	assert_non_null(f->d);
	dgram_copy(f->d, d);
}

static inline void pair_transmit(struct pair *p, unsigned from, struct dgram *d)
{
	struct fate fate = {.copies = 1};

	if (p->fate)
		fate = p->fate(p, from, d);
	if (fate.ce)
		d->ecn = ECN_CE;
	p->sent[from]++;
	pair_remember(p, from, d, fate.copies == 0);
	for (unsigned i = 0; i < fate.copies; i++)
		pair_inject(p, !from, d, p->hop + fate.delay);
}

static inline void pair_drain(struct pair *p)
{
	struct dgram *d = malloc(sizeof(*d));
	struct orc_event ev;

	assert_non_null(d);
	for (unsigned i = 0; i < 2; i++) {
		while (orc_reference.poll_tx(p->end[i], d))
			pair_transmit(p, i, d);
		while (orc_reference.poll_event(p->end[i], &ev)) {
			p->events[i] = mem_grow(&p->mem, p->events[i],
						&p->events_cap[i],
						p->nevents[i] + 1, sizeof(ev));
			p->events[i][p->nevents[i]++] = ev;
		}
	}
	free(d);
}

static inline size_t pair_first_flying(const struct pair *p)
{
	size_t first = 0;

	for (size_t i = 1; i < p->nflying; i++)
		if (p->flying[i].at < p->flying[first].at ||
		    (p->flying[i].at == p->flying[first].at &&
		     p->flying[i].order < p->flying[first].order))
			first = i;
	return first;
}

static inline vtime pair_next(const struct pair *p)
{
	vtime next = VTIME_NEVER;

	if (p->nflying)
		next = p->flying[pair_first_flying(p)].at;
	for (unsigned i = 0; i < 2; i++)
		next = vtime_min(next, orc_reference.deadline(p->end[i]));
	return next;
}

static inline void pair_arrive(struct pair *p)
{
	const size_t i = pair_first_flying(p);
	struct flying f;
	int err;

	if (!p->nflying || p->flying[i].at > p->now)
		return;
	f = p->flying[i];
	p->flying[i] = p->flying[--p->nflying];
	p->fed[f.to]++;
	err = orc_reference.feed(p->end[f.to], f.d, p->now);
	assert_true(!err || (p->meagre && err == ERR_NOMEM));
	free(f.d);
}

/* pair_run lets |span| pass. */
static inline void pair_run(struct pair *p, vspan span)
{
	const vtime end = p->now + span;

	pair_drain(p);
	while (pair_next(p) <= end) {
		p->now = vtime_max(p->now, pair_next(p));
		pair_arrive(p);
		for (unsigned i = 0; i < 2; i++)
			if (orc_reference.deadline(p->end[i]) <= p->now)
				orc_reference.tick(p->end[i], p->now);
		pair_drain(p);
	}
	p->now = end;
	for (unsigned i = 0; i < 2; i++)
		orc_reference.tick(p->end[i], p->now);
}

static inline void pair_post(struct pair *p, unsigned side,
			     const struct orc_op *op)
{
	struct orc_op with_peer = *op;

	with_peer.peer = p->conf[!side].addr;
	assert_int_equal(orc_reference.post(p->end[side], &with_peer, p->now),
			 0);
}

static inline void pair_send(struct pair *p, uint16_t message_id, uint32_t len)
{
	const struct orc_op op = {
		.kind = OP_SEND,
		.handle = message_id,
		.message_id = message_id,
		.len = len,
	};

	pair_post(p, A, &op);
}

static inline void pair_policy(struct pair *p, struct ses_policy policy)
{
	const struct orc_op op = {.kind = OP_SES_POLICY, .policy = policy};

	pair_post(p, B, &op);
}

/* pair_forget clears the records of the wire and of the events. */
static inline void pair_forget(struct pair *p)
{
	p->nseen = 0;
	p->nevents[A] = 0;
	p->nevents[B] = 0;
	p->sent[A] = 0;
	p->sent[B] = 0;
}

/*
 * pair_idle brings the PDC to the state in which the figures begin:
 * established, PSN = ACK_PSN = CLEAR_PSN = 332, nothing in flight.
 */
static inline void pair_idle(struct pair *p)
{
	pair_send(p, 0xfff0, 8);
	pair_run(p, 4 * p->hop);
	pair_forget(p);
}

/* pair_count counts the events of a kind. */
static inline unsigned pair_count(const struct pair *p, unsigned side,
				  enum orc_event_kind kind)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->nevents[side]; i++)
		n += p->events[side][i].kind == kind;
	return n;
}

/* pair_await runs the pair until it has |n| events of a kind. */
static inline void pair_await(struct pair *p, unsigned side,
			      enum orc_event_kind kind, unsigned n)
{
	const vtime end = p->now + 10 * VSPAN_S;

	while (pair_count(p, side, kind) < n && p->now < end)
		pair_run(p, VSPAN_MS);
	assert_true(pair_count(p, side, kind) >= n);
}

/* pair_event returns the n-th event of a kind, from 0. */
static inline const struct orc_event *pair_event(const struct pair *p,
						 unsigned side,
						 enum orc_event_kind kind,
						 unsigned nth)
{
	for (size_t i = 0; i < p->nevents[side]; i++)
		if (p->events[side][i].kind == kind && nth-- == 0)
			return &p->events[side][i];
	fail_msg("no such event");
	return NULL;
}

/* ---- Rungs: packet |i| of the record must be as in the figure ---- */

static inline const struct pair_test_seen *
rung(const struct pair *p, size_t i, unsigned from, enum pds_type type)
{
	assert_true(i < p->nseen);
	assert_int_equal(p->seen[i].from, from);
	assert_int_equal(pds_type_of(p->seen[i].data), type);
	return &p->seen[i];
}

static inline struct pds_req rung_req(const struct pair *p, size_t i,
				      unsigned from, uint32_t psn,
				      uint32_t clear_psn)
{
	struct pds_req h;

	pds_req_get(&h, rung(p, i, from, PDS_RUD_REQ)->data);
	assert_int_equal(h.psn, psn);
	assert_int_equal(h.clear_psn_offset, serial_diff(clear_psn, psn));
	return h;
}

static inline struct pds_ack rung_ack(const struct pair *p, size_t i,
				      unsigned from, uint32_t ack_psn,
				      uint32_t cack_psn)
{
	struct pds_ack h;

	pds_ack_get(&h, rung(p, i, from, PDS_ACK)->data);
	assert_int_equal(h.cack_psn, cack_psn);
	assert_int_equal(h.ack_psn_offset, serial_diff(ack_psn, cack_psn));
	return h;
}

static inline struct ses_rsp rung_rsp(const struct pair *p, size_t i)
{
	const struct pair_test_seen *s = &p->seen[i];
	struct pds_ack h;
	struct ses_rsp rsp = {0};

	pds_ack_get(&h, s->data);
	assert_true(ses_rsp_get(&rsp, h.next_hdr, s->data + pds_ack_len,
				s->len - pds_ack_len) > 0);
	return rsp;
}

static inline struct pds_nack rung_nack(const struct pair *p, size_t i,
					unsigned from, uint8_t code,
					uint32_t psn)
{
	struct pds_nack h;

	pds_nack_get(&h, rung(p, i, from, PDS_NACK)->data);
	assert_int_equal(h.nack_code, code);
	assert_int_equal(h.nack_psn, psn);
	return h;
}

static inline struct pds_cp rung_cp(const struct pair *p, size_t i,
				    unsigned from, uint8_t ctl_type,
				    uint32_t payload)
{
	const struct pair_test_seen *s = rung(p, i, from, PDS_CP);
	struct cp_payload tail;
	struct pds_cp h;

	pds_cp_get(&h, s->data);
	cp_payload_get(&tail, s->data + pds_cp_len);
	assert_int_equal(h.ctl_type, ctl_type);
	assert_int_equal(tail.payload, payload);
	return h;
}

/* pair_nothing_passes is a fate: every packet is lost. */
static inline struct fate pair_nothing_passes(struct pair *p, unsigned from,
					      const struct dgram *d)
{
	(void)p;
	(void)from;
	(void)d;
	return (struct fate){.copies = 0};
}

/*
 * pair_lose is a fate: ctx points to a list of packets to lose, -1 at the end.
 * A packet is side * 1000 + its number on that side since pair_forget.
 */
static inline struct fate pair_lose(struct pair *p, unsigned from,
				    const struct dgram *d)
{
	const int me = (int)(from * 1000 + p->sent[from]);
	const int *list = p->ctx;

	(void)d;
	for (; *list >= 0; list++)
		if (*list == me)
			return (struct fate){.copies = 0};
	return (struct fate){.copies = 1};
}

#endif
