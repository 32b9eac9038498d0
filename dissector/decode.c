/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/decode.c -- shows one packet in columns, tree and taps.
 *
 * wire/uet/uet_packet.c locates the headers, and the judge finds the packet's
 * flow (dissector/track.c).  This file shows both.
 */
#include "dissector/decode.h"

#include <inttypes.h>
#include <string.h>

#include "dissector/fields.h"
#include "dissector/head.h"
#include "dissector/notes.h"
#include "dissector/state.h"
#include "dissector/table/stats.h"
#include "dissector/track.h"
#include "wire/frame/crc.h"
#include "wire/frame/foreign.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

enum crc_found { CRC_NONE, CRC_GOOD, CRC_BAD };

/* A packet that is being dissected. */
struct dissect_decode_view {
	packet_info *pinfo;
	tvbuff_t *tvb; /* the UET bytes, from the TSS or PDS header */
	struct packet pkt;
	bool cut;     /* the capture truncated it */
	bool trimmed; /* trimmed by a switch, as its DSCP shows */
	enum crc_found crc;
	enum crc_order crc_order;
	const struct seen *seen; /* result of the first pass, or NULL */
};

int decode_crc_pref;
struct decode_sizes decode_sizes;

static int proto_uet = -1;
static int tap_uet = -1;
static int ett_packet = -1;

static int hf_rung = -1, hf_sack = -1, hf_mp_range = -1, hf_service = -1;
static int hf_data = -1, hf_cipher = -1, hf_icv = -1, hf_trailer = -1;
static int hf_crc = -1, hf_crc_status = -1, hf_bytes = -1;

/* Derived values by name. */
static struct {
	const char *word;
	int hf;
} sums[] = {
	{"clear_psn", -1},
	{"start_psn", -1},
	{"ack_psn", -1},
	{"sack_psn", -1},
};

/* Static to reuse its memory for each packet. */
static struct dgram scratch;
static struct text line;

/* ---- Sections ---- */

/*
 * Accepts a CRC in either byte order, as the order is not settled (UET-ENC-23).
 */
static bool crc_found(struct dissect_decode_view *v)
{
	const size_t len = scratch.len - CRC_LEN;
	const uint8_t *p = scratch.data + len;
	const uint32_t crc = crc_of(&scratch, len);
	const uint32_t sent = (uint32_t)bits_get(p, 0, 32);

	if (sent == crc)
		v->crc_order = CRC_BE;
	else
		v->crc_order = CRC_LE;
	return sent == crc || GUINT32_SWAP_LE_BE(sent) == crc;
}

static void dissect_decode_find_crc(struct dissect_decode_view *v)
{
	if (decode_crc_pref == CRC_PREF_NO || v->cut || scratch.len <= CRC_LEN)
		return;
	if (crc_found(v))
		v->crc = CRC_GOOD;
	else if (decode_crc_pref == CRC_PREF_YES)
		v->crc = CRC_BAD;
}

/*
 * Rewrites a packet with headers of other sizes to the sizes of the tables, in
 * a tvbuff of its own.  Return: the length of the rewritten packet.
 */
static size_t view_rewrite(struct dissect_decode_view *v, packet_info *pinfo,
			   size_t len)
{
	const struct foreign f = {decode_sizes.ack_ccx, decode_sizes.nack_ccx,
				  decode_sizes.payload_length};
	const size_t have = tvb_captured_length(v->tvb);
	const size_t reported = tvb_reported_length(v->tvb);
	const uint8_t *p = tvb_get_ptr(v->tvb, 0, (int)have);
	uint8_t *out;
	size_t n;

	if (!foreign_any(&f))
		return len;
	out = wmem_alloc(pinfo->pool, have + FOREIGN_MORE);
	n = foreign_open(&f, p, len, out);
	if (!n)
		return len;
	memcpy(out + n, p + len, have - len); /* the CRC */
	v->tvb =
		tvb_new_child_real_data(v->tvb, out, (unsigned)(n + have - len),
					(int)(n + reported - len));
	add_new_data_source(pinfo, v->tvb, "UET, usual sizes");
	return n;
}

static void dissect_decode_view_open(struct dissect_decode_view *v,
				     packet_info *pinfo, tvbuff_t *tvb,
				     bool has_head)
{
	const unsigned have = tvb_captured_length(tvb);
	size_t len = have;

	*v = (struct dissect_decode_view){.pinfo = pinfo, .tvb = tvb};
	v->cut = have < tvb_reported_length(tvb);
	head_data(&scratch, tvb);
	v->trimmed = has_head && track_trimmed(scratch.dscp);
	if (has_head && !v->trimmed)
		dissect_decode_find_crc(v);
	if (v->crc != CRC_NONE)
		len -= CRC_LEN;
	if (have)
		len = view_rewrite(v, pinfo, len);
	uet_packet_parse(&v->pkt,
			 have ? tvb_get_ptr(v->tvb, 0, (int)len) : NULL, len);
}

/*
 * Passes the packet to the judge; a packet truncated in its payload gets its
 * original length.
 */
static void dissect_decode_follow(struct dissect_decode_view *v)
{
	struct packet complete;
	const struct packet *pkt = &v->pkt;

	if (v->cut) {
		if (v->pkt.fault == PACKET_SHORT)
			return;
		uet_packet_parse(&complete, scratch.data, scratch.len);
		pkt = &complete;
	}
	v->seen = track_packet(v->pinfo, pkt, &scratch, v->cut);
}

/* ---- The info column ---- */

static void dissect_decode_say(const struct dissect_decode_view *v)
{
	text_clear(&line);
	packet_print(&line, &v->pkt, PACKET_BRIEF, NULL);
}

/* Returns a PSN counted from the first one of its direction. */
static uint32_t relative_psn(const void *ctx, const struct packet *pkt,
			     const char *field, uint32_t psn)
{
	const struct seen *s = ctx;
	const bool own = !strcmp(field, "psn") || !strcmp(field, "clear_psn") ||
			 !strcmp(field, "start_psn");

	(void)pkt;
	return psn - s->base[!own];
}

/* Returns the line with relative PSNs, if the user prefers them. */
static const char *dissect_decode_column(const struct dissect_decode_view *v)
{
	static struct text relative;
	const struct packet_psn_names names = {relative_psn, v->seen};

	if (!track_prefs.relative || !v->seen ||
	    v->seen->stream == SEEN_NO_STREAM)
		return text_cstr(&line);
	text_clear(&relative);
	packet_print(&relative, &v->pkt, PACKET_BRIEF, &names);
	return text_cstr(&relative);
}

static void dissect_decode_show_columns(const struct dissect_decode_view *v)
{
	col_set_str(v->pinfo->cinfo, COL_PROTOCOL, "UET");
	notes_column(v->pinfo, v->seen, dissect_decode_column(v));
}

/* ---- Headers ---- */

static void generated(proto_item *item)
{
	proto_item_set_generated(item);
}

static int at_of(const struct dissect_decode_view *v, unsigned sec)
{
	return v->pkt.sec[sec].at;
}

/* Shows derived values such as clear_psn = psn + clear_psn_offset. */
static void show_sums(const struct dissect_decode_view *v, proto_tree *t,
		      unsigned sec)
{
	for (size_t i = 0; i < G_N_ELEMENTS(sums); i++) {
		struct packet_ref ref;

		if (!packet_find(&v->pkt, sec, sec + 1, sums[i].word,
				 strlen(sums[i].word), &ref) ||
		    !ref.derived)
			continue;
		generated(proto_tree_add_uint(
			t, sums[i].hf, v->tvb, at_of(v, sec), 0,
			(guint32)packet_get(&v->pkt, &ref)));
	}
}

/* Returns the PSNs that the bitmap reports, as ranges: "335-336 339". */
static const char *ranges(wmem_allocator_t *pool, uint32_t base, uint64_t bits)
{
	wmem_strbuf_t *s = wmem_strbuf_new(pool, "");

	for (unsigned i = 0; i < 64; i++) {
		unsigned last = i;

		if (!(bits >> i & 1))
			continue;
		while (last < 63 && bits >> (last + 1) & 1)
			last++;
		wmem_strbuf_append_printf(s, "%s%" PRIu32,
					  wmem_strbuf_get_len(s) ? " " : "",
					  base + i);
		if (last > i)
			wmem_strbuf_append_printf(s, "-%" PRIu32, base + last);
		i = last;
	}
	if (wmem_strbuf_get_len(s))
		return wmem_strbuf_get_str(s);
	return "none";
}

static void show_sack(const struct dissect_decode_view *v, proto_tree *t,
		      unsigned sec)
{
	uint64_t base = 0, bits = 0, mpr = 0;

	packet_value(&v->pkt, "sack_psn", &base);
	packet_value(&v->pkt, "sack_bitmap", &bits);
	packet_value(&v->pkt, "mpr", &mpr);
	generated(proto_tree_add_string(
		t, hf_sack, v->tvb, at_of(v, sec) + 4, 8,
		ranges(v->pinfo->pool, (uint32_t)base, bits)));
	generated(proto_tree_add_uint(t, hf_mp_range, v->tvb, at_of(v, sec) + 1,
				      1, (guint32)mpr * 128));
}

/*
 * Shows the service time in units of 128 ns; 0 is invalid, the maximum means
 * "or more".
 */
static void show_service(const struct dissect_decode_view *v, proto_tree *t,
			 unsigned sec)
{
	struct pds_nscc h;

	pds_nscc_get(&h, v->pkt.p + v->pkt.sec[sec].at);
	generated(proto_tree_add_uint_format_value(
		t, hf_service, v->tvb, at_of(v, sec), 2, h.service_time * 128u,
		"%u ns%s", h.service_time * 128u,
		!h.service_time            ? " (not valid)"
		: h.service_time == 0xffff ? " or more"
					   : ""));
}

static void show_section(const struct dissect_decode_view *v, proto_tree *tree,
			 unsigned sec)
{
	const struct header *h = v->pkt.sec[sec].h;
	proto_tree *t =
		fields_header(MAIN_FAMILY, tree, v->tvb, h, at_of(v, sec));

	if (!t)
		return;
	show_sums(v, t, sec);
	if (h == &pds_ack_cc_header || h == &pds_ack_ccx_header)
		show_sack(v, t, sec);
	else if (h == &pds_nscc_header)
		show_service(v, t, sec);
}

/* ---- Payload ---- */

/* Returns the payload length of a request that carries data; -1 for others. */
static int of_request(unsigned opcode, uint32_t len)
{
	switch (opcode) {
	case SES_READ:
		return 0;
	case SES_WRITE:
	case SES_SEND:
	case SES_DATAGRAM_SEND:
	case SES_TAGGED_SEND:
		if (len > DGRAM_MAX)
			return -1;
		return (int)len;
	}
	return -1;
}

static int of_std(const struct header *h, const uint8_t *p)
{
	struct ses_std_som som;
	struct ses_std rest;

	if (h == &ses_std_header) {
		ses_std_get(&rest, p);
		return of_request(rest.opcode, rest.payload_length);
	}
	ses_std_som_get(&som, p);
	if (som.eom)
		return of_request(som.opcode, som.request_length);
	return -1;
}

static int of_response(const struct header *h, const uint8_t *p)
{
	struct ses_response_data_small small;
	struct ses_response_data data;

	if (h == &ses_response_header)
		return 0;
	if (h == &ses_response_data_header) {
		ses_response_data_get(&data, p);
		return data.payload_length;
	}
	ses_response_data_small_get(&small, p);
	return small.payload_length;
}

/*
 * Returns the payload length that the SES header announces; -1 if it announces
 * none.
 */
static int announced(const struct packet *pkt)
{
	const struct section *s = &pkt->sec[pkt->nses];
	const uint8_t *p = pkt->p + s->at;
	struct ses_small small; /* a medium request begins like a small one */

	if (pkt->fault != PACKET_OK || pkt->nses == pkt->nsec)
		return -1;
	if (s->h == &ses_std_header || s->h == &ses_std_som_header)
		return of_std(s->h, p);
	if (s->h == &ses_response_header || s->h == &ses_response_data_header ||
	    s->h == &ses_response_data_small_header)
		return of_response(s->h, p);
	if (s->h != &ses_small_header && s->h != &ses_medium_header &&
	    s->h != &ses_medium_hd_header)
		return -1;
	ses_small_get(&small, p);
	return of_request(small.opcode, small.request_length);
}

static void show_bytes(const struct dissect_decode_view *v, proto_tree *tree,
		       int hf, size_t from, size_t to)
{
	if (tree && to > from)
		proto_tree_add_item(tree, hf, v->tvb, (int)from,
				    (int)(to - from), ENC_NA);
}

/* Shows a TSS packet: all but the last 16 bytes, the ICV, is ciphertext. */
static void show_cipher(const struct dissect_decode_view *v,
			const struct noted *at)
{
	const size_t from = v->pkt.payload, end = v->pkt.len;
	const size_t icv = end - from >= 16 && !v->cut ? end - 16 : end;

	show_bytes(v, at->tree, hf_cipher, from, icv);
	show_bytes(v, at->tree, hf_icv, icv, end);
	notes_odd(at, ODD_ENCRYPTED,
		  "What follows the TSS header is encrypted: %zu bytes.",
		  icv - from);
}

static void dissect_decode_show_payload(const struct dissect_decode_view *v,
					const struct noted *at)
{
	const size_t from = v->pkt.payload, end = v->pkt.len;
	const int want = announced(&v->pkt);
	size_t to = end;

	if (want >= 0 && from + (size_t)want < end) {
		to = from + (size_t)want;
		notes_odd(at, ODD_TRAILER,
			  "%zu bytes follow the %d of payload that the SES "
			  "header announces.",
			  end - to, want);
	} else if (want >= 0 && from + (size_t)want > end && !v->cut &&
		   !v->trimmed) {
		notes_odd(at, ODD_PAYLOAD,
			  "The SES header announces %d bytes of payload, "
			  "%zu are here: trimmed?",
			  want, end - from);
	}
	show_bytes(v, at->tree, hf_data, from, to);
	show_bytes(v, at->tree, hf_trailer, to, end);
}

static void show_crc(const struct dissect_decode_view *v,
		     const struct noted *at)
{
	const int where = (int)v->pkt.len;

	if (at->tree) {
		proto_tree_add_item(at->tree, hf_crc, v->tvb, where, CRC_LEN,
				    ENC_BIG_ENDIAN);
		generated(proto_tree_add_string(
			at->tree, hf_crc_status, v->tvb, where, CRC_LEN,
			v->crc == CRC_BAD        ? "bad"
			: v->crc_order == CRC_LE ? "good, least significant "
						   "byte first"
						 : "good, most significant "
						   "byte first"));
	}
	if (v->crc == CRC_BAD)
		notes_odd(at, ODD_CRC,
			  "The last 4 bytes are not the CRC-32C of addresses, "
			  "%s header and UET bytes.",
			  scratch.native ? "entropy" : "UDP");
}

/* ---- Oddities ---- */

static void dissect_decode_strange(void *arg, const struct field *f,
				   uint64_t value)
{
	const bool reserved = f->kind == FIELD_RSVD;

	notes_odd(arg, reserved ? ODD_RESERVED : ODD_UNKNOWN,
		  reserved ? "Reserved bits are not 0: %s=0x%" PRIx64 "."
			   : "A value without a meaning: %s=0x%" PRIx64 ".",
		  f->name, value);
}

static void show_faults(const struct dissect_decode_view *v, struct noted *at)
{
	const struct packet *pkt = &v->pkt;

	if (v->trimmed && pkt->fault != PACKET_SHORT)
		notes_odd(at, ODD_TRIMMED, "%zu bytes are left.", pkt->len);
	switch (pkt->fault) {
	case PACKET_OK:
	case PACKET_ENCRYPTED:
		break;
	case PACKET_SHORT:
		notes_odd(at,
			  v->cut       ? ODD_CUT
			  : v->trimmed ? ODD_TRIMMED
				       : ODD_SHORT,
			  "%zu bytes, but the header \"%s\" ends later.%s",
			  pkt->len, pkt->fault_header->name,
			  v->cut ? " The capture was cut there." : "");
		break;
	case PACKET_TYPE:
		notes_odd(at, ODD_TYPE, "Packet type %u is reserved.",
			  pds_type_of(pkt->p));
		break;
	case PACKET_NEXT_HDR:
		notes_odd(at, ODD_NEXT_HDR,
			  "next_hdr does not suit a packet of this type.");
		break;
	}
	for (unsigned i = 0; i < pkt->nsec; i++)
		fields_strange(pkt->sec[i].h, pkt->p + pkt->sec[i].at,
			       dissect_decode_strange, at);
}

/* ---- The whole packet ---- */

static void dissect_decode_show(const struct dissect_decode_view *v,
				proto_tree *t, proto_item *item)
{
	struct noted at = {MAIN_FAMILY, v->pinfo, t, item, v->tvb};

	if (t) {
		generated(proto_tree_add_string(t, hf_rung, v->tvb, 0, 0,
						text_cstr(&line)));
		for (unsigned i = 0; i < v->pkt.nsec; i++)
			show_section(v, t, i);
	}
	if (!v->pkt.nsec)
		show_bytes(v, t, hf_bytes, 0, v->pkt.len);
	else if (v->pkt.fault == PACKET_ENCRYPTED)
		show_cipher(v, &at);
	else
		dissect_decode_show_payload(v, &at);
	if (v->crc != CRC_NONE)
		show_crc(v, &at);
	if (t)
		state_show(MAIN_FAMILY, t, v->tvb, v->seen);
	show_faults(v, &at);
	if (v->seen)
		notes_seen(&at, v->seen, &v->pkt);
}

/*
 * Skips the 4 bytes of entropy that replace the UDP ports in the native form.
 */
static tvbuff_t *skip_entropy(tvbuff_t *tvb, proto_tree *tree)
{
	if (tvb_captured_length(tvb) < entropy_len)
		return NULL;
	fields_header(MAIN_FAMILY, tree, tvb, &entropy_header, 0);
	return tvb_new_subset_remaining(tvb, entropy_len);
}

int decode_packet(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
		  bool native)
{
	const bool has_head = head_read(&scratch, pinfo, tvb, native);
	proto_item *item =
		proto_tree_add_item(tree, proto_uet, tvb, 0, -1, ENC_NA);
	proto_tree *t = proto_item_add_subtree(item, ett_packet);
	tvbuff_t *uet = tvb;
	struct dissect_decode_view v;

	if (native)
		uet = skip_entropy(tvb, t);
	if (!uet)
		return 0;
	dissect_decode_view_open(&v, pinfo, uet, has_head);
	if (has_head)
		dissect_decode_follow(&v);
	dissect_decode_say(&v);
	dissect_decode_show_columns(&v);
	proto_item_append_text(item, ", %s", text_cstr(&line));
	dissect_decode_show(&v, tree ? t : NULL, item);
	stats_tell(tap_uet, pinfo, &v.pkt, v.seen, text_cstr(&line));
	return (int)tvb_captured_length(tvb);
}

/* ---- Heuristics: no reserved bits, no unknown values, not truncated ---- */

static void dissect_decode_count(void *arg, const struct field *f,
				 uint64_t value)
{
	(void)f;
	(void)value;
	++*(unsigned *)arg;
}

static bool has_ids(const struct packet *pkt)
{
	uint64_t spdcid = 1, dpdcid = 1;

	packet_value(pkt, "spdcid", &spdcid);
	packet_value(pkt, "dpdcid", &dpdcid);
	return spdcid && dpdcid;
}

bool decode_plausible(tvbuff_t *tvb)
{
	const unsigned have = tvb_captured_length(tvb);
	struct packet pkt;
	uint64_t version = 0;
	unsigned odd = 0;

	if (have < pds_req_len)
		return false;
	uet_packet_parse(&pkt, tvb_get_ptr(tvb, 0, (int)have), have);
	if (pkt.fault != PACKET_OK || !has_ids(&pkt))
		return false;
	for (unsigned i = 0; i < pkt.nsec; i++)
		fields_strange(pkt.sec[i].h, pkt.p + pkt.sec[i].at,
			       dissect_decode_count, &odd);
	packet_value(&pkt, "version", &version);
	if (odd || version)
		return false;
	/* A header of 4 or 8 bytes alone is too weak evidence. */
	return pkt.nses < pkt.nsec || pkt.payload >= pds_req_len;
}

/* ---- Registration ---- */

#define VALUE(id, label, word, type, text)                                   \
	{                                                                    \
		&id,                                                         \
		{                                                            \
			label, "uet." #word, type, BASE_NONE, NULL, 0, text, \
				HFILL                                        \
		}                                                            \
	}
#define NUMBER(id, label, word, text)                                      \
	{                                                                  \
		&id,                                                       \
		{                                                          \
			label, "uet." #word, FT_UINT32, BASE_DEC, NULL, 0, \
				text, HFILL                                \
		}                                                          \
	}

static void register_sums(int proto)
{
	static hf_register_info hf[G_N_ELEMENTS(sums)];

	for (size_t i = 0; i < G_N_ELEMENTS(sums); i++)
		hf[i] = (hf_register_info){
			&sums[i].hf,
			{sums[i].word, g_strconcat("uet.", sums[i].word, NULL),
			 FT_UINT32, BASE_DEC, NULL, 0,
			 "computed from base and offset", HFILL}};
	proto_register_field_array(proto, hf, array_length(hf));
}

void decode_register(int proto, const char *name)
{
	static hf_register_info hf[] = {
		VALUE(hf_rung, "Case language", rung, FT_STRING,
		      "The packet as a line of the case language"),
		VALUE(hf_sack, "Selectively acknowledged PSNs", sack, FT_STRING,
		      "PSNs set in the bitmap"),
		NUMBER(hf_mp_range, "MP_RANGE", mp_range, "mpr * 128 PSNs"),
		NUMBER(hf_service, "Service time", service_time_ns,
		       "service_time * 128 ns"),
		VALUE(hf_data, "Payload", data, FT_BYTES, "Payload"),
		VALUE(hf_cipher, "Ciphertext", ciphertext, FT_BYTES,
		      "Encrypted by the transport security sublayer"),
		VALUE(hf_icv, "ICV", icv, FT_BYTES,
		      "TSS integrity check value"),
		VALUE(hf_trailer, "Bytes behind the payload", trailer, FT_BYTES,
		      "Behind the announced payload"),
		VALUE(hf_bytes, "Bytes without a whole header", bytes, FT_BYTES,
		      "Without a whole header"),
		{&hf_crc,
		 {"CRC", "uet.crc", FT_UINT32, BASE_HEX, NULL, 0,
		  "CRC-32C trailer, UET 3.5.25", HFILL}},
		VALUE(hf_crc_status, "CRC status", crc.status, FT_STRING,
		      "Whether it is right, and in which byte order"),
	};
	static int *ett[] = {&ett_packet};

	proto_uet = proto;
	proto_register_field_array(proto, hf, array_length(hf));
	proto_register_subtree_array(ett, array_length(ett));
	register_sums(proto);
	state_register(proto, MAIN_FAMILY);
	tap_uet = register_tap(name);
}
