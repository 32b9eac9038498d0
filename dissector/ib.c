/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/ib.c -- dissects SRD and the WQE extension: fields, ICRC, the
 * packet as a line of the case language, and the judge's findings.
 *
 * The packets of SRD are not public, and the patent behind the WQE extension
 * has no format.  This dissector shows this project's own formats, and the
 * protocols' names say so.
 *
 * Spec: srd_wqe.md A.4, B.4
 */
#include "dissector/ib.h"

#include <inttypes.h>
#include <string.h>

#include "base/serial.h"
#include "base/text.h"
#include "dissector/compat.h"
#include "dissector/families.h"
#include "dissector/fields.h"
#include "dissector/head.h"
#include "dissector/notes.h"
#include "dissector/state.h"
#include "dissector/table/stats.h"
#include "dissector/track.h"
#include "wire/family.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/ib/icrc.h"

/* A protocol, and its fields that are not rows of a table. */
static struct protocol {
	int proto, tap, ett;
	int rung, data, pad, icrc, icrc_status;
	dissector_handle_t handle;
} protocols[FAMILIES_MOST];

static int hf_missing = -1, hf_bitmap = -1, hf_bytes = -1;

/* Static to reuse its memory for each packet. */
static struct dgram scratch;
static struct text line;

/* A packet that is being dissected. */
struct dissect_ib_view {
	enum family family;
	packet_info *pinfo;
	tvbuff_t *tvb;
	struct packet pkt;
	const struct seen *seen;
	const char *missing; /* PSNs that an indication requests, or NULL */
	bool cut;
	enum head_icrc icrc;
};

/* ---- Parsing ---- */

/* Collects PSNs as ranges: "17-18 20". */
struct ranges {
	wmem_strbuf_t *s;
	bool any;
	uint32_t from, to;
};

static void put_range(struct ranges *r)
{
	if (!r->any)
		return;
	wmem_strbuf_append_printf(r->s, "%s%" PRIu32,
				  wmem_strbuf_get_len(r->s) ? " " : "",
				  r->from);
	if (r->to != r->from)
		wmem_strbuf_append_printf(r->s, "-%" PRIu32, r->to);
}

static void add_psn(void *arg, uint32_t psn)
{
	struct ranges *r = arg;

	if (r->any && psn == ((r->to + 1) & SERIAL24_MASK)) {
		r->to = psn;
		return;
	}
	put_range(r);
	*r = (struct ranges){.s = r->s, .any = true, .from = psn, .to = psn};
}

static const char *missing_of(const struct dissect_ib_view *v)
{
	struct ranges r = {.s = wmem_strbuf_new(v->pinfo->pool, "")};

	if (v->pkt.fault != PACKET_OK || v->pkt.p[0] != IB_WQE_RTX_IND)
		return NULL;
	ib_packet_listed(&v->pkt, add_psn, &r);
	put_range(&r);
	if (r.any)
		return wmem_strbuf_get_str(r.s);
	return "none";
}

static void dissect_ib_view_open(struct dissect_ib_view *v, enum family family,
				 packet_info *pinfo, tvbuff_t *tvb)
{
	*v = (struct dissect_ib_view){
		.family = family, .pinfo = pinfo, .tvb = tvb};
	head_read(&scratch, pinfo, tvb, false);
	scratch.family = (uint8_t)family;
	v->cut = tvb_captured_length(tvb) < tvb_reported_length(tvb);
	v->icrc = head_parse(&scratch, tvb, (uint16_t)pinfo->destport, &v->pkt);
	v->missing = missing_of(v);
}

static void dissect_ib_say(const struct dissect_ib_view *v)
{
	text_clear(&line);
	packet_print(&line, &v->pkt, PACKET_BRIEF, NULL);
	if (v->missing)
		text_printf(&line, "; missing %s", v->missing);
}

/* ---- The tree ---- */

static void show_icrc(const struct dissect_ib_view *v, proto_tree *t)
{
	const struct protocol *h = &protocols[v->family];
	const int at = (int)tvb_captured_length(v->tvb) - ICRC_LEN;

	proto_tree_add_item(t, h->icrc, v->tvb, at, ICRC_LEN,
			    ENC_LITTLE_ENDIAN);
	proto_item_set_generated(
		proto_tree_add_string(t, h->icrc_status, v->tvb, at, ICRC_LEN,
				      head_icrc_text(v->icrc)));
}

/* Shows the list, or the base and the words of a bitmap. */
static void show_entries(const struct dissect_ib_view *v, proto_tree *t)
{
	const int end = (int)v->pkt.len;
	int at = (int)v->pkt.payload;
	uint64_t fmt = 0;

	packet_value(&v->pkt, "fmt", &fmt);
	for (; at + (int)rieth_entry_len <= end; at += (int)rieth_entry_len) {
		fields_header(v->family, t, v->tvb, &rieth_entry_header, at);
		if (fmt != RIETH_LIST)
			break;
	}
	if (fmt != RIETH_LIST)
		at += (int)rieth_entry_len;
	if (fmt != RIETH_LIST && at < end)
		proto_tree_add_item(t, hf_bitmap, v->tvb, at, end - at, ENC_NA);
	proto_item_set_generated(proto_tree_add_string(
		t, hf_missing, v->tvb, (int)v->pkt.payload,
		end - (int)v->pkt.payload, v->missing));
}

static void dissect_ib_show_payload(const struct dissect_ib_view *v,
				    proto_tree *t)
{
	const struct protocol *h = &protocols[v->family];
	const int at = (int)v->pkt.payload;
	const int pad = (int)ib_packet_pad(&v->pkt);
	const int len = (int)(v->pkt.len - v->pkt.payload) - pad;

	if (len > 0)
		proto_tree_add_item(t, h->data, v->tvb, at, len, ENC_NA);
	if (pad > 0)
		proto_tree_add_item(t, h->pad, v->tvb, at + len, pad, ENC_NA);
}

/* Shows the byte range of its WQE that a packet carries. */
static void show_place(const struct dissect_ib_view *v, proto_tree *t)
{
	const uint64_t len =
		v->pkt.len - v->pkt.payload - (uint64_t)ib_packet_pad(&v->pkt);
	uint64_t offset, total;
	const char *text;

	if (!packet_value(&v->pkt, "wqe_offset", &offset) ||
	    !packet_value(&v->pkt, "wqe_length", &total) || !len || v->cut)
		return;
	text = wmem_strdup_printf(v->pinfo->pool,
				  "%" PRIu64 "-%" PRIu64 " of %" PRIu64, offset,
				  offset + len - 1, total);
	proto_item_set_generated(proto_tree_add_string(
		t, hf_bytes, v->tvb, (int)v->pkt.payload, (int)len, text));
}

static void dissect_ib_show(const struct dissect_ib_view *v, proto_tree *t)
{
	proto_item_set_generated(proto_tree_add_string(
		t, protocols[v->family].rung, v->tvb, 0, 0, text_cstr(&line)));
	for (unsigned i = 0; i < v->pkt.nsec; i++)
		fields_header(v->family, t, v->tvb, v->pkt.sec[i].h,
			      (int)v->pkt.sec[i].at);
	if (v->missing)
		show_entries(v, t);
	else
		dissect_ib_show_payload(v, t);
	show_place(v, t);
	if (v->icrc != HEAD_ICRC_NONE)
		show_icrc(v, t);
	state_show(v->family, t, v->tvb, v->seen);
}

static void dissect_ib_show_columns(const struct dissect_ib_view *v)
{
	col_set_str(v->pinfo->cinfo, COL_PROTOCOL,
		    dissect_families[v->family]->column);
	notes_column(v->pinfo, v->seen, text_cstr(&line));
}

/* ---- Oddities ---- */

/* The opcode has its own expert info; credits and RNR timers have no names. */
static void dissect_ib_strange(void *arg, const struct field *f, uint64_t value)
{
	const bool reserved = f->kind == FIELD_RSVD;

	if (!strcmp(f->name, "opcode") ||
	    (!strcmp(f->name, "syndrome") && value < 0x40))
		return;
	notes_odd(arg, reserved ? ODD_RESERVED : ODD_UNKNOWN,
		  reserved ? "Reserved bits are not 0: %s=0x%" PRIx64 "."
			   : "A value without a meaning: %s=0x%" PRIx64 ".",
		  f->name, value);
}

/* Compares an indication's count with its entries or bitmap words. */
static void note_count(const struct dissect_ib_view *v, const struct noted *at)
{
	const size_t there = (v->pkt.len - v->pkt.payload) / rieth_entry_len;
	uint64_t count = 0, fmt = 0;

	packet_value(&v->pkt, "count", &count);
	packet_value(&v->pkt, "fmt", &fmt);
	if (v->missing && !v->cut && count + (fmt == RIETH_BITMAP) != there)
		notes_odd(at, ODD_PAYLOAD,
			  "The indication counts %" PRIu64
			  " entries, %zu words are here.",
			  count, there);
}

static void dissect_ib_note(const struct dissect_ib_view *v, proto_tree *t,
			    proto_item *item)
{
	struct noted at = {v->family, v->pinfo, t, item, v->tvb};
	const struct packet *pkt = &v->pkt;

	if (pkt->fault == PACKET_SHORT)
		notes_odd(&at, v->cut ? ODD_CUT : ODD_SHORT,
			  "%zu bytes, but the header \"%s\" ends later.%s",
			  pkt->len, pkt->fault_header->name,
			  v->cut ? " The capture was cut there." : "");
	if (pkt->fault == PACKET_TYPE)
		notes_odd(&at, ODD_TYPE, "The opcode 0x%02x has no meaning.",
			  pkt->p[0]);
	head_note(&at, v->icrc);
	for (unsigned i = 0; i < pkt->nsec; i++)
		fields_strange(pkt->sec[i].h, pkt->p + pkt->sec[i].at,
			       dissect_ib_strange, &at);
	note_count(v, &at);
	if (v->seen)
		notes_seen(&at, v->seen, pkt);
}

/* ---- The whole packet ---- */

/*
 * Returns false for packets that the receiver drops, which belong to no flow.
 * Of truncated packets the judge follows only those of SRD, without their
 * bytes.
 */
static bool is_followed(const struct dissect_ib_view *v)
{
	return v->icrc == HEAD_ICRC_RIGHT ||
	       (v->cut && scratch.dst.len &&
		dissect_families[v->family]->follows_cut);
}

static int dissect_ib_dissect(enum family family, tvbuff_t *tvb,
			      packet_info *pinfo, proto_tree *tree)
{
	const struct protocol *h = &protocols[family];
	proto_item *item =
		proto_tree_add_item(tree, h->proto, tvb, 0, -1, ENC_NA);
	proto_tree *t = proto_item_add_subtree(item, h->ett);
	struct dissect_ib_view v;

	dissect_ib_view_open(&v, family, pinfo, tvb);
	if (is_followed(&v))
		v.seen = track_packet(pinfo, &v.pkt, &scratch, v.cut);
	dissect_ib_say(&v);
	dissect_ib_show_columns(&v);
	proto_item_append_text(item, ", %s", text_cstr(&line));
	if (tree)
		dissect_ib_show(&v, t);
	dissect_ib_note(&v, t, item);
	stats_tell(h->tap, pinfo, &v.pkt, v.seen, text_cstr(&line));
	return (int)tvb_captured_length(tvb);
}

/* Wireshark calls a function for each protocol. */
#define DISSECT(arg, id, name)                                            \
	static int dissect_##name(tvbuff_t *tvb, packet_info *pinfo,      \
				  proto_tree *tree, void *data)           \
	{                                                                 \
		(void)data;                                               \
		return dissect_ib_dissect(DISSECT_FAMILY(id), tvb, pinfo, \
					  tree);                          \
	}
DISSECT_FAMILIES(DISSECT)
#undef DISSECT

#define DISSECTOR(arg, id, name) dissect_##name,
static const dissector_t dissectors[] = {DISSECT_FAMILIES(DISSECTOR)};
#undef DISSECTOR

/* ---- Registration ---- */

static void register_fields(enum family family)
{
	struct protocol *h = &protocols[family];
	const int proto = h->proto;

	fields_add(proto, family, &h->rung,
		   FIELDS_TEXT("rung", "The packet as a line of the case "
				       "language"));
	fields_add(proto, family, &h->data,
		   FIELDS_MORE("data", FT_BYTES, BASE_NONE, NULL, "Payload"));
	fields_add(proto, family, &h->pad,
		   FIELDS_MORE("padding", FT_BYTES, BASE_NONE, NULL,
			       "Behind the payload, up to 4 bytes"));
	fields_add(proto, family, &h->icrc,
		   FIELDS_MORE("icrc", FT_UINT32, BASE_HEX, NULL,
			       "Invariant CRC, as of RoCEv2"));
	fields_add(proto, family, &h->icrc_status,
		   FIELDS_TEXT("icrc.status", "Whether it is right"));
	if (!dissect_families[family]->links_messages)
		return;
	fields_add(proto, family, &hf_missing,
		   FIELDS_TEXT("missing", "PSNs that are requested"));
	fields_add(proto, family, &hf_bitmap,
		   FIELDS_MORE("bitmap", FT_BYTES, BASE_NONE, NULL,
			       "From the base on; 1: missing"));
	fields_add(proto, family, &hf_bytes,
		   FIELDS_TEXT("bytes", "Which bytes of its WQE it carries"));
}

/* Leaves a name that another dissector has taken. */
static void register_one(enum family family, dissector_t dissector)
{
	const struct dissect_family *row = dissect_families[family];
	struct protocol *h = &protocols[family];
	const char *name = family_name(family);
	int *ett[] = {&h->ett};

	if (proto_get_id_by_filter_name(name) != -1 ||
	    proto_get_id_by_short_name(row->column) != -1)
		return;
	h->ett = -1;
	h->proto = proto_register_protocol(row->title, row->column, name);
	proto_register_subtree_array(ett, array_length(ett));
	fields_register_more(h->proto, family, row->headers, row->nheaders);
	register_fields(family);
	state_register(h->proto, family);
	notes_register(h->proto, family);
	h->tap = register_tap(name);
	stats_register(h->proto, family, name);
	h->handle = register_dissector(name, dissector, h->proto);
}

void ib_register(void)
{
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (dissect_families[f]->headers)
			register_one((enum family)f, dissectors[f]);
}

void ib_handoff(void)
{
	for (int i = 0; i < (int)wire_nfamilies; i++) {
		const enum family family = (enum family)i;

		if (!protocols[i].handle)
			continue;
		dissector_add_uint_with_preference(
			"udp.port", family_port(family), protocols[i].handle);
		stats_handoff(family, family_name(family));
	}
}
