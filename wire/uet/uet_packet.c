/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_packet.c -- finds the headers of a UET packet.
 *
 * shapes[] lists the slots that follow each pds.type, ses_slots[] the headers
 * that next_hdr selects.  The parser here and the builder (uet_build.c) use the
 * same tables.
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#include "wire/uet/uet_packet.h"

#include <assert.h>
#include <string.h>

#include "base/hot.h"
#include "base/word.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

#define VARIANTS(...) ((const struct header *const[]){__VA_ARGS__, NULL})

static const uint8_t *here(const struct packet *pkt)
{
	return pkt->p + pkt->payload;
}

static const uint8_t *before(const struct packet *pkt)
{
	return pkt->p + pkt->sec[pkt->nsec - 1].at;
}

static unsigned pick_req(const struct packet *pkt)
{
	struct pds_req h;

	pds_req_get(&h, here(pkt));
	return h.syn;
}

static unsigned pick_ack(const struct packet *pkt)
{
	struct pds_ack h;

	pds_ack_get(&h, here(pkt));
	return h.p;
}

static unsigned pick_nack(const struct packet *pkt)
{
	struct pds_nack h;

	pds_nack_get(&h, here(pkt));
	return h.nt;
}

static unsigned pick_cp(const struct packet *pkt)
{
	struct pds_cp h;

	pds_cp_get(&h, here(pkt));
	return h.syn;
}

static unsigned pick_tss(const struct packet *pkt)
{
	struct tss h;

	tss_get(&h, here(pkt));
	return h.sp;
}

static unsigned pick_cc_state(const struct packet *pkt)
{
	struct pds_ack_cc h;

	pds_ack_cc_get(&h, before(pkt));
	if (h.cc_type <= PDS_CC_CREDIT)
		return h.cc_type;
	return PDS_CC_CREDIT + 1u;
}

enum cp_tail {
	CP_TAIL_PLAIN,
	CP_TAIL_ACK_REQUEST,
	CP_TAIL_CLEAR,
	CP_TAIL_PROBE,
	CP_TAIL_CREDIT,
	CP_TAIL_CREDIT_REQUEST,
	CP_TAIL_NEGOTIATION,
};

static const uint8_t cp_tails[16] = {
	[PDS_CP_ACK_REQUEST] = CP_TAIL_ACK_REQUEST,
	[PDS_CP_CLEAR_COMMAND] = CP_TAIL_CLEAR,
	[PDS_CP_CLEAR_REQUEST] = CP_TAIL_CLEAR,
	[PDS_CP_PROBE] = CP_TAIL_PROBE,
	[PDS_CP_CREDIT] = CP_TAIL_CREDIT,
	[PDS_CP_CREDIT_REQUEST] = CP_TAIL_CREDIT_REQUEST,
};

/* Before 1.0.3 the last 4 bytes of a Negotiation CP have no meaning. */
static bool negotiates(const struct packet *pkt)
{
	struct cp_negotiation h;

	if (pkt->len - pkt->payload < cp_negotiation_len)
		return false;
	cp_negotiation_get(&h, here(pkt));
	return h.neg_type || h.neg_length;
}

static unsigned pick_cp_tail(const struct packet *pkt)
{
	struct pds_cp h;

	pds_cp_get(&h, before(pkt));
	if (h.ctl_type == PDS_CP_NEGOTIATION && negotiates(pkt))
		return CP_TAIL_NEGOTIATION;
	return cp_tails[h.ctl_type];
}

enum std_form { STD_SOM, STD_REST, STD_DEFERRABLE, STD_RTR };

static const uint8_t std_forms[64] = {
	[SES_DEFERRABLE_SEND] = STD_DEFERRABLE,
	[SES_DEFERRABLE_TSEND] = STD_DEFERRABLE,
	[SES_DEFERRABLE_RTR] = STD_RTR,
};

static unsigned pick_std(const struct packet *pkt)
{
	struct ses_std_som h;

	ses_std_som_get(&h, here(pkt));
	if (h.som)
		return std_forms[h.opcode];
	return STD_REST;
}

static unsigned pick_medium(const struct packet *pkt)
{
	struct ses_medium h;

	ses_medium_get(&h, here(pkt));
	return h.hd;
}

/* clang-format off */
#define SLOT(name, pick, before, ...)					\
	static const struct slot name = {VARIANTS(__VA_ARGS__), pick, before}

SLOT(slot_tss,      pick_tss,      false, &tss_header, &tss_ssi_header);
SLOT(slot_req,      pick_req,      false, &pds_req_header,
					  &pds_req_syn_header);
SLOT(slot_req_cc,   NULL,          false, &pds_req_cc_header);
SLOT(slot_ack,      pick_ack,      false, &pds_ack_header,
					  &pds_ack_probe_header);
SLOT(slot_ack_cc,   NULL,          false, &pds_ack_cc_header);
SLOT(slot_cc_state, pick_cc_state, true,  &pds_nscc_header, &pds_credit_header,
					  &pds_cc_state_header);
SLOT(slot_ack_ccx,  NULL,          false, &pds_ack_ccx_header);
SLOT(slot_nack,     pick_nack,     false, &pds_nack_header,
					  &pds_nack_rudi_header);
SLOT(slot_nack_ccx, NULL,          false, &pds_nack_ccx_header);
SLOT(slot_cp,       pick_cp,       false, &pds_cp_header, &pds_cp_syn_header);
SLOT(slot_cp_tail,  pick_cp_tail,  true,  &cp_payload_header,
					  &cp_ack_request_header,
					  &cp_clear_header, &cp_probe_header,
					  &cp_credit_header,
					  &cp_credit_request_header,
					  &cp_negotiation_header);
SLOT(slot_rudi_req,  NULL,         false, &rudi_req_header);
SLOT(slot_rudi_resp, NULL,         false, &rudi_resp_header);
SLOT(slot_uud,       NULL,         false, &uud_req_header);

#define NEXT(word) (1u << PDS_NEXT_##word)
#define NEXT_REQ (NEXT(NONE) | NEXT(REQUEST_SMALL) | NEXT(REQUEST_MEDIUM) | \
		  NEXT(REQUEST_STD))
#define NEXT_DATA (NEXT(RESPONSE_DATA) | NEXT(RESPONSE_DATA_SMALL))
#define NEXT_RESP (NEXT(NONE) | NEXT(RESPONSE) | NEXT_DATA)
#define NEXT_ACK (NEXT_RESP | NEXT(CP_ACK))

static const struct shape shapes[32] = {
	[PDS_TSS]        = {{&slot_tss}, 0},
	[PDS_RUD_REQ]    = {{&slot_req}, NEXT_REQ | NEXT_DATA},
	[PDS_ROD_REQ]    = {{&slot_req}, NEXT_REQ | NEXT_DATA},
	[PDS_RUDI_REQ]   = {{&slot_rudi_req}, NEXT_REQ},
	[PDS_RUDI_RESP]  = {{&slot_rudi_resp}, NEXT_RESP},
	[PDS_UUD_REQ]    = {{&slot_uud}, NEXT_REQ},
	[PDS_ACK]        = {{&slot_ack}, NEXT_ACK},
	[PDS_ACK_CC]     = {{&slot_ack, &slot_ack_cc, &slot_cc_state},
			    NEXT_ACK},
	[PDS_ACK_CCX]    = {{&slot_ack, &slot_ack_ccx}, NEXT_ACK},
	[PDS_NACK]       = {{&slot_nack}, NEXT(NONE)},
	[PDS_CP]         = {{&slot_cp, &slot_cp_tail}, 0},
	[PDS_NACK_CCX]   = {{&slot_nack, &slot_nack_ccx}, NEXT(NONE)},
	[PDS_RUD_CC_REQ] = {{&slot_req, &slot_req_cc}, NEXT_REQ | NEXT_DATA},
	[PDS_ROD_CC_REQ] = {{&slot_req, &slot_req_cc}, NEXT_REQ | NEXT_DATA},
};

static const struct slot ses_slots[16] = {
	[PDS_NEXT_REQUEST_SMALL] = {
		VARIANTS(&ses_small_header), NULL, false},
	[PDS_NEXT_REQUEST_MEDIUM] = {
		VARIANTS(&ses_medium_header, &ses_medium_hd_header),
		pick_medium, false},
	[PDS_NEXT_REQUEST_STD] = {
		VARIANTS(&ses_std_som_header, &ses_std_header,
			 &ses_std_deferrable_header, &ses_std_rtr_header),
		pick_std, false},
	[PDS_NEXT_RESPONSE] = {
		VARIANTS(&ses_response_header), NULL, false},
	[PDS_NEXT_RESPONSE_DATA] = {
		VARIANTS(&ses_response_data_header), NULL, false},
	[PDS_NEXT_RESPONSE_DATA_SMALL] = {
		VARIANTS(&ses_response_data_small_header), NULL, false},
};
/* clang-format on */

/* The extension that a request opcode requires. */
enum ses_ext { EXT_NONE, EXT_ATOMIC, EXT_RENDEZVOUS };

static const uint8_t ses_exts[64] = {
	[SES_ATOMIC] = EXT_ATOMIC,
	[SES_FETCHING_ATOMIC] = EXT_ATOMIC,
	[SES_TSEND_ATOMIC] = EXT_ATOMIC,
	[SES_TSEND_FETCH_ATOMIC] = EXT_ATOMIC,
	[SES_RENDEZVOUS_SEND] = EXT_RENDEZVOUS,
	[SES_RENDEZVOUS_TSEND] = EXT_RENDEZVOUS,
};

const struct header *const layout_exts[] = {
	&ses_atomic_header,
	&ses_cswap_header,
	&ses_rendezvous_header,
	NULL,
};

const struct derived layout_sack =
	DERIVED_ROW("sack_psn", "cack_psn", "sack_psn_offset", +1);

static bool layout_is_request(unsigned next_hdr)
{
	return next_hdr >= PDS_NEXT_REQUEST_SMALL &&
	       next_hdr <= PDS_NEXT_REQUEST_STD;
}

bool layout_has_sack(const struct header *h)
{
	return h == &pds_ack_cc_header || h == &pds_ack_ccx_header;
}

/* ---- Bytes to sections ---- */

static bool layout_take_slot(struct packet *pkt, const struct slot *slot)
{
	const struct header *h = slot->variants[0];

	if (slot->pick && (slot->before || pkt->len - pkt->payload >= h->len))
		h = slot->variants[slot->pick(pkt)];
	return packet_take(pkt, h);
}

bool layout_pds(struct packet *pkt, const struct shape *shape)
{
	for (unsigned i = 0; i < SHAPE_SLOTS && shape->slots[i]; i++)
		if (!layout_take_slot(pkt, shape->slots[i]))
			return false;
	return true;
}

static void lay_atomic(struct packet *pkt)
{
	struct ses_atomic h;

	if (!packet_take(pkt, &ses_atomic_header))
		return;
	ses_atomic_get(&h, before(pkt));
	if (h.amo_opcode >= AMO_CSWAP && h.amo_opcode <= AMO_CSWAP_GT)
		packet_take(pkt, &ses_cswap_header);
}

void layout_ses(struct packet *pkt, unsigned next_hdr)
{
	struct ses_small h; /* every request begins with the same fields */

	if (!layout_take_slot(pkt, &ses_slots[next_hdr]) ||
	    !layout_is_request(next_hdr))
		return;
	ses_small_get(&h, before(pkt));
	if (ses_exts[h.opcode] == EXT_ATOMIC)
		lay_atomic(pkt);
	else if (ses_exts[h.opcode] == EXT_RENDEZVOUS && h.som)
		packet_take(pkt, &ses_rendezvous_header);
}

static void lay_next(struct packet *pkt, const struct shape *shape,
		     unsigned next_hdr)
{
	if (!(shape->next >> next_hdr & 1))
		pkt->fault = PACKET_NEXT_HDR;
	else if (ses_slots[next_hdr].variants)
		layout_ses(pkt, next_hdr);
}

static void layout_begin(struct packet *ret, const uint8_t *p, size_t len)
{
	ret->p = p;
	ret->len = len;
	ret->nsec = ret->nses = 0;
	ret->payload = 0;
	ret->fault = PACKET_OK;
	ret->fault_header = NULL;
	ret->format = &uet_format;
	ret->known = NULL;
}

void layout_parse(struct packet *ret, const uint8_t *p, size_t len)
{
	const struct shape *shape;
	struct pds_prologue h;

	layout_begin(ret, p, len);
	if (len < pds_prologue_len) {
		ret->fault = PACKET_SHORT;
		ret->fault_header = &pds_prologue_header;
		return;
	}
	pds_prologue_get(&h, p);
	shape = &shapes[h.type];
	if (!shape->slots[0])
		ret->fault = PACKET_TYPE;
	else if (layout_pds(ret, shape)) {
		ret->nses = ret->nsec;
		if (shape->next)
			lay_next(ret, shape, h.next_hdr);
		else if (h.type == PDS_TSS)
			ret->fault = PACKET_ENCRYPTED;
		return;
	}
	ret->nses = ret->nsec;
}

/* ---- The most common packets, without the tables ---- */

static void put_two(struct packet *ret, const struct header *pds,
		    const struct header *ses)
{
	ret->sec[0].h = pds;
	ret->sec[0].at = 0;
	ret->sec[1].h = ses;
	ret->sec[1].at = (uint16_t)pds->len;
	ret->nses = 1;
	ret->nsec = 2;
	ret->payload = pds->len + ses->len;
}

/* Parses a request with a standard header and without extensions. */
static bool plain_request(struct packet *ret)
{
	struct pds_req pds;
	struct ses_std_som ses;

	if (unlikely(ret->len < pds_req_len + ses_std_som_len))
		return false;
	pds_req_get(&pds, ret->p);
	ses_std_som_get(&ses, ret->p + pds_req_len);
	if (unlikely(pds.next_hdr != PDS_NEXT_REQUEST_STD ||
		     ses_exts[ses.opcode] || std_forms[ses.opcode]))
		return false;
	put_two(ret, unlikely(pds.syn) ? &pds_req_syn_header : &pds_req_header,
		likely(ses.som) ? &ses_std_som_header : &ses_std_header);
	return true;
}

/* Parses an ACK with a response. */
static bool plain_ack(struct packet *ret)
{
	struct pds_ack pds;

	if (unlikely(ret->len < pds_ack_len + ses_response_len))
		return false;
	pds_ack_get(&pds, ret->p);
	if (unlikely(pds.next_hdr != PDS_NEXT_RESPONSE))
		return false;
	put_two(ret, unlikely(pds.p) ? &pds_ack_probe_header : &pds_ack_header,
		&ses_response_header);
	return true;
}

static bool layout_is_plain(struct packet *ret)
{
	switch (pds_type_of(ret->p)) {
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
		return plain_request(ret);
	case PDS_ACK:
		return plain_ack(ret);
	default:
		return false;
	}
}

HOT void uet_packet_parse(struct packet *ret, const uint8_t *p, size_t len)
{
	layout_begin(ret, p, len);
	if (unlikely(len < pds_prologue_len || !layout_is_plain(ret)))
		layout_parse(ret, p, len);
}

const char *uet_packet_word(const struct packet *pkt)
{
	const char *word = NULL;

	if (pkt->len >= pds_prologue_len)
		word = value_find(pds_types, pds_type_of(pkt->p));
	if (word)
		return word;
	return "unknown";
}

bool uet_packet_is_word(const char *word)
{
	uint64_t type;

	return layout_shape(word, &type) != NULL;
}

/* ---- Values by name ---- */

uint64_t uet_packet_across_get(const struct packet *pkt, unsigned sec)
{
	return (uint32_t)(packet_section_value(pkt, sec - 1, "cack_psn") +
			  packet_section_value(pkt, sec, "sack_psn_offset"));
}

static const struct derived *uet_derived(const struct header *h,
					 const char *name, size_t len)
{
	if (layout_has_sack(h) && word_equal(layout_sack.name, name, len))
		return &layout_sack;
	return header_derived(h, name, len);
}

bool uet_packet_is_idle(const struct packet *pkt, const struct packet_ref *ref,
			uint64_t v)
{
	if (ref->derived == &layout_sack)
		return !packet_section_value(pkt, ref->sec, "sack_bitmap") &&
		       !packet_section_value(pkt, ref->sec, "sack_psn_offset");
	return !v && ref->field && pds_type_of(pkt->p) == PDS_CP &&
	       !strcmp(ref->field->name, "psn");
}

static bool variants_have(const struct header *const *h, const char *name,
			  size_t len, const struct field **ret)
{
	const unsigned hash = len ? field_name_hash(name, len) : 0;
	bool derived = false;

	for (; *h; h++) {
		const struct field *f =
			len ? header_field_hashed(*h, name, len, hash) : NULL;

		if (f) {
			if (ret)
				*ret = f;
			return true;
		}
		derived |= uet_derived(*h, name, len) != NULL;
	}
	if (derived && ret)
		*ret = NULL;
	return derived;
}

unsigned layout_ses_code(const char *word)
{
	for (unsigned i = 0; word && i < 16; i++)
		if (ses_slots[i].variants &&
		    word_same(ses_slots[i].variants[0]->name, word))
			return i;
	return 0;
}

const struct shape *layout_shape(const char *word, uint64_t *ret_type)
{
	if (!word || value_parse(pds_types, word, strlen(word), ret_type))
		return NULL;
	return &shapes[*ret_type];
}

bool uet_packet_has(const char *type, const char *ses_word, bool ses,
		    const char *name, size_t len, const struct field **ret)
{
	const struct shape *shape;
	uint64_t code;
	unsigned next;

	if (ses) {
		next = layout_ses_code(ses_word);
		return next && (variants_have(ses_slots[next].variants, name,
					      len, ret) ||
				(layout_is_request(next) &&
				 variants_have(layout_exts, name, len, ret)));
	}
	shape = layout_shape(type, &code);
	for (unsigned i = 0; shape && i < SHAPE_SLOTS && shape->slots[i]; i++)
		if (variants_have(shape->slots[i]->variants, name, len, ret))
			return true;
	return false;
}
