/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_memory.c -- computes the expected memory of the device
 * from the tester's packets.
 *
 * A case names the first and the last packet, "first=10 last=13", or the first
 * alone; the headers of each packet give the place of its payload.  The
 * expectation therefore follows the declared MTU, key and offset.
 *
 * Spec: srd_wqe.md B.4, B.12; docs/dut-control.md "mem_digest"
 */
#include "suite/run/control/run_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "wire/frame/crc.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"

#define OPERATION_MASK 0x1f /* of an opcode; the other bits are its class */

/* The packets that contribute, and the memory that they fill. */
struct memory_view {
	const struct runner *r;
	bool region; /* exposed memory; false: a message or read data */
	uint32_t first, last;
	uint8_t *bytes;
	size_t len, size;
};

static bool memory_counts(const struct memory_view *m, const struct bth *bth)
{
	const uint8_t op = bth->opcode & OPERATION_MASK;
	const bool writes =
		op >= IB_RC_WRITE_FIRST && op <= IB_RC_WRITE_ONLY_IMM;
	const bool sends = op <= IB_RC_SEND_ONLY_IMM;

	if (serial24_diff(bth->psn, m->first) < 0 ||
	    serial24_diff(bth->psn, m->last) > 0)
		return false;
	if (m->region)
		return writes;
	return sends || ib_is_read_data(op);
}

/* Parses the i-th entry; false if it is not a packet of the tester. */
static bool memory_sent(const struct memory_view *m, size_t i, struct bth *bth,
			struct packet *pkt)
{
	const struct record *record = m->r->rec;
	struct rec rec = record->recs[i];

	if (rec.kind != REC_TX || !rec.frame)
		return false;
	rec.len = rec.whole;
	record_packet(record, &rec, pkt);
	if (pkt->len < bth_len || pkt->fault != PACKET_OK)
		return false;
	bth_get(bth, pkt->p);
	return true;
}

/*
 * Finds the first packet of the message that |psn| belongs to, for plain
 * RoCEv2.
 */
static bool memory_message_start(const struct memory_view *m, uint32_t psn,
				 struct bth *ret, struct packet *ret_pkt)
{
	bool found = false;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < m->r->rec->nrecs; i++) {
		struct bth bth;
		struct packet pkt;

		if (!memory_sent(m, i, &bth, &pkt) || !memory_counts(m, &bth))
			continue;
		if (!ib_begins(bth.opcode & OPERATION_MASK) ||
		    serial24_diff(bth.psn, psn) > 0)
			continue;
		if (found && serial24_diff(bth.psn, ret->psn) < 0)
			continue;
		*ret = bth;
		*ret_pkt = pkt;
		found = true;
	}
	return found;
}

/* Returns the address of a WQE write, which its first packet carries. */
static uint64_t memory_wqe_address(const struct memory_view *m, uint64_t sn)
{
	for (size_t i = 0; i < m->r->rec->nrecs; i++) {
		struct bth bth;
		struct packet pkt;
		uint64_t v, va;

		if (memory_sent(m, i, &bth, &pkt) && memory_counts(m, &bth) &&
		    packet_value(&pkt, "wqe_sn", &v) && v == sn &&
		    packet_value(&pkt, "va", &va))
			return va;
	}
	return m->r->decl->memory_offset;
}

/* Returns the offset of a packet's payload in the memory. */
static uint64_t memory_place(const struct memory_view *m, const struct bth *bth,
			     const struct packet *pkt)
{
	const uint64_t base = m->region ? m->r->decl->memory_offset : 0;
	uint64_t at = base, off = 0, sn;
	struct bth start;
	struct packet begin;

	if (packet_value(pkt, "wqe_sn", &sn)) {
		packet_value(pkt, "wqe_offset", &off);
		if (m->region)
			at = memory_wqe_address(m, sn);
	} else if (ib_is_read_data(bth->opcode)) {
		/* a requester may request the rest of a read again */
		off = (uint64_t)serial24_diff(bth->psn, m->first) *
		      m->r->decl->mtu;
	} else if (memory_message_start(m, bth->psn, &start, &begin)) {
		off = (uint64_t)serial24_diff(bth->psn, start.psn) *
		      m->r->decl->mtu;
		packet_value(&begin, "va", &at);
	}
	return at - base + off;
}

static void memory_put(struct memory_view *m, uint64_t at, const uint8_t *p,
		       size_t n)
{
	if (at > m->size || n > m->size - at)
		return;
	memcpy(m->bytes + at, p, n);
	if (at + n > m->len)
		m->len = (size_t)at + n;
}

/* Places the payload of the newest packet with |psn| that the tester sent. */
static void memory_put_psn(struct memory_view *m, uint32_t psn)
{
	for (size_t i = m->r->rec->nrecs; i-- > 0;) {
		struct bth bth;
		struct packet pkt;

		if (!memory_sent(m, i, &bth, &pkt) || bth.psn != psn ||
		    !memory_counts(m, &bth))
			continue;
		memory_put(m, memory_place(m, &bth, &pkt), pkt.p + pkt.payload,
			   pkt.len - pkt.payload - ib_packet_pad(&pkt));
		return;
	}
}

/* Returns the last PSN from |m->first| on that the tester sent. */
static uint32_t memory_newest(const struct memory_view *m)
{
	uint32_t newest = m->first;

	for (size_t i = 0; i < m->r->rec->nrecs; i++) {
		struct bth bth;
		struct packet pkt;

		if (memory_sent(m, i, &bth, &pkt) &&
		    serial24_diff(bth.psn, newest) > 0)
			newest = bth.psn;
	}
	return newest;
}

/*
 * Returns the largest payload that the packets from |first| to |last| can
 * carry.
 */
static size_t memory_message_size(const struct runner *r,
				  const struct memory_view *m)
{
	const int32_t n = serial24_diff(m->last, m->first) + 1;

	return n > 0 ? (size_t)n * r->decl->mtu : 0;
}

int memory_digest(struct runner *r, const struct step *step, uint32_t *ret)
{
	struct memory_view m = {.r = r, .region = r->ctl.key != 0};
	bool some = false, ends = false;

	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];
		uint64_t v = 0;

		scope_number(&r->scope, &p->number, SPACE_NONE, &v);
		if (strcmp(p->key, "first") == 0)
			m.first = (uint32_t)v;
		if (strcmp(p->key, "last") == 0)
			m.last = (uint32_t)v;
		some |= strcmp(p->key, "first") == 0;
		ends |= strcmp(p->key, "last") == 0;
	}
	if (some && !ends)
		m.last = memory_newest(&m);
	/* each packet of the range is in the record */
	if (serial24_diff(m.last, m.first) >= (int32_t)r->rec->nrecs)
		return ERR_VALUE;
	if (m.region)
		m.size = r->exposed;
	else
		m.size = memory_message_size(r, &m);
	m.bytes = memory_calloc(m.size ? m.size : 1, 1);
	if (!m.bytes)
		return ERR_NOMEM;
	if (m.region) {
		pattern_fill(m.bytes, r->scope.data_seed,
			     pattern_memory(r->ctl.key), 0, m.size);
		m.len = m.size;
	}
	for (int32_t i = 0; some && i <= serial24_diff(m.last, m.first); i++)
		memory_put_psn(&m, (m.first + (uint32_t)i) & SERIAL24_MASK);
	*ret = crc32c(0, m.bytes, m.len);
	free(m.bytes);
	return 0;
}
