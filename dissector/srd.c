/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/srd.c -- SRD in the reference encapsulation: fields, ICRC, the
 * packet as a line of the case language, and what the judge says of it.
 *
 * The packets of SRD itself are not public; what is shown here is this
 * project's own format, and the protocol's name says so.
 *
 * Spec: srd_wqe.md A.4
 */
#include "dissector/srd.h"

#include <string.h>

#include "base/text.h"
#include "dissector/compat.h"
#include "dissector/fields.h"
#include "dissector/head.h"
#include "dissector/notes.h"
#include "dissector/track.h"
#include "wire/crc.h"
#include "wire/family.h"
#include "wire/ib.h"
#include "wire/ib_packet.h"

static int proto = -1;
static int hf_rung = -1, hf_stream = -1, hf_data = -1, hf_icrc = -1,
	   hf_icrc_status = -1;
static int ett = -1;
static dissector_handle_t handle;

/* Kept from packet to packet for its memory alone. */
static struct dgram scratch;
static struct text line;

/* A packet while it is dissected. */
struct view {
	packet_info *pinfo;
	tvbuff_t *tvb;
	struct packet pkt;
	const struct seen *seen;
	bool cut, has_head;
	enum dgram_crc icrc; /* NONE: the capture ends before it */
};

static void view_open(struct view *v, packet_info *pinfo, tvbuff_t *tvb)
{
	const unsigned have = tvb_captured_length(tvb);
	size_t len = have;

	*v = (struct view){.pinfo = pinfo, .tvb = tvb};
	v->has_head = head_read(&scratch, pinfo, tvb, false);
	scratch.family = FAMILY_SRD;
	head_data(&scratch, tvb);
	v->cut = have < tvb_reported_length(tvb);
	if (!v->cut && len >= CRC_LEN) {
		v->icrc = crc_look(&scratch, scratch.data, len, CRC_LE);
		len -= CRC_LEN;
	}
	family_parse(FAMILY_SRD, &v->pkt,
		     have ? tvb_get_ptr(tvb, 0, (int)have) : NULL, len);
}

static const char *status_of(const struct view *v)
{
	if (!v->has_head)
		return "not verified: the IP header is not known";
	return v->icrc == DGRAM_CRC_RIGHT
		       ? "good"
		       : "not right for an IP header with ID 0 and DF";
}

static void show_icrc(const struct view *v, proto_tree *t)
{
	const int at = (int)tvb_captured_length(v->tvb) - CRC_LEN;

	proto_tree_add_item(t, hf_icrc, v->tvb, at, CRC_LEN, ENC_LITTLE_ENDIAN);
	proto_item_set_generated(proto_tree_add_string(
		t, hf_icrc_status, v->tvb, at, CRC_LEN, status_of(v)));
}

static void show(const struct view *v, proto_tree *t)
{
	const int at = (int)v->pkt.payload;
	const int len = (int)(v->pkt.len - v->pkt.payload);

	proto_item_set_generated(proto_tree_add_string(t, hf_rung, v->tvb, 0, 0,
						       text_cstr(&line)));
	for (unsigned i = 0; i < v->pkt.nsec; i++)
		fields_header(t, v->tvb, v->pkt.sec[i].h,
			      (int)v->pkt.sec[i].at);
	if (len > 0)
		proto_tree_add_item(t, hf_data, v->tvb, at, len, ENC_NA);
	if (v->icrc != DGRAM_CRC_NONE)
		show_icrc(v, t);
	if (v->seen && v->seen->flags & SEEN_JUDGED)
		proto_item_set_generated(
			proto_tree_add_uint(t, hf_stream, v->tvb, 0, 0,
					    v->seen->stream & 0x7fffffff));
}

static void show_columns(const struct view *v)
{
	const char *label = v->seen ? notes_label(v->seen) : "";

	col_set_str(v->pinfo->cinfo, COL_PROTOCOL, "SRD");
	col_add_fstr(v->pinfo->cinfo, COL_INFO, "%s%s%s%s", text_cstr(&line),
		     *label ? "  [" : "", label, *label ? "]" : "");
}

static void note(const struct view *v, proto_tree *t, proto_item *item)
{
	const struct noted at = {v->pinfo, t, item, v->tvb};

	if (v->pkt.fault == PACKET_SHORT)
		notes_odd(&at, v->cut ? ODD_CUT : ODD_SHORT,
			  "The packet ends inside a header");
	if (v->pkt.fault == PACKET_TYPE)
		notes_odd(&at, ODD_TYPE, "The opcode has no meaning");
	if (v->seen)
		notes_seen(&at, v->seen, &v->pkt);
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
		   void *data)
{
	proto_item *item = proto_tree_add_item(tree, proto, tvb, 0, -1, ENC_NA);
	proto_tree *t = proto_item_add_subtree(item, ett);
	struct view v;

	(void)data;
	view_open(&v, pinfo, tvb);
	if (v.has_head && v.icrc == DGRAM_CRC_RIGHT)
		v.seen = track_packet(pinfo, &v.pkt, &scratch, v.cut);
	text_clear(&line);
	packet_print(&line, &v.pkt, PACKET_BRIEF, NULL);
	show_columns(&v);
	proto_item_append_text(item, ", %s", text_cstr(&line));
	if (tree)
		show(&v, t);
	note(&v, t, item);
	return (int)tvb_captured_length(tvb);
}

void srd_register(void)
{
	static const struct header *const headers[] = {
		&bth_header,     &seth_header,     &deth_header,
		&imm_eth_header, &srd_aeth_header, &srd_sack_header,
	};
	static hf_register_info hf[] = {
		{&hf_rung,
		 {"rung", "srd.rung", FT_STRING, BASE_NONE, NULL, 0,
		  "The packet as a line of the case language", HFILL}},
		{&hf_stream,
		 {"stream", "srd.stream", FT_UINT32, BASE_DEC, NULL, 0,
		  "Number of the context in this capture", HFILL}},
		{&hf_data,
		 {"data", "srd.data", FT_BYTES, BASE_NONE, NULL, 0,
		  "Payload and pad", HFILL}},
		{&hf_icrc,
		 {"icrc", "srd.icrc", FT_UINT32, BASE_HEX, NULL, 0,
		  "Invariant CRC, as of RoCEv2", HFILL}},
		{&hf_icrc_status,
		 {"icrc.status", "srd.icrc.status", FT_STRING, BASE_NONE, NULL,
		  0, "Whether it is right", HFILL}},
	};
	static int *trees[] = {&ett};

	if (proto_get_id_by_filter_name("srd") != -1)
		return;
	proto = proto_register_protocol(
		"Scalable Reliable Datagram (rung's reference encapsulation)",
		"SRD", "srd");
	proto_register_field_array(proto, hf, array_length(hf));
	proto_register_subtree_array(trees, array_length(trees));
	fields_register_more(proto, "srd", headers, G_N_ELEMENTS(headers));
	handle = register_dissector("srd", dissect, proto);
}

void srd_handoff(void)
{
	if (handle)
		dissector_add_uint_with_preference("udp.port", SRD_UDP_PORT,
						   handle);
}
