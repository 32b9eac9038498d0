/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_message.c -- compares the checksums of messages
 * that a device delivered, and of data that its reads returned, with the bytes
 * that the tester sent; and the length of what it completed with what it sent.
 *
 * Spec: srd_wqe.md C.4 (I2); docs/dut-control.md "Bytes"
 */
#include "suite/run/content/content_message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "suite/run/content/content_request.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "wire/frame/crc.h"
#include "wire/uet/uet_ses.h"

/* The bytes of a message that were sent so far. */
struct content_whole {
	uint8_t *bytes, *state;
	size_t len, got;
	bool ambiguous; /* packets differ in the same bytes */
};

static bool content_whole_make(struct content_whole *w, size_t len)
{
	*w = (struct content_whole){.len = len};
	w->bytes = memory_calloc(len ? len : 1, 1);
	w->state = memory_calloc(len ? len : 1, 1);
	return w->bytes && w->state;
}

static void content_whole_free(struct content_whole *w)
{
	free(w->bytes);
	free(w->state);
}

static void content_whole_put(struct content_whole *w, size_t at,
			      const uint8_t *p, size_t n)
{
	if (at > w->len || n > w->len - at)
		return;
	while (n) {
		uint8_t *state = w->state + at;
		const uint8_t *end = memchr(state, !*state, n);
		const size_t run = end ? (size_t)(end - state) : n;

		if (*state) { /* a copy of these bytes */
			w->ambiguous |= memcmp(w->bytes + at, p, run) != 0;
		} else {
			memcpy(w->bytes + at, p, run);
			memset(state, 1, run);
			w->got += run;
		}
		at += run;
		p += run;
		n -= run;
	}
}

enum content_result {
	RESULT_UNKNOWN,
	RESULT_SAME,
	RESULT_DIFFERENT,
};

/* Returns true if each byte was sent, and in one way. */
static bool content_whole_knows(const struct content_whole *w)
{
	return w->got >= w->len && !w->ambiguous;
}

static enum content_result content_whole_is(const struct content_whole *w,
					    uint32_t digest)
{
	if (!content_whole_knows(w))
		return RESULT_UNKNOWN;
	if (crc32c(0, w->bytes, w->len) == digest)
		return RESULT_SAME;
	return RESULT_DIFFERENT;
}

/* ---- Messages to the device ---- */

static bool content_is_send(const struct content_pkt *p)
{
	if (!p->to_dut || p->kind != CONTENT_REQUEST)
		return false;
	switch (p->opcode) {
	case SES_SEND:
	case SES_TAGGED_SEND:
	case SES_DATAGRAM_SEND:
	case SES_RENDEZVOUS_SEND:
	case SES_RENDEZVOUS_TSEND:
	case SES_DEFERRABLE_SEND:
	case SES_DEFERRABLE_TSEND:
		return true;
	default:
		return false;
	}
}

/* Returns true if two packets belong to the same message. */
static bool content_is_of(const struct content *c, const struct content_pkt *a,
			  const struct content_pkt *b)
{
	const bool connected = suite_families[c->r->rec->family]->connected;

	if (!content_is_send(b) || a->loose != b->loose || a->pdc != b->pdc)
		return false;
	if (connected && suite_families[c->r->rec->family]->plain_rc) {
		/* a message lasts until a packet begins another one */
		for (const struct content_pkt *p = a + 1; p <= b; p++)
			if (content_is_send(p) && p->som && p->psn != a->psn)
				return false;
		return b >= a;
	}
	if (connected || a->message_id)
		return a->message_id == b->message_id;
	return a->psn == b->psn;
}

static size_t content_place_in(const struct content *c,
			       const struct content_pkt *first,
			       const struct content_pkt *p)
{
	if (suite_families[c->r->rec->family]->plain_rc)
		return (size_t)((p->psn - first->psn) & 0xffffff) *
		       c->r->decl->mtu;
	return p->at_byte;
}

/* Returns the read that |p| carries data of, or NULL. */
static const struct content_pkt *
content_body_read_of(const struct content *c, const struct content_pkt *p)
{
	const struct content_pkt *q = c->first[CONTENT_REQUEST][!p->to_dut];

	for (; q; q = q->next)
		if (q->opcode == SES_READ && q->pdc == p->pdc &&
		    q->message_id == p->message_id)
			return q;
	return NULL;
}

/* Returns where the device begins to read the body of a rendezvous. */
static uint64_t content_body_start(const struct content *c,
				   const struct content_pkt *first)
{
	const struct content_pkt *q = c->first[CONTENT_REQUEST][false];
	uint64_t start = UINT64_MAX;

	for (; q; q = q->next)
		if (q->opcode == SES_READ && q->key == first->read_key &&
		    q->offset < start)
			start = q->offset;
	return start;
}

/* Adds what the device has read of the rendezvous that begins with |first|. */
static void content_put_body(const struct content *c,
			     const struct content_pkt *first,
			     struct content_whole *w)
{
	const uint64_t start = content_body_start(c, first);
	const struct content_pkt *p;

	for (p = c->first[CONTENT_DATA][true]; p; p = p->next) {
		const struct content_pkt *q = content_body_read_of(c, p);

		if (q && q->key == first->read_key)
			content_whole_put(w,
					  first->eager + (q->offset - start) +
						  p->at_byte,
					  content_bytes(c, p), p->len);
	}
}

/* Finds the checksum of the |len| bytes of the message that |first| begins. */
static void content_make_message(const struct content *c,
				 struct content_pkt *first, uint32_t len)
{
	const struct content_pkt *p = c->first[CONTENT_REQUEST][true];
	struct content_whole w;

	first->whole_made = content_whole_make(&w, len);
	first->whole_known = false;
	first->whole_len = len;
	if (first->whole_made) {
		for (; p && !w.ambiguous; p = p->next)
			if (content_is_of(c, first, p))
				content_whole_put(&w,
						  content_place_in(c, first, p),
						  content_bytes(c, p), p->len);
		if (first->rendezvous)
			content_put_body(c, first, &w);
		first->whole_known = content_whole_knows(&w);
	}
	if (first->whole_known)
		first->whole_digest = crc32c(0, w.bytes, w.len);
	content_whole_free(&w);
}

/* Compares the report with the message that begins with |first|. */
static enum content_result content_try_message(const struct content *c,
					       struct content_pkt *first,
					       const struct orc_event *ev)
{
	if (!first->whole_made || first->whole_len != ev->len)
		content_make_message(c, first, ev->len);
	if (!first->whole_known)
		return RESULT_UNKNOWN;
	return first->whole_digest == ev->digest ? RESULT_SAME
						 : RESULT_DIFFERENT;
}

/*
 * Returns true if the device's report names the message, by its id or else by a
 * PSN.
 */
static bool content_named(const struct content *c,
			  const struct content_pkt *first,
			  const struct orc_event *ev)
{
	if (!suite_families[c->r->rec->family]->has_pdcs)
		return !first->total || first->total == ev->len ||
		       suite_families[c->r->rec->family]->plain_rc;
	if (first->total != ev->len)
		return false;
	if (ev->message_id)
		return first->message_id == ev->message_id;
	if (first->message_id || !ev->orig_psn)
		return !ev->orig_psn || first->psn == ev->orig_psn ||
		       !first->eom;
	return first->psn == ev->orig_psn;
}

static void content_message(struct content *c, const struct orc_event *ev)
{
	enum content_result best = RESULT_UNKNOWN;
	struct content_pkt *p = c->first[CONTENT_REQUEST][true];

	for (; p && best != RESULT_SAME; p = p->next) {
		enum content_result result;

		if (!content_is_send(p) || !p->som || !content_named(c, p, ev))
			continue;
		result = content_try_message(c, p, ev);
		if (result != RESULT_UNKNOWN)
			best = result;
	}
	if (best == RESULT_SAME)
		content_held(c, false);
	if (best == RESULT_DIFFERENT)
		content_fault(c, 0,
			      "a message of %" PRIu32 " bytes was delivered "
			      "with other bytes than the tester sent",
			      ev->len);
}

void content_messages(struct content *c)
{
	for (size_t i = c->r->posted.from_event; i < c->r->nevents; i++) {
		const struct orc_event *ev = &c->r->events[i];

		if (ev->kind == EV_RECV && ev->status == STATUS_OK &&
		    ev->digest)
			content_message(c, ev);
	}
}

/* ---- Messages of the device ---- */

/*
 * Returns true for an operation that is complete once the tester has every byte
 * of its message.  A datagram may be lost, and the target of a rendezvous reads
 * the rest.
 */
static bool content_pushes_all(const struct orc_op *op)
{
	if (op->mode == OP_UUD || op->rendezvous)
		return false;
	return op->kind == OP_SEND || op->kind == OP_WRITE;
}

/* Returns how many bytes of its message the device sent in their order. */
static size_t content_bytes_in_order(const struct content *c,
				     const struct orc_op *op)
{
	const struct content_pkt *p = c->first[CONTENT_REQUEST][false];
	const size_t len = content_op_len(op);
	size_t sent = 0;

	for (; p; p = p->next)
		if (p->handle == op->handle && p->at_byte == sent &&
		    p->len <= len - sent)
			sent += p->len;
	return sent;
}

/* Returns how many bytes of the operation's message the device sent. */
static size_t content_bytes_sent(const struct content *c,
				 const struct orc_op *op)
{
	const struct content_pkt *p = c->first[CONTENT_REQUEST][false];
	struct content_whole w;
	size_t sent = SIZE_MAX; /* without memory nothing is known */

	if (content_whole_make(&w, content_op_len(op))) {
		for (; p; p = p->next)
			if (p->handle == op->handle)
				content_whole_put(&w, p->at_byte,
						  content_bytes(c, p), p->len);
		sent = w.got;
	}
	content_whole_free(&w);
	return sent;
}

void content_completed(struct content *c)
{
	if (!suite_families[c->r->rec->family]->has_pdcs)
		return;
	for (size_t i = c->r->posted.from_event; i < c->r->nevents; i++) {
		const struct orc_event *ev = &c->r->events[i];
		const struct orc_op *op;
		size_t sent;

		if (ev->kind != EV_COMPLETION || ev->status != STATUS_OK)
			continue;
		op = content_post_of(c, ev->handle);
		if (!op || !content_pushes_all(op))
			continue;
		if (content_bytes_in_order(c, op) == content_op_len(op))
			continue;
		sent = content_bytes_sent(c, op);
		if (sent < content_op_len(op))
			content_fault(
				c, 0,
				"operation %" PRIu32 " completed, and the "
				"device sent %zu of its %" PRIu32 " bytes",
				op->handle, sent, content_op_len(op));
	}
}

/* ---- Reads of the device ---- */

/* Returns true if the packet carries data for |q|, and |q| has the handle. */
static bool content_answers(const struct content *c, uint32_t handle,
			    const struct content_pkt *p,
			    const struct content_pkt *q)
{
	if (q->loose != p->loose || q->handle != handle)
		return false;
	if (suite_families[c->r->rec->family]->connected)
		return p->psn - q->psn <
		       (q->total ? q->total : 1) / c->r->decl->mtu + 1;
	if (p->loose)
		return q->psn == p->psn;
	if (p->by_psn)
		return q->psn == p->read_psn && q->pdc == p->pdc;
	if (q->begun && p->begun && q->begin != p->begin)
		return false;
	return q->message_id == p->message_id && q->pdc == p->pdc;
}

static const struct content_pkt *content_asked(const struct content *c,
					       uint32_t handle,
					       const struct content_pkt *p)
{
	const struct content_pkt *q = c->first[CONTENT_REQUEST][false];

	for (; q; q = q->next)
		if (content_answers(c, handle, p, q))
			return q;
	return NULL;
}

static void content_read(struct content *c, const struct orc_op *op,
			 const struct orc_event *ev, size_t len)
{
	const struct content_pkt *p = c->first[CONTENT_DATA][true];
	enum content_result result = RESULT_UNKNOWN;
	struct content_whole w;

	if (content_whole_make(&w, len)) {
		for (; p; p = p->next) {
			const struct content_pkt *q =
				content_asked(c, op->handle, p);

			if (q)
				content_whole_put(&w,
						  p->loose && p->by_psn
							  ? q->at_byte
							  : p->at_byte,
						  content_bytes(c, p), p->len);
		}
		result = content_whole_is(&w, ev->digest);
	}
	content_whole_free(&w);
	if (result == RESULT_SAME)
		content_held(c, false);
	if (result == RESULT_DIFFERENT)
		content_fault(c, 0,
			      "operation %" PRIu32 ", a read of %zu bytes, "
			      "brought other bytes than the tester sent",
			      op->handle, len);
}

/*
 * Returns the newest rendezvous of the device before the read |q| whose memory
 * it reads.  A device may use a key again when a message is complete.
 */
static const struct content_pkt *
content_rendezvous_of(const struct content *c, const struct content_pkt *q)
{
	const struct content_pkt *p = c->first[CONTENT_REQUEST][false];
	const struct content_pkt *found = NULL;

	for (; p && p < q; p = p->next)
		if (p->rendezvous && p->handle && p->read_key == q->key)
			found = p;
	return found;
}

/*
 * Returns true if the bytes of |p| are those of the rendezvous |first|, which
 * the read |q| requests.  read_offset may name the first byte of the message or
 * of its body.
 */
static bool content_is_body(const struct content *c,
			    const struct content_pkt *first,
			    const struct content_pkt *q,
			    const struct content_pkt *p)
{
	const uint64_t seed = c->r->scope.data_seed;
	const uint64_t at = q->offset - first->read_offset + p->at_byte;
	const uint8_t *got = content_bytes(c, p);

	return pattern_is(got, seed, first->handle, at, p->len) ||
	       pattern_is(got, seed, first->handle, at + first->eager, p->len);
}

void content_bodies(struct content *c)
{
	const struct content_pkt *p = c->first[CONTENT_DATA][false];

	if (!suite_families[c->r->rec->family]->has_pdcs)
		return;
	for (; p; p = p->next) {
		const struct content_pkt *q, *first;

		if (!p->len)
			continue;
		q = content_body_read_of(c, p);
		first = q ? content_rendezvous_of(c, q) : NULL;
		if (!first)
			continue;
		if (content_is_body(c, first, q, p))
			content_held(c, true);
		else
			content_fault(c, c->r->rec->recs[p->index].frame,
				      "%zu bytes of the body are not those of "
				      "operation %" PRIu32,
				      p->len, first->handle);
	}
}

void content_reads(struct content *c)
{
	if (!suite_families[c->r->rec->family]->has_pdcs)
		return;
	for (size_t i = c->r->posted.from_event; i < c->r->nevents; i++) {
		const struct orc_event *ev = &c->r->events[i];
		const struct orc_op *op;

		if (ev->kind != EV_COMPLETION || ev->status != STATUS_OK ||
		    !ev->digest)
			continue;
		op = content_post_of(c, ev->handle);
		if (op)
			content_read(c, op, ev, content_op_len(op));
	}
}
