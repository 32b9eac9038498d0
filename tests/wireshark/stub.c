/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests/wireshark/stub.c -- a protocol "uet" of another plugin.
 *
 * A later Wireshark brings one; this plugin takes its three names and its port,
 * so that a test can load ours beside it.
 */
#include "dissector/compat.h"

WS_DLL_PUBLIC_DEF const char plugin_version[] = "0";
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;
WS_DLL_PUBLIC void plugin_register(void);

static int proto = -1;

static int stub_dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
			void *data)
{
	(void)pinfo;
	(void)data;
	proto_tree_add_item(tree, proto, tvb, 0, -1, ENC_NA);
	return (int)tvb_captured_length(tvb);
}

static void stub_register_all(void)
{
	proto = proto_register_protocol("Ultra Ethernet Transport", "UET",
					"uet");
	register_dissector("uet", stub_dissect, proto);
}

static void stub_handoff(void)
{
	dissector_add_uint("udp.port", 4793, find_dissector("uet"));
}

void plugin_register(void)
{
	static proto_plugin plugin;

	plugin.register_protoinfo = stub_register_all;
	plugin.register_handoff = stub_handoff;
	proto_register_plugin(&plugin);
}
