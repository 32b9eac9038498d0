/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/notes.c -- adds expert infos with the requirement that they
 * concern.
 */
#include "dissector/notes.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "dissector/families.h"
#include "dissector/fields.h"
#include "judge/transport.h"
#include "lib/rung.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"

/* Events that the judge reports; none is a fault in itself. */
enum event {
	EV_RETX,
	EV_NEEDLESS,
	EV_NET_DUP,
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

/* A row of an expert info that every family registers. */
struct dissect_notes_row {
	const char *name; /* name behind the family's prefix */
	int group, severity;
	const char *summary;
};

#define ROW(name, group, severity, summary)    \
	{                                      \
		name, group, severity, summary \
	}

static const struct dissect_notes_row events[EVENTS] = {
	[EV_RETX] = ROW("analysis.retransmission", PI_SEQUENCE, PI_NOTE,
			"Retransmitted"),
	[EV_NEEDLESS] = ROW("analysis.spurious_retransmission", PI_SEQUENCE,
			    PI_NOTE, "Retransmitted after an ACK covered it"),
	[EV_NET_DUP] = ROW("analysis.duplicate", PI_SEQUENCE, PI_NOTE,
			   "A copy that looks like the network's"),
	[EV_LATE] = ROW("analysis.out_of_order", PI_SEQUENCE, PI_NOTE,
			"New, but below the highest PSN"),
	[EV_GAP] = ROW("analysis.gap", PI_SEQUENCE, PI_WARN,
		       "PSNs before it are missing"),
	[EV_UNSEEN] = ROW("analysis.ack_unseen", PI_SEQUENCE, PI_NOTE,
			  "Answers a packet that the capture does not hold"),
	[EV_NACK] = ROW("analysis.nack", PI_RESPONSE_CODE, PI_NOTE,
			"Refused, or requested again"),
	[EV_NACK_FATAL] = ROW("analysis.nack_fatal", PI_RESPONSE_CODE, PI_WARN,
			      "Refused; the flow ends"),
	[EV_NO_ANSWER] = ROW("analysis.no_answer", PI_SEQUENCE, PI_NOTE,
			     "Requests an answer that the capture does not "
			     "hold"),
	[EV_NOT_CLEARED] = ROW("analysis.not_cleared", PI_SEQUENCE, PI_NOTE,
			       "Requests a clear that the capture does not "
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

static const struct dissect_notes_row odds[ODDITIES] = {
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

/* The expert infos of a family. */
static struct dissect_notes_shown {
	expert_field events[EVENTS], odds[ODDITIES];
	expert_field reqs[REQ_COUNT]; /* only those of the family */
	int requirement, broken, expected, actual;
} shown[FAMILIES];
/* for example "RUD-SEQ-76, UET 1.0.1 3.5.20.2.2, figure 3-76" */
static const char *tags[REQ_COUNT];

/* ---- Registration ---- */

/*
 * Returns true if a requirement applies to packets of this family; the
 * invariants, from I1 on, apply to all.
 */
static bool dissect_notes_is_about(enum family family, enum req_id req)
{
	if (judge_req_is_invariant(req))
		return judge_families[family]->invariants;
	return judge_req_family(req) == family;
}

static const char *dissect_notes_filter_of(enum family family,
					   const struct req *r)
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
	if (level == REQ_S)
		return PI_WARN;
	return PI_NOTE;
}

static void register_requirements(expert_module_t *m, enum family family)
{
	ei_register_info *rows = g_new0(ei_register_info, REQ_COUNT);
	expert_field *ids = shown[family].reqs;
	int n = 0;

	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);
		char citation[REQ_CITATION_MAX];

		ids[i] = (expert_field)EI_INIT;
		if (!tags[i])
			tags[i] = g_strdup_printf(
				"%s, %s", r->id,
				req_citation((enum req_id)i, citation));
		if (!dissect_notes_is_about(family, (enum req_id)i))
			continue;
		rows[n++] = (ei_register_info){
			&ids[i],
			{dissect_notes_filter_of(family, r), PI_PROTOCOL,
			 severity_of(r->level),
			 g_strdup_printf("%s: %s", r->id, r->statement),
			 EXPFILL}};
	}
	expert_register_field_array(m, rows, n);
}

static void register_rows(expert_module_t *m, enum family family,
			  const struct dissect_notes_row *rows,
			  expert_field *ids, int n)
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
	struct dissect_notes_shown *s = &shown[family];

	fields_add(proto, family, &s->requirement,
		   FIELDS_TEXT("requirement", "What the packet breaks, and in "
					      "which role"));
	fields_add(proto, family, &s->broken,
		   FIELDS_TEXT("broken", "Likewise, if the requirement is one "
					 "that must be kept: no remark"));
	fields_add(proto, family, &s->expected,
		   FIELDS_TEXT("expected", "What would have been right"));
	fields_add(proto, family, &s->actual,
		   FIELDS_TEXT("actual", "What was sent"));
	register_rows(m, family, events, s->events, EVENTS);
	register_rows(m, family, odds, s->odds, ODDITIES);
	register_requirements(m, family);
}

/* Returns the field of this family, or of another one if a case named it. */
static expert_field *dissect_notes_field_of(enum family family, enum req_id req)
{
	for (int f = 0; shown[family].reqs[req].ei <= 0 && f < FAMILIES; f++)
		if (shown[f].reqs[req].ei > 0)
			return &shown[f].reqs[req];
	return &shown[family].reqs[req];
}

/* ---- Events ---- */

static void dissect_notes_tell(const struct noted *at, enum event ev,
			       enum req_id req, const char *fmt, ...)
	G_GNUC_PRINTF(4, 5);

static void dissect_notes_tell(const struct noted *at, enum event ev,
			       enum req_id req, const char *fmt, ...)
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

	if (before)
		return (double)(s->at - before->at) / (double)VSPAN_MS;
	return 0;
}

/* Adds a gap: an ACK shows it, or a NACK or indication requests the packet. */
static void tell_gap(const struct noted *at, const struct seen *s, double ms)
{
	const enum req_id req = dissect_families[at->family]->about.gap;

	if (s->nack_of)
		dissect_notes_tell(
			at, EV_RETX, req,
			"Retransmitted %.3f ms after frame %u: frame "
			"%u requests it.",
			ms, s->retx_of, s->nack_of);
	else
		dissect_notes_tell(
			at, EV_RETX, req,
			"Retransmitted %.3f ms after frame %u: an ACK "
			"showed a gap.",
			ms, s->retx_of);
}

static void tell_again(const struct noted *at, const struct seen *s)
{
	const double ms = ms_between(s->retx_of, s);
	const struct dissect_about *a = &dissect_families[at->family]->about;

	if (s->flags & SEEN_NET_DUP)
		dissect_notes_tell(at, EV_NET_DUP, a->net_dup,
				   "A copy of frame %u with retx = 0, as a "
				   "network makes it.",
				   s->retx_of);
	else if (s->flags & SEEN_NEEDLESS)
		dissect_notes_tell(at, EV_NEEDLESS, a->needless,
				   "Retransmitted %.3f ms after frame %u, "
				   "though an ACK had "
				   "covered it; it may not have arrived.",
				   ms, s->retx_of);
	else if (s->flags & SEEN_ACK_LOST)
		dissect_notes_tell(at, EV_RETX, a->timer,
				   "Retransmitted %.3f ms after frame %u: its "
				   "ACK, frame %u, did not cross.",
				   ms, s->retx_of,
				   track_frame(s->retx_of)->ack_in);
	else if (s->cause == RUNG_NACK)
		dissect_notes_tell(
			at, EV_RETX, a->nack,
			"Retransmitted %.3f ms after frame %u, for the "
			"NACK in frame "
			"%u.",
			ms, s->retx_of, s->nack_of);
	else if (s->cause == RUNG_GAP)
		tell_gap(at, s, ms);
	else
		dissect_notes_tell(at, EV_RETX, a->timer,
				   "Retransmitted %.3f ms after frame %u: no "
				   "answer was seen.",
				   ms, s->retx_of);
}

static void tell_sent(const struct noted *at, const struct seen *s)
{
	if (s->flags & SEEN_AGAIN)
		tell_again(at, s);
	if (s->nack_of && !s->retx_of)
		dissect_notes_tell(
			at, EV_RETX, dissect_families[at->family]->about.gap,
			"Frame %u requests it; its first transmission "
			"is not in the "
			"capture.",
			s->nack_of);
	else if (s->flags & SEEN_LATE)
		dissect_notes_tell(
			at, EV_LATE, dissect_families[at->family]->about.late,
			"New, but below the highest PSN: out of order.");
	if (s->skipped)
		dissect_notes_tell(at, EV_GAP,
				   dissect_families[at->family]->about.skipped,
				   "%u PSN%s before it %s not been seen.",
				   s->skipped, text_plural(s->skipped),
				   s->skipped == 1 ? "has" : "have");
}

/*
 * Returns the requirement of a NACK code, such as UET-NACK-0B; reserved codes
 * share one.
 */
static enum req_id dissect_notes_nack_req(uint8_t code)
{
	char id[16];
	enum req_id req;

	snprintf(id, sizeof(id), "UET-NACK-%02X", code);
	req = req_find(id, strlen(id), NULL);
	if (req == REQ_NONE)
		return REQ_UET_RTX_01;
	return req;
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
	dissect_notes_tell(at, is_fatal(h.nack_code) ? EV_NACK_FATAL : EV_NACK,
			   dissect_notes_nack_req(h.nack_code),
			   "NACK %s (0x%02x)%s", text_or(name, "reserved"),
			   h.nack_code,
			   is_fatal(h.nack_code) ? ": the PDC ends." : ".");
}

/*
 * Returns true if the syndrome ends a queue pair; in SRD it fails one message.
 */
static bool ends_flow(enum family family, uint8_t syndrome)
{
	return dissect_families[family]->errors_end_flow &&
	       syndrome > IB_SYNDROME_PSN_SEQ;
}

/* Returns the time that an RNR NAK asks for, by the 5 bits of its code. */
static const char *notes_rnr_delay(uint8_t syndrome)
{
	static const char *const ms[32] = {
		"655.36", "0.01",  "0.02",  "0.03",   "0.04",   "0.06",
		"0.08",   "0.12",  "0.16",  "0.24",   "0.32",   "0.48",
		"0.64",   "0.96",  "1.28",  "1.92",   "2.56",   "3.84",
		"5.12",   "7.68",  "10.24", "15.36",  "20.48",  "30.72",
		"40.96",  "61.44", "81.92", "122.88", "163.84", "245.76",
		"327.68", "491.52"};

	return ms[syndrome & 31];
}

const char *notes_syndrome(uint8_t syndrome, char buf[NOTES_SYNDROME])
{
	const char *name = value_find(ib_syndromes, syndrome);

	if ((syndrome & 0xe0) == IB_SYNDROME_RNR)
		snprintf(buf, NOTES_SYNDROME, "rnr, wait %s ms",
			 notes_rnr_delay(syndrome));
	else
		snprintf(buf, NOTES_SYNDROME, "%s",
			 text_or(name, "without a name"));
	return buf;
}

static void tell_syndrome(const struct noted *at, const struct packet *pkt)
{
	uint64_t v = 0;
	char name[NOTES_SYNDROME];
	uint8_t syndrome;
	bool ends;

	if (pkt->p[0] == IB_WQE_RTX_IND &&
	    dissect_families[at->family]->links_messages) {
		dissect_notes_tell(at, EV_NACK, REQ_WQE_35,
				   "Lists packets that have not arrived.");
		return;
	}
	packet_value(pkt, "syndrome", &v);
	syndrome = (uint8_t)v;
	ends = ends_flow(at->family, syndrome);
	dissect_notes_tell(at, ends ? EV_NACK_FATAL : EV_NACK,
			   dissect_families[at->family]->syndrome(syndrome),
			   "NAK %s (0x%02x)%s", notes_syndrome(syndrome, name),
			   syndrome, ends ? ": the queue pair ends." : ".");
}

/*
 * Returns true if an answer is still due.  In other families than UET a
 * duplicate requests again, and packets outside a flow request nothing.
 */
static bool dissect_notes_is_waiting(const struct noted *at,
				     const struct seen *s)
{
	if (!(s->flags & SEEN_DUE) || s->ack_in || s->nack_in)
		return false;
	return at->family == MAIN_FAMILY ||
	       (s->flags & SEEN_JUDGED && !s->retx_in);
}

/* Only the second pass knows which packets never came. */
static void tell_missing(const struct noted *at, const struct seen *s)
{
	if (dissect_notes_is_waiting(at, s))
		dissect_notes_tell(
			at, EV_NO_ANSWER,
			dissect_families[at->family]->about.due,
			"Requests an answer; the capture holds none.");
	if (s->flags & SEEN_ASKS && !s->clear_in)
		dissect_notes_tell(at, EV_NOT_CLEARED, REQ_RUD_SVC_6,
				   "Requests a clear; the capture holds none.");
}

/*
 * Wireshark truncates a label after 240 characters; the clause at its end must
 * stay visible.
 */
#define TEXT_MAX 150

static void show_note(const struct noted *at, const struct note *n)
{
	const char *id = req_get(n->req)->id;
	const char *name = wmem_strdup_printf(at->pinfo->pool, "%s/%s", id,
					      req_role_name(n->role));
	const struct dissect_notes_shown *h = &shown[at->family];
	proto_item *item = proto_tree_add_string(at->tree, h->requirement,
						 at->tvb, 0, 0, name);

	proto_item_set_generated(item);
	if (req_get(n->req)->level == REQ_M)
		proto_item_set_generated(proto_tree_add_string(
			at->tree, h->broken, at->tvb, 0, 0, name));
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
		const bool complete = strlen(n->text) <= TEXT_MAX;

		expert_add_info_format(
			at->pinfo, at->item,
			dissect_notes_field_of(at->family, n->req),
			"%.*s%s [%.*s/%s%s]",
			complete ? TEXT_MAX : TEXT_MAX - 3, n->text,
			complete ? "" : "...", (int)id, tags[n->req],
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
	tell_notes(at, s);
	tell_impaired(at, s);
	if (s->flags & SEEN_FOREIGN)
		dissect_notes_tell(at, EV_FOREIGN, REQ_UET_PDC_14,
				   "One of its PDCIDs does not fit the PDC.");
	if (s->flags & SEEN_SENT)
		tell_sent(at, s);
	if (s->flags & SEEN_UNSEEN)
		dissect_notes_tell(
			at, EV_UNSEEN,
			dissect_families[at->family]->about.unseen,
			"Answers a packet that the capture does not hold.");
	if (s->flags & SEEN_NACK && at->family == MAIN_FAMILY)
		tell_nack(at, pkt);
	else if (s->flags & SEEN_NACK)
		tell_syndrome(at, pkt);
	if (at->pinfo->fd->visited)
		tell_missing(at, s);
}

/* ---- Decoding faults ---- */

/*
 * The requirement of UET that an oddity violates; other families use the one on
 * malformed input.
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
		tags[at->family == MAIN_FAMILY ? odd_reqs[what] : REQ_I13]);
}

/* ---- The label of the info column ---- */

const char *notes_label(const struct seen *s)
{
	static const char *const causes[] = {
		[RUNG_TIMER] = "retransmitted",
		[RUNG_NACK] = "retransmitted: NACK",
		[RUNG_GAP] = "retransmitted: gap",
	};

	if (s->notes)
		return req_get(s->notes->req)->id;
	if (s->flags & SEEN_NET_DUP)
		return "copy";
	if (s->flags & SEEN_NEEDLESS)
		return "retransmitted needlessly";
	if (s->flags & SEEN_ACK_LOST)
		return "retransmitted: its ACK was lost";
	if (s->flags & SEEN_AGAIN)
		return s->cause == RUNG_GAP && s->nack_of
			       ? "retransmitted: requested"
			       : causes[s->cause % G_N_ELEMENTS(causes)];
	if (s->nack_of)
		return "retransmitted: requested";
	if (s->flags & SEEN_LATE)
		return "out of order";
	if (s->skipped)
		return "gap before";
	return "";
}

/* Plain copies: a format costs as much as all that it formats. */
void notes_column(packet_info *pinfo, const struct seen *s, const char *line)
{
	static struct text info;
	const char *label = s ? notes_label(s) : "";

	text_clear(&info);
	if (s && s->stream != SEEN_NO_STREAM) {
		text_puts(&info, "[");
		text_u64(&info, seen_stream(s));
		text_puts(&info, "] ");
	}
	if (s && s->flags & SEEN_REMOVED)
		text_puts(&info, "X removed: ");
	text_puts(&info, line);
	if (*label) {
		text_puts(&info, "  [");
		text_puts(&info, label);
		text_puts(&info, "]");
	}
	col_add_str(pinfo->cinfo, COL_INFO, text_cstr(&info));
}
