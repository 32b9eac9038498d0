/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_print.c -- prints a packet as the rung that would send it.
 *
 *  WORD bare-word psn-like fields, other fields | SESWORD ... | data N ! fault
 *
 * Zero is the default of the case language, so zeroes are not printed, except
 * for the numbers that make a ladder readable.  An offset is not printed if its
 * sum (clear_psn) is.  A value (type, next_hdr) that a word implies is not
 * printed either.
 *
 * Spec: UET 3.5.10, 3.4.2 (uet.md 2, 3, 5)
 */
#include "wire/packet.h"

#include <inttypes.h>
#include <string.h>

#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

struct printer {
	struct text *t;
	const struct packet *pkt;
	enum packet_style style;
	const struct packet_psn_names *names;
};

static bool brief_silent_header(const struct header *h)
{
	return h == &pds_nscc_header || h == &pds_credit_header ||
	       h == &pds_cc_state_header || h == &ses_rendezvous_header ||
	       h == &ses_cswap_header;
}

/* Appends " name=". */
static void print_name(struct printer *pr, const char *name)
{
	text_add(pr->t, " ", 1);
	text_puts(pr->t, name);
	text_add(pr->t, "=", 1);
}

static void print_psn(struct printer *pr, const char *name, uint64_t v)
{
	const struct packet_psn_names *n = pr->names;
	uint32_t psn = (uint32_t)v;

	if (n && n->show)
		psn = n->show(n->ctx, pr->pkt, name, psn);
	print_name(pr, name);
	text_u64(pr->t, psn);
}

static void print_flag(struct printer *pr, const char *name)
{
	text_add(pr->t, " ", 1);
	text_puts(pr->t, name);
}

static void print_field(struct printer *pr, const struct field *f, uint64_t v)
{
	const char *word;

	if (f->kind == FIELD_FLAG) {
		print_flag(pr, f->name);
		return;
	}
	if (f->kind == FIELD_SEQ) {
		print_psn(pr, f->name, v);
		return;
	}
	print_name(pr, f->name);
	if (f->kind == FIELD_ENUM)
		word = value_find(f->names, v);
	else
		word = NULL;
	if (word)
		text_puts(pr->t, word);
	else if (f->kind == FIELD_SINT)
		text_printf(pr->t, "%" PRId64, (int64_t)v);
	else if (f->kind == FIELD_ID)
		text_x64(pr->t, v);
	else
		text_u64(pr->t, v);
}

/* Returns true for the opcode that a response has by default. */
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

	/* The word of the packet already gives the opcode of a BTH. */
	if (s->h == &bth_header && pr->pkt->fault != PACKET_TYPE)
		return;
	for (size_t i = 0; i < s->h->nfields; i++) {
		const struct field *f = &s->h->fields[i];
		const char *word;
		uint64_t v;

		if (f->show != SHOW_BARE)
			continue;
		v = field_get(f, pr->pkt->p + s->at);
		if (pr->style == PACKET_BRIEF && usual_opcode(s->h, v))
			continue;
		word = value_find(f->names, v);
		if (word)
			print_flag(pr, word);
		else
			text_printf(pr->t, " %s=0x%02" PRIx64, f->name, v);
	}
}

/*
 * Returns true for a leading number that is zero and then carries no
 * information.
 */
static bool lead_is_idle(const struct printer *pr, const struct packet_ref *ref,
			 uint64_t v)
{
	const struct packet_format *format = pr->pkt->format;

	return format->is_idle && format->is_idle(pr->pkt, ref, v);
}

#define LEADS (SHOW_LEADS - SHOW_LEAD + 1)

/* The values printed first, in the order of enum field_show, even if zero. */
struct leads {
	struct packet_ref at[LEADS];
};

static void take_lead(struct leads *l, unsigned show,
		      const struct packet_ref *ref)
{
	struct packet_ref *slot;

	if (show < SHOW_LEAD)
		return;
	slot = &l->at[show - SHOW_LEAD];
	if (!slot->field && !slot->derived)
		*slot = *ref;
}

static void find_fields(struct leads *l, const struct packet *pkt, unsigned sec)
{
	const struct header *h = pkt->sec[sec].h;

	for (size_t i = 0; i < h->nfields; i++) {
		const struct packet_ref ref = {.sec = sec,
					       .field = &h->fields[i]};

		take_lead(l, h->fields[i].show, &ref);
	}
}

/* Derived values come after the fields of all sections. */
static void find_sums(struct leads *l, const struct packet *pkt, unsigned sec)
{
	const struct packet_format *format = pkt->format;
	const struct header *h = pkt->sec[sec].h;

	for (size_t i = 0; i < h->nderived; i++) {
		const struct packet_ref ref = {.sec = sec,
					       .derived = &h->derived[i]};

		take_lead(l, SHOW_OF(h->derived[i].name), &ref);
	}
	if (format->across && format->has_across(h))
		take_lead(l, SHOW_OF(format->across->name),
			  &(struct packet_ref){.sec = sec,
					       .derived = format->across});
}

static void print_leads(struct printer *pr, unsigned from, unsigned to)
{
	struct leads l = {0};

	for (unsigned i = from; i < to; i++)
		find_fields(&l, pr->pkt, i);
	for (unsigned i = from; i < to; i++)
		find_sums(&l, pr->pkt, i);
	for (unsigned i = 0; i < LEADS; i++) {
		const struct packet_ref *ref = &l.at[i];
		const char *name;
		uint64_t v;

		if (!ref->field && !ref->derived)
			continue;
		if (ref->field)
			name = ref->field->name;
		else
			name = ref->derived->name;
		v = packet_get(pr->pkt, ref);
		if (lead_is_idle(pr, ref, v))
			continue;
		if (ref->derived)
			print_psn(pr, name, v);
		else
			print_field(pr, ref->field, v);
	}
}

/* Returns the padding that rounds the payload up to a multiple of 4 bytes. */
static size_t usual_pad(const struct packet *pkt)
{
	return (packet_pad(pkt) - (pkt->len - pkt->payload)) & 3;
}

static bool left_out(const struct printer *pr, const struct field *f,
		     uint64_t v)
{
	const bool brief = pr->style == PACKET_BRIEF;

	switch (f->show) {
	case SHOW_REST:
		return false;
	case SHOW_FULL:
		return brief;
	case SHOW_NEXT:
		return pr->pkt->nses < pr->pkt->nsec;
	case SHOW_RETURN:
		return brief && v == RC_OK;
	case SHOW_PAD:
		return pr->pkt->format->pad && v == usual_pad(pr->pkt);
	}
	return true;
}

static void print_rest(struct printer *pr, unsigned sec)
{
	const struct section *s = &pr->pkt->sec[sec];

	if (pr->style == PACKET_BRIEF && brief_silent_header(s->h))
		return;
	for (size_t i = 0; i < s->h->nfields; i++) {
		const struct field *f = &s->h->fields[i];
		uint64_t v;

		if (f->show >= SHOW_NEVER)
			continue;
		v = field_get(f, pr->pkt->p + s->at);
		if (v && !left_out(pr, f, v))
			print_field(pr, f, v);
	}
}

static void print_part(struct printer *pr, unsigned from, unsigned to)
{
	if (from == to)
		return;
	print_bare(pr, from);
	print_leads(pr, from, to);
	for (unsigned i = from; i < to; i++)
		print_rest(pr, i);
}

#define BRIEF_BYTES 16

/*
 * Prints the bytes after the last complete header; all bytes if there is none.
 */
static void print_payload(struct printer *pr)
{
	const struct packet *pkt = pr->pkt;
	size_t n = pkt->len - pkt->payload - packet_pad(pkt);
	bool cut = pr->style == PACKET_BRIEF && n > BRIEF_BYTES;

	if (!n)
		return;
	if (pkt->nsec) {
		text_puts(pr->t, " | data ");
		text_u64(pr->t, n);
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
		text_puts(t, " | ");
		text_puts(t, pkt->sec[pkt->nses].h->name);
		print_part(&pr, pkt->nses, pkt->nsec);
	}
	print_payload(&pr);
	print_fault(&pr);
}
