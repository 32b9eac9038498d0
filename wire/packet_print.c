/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_print.c -- a packet as the rung that would send it.
 *
 *	WORD bare-word psn-like fields, other fields | SESWORD ... | data N !
 *fault
 *
 * Zero is the default of the case language, so zeroes are not printed, except
 * for the numbers that make a ladder readable.  Where a sum is known
 * (clear_psn) the offset is not printed; where a word implies a value (type,
 * next_hdr) neither.
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#include "wire/packet.h"

#include <inttypes.h>
#include <string.h>

#include "wire/ib.h"
#include "wire/ib_packet.h"
#include "wire/packet_layout.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

struct printer {
	struct text *t;
	const struct packet *pkt;
	enum packet_style style;
	const struct packet_psn_names *names;
};

static bool listed(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

/* Printed as a bare word after the header's. */
static const char *const bare[] = {"ctl_type", "nack_code", "opcode", NULL};

/* Printed next, in this order, zero or not. */
static const char *const lead[] = {"psn",         "clear_psn", "start_psn",
				   "ack_psn",     "cack_psn",  "nack_psn",
				   "nack_pkt_id", "pkt_id",    "sack_psn",
				   "cack",        "lup",       NULL};

/* What the words of a packet imply, and offsets whose sum is printed. */
static const char *const silent[] = {
	"type",           "clear_psn_offset", "psn_offset",
	"ack_psn_offset", "sack_psn_offset",  NULL};

/* What PACKET_BRIEF leaves out. */
static const char *const brief_silent[] = {
	"spdcid",
	"dpdcid",
	"pdc_info",
	"job_id",
	"pid_on_fep",
	"resource_index",
	"ri_generation",
	"initiator",
	"match_bits",
	"buffer_offset",
	"header_data",
	"version",
	"request_length",
	"payload_length",
	"message_offset",
	"modified_length",
	"ack_ccx_state_hi",
	"ack_ccx_state_lo",
	"pkey",
	"ver",
	"rkey",
	"va",
	"qkey",
	"src_qp",
	"dest_qp",
	NULL,
};

static bool brief_silent_header(const struct header *h)
{
	return h == &pds_nscc_header || h == &pds_credit_header ||
	       h == &pds_cc_state_header || h == &ses_rendezvous_header ||
	       h == &ses_cswap_header;
}

static void print_psn(struct printer *pr, const char *name, uint64_t v)
{
	const struct packet_psn_names *n = pr->names;
	uint32_t psn = (uint32_t)v;

	if (n && n->show)
		psn = n->show(n->ctx, pr->pkt, name, psn);
	text_printf(pr->t, " %s=%" PRIu32, name, psn);
}

static void print_field(struct printer *pr, const struct field *f, uint64_t v)
{
	const char *word;

	switch (f->kind) {
	case FIELD_FLAG:
		text_printf(pr->t, " %s", f->name);
		break;
	case FIELD_ENUM:
		word = value_find(f->names, v);
		if (word)
			text_printf(pr->t, " %s=%s", f->name, word);
		else
			text_printf(pr->t, " %s=%" PRIu64, f->name, v);
		break;
	case FIELD_SEQ:
		print_psn(pr, f->name, v);
		break;
	case FIELD_SINT:
		text_printf(pr->t, " %s=%" PRId64, f->name, (int64_t)v);
		break;
	case FIELD_ID:
		text_printf(pr->t, " %s=0x%" PRIx64, f->name, v);
		break;
	case FIELD_UINT:
	case FIELD_RSVD:
		text_printf(pr->t, " %s=%" PRIu64, f->name, v);
		break;
	}
}

/* What a response's opcode is when nobody says it. */
static bool usual_opcode(const struct header *h, uint64_t opcode)
{
	if (h == &ses_response_header)
		return opcode == SES_RESPONSE;
	return (h == &ses_response_data_header ||
		h == &ses_response_data_small_header) &&
	       opcode == SES_RESPONSE_W_DATA;
}

static void print_bare(struct printer *pr, unsigned sec)
{
	const struct section *s = &pr->pkt->sec[sec];

	for (size_t i = 0; i < s->h->nfields; i++) {
		const struct field *f = &s->h->fields[i];
		uint64_t v = field_get(f, pr->pkt->p + s->at);
		const char *word;

		if (s->h == &bth_header && pr->pkt->fault != PACKET_TYPE)
			continue; /* the opcode is the packet's word */
		if (!listed(bare, f->name) ||
		    (pr->style == PACKET_BRIEF && usual_opcode(s->h, v)))
			continue;
		word = value_find(f->names, v);
		if (word)
			text_printf(pr->t, " %s", word);
		else
			text_printf(pr->t, " %s=0x%02" PRIx64, f->name, v);
	}
}

/* Some numbers lead but say nothing when they are zero. */
static bool lead_is_idle(const struct printer *pr, const char *name,
			 const struct packet_ref *ref, uint64_t v)
{
	if (ref->derived == &layout_sack)
		return !layout_get(pr->pkt, ref->sec, "sack_bitmap") &&
		       !layout_get(pr->pkt, ref->sec, "sack_psn_offset");
	return !strcmp(name, "psn") && !v && pr->pkt->family == PACKET_UET &&
	       pds_type_of(pr->pkt->p) == PDS_CP;
}

static void print_lead(struct printer *pr, unsigned from, unsigned to)
{
	for (const char *const *name = lead; *name; name++) {
		struct packet_ref ref;
		uint64_t v;

		if (!packet_find(pr->pkt, from, to, *name, strlen(*name), &ref))
			continue;
		v = packet_get(pr->pkt, &ref);
		if (lead_is_idle(pr, *name, &ref, v))
			continue;
		if (ref.derived)
			print_psn(pr, *name, v);
		else
			print_field(pr, ref.field, v);
	}
}

/* What fills the payload up to 4 bytes. */
static size_t usual_pad(const struct packet *pkt)
{
	return (ib_packet_pad(pkt) - (pkt->len - pkt->payload)) & 3;
}

static bool left_out(const struct printer *pr, const struct section *s,
		     const struct field *f, uint64_t v)
{
	if (!v || listed(bare, f->name) || listed(lead, f->name) ||
	    listed(silent, f->name))
		return true;
	if (s->h == &bth_header && !strcmp(f->name, "pad"))
		return v == usual_pad(pr->pkt);
	if (!strcmp(f->name, "next_hdr"))
		return pr->pkt->nses < pr->pkt->nsec; /* the words say it */
	if (pr->style != PACKET_BRIEF)
		return false;
	return brief_silent_header(s->h) || listed(brief_silent, f->name) ||
	       (!strcmp(f->name, "return_code") && v == RC_OK);
}

static void print_rest(struct printer *pr, unsigned sec)
{
	const struct section *s = &pr->pkt->sec[sec];

	for (size_t i = 0; i < s->h->nfields; i++) {
		const struct field *f = &s->h->fields[i];
		uint64_t v = field_get(f, pr->pkt->p + s->at);

		if (!left_out(pr, s, f, v))
			print_field(pr, f, v);
	}
}

static void print_part(struct printer *pr, unsigned from, unsigned to)
{
	if (from == to)
		return;
	print_bare(pr, from);
	print_lead(pr, from, to);
	for (unsigned i = from; i < to; i++)
		print_rest(pr, i);
}

#define BRIEF_BYTES 16

static size_t packet_pad(const struct packet *pkt)
{
	return pkt->family == PACKET_IB ? ib_packet_pad(pkt) : 0;
}

/* What lies behind the last whole header; all of it if there is none. */
static void print_payload(struct printer *pr)
{
	const struct packet *pkt = pr->pkt;
	size_t n = pkt->len - pkt->payload - packet_pad(pkt);
	bool cut = pr->style == PACKET_BRIEF && n > BRIEF_BYTES;

	if (!n)
		return;
	if (pkt->nsec) {
		text_printf(pr->t, " | data %zu", n);
		return;
	}
	text_puts(pr->t, " | bytes ");
	text_hex(pr->t, pkt->p, cut ? BRIEF_BYTES : n);
	if (cut)
		text_puts(pr->t, " ...");
}

static void print_fault(struct printer *pr)
{
	const struct packet *pkt = pr->pkt;

	if (pkt->fault == PACKET_OK)
		return;
	text_printf(pr->t, " ! %s", packet_fault_name(pkt->fault));
	if (pkt->fault == PACKET_SHORT)
		text_printf(pr->t, " %s", pkt->fault_header->name);
}

void packet_print(struct text *t, const struct packet *pkt,
		  enum packet_style style, const struct packet_psn_names *names)
{
	struct printer pr = {t, pkt, style, names};

	text_puts(t, packet_word(pkt));
	print_part(&pr, 0, pkt->nses);
	if (pkt->nses < pkt->nsec) {
		text_printf(t, " | %s", pkt->sec[pkt->nses].h->name);
		print_part(&pr, pkt->nses, pkt->nsec);
	}
	print_payload(&pr);
	print_fault(&pr);
}
