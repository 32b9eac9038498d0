/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/lua.c -- generates a Lua dissector from the wire tables.
 *
 * It decodes like the plugin but does not follow flows; bench/dissect.py
 * measures both.  Its output is bench/uet.lua, and the test dissector.lua
 * compares the two.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "wire/registry.h"

static bool lua_is_ours(const struct header *h)
{
	return strncmp(h->spec, "UET ", 4) == 0;
}

static unsigned lua_bytes_of(const struct field *f)
{
	return (f->at + f->width - 1u) / 8u - f->at / 8u + 1;
}

/* Wireshark stores a number above 32 bits as UInt64, which has no mask. */
static const char *lua_type_of(const struct field *f)
{
	static const char *const types[] = {"uint8",  "uint16", "uint24",
					    "uint32", "uint64", "uint64",
					    "uint64", "uint64"};

	if (f->kind == FIELD_SINT)
		return "int16";
	return types[lua_bytes_of(f) - 1];
}

static uint64_t lua_mask_of(const struct field *f)
{
	const unsigned low = 7 - (f->at + f->width - 1u) % 8;

	if (f->width == 8 * lua_bytes_of(f) || lua_bytes_of(f) > 4)
		return 0;
	return (((uint64_t)1 << f->width) - 1) << low;
}

static void values(const struct field *f)
{
	if (f->kind != FIELD_ENUM) {
		printf("nil");
		return;
	}
	printf("{");
	for (const struct value_name *v = f->names; v->name; v++)
		printf("[%" PRIu64 "]=\"%s\",", v->value, v->name);
	printf("}");
}

static void lua_field(size_t header, size_t i, const struct field *f)
{
	printf("  {ProtoField.%s(\"uetlua.h%zu.%s\", \"%s\", base.%s, ",
	       lua_type_of(f), header, f->name, f->name,
	       f->kind == FIELD_ID || f->kind == FIELD_RSVD ? "HEX" : "DEC");
	values(f);
	if (lua_mask_of(f))
		printf(", 0x%" PRIx64, lua_mask_of(f));
	printf("), %u, %u}, -- %zu\n", f->at / 8u, lua_bytes_of(f), i);
}

static void header(size_t n, const struct header *h)
{
	printf("H.%s = H.%s or {}\nH.%s[#H.%s + 1] = {name = \"%s\", len = "
	       "%zu,\n",
	       h->name, h->name, h->name, h->name, h->name, h->len);
	for (size_t i = 0; i < h->nfields; i++)
		lua_field(n, i, &h->fields[i]);
	printf("}\n");
}

/* The order of headers, as in wire/uet/uet_packet.c. */
static const char rest[] =
	"local function bit_of(tvb, at, n)\n"
	"  return tvb(at, 1):bitfield(n, 1)\n"
	"end\n\n"
	"local types = {[1] = 'tss', [2] = 'rud_req', [3] = 'rod_req',\n"
	"  [4] = 'rudi_req', [5] = 'rudi_resp', [6] = 'uud_req', [7] = 'ack',\n"
	"  [8] = 'ack_cc', [9] = 'ack_ccx', [10] = 'nack', [11] = 'cp',\n"
	"  [12] = 'nack_ccx', [13] = 'rud_cc_req', [14] = 'rod_cc_req'}\n\n"
	"local function pds(tvb, kind)\n"
	"  if kind == 2 or kind == 3 or kind == 13 or kind == 14 then\n"
	"    local first = bit_of(tvb, 1, 5) == 1 and H.req_syn[1] or "
	"H.req[1]\n"
	"    return kind > 12 and {first, H.req_cc[1]} or {first}\n"
	"  elseif kind >= 7 and kind <= 9 then\n"
	"    local first = bit_of(tvb, 1, 4) == 1 and H.ack_probe[1] or "
	"H.ack[1]\n"
	"    if kind == 8 then return {first, H.ack_cc[1], H.nscc[1]} end\n"
	"    return kind == 9 and {first, H.ack_ccx[1]} or {first}\n"
	"  elseif kind == 10 or kind == 12 then\n"
	"    local first = bit_of(tvb, 1, 4) == 1 and H.nack_rudi[1] or "
	"H.nack[1]\n"
	"    return kind == 12 and {first, H.nack_ccx[1]} or {first}\n"
	"  elseif kind == 11 then\n"
	"    local first = bit_of(tvb, 1, 5) == 1 and H.cp_syn[1] or H.cp[1]\n"
	"    return {first, H.payload[1]}\n"
	"  end\n"
	"  local word = types[kind]\n"
	"  return word and H[word] and {H[word][1]} or {}\n"
	"end\n\n"
	"local function ses(tvb, at, next_hdr)\n"
	"  if next_hdr == 1 then return H.small[1] end\n"
	"  if next_hdr == 2 then return H.medium[1] end\n"
	"  if next_hdr == 3 then\n"
	"    return tvb:len() > at + 1 and bit_of(tvb, at + 1, 7) == 1 and "
	"H.std[1]\n"
	"      or H.std[2]\n"
	"  end\n"
	"  if next_hdr == 4 then return H.response[1] end\n"
	"  if next_hdr == 5 then return H.response_data[1] end\n"
	"  if next_hdr == 6 then return H.response_data_small[1] end\n"
	"end\n\n"
	"local function show(tvb, tree, h, at)\n"
	"  if at + h.len > tvb:len() then return nil end\n"
	"  local sub = tree:add(uet, tvb(at, h.len), h.name)\n"
	"  for _, f in ipairs(h) do\n"
	"    sub:add(f[1], tvb(at + f[2], f[3]))\n"
	"  end\n"
	"  return at + h.len\n"
	"end\n\n"
	"function uet.dissector(tvb, pinfo, tree)\n"
	"  if tvb:len() < 2 then return 0 end\n"
	"  local kind = tvb(0, 1):bitfield(0, 5)\n"
	"  local next_hdr = tvb(0, 2):bitfield(5, 4)\n"
	"  local sub = tree:add(uet, tvb(), 'Ultra Ethernet Transport')\n"
	"  local at = 0\n"
	"  local info = types[kind] or 'unknown'\n"
	"  for _, h in ipairs(pds(tvb, kind)) do\n"
	"    at = at and show(tvb, sub, h, at)\n"
	"  end\n"
	"  if at and at >= 12 then\n"
	"    info = info .. ' psn=' .. tvb(4, 4):uint()\n"
	"  end\n"
	"  local h = at and kind ~= 11 and kind ~= 1 and ses(tvb, at, "
	"next_hdr)\n"
	"  if h then\n"
	"    info = info .. ' | ' .. h.name\n"
	"    at = show(tvb, sub, h, at)\n"
	"  end\n"
	"  if at and at < tvb:len() then\n"
	"    sub:add(tvb(at), 'data ' .. tvb:len() - at)\n"
	"  end\n"
	"  pinfo.cols.protocol = 'UET'\n"
	"  pinfo.cols.info = info\n"
	"  return tvb:len()\n"
	"end\n\n"
	"DissectorTable.get('udp.port'):add(4793, uet)\n";

int main(void)
{
	printf("-- SPDX-License-Identifier: BSD-2-Clause\n"
	       "-- Made by bench/lua.c of the wire tables.\n"
	       "local uet = Proto('uetlua', 'Ultra Ethernet Transport "
	       "(Lua)')\nlocal H = {}\n");
	for (size_t i = 0; i < wire_nheaders; i++)
		if (lua_is_ours(wire_headers[i]))
			header(i, wire_headers[i]);
	printf("\nlocal fields = {}\n"
	       "for _, family in pairs(H) do\n  for _, h in ipairs(family) do\n"
	       "    for _, f in ipairs(h) do fields[#fields + 1] = f[1] end\n"
	       "  end\nend\nuet.fields = fields\n\n%s",
	       rest);
	return 0;
}
