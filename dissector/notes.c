/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/notes.c -- expert infos, with the requirement that they are about.
 */
#include "dissector/notes.h"

#include <stdio.h>
#include <string.h>

#include "base/serial.h"
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

#define ROW(name, group, severity, summary)                            \
	{                                                              \
		NULL,                                                  \
		{                                                      \
			"uet." name, group, severity, summary, EXPFILL \
		}                                                      \
	}

static ei_register_info events[EVENTS] = {
	[EV_RETX] = ROW("analysis.retransmission", PI_SEQUENCE, PI_NOTE,
			"Sent again"),
	[EV_NEEDLESS] = ROW("analysis.spurious_retransmission", PI_SEQUENCE,
			    PI_NOTE, "Sent again after an ACK covered it"),
	[EV_TWIN] = ROW("analysis.duplicate", PI_SEQUENCE, PI_NOTE,
			"A copy with retx = 0: the network's"),
	[EV_LATE] = ROW("analysis.out_of_order", PI_SEQUENCE, PI_NOTE,
			"New, but below the highest PSN"),
	[EV_GAP] = ROW("analysis.gap", PI_SEQUENCE, PI_WARN,
		       "PSNs before it are missing"),
	[EV_UNSEEN] = ROW("analysis.ack_unseen", PI_SEQUENCE, PI_NOTE,
			  "Answers a packet that the capture does not hold"),
	[EV_NACK] = ROW("analysis.nack", PI_RESPONSE_CODE, PI_NOTE,
			"Refused; the PDC stays up"),
	[EV_NACK_FATAL] = ROW("analysis.nack_fatal", PI_RESPONSE_CODE, PI_WARN,
			      "Refused; the PDC ends"),
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

static ei_register_info odds[ODDITIES] = {
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

static expert_field event_ei[EVENTS], odd_ei[ODDITIES], req_ei[REQ_COUNT];
static const char *tags[REQ_COUNT]; /* "RUD-SEQ-76, UET 3.5.20.2.2" */
static int hf_requirement = -1, hf_expected = -1, hf_actual = -1;

/* ---- At the start ---- */

/*
 * The clause of a row's source: "000 3.5.20.2.2, fig 3-76" names it at once,
 * "uet.md 6.2 (3.5.8.2) [A]" in parentheses; some have none.
 */
static const char *clause_of(const char *source)
{
	const char *open = strchr(source, '(');
	const char *end = open ? strchr(open, ')') : NULL;

	if (g_ascii_isdigit(*source) && strlen(source) > 4)
		return g_strdup_printf(
			"UET %.*s", (int)strcspn(source + 4, ";["), source + 4);
	if (end && g_ascii_isdigit(open[1]))
		return g_strdup_printf("UET %.*s", (int)(end - open - 1),
				       open + 1);
	return g_strndup(source, strcspn(source, ";["));
}

static const char *filter_of(const struct req *r)
{
	char *name = g_strconcat("uet.req.", r->id, NULL);

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

static void register_requirements(expert_module_t *m)
{
	ei_register_info *rows = g_new0(ei_register_info, REQ_COUNT);

	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);

		tags[i] = g_strchomp(
			g_strdup_printf("%s, %s", r->id, clause_of(r->source)));
		req_ei[i] = (expert_field)EI_INIT;
		rows[i] = (ei_register_info){
			&req_ei[i],
			{filter_of(r), PI_PROTOCOL, severity_of(r->level),
			 g_strdup_printf("%s: %s", r->id, r->statement),
			 EXPFILL}};
	}
	expert_register_field_array(m, rows, REQ_COUNT);
}

static void register_rows(expert_module_t *m, ei_register_info *rows,
			  expert_field *ids, int n)
{
	for (int i = 0; i < n; i++) {
		ids[i] = (expert_field)EI_INIT;
		rows[i].ids = &ids[i];
	}
	expert_register_field_array(m, rows, n);
}

void notes_register(int proto)
{
	static hf_register_info hf[] = {
		{&hf_requirement,
		 {"requirement", "uet.requirement", FT_STRING, BASE_NONE, NULL,
		  0, "What the packet breaks, and in which role", HFILL}},
		{&hf_expected,
		 {"expected", "uet.expected", FT_STRING, BASE_NONE, NULL, 0,
		  "What would have been right", HFILL}},
		{&hf_actual,
		 {"actual", "uet.actual", FT_STRING, BASE_NONE, NULL, 0,
		  "What was sent", HFILL}},
	};
	expert_module_t *m = expert_register_protocol(proto);

	proto_register_field_array(proto, hf, array_length(hf));
	register_rows(m, events, event_ei, EVENTS);
	register_rows(m, odds, odd_ei, ODDITIES);
	register_requirements(m);
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
	expert_add_info_format(at->pinfo, at->item, &event_ei[ev], "%s [%s]",
			       text, tags[req]);
}

static double ms_between(uint32_t frame, const struct seen *s)
{
	const struct seen *before = track_frame(frame);

	return before ? (double)(s->at - before->at) / (double)VSPAN_MS : 0;
}

static void tell_again(const struct noted *at, const struct seen *s)
{
	const double ms = ms_between(s->retx_of, s);

	if (s->flags & SEEN_TWIN)
		tell(at, EV_TWIN, REQ_MODE_RUD_4,
		     "A copy of frame %u with retx = 0, as a network makes it.",
		     s->retx_of);
	else if (s->flags & SEEN_NEEDLESS)
		tell(at, EV_NEEDLESS, REQ_MODE_RUD_3,
		     "Sent again %.3f ms after frame %u, though an ACK had "
		     "covered it; it may not have arrived.",
		     ms, s->retx_of);
	else if (s->cause == CAUSE_NACK)
		tell(at, EV_RETX, REQ_RUD_SEQ_82,
		     "Sent again %.3f ms after frame %u, for the NACK in frame "
		     "%u.",
		     ms, s->retx_of, s->nack_of);
	else if (s->cause == CAUSE_GAP)
		tell(at, EV_RETX, REQ_RUD_LOSS_2,
		     "Sent again %.3f ms after frame %u: an ACK showed a gap.",
		     ms, s->retx_of);
	else
		tell(at, EV_RETX, REQ_RUD_SEQ_83,
		     "Sent again %.3f ms after frame %u: no answer was seen.",
		     ms, s->retx_of);
}

static void tell_sent(const struct noted *at, const struct seen *s)
{
	if (s->flags & SEEN_AGAIN)
		tell_again(at, s);
	if (s->flags & SEEN_LATE)
		tell(at, EV_LATE, REQ_RUD_SEQ_77,
		     "New, but below the highest PSN: out of order.");
	if (s->skipped)
		tell(at, EV_GAP, REQ_UET_PDC_23,
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

/* Only the second pass knows what never came. */
static void tell_missing(const struct noted *at, const struct seen *s)
{
	if (s->flags & SEEN_DUE && !s->ack_in && !s->nack_in)
		tell(at, EV_NO_ANSWER, REQ_UET_ACK_15,
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
	proto_item *item = proto_tree_add_string(at->tree, hf_requirement,
						 at->tvb, 0, 0, name);

	proto_item_set_generated(item);
	if (n->expected)
		proto_item_set_generated(proto_tree_add_string(
			at->tree, hf_expected, at->tvb, 0, 0, n->expected));
	if (n->actual)
		proto_item_set_generated(proto_tree_add_string(
			at->tree, hf_actual, at->tvb, 0, 0, n->actual));
}

static void tell_notes(const struct noted *at, const struct seen *s)
{
	for (const struct note *n = s->notes; n; n = n->next) {
		const size_t id = strlen(req_get(n->req)->id);
		const bool whole = strlen(n->text) <= TEXT_MAX;

		expert_add_info_format(
			at->pinfo, at->item, &req_ei[n->req],
			"%.*s%s [%.*s/%s%s]", whole ? TEXT_MAX : TEXT_MAX - 3,
			n->text, whole ? "" : "...", (int)id, tags[n->req],
			req_role_name(n->role), tags[n->req] + id);
		if (at->tree)
			show_note(at, n);
	}
}

static void tell_impaired(const struct noted *at, const struct seen *s)
{
	if (s->flags & SEEN_COPY)
		expert_add_info(at->pinfo, at->item, &event_ei[EV_COPY]);
	if (s->flags & SEEN_REMOVED)
		expert_add_info(at->pinfo, at->item, &event_ei[EV_REMOVED]);
	if (s->flags & SEEN_ADDED)
		expert_add_info(at->pinfo, at->item, &event_ei[EV_ADDED]);
	if (s->flags & SEEN_DELAYED)
		expert_add_info(at->pinfo, at->item, &event_ei[EV_DELAYED]);
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
		tell(at, EV_UNSEEN, REQ_UET_ACK_05,
		     "Answers a packet that the capture does not hold.");
	if (s->flags & SEEN_NACK)
		tell_nack(at, pkt);
	if (at->pinfo->fd->visited)
		tell_missing(at, s);
	tell_notes(at, s);
}

/* ---- What does not decode ---- */

/* The requirement that an oddity goes against. */
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
	expert_add_info_format(at->pinfo, at->item, &odd_ei[what], "%s [%s]",
			       text, tags[odd_reqs[what]]);
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
		return causes[s->cause % G_N_ELEMENTS(causes)];
	if (s->flags & SEEN_LATE)
		return "out of order";
	return s->skipped ? "gap before" : "";
}
