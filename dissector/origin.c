/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/origin.c -- reads the comments and interfaces of rung's own
 * captures.
 */
#include "dissector/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <wiretap/wtap.h>

#define INTERFACES 16

static unsigned char known[INTERFACES]; /* enum origin, by interface */

void origin_reset(void)
{
	memset(known, 0, sizeof(known));
}

static enum origin dissect_origin_look_up(const packet_info *pinfo, unsigned id)
{
	const char *about = compat_interface(pinfo, id);

	if (about && !strcmp(about, "what crossed between tester and DUT"))
		return ORIGIN_LINK;
	if (about && !strcmp(about, "what the tester kept from crossing"))
		return ORIGIN_REMOVED;
	return ORIGIN_OTHER;
}

static enum origin interface_of(const packet_info *pinfo)
{
	unsigned id;

	if (!pinfo->rec || pinfo->rec->rec_type != REC_TYPE_PACKET ||
	    !(pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID))
		return ORIGIN_OTHER;
	id = pinfo->rec->rec_header.packet_header.interface_id;
	if (id >= INTERFACES)
		return ORIGIN_OTHER;
	if (known[id] == ORIGIN_UNKNOWN)
		known[id] = (unsigned char)dissect_origin_look_up(pinfo, id);
	return (enum origin)known[id];
}

static const char *comment(const packet_info *pinfo, unsigned i)
{
	char *text;

	if (!pinfo->rec->block || wtap_block_get_nth_string_option_value(
					  pinfo->rec->block, OPT_COMMENT, i,
					  &text) != WTAP_OPTTYPE_SUCCESS)
		return NULL;
	return text;
}

/*
 * Parses the first comment, which is the rung; it may end in " -- delayed on
 * the way".
 */
enum origin origin_of(const packet_info *pinfo, uint32_t *ret_behind)
{
	const enum origin from = interface_of(pinfo);
	const char *text = from == ORIGIN_LINK ? comment(pinfo, 0) : NULL;
	const char *fate = text ? g_strrstr(text, " -- ") : NULL;

	*ret_behind = 0;
	if (!fate)
		return from;
	if (g_str_has_prefix(fate, " -- duplicate on the way"))
		return ORIGIN_ADDED;
	if (!g_str_has_prefix(fate, " -- delayed on the way"))
		return from;
	sscanf(fate, " -- delayed on the way behind #%" SCNu32, ret_behind);
	return ORIGIN_DELAYED;
}

bool origin_to_device(const packet_info *pinfo)
{
	return pinfo->p2p_dir == P2P_DIR_SENT;
}

static bool read_comment(const char *text, struct origin_finding *ret)
{
	const char *open = strrchr(text, '[');
	const char *end = open ? strchr(open, ']') : NULL;

	if (!end || end[1])
		return false;
	ret->text = text;
	ret->len = (int)(open - text);
	ret->req = req_find(open + 1, (size_t)(end - open - 1), &ret->role);
	return ret->req != REQ_NONE;
}

void origin_findings(const packet_info *pinfo,
		     void (*found)(void *arg, const struct origin_finding *f),
		     void *arg)
{
	struct origin_finding f;
	const char *text;

	for (unsigned i = 1; (text = comment(pinfo, i)); i++)
		if (read_comment(text, &f))
			found(arg, &f);
}
