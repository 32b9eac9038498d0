/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_wqe.c -- the default fields of a line of the WQE extension
 * or of plain RoCEv2.
 *
 * SN, OFF and LEN continue from the tester's previous packet: a first or only
 * packet begins the next WQE, a middle or last packet continues the current
 * one.  The payload is a pattern of SN + 1 and OFF, so that misplaced or
 * missing bytes show.  Without the extension SN stands for the PSN, and OFF is
 * 0.
 *
 * Spec: srd_wqe.md B.4
 */
#include "suite/craft/craft_wqe.h"

#include <string.h>

#include "base/pattern.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/craft/craft_ib.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/packet.h"

static bool craft_wqe_is_plain(const struct craft *c)
{
	return suite_families[c->s->family]->plain_rc;
}

/* The place of a packet in its message. */
struct wqe_part {
	bool begins, ends; /* the first or the last packet of a message */
	bool answers;      /* read data, an ACK or an indication */
	bool data;         /* read data */
};

static struct wqe_part wqe_part_of(const char *type)
{
	const int opcode = ib_packet_opcode(type);
	struct wqe_part part = {0};

	if (opcode < 0)
		return part;
	switch (opcode & 0x1f) { /* alike in both transports */
	case IB_RC_READ_REQ:
		part.begins = true;
		break;
	case IB_RC_CMP_SWAP:
	case IB_RC_FETCH_ADD:
		break;
	case IB_RC_ACK:
	case IB_RC_ATOMIC_ACK:
	case IB_WQE_RTX_IND & 0x1f:
		part.answers = true;
		break;
	default:
		part.begins = ib_begins((uint8_t)opcode);
		part.ends = ib_ends((uint8_t)opcode);
		part.data = ib_is_read_data(opcode & 0x1f);
		part.answers = part.data;
		break;
	}
	return part;
}

enum psn_space craft_wqe_space(const struct craft *c)
{
	if (wqe_part_of(c->rung->type).answers == scope_initiator(c->s, true))
		return SPACE_RETURN;
	return SPACE_FORWARD;
}

/*
 * Finds the newest packet of WQE |sn| that the tester sent, as it left; of any
 * WQE if |sn| is -1.  Returns false if there is none.
 */
static bool sent_before(const struct craft *c, int64_t sn, struct packet *ret)
{
	const struct record *r = c->s->record;

	for (size_t i = r->nrecs; i-- > 0;) {
		struct rec rec = r->recs[i];
		uint64_t v;

		if (rec.kind != REC_TX || !rec.frame)
			continue;
		rec.len = rec.whole;
		record_packet(r, &rec, ret);
		if (packet_value(ret, "wqe_offset", &v) &&
		    packet_value(ret, "wqe_sn", &v) &&
		    (sn < 0 || (uint64_t)sn == v))
			return true;
	}
	return false;
}

/* "OFF = previous OFF + MTU bytes", computed from the distance of the PSNs. */
static uint64_t offset_after(struct craft *c, const struct packet *before)
{
	const uint32_t psn = (uint32_t)craft_value(c, "psn", false);
	uint64_t off = 0, last = 0;

	packet_value(before, "wqe_offset", &off);
	packet_value(before, "psn", &last);
	return (uint32_t)((int64_t)off +
			  (int64_t)serial24_diff(psn, (uint32_t)last) *
				  c->s->decl->mtu);
}

/* Returns the length of the message that a first or only packet begins. */
static uint64_t craft_wqe_whole(const struct craft *c)
{
	const uint64_t *whole = c->placed ? scope_find(c->s, "whole") : NULL;

	if (whole)
		return *whole;
	return c->payload_len;
}

static void extension_defaults(struct craft *c)
{
	struct packet before;
	uint64_t v = 0;
	const bool begins = wqe_part_of(c->rung->type).begins;
	const bool any = sent_before(c, -1, &before);

	if (any)
		packet_value(&before, "wqe_sn", &v);
	if (any && begins)
		v = (v + 1) & SERIAL24_MASK;
	craft_default(c, "wqe_sn", false, v);
	if (begins) {
		craft_default(c, "wqe_offset", false, 0);
		craft_default(c, "wqe_length", false, craft_wqe_whole(c));
		return;
	}
	if (!sent_before(c, (int64_t)craft_value(c, "wqe_sn", false), &before))
		return;
	craft_default(c, "wqe_offset", false, offset_after(c, &before));
	packet_value(&before, "wqe_length", &v);
	craft_default(c, "wqe_length", false, v);
}

static void fill_pattern(struct craft *c)
{
	const uint32_t off = (uint32_t)craft_value(c, "wqe_offset", false);
	const char *of = craft_wqe_is_plain(c) ? "psn" : "wqe_sn";
	const uint64_t id = craft_value(c, of, false) + 1;

	if (c->rung->body != BODY_DATA)
		return;
	pattern_fill(c->payload, c->s->data_seed, id, off, c->payload_len);
}

static void craft_wqe_request_defaults(struct craft *c)
{
	craft_default(c, "pkey", false, 0xffff);
	craft_default(c, "dest_qp", false, c->s->qpn);
	craft_default(c, "ackreq", false, wqe_part_of(c->rung->type).ends);
	if (!craft_wqe_is_plain(c))
		extension_defaults(c);
	craft_default(c, "va", false, c->s->decl->memory_offset);
	craft_default(c, "rkey", false, c->s->decl->rkey);
	craft_default(c, "dmalen", false,
		      craft_wqe_is_plain(c)
			      ? craft_wqe_whole(c)
			      : craft_value(c, "wqe_length", false));
	fill_pattern(c);
}

/* Returns how many messages of the device have ended at or before that PSN. */
static uint64_t messages_to(struct craft *c, uint32_t psn)
{
	uint64_t n = 0;

	for (uint32_t at = c->s->pdc->rx_start;; at++) {
		const struct scope_psn *p =
			scope_psn_find(c->s, false, at & SERIAL24_MASK);
		struct packet pkt;

		if (!p || serial24_diff(at & SERIAL24_MASK, psn) > 0)
			return n;
		record_packet(c->s->record, &c->s->record->recs[p->newest],
			      &pkt);
		n += wqe_part_of(packet_word(&pkt)).ends;
	}
}

/* "AETH.MSN after completing SN k is k+1" */
static uint64_t msn_at(struct craft *c, uint32_t psn)
{
	const struct scope_psn *p = scope_psn_find(c->s, false, psn);
	struct packet pkt;
	uint64_t sn = 0;

	if (!p)
		return 0;
	record_packet(c->s->record, &c->s->record->recs[p->newest], &pkt);
	packet_value(&pkt, "wqe_sn", &sn);
	return (sn + wqe_part_of(packet_word(&pkt)).ends) & SERIAL24_MASK;
}

static void answer_defaults(struct craft *c)
{
	const bool rtx = strcmp(c->rung->type, "wqe_rtx_ind") == 0;
	uint64_t psn = c->s->pdc->rx_last;

	craft_default(c, "pkey", false, 0xffff);
	craft_default(c, "dest_qp", false, c->s->qpn);
	craft_default(c, "psn", false, psn);
	psn = craft_value(c, "psn", false);
	craft_default(c, "syndrome", false,
		      rtx ? IB_SYNDROME_PSN_SEQ : IB_SYNDROME_ACK);
	if (packet_layout_has(c->rung->type, NULL, false, "msn", 3, NULL) &&
	    !craft_is_set(c, "msn", false)) /* messages_to() is slow */
		craft_put(c, "msn", false,
			  craft_wqe_is_plain(c) ? messages_to(c, (uint32_t)psn)
						: msn_at(c, (uint32_t)psn));
	craft_default(c, "count", false, c->payload_len / 4);
}

/* Sets the defaults of a read response from the device's request. */
static void data_defaults(struct craft *c)
{
	if (!craft_wqe_is_plain(c))
		extension_defaults(c);
	fill_pattern(c);
}

int craft_wqe(struct craft *c)
{
	static const char *const kept[] = {"dest_qp",    "ackreq", "va",
					   "rkey",       "dmalen", "imm",
					   "ver",        "wqe_sn", "wqe_offset",
					   "wqe_length", NULL};
	const struct wqe_part part = wqe_part_of(c->rung->type);
	int err;

	if (part.answers) {
		answer_defaults(c);
		if (part.data)
			data_defaults(c);
		return 0;
	}
	err = craft_ib_request(c, kept);
	if (err)
		return err;
	craft_wqe_request_defaults(c);
	return 0;
}
