/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/state.c -- shows flows, frame links and times of a packet.
 */
#include "dissector/state.h"

#include <stddef.h>
#include <string.h>

#include "dissector/families.h"
#include "dissector/fields.h"

/* The families that have a link. */
enum {
	ALL = 1 << 0,
	READS = 1 << 1,  /* families with links_reads */
	CLEARS = 1 << 2, /* families with links_clears */
	WQE = 1 << 3,    /* families with links_messages */
};

/*
 * A frame number in struct seen, or, if only WQE has it, in struct
 * track_message.
 */
static const struct {
	const char *word;
	size_t at;
	unsigned owners;
	enum ft_framenum_type kind;
	const char *text;
} links[] = {
	{"req_in", offsetof(struct seen, req_in), ALL, FT_FRAMENUM_REQUEST,
	 "The packet that this one answers"},
	{"ack_in", offsetof(struct seen, ack_in), ALL, FT_FRAMENUM_ACK,
	 "The first ACK that covers it"},
	{"nack_in", offsetof(struct seen, nack_in), ALL, FT_FRAMENUM_RESPONSE,
	 "The frame that refuses it or requests it again"},
	{"retx_of", offsetof(struct seen, retx_of), ALL,
	 FT_FRAMENUM_RETRANS_PREV, "The transmission before"},
	{"retx_in", offsetof(struct seen, retx_in), ALL,
	 FT_FRAMENUM_RETRANS_NEXT, "The next transmission"},
	{"nack_of", offsetof(struct seen, nack_of), ALL, FT_FRAMENUM_RESPONSE,
	 "The frame that caused the retransmission"},
	{"read_in", offsetof(struct seen, read_in), READS, FT_FRAMENUM_REQUEST,
	 "The read that this data answers"},
	{"data_in", offsetof(struct seen, data_in), READS, FT_FRAMENUM_RESPONSE,
	 "The first data of this read"},
	{"clear_of", offsetof(struct seen, clear_of), CLEARS,
	 FT_FRAMENUM_RESPONSE, "The last response that its CLEAR_PSN releases"},
	{"clear_in", offsetof(struct seen, clear_in), CLEARS, FT_FRAMENUM_ACK,
	 "What releases this response"},
	{"begins_in", offsetof(struct track_message, begins), WQE,
	 FT_FRAMENUM_NONE, "The first packet of its WQE"},
	{"ends_in", offsetof(struct track_message, ends), WQE, FT_FRAMENUM_NONE,
	 "The last packet of its WQE"},
};

static struct dissect_state_shown {
	int ett, stream, rtt, response_time;
	int psn, since, flight_psns, flight_bytes;
	int link[G_N_ELEMENTS(links)]; /* 0: the family has no such link */
} shown[FAMILIES];

/* ---- Registration ---- */

void state_register(int proto, enum family family)
{
	const struct dissect_family *row = dissect_families[family];
	const unsigned has = ALL | (row->links_reads ? READS : 0) |
			     (row->links_clears ? CLEARS : 0) |
			     (row->links_messages ? WQE : 0);
	struct dissect_state_shown *s = &shown[family];
	int *ett[] = {&s->ett};

	s->ett = -1;
	proto_register_subtree_array(ett, array_length(ett));
	fields_add(proto, family, &s->stream,
		   FIELDS_MORE("stream", FT_UINT32, BASE_DEC, NULL,
			       g_strdup_printf("Number of the %s in this "
					       "capture",
					       row->flow)));
	for (size_t i = 0; i < G_N_ELEMENTS(links); i++)
		if (links[i].owners & has)
			fields_add(proto, family, &s->link[i],
				   FIELDS_MORE(links[i].word, FT_FRAMENUM,
					       BASE_NONE,
					       FRAMENUM_TYPE(links[i].kind),
					       links[i].text));
	fields_add(proto, family, &s->psn,
		   FIELDS_MORE("relative_psn", FT_INT32, BASE_DEC, NULL,
			       "Its PSN, or the one that it answers, from the "
			       "first of that direction in the capture on"));
	fields_add(proto, family, &s->since,
		   FIELDS_MORE("time_delta", FT_RELATIVE_TIME, BASE_NONE, NULL,
			       "Since the previous packet of the same flow"));
	fields_add(proto, family, &s->flight_psns,
		   FIELDS_MORE("psns_in_flight", FT_UINT32, BASE_DEC, NULL,
			       "Sent in this direction and not acknowledged, "
			       "with this packet"));
	fields_add(proto, family, &s->flight_bytes,
		   FIELDS_MORE("bytes_in_flight", FT_UINT32, BASE_DEC, NULL,
			       "Their payload"));
	fields_add(proto, family, &s->rtt,
		   FIELDS_MORE("rtt", FT_RELATIVE_TIME, BASE_NONE, NULL,
			       "From a request that was sent once to its "
			       "answer"));
	fields_add(proto, family, &s->response_time,
		   FIELDS_MORE("response_time", FT_RELATIVE_TIME, BASE_NONE,
			       NULL,
			       "From the first transmission to the answer"));
}

/* ---- Packets ---- */

static void show_links(const struct dissect_state_shown *h, proto_tree *t,
		       tvbuff_t *tvb, const struct seen *s)
{
	for (size_t i = 0; i < G_N_ELEMENTS(links); i++) {
		const bool wqe = links[i].owners == WQE;
		const char *base =
			wqe ? (const char *)s->message : (const char *)s;
		uint32_t frame;

		if (!h->link[i] || !base)
			continue;
		memcpy(&frame, base + links[i].at, sizeof(frame));
		if (frame && !(wqe && frame == s->frame))
			proto_item_set_generated(proto_tree_add_uint(
				t, h->link[i], tvb, 0, 0, frame));
	}
}

static void show_span(proto_tree *t, int hf, tvbuff_t *tvb, vspan span)
{
	const nstime_t ns = {(time_t)(span / VSPAN_S), (int)(span % VSPAN_S)};

	proto_item_set_generated(proto_tree_add_time(t, hf, tvb, 0, 0, &ns));
}

static void show_number(proto_tree *t, int hf, tvbuff_t *tvb, uint32_t value)
{
	proto_item_set_generated(proto_tree_add_uint(t, hf, tvb, 0, 0, value));
}

/* Shows the PSN in its direction, and what is in flight. */
static void show_flow(const struct dissect_state_shown *h, proto_tree *t,
		      tvbuff_t *tvb, const struct seen *s)
{
	const bool sent = s->flags & SEEN_SENT;

	show_number(t, h->stream, tvb, seen_stream(s));
	if (s->has_psn)
		proto_item_set_generated(
			proto_tree_add_int(t, h->psn, tvb, 0, 0,
					   (gint32)(s->psn - s->base[!sent])));
	if (s->flags & SEEN_NEXT)
		show_span(t, h->since, tvb, s->since);
	if (!sent)
		return;
	show_number(t, h->flight_psns, tvb, s->flight_psns);
	show_number(t, h->flight_bytes, tvb, s->flight_bytes);
}

void state_show(enum family family, proto_tree *tree, tvbuff_t *tvb,
		const struct seen *s)
{
	const struct dissect_state_shown *h = &shown[family];
	proto_tree *t;
	vspan span;

	if (!s)
		return;
	t = proto_tree_add_subtree(tree, tvb, 0, 0, h->ett, NULL, "State");
	if (s->stream != SEEN_NO_STREAM)
		show_flow(h, t, tvb, s);
	show_links(h, t, tvb, s);
	if (track_rtt(s, &span))
		show_span(t, h->rtt, tvb, span);
	if (track_response(s, &span))
		show_span(t, h->response_time, tvb, span);
	proto_item_set_generated(proto_tree_get_parent(t));
}
