/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/forge.c -- tampers with packets on the link.
 */
#include "tests/soak/forge.h"

#include "base/serial.h"

/* PDCIDs are assigned in sequence: this one is far from any in use. */
#define OTHER_PDCID 0x8000

static int32_t soak_forge_window(const struct plan *p)
{
	return p->conf[A].mpr * JUDGE_MPR_UNIT;
}

static bool is_forward(const struct pds_req *req)
{
	return req->next_hdr >= PDS_NEXT_REQUEST_SMALL &&
	       req->next_hdr <= PDS_NEXT_REQUEST_STD;
}

/*
 * Without a known target an initiator would accept any spdcid, and only a frail
 * run may end in an error.
 */
bool forge_choose(struct plan *p, const struct pds_req *req, enum trick *ret)
{
	if (req->syn || !plan_chance(p, p->link.tricks))
		return false;
	*ret = (enum trick)rng_below(&p->rng, TRICKS);
	if (*ret <= TRICK_BEYOND)
		return is_forward(req);
	if (*ret == TRICK_FATAL)
		return p->frail && is_forward(req);
	return true;
}

static void to_ack_request(struct dgram *d, const struct pds_req *req)
{
	const struct pds_cp h = {
		.type = PDS_CP,
		.ctl_type = PDS_CP_ACK_REQUEST,
		.ar = true,
		.psn = req->psn,
		.spdcid = req->spdcid,
		.dpdcid = req->dpdcid,
	};
	const struct cp_payload none = {0};

	pds_cp_put(&h, d->data);
	cp_payload_put(&none, d->data + pds_cp_len);
	d->len = pds_cp_len + cp_payload_len;
}

static void turn_round(struct dgram *d)
{
	const struct ip_addr src = d->src;

	d->src = d->dst;
	d->dst = src;
}

static void to_clear_request(struct dgram *d, const struct pds_req *req)
{
	const struct pds_cp h = {
		.type = PDS_CP,
		.ctl_type = PDS_CP_CLEAR_REQUEST,
		.spdcid = req->dpdcid,
		.dpdcid = req->spdcid,
	};
	const struct cp_clear clear = {.clear_psn = req->psn};

	pds_cp_put(&h, d->data);
	cp_clear_put(&clear, d->data + pds_cp_len);
	d->len = pds_cp_len + cp_clear_len;
	turn_round(d);
}

static void to_fatal_nack(struct dgram *d, const struct pds_req *req)
{
	const struct pds_nack h = {
		.type = PDS_NACK,
		.retx = req->retx,
		.nack_code = NACK_EXP_NACK_FATAL,
		.nack_psn = req->psn,
		.spdcid = req->dpdcid,
		.dpdcid = req->spdcid,
	};

	pds_nack_put(&h, d->data);
	d->len = pds_nack_len;
	turn_round(d);
}

bool forge_make(const struct plan *p, enum trick trick, struct dgram *d)
{
	struct pds_req req;

	pds_req_get(&req, d->data);
	switch (trick) {
	case TRICK_FOREIGN:
		req.spdcid ^= OTHER_PDCID;
		pds_req_put(&req, d->data);
		return false;
	case TRICK_BEYOND:
		req.psn +=
			/* CACK_PSN may lag */
			2 * (uint32_t)soak_forge_window(p);
		pds_req_put(&req, d->data);
		return false;
	case TRICK_CUT:
		d->len = 1 + req.psn % (pds_req_len - 1);
		return false;
	case TRICK_TYPE:
		d->data[0] |= 0xf8; /* type 31 */
		return false;
	case TRICK_ASK:
		to_ack_request(d, &req);
		return false;
	case TRICK_ASK_CLEAR:
		to_clear_request(d, &req);
		return true;
	case TRICK_FATAL:
		to_fatal_nack(d, &req);
		return true;
	case TRICKS:
		break;
	}
	return false;
}

/* A PSN that is cleared now is covered by CACK_PSN when the request arrives. */
bool forge_replay(const struct plan *p, struct forge_kept *kept,
		  const struct dgram *d, const struct pds_req *req)
{
	const uint32_t back = (uint32_t)req->clear_psn_offset;
	const uint32_t clear = req->psn + back;
	const int32_t far = soak_forge_window(p) +
			    soak_forge_window(p) / 4; /* CACK_PSN may lag */
	struct pds_req old;

	if (kept->used) {
		pds_req_get(&old, kept->d.data);
		if (old.spdcid == req->spdcid && old.dpdcid == req->dpdcid) {
			kept->used = serial_diff(clear, old.psn) <= far;
			return !kept->used;
		}
	}
	if (req->syn || !req->retx)
		return false;
	kept->used = true;
	dgram_copy(&kept->d, d);
	return false;
}

void forge_keep(struct forge_kept *last, const struct dgram *d,
		const struct pds_req *req)
{
	if (req->syn || !is_forward(req))
		return;
	last->used = true;
	dgram_copy(&last->d, d);
}

/*
 * A source may refuse a truncated ACK, and requests another; a reserved flag is
 * ignored.
 */
bool forge_spoil(struct plan *p, struct dgram *d)
{
	struct pds_ack ack;

	if (!plan_chance(p, p->link.tricks) || d->len < pds_ack_len ||
	    pds_type_of(d->data) != PDS_ACK)
		return false;
	pds_ack_get(&ack, d->data);
	if (plan_chance(p, 50))
		d->data[1] |= 0x40;
	else if (ack.next_hdr == PDS_NEXT_RESPONSE)
		d->len--;
	return true;
}

/*
 * Narrows the window to the minimum in three of four cases, the same for equal
 * CACK_PSNs, so that the newest ACK decides.
 */
bool forge_narrow(struct dgram *d)
{
	const size_t least = pds_ack_len + pds_ack_cc_len;
	struct pds_ack ack;
	struct pds_ack_cc cc; /* ACK_CCX has mpr at the same offset */

	if (d->len < least || (pds_type_of(d->data) != PDS_ACK_CC &&
			       pds_type_of(d->data) != PDS_ACK_CCX))
		return false;
	pds_ack_get(&ack, d->data);
	pds_ack_cc_get(&cc, d->data + pds_ack_len);
	if (!((ack.cack_psn * 0x9e3779b1u >> 16) % 4))
		return false;
	cc.mpr = 1;
	pds_ack_cc_put(&cc, d->data + pds_ack_len);
	return true;
}
