/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/plugin.c -- the entry points that Wireshark calls, and
 * registration.
 *
 * A later Wireshark brings a stateless protocol "uet" of its own, and two
 * protocols of one name stop the program.  So the plugin checks first: if the
 * name is taken, ours is "uet_rung", the other dissector still gets the packets
 * of UDP's port, and our tree is shown beside its own.  Fields are "uet.WORD"
 * either way; the other dissector's have two words.
 */
#include <string.h>

#include "dissector/compat.h"
#include "dissector/decode.h"
#include "dissector/fields.h"
#include "dissector/ib.h"
#include "dissector/notes.h"
#include "dissector/roce.h"
#include "dissector/table/stats.h"
#include "dissector/track.h"
#include "rung_version.h"
#include "wire/dgram.h"

WS_DLL_PUBLIC_DEF const char plugin_version[] = RUNG_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);
#ifdef WS_PLUGIN_DESC_DISSECTOR
WS_DLL_PUBLIC uint32_t plugin_describe(void);
#endif

static int proto = -1;
static const char *name = "uet";
static dissector_handle_t udp_handle, native_handle;
static dissector_handle_t beside; /* another dissector that has UDP's port */

/* ---- Packets ---- */

static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
		       void *data)
{
	if (beside)
		call_dissector_only(beside, tvb, pinfo, tree, data);
	return decode_packet(tvb, pinfo, tree, false);
}

static int dissect_native(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
			  void *data)
{
	(void)data;
	return decode_packet(tvb, pinfo, tree, true);
}

static ws_bool guess_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
			 void *data)
{
	(void)data;
	return decode_plausible(tvb) &&
	       decode_packet(tvb, pinfo, tree, false) > 0;
}

/* ---- Registration ---- */

static void register_times(module_t *m, struct track_prefs *p)
{
	prefs_register_uint_preference(
		m, "rto", "RTO_Init_Time (us)",
		"What the devices declare; 0: the judge does not look at "
		"time-outs",
		10, &p->rto);
	prefs_register_uint_preference(
		m, "rto_tolerance", "Tolerance of it (us)",
		"How much earlier a repeat is still right", 10,
		&p->rto_tolerance);
	prefs_register_uint_preference(
		m, "nack_time", "NACK_Retx_Time (us)",
		"What the devices declare; 0: not looked at", 10,
		&p->nack_time);
}

static void register_sizes(module_t *m, struct track_prefs *p)
{
	prefs_register_uint_preference(
		m, "max_ack_data", "Max_ACK_Data_Size (bytes)",
		"The most read data that an ACK carries", 10, &p->max_ack_data);
	prefs_register_uint_preference(m, "mp_range_default", "MP_RANGE (PSNs)",
				       "Until an ACK_CC tells another", 10,
				       &p->mp_range);
	prefs_register_uint_preference(m, "mtu", "Payload MTU (bytes)",
				       "The most payload of a packet", 10,
				       &p->mtu);
	prefs_register_uint_preference(
		m, "dscp_trimmed", "DSCP of trimmed packets",
		"What switches set when they trim before the last hop; 0: not "
		"known",
		10, &p->dscp_trimmed);
	prefs_register_uint_preference(
		m, "dscp_trimmed_lasthop", "... at the last hop",
		"What a switch sets that trims at the last hop; 0: not known",
		10, &p->dscp_trimmed_lasthop);
	prefs_register_uint_preference(
		m, "flows", "PDCs at a time",
		"How many PDCs are followed; when there are more, the one "
		"that was silent longest is forgotten",
		10, &p->flows);
}

/* The user sets these sizes, since packets do not show them. */
static void register_foreign(module_t *m)
{
	prefs_register_bool_preference(m, "ack_ccx_32", "ACK_CCX has 32 bytes",
				       "Instead of 40", &decode_sizes.ack_ccx);
	prefs_register_bool_preference(m, "nack_ccx_24",
				       "NACK_CCX has 24 bytes", "Instead of 32",
				       &decode_sizes.nack_ccx);
	prefs_register_bool_preference(
		m, "payload_length_12", "payload_length has 12 bits",
		"In the headers of return data, instead of 14",
		&decode_sizes.payload_length);
}

static void dissect_plugin_register_prefs(void)
{
	static const enum_val_t crc[] = {
		{"auto", "If the last 4 bytes are one", CRC_PREF_AUTO},
		{"yes", "Always", CRC_PREF_YES},
		{"no", "Never", CRC_PREF_NO},
		{NULL, NULL, 0},
	};
	static const enum_val_t complete[] = {
		{"auto", "If rung wrote the capture", COMPLETE_AUTO},
		{"yes", "Yes: what is not seen was not sent", COMPLETE_YES},
		{"no", "No", COMPLETE_NO},
		{NULL, NULL, 0},
	};
	module_t *m = prefs_register_protocol(proto, NULL);

	track_prefs_default(&track_prefs);
	prefs_register_bool_preference(
		m, "track", "Follow PDCs and judge them",
		"Links between packets, retransmissions, requirements broken",
		&track_prefs.on);
	prefs_register_bool_preference(
		m, "relative_psn", "Relative PSNs in the info column",
		"PSNs count from the first one of their direction in the "
		"capture",
		&track_prefs.relative);
	prefs_register_enum_preference(m, "whole",
				       "The capture holds every packet",
				       "Whether absence may be judged",
				       &track_prefs.complete, complete, FALSE);
	prefs_register_enum_preference(m, "crc", "Packets end in a CRC",
				       "The trailer of UET 3.5.25",
				       &decode_crc_pref, crc, FALSE);
	register_times(m, &track_prefs);
	register_sizes(m, &track_prefs);
	register_foreign(m);
}

/* Name, short name and filter name must each be unique. */
static int take_name(void)
{
	const bool taken = proto_get_id_by_filter_name("uet") != -1 ||
			   proto_get_id_by_short_name("UET") != -1;

	if (!taken)
		return proto_register_protocol(
			"Ultra Ethernet Transport (rung)", "UET", name);
	name = "uet_rung";
	return proto_register_protocol("Ultra Ethernet Transport (rung)",
				       "UET rung", name);
}

static void dissect_plugin_register_all(void)
{
	proto = take_name();
	fields_register(proto);
	decode_register(proto, name);
	notes_register(proto, MAIN_FAMILY);
	dissect_plugin_register_prefs();
	stats_register(proto, MAIN_FAMILY, name);
	ib_register();
	roce_register();
	register_init_routine(track_open);
	register_cleanup_routine(track_close);
	udp_handle = register_dissector(name, dissect_udp, proto);
	native_handle = register_dissector(g_strconcat(name, "_native", NULL),
					   dissect_native, proto);
}

static void dissect_plugin_handoff(void)
{
	beside = dissector_get_default_uint_handle("udp.port", UET_UDP_PORT);
	dissector_add_uint_with_preference("udp.port", UET_UDP_PORT,
					   udp_handle);
	dissector_add_uint_with_preference("ip.proto", UET_IP_PROTO,
					   native_handle);
	heur_dissector_add("udp", guess_udp, "UET over UDP",
			   g_strconcat(name, "_udp", NULL), proto,
			   HEURISTIC_DISABLE);
	stats_handoff(MAIN_FAMILY, name);
	ib_handoff();
	roce_handoff();
}

void plugin_register(void)
{
	static proto_plugin plugin;

	plugin.register_protoinfo = dissect_plugin_register_all;
	plugin.register_handoff = dissect_plugin_handoff;
	proto_register_plugin(&plugin);
}

#ifdef WS_PLUGIN_DESC_DISSECTOR
uint32_t plugin_describe(void)
{
	return WS_PLUGIN_DESC_DISSECTOR;
}
#endif
