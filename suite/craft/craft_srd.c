/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_srd.c -- the default fields of an SRD line.
 *
 * Spec: srd_wqe.md A.4.2
 */
#include "suite/craft/craft_srd.h"

#include <string.h>

#include "base/serial.h"
#include "suite/craft/craft_ib.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/ib/ib.h"

#define PATHS 16

static bool craft_srd_is_response(const struct craft *c)
{
	return strcmp(c->rung->type, "srd_ack") == 0;
}

enum psn_space craft_srd_space(const struct craft *c)
{
	if (craft_srd_is_response(c) == scope_initiator(c->s, true))
		return SPACE_RETURN;
	return SPACE_FORWARD;
}

/* Returns how often the tester has sent that PSN. */
static uint64_t tries(const struct craft *c, uint64_t psn)
{
	const struct record *r = c->s->record;
	uint64_t n = 0, v;
	struct packet pkt;

	for (size_t i = 0; i < r->nrecs; i++) {
		const struct rec *rec = &r->recs[i];

		if (rec->kind != REC_TX || !rec->frame ||
		    rec->pdc != scope_at(c->s))
			continue;
		record_packet(r, rec, &pkt);
		if (pkt.len && pkt.p[0] < IB_SRD_SYNC &&
		    packet_value(&pkt, "psn", &v) && v == psn)
			n++;
	}
	if (n < 255)
		return n;
	return 255;
}

static void context_defaults(struct craft *c)
{
	struct scope_pdc *pdc = c->s->pdc;

	pdc->path = (uint8_t)((pdc->path + 1u) % PATHS);
	craft_default(c, "ver", false, 1);
	craft_default(c, "pkey", false, 0xffff);
	craft_default(c, "path", false, pdc->path);
	craft_default(c, "scid", false, pdc->scid);
	craft_default(c, "rcid", false, pdc->rcid);
	craft_default(c, "psn", false, pdc->tx_next & SERIAL24_MASK);
	craft_default(c, "lup", false, (pdc->tx_acked + 1) & SERIAL24_MASK);
}

static void craft_srd_request_defaults(struct craft *c)
{
	context_defaults(c);
	craft_default(c, "syn", false, !craft_value(c, "rcid", false));
	craft_default(c, "ackreq", false, 1);
	craft_default(c, "try", false, tries(c, craft_value(c, "psn", false)));
	craft_default(c, "dest_qp", false, c->s->qpn);
	craft_default(c, "qkey", false, c->s->decl->srd_qkey);
	craft_default(c, "src_qp", false, c->s->decl->srd_qpn);
}

/* Finds the newest copy of the DUT's request that this line answers. */
static void craft_srd_find_answered(struct craft *c, struct packet *ret)
{
	const uint32_t psn = (uint32_t)craft_value(c, "psn", false);
	const struct scope_psn *p = scope_psn_find(c->s, false, psn);

	*ret = (struct packet){0};
	if (!p)
		return;
	c->answered = &c->s->record->recs[p->newest];
	record_packet(c->s->record, c->answered, ret);
}

/*
 * Returns the SACK bitmap: bit k, most significant first, is set if PSN cum + 1
 * + k was accepted.
 */
static uint64_t sack_of(uint64_t beyond)
{
	uint64_t sack = 0;

	for (unsigned i = 0; i < 63; i++)
		if (beyond >> i & 1)
			sack |= (uint64_t)1 << (62 - i);
	return sack;
}

/*
 * Returns the SACK bitmap behind the line's CACK, which may differ from the
 * tester's own.
 */
static uint64_t sack_behind(struct craft *c, uint32_t cum, uint64_t beyond)
{
	const uint32_t cack =
		serial24_near((uint32_t)craft_value(c, "cack", false), cum);

	if (serial_before(cack, cum))
		return 0;
	scope_mark_to(&cum, &beyond, cack);
	if (cum == cack)
		return sack_of(beyond);
	return 0;
}

static void craft_srd_ack_defaults(struct craft *c)
{
	const struct scope_pdc *pdc = c->s->pdc;
	uint32_t cum = pdc->rx_cum, psn;
	uint64_t beyond = pdc->rx_beyond, v;
	struct packet pkt;

	craft_default(c, "ver", false, 1);
	craft_default(c, "pkey", false, 0xffff);
	craft_default(c, "psn", false, pdc->rx_last);
	craft_default(c, "scid", false, pdc->peer_scid);
	craft_default(c, "rcid", false, pdc->own_rcid);
	craft_default(c, "syndrome", false, IB_SYNDROME_ACK);
	craft_srd_find_answered(c, &pkt);
	if (packet_value(&pkt, "src_qp", &v))
		craft_default(c, "dest_qp", false, v);
	if (packet_value(&pkt, "path", &v))
		craft_default(c, "path", false, v);
	if (packet_value(&pkt, "try", &v))
		craft_default(c, "try", false, v);
	psn = (uint32_t)craft_value(c, "psn", false);
	if (craft_value(c, "syndrome", false) == IB_SYNDROME_ACK)
		scope_mark(&cum, &beyond, serial24_near(psn, pdc->rx_next));
	craft_default(c, "cack", false, cum & SERIAL24_MASK);
	craft_default(c, "sack_bitmap", false, sack_behind(c, cum, beyond));
	craft_default(c, "lup", false, pdc->rx_lup & SERIAL24_MASK);
}

int craft_srd(struct craft *c)
{
	static const char *const kept[] = {"dest_qp", "qkey", "src_qp", "imm",
					   NULL};
	int err;

	if (craft_srd_is_response(c)) {
		craft_srd_ack_defaults(c);
		return 0;
	}
	err = craft_ib_request(c, kept);
	if (err)
		return err;
	if (strcmp(c->rung->type, "srd_sync") == 0)
		context_defaults(c);
	else
		craft_srd_request_defaults(c);
	return 0;
}

/* "UDP: src 0xC000 + Path"; an answer takes the path of its request. */
void craft_srd_head(struct craft *c, struct dgram *d)
{
	d->entropy = (uint16_t)(0xc000 + craft_value(c, "path", false));
	if (c->answered && c->answered->entropy)
		d->entropy = c->answered->entropy;
}
