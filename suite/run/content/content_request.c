/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_request.c -- compares the requests of an initiator
 * with the operations that were posted: every field that the operation
 * decides, and every byte.
 *
 * The device may choose the header, the message id and the order.  A request
 * belongs to the operation that it resembles most.  Fields that the header
 * lacks are not compared.
 *
 * Spec: UET 3.4.2 (uet.md 5); docs/dut-control.md "Minimum profile"
 */
#include "suite/run/content/content_request.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "base/serial.h"
#include "suite/run/blame/run_blame.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_ses.h"

#define CONTENT_WANTS 14 /* fields that an operation decides, at most */

/* A field that a request must have. */
struct content_want {
	enum packet_name field;
	uint64_t value;
};

/* A request of the device. */
struct content_header {
	struct packet pkt; /* its values are read */
	struct packet_known own;
};

const struct orc_op *content_post_of(const struct content *c, uint32_t handle)
{
	for (size_t i = 0; i < c->r->posted.n; i++)
		if (c->r->posted.ops[i].handle == handle)
			return &c->r->posted.ops[i];
	return NULL;
}

/* Size in bytes of the elements of table 3-22; 0: vendor-defined. */
static const uint8_t element_bytes[] = {1,  1, 2, 2, 4,  4,  8,  8, 16,
					16, 4, 8, 8, 16, 16, 32, 2, 2};

uint32_t content_op_len(const struct orc_op *op)
{
	if (op->kind != OP_ATOMIC)
		return op->len + op->vb.len2;
	if (op->amo.datatype < sizeof(element_bytes))
		return element_bytes[op->amo.datatype];
	return 0;
}

static uint8_t content_opcode(const struct orc_op *op)
{
	switch (op->kind) {
	case OP_WRITE:
		return SES_WRITE;
	case OP_READ:
		return SES_READ;
	case OP_ATOMIC:
		return op->amo.fetch ? SES_FETCHING_ATOMIC : SES_ATOMIC;
	default:
		if (op->mode == OP_UUD)
			return SES_DATAGRAM_SEND;
		if (op->rendezvous)
			return op->tagged ? SES_RENDEZVOUS_TSEND
					  : SES_RENDEZVOUS_SEND;
		if (op->deferrable)
			return op->tagged ? SES_DEFERRABLE_TSEND
					  : SES_DEFERRABLE_SEND;
		return op->tagged ? SES_TAGGED_SEND : SES_SEND;
	}
}

static bool content_is_message(const struct orc_op *op)
{
	return op->kind == OP_SEND || op->kind == OP_WRITE ||
	       op->kind == OP_READ || op->kind == OP_ATOMIC;
}

/* Lists the fields that a request for the operation must have. */
static size_t content_wants(const struct content *c, const struct orc_op *op,
			    struct content_want ret[static CONTENT_WANTS])
{
	const struct decl *d = c->r->decl;
	const bool memory = op->kind != OP_SEND;
	const bool amo = op->kind == OP_ATOMIC;
	const bool swaps = amo && op->amo.opcode >= AMO_CSWAP &&
			   op->amo.opcode <= AMO_CSWAP_GT;
	size_t n = 0;

	ret[n++] = (struct content_want){KNOWN_opcode, content_opcode(op)};
	ret[n++] = (struct content_want){KNOWN_job_id, d->job_id};
	ret[n++] = (struct content_want){KNOWN_pid_on_fep, d->pid_on_fep};
	ret[n++] =
		(struct content_want){KNOWN_resource_index, d->resource_index};
	ret[n++] = (struct content_want){KNOWN_ri_generation, d->ri_generation};
	ret[n++] = (struct content_want){KNOWN_initiator, d->initiator};
	ret[n++] =
		(struct content_want){KNOWN_request_length, content_op_len(op)};
	if (op->message_id)
		ret[n++] =
			(struct content_want){KNOWN_message_id, op->message_id};
	if (memory || op->tagged)
		ret[n++] = (struct content_want){KNOWN_match_bits, op->key};
	if (memory)
		ret[n++] =
			(struct content_want){KNOWN_buffer_offset, op->offset};
	if (amo) {
		ret[n++] =
			(struct content_want){KNOWN_amo_opcode, op->amo.opcode};
		ret[n++] =
			(struct content_want){KNOWN_datatype, op->amo.datatype};
	}
	if (swaps) {
		ret[n++] = (struct content_want){KNOWN_compare_value_lo,
						 op->amo.compare};
		ret[n++] = (struct content_want){KNOWN_swap_value_lo,
						 op->amo.operand};
	}
	return n;
}

/*
 * Returns true if the payload is the operation's bytes at the packet's offset.
 */
static bool content_has_bytes(const struct content *c, const struct orc_op *op,
			      const struct content_pkt *p)
{
	const uint8_t *got = content_bytes(c, p);
	const uint32_t len = content_op_len(op);

	if (op->kind == OP_READ)
		return true;
	if (op->kind == OP_ATOMIC) {
		for (size_t i = 0; i < p->len && i < 8; i++)
			if (got[i] != (uint8_t)(op->amo.operand >> 8 * i))
				return false;
		return true;
	}
	if (p->at_byte > len || p->len > len - p->at_byte)
		return false;
	return pattern_is(got, c->r->scope.data_seed, op->handle, p->at_byte,
			  p->len);
}

/*
 * The specification does not say where an element of less than 16 bytes lies in
 * a value of the compare and swap extension.  Accepts it as a number in the
 * last bytes, and as a copy of memory in the first bytes.
 */
static bool content_is_swap_value(const struct packet *pkt,
				  enum packet_name low, uint64_t want)
{
	const bool compare = low == KNOWN_compare_value_lo;
	uint64_t high = 0, turned = 0;

	if (!compare && low != KNOWN_swap_value_lo)
		return false;
	packet_value(pkt, compare ? "compare_value_hi" : "swap_value_hi",
		     &high);
	for (unsigned i = 0; i < 8; i++)
		turned |= (want >> 8 * i & 0xff) << (56 - 8 * i);
	return high == turned;
}

static void content_header_read(const struct content *c, size_t index,
				struct content_header *ret)
{
	struct record *rec = c->r->rec;

	record_packet(rec, &rec->recs[index], &ret->pkt);
	if (ret->pkt.known)
		return;
	packet_know(&ret->pkt, &ret->own);
	ret->pkt.known = &ret->own;
}

/* Returns true if the packet has no such field, or has this value. */
static bool content_says(const struct content_header *h,
			 const struct content_want *want)
{
	return !packet_knows(h->pkt.known, want->field) ||
	       h->pkt.known->v[want->field] == want->value ||
	       content_is_swap_value(&h->pkt, want->field, want->value);
}

static unsigned content_differing(const struct content_header *h,
				  const struct content_want *want, size_t n)
{
	unsigned differing = 0;

	for (size_t i = 0; i < n; i++)
		differing += !content_says(h, &want[i]);
	return differing;
}

/* ---- Which operation ---- */

static bool content_same_message(const struct content_pkt *a,
				 const struct content_pkt *b)
{
	if (a->loose != b->loose || a->pdc != b->pdc)
		return false;
	if (a->message_id != b->message_id)
		return false;
	if (!a->message_id)
		return a->psn == b->psn;
	return !a->begun || !b->begun || a->begin == b->begin;
}

/* The messages that belong to an operation. */
struct content_owner {
	const struct content_pkt *first; /* NULL: none yet */
	bool shared;                     /* there are several */
};

/* Returns true if the operation already belongs to another message. */
static bool content_is_taken(const struct content_owner *o,
			     const struct content_pkt *p)
{
	return o->shared || (o->first && !content_same_message(p, o->first));
}

static void content_own(struct content_owner *o, const struct content_pkt *p)
{
	o->shared = content_is_taken(o, p);
	if (!o->first)
		o->first = p;
}

static uint32_t content_message_handle(const struct content *c,
				       const struct content_pkt *p)
{
	const struct content_pkt *q = c->owned[p->message_id % CONTENT_BEGINS];

	for (; q; q = q->next_owned)
		if (content_same_message(p, q))
			return q->handle;
	return 0;
}

/* Notes the operation to which a packet belongs. */
static void content_give(struct content *c, struct content_pkt *p,
			 uint32_t handle)
{
	const size_t list = p->message_id % CONTENT_BEGINS;

	p->handle = handle;
	if (!handle)
		return;
	if (c->owned[list])
		c->owned_last[list]->next_owned = p;
	else
		c->owned[list] = p;
	c->owned_last[list] = p;
}

/*
 * Returns how much the packet differs from the operation; 0: not at all.
 * |message| is the operation of the packet's message, 0 if it is not known.
 * Compares no further once the result is |enough| or more; a result below that
 * sets *ret_bytes to whether the payload is the operation's.
 */
static unsigned
content_distance(const struct content *c, const struct orc_op *op,
		 const struct content_owner *owner, const struct content_pkt *p,
		 const struct content_header *h, uint32_t message,
		 unsigned enough, bool *ret_bytes)
{
	struct content_want want[CONTENT_WANTS];
	unsigned far = 0;

	*ret_bytes = false;

	if (p->opcode != content_opcode(op))
		far += 64;
	if (p->loose != (op->mode == OP_RUDI || op->mode == OP_UUD))
		far += 64;
	if (message != op->handle)
		far += 2;
	if (far < enough)
		*ret_bytes = content_has_bytes(c, op, p);
	if (!*ret_bytes)
		far += 32;
	if (far < enough)
		far += 8 *
		       content_differing(h, want, content_wants(c, op, want));
	if (far < enough && content_is_taken(owner, p))
		far += 1;
	return far;
}

/*
 * Returns the index of the operation that the packet resembles most, or -1, and
 * whether the packet has its bytes.
 */
static ptrdiff_t content_nearest(const struct content *c,
				 const struct content_owner *owners,
				 const struct content_pkt *p,
				 const struct content_header *h,
				 bool *ret_bytes)
{
	const uint32_t message = content_message_handle(c, p);
	/* No operation is nearer to the first packet of a message. */
	const unsigned nearest = message ? 0 : 2;
	unsigned least = UINT_MAX;
	ptrdiff_t best = -1;

	for (size_t i = 0; i < c->r->posted.n && least > nearest; i++) {
		const struct orc_op *op = &c->r->posted.ops[i];
		unsigned far;
		bool bytes;

		if (!content_is_message(op))
			continue;
		far = content_distance(c, op, &owners[i], p, h, message, least,
				       &bytes);
		if (far < least) {
			best = (ptrdiff_t)i;
			least = far;
			*ret_bytes = bytes;
		}
	}
	return best;
}

/* ---- Differences ---- */

static void content_field_differs(struct content *c, uint32_t frame,
				  const struct orc_op *op, const char *field,
				  uint64_t want, uint64_t got)
{
	static const struct req_ref ref = {
		.id = REQ_UET_SES_35, .role = REQ_SRC, .items = "ses.*"};
	static const struct step line = {
		.kind = STEP_REPORT, .reqs = &ref, .nreqs = 1};
	char text[200], expected[64], actual[64];
	const struct flaw flaw = {.step = &line,
				  .kind = KIND_PROTOCOL,
				  .frame = frame,
				  .expected = expected,
				  .actual = actual,
				  .content = true};

	snprintf(expected, sizeof(expected), "%s=0x%" PRIx64, field, want);
	snprintf(actual, sizeof(actual), "%s=0x%" PRIx64, field, got);
	snprintf(text, sizeof(text),
		 "the request is of operation %" PRIu32
		 ", and its %s is not what was posted",
		 op->handle, field);
	run_event(c->r, &flaw, "ses", field, text);
}

static void content_request_differs(struct content *c,
				    const struct content_pkt *p,
				    const struct orc_op *op,
				    const struct content_header *h, bool bytes)
{
	const uint32_t frame = c->r->rec->recs[p->index].frame;
	struct content_want want[CONTENT_WANTS];
	const size_t n = content_wants(c, op, want);
	bool right = true;

	for (size_t i = 0; i < n; i++) {
		const enum packet_name field = want[i].field;

		if (content_says(h, &want[i]))
			continue;
		right = false;
		if (c->told >> i & 1) /* reported once in a case */
			continue;
		c->told |= 1u << i;
		content_field_differs(c, frame, op, packet_known_word(field),
				      want[i].value, h->pkt.known->v[field]);
	}
	if (right)
		run_req(c->r, REQ_UET_SES_35, REQ_SRC, true, true, false);
	if (!bytes)
		content_fault(c, frame,
			      "%zu bytes from %" PRIu32 " on are not those of "
			      "operation %" PRIu32,
			      p->len, p->at_byte, op->handle);
	else if (p->len)
		content_held(c, true);
}

static void content_uet_request_came(struct content *c,
				     struct content_owner *owners,
				     struct content_pkt *p)
{
	const struct orc_op *op;
	struct content_header h;
	bool bytes = false;
	ptrdiff_t i;

	content_header_read(c, p->index, &h);
	i = content_nearest(c, owners, p, &h, &bytes);
	if (i < 0)
		return;
	op = &c->r->posted.ops[i];
	content_give(c, p, op->handle);
	content_own(&owners[i], p);
	content_request_differs(c, p, op, &h, bytes);
}

static void content_uet_requests(struct content *c)
{
	const size_t n = c->r->posted.n;
	struct content_owner *owners =
		memory_calloc(n ? n : 1, sizeof(*owners));
	struct content_pkt *p;

	if (!owners) {
		c->r->rec->failed_alloc = true;
		return;
	}
	for (p = c->first[CONTENT_REQUEST][false]; p; p = p->next)
		content_uet_request_came(c, owners, p);
	free(owners);
}

/* ---- SRD, the WQE extension, RoCEv2 ---- */

/* Returns the offset of a packet's payload in its message. */
static uint64_t content_at(const struct content *c, const struct content_pkt *p)
{
	const struct content_pkt *q = c->first[CONTENT_REQUEST][false];
	uint32_t back = UINT32_MAX;

	if (!suite_families[c->r->rec->family]->plain_rc || p->som)
		return p->at_byte;
	for (; q; q = q->next) {
		const uint32_t d = (p->psn - q->psn) & SERIAL24_MASK;

		if (q->som && d < back && d < SERIAL24_MASK / 2)
			back = d;
	}
	return (uint64_t)back * c->r->decl->mtu;
}

static bool content_is_wr(const struct content *c, const struct orc_op *op,
			  const struct content_pkt *p, uint64_t at)
{
	const uint32_t len = content_op_len(op);
	const uint8_t *got = content_bytes(c, p);

	if (op->kind != OP_POST_SEND || at > len || p->len > len - at)
		return false;
	return pattern_is(got, c->r->scope.data_seed, op->handle, at, p->len);
}

/* The packet carries the bytes of a WR: OFF is right, where there is one. */
static void content_is_of_wr(struct content *c)
{
	const struct suite_family *f = suite_families[c->r->rec->family];

	content_held(c, true);
	if (f->connected && !f->plain_rc)
		run_req(c->r, REQ_WQE_05, REQ_SRC, true, true, false);
}

static void content_wrs(struct content *c)
{
	const struct content_pkt *p = c->first[CONTENT_REQUEST][false];

	for (; p; p = p->next) {
		const uint64_t at = content_at(c, p);
		bool found = false;

		if (!p->len || p->opcode == SES_READ)
			continue;
		for (size_t k = 0; k < c->r->posted.n && !found; k++)
			found = content_is_wr(c, &c->r->posted.ops[k], p, at);
		if (found)
			content_is_of_wr(c);
		else
			content_fault(c, c->r->rec->recs[p->index].frame,
				      "%zu bytes from %" PRIu64 " on are "
				      "those of no WR that was posted",
				      p->len, at);
	}
}

void content_requests(struct content *c)
{
	if (!c->r->dut->control)
		return;
	if (suite_families[c->r->rec->family]->has_pdcs)
		content_uet_requests(c);
	else
		content_wrs(c);
}
