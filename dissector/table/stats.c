/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/stats.c -- the listeners of the tap.
 */
#include "dissector/table/stats.h"

#include <string.h>

#include "base/text.h"
#include "dissector/families.h"
#include "dissector/flow.h"
#include "dissector/notes.h"
#include "dissector/table/follow.h"
#include "dissector/table/tables.h"
#include "dissector/table/tapped.h"
#include "lib/rung.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

#define TAP_ARGS                                                              \
	void *ctx, packet_info *pinfo, epan_dissect_t *edt, const void *data, \
		tap_flags_t flags

/* ---- Packets ---- */

void stats_tell(int tap, packet_info *pinfo, const struct packet *pkt,
		const struct seen *seen, const char *line)
{
	struct tapped *t;
	uint64_t id;

	if (!have_tap_listener(tap))
		return;
	t = wmem_new0(pinfo->pool, struct tapped);
	t->pkt = *pkt;
	t->seen = seen;
	t->line = wmem_strdup(pinfo->pool, line);
	if (packet_value(pkt, "spdcid", &id))
		t->ends[0] = (uint32_t)id;
	if (packet_value(pkt, "dpdcid", &id) ||
	    packet_value(pkt, "dest_qp", &id))
		t->ends[1] = (uint32_t)id;
	if (seen)
		t->has_rtt = track_rtt(seen, &t->rtt);
	tap_queue_packet(tap, pinfo, t);
}

/* ---- Conversations and endpoints ---- */

static const char *conv_filter(conv_item_t *item, conv_filter_type_e type)
{
	(void)item;
	switch (type) {
	case CONV_FT_SRC_PORT:
	case CONV_FT_DST_PORT:
	case CONV_FT_ANY_PORT:
		return "uet.spdcid";
	case CONV_FT_SRC_ADDRESS:
		return "ip.src";
	case CONV_FT_DST_ADDRESS:
		return "ip.dst";
	case CONV_FT_ANY_ADDRESS:
		return "ip.addr";
	default:
		return CONV_FILTER_INVALID;
	}
}

static const char *endpoint_filter(endpoint_item_t *item,
				   conv_filter_type_e type)
{
	(void)item;
	return conv_filter(NULL, type);
}

/*
 * A packet names the queue pair of one end only, so there is no pair of ports.
 */
static uint32_t id_of(const struct tapped *t, unsigned end)
{
	if (t->pkt.format == &uet_format)
		return t->ends[end];
	return 0;
}

/*
 * Returns the id of an end in the table of conversations.  The PDCID of the
 * responder is not known to the first packets of a PDC, so that only the end
 * that sent first shows its own: a PDC is one row.
 */
static uint32_t conv_id_of(const struct tapped *t, bool source)
{
	const struct dissect_flow *f = t->seen ? flow_of(t->seen) : NULL;

	if (!f)
		return id_of(t, !source);
	if ((t->seen->from == f->first_from) == source)
		return f->first_id;
	return 0;
}

/* A PDCID that serves again is another PDC. */
static conv_id_t conv_number(const struct tapped *t)
{
	if (t->seen && t->seen->stream != SEEN_NO_STREAM)
		return seen_stream(t->seen);
	return CONV_ID_UNSET;
}

static tap_packet_status conv_packet(TAP_ARGS)
{
	static ct_dissector_info_t info = {conv_filter};
	const struct tapped *t = data;
	conv_hash_t *hash = ctx;

	(void)edt;
	hash->flags = flags;
	add_conversation_table_data_with_conv_id(
		hash, &pinfo->src, &pinfo->dst, conv_id_of(t, true),
		conv_id_of(t, false), conv_number(t), 1,
		(int)pinfo->fd->pkt_len, &pinfo->rel_ts, &pinfo->abs_ts, &info,
		CONVERSATION_UDP);
	return TAP_PACKET_REDRAW;
}

static tap_packet_status endpoint_packet(TAP_ARGS)
{
	static et_dissector_info_t info = {endpoint_filter};
	const struct tapped *t = data;
	const int len = (int)pinfo->fd->pkt_len;
	conv_hash_t *hash = ctx;

	(void)edt;
	hash->flags = flags;
	add_endpoint_table_data(hash, &pinfo->src, id_of(t, 0), TRUE, 1, len,
				&info, ENDPOINT_UDP);
	add_endpoint_table_data(hash, &pinfo->dst, id_of(t, 1), FALSE, 1, len,
				&info, ENDPOINT_UDP);
	return TAP_PACKET_REDRAW;
}

/* ---- The flow graph ---- */

/* The PDS part of the rung is the label; the whole rung is the comment. */
static char *label_of(const char *rung)
{
	const char *bar = strstr(rung, " | ");

	if (bar)
		return g_strndup(rung, (gsize)(bar - rung));
	return g_strdup(rung);
}

static tap_packet_status flow_packet(TAP_ARGS)
{
	seq_analysis_info_t *graph = ctx;
	const struct tapped *t = data;
	const char *label = t->seen ? notes_label(t->seen) : "";
	seq_analysis_item_t *item;

	(void)edt;
	(void)flags;
	item = sequence_analysis_create_sai_with_addresses(pinfo, graph);
	if (!item)
		return TAP_PACKET_DONT_REDRAW;
	item->frame_number = pinfo->num;
	sequence_analysis_use_color_filter(pinfo, item);
	item->port_src = t->ends[0];
	item->port_dst = t->ends[1];
	item->frame_label = label_of(t->line);
	if (*label)
		item->comment = g_strdup_printf("%s [%s]", t->line, label);
	else
		item->comment = g_strdup(t->line);
	item->conv_num = (guint16)(t->seen ? seen_stream(t->seen) : 0);
	item->display = TRUE;
	item->line_style = 1;
	g_queue_push_tail(graph->items, item);
	return TAP_PACKET_REDRAW;
}

/* ---- The filter of a flow ---- */

static bool dissect_stats_is_part(const packet_info *pinfo, enum family family)
{
	const struct seen *s = track_frame(pinfo->num);

	return s && s->stream != SEEN_NO_STREAM && s->family == family;
}

static char *dissect_stats_filter_of(const packet_info *pinfo,
				     enum family family)
{
	const struct seen *s = track_frame(pinfo->num);

	if (s)
		return g_strdup_printf("%s.stream eq %u", family_name(family),
				       seen_stream(s));
	return NULL;
}

#define FLOW_FILTER(arg, id, word)                                         \
	static ws_bool is_part_of_##word(packet_info *pinfo FILTER_ARG)    \
	{                                                                  \
		FILTER_ARG_USED;                                           \
		return dissect_stats_is_part(pinfo, DISSECT_FAMILY(id));   \
	}                                                                  \
	static char *filter_of_##word(packet_info *pinfo FILTER_ARG)       \
	{                                                                  \
		FILTER_ARG_USED;                                           \
		return dissect_stats_filter_of(pinfo, DISSECT_FAMILY(id)); \
	}

DISSECT_FAMILIES(FLOW_FILTER)

/* ---- Counts: -z uet,tree ---- */

/* Reset by count_init; one thread at a time counts a tree. */
static int st_types = -1, st_nacks = -1, st_again = -1, st_broken = -1;
static int st_rtt = -1;

static void count_init(stats_tree *st)
{
	st_types = stats_tree_create_pivot(st, "Packets by type", 0);
	st_nacks = stats_tree_create_pivot(st, "NACK codes", 0);
	st_again = stats_tree_create_pivot(st, "Retransmissions, by cause", 0);
	st_broken = stats_tree_create_pivot(st, "Requirements broken", 0);
	st_rtt = stats_tree_create_range_node(st, "RTT (us)", 0, "0-9", "10-19",
					      "20-49", "50-99", "100-199",
					      "200-499", "500-999", "1000-9999",
					      "10000-99999", "100000-", NULL);
}

static void count_type(stats_tree *st, const struct packet *pkt)
{
	const char *word = packet_word(pkt);
	uint64_t v;
	const char *ctl;

	if (pkt->format == &uet_format && pds_type_of(pkt->p) == PDS_CP &&
	    packet_value(pkt, "ctl_type", &v)) {
		char name[40];

		ctl = value_find(pds_ctl_types, v);
		g_snprintf(name, sizeof(name), "%s %s", word,
			   ctl ? ctl : "reserved");
		stats_tree_tick_pivot(st, st_types, name);
	} else {
		stats_tree_tick_pivot(st, st_types, word);
	}
}

/* Counts a code of UET, or a syndrome other than ACK. */
static void count_nack(stats_tree *st, const struct packet *pkt)
{
	const char *name;
	uint64_t code;

	if (packet_value(pkt, "nack_code", &code))
		name = value_find(pds_nack_codes, code);
	else if (packet_value(pkt, "syndrome", &code) &&
		 ib_is_nak((uint8_t)code))
		name = code >> 5 == 1 ? "rnr" : value_find(ib_syndromes, code);
	else
		return;
	stats_tree_tick_pivot(st, st_nacks, text_or(name, "reserved"));
}

static void dissect_stats_count_seen(stats_tree *st, const struct tapped *t)
{
	static const char *const causes[] = {
		[RUNG_TIMER] = "time-out",
		[RUNG_NACK] = "NACK",
		[RUNG_GAP] = "gap that was shown",
	};
	const struct seen *s = t->seen;

	if (s->flags & SEEN_NET_DUP)
		stats_tree_tick_pivot(st, st_again, "copy made on the way");
	else if (s->flags & SEEN_AGAIN)
		stats_tree_tick_pivot(st, st_again,
				      causes[s->cause % G_N_ELEMENTS(causes)]);
	for (const struct note *n = s->notes; n; n = n->next)
		stats_tree_tick_pivot(st, st_broken, req_get(n->req)->id);
	if (t->has_rtt && t->rtt / VSPAN_US < G_MAXINT)
		stats_tree_tick_range(st, "RTT (us)", 0,
				      (int)(t->rtt / VSPAN_US));
}

static tap_packet_status count_packet(stats_tree *st, packet_info *pinfo,
				      epan_dissect_t *edt, const void *data,
				      tap_flags_t flags)
{
	const struct tapped *t = data;

	(void)pinfo;
	(void)edt;
	(void)flags;
	if (t->pkt.len < pds_prologue_len)
		return TAP_PACKET_DONT_REDRAW;
	count_type(st, &t->pkt);
	count_nack(st, &t->pkt);
	if (t->seen)
		dissect_stats_count_seen(st, t);
	return TAP_PACKET_REDRAW;
}

/* ---- Registration ---- */

/* The filter of the flows of a family. */
#define FILTER_ROW(arg, id, word) {is_part_of_##word, filter_of_##word},
static const struct {
	is_filter_valid_func is_part;
	build_filter_string_func filter;
} filters[] = {DISSECT_FAMILIES(FILTER_ROW)};
#undef FILTER_ROW

/* A text of a menu, "SRD packets"; it lives as long as the program. */
static const char *menu_text(enum family family, const char *what)
{
	return g_strconcat(dissect_families[family]->column, what, NULL);
}

void stats_register(int proto, enum family family, const char *name)
{
	register_conversation_table(proto, family != MAIN_FAMILY, conv_packet,
				    endpoint_packet);
	FILTER_REGISTER(
		name,
		menu_text(
			family,
			g_strconcat(" ", dissect_families[family]->flow, NULL)),
		filters[family].is_part, filters[family].filter);
	tables_register(proto, family, name);
	follow_register(proto, family, name);
	register_seq_analysis(name, menu_text(family, " packets"), proto, name,
			      TL_REQUIRES_COLUMNS, flow_packet);
}

void stats_handoff(enum family family, const char *name)
{
	STATS_TREE_REGISTER(name, name, menu_text(family, "/Packets"), 0,
			    count_packet, count_init, NULL);
}
