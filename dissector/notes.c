/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/notes.c -- expert infos, with the requirement that they are about.
 */
#include "dissector/notes.h"

#include <stdio.h>
#include <string.h>

#include "dissector/fields.h"
#include "wire/ib.h"
#include "wire/uet_pds.h"

/* What happened, as far as the judge knows; none of it is a fault by itself. */
enum event {
	EV_RETX,
	EV_NEEDLESS,
	EV_TWIN,
	EV_LATE,
	EV_GAP,
	EV_UNSEEN,
	EV_NACK,
	EV_NACK_FATAL,
	EV_NO_ANSWER,
	EV_NOT_CLEARED,
	EV_REMOVED,
	EV_ADDED,
	EV_DELAYED,
	EV_FOREIGN,
	EV_COPY,
	EVENTS,
};

/* A remark, as every family registers it. */
struct row {
	const char *name; /* behind the family's */
	int group, severity;
	const char *summary;
};

#define ROW(name, group, severity, summary)    \
	{                                      \
		name, group, severity, summary \
	}

static const struct row events[EVENTS] = {
	[EV_RETX] = ROW("analysis.retransmission", PI_SEQUENCE, PI_NOTE,
			"Sent again"),
	[EV_NEEDLESS] = ROW("analysis.spurious_retransmission", PI_SEQUENCE,
			    PI_NOTE, "Sent again after an ACK covered it"),
	[EV_TWIN] = ROW("analysis.duplicate", PI_SEQUENCE, PI_NOTE,
			"A copy that looks like the network's"),
	[EV_LATE] = ROW("analysis.out_of_order", PI_SEQUENCE, PI_NOTE,
			"New, but below the highest PSN"),
	[EV_GAP] = ROW("analysis.gap", PI_SEQUENCE, PI_WARN,
		       "PSNs before it are missing"),
	[EV_UNSEEN] = ROW("analysis.ack_unseen", PI_SEQUENCE, PI_NOTE,
			  "Answers a packet that the capture does not hold"),
	[EV_NACK] = ROW("analysis.nack", PI_RESPONSE_CODE, PI_NOTE,
			"Refused, or asked for again"),
	[EV_NACK_FATAL] = ROW("analysis.nack_fatal", PI_RESPONSE_CODE, PI_WARN,
			      "Refused; the flow ends"),
	[EV_NO_ANSWER] = ROW("analysis.no_answer", PI_SEQUENCE, PI_NOTE,
			     "Asks for an answer that the capture does not "
			     "hold"),
	[EV_NOT_CLEARED] = ROW("analysis.not_cleared", PI_SEQUENCE, PI_NOTE,
			       "Asks for a clear that the capture does not "
			       "hold"),
	[EV_REMOVED] = ROW("analysis.removed", PI_COMMENTS_GROUP, PI_CHAT,
			   "Kept from crossing by rung's impairments"),
	[EV_ADDED] = ROW("analysis.added", PI_COMMENTS_GROUP, PI_CHAT,
			 "A copy that rung's impairments made"),
	[EV_DELAYED] = ROW("analysis.delayed", PI_COMMENTS_GROUP, PI_CHAT,
			   "Let cross later by rung's impairments"),
	[EV_FOREIGN] = ROW("analysis.foreign", PI_SEQUENCE, PI_NOTE,
			   "Its PDCIDs do not fit the PDC"),
	[EV_COPY] = ROW("analysis.captured_twice", PI_SEQUENCE, PI_NOTE,
			"Captured just before as well; not judged"),
};

static const struct row odds[ODDITIES] = {
	[ODD_SHORT] = ROW("decode.short", PI_MALFORMED, PI_ERROR,
			  "The packet ends inside a header"),
	[ODD_CUT] = ROW("decode.cut", PI_UNDECODED, PI_NOTE,
			"The capture ends inside a header"),
	[ODD_TRIMMED] = ROW("decode.trimmed", PI_UNDECODED, PI_NOTE,
			    "Trimmed by a switch"),
	[ODD_TYPE] = ROW("decode.type", PI_MALFORMED, PI_ERROR,
			 "Reserved packet type"),
	[ODD_NEXT_HDR] = ROW("decode.next_hdr", PI_MALFORMED, PI_ERROR,
			     "next_hdr does not suit the packet type"),
	[ODD_RESERVED] = ROW("decode.reserved", PI_PROTOCOL, PI_NOTE,
			     "Reserved bits are not 0"),
	[ODD_UNKNOWN] = ROW("decode.unknown", PI_UNDECODED, PI_NOTE,
			    "A value without a meaning"),
	[ODD_TRAILER] = ROW("decode.trailer", PI_UNDECODED, PI_NOTE,
			    "Bytes behind the payload"),
	[ODD_PAYLOAD] = ROW("decode.payload", PI_PROTOCOL, PI_NOTE,
			    "Less payload than announced"),
	[ODD_CRC] = ROW("decode.crc", PI_CHECKSUM, PI_ERROR, "Wrong CRC"),
	[ODD_ENCRYPTED] =
		ROW("decode.encrypted", PI_UNDECODED, PI_CHAT, "Ciphertext"),
};

/* What a family has registered. */
static struct shown {
	expert_field events[EVENTS], odds[ODDITIES];
	expert_field reqs[REQ_COUNT]; /* those of the family alone */
	int requirement, expected, actual;
} shown[FAMILIES];
static const char *tags[REQ_COUNT]; /* "RUD-SEQ-76, UET 3.5.20.2.2" */

/* ---- At the start ---- */

/*
 * The clause of a row's source: "000 3.5.20.2.2, fig 3-76" names it at once,
 * "uet.md 6.2 (3.5.8.2) [A]" in parentheses; some have none.  Documents up to
 * 002 are UET's, 003 is SRD's, and 004 the patent of the WQE extension.
 */
static const char *clause_of(const char *source)
{
	const char *open = strchr(source, '(');
	const char *end = open ? strchr(open, ')') : NULL;
	const int len = (int)strcspn(source, ";[");

	if (g_ascii_isdigit(*source) && strlen(source) > 4)
		return source[2] <= '2'
			       ? g_strdup_printf("UET %.*s", len - 4,
						 source + 4)
			       : g_strdup_printf("document %.*s", len, source);
	if (end && g_ascii_isdigit(open[1]))
		return g_strdup_printf("UET %.*s", (int)(end - open - 1),
				       open + 1);
	return g_strndup(source, (gsize)len);
}

/* Whose packets a requirement is about; the invariants, I1 and on, are all's.
 */
static bool is_about(enum family family, enum req_id req)
{
	static const char *const begin[FAMILIES][2] = {
		[FAMILY_SRD] = {"SRD-", "DER-"},
		[FAMILY_WQE] = {"WQE-", NULL},
		[FAMILY_ROCE] = {"ROCE-", NULL},
	};
	const char *id = req_get(req)->id;

	if (*id == 'I' && g_ascii_isdigit(id[1]))
		return family != FAMILY_UET;
	for (int f = 0; f < FAMILIES; f++)
		for (int k = 0; k < 2; k++)
			if (begin[f][k] && g_str_has_prefix(id, begin[f][k]))
				return f == (int)family;
	return family == FAMILY_UET;
}

static const char *filter_of(enum family family, const struct req *r)
{
	char *name = g_strconcat(family_name(family), ".req.", r->id, NULL);

	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : g_ascii_tolower(*p);
	return name;
}

static int severity_of(enum req_level level)
{
	if (level == REQ_M)
		return PI_ERROR;
	return level == REQ_S ? PI_WARN : PI_NOTE;
}

static void register_requirements(expert_module_t *m, enum family family)
{
	ei_register_info *rows = g_new0(ei_register_info, REQ_COUNT);
	expert_field *ids = shown[family].reqs;
	int n = 0;

	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);

		ids[i] = (expert_field)EI_INIT;
		if (!tags[i])
			tags[i] = g_strchomp(g_strdup_printf(
				"%s, %s", r->id, clause_of(r->source)));
		if (!is_about(family, (enum req_id)i))
			continue;
		rows[n++] = (ei_register_info){
			&ids[i],
			{filter_of(family, r), PI_PROTOCOL,
			 severity_of(r->level),
			 g_strdup_printf("%s: %s", r->id, r->statement),
			 EXPFILL}};
	}
	expert_register_field_array(m, rows, n);
}

static void register_rows(expert_module_t *m, enum family family,
			  const struct row *rows, expert_field *ids, int n)
{
	ei_register_info *reg = g_new0(ei_register_info, n);

	for (int i = 0; i < n; i++) {
		ids[i] = (expert_field)EI_INIT;
		reg[i] = (ei_register_info){
			&ids[i],
			{g_strdup_printf("%s.%s", family_name(family),
					 rows[i].name),
			 rows[i].group, rows[i].severity, rows[i].summary,
			 EXPFILL}};
	}
	expert_register_field_array(m, reg, n);
}

void notes_register(int proto, enum family family)
{
	expert_module_t *m = expert_register_protocol(proto);
	struct shown *s = &shown[family];

	fields_add(proto, family, &s->requirement,
		   FIELDS_TEXT("requirement", "What the packet breaks, and in "
					      "which role"));
	fields_add(proto, family, &s->expected,
		   FIELDS_TEXT("expected", "What would have been right"));
	fields_add(proto, family, &s->actual,
		   FIELDS_TEXT("actual", "What was sent"));
	register_rows(m, family, events, s->events, EVENTS);
	register_rows(m, family, odds, s->odds, ODDITIES);
	register_requirements(m, family);
}

/* That of the family; or of another one, which a case has spoken of. */
static expert_field *field_of(enum family family, enum req_id req)
{
	for (int f = 0; shown[family].reqs[req].ei <= 0 && f < FAMILIES; f++)
		if (shown[f].reqs[req].ei > 0)
			return &shown[f].reqs[req];
	return &shown[family].reqs[req];
}

/* ---- What happened ---- */

static void tell(const struct noted *at, enum event ev, enum req_id req,
		 const char *fmt, ...) G_GNUC_PRINTF(4, 5);

static void tell(const struct noted *at, enum event ev, enum req_id req,
		 const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	expert_add_info_format(at->pinfo, at->item,
			       &shown[at->family].events[ev], "%s [%s]", text,
			       tags[req]);
}

static double ms_between(uint32_t frame, const struct seen *s)
{
	const struct seen *before = track_frame(frame);

	return before ? (double)(s->at - before->at) / (double)VSPAN_MS : 0;
}

/* The requirement that an event is about. */
struct about {
	enum req_id twin, needless, nack, gap, timer; /* sent again */
	enum req_id late, skipped, unseen, due;
};

static const struct about about[FAMILIES] = {
	[FAMILY_UET] = {.twin = REQ_MODE_RUD_4,
			.needless = REQ_MODE_RUD_3,
			.nack = REQ_RUD_SEQ_82,
			.gap = REQ_RUD_LOSS_2,
			.timer = REQ_RUD_SEQ_83,
			.late = REQ_RUD_SEQ_77,
			.skipped = REQ_UET_PDC_23,
			.unseen = REQ_UET_ACK_05,
			.due = REQ_UET_ACK_15},
	[FAMILY_SRD] = {.twin = REQ_SRD_17,
			.needless = REQ_I7,
			.nack = REQ_SRD_22,
			.gap = REQ_SRD_19,
			.timer = REQ_SRD_19,
			.late = REQ_SRD_28,
			.skipped = REQ_SRD_19,
			.unseen = REQ_I5,
			.due = REQ_SRD_35},
	[FAMILY_WQE] = {.twin = REQ_WQE_02,
			.needless = REQ_I7,
			.nack = REQ_WQE_16,
			.gap = REQ_WQE_08,
			.timer = REQ_WQE_16,
			.late = REQ_WQE_22,
			.skipped = REQ_WQE_21,
			.unseen = REQ_I5,
			.due = REQ_I3},
	[FAMILY_ROCE] = {.twin = REQ_I6,
			 .needless = REQ_ROCE_08,
			 .nack = REQ_ROCE_04,
			 .gap = REQ_ROCE_04,
			 .timer = REQ_I6,
			 .late = REQ_ROCE_01,
			 .skipped = REQ_ROCE_01,
			 .unseen = REQ_I5,
			 .due = REQ_I3},
};

/* A gap is shown by an ACK, or told of by what asks for the packet. */
static void tell_gap(const struct noted *at, const struct seen *s, double ms)
{
	const enum req_id req = about[at->family].gap;

	if (s->nack_of)
		tell(at, EV_RETX, req,
		     "Sent again %.3f ms after frame %u: frame %u asks for it.",
		     ms, s->retx_of, s->nack_of);
	else
		tell(at, EV_RETX, req,
		     "Sent again %.3f ms after frame %u: an ACK showed a gap.",
		     ms, s->retx_of);
}

static void tell_again(const struct noted *at, const struct seen *s)
{
	const double ms = ms_between(s->retx_of, s);
	const struct about *a = &about[at->family];

	if (s->flags & SEEN_TWIN)
		tell(at, EV_TWIN, a->twin,
		     "A copy of frame %u with retx = 0, as a network makes it.",
		     s->retx_of);
	else if (s->flags & SEEN_NEEDLESS)
		tell(at, EV_NEEDLESS, a->needless,
		     "Sent again %.3f ms after frame %u, though an ACK had "
		     "covered it; it may not have arrived.",
		     ms, s->retx_of);
	else if (s->cause == CAUSE_NACK)
		tell(at, EV_RETX, a->nack,
		     "Sent again %.3f ms after frame %u, for the NACK in frame "
		     "%u.",
		     ms, s->retx_of, s->nack_of);
	else if (s->cause == CAUSE_GAP)
		tell_gap(at, s, ms);
	else
		tell(at, EV_RETX, a->timer,
		     "Sent again %.3f ms after frame %u: no answer was seen.",
		     ms, s->retx_of);
}

static void tell_sent(const struct noted *at, const struct seen *s)
{
	if (s->flags & SEEN_AGAIN)
		tell_again(at, s);
	if (s->nack_of && !s->retx_of)
		tell(at, EV_RETX, about[at->family].gap,
		     "Frame %u asks for it; what was sent before is not in the "
		     "capture.",
		     s->nack_of);
	else if (s->flags & SEEN_LATE)
		tell(at, EV_LATE, about[at->family].late,
		     "New, but below the highest PSN: out of order.");
	if (s->skipped)
		tell(at, EV_GAP, about[at->family].skipped,
		     "%u PSN%s before it %s not been seen.", s->skipped,
		     s->skipped == 1 ? "" : "s",
		     s->skipped == 1 ? "has" : "have");
}

/* Each code has a requirement, UET-NACK-0B; others are reserved. */
static enum req_id nack_req(uint8_t code)
{
	char id[16];
	enum req_id req;

	snprintf(id, sizeof(id), "UET-NACK-%02X", code);
	req = req_find(id, strlen(id), NULL);
	return req == REQ_NONE ? REQ_UET_RTX_01 : req;
}

static bool is_fatal(uint8_t code)
{
	static const uint8_t fatal[] = {
		NACK_INV_DPDCID,        NACK_PDC_HDR_MISMATCH,
		NACK_CLOSING,           NACK_CLOSING_IN_ERR,
		NACK_GTD_RESP_UNAVAIL,  NACK_INVALID_SYN,
		NACK_PDC_MODE_MISMATCH, NACK_UNEXP_EVENT,
		NACK_EXP_NACK_FATAL,
	};

	return memchr(fatal, code, sizeof(fatal)) != NULL;
}

static void tell_nack(const struct noted *at, const struct packet *pkt)
{
	struct pds_nack h;
	const char *name;

	if (!pkt->nsec || (pkt->sec[0].h != &pds_nack_header &&
			   pkt->sec[0].h != &pds_nack_rudi_header))
		return;
	pds_nack_get(&h, pkt->p);
	name = value_find(pds_nack_codes, h.nack_code);
	tell(at, is_fatal(h.nack_code) ? EV_NACK_FATAL : EV_NACK,
	     nack_req(h.nack_code), "NACK %s (0x%02x)%s",
	     name ? name : "reserved", h.nack_code,
	     is_fatal(h.nack_code) ? ": the PDC ends." : ".");
}

/* What a syndrome other than ACK is about. */
static enum req_id syndrome_req(enum family family, uint8_t syndrome)
{
	const bool rnr = (syndrome & 0xe0) == IB_SYNDROME_RNR;

	if (family == FAMILY_ROCE)
		return rnr                               ? REQ_ROCE_05
		       : syndrome == IB_SYNDROME_PSN_SEQ ? REQ_ROCE_06
							 : REQ_I10;
	if (family == FAMILY_WQE)
		return rnr                               ? REQ_WQE_39
		       : syndrome == IB_SYNDROME_PSN_SEQ ? REQ_WQE_20
							 : REQ_WQE_24;
	if (rnr)
		return REQ_SRD_51;
	if (syndrome == IB_SYNDROME_BAD_DEST_QP)
		return REQ_SRD_50;
	return syndrome == IB_SYNDROME_CTX_RESET ? REQ_DER_6 : REQ_SRD_22;
}

/* An error ends a queue pair; SRD drops one message. */
static bool ends_flow(enum family family, uint8_t syndrome)
{
	return family != FAMILY_SRD && syndrome > IB_SYNDROME_PSN_SEQ;
}

static void tell_syndrome(const struct noted *at, const struct packet *pkt)
{
	uint64_t v = 0;
	const char *name;
	uint8_t syndrome;
	bool ends;

	if (pkt->p[0] == IB_WQE_RTX_IND && at->family == FAMILY_WQE) {
		tell(at, EV_NACK, REQ_WQE_35,
		     "Lists packets that have not arrived.");
		return;
	}
	packet_value(pkt, "syndrome", &v);
	syndrome = (uint8_t)v;
	name = value_find(ib_syndromes, syndrome);
	ends = ends_flow(at->family, syndrome);
	tell(at, ends ? EV_NACK_FATAL : EV_NACK,
	     syndrome_req(at->family, syndrome), "NAK %s (0x%02x)%s",
	     name                                   ? name
	     : (syndrome & 0xe0) == IB_SYNDROME_RNR ? "rnr"
						    : "without a name",
	     syndrome, ends ? ": the queue pair ends." : ".");
}

/* Of other families a repeat asks again, and what is no part asks nobody. */
static bool is_waiting(const struct noted *at, const struct seen *s)
{
	if (!(s->flags & SEEN_DUE) || s->ack_in || s->nack_in)
		return false;
	return at->family == FAMILY_UET ||
	       (s->flags & SEEN_JUDGED && !s->retx_in);
}

/* Only the second pass knows what never came. */
static void tell_missing(const struct noted *at, const struct seen *s)
{
	if (is_waiting(at, s))
		tell(at, EV_NO_ANSWER, about[at->family].due,
		     "Asks for an answer; the capture holds none.");
	if (s->flags & SEEN_ASKS && !s->clear_in)
		tell(at, EV_NOT_CLEARED, REQ_RUD_SVC_6,
		     "Asks for a clear; the capture holds none.");
}

/* A label of Wireshark's ends after 240 characters: the end must be seen. */
#define TEXT_MAX 150

static void show_note(const struct noted *at, const struct note *n)
{
	const char *id = req_get(n->req)->id;
	const char *name = wmem_strdup_printf(at->pinfo->pool, "%s/%s", id,
					      req_role_name(n->role));
	const struct shown *h = &shown[at->family];
	proto_item *item = proto_tree_add_string(at->tree, h->requirement,
						 at->tvb, 0, 0, name);

	proto_item_set_generated(item);
	if (n->expected)
		proto_item_set_generated(proto_tree_add_string(
			at->tree, h->expected, at->tvb, 0, 0, n->expected));
	if (n->actual)
		proto_item_set_generated(proto_tree_add_string(
			at->tree, h->actual, at->tvb, 0, 0, n->actual));
}

static void tell_notes(const struct noted *at, const struct seen *s)
{
	for (const struct note *n = s->notes; n; n = n->next) {
		const size_t id = strlen(req_get(n->req)->id);
		const bool whole = strlen(n->text) <= TEXT_MAX;

		expert_add_info_format(
			at->pinfo, at->item, field_of(at->family, n->req),
			"%.*s%s [%.*s/%s%s]", whole ? TEXT_MAX : TEXT_MAX - 3,
			n->text, whole ? "" : "...", (int)id, tags[n->req],
			req_role_name(n->role), tags[n->req] + id);
		if (at->tree)
			show_note(at, n);
	}
}

static void tell_impaired(const struct noted *at, const struct seen *s)
{
	expert_field *ei = shown[at->family].events;

	if (s->flags & SEEN_COPY)
		expert_add_info(at->pinfo, at->item, &ei[EV_COPY]);
	if (s->flags & SEEN_REMOVED)
		expert_add_info(at->pinfo, at->item, &ei[EV_REMOVED]);
	if (s->flags & SEEN_ADDED)
		expert_add_info(at->pinfo, at->item, &ei[EV_ADDED]);
	if (s->flags & SEEN_DELAYED)
		expert_add_info(at->pinfo, at->item, &ei[EV_DELAYED]);
}

void notes_seen(const struct noted *at, const struct seen *s,
		const struct packet *pkt)
{
	tell_impaired(at, s);
	if (s->flags & SEEN_FOREIGN)
		tell(at, EV_FOREIGN, REQ_UET_PDC_14,
		     "One of its PDCIDs does not fit the PDC.");
	if (s->flags & SEEN_SENT)
		tell_sent(at, s);
	if (s->flags & SEEN_UNSEEN)
		tell(at, EV_UNSEEN, about[at->family].unseen,
		     "Answers a packet that the capture does not hold.");
	if (s->flags & SEEN_NACK && at->family == FAMILY_UET)
		tell_nack(at, pkt);
	else if (s->flags & SEEN_NACK)
		tell_syndrome(at, pkt);
	if (at->pinfo->fd->visited)
		tell_missing(at, s);
	tell_notes(at, s);
}

/* ---- What does not decode ---- */

/*
 * The requirement of UET that an oddity goes against; of other families it is
 * the one on malformed input.
 */
static const enum req_id odd_reqs[ODDITIES] = {
	[ODD_SHORT] = REQ_UET_ENC_28,     [ODD_CUT] = REQ_UET_ENC_28,
	[ODD_TRIMMED] = REQ_UET_ENC_14,   [ODD_TYPE] = REQ_UET_ENC_29,
	[ODD_NEXT_HDR] = REQ_UET_ENC_30,  [ODD_RESERVED] = REQ_UET_ENC_34,
	[ODD_UNKNOWN] = REQ_UET_ENC_28,   [ODD_TRAILER] = REQ_UET_ENC_01,
	[ODD_PAYLOAD] = REQ_UET_ENC_15,   [ODD_CRC] = REQ_UET_ENC_22,
	[ODD_ENCRYPTED] = REQ_UET_ENC_25,
};

void notes_odd(const struct noted *at, enum oddity what, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	expert_add_info_format(
		at->pinfo, at->item, &shown[at->family].odds[what], "%s [%s]",
		text,
		tags[at->family == FAMILY_UET ? odd_reqs[what] : REQ_I13]);
}

/* ---- In a word ---- */

const char *notes_label(const struct seen *s)
{
	static const char *const causes[] = {
		[CAUSE_TIMER] = "sent again",
		[CAUSE_NACK] = "sent again: NACK",
		[CAUSE_GAP] = "sent again: gap",
	};

	if (s->notes)
		return req_get(s->notes->req)->id;
	if (s->flags & SEEN_TWIN)
		return "copy";
	if (s->flags & SEEN_NEEDLESS)
		return "sent again needlessly";
	if (s->flags & SEEN_AGAIN)
		return s->cause == CAUSE_GAP && s->nack_of
			       ? "sent again: asked for"
			       : causes[s->cause % G_N_ELEMENTS(causes)];
	if (s->nack_of)
		return "sent again: asked for";
	if (s->flags & SEEN_LATE)
		return "out of order";
	return s->skipped ? "gap before" : "";
}
