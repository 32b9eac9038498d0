/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/tables.c -- the table of streams, and service response times.
 *
 * Each family has a table of each kind.  Callbacks know their family by the
 * packet.
 */
#include "dissector/table/tables.h"

#include "dissector/families.h"
#include "dissector/table/tapped.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

#include <string.h>

#include <epan/srt_table.h>
#include <epan/stat_tap_ui.h>
#include <epan/to_str.h>

/* ---- Streams: -z uet,streams ---- */

/* The columns; RTTs are in milliseconds. */
enum column {
	COL_STREAM,
	COL_FROM,
	COL_TO,
	COL_PACKETS,
	COL_BYTES,
	COL_LOST,
	COL_REPEATS,
	COL_NEEDLESS,
	COL_COPIES,
	COL_NACKS,
	COL_FINDINGS,
	COL_RTT_MIN,
	COL_RTT_MEAN,
	COL_RTT_MAX,
	COLUMNS,
};

static stat_tap_table_item columns[COLUMNS] = {
	[COL_STREAM] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Stream", "%u"},
	[COL_FROM] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "From", "%-15s"},
	[COL_TO] = {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "To", "%-15s"},
	[COL_PACKETS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Packets", "%u"},
	[COL_BYTES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes", "%u"},
	[COL_LOST] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Missing", "%u"},
	[COL_REPEATS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Repeats", "%u"},
	[COL_NEEDLESS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Needless", "%u"},
	[COL_COPIES] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Duplicates", "%u"},
	[COL_NACKS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "NACKs", "%u"},
	[COL_FINDINGS] = {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Findings", "%u"},
	[COL_RTT_MIN] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "RTT min (ms)",
			 "%.3f"},
	[COL_RTT_MEAN] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "RTT mean (ms)",
			  "%.3f"},
	[COL_RTT_MAX] = {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "RTT max (ms)",
			 "%.3f"},
};

static void streams_init(stat_tap_table_ui *ui)
{
	stat_tap_table *t = stat_tap_find_table(ui, ui->title);

	if (t) {
		ui->stat_tap_reset_table_cb(t);
		return;
	}
	stat_tap_add_table(ui,
			   stat_tap_init_table(ui->title, COLUMNS, 0, NULL));
}

static void streams_add(stat_tap_table *t, uint32_t row, enum column column,
			unsigned n)
{
	stat_tap_table_item_type *v = stat_tap_get_field_data(t, row, column);

	v->value.uint_value += n;
	stat_tap_set_field_data(t, row, column, v);
}

/* Adds an RTT; the mean's column counts the RTTs. */
static void streams_rtt(stat_tap_table *t, uint32_t row, vspan rtt)
{
	const double ms = (double)rtt / (double)VSPAN_MS;
	stat_tap_table_item_type *low =
		stat_tap_get_field_data(t, row, COL_RTT_MIN);
	stat_tap_table_item_type *mean =
		stat_tap_get_field_data(t, row, COL_RTT_MEAN);
	stat_tap_table_item_type *high =
		stat_tap_get_field_data(t, row, COL_RTT_MAX);
	const unsigned n = ++mean->user_data.uint_value;

	if (n == 1 || ms < low->value.float_value)
		low->value.float_value = ms;
	if (n == 1 || ms > high->value.float_value)
		high->value.float_value = ms;
	mean->value.float_value += (ms - mean->value.float_value) / n;
}

/* Adds an empty row for a new stream, and for those before it. */
static void streams_row(stat_tap_table *t, uint32_t row,
			const packet_info *pinfo)
{
	stat_tap_table_item_type fresh[COLUMNS] = {0};

	if (row < t->num_elements &&
	    stat_tap_get_field_data(t, row, COL_FROM)->value.string_value)
		return;
	for (int i = 0; i < COLUMNS; i++)
		fresh[i].type = columns[i].type;
	fresh[COL_STREAM].value.uint_value = row;
	fresh[COL_FROM].value.string_value = address_to_str(NULL, &pinfo->src);
	fresh[COL_TO].value.string_value = address_to_str(NULL, &pinfo->dst);
	stat_tap_init_table_row(t, row, COLUMNS, fresh);
}

static tap_packet_status streams_packet(void *ctx, packet_info *pinfo,
					epan_dissect_t *edt, const void *data,
					tap_flags_t flags)
{
	const stat_data_t *stat = ctx;
	const struct tapped *tap = data;
	const struct seen *s = tap->seen;
	stat_tap_table *t =
		g_array_index(stat->stat_tap_data->tables, stat_tap_table *, 0);
	uint32_t row;

	(void)edt;
	(void)flags;
	if (!s || s->stream == SEEN_NO_STREAM)
		return TAP_PACKET_DONT_REDRAW;
	row = seen_stream(s);
	streams_row(t, row, pinfo);
	streams_add(t, row, COL_PACKETS, 1);
	streams_add(t, row, COL_BYTES, pinfo->fd->pkt_len);
	streams_add(t, row, COL_LOST, s->skipped);
	/* what comes late was missing only for a time */
	if (s->flags & SEEN_LATE &&
	    stat_tap_get_field_data(t, row, COL_LOST)->value.uint_value)
		streams_add(t, row, COL_LOST, -1u);
	if (s->flags & SEEN_NET_DUP)
		streams_add(t, row, COL_COPIES, 1);
	else if (s->flags & SEEN_AGAIN)
		streams_add(t, row, COL_REPEATS, 1);
	streams_add(t, row, COL_NEEDLESS,
		    (s->flags & (SEEN_NEEDLESS | SEEN_NET_DUP)) ==
			    SEEN_NEEDLESS);
	streams_add(t, row, COL_NACKS, (s->flags & SEEN_NACK) != 0);
	for (const struct note *n = s->notes; n; n = n->next)
		streams_add(t, row, COL_FINDINGS, 1);
	if (tap->has_rtt)
		streams_rtt(t, row, tap->rtt);
	return TAP_PACKET_REDRAW;
}

/* Empties the rows; their streams stay. */
static void streams_reset(stat_tap_table *t)
{
	for (guint row = 0; row < t->num_elements; row++)
		for (int i = COL_PACKETS; i < COLUMNS; i++) {
			stat_tap_table_item_type *v =
				stat_tap_get_field_data(t, row, (guint)i);

			v->user_data.uint_value = 0;
			if (columns[i].type == TABLE_ITEM_FLOAT)
				v->value.float_value = 0;
			else
				v->value.uint_value = 0;
		}
}

static void streams_free(stat_tap_table *t, guint row, guint column,
			 stat_tap_table_item_type *v)
{
	(void)t;
	(void)row;
	if (columns[column].type != TABLE_ITEM_STRING)
		return;
	wmem_free(NULL, (void *)(uintptr_t)v->value.string_value);
	v->value.string_value = NULL;
}

static void streams_register(enum family family, const char *name)
{
	stat_tap_table_ui *ui = g_new0(stat_tap_table_ui, 1);

	ui->group = REGISTER_STAT_GROUP_GENERIC;
	ui->title =
		g_strconcat(dissect_families[family]->column, " streams", NULL);
	ui->tap_name = name;
	ui->cli_string = g_strconcat(name, ",streams", NULL);
	ui->stat_tap_init_cb = streams_init;
	ui->packet_func = streams_packet;
	ui->stat_tap_reset_table_cb = streams_reset;
	ui->stat_tap_free_table_item_cb = streams_free;
	ui->nfields = COLUMNS;
	ui->fields = columns;
	register_stat_tap_table_ui(ui);
}

/* ---- Service response times: -z uet,srt ---- */

/* The rows: what a request asks for. */
static const char *const services[] = {"SEND", "WRITE", "READ", "ATOMIC",
				       "other"};

enum { SERVICE_OTHER = 4 };

/* Returns the row of a request, by the words of its line. */
static int srt_service(const char *line)
{
	static const struct {
		const char *word;
		int row;
	} words[] = {
		{" send", 0},     {" tagged_send", 0}, {" datagram_send", 0},
		{"_send", 0},     {" write", 1},       {"_write", 1},
		{" read", 2},     {"_read", 2},        {"atomic", 3},
		{"fetch_add", 3}, {"cmp_swap", 3},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(line, words[i].word))
			return words[i].row;
	return SERVICE_OTHER;
}

static void tables_srt_init(struct register_srt *srt, GArray *tables)
{
	srt_stat_table *t =
		init_srt_table("Service response times", NULL, tables,
			       G_N_ELEMENTS(services), "Request", NULL, NULL);

	(void)srt;
	for (int i = 0; i < (int)G_N_ELEMENTS(services); i++)
		init_srt_table_row(t, i, services[i]);
}

/* From the first transmission of a request to its first answer. */
static tap_packet_status tables_srt_packet(void *ctx, packet_info *pinfo,
					   epan_dissect_t *edt,
					   const void *data, tap_flags_t flags)
{
	const srt_data_t *srt = ctx;
	const struct tapped *tap = data;
	const struct seen *s = tap->seen,
			  *req = s ? track_frame(s->req_in) : NULL;
	nstime_t begin;
	vspan span;

	(void)edt;
	(void)flags;
	/* the request comes through this tap before its answer */
	if (s && s->flags & SEEN_SENT)
		seen_at(s->frame)->service = (uint8_t)srt_service(tap->line);
	if (!req || s->flags & SEEN_NACK || req->ack_in != s->frame ||
	    !track_response(s, &span))
		return TAP_PACKET_DONT_REDRAW;
	begin = pinfo->abs_ts;
	begin.secs -= (time_t)(span / VSPAN_S);
	begin.nsecs -= (int)(span % VSPAN_S);
	if (begin.nsecs < 0) {
		begin.nsecs += (int)VSPAN_S;
		begin.secs--;
	}
	add_srt_table_data(g_array_index(srt->srt_array, srt_stat_table *, 0),
			   req->service, &begin, pinfo);
	return TAP_PACKET_REDRAW;
}

void tables_register(int proto, enum family family, const char *name)
{
	streams_register(family, name);
	register_srt_table(proto, NULL, 1, tables_srt_packet, tables_srt_init,
			   NULL);
}
