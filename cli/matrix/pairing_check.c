/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing_check.c -- compares what came of the operations of an
 * exchange with what was posted.
 *
 * - I1: no message is delivered twice.
 * - I2: an operation completes once; what completed with success is delivered,
 *   with equal bytes.
 * - I3: every operation completes, and with success.
 *
 * The ends alone tell which of them is wrong: each fault is unsure, and the
 * caller tries both ends with the reference.
 *
 * Spec: srd_wqe.md C.4; docs/dut-control.md "Bytes"
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "cli/matrix/pairing_state.h"
#include "suite/transport.h"
#include "wire/frame/crc.h"

/* Returns the CRC-32C of bytes of the pattern; 0 if there is no memory. */
static uint32_t pairing_digest(uint64_t seed, uint64_t id, uint64_t at,
			       uint32_t len)
{
	uint8_t *bytes = memory_alloc(len ? len : 1);
	uint32_t crc;

	if (!bytes)
		return 0;
	pattern_fill(bytes, seed, id, at, len);
	crc = crc32c(0, bytes, len);
	free(bytes);
	return crc;
}

static uint32_t pairing_message(const struct pairing *p, size_t i)
{
	return pairing_digest(p->seed[PAIRING_INITIATOR], i + 1, 0,
			      p->exchange->ops[i].len);
}

bool pairing_done(const struct pairing *p)
{
	size_t sends = 0;

	for (size_t i = 0; i < p->exchange->n; i++) {
		if (!p->ops[i].posted)
			continue;
		if (!p->ops[i].completions)
			return false;
		sends += p->exchange->ops[i].kind == OP_SEND &&
			 !p->ops[i].failed;
	}
	return p->nrecvs >= sends;
}

static void pairing_completed(struct pairing *p, size_t i)
{
	const struct exchange_op *e = &p->exchange->ops[i];
	const struct pairing_op *o = &p->ops[i];
	const char *verb = exchange_verb(e->kind);

	if (!o->completions)
		pairing_blame(p, PAIRING_INITIATOR, REQ_I3, REQ_SRC, true,
			      "One %s of %u bytes never completes.", verb,
			      e->len);
	else if (o->completions > 1)
		pairing_blame(p, PAIRING_INITIATOR, REQ_I2, REQ_SRC, true,
			      "One %s of %u bytes completes %u times.", verb,
			      e->len, o->completions);
	else if (o->failed)
		pairing_blame(p, PAIRING_INITIATOR, REQ_I3, REQ_SRC, true,
			      "One %s of %u bytes ends with status %s.", verb,
			      e->len, o->status);
}

/* Returns the delivery of a message, by its bytes if they are known. */
static struct pairing_recv *pairing_delivery(struct pairing *p, size_t i)
{
	const uint32_t want = pairing_message(p, i);

	for (size_t k = 0; k < p->nrecvs; k++) {
		struct pairing_recv *r = &p->recvs[k];

		if (!r->matched &&
		    (r->digest ? r->digest == want
			       : r->len == 0 ||
					 r->len == p->exchange->ops[i].len))
			return r;
	}
	return NULL;
}

/* UUD does not detect copies, so a message may be delivered twice. */
static void pairing_delivered(struct pairing *p)
{
	size_t missing = 0, other = 0;

	for (size_t i = 0; i < p->exchange->n; i++) {
		struct pairing_recv *r;

		if (!p->ops[i].posted || p->exchange->ops[i].kind != OP_SEND)
			continue;
		r = pairing_delivery(p, i);
		if (r)
			r->matched = true;
		else if (p->ops[i].completions && !p->ops[i].failed)
			missing++;
	}
	for (size_t k = 0; k < p->nrecvs; k++)
		other += !p->recvs[k].matched;
	if (missing && other)
		pairing_blame(p, PAIRING_TARGET, REQ_I2, REQ_DST, true,
			      "Messages that arrive with other bytes: %zu.",
			      missing);
	else if (missing)
		pairing_blame(
			p, PAIRING_TARGET, REQ_I2, REQ_DST, true,
			"Messages that complete and are not delivered: %zu.",
			missing);
	else if (other && p->exchange->mode != OP_UUD)
		pairing_blame(p, PAIRING_TARGET, REQ_I1, REQ_DST, true,
			      "Messages delivered twice: %zu.", other);
}

/* A read returns the pattern of the target's memory. */
static void pairing_read_back(struct pairing *p, size_t i)
{
	const struct decl *d = p->conf.decl[PAIRING_TARGET];
	const uint64_t key = suite_families[p->conf.family]->has_pdcs
				     ? d->memory_key
				     : d->rkey;

	if (!p->ops[i].digest || p->ops[i].failed)
		return;
	if (p->ops[i].digest != pairing_digest(p->seed[PAIRING_TARGET],
					       pattern_memory(key), 0,
					       p->exchange->ops[i].len))
		pairing_blame(p, PAIRING_INITIATOR, REQ_I2, REQ_SRC, true,
			      "A read of %u bytes brings other bytes.",
			      p->exchange->ops[i].len);
}

/* Asks the target for the bytes that a write has left in its memory. */
static void pairing_written(struct pairing *p, size_t i)
{
	const struct decl *d = p->conf.decl[PAIRING_TARGET];
	const uint32_t want = pairing_message(p, i);

	if (p->ops[0].shares || p->ops[i].failed || !p->ops[i].completions ||
	    !dut_has_verb(p->conf.dut[PAIRING_TARGET], "mem_digest"))
		return;
	pairing_request(p, OP_SEND);
	p->req.verb = CTL_MEM_DIGEST;
	p->req.key = suite_families[p->conf.family]->has_pdcs ? d->memory_key
							      : d->rkey;
	p->req.op.offset = p->ops[i].at;
	p->req.op.len = p->exchange->ops[i].len;
	if (pairing_ask(p, PAIRING_TARGET) && p->ans.digest != want)
		pairing_blame(p, PAIRING_TARGET, REQ_I2, REQ_DST, true,
			      "A write of %u bytes leaves other bytes.",
			      p->exchange->ops[i].len);
}

void pairing_compare(struct pairing *p)
{
	for (size_t i = 0; i < p->exchange->n; i++) {
		if (!p->ops[i].posted)
			continue;
		pairing_completed(p, i);
		if (p->exchange->ops[i].kind == OP_READ)
			pairing_read_back(p, i);
		if (p->exchange->ops[i].kind == OP_WRITE)
			pairing_written(p, i);
	}
	pairing_delivered(p);
}
