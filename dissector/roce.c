/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/roce.c -- follows plain RoCEv2 beside Wireshark's own dissector.
 *
 * Wireshark decodes RoCEv2, "infiniband" on UDP port 4791, but does not analyse
 * its PSNs.  This is a postdissector, which takes no port: it reads the frames
 * that contain RoCEv2, lets the judge follow their connections, and adds a
 * short tree of its own.
 *
 * Wireshark passes only the frame to a postdissector, and "infiniband" replaces
 * addresses and ports with queue pairs, so this file parses the frame again.
 * It does not find packets inside another IP header.
 */
#include "dissector/roce.h"

#include "base/text.h"
#include "dissector/head.h"
#include "dissector/notes.h"
#include "dissector/state.h"
#include "dissector/table/stats.h"
#include "dissector/track.h"
#include "wire/family.h"
#include "wire/frame/frame.h"
#include "wire/ib/ib.h"
#include "wire/ib/icrc.h"

#define OURS FAMILY_ROCE /* the family of these packets */

static int proto = -1;
static int tap = -1, ett = -1;
static int hf_rung = -1, hf_icrc_status = -1;
static int beside = -1;   /* Wireshark's protocol */
static ws_bool on = TRUE; /* a preference */

/* Static to reuse its memory for each packet. */
static struct dgram scratch;
static struct text line;

/* A packet that is being followed. */
struct dissect_roce_view {
	packet_info *pinfo;
	tvbuff_t *tvb; /* from the BTH to the ICRC */
	struct packet pkt;
	const struct seen *seen;
	enum head_icrc icrc;
	bool cut;
};

/* ---- The frame ---- */

static bool has_beside(const packet_info *pinfo)
{
	wmem_list_frame_t *f = wmem_list_tail(pinfo->layers);

	for (; f; f = wmem_list_frame_prev(f))
		if (GPOINTER_TO_INT(wmem_list_frame_data(f)) == beside)
			return true;
	return false;
}

static bool link_of(const packet_info *pinfo, enum frame_link *ret)
{
	static const struct {
		int encap;
		enum frame_link link;
	} links[] = {
		{WTAP_ENCAP_ETHERNET, FRAME_ETHERNET},
		{WTAP_ENCAP_RAW_IP, FRAME_RAW_IP},
		{WTAP_ENCAP_RAW_IP4, FRAME_IPV4_ONLY},
		{WTAP_ENCAP_RAW_IP6, FRAME_IPV6_ONLY},
		{WTAP_ENCAP_NULL, FRAME_NULL},
		{WTAP_ENCAP_LOOP, FRAME_LOOP},
		{WTAP_ENCAP_SLL, FRAME_LINUX_SLL},
		{WTAP_ENCAP_SLL2, FRAME_LINUX_SLL2},
	};
	const wtap_rec *rec = pinfo->rec;

	for (size_t i = 0; i < G_N_ELEMENTS(links); i++) {
		if (rec->rec_type != REC_TYPE_PACKET ||
		    links[i].encap != rec->rec_header.packet_header.pkt_encap)
			continue;
		*ret = links[i].link;
		return true;
	}
	return false;
}

/* Returns the bytes behind the UDP header; NULL if the frame is not RoCEv2. */
static tvbuff_t *dissect_roce_find(const packet_info *pinfo, tvbuff_t *frame)
{
	static const struct frame_conf conf = {.udp_port = ROCE_UDP_PORT};
	const unsigned have = tvb_captured_length(frame);
	struct frame_info info;
	enum frame_link link;

	if (!link_of(pinfo, &link) || !have ||
	    frame_find(&conf, link, tvb_get_ptr(frame, 0, (int)have), have,
		       &scratch, &info) != FRAME_OK ||
	    scratch.native || info.udp_length < frame_udp_len)
		return NULL;
	return tvb_new_subset_length(frame, (int)info.at,
				     info.udp_length - frame_udp_len);
}

static void dissect_roce_view_open(struct dissect_roce_view *v,
				   packet_info *pinfo, tvbuff_t *tvb)
{
	*v = (struct dissect_roce_view){.pinfo = pinfo, .tvb = tvb};
	scratch.family = OURS;
	v->icrc = head_parse(&scratch, tvb, ROCE_UDP_PORT, &v->pkt);
	v->cut = tvb_captured_length(tvb) < tvb_reported_length(tvb);
}

/* ---- The tree ---- */

static void dissect_roce_show(const struct dissect_roce_view *v, proto_tree *t)
{
	proto_item_set_generated(proto_tree_add_string(t, hf_rung, v->tvb, 0, 0,
						       text_cstr(&line)));
	proto_item_set_generated(proto_tree_add_string(
		t, hf_icrc_status, v->tvb, 0, 0, head_icrc_text(v->icrc)));
	state_show(OURS, t, v->tvb, v->seen);
}

static void dissect_roce_note(const struct dissect_roce_view *v, proto_tree *t,
			      proto_item *item)
{
	const struct noted at = {OURS, v->pinfo, t, item, v->tvb};

	head_note(&at, v->icrc);
	if (v->seen)
		notes_seen(&at, v->seen, &v->pkt);
}

/*
 * Appends to Wireshark's column what it leaves out: the code of a NAK, the time
 * of an RNR NAK, the PSN, and what the flow says of the packet.
 */
static void dissect_roce_columns(const struct dissect_roce_view *v,
				 const char *label)
{
	column_info *cinfo = v->pinfo->cinfo;
	char name[NOTES_SYNDROME];
	uint64_t syndrome, psn;

	if (packet_value(&v->pkt, "syndrome", &syndrome) &&
	    ib_is_nak((uint8_t)syndrome) && packet_value(&v->pkt, "psn", &psn))
		col_append_fstr(cinfo, COL_INFO, "  NAK %s, PSN %u",
				notes_syndrome((uint8_t)syndrome, name),
				(unsigned)psn);
	if (*label)
		col_append_fstr(cinfo, COL_INFO, "  [%s]", label);
}

static void dissect_roce_follow(packet_info *pinfo, tvbuff_t *tvb,
				proto_tree *tree)
{
	proto_item *item = proto_tree_add_item(tree, proto, tvb, 0, -1, ENC_NA);
	proto_tree *t = proto_item_add_subtree(item, ett);
	const char *label;
	struct dissect_roce_view v;

	dissect_roce_view_open(&v, pinfo, tvb);
	/*
	 * A packet with a wrong ICRC is dropped by its receiver, so no
	 * connection has it.
	 */
	if (v.icrc == HEAD_ICRC_RIGHT)
		v.seen = track_packet(pinfo, &v.pkt, &scratch, v.cut);
	text_clear(&line);
	packet_print(&line, &v.pkt, PACKET_BRIEF, NULL);
	if (v.seen)
		label = notes_label(v.seen);
	else
		label = "";
	dissect_roce_columns(&v, label);
	proto_item_set_generated(item);
	proto_item_append_text(item, ", %s%s%s%s", text_cstr(&line),
			       *label ? "  [" : "", label, *label ? "]" : "");
	if (tree)
		dissect_roce_show(&v, t);
	dissect_roce_note(&v, t, item);
	stats_tell(tap, pinfo, &v.pkt, v.seen, text_cstr(&line));
}

static int dissect_roce_dissect(tvbuff_t *frame, packet_info *pinfo,
				proto_tree *tree, void *data)
{
	tvbuff_t *tvb;

	(void)data;
	if (!on || !has_beside(pinfo))
		return 0;
	tvb = dissect_roce_find(pinfo, frame);
	if (tvb)
		dissect_roce_follow(pinfo, tvb, tree);
	return 0;
}

/* ---- Registration ---- */

static void dissect_roce_register_prefs(void)
{
	module_t *m = prefs_register_protocol(proto, NULL);

	prefs_register_bool_preference(
		m, "follow", "Follow connections and judge them",
		"Retransmissions, gaps, duplicates, NAKs and their repair, "
		"beside what Wireshark shows of RoCEv2",
		&on);
}

void roce_register(void)
{
	static hf_register_info hf[] = {
		{&hf_rung,
		 {"Case language", "roce.rung", FT_STRING, BASE_NONE, NULL, 0,
		  "The packet as a line of the case language", HFILL}},
		{&hf_icrc_status,
		 {"ICRC status", "roce.icrc.status", FT_STRING, BASE_NONE, NULL,
		  0, "Whether the ICRC is right", HFILL}},
	};
	static int *trees[] = {&ett};

	if (proto_get_id_by_filter_name("roce") != -1)
		return;
	proto = proto_register_protocol("RoCEv2, followed by rung", "RoCE rung",
					"roce");
	proto_register_field_array(proto, hf, array_length(hf));
	proto_register_subtree_array(trees, array_length(trees));
	state_register(proto, OURS);
	notes_register(proto, OURS);
	tap = register_tap("roce");
	stats_register(proto, OURS, "roce");
	dissect_roce_register_prefs();
	register_postdissector(
		register_dissector("roce", dissect_roce_dissect, proto));
}

void roce_handoff(void)
{
	if (proto == -1)
		return;
	beside = proto_get_id_by_filter_name("infiniband");
	stats_handoff(OURS, "roce");
}
