/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_memory.c -- follows the memory of a target, packet
 * by packet.
 *
 * A byte is known once its write is answered; before that the device may or may
 * not have placed it.  Read data is compared in bytes that were known and not
 * written between the request and its arrival.
 *
 * Spec: UET 3.4.2; srd_wqe.md B.4, C.4 (I2, I12)
 */
#include "suite/run/content/content_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/serial.h"
#include "suite/run/control/run_request.h"
#include "suite/run/run_state.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "wire/frame/crc.h"
#include "wire/uet/uet_ses.h"

#define LOOKS         24 /* memory ranges queried at most */
#define CONTENT_BLOCK 64 /* bytes of state that are compared at once */

/* A word of state whose eight bytes all have the bits |b|. */
#define CONTENT_WORD(b) ((uint64_t)(b)*0x0101010101010101u)

static bool content_is_amo(const struct content_pkt *p)
{
	return p->opcode == SES_ATOMIC || p->opcode == SES_FETCHING_ATOMIC;
}

bool content_changes(const struct content_pkt *p)
{
	return p->to_dut && p->kind == CONTENT_REQUEST &&
	       (p->opcode == SES_WRITE || content_is_amo(p));
}

/*
 * Finds the place of a packet's bytes in a region; false if it is outside of
 * all.
 */
static bool content_place(struct content *c, const struct content_pkt *p,
			  uint64_t *at, struct content_region **ret)
{
	for (size_t i = 0; i < c->nregions; i++) {
		struct content_region *region = &c->regions[i];

		*at = p->offset + p->at_byte - region->start;
		if (region->key != p->key)
			continue;
		*ret = region;
		return *at <= region->len && p->span <= region->len - *at;
	}
	return false;
}

/* ---- Answers ---- */

/* Lists the answers of the device, with data and without, in their order. */
static void content_list_answers(struct content *c)
{
	struct content_pkt **end = &c->answers, **refused = &c->refusals;

	for (size_t i = 0; i < c->n; i++) {
		struct content_pkt *p = &c->pkts[i];

		if (p->to_dut ||
		    (p->kind != CONTENT_ANSWER && p->kind != CONTENT_DATA))
			continue;
		*end = p;
		end = &p->next_answer;
		if (!p->has_code || p->code <= RC_OK)
			continue;
		*refused = p;
		refused = &p->next_refusal;
	}
}

/* Returns true if |a| follows the request |w| on its PDC. */
static bool content_follows(const struct content_pkt *a,
			    const struct content_pkt *w)
{
	return a->at >= w->at && a->loose == w->loose &&
	       (w->loose || a->pdc == w->pdc);
}

/* Returns true if |a| answers the request |w| itself. */
static bool content_is_own(const struct content_pkt *a,
			   const struct content_pkt *w)
{
	return a->psn == w->psn && (a->covers || a->loose);
}

/*
 * Finds the first answer of the device that completes a write or an atomic.
 * Return packets with read data have PSNs of their own, which may be equal.
 */
static void content_settle(const struct content *c, struct content_pkt *w)
{
	const struct content_pkt *a = c->answers;

	while (a && !(content_follows(a, w) &&
		      (content_is_own(a, w) ||
		       (a->covers && !serial_after(w->psn, a->cack)))))
		a = a->next_answer;
	if (!a)
		return;
	w->settled = true;
	w->settled_at = a->at;
	w->settled_index = a->index;
	for (a = c->refusals; a; a = a->next_refusal)
		w->refused |= content_follows(a, w) && content_is_own(a, w);
}

/* Returns an earlier transmission of the same packet, or NULL. */
static const struct content_pkt *content_before(const struct content *c,
						const struct content_pkt *p)
{
	const struct content_pkt *q = c->first[p->kind][p->to_dut];

	for (; q != p; q = q->next)
		if (q->loose == p->loose && q->psn == p->psn &&
		    (p->loose || q->pdc == p->pdc))
			return q;
	return NULL;
}

/* Lists the requests that change memory, in their order. */
static void content_list_changes(struct content *c)
{
	struct content_pkt **end = &c->changes;
	struct content_pkt *p = c->first[CONTENT_REQUEST][true];

	for (; p; p = p->next) {
		if (!content_changes(p))
			continue;
		p->before = content_before(c, p);
		*end = p;
		end = &p->next_change;
	}
}

/* ---- Writes ---- */

/* Notes that the state or the bytes of a range change. */
static void content_touch(struct content_region *region, uint64_t at, size_t n)
{
	if (at < region->from)
		region->from = at;
	if (at + n > region->to)
		region->to = at + n;
}

static void content_mark(struct content_region *region, uint64_t at, size_t n,
			 uint8_t state)
{
	content_touch(region, at, n);
	memset(region->state + at, state, n);
}

/* Notes that a write of |n| bytes is unanswered, or that it is answered. */
static void content_set_pending(struct content_region *region, uint64_t at,
				size_t n, bool pending)
{
	const uint64_t bits = pending ? CONTENT_WORD(BYTE_PENDING) : 0;
	uint8_t *s = region->state + at;
	uint64_t word;

	content_touch(region, at, n);
	for (; n >= sizeof(word); n -= sizeof(word), s += sizeof(word)) {
		memcpy(&word, s, sizeof(word));
		word = (word & ~CONTENT_WORD(BYTE_PENDING)) | bits;
		memcpy(s, &word, sizeof(word));
	}
	for (; n; n--, s++)
		*s = (uint8_t)((*s & ~BYTE_PENDING) |
			       (pending ? BYTE_PENDING : 0));
}

static bool content_overlaps(const struct content_pkt *a,
			     const struct content_pkt *b)
{
	const uint64_t x = a->offset + a->at_byte, y = b->offset + b->at_byte;

	return a->key == b->key && x < y + b->span && y < x + a->span;
}

/*
 * When a packet passed; |index| orders packets of the same instant.
 */
struct content_time {
	vtime at;
	size_t index;
};

static struct content_time content_sent(const struct content_pkt *p)
{
	return (struct content_time){p->at, p->index};
}

static struct content_time content_settled(const struct content_pkt *p)
{
	return (struct content_time){p->settled_at, p->settled_index};
}

static bool content_is_later(struct content_time a, struct content_time b)
{
	if (a.at != b.at)
		return a.at > b.at;
	return a.index > b.index;
}

/*
 * Returns true if another write of the same bytes was pending within [from,
 * to].  A write that was sent behind the answer |to| is later, even at the same
 * instant.
 */
static bool content_contended(const struct content *c,
			      const struct content_pkt *p,
			      struct content_time from, struct content_time to)
{
	for (const struct content_pkt *w = c->changes; w; w = w->next_change) {
		/* First, as it skips most: it was answered before |from|. */
		if (w->settled && !content_is_later(content_settled(w), from))
			continue;
		if (w == p || content_is_later(content_sent(w), to) ||
		    (w->before && !w->loose) || !content_overlaps(w, p))
			continue;
		return true;
	}
	return false;
}

static bool content_is_known(const struct content_region *region, uint64_t at,
			     size_t n)
{
	const uint8_t *s = region->state + at;
	uint64_t word;

	for (; n >= sizeof(word); n -= sizeof(word), s += sizeof(word)) {
		memcpy(&word, s, sizeof(word));
		if ((word & ~CONTENT_WORD(BYTE_WRITTEN)) !=
		    CONTENT_WORD(BYTE_KNOWN))
			return false;
	}
	for (; n; n--, s++)
		if ((*s & ~BYTE_WRITTEN) != BYTE_KNOWN)
			return false;
	return true;
}

/* Records the value that a fetching atomic must return. */
static void content_keep_old(const struct content *c, struct content_pkt *p,
			     const struct content_region *region, uint64_t at)
{
	if (p->opcode != SES_FETCHING_ATOMIC || p->span > sizeof(p->old) ||
	    !content_is_known(region, at, p->span) || !p->settled ||
	    content_contended(c, p, content_sent(p), content_settled(p)))
		return;
	memcpy(p->old, region->bytes + at, p->span);
	p->has_old = true;
}

static void content_write_sent(struct content *c, struct content_pkt *p)
{
	const struct content_pkt *first = p->before;
	struct content_region *region;
	uint64_t at;

	if (!content_place(c, p, &at, &region))
		return;
	c->touched = true;
	/* a duplicate is not executed again, or writes the same bytes again */
	if (first && first->len == p->len &&
	    memcmp(content_bytes(c, first), content_bytes(c, p), p->len) == 0 &&
	    !content_is_amo(p))
		return;
	if (first && !p->loose)
		return;
	content_keep_old(c, p, region, at);
	if (p->settled)
		content_set_pending(region, at, p->span, true);
	else
		content_mark(region, at, p->span, 0);
}

/* Return: false if the result is unknown. */
static bool content_execute(const struct content *c,
			    const struct content_pkt *p,
			    struct content_region *region, uint64_t at)
{
	if (!content_is_amo(p)) {
		memcpy(region->bytes + at, content_bytes(c, p), p->len);
		return true;
	}
	return content_is_known(region, at, p->span) &&
	       content_amo(&p->amo, region->bytes + at, p->span,
			   content_bytes(c, p), p->len);
}

static void content_write_settled(struct content *c,
				  const struct content_pkt *p)
{
	struct content_region *region;
	uint64_t at;

	if (p->before || !content_place(c, p, &at, &region))
		return;
	if (content_contended(c, p, content_sent(p), content_settled(p)) ||
	    (p->refused && !(p->som && p->eom))) {
		content_mark(region, at, p->span, 0);
		return;
	}
	content_set_pending(region, at, p->span, false);
	if (p->refused)
		return;
	if (!content_execute(c, p, region, at)) {
		content_mark(region, at, p->span, 0);
		return;
	}
	content_mark(region, at, p->span, BYTE_KNOWN | BYTE_WRITTEN);
}

/*
 * Plain RoCEv2 and the WQE extension: a "post mem_digest" line compares their
 * writes.
 */
static void content_written_by_lines(struct content *c,
				     const struct content_pkt *p)
{
	for (size_t i = 0; i < c->nregions; i++) {
		struct content_region *region = &c->regions[i];
		const uint64_t at = p->offset - region->start;

		if (region->key == p->key && p->som && at < region->len)
			content_mark(region, at,
				     p->total < region->len - at
					     ? p->total
					     : region->len - at,
				     0);
	}
}

/* ---- Reads ---- */

/* Returns the request that this data answers, or NULL. */
static const struct content_pkt *content_read_of(const struct content *c,
						 const struct content_pkt *p)
{
	const bool connected = suite_families[c->r->rec->family]->connected;
	const struct content_pkt *q = c->first[CONTENT_REQUEST][true];

	for (; q; q = q->next) {
		if (q->loose != p->loose ||
		    (q->opcode != SES_READ && q->opcode != SES_FETCHING_ATOMIC))
			continue;
		if (connected) {
			const uint32_t behind = p->psn - q->psn;

			if (behind * c->r->decl->mtu <
			    (q->total ? q->total : 1))
				return q;
			continue;
		}
		if (p->loose    ? q->psn == p->psn
		    : p->by_psn ? q->psn == p->read_psn && q->pdc == p->pdc
				: q->message_id == p->message_id &&
					  q->pdc == p->pdc)
			return q;
	}
	return NULL;
}

static void content_fetched(struct content *c, const struct content_pkt *p,
			    const struct content_pkt *q)
{
	if (!q->has_old || p->len != q->span)
		return;
	if (memcmp(content_bytes(c, p), q->old, p->len) == 0)
		content_held(c, true);
	else
		content_fault(c, c->r->rec->recs[p->index].frame,
			      "the fetching atomic does not bring what memory "
			      "held before it");
}

static void content_data_came(struct content *c, const struct content_pkt *p)
{
	const struct content_pkt *q = content_read_of(c, p);
	const uint8_t *got = content_bytes(c, p);
	struct content_pkt range = *p;
	struct content_region *region;
	uint64_t at;

	if (c->raw || !q || (p->has_code && p->code > RC_OK))
		return;
	if (q->opcode == SES_FETCHING_ATOMIC) {
		content_fetched(c, p, q);
		return;
	}
	range.span = p->len;
	range.key = q->key;
	range.offset = q->offset;
	if (suite_families[c->r->rec->family]->connected) {
		range.at_byte = (p->psn - q->psn) * c->r->decl->mtu;
	} else if (p->by_psn && p->loose) {
		range.at_byte = q->at_byte;
	}
	if (!content_place(c, &range, &at, &region) ||
	    content_contended(c, &range, content_sent(q), content_sent(p)))
		return;
	if (!p->len || !content_is_known(region, at, p->len))
		return;
	if (memcmp(got, region->bytes + at, p->len) == 0)
		content_held(c, true);
	else
		content_fault(c, c->r->rec->recs[p->index].frame,
			      "the data of the read is not what memory holds "
			      "at offset %" PRIu64 " to %" PRIu64,
			      at, at + p->len - 1);
}

/* ---- The packets in the order of time ---- */

enum content_when {
	WHEN_SENT,
	WHEN_SETTLED,
	WHEN_DATA,
};

struct content_moment {
	struct content_time place;
	enum content_when when;
	size_t i;
};

static int content_earlier(const void *a, const void *b)
{
	const struct content_moment *x = a, *y = b;

	if (content_is_later(x->place, y->place))
		return 1;
	if (content_is_later(y->place, x->place))
		return -1;
	if (x->when != y->when) /* an ACK with data settles, too */
		return x->when < y->when ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

static void content_moment(struct content *c, const struct content_moment *m)
{
	struct content_pkt *p = &c->pkts[m->i];

	switch (m->when) {
	case WHEN_SENT:
		if (suite_families[c->r->rec->family]->connected)
			content_written_by_lines(c, p);
		else
			content_write_sent(c, p);
		break;
	case WHEN_SETTLED:
		if (!suite_families[c->r->rec->family]->connected)
			content_write_settled(c, p);
		break;
	case WHEN_DATA:
		content_data_came(c, p);
		break;
	}
}

void content_memory(struct content *c)
{
	struct content_moment *moments =
		memory_calloc(2 * c->n + 1, sizeof(*moments));
	size_t n = 0;

	if (!moments) {
		c->r->rec->failed_alloc = true;
		return;
	}
	content_list_changes(c);
	content_list_answers(c);
	for (size_t i = 0; i < c->n; i++) {
		struct content_pkt *p = &c->pkts[i];

		if (content_changes(p)) {
			content_settle(c, p);
			moments[n++] = (struct content_moment){content_sent(p),
							       WHEN_SENT, i};
			if (p->settled)
				moments[n++] = (struct content_moment){
					content_settled(p), WHEN_SETTLED, i};
		} else if (!p->to_dut && p->kind == CONTENT_DATA) {
			moments[n++] = (struct content_moment){content_sent(p),
							       WHEN_DATA, i};
		}
	}
	qsort(moments, n, sizeof(*moments), content_earlier);
	for (size_t i = 0; i < n; i++)
		content_moment(c, &moments[i]);
	free(moments);
}

/* ---- A look at the memory when all is done ---- */

/*
 * Asks the device for the checksum of a range.  Return: false without an
 * answer.
 */
static bool content_ask(struct content *c, uint64_t key, size_t at, size_t n)
{
	static const struct step step = {.source = "mem_digest",
					 .optional = true};
	struct runner *r = c->r;

	run_request_begin(r, OP_SEND);
	r->ctl.verb = CTL_MEM_DIGEST;
	memcpy(r->ctl.name, "mem_digest", sizeof("mem_digest"));
	r->ctl.key = key;
	r->ctl.op.offset = at;
	r->ctl.op.len = (uint32_t)n;
	return run_request(r, &step) == RUN_ON && r->answer.ok;
}

static void content_look_at(struct content *c,
			    const struct content_region *region, size_t at,
			    size_t n)
{
	const bool written = region->state[at] & BYTE_WRITTEN;
	const uint32_t want = crc32c(0, region->bytes + at, n);

	if (!content_ask(c, region->key, at, n))
		return;
	if (c->r->answer.digest == want) {
		content_held(c, false);
		return;
	}
	content_fault(c, 0,
		      "memory under key 0x%" PRIx64 ", bytes %zu to %zu: %s",
		      region->key, at, at + n - 1,
		      written ? "not what was written there"
			      : "changed, though nothing was written there");
}

/* Returns how many bytes from |at| on have the same state as the first one. */
static size_t content_run(const struct content_region *region, size_t at)
{
	const uint8_t *s = region->state + at;
	const size_t left = region->len - at;
	size_t n = 1;

	while (left - n >= CONTENT_BLOCK &&
	       memcmp(s + n - 1, s + n, CONTENT_BLOCK) == 0)
		n += CONTENT_BLOCK;
	while (n < left && s[n] == *s)
		n++;
	return n;
}

void content_look(struct content *c)
{
	unsigned looks = 0;

	if (!c->r->dut->control || c->r->stopped || c->r->gone ||
	    !dut_has_verb(c->r->dut, "mem_digest"))
		return;
	for (size_t i = 0; i < c->nregions; i++) {
		const struct content_region *region = &c->regions[i];

		for (size_t at = 0; at < region->len && looks < LOOKS;) {
			const size_t n = content_run(region, at);

			if ((region->state[at] & ~BYTE_WRITTEN) == BYTE_KNOWN) {
				content_look_at(c, region, at, n);
				looks++;
			}
			at += n;
		}
	}
}
