/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/space.c -- maps a PSN field to its space, and converts between
 * live PSNs and those of the figure.
 *
 * psn_figure_text() finds PSNs in the text of a finding by the words before
 * them.
 */
#include "suite/verdict/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/serial.h"
#include "base/word.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/uet/uet_pds.h"

static enum psn_space space_of(bool forward)
{
	if (forward)
		return SPACE_FORWARD;
	return SPACE_RETURN;
}

/*
 * A Clear Request refers to the peer's requests, any other control packet to
 * the sender's own.  The psn field is no PSN where table 3-38 says 0.
 */
static enum psn_space cp_space(const struct packet *pkt, const char *field,
			       bool initiator)
{
	uint64_t ctl = 0;

	packet_value(pkt, "ctl_type", &ctl);
	switch (ctl) {
	case PDS_CP_CLEAR_COMMAND:
	case PDS_CP_CLEAR_REQUEST:
		if (strcmp(field, "clear_psn") != 0)
			return SPACE_NONE;
		return space_of(initiator == (ctl == PDS_CP_CLEAR_COMMAND));
	case PDS_CP_CREDIT:
	case PDS_CP_CREDIT_REQUEST:
		return SPACE_NONE;
	case PDS_CP_PROBE:
		if (word_same(field, "psn"))
			return SPACE_NONE;
		return space_of(initiator);
	default:
		return space_of(initiator);
	}
}

/* The payload of a NACK is a PSN for two codes only (uet.md 4.3). */
static enum psn_space nack_space(const struct packet *pkt, const char *field,
				 bool initiator)
{
	uint64_t code = 0;

	packet_value(pkt, "nack_code", &code);
	if (word_same(field, "payload") && code != NACK_ROD_OOO &&
	    code != NACK_NEW_START_PSN)
		return SPACE_NONE;
	return space_of(!initiator);
}

static bool is_ib_answer(uint8_t opcode)
{
	return opcode == IB_WQE_ACK || opcode == IB_WQE_RTX_IND ||
	       opcode >= IB_SRD_ACK;
}

/* PSNs of a context's requests and answers are in its own space. */
static enum psn_space ib_space(const struct packet *pkt, bool initiator)
{
	if (pkt->len)
		return space_of(initiator == !is_ib_answer(pkt->p[0]));
	return SPACE_NONE;
}

enum psn_space psn_space_of(const struct packet *pkt, const char *field,
			    bool initiator)
{
	if (pkt->format == &ib_format)
		return ib_space(pkt, initiator);
	if (pkt->len < pds_prologue_len)
		return SPACE_NONE;
	if (word_same(field, "original_request_psn"))
		return SPACE_FORWARD;
	switch (pds_type_of(pkt->p)) {
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
		return space_of(initiator);
	case PDS_ACK:
	case PDS_ACK_CC:
	case PDS_ACK_CCX:
		return space_of(!initiator);
	case PDS_NACK:
	case PDS_NACK_CCX:
		return nack_space(pkt, field, initiator);
	case PDS_CP:
		return cp_space(pkt, field, initiator);
	default:
		return SPACE_NONE;
	}
}

uint32_t psn_to_figure(const struct psn_base *base, enum psn_space space,
		       uint32_t psn)
{
	if (base->narrow && space != SPACE_NONE)
		psn = serial24_near(psn, space == SPACE_FORWARD
						 ? base->fwd_live
						 : base->ret_live);
	if (space == SPACE_FORWARD && base->fwd_set)
		return psn - base->fwd_live + base->fwd_figure;
	if (space == SPACE_RETURN && base->ret_set)
		return psn - base->ret_live + base->ret_figure;
	return psn;
}

uint32_t psn_to_live(const struct psn_base *base, enum psn_space space,
		     uint32_t figure)
{
	if (space == SPACE_FORWARD && base->fwd_set)
		return figure - base->fwd_figure + base->fwd_live;
	if (space == SPACE_RETURN && base->ret_set)
		return figure - base->ret_figure + base->ret_live;
	return figure;
}

/* maximum distance from the base for a number of the case */
#define NEAR 0x8000

/* Returns the base with which numbers of a space are shown. */
static struct psn_base shown_base(const struct psn_base *base)
{
	struct psn_base to = *base;

	if (to.ret_set || !to.fwd_set || to.narrow)
		return to;
	to.ret_set = true;
	to.ret_live = to.fwd_live;
	to.ret_figure = to.fwd_figure;
	return to;
}

static bool near_base(const struct psn_base *base, enum psn_space space,
		      unsigned long psn)
{
	uint32_t live =
		space == SPACE_FORWARD ? base->fwd_live : base->ret_live;
	int32_t d;

	if (psn > UINT32_MAX || (space == SPACE_FORWARD && !base->fwd_set) ||
	    (space == SPACE_RETURN && !base->ret_set) || space == SPACE_NONE)
		return false;
	d = serial_diff((uint32_t)psn, live);
	return d > -NEAR && d < NEAR;
}

uint32_t psn_shown(const struct psn_base *base, enum psn_space space,
		   uint32_t psn)
{
	const struct psn_base to = shown_base(base);

	/*
	 * a return number shown with the forward base is a guess: only near the
	 * base
	 */
	if (space == SPACE_RETURN && !base->ret_set &&
	    !near_base(&to, space, psn))
		return psn;
	return psn_to_figure(&to, space, psn);
}

/* Returns true if the word that ends at |end| precedes a PSN. */
static bool announces(const char *text, const char *end)
{
	static const char *const words[] = {
		"psn=",  "psn ", "PSN ",        "payload=", "up to ",
		"from ", " to ", "missing is ", "not send "};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(end - text) >= n &&
		    memcmp(end - n, words[i], n) == 0)
			return true;
	}
	return false;
}

/* Returns true for "return PSN 331", which names the direction. */
static bool names_return(const char *text, const char *end)
{
	static const char word[] = "return PSN ";
	const size_t n = sizeof(word) - 1;

	return (size_t)(end - text) >= n && memcmp(end - n, word, n) == 0;
}

void psn_figure_text(const struct psn_base *base, enum psn_space space,
		     const char *text, bool wire, char *ret, size_t size)
{
	const struct psn_base to = shown_base(base);
	size_t n = 0;

	for (const char *s = text; *s && n + 1 < size;) {
		char *end;
		enum psn_space of;
		unsigned long psn, live;

		if (*s < '0' || *s > '9' || !announces(text, s)) {
			ret[n++] = *s++;
			continue;
		}
		psn = live = strtoul(s, &end, 10);
		if (names_return(text, s))
			of = SPACE_RETURN;
		else
			of = space;
		if (*end != 'x' && near_base(&to, of, live))
			psn = psn_to_figure(&to, of, (uint32_t)live);
		n += (size_t)snprintf(ret + n, size - n,
				      wire && psn != live ? "%lu [%lu]" : "%lu",
				      psn, live);
		if (n >= size)
			n = size - 1;
		s = end;
	}
	ret[n] = 0;
}
