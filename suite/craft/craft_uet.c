/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft/craft_uet.c -- the default fields of a UET line: ids, PSNs,
 * acknowledgements and the SES header.
 *
 * Spec: UET 3.5.10 (uet.md 2, 3)
 */
#include "suite/craft/craft_uet.h"

#include <string.h>

#include "base/serial.h"
#include "base/word.h"
#include "suite/craft/craft_cause.h"
#include "suite/craft/craft_set.h"
#include "suite/craft/craft_state.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define OOO_COUNT_NONE 0xffff

bool craft_type_is(const struct craft *c, const char *a, const char *b,
		   const char *d)
{
	const char *t = c->rung->type;

	return word_same(t, a) || (b && word_same(t, b)) ||
	       (d && word_same(t, d));
}

bool craft_is_request(const struct craft *c)
{
	return craft_type_is(c, "rud_req", "rod_req", "rud_cc_req") ||
	       craft_type_is(c, "rod_cc_req", NULL, NULL);
}

static bool craft_is_ack(const struct craft *c)
{
	return craft_type_is(c, "ack", "ack_cc", "ack_ccx");
}

static bool craft_is_nack(const struct craft *c)
{
	return craft_type_is(c, "nack", "nack_ccx", NULL);
}

/* Finds the newest copy of the DUT's request that this line answers. */
static void craft_answers(struct craft *c, const struct scope_psn *p)
{
	if (p)
		c->answered = &c->s->record->recs[p->newest];
}

static void craft_find_answered(struct craft *c, uint32_t psn)
{
	craft_answers(c, scope_psn_find(c->s, false, psn));
}

/* "flags.retx [...] echoes that of the packet it answers" (uet.md 2.3) */
static void craft_echo_retx(struct craft *c)
{
	struct packet pkt;
	uint64_t retx = 0;

	if (!c->answered)
		return;
	record_packet(c->s->record, c->answered, &pkt);
	if (packet_value(&pkt, "retx", &retx))
		craft_default(c, "retx", false, retx);
}

/*
 * Returns true if this is the first packet of its PSN space that the tester
 * sends.
 */
static bool starts_space(const struct craft *c)
{
	return !c->s->pdc->tx_any;
}

static void ids(struct craft *c)
{
	craft_default(c, "spdcid", false, c->s->pdc->spdcid);
	if (craft_value(c, "syn", false)) {
		uint32_t psn = (uint32_t)craft_value(c, "psn", false);

		if (!craft_is_set(c, "start_psn", false))
			craft_default(c, "psn_offset", false,
				      starts_space(c)
					      ? 0
					      : (psn - c->s->pdc->tx_start) &
							0xfff);
	} else {
		craft_default(c, "dpdcid", false, c->s->pdc->dpdcid);
	}
}

static void craft_request_defaults(struct craft *c)
{
	craft_default(c, "psn", false, c->s->pdc->tx_next);
	ids(c);
	if (!craft_is_set(c, "clear_psn_offset", false))
		craft_default(c, "clear_psn", false,
			      craft_value(c, "syn", false) && starts_space(c)
				      ? (uint32_t)craft_value(c, "psn", false) -
						1
				      : c->s->pdc->tx_acked);
}

/*
 * CACK_PSN does not stay behind what the device has cleared (uet.md 7.2).  A
 * line that names PDCIDs itself may be about a PDC that the scope does not
 * know.
 */
static void craft_raise_cack(struct craft *c)
{
	const struct scope_pdc *pdc = c->s->pdc;

	if (!c->s->lawful || !pdc->clears ||
	    serial_after(pdc->rx_clear, pdc->rx_cum) ||
	    craft_is_set(c, "spdcid", false) ||
	    craft_is_set(c, "dpdcid", false) ||
	    !craft_is_set(c, "cack_psn", false))
		return;
	if (serial_before((uint32_t)craft_value(c, "cack_psn", false),
			  pdc->rx_clear))
		craft_put(c, "cack_psn", false, pdc->rx_clear);
}

static void craft_ack_defaults(struct craft *c)
{
	uint32_t ack;

	craft_raise_cack(c);
	craft_default(c, "cack_psn", false, c->s->pdc->rx_cum);
	if (craft_value(c, "cc_type", false) == PDS_CC_NSCC)
		craft_default(c, "rcvd_bytes", false,
			      (c->s->pdc->rx_bytes + 255) >> 8 & 0xffffff);
	craft_default(c, "ooo_count", false, OOO_COUNT_NONE);
	if (!craft_is_set(c, "ack_psn_offset", false) &&
	    !craft_value(c, "p", false))
		craft_default(c, "ack_psn", false, c->s->pdc->rx_last);
	ids(c);
	if (craft_is_set(c, "ack_psn", false))
		ack = (uint32_t)craft_value(c, "ack_psn", false);
	else
		ack = c->s->pdc->rx_last;
	craft_find_answered(c, ack);
	if (!craft_value(c, "p", false))
		craft_echo_retx(c);
}

/*
 * Sets the pkt_id of the RUDI request that is answered, and finds its newest
 * copy.
 */
static void rudi_defaults(struct craft *c, const char *field)
{
	craft_default(c, field, false, c->s->rx_pkt_id);
	craft_answers(c,
		      scope_pkt_find(c->s, false,
				     (uint32_t)craft_value(c, field, false)));
	craft_echo_retx(c);
}

static void nack_defaults(struct craft *c)
{
	if (craft_value(c, "nt", false)) {
		rudi_defaults(c, "nack_pkt_id");
		return;
	}
	craft_default(c, "nack_psn", false, c->s->pdc->rx_last);
	ids(c);
	craft_find_answered(c, (uint32_t)craft_value(c, "nack_psn", false));
	craft_echo_retx(c);
}

static bool tells_mode(struct craft *c)
{
	const uint64_t ctl_type = craft_value(c, "ctl_type", false);

	return ctl_type == PDS_CP_NOOP || ctl_type == PDS_CP_NEGOTIATION;
}

/* Table 3-38: NOOP, both closes and Negotiation use up a PSN. */
static void cp_defaults(struct craft *c)
{
	switch (craft_value(c, "ctl_type", false)) {
	case PDS_CP_NOOP:
	case PDS_CP_CLOSE_COMMAND:
	case PDS_CP_CLOSE_REQUEST:
	case PDS_CP_NEGOTIATION:
		craft_default(c, "psn", false, c->s->pdc->tx_next);
		break;
	case PDS_CP_CLEAR_COMMAND:
		craft_default(c, "clear_psn", false, c->s->pdc->tx_acked);
		break;
	case PDS_CP_CLEAR_REQUEST:
		craft_default(c, "clear_psn", false, c->s->pdc->rx_cum);
		break;
	case PDS_CP_PROBE:
		craft_default(c, "sack_psn", false, c->s->pdc->tx_acked + 1);
		break;
	default:
		break;
	}
	if (tells_mode(c))
		craft_default(c, "isrod", false, c->s->pdc->rod);
	ids(c);
}

/*
 * In "each packet of N" a request says the place of its packet, and a read
 * asks for the part there.
 */
static void craft_each_defaults(struct craft *c)
{
	const uint64_t *at = scope_find(c->s, "at");
	const uint64_t *piece = at ? scope_find(c->s, "piece") : NULL;
	const uint64_t *som = piece ? scope_find(c->s, "som") : NULL;
	const uint64_t *eom = som ? scope_find(c->s, "eom") : NULL;
	const uint64_t *whole = eom ? scope_find(c->s, "whole") : NULL;

	if (!whole)
		return;
	craft_default(c, "som", true, *som);
	craft_default(c, "eom", true, *eom);
	craft_default(c, "request_length", true, *whole);
	if (craft_value(c, "som", true))
		return;
	craft_default(c, "message_offset", true, *at);
	if (craft_value(c, "opcode", true) == SES_READ)
		craft_default(c, "payload_length", true, *piece);
}

static void ses_request_defaults(struct craft *c)
{
	const struct decl *d = c->s->decl;
	uint64_t opcode = craft_value(c, "opcode", true);
	bool rma = opcode >= SES_WRITE && opcode <= SES_FETCHING_ATOMIC;

	craft_default(c, "job_id", true, d->job_id);
	craft_default(c, "pid_on_fep", true, d->pid_on_fep);
	craft_default(c, "resource_index", true, d->resource_index);
	craft_default(c, "ri_generation", true, d->ri_generation);
	craft_default(c, "initiator", true, d->initiator);
	if (rma) {
		craft_default(c, "match_bits", true, d->memory_key);
		craft_default(c, "buffer_offset", true, d->memory_offset);
	}
	craft_each_defaults(c);
	craft_default(c, "request_length", true, c->payload_len);
	if (!craft_value(c, "som", true) && strcmp(c->rung->ses, "std") == 0)
		craft_default(c, "payload_length", true, c->payload_len);
}

/* Returns the payload length of the answered request, for modified_length. */
static uint64_t answered_length(const struct craft *c)
{
	struct packet pkt;

	if (!c->answered)
		return 0;
	record_packet(c->s->record, c->answered, &pkt);
	return pkt.len - pkt.payload;
}

static void ses_response_defaults(struct craft *c)
{
	bool data = strcmp(c->rung->ses, "response") != 0;
	bool own;

	craft_default(c, "opcode", true,
		      data ? SES_RESPONSE_W_DATA : SES_RESPONSE);
	own = craft_value(c, "opcode", true) != SES_DEFAULT_RESPONSE;
	craft_default(c, "return_code", true, own ? RC_OK : RC_NULL);
	craft_default(c, "job_id", true, c->s->decl->job_id);
	craft_default(c, "payload_length", true, c->payload_len);
	if (own)
		craft_default(c, "modified_length", true,
			      data ? c->payload_len : answered_length(c));
}

void craft_pds_defaults(struct craft *c)
{
	if (craft_is_request(c))
		craft_request_defaults(c);
	else if (craft_is_ack(c))
		craft_ack_defaults(c);
	else if (craft_is_nack(c))
		nack_defaults(c);
	else if (craft_type_is(c, "cp", NULL, NULL))
		cp_defaults(c);
	else if (craft_type_is(c, "rudi_req", NULL, NULL))
		craft_default(c, "pkt_id", false, c->s->tx_pkt_id);
	else if (craft_type_is(c, "rudi_resp", NULL, NULL))
		rudi_defaults(c, "pkt_id");
}

int craft_ses_defaults(struct craft *c)
{
	if (c->rung->body == BODY_SAME)
		return craft_cause(c);
	if (!c->rung->ses)
		return 0;
	if (strncmp(c->rung->ses, "response", 8) == 0) {
		ses_response_defaults(c);
		return 0;
	}
	ses_request_defaults(c);
	return craft_cause(c);
}
