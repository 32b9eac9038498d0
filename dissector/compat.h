/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/compat.h -- lets one source compile for Wireshark 4.0, 4.4 and 4.6.
 *
 * All differences between these versions, and what their development packages
 * do not declare, are in this file only.
 */
#ifndef DISSECTOR_COMPAT_H
#define DISSECTOR_COMPAT_H

#include <ws_version.h>

#include <epan/packet.h>

#include <wiretap/wtap.h>

#include <epan/conversation_filter.h>
#include <epan/conversation_table.h>
#include <epan/epan.h>
#include <epan/expert.h>
#include <epan/prefs.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>
#if __has_include(<wsutil/plugins.h>)
#include <wsutil/plugins.h>
#endif

#define WS_AT_LEAST(major, minor)               \
	(WIRESHARK_VERSION_MAJOR > (major) ||   \
	 (WIRESHARK_VERSION_MAJOR == (major) && \
	  WIRESHARK_VERSION_MINOR >= (minor)))

/* Public structs and callbacks use gboolean, an int, before 4.4. */
#if WS_AT_LEAST(4, 4)
typedef bool ws_bool;
#else
typedef gboolean ws_bool;
#endif

/*
 * The callback of a conversation filter gets the data it was registered with.
 */
#if WS_AT_LEAST(4, 2)
#define FILTER_ARG      , void *arg
#define FILTER_ARG_USED (void)arg
#define FILTER_REGISTER(name, shown, valid, build) \
	register_conversation_filter(name, shown, valid, build, NULL)
#else
#define FILTER_ARG
#define FILTER_ARG_USED
#define FILTER_REGISTER(name, shown, valid, build) \
	register_conversation_filter(name, shown, valid, build)
#endif

/* Follow Stream asks how many streams there are from 4.2 on. */
#if WS_AT_LEAST(4, 2)
#define FOLLOW_COUNT(...) __VA_ARGS__
#else
#define FOLLOW_COUNT(...)
#endif

/* compat_interface returns the description of a packet's interface, or NULL. */
static inline const char *compat_interface(const packet_info *pinfo,
					   unsigned id)
{
#if WS_AT_LEAST(4, 2)
	return epan_get_interface_description(pinfo->epan, id,
					      pinfo->rec->section_number);
#else
	return epan_get_interface_description(pinfo->epan, id);
#endif
}

/* Before 4.2 a plugin registers its statistics trees as a plugin's. */
#if WS_AT_LEAST(4, 2)
#define STATS_TREE_REGISTER stats_tree_register
#else
#define STATS_TREE_REGISTER stats_tree_register_plugin
#endif

/*
 * None of these packages has epan/sequence_analysis.h, though the library
 * exports the functions.  The structs are those of the library.  Of the second
 * one only the members before its queue are declared, and we never allocate
 * one.
 */
#if __has_include(<epan/sequence_analysis.h>)
#include <epan/sequence_analysis.h>
#else
typedef struct _seq_analysis_item {
	guint32 frame_number;
	address src_addr;
	guint32 port_src;
	address dst_addr;
	guint32 port_dst;
	char *frame_label;
	char *time_str;
	char *comment;
	guint16 conv_num;
	unsigned fg_color, bg_color;
	ws_bool has_color_filter;
	ws_bool display;
	unsigned src_node, dst_node;
	guint16 line_style;
} seq_analysis_item_t;

typedef struct _seq_analysis_info {
	const char *name;
	ws_bool any_addr;
	int nconv;
	GQueue *items;
} seq_analysis_info_t;

WS_DLL_PUBLIC void register_seq_analysis(const char *name, const char *ui_name,
					 const int proto_id,
					 const char *tap_listener,
					 unsigned tap_flags,
					 tap_packet_cb tap_func);
WS_DLL_PUBLIC seq_analysis_item_t *
sequence_analysis_create_sai_with_addresses(packet_info *pinfo,
					    seq_analysis_info_t *sainfo);
WS_DLL_PUBLIC void sequence_analysis_use_color_filter(packet_info *pinfo,
						      seq_analysis_item_t *sai);
#endif

#endif
