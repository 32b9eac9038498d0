/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/golden_test.c -- every hand-packed vector, both ways.
 *
 * A vector must decode to exactly the fields that it names and encode from
 * them to exactly its bytes: through the tables, through packet_parse and
 * packet_build, and, if it is a frame, through frame_parse, frame_build and the
 * CRC.  Vectors are counted by family, so that none is skipped in silence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/addr.h"
#include "wire/crc.h"
#include "wire/frame.h"
#include "wire/golden_test.h"
#include "wire/packet.h"

static struct golden golden, extra;

/* What a failing check says first. */
static void at_vector(const struct vector *v)
{
	fprintf(stderr, "in %s\n", v->name);
}

#define check(v, cond)                     \
	do {                               \
		if (!(cond)) {             \
			at_vector(v);      \
			assert_true(cond); \
		}                          \
	} while (0)

static const char *text_of(struct vector *v, const char *key)
{
	struct pair *p = vector_pair(v, key);

	if (!p)
		return NULL;
	p->seen = true;
	return p->value;
}

static bool number_of(struct vector *v, const char *key, uint64_t *ret)
{
	const char *s = text_of(v, key);

	if (s)
		*ret = wide_value(s).lo;
	return s != NULL;
}

/* ---- What lies behind the headers ---- */

static size_t unspaced_hex(uint8_t *ret, const char *s)
{
	size_t n = 0;

	for (; s && s[0] && s[1]; s += 2) {
		char byte[3] = {s[0], s[1], 0};

		ret[n++] = (uint8_t)strtoul(byte, NULL, 16);
	}
	return n;
}

static size_t crc_bytes(struct vector *v, uint8_t *ret)
{
	const char *order = text_of(v, "crc.order");
	uint64_t crc = 0;

	if (!order)
		return 0;
	if (!number_of(v, "crc32c", &crc))
		number_of(v, "crc32c.sent", &crc);
	for (unsigned i = 0; i < 4; i++)
		ret[i] = (uint8_t)(crc >>
				   8 * (!strcmp(order, "le") ? i : 3 - i));
	return 4;
}

/* Bytes that a vector only counts, or does not speak of, are copied. */
static size_t opaque_bytes(struct vector *v, uint8_t *ret, size_t at)
{
	uint64_t n = 0;

	if (!number_of(v, "trim.ses_bytes_left", &n) &&
	    !number_of(v, "tss.ciphertext_len", &n) && v->npart &&
	    v->part[0].h == &pds_prologue_header)
		n = v->len - at;
	check(v, at + n <= v->len);
	memcpy(ret, v->hex + at, n);
	return (size_t)n;
}

static void check_tail(struct vector *v)
{
	uint8_t tail[sizeof(v->hex)];
	size_t n = unspaced_hex(tail, text_of(v, "data"));

	n += opaque_bytes(v, tail + n, v->tail + n);
	n += unspaced_hex(tail + n, text_of(v, "tss.icv"));
	n += crc_bytes(v, tail + n);
	n += unspaced_hex(tail + n, text_of(v, "eth.pad"));
	check(v, v->tail + n == v->len);
	check(v, memcmp(tail, v->hex + v->tail, n) == 0);
}

/* ---- Sections and derived values ---- */

/* The sections [from, to) of a packet are the parts of these slots. */
static void check_sections(struct vector *v, const struct packet *pkt,
			   unsigned from, unsigned to, unsigned first_slot,
			   unsigned last_slot)
{
	size_t base = (size_t)(pkt->p - v->hex);

	for (unsigned i = 0; i < v->npart; i++) {
		const struct part *p = &v->part[i];

		if (p->slot < first_slot || p->slot > last_slot)
			continue;
		check(v, from < to);
		check(v, pkt->sec[from].h == p->h);
		check(v, base + pkt->sec[from].at == p->at);
		from++;
	}
	check(v, from == to);
}

static void check_derived(struct vector *v, const struct packet *pkt)
{
	static const char *const names[][2] = {
		{"CLEAR_PSN", "clear_psn"},
		{"ACK_PSN", "ack_psn"},
		{"SACK_PSN", "sack_psn"},
		{"start_psn", "start_psn"},
	};
	uint64_t want, got, mpr;

	for (size_t i = 0; i < ROWS(names); i++) {
		if (!number_of(v, names[i][0], &want))
			continue;
		check(v, packet_value(pkt, names[i][1], &got));
		check(v, got == want);
	}
	if (number_of(v, "MP_RANGE", &want)) {
		check(v, packet_value(pkt, "mpr", &mpr));
		check(v, mpr * 128 == want);
	}
}

/* "0x10,0x12" or "0x10..0x2f" as bits from |base|. */
static uint64_t sack_bits(const char *s, uint32_t base)
{
	uint64_t bits = 0;

	while (*s && strcmp(s, "none")) {
		char *end;
		uint32_t first = (uint32_t)strtoul(s, &end, 16), last = first;

		if (!strncmp(end, "..", 2))
			last = (uint32_t)strtoul(end + 2, &end, 16);
		for (uint32_t psn = first; psn != last + 1; psn++)
			bits |= (uint64_t)1 << (psn - base);
		s = *end ? end + 1 : end;
	}
	return bits;
}

static void check_sack(struct vector *v, const struct packet *pkt)
{
	const char *list = text_of(v, "SACK_LIST");
	uint64_t base, bitmap;

	if (!list)
		return;
	check(v, packet_value(pkt, "sack_psn", &base));
	check(v, packet_value(pkt, "sack_bitmap", &bitmap));
	check(v, sack_bits(list, (uint32_t)base) == bitmap);
}

static enum packet_fault expected_fault(struct vector *v)
{
	const struct part *pds = vector_part(v, SLOT_PDS);
	uint64_t next = 0;

	if (pds->h == &pds_prologue_header)
		return PACKET_TYPE;
	if (vector_has(v, "ctl_type"))
		return PACKET_OK;
	number_of(v, "next_hdr", &next);
	if (vector_has(v, "nack_code"))
		return next ? PACKET_NEXT_HDR : PACKET_OK;
	if (!next || vector_part(v, SLOT_SES) ||
	    (next == PDS_NEXT_CP_ACK && vector_has(v, "cack_psn")))
		return PACKET_OK;
	return next > 6 ? PACKET_NEXT_HDR : PACKET_SHORT;
}

/* ---- Words and values to bytes ---- */

struct order {
	struct packet_spec spec;
	struct packet_set set[64];
};

static void order_set(struct order *o, const char *name, uint64_t value,
		      bool ses)
{
	o->set[o->spec.nset++] = (struct packet_set){name, value, ses};
}

/* The derived name, as the vectors write it, whose offset a field is. */
static const char *sum_of(const char *offset, const char **ret_key)
{
	static const char *const rows[][3] = {
		{"clear_psn_offset", "CLEAR_PSN", "clear_psn"},
		{"ack_psn_offset", "ACK_PSN", "ack_psn"},
		{"sack_psn_offset", "SACK_PSN", "sack_psn"},
		{"psn_offset", "start_psn", "start_psn"},
	};

	for (size_t i = 0; i < ROWS(rows); i++)
		if (!strcmp(rows[i][0], offset)) {
			*ret_key = rows[i][1];
			return rows[i][2];
		}
	return NULL;
}

/* Everything a part says, as sets; offsets by their sums if |sums|. */
static void order_part(struct order *o, struct vector *v, const struct part *p,
		       bool sums)
{
	for (size_t i = 0; i < p->h->nfields; i++) {
		const char *name = p->h->fields[i].name, *key;
		const char *sum = sum_of(name, &key);
		uint64_t value;

		if (!strcmp(name, "type"))
			continue;
		if (sums && sum && number_of(v, key, &value))
			order_set(o, sum, value, false);
		else
			order_set(o, name, p->want[i], p->slot >= SLOT_SES);
	}
}

static void check_build(struct vector *v, struct order *o, size_t skip,
			const uint8_t *want, size_t len)
{
	uint8_t bytes[sizeof(v->hex)];
	int bad, n;

	o->spec.set = o->set;
	n = packet_build(bytes, sizeof(bytes), &o->spec, &bad);
	check(v, n == (int)(skip + len));
	check(v, memcmp(bytes + skip, want, len) == 0);
}

/* Builds the packet that the vector names, from its PDS header on. */
static void check_built(struct vector *v, bool sums)
{
	const struct part *pds = vector_part(v, SLOT_PDS);
	const struct part *ses = vector_part(v, SLOT_SES);
	struct order o = {0};

	o.spec.type = value_find(pds_types, pds->want[0]);
	if (ses)
		o.spec.ses = ses->h->name;
	for (unsigned i = 0; i < v->npart; i++)
		if (v->part[i].slot >= SLOT_PDS)
			order_part(&o, v, &v->part[i], sums);
	o.spec.payload = v->hex + v->tail;
	o.spec.payload_len = v->len - v->tail;
	check_build(v, &o, 0, v->hex + pds->at, v->len - pds->at);
}

/* ---- Vectors that begin at a PDS header, alone or in something ---- */

static void check_pds(struct vector *v, size_t len)
{
	const struct part *pds = vector_part(v, SLOT_PDS);
	struct packet pkt;

	packet_parse(&pkt, v->hex + pds->at, len);
	if (pds->h == &pds_prologue_header) {
		check(v, pkt.fault == PACKET_TYPE && pkt.nsec == 0);
		return;
	}
	check(v, pkt.fault == expected_fault(v));
	check_sections(v, &pkt, 0, pkt.nses, SLOT_PDS, SLOT_PDS3);
	check_sections(v, &pkt, pkt.nses, pkt.nsec, SLOT_SES, SLOT_EXT2);
	check_derived(v, &pkt);
	check_sack(v, &pkt);
	check_built(v, false);
	check_built(v, true);
}

/* ---- Vectors that begin at an SES header or an extension ---- */

static bool is_response(const struct part *ses)
{
	return part_index(ses, "list") >= 0;
}

/* The words that an SES vector needs around it. */
static void order_around(struct order *o, struct vector *v)
{
	const struct part *ses = vector_part(v, SLOT_SES);

	o->spec.type = ses && is_response(ses) ? "ack" : "rud_req";
	o->spec.ses = ses ? ses->h->name : "std";
	if (!ses && vector_has(v, "ses.eager_length")) {
		order_set(o, "opcode", SES_RENDEZVOUS_SEND, true);
		order_set(o, "som", 1, true);
	} else if (!ses)
		order_set(o, "opcode", SES_ATOMIC, true);
	if (!ses && vector_has(v, "ses.compare_value"))
		o->spec.ext[0] =
			"cswap"; /* some pins have another amo_opcode */
}

static void check_ses(struct vector *v)
{
	const struct part *ses = vector_part(v, SLOT_SES);
	const size_t skip = pds_req_len + (ses ? 0 : ses_std_som_len);
	struct order o = {0};
	uint8_t bytes[sizeof(v->hex)];
	struct packet pkt;
	int n;

	order_around(&o, v);
	for (unsigned i = 0; i < v->npart; i++)
		order_part(&o, v, &v->part[i], false);
	o.spec.payload = v->hex + v->tail;
	o.spec.payload_len = v->len - v->tail;
	check_build(v, &o, skip, v->hex, v->len);

	n = packet_build(bytes, sizeof(bytes), &o.spec, NULL);
	packet_parse(&pkt, bytes, (size_t)n);
	check(v, pkt.fault == PACKET_OK && pkt.nses == 1);
	if (o.spec.ext[0])
		return; /* the parser follows the amo_opcode */
	for (unsigned i = 0; i < v->npart; i++) {
		const unsigned sec = i + (ses ? 1 : 2);

		check(v, sec < pkt.nsec);
		check(v, pkt.sec[sec].h == v->part[i].h);
		check(v, pkt.sec[sec].at == skip + v->part[i].at);
	}
}

/* ---- One function for each family ---- */

static void check_bytes(struct vector *v)
{
	check(v, vector_agrees(v, NULL));
	check_tail(v);
}

static void on_packet(struct vector *v)
{
	check_bytes(v);
	if (vector_part(v, SLOT_PDS))
		check_pds(v, v->len);
	else if (vector_part(v, SLOT_SES) || vector_part(v, SLOT_EXT))
		check_ses(v);
	else
		check(v, vector_part(v, SLOT_TSS) || vector_part(v, SLOT_SHIM));
}

static void on_tss(struct vector *v)
{
	struct packet pkt;

	check_bytes(v);
	packet_parse(&pkt, v->hex, v->len);
	check(v, pkt.fault == PACKET_ENCRYPTED);
	check_sections(v, &pkt, 0, pkt.nsec, SLOT_TSS, SLOT_TSS);
	if (!vector_part(v, SLOT_PDS))
		return;
	check(v, vector_part(v, SLOT_PDS)->at == pkt.payload);
	check_pds(v, v->len - pkt.payload);
}

static void on_entropy(struct vector *v)
{
	check_bytes(v);
	check(v, v->npart == 1 && v->part[0].h == &entropy_header);
}

static void on_crc(struct vector *v)
{
	const size_t len = v->len - CRC_LEN;
	uint64_t want;

	check_tail(v);
	check(v, number_of(v, "crc32c", &want));
	check(v, crc32c(0, v->hex, len) == want);
	check(v, crc32c(crc32c(0, v->hex, 4), v->hex + 4, len - 4) == want);
}

/* ---- Short ones ---- */

/* The bytes before the short header, so that packet_parse finds it. */
static size_t short_prefix(struct vector *v, uint8_t *ret)
{
	static const struct {
		const char *word, *type, *ses;
		unsigned opcode;
	} rows[] = {
		{"ses-std", "rud_req", "std", 0},
		{"ses-medium", "rud_req", "medium", 0},
		{"ses-response", "ack", "response", 0},
		{"ses-response_data", "ack", "response_data", 0},
		{"ses-response_data_small", "ack", "response_data_small", 0},
		{"ses-rendezvous_ext", "rud_req", "std", SES_RENDEZVOUS_SEND},
		{"ses-cas_ext", "rud_req", "std", SES_ATOMIC},
	};
	const char *word = strrchr(v->name, '/') + 1;

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct packet_set set[2] = {{"opcode", rows[i].opcode, true},
					    {"som", 1, true}};
		struct packet_spec spec = {rows[i].type, rows[i].ses,
					   .set = set,
					   .nset = rows[i].opcode ? 2 : 0};

		if (strcmp(word, rows[i].word))
			continue;
		check(v, packet_build(ret, 128, &spec, NULL) > 0);
		return rows[i].opcode ? 12 + 44 : 12;
	}
	check(v, strncmp(word, "ses-", 4) != 0);
	return 0;
}

/* Short at every length below the need; with the missing bytes, not. */
static void check_short(struct vector *v, uint64_t need)
{
	uint8_t bytes[384] = {0};
	size_t skip = short_prefix(v, bytes);
	struct packet pkt;

	memcpy(bytes + skip, v->hex, v->len);
	for (size_t n = 0; n < need; n++) {
		packet_parse(&pkt, bytes, skip + n);
		check(v, pkt.fault == PACKET_SHORT && pkt.fault_header);
		check(v, pkt.payload <= skip + n);
	}
	if (need == pds_prologue_len)
		return; /* no bytes: nothing that could be completed */
	memset(bytes + skip + v->len, 0, need - v->len);
	packet_parse(&pkt, bytes, skip + need);
	check(v, pkt.payload == skip + need);
}

static void check_short_entropy(struct vector *v, uint64_t need)
{
	struct dgram d = {
		.src = ip_addr_v4(1), .dst = ip_addr_v4(2), .native = 1};
	struct frame_info info;
	uint8_t ip[64];

	frame_build(NULL, FRAME_RAW_IP, &d, ip, sizeof(ip));
	for (size_t n = 0; n <= need; n++) {
		memcpy(ip + frame_ipv4_len, v->hex, n < v->len ? n : v->len);
		frame_parse(NULL, FRAME_RAW_IP, ip, frame_ipv4_len + n, &d,
			    &info);
		check(v, info.fault == (n < need ? FRAME_SHORT : FRAME_OK));
	}
}

static void on_short(struct vector *v)
{
	uint64_t need, have;

	check(v, number_of(v, "need", &need) && number_of(v, "have", &have));
	check(v, v->len == have && have < need);
	if (strstr(v->name, "/entropy"))
		check_short_entropy(v, need);
	else
		check_short(v, need);
}

/* ---- Frames ---- */

static void check_addresses(struct vector *v, const struct dgram *d)
{
	char text[IP_ADDR_TEXT];
	struct ip_addr a;

	ip_addr_print(&d->src, text);
	check(v, !strcmp(text, text_of(v, "ip.src")));
	check(v, !ip_addr_parse(&a, text, strlen(text)) &&
			 ip_addr_equal(&a, &d->src));
	ip_addr_print(&d->dst, text);
	check(v, !strcmp(text, text_of(v, "ip.dst")));
}

static uint64_t want_of(struct vector *v, unsigned slot, const char *name)
{
	struct part *p = vector_part(v, slot);
	int i = p ? part_index(p, name) : -1;

	check(v, i >= 0);
	return p->want[i];
}

static void check_dgram(struct vector *v, const struct dgram *d,
			const struct frame_info *info)
{
	bool native = vector_has(v, "entropy");

	check_addresses(v, d);
	check(v, d->dscp == want_of(v, SLOT_IP, "dscp"));
	check(v, d->ecn == want_of(v, SLOT_IP, "ecn"));
	check(v, d->native == native);
	check(v, d->entropy ==
			 want_of(v, SLOT_SHIM, native ? "entropy" : "sport"));
	check(v, native ? !info->udp_length
			: info->udp_length == want_of(v, SLOT_SHIM, "length"));
	check(v, d->len == info->len);
	check(v, memcmp(d->data, v->hex + info->at, d->len) == 0);
}

/* The bytes that IP says there are, from the shim on. */
static size_t ip_payload(struct vector *v)
{
	if (vector_has(v, "ip.ttl"))
		return want_of(v, SLOT_IP, "total_length") - frame_ipv4_len;
	return want_of(v, SLOT_IP, "payload_length");
}

static void check_lengths(struct vector *v, const struct frame_info *info)
{
	const struct part *shim = vector_part(v, SLOT_SHIM);
	const struct part *next = shim + 1; /* TSS or PDS */
	const size_t said = shim->at + ip_payload(v);
	uint64_t n;

	check(v, info->at == next->at);
	check(v, info->ip_cut == (said > v->len));
	check(v, info->at + info->len == (info->ip_cut ? v->len : said));
	if (number_of(v, "trim.kept_beyond_ip", &n))
		check(v, n == ip_payload(v));
}

static void check_frame_sections(struct vector *v,
				 const struct frame_info *info)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->npart && v->part[i].slot <= SLOT_SHIM;
	     i++) {
		check(v, n < info->nsec && info->sec_h[n] == v->part[i].h);
		check(v, info->sec_at[n] == v->part[i].at);
		n++;
	}
	check(v, n == info->nsec);
}

/* |at| is where the UET bytes begin; padding may follow the trailer. */
static void check_crc(struct vector *v, struct dgram *d, size_t at)
{
	const char *order_text = text_of(v, "crc.order");
	enum crc_order order, other;
	unsigned first, last;
	uint64_t crc;

	if (!order_text)
		return;
	order = strcmp(order_text, "le") ? CRC_BE : CRC_LE;
	other = order == CRC_LE ? CRC_BE : CRC_LE;
	check(v, sscanf(text_of(v, "crc.cover"), "%u..%u", &first, &last) == 2);
	check(v, last + 1 + CRC_LEN == at + d->len);
	check(v, crc_of(d, d->len - CRC_LEN) ==
			 crc32c(0, v->hex + first, last + 1 - first));
	check(v, !crc_check(d, other));
	if (!number_of(v, "crc32c", &crc)) {
		check(v, !crc_check(d, order));
		return;
	}
	check(v, crc_of(d, d->len - CRC_LEN) == crc);
	check(v, crc_check(d, order));
	d->len -= CRC_LEN;
	check(v, crc_append(d, order) == 0 && crc_check(d, order));
}

/* Built again from the datagram, a frame is the same from IP on. */
static void check_frame_built(struct vector *v, const struct dgram *d)
{
	const struct part *ip = vector_part(v, SLOT_IP);
	const struct field *flow =
		header_field(&frame_ipv6_header, "flow_label", 10);
	uint8_t bytes[sizeof(v->hex)];
	int n = frame_build(NULL, FRAME_RAW_IP, d, bytes, sizeof(bytes));

	if (ip->h == &frame_ipv6_header) /* ours is 0 */
		field_set(flow, bytes, field_get(flow, v->hex + ip->at));
	check(v, n > 0 && ip->at + (size_t)n <= v->len);
	check(v, memcmp(bytes, v->hex + ip->at, (size_t)n) == 0);
}

/* What a trimming switch or a fault-injecting hand has changed. */
static bool is_rewritten(struct vector *v)
{
	return !strncmp(v->name, "malformed/", 10) ||
	       (vector_has(v, "udp.length") &&
		want_of(v, SLOT_SHIM, "length") != ip_payload(v));
}

static void on_frame(struct vector *v)
{
	const size_t ip_at = vector_part(v, SLOT_IP)->at;
	bool fragment = vector_has(v, "ip.mf");
	struct frame_info info;
	struct dgram d, raw;

	check_bytes(v);
	frame_parse(NULL, FRAME_ETHERNET, v->hex, v->len, &d, &info);
	check(v, info.fault == (fragment ? FRAME_FRAGMENT : FRAME_OK));
	if (!fragment) {
		check_frame_sections(v, &info);
		check_lengths(v, &info);
		check_dgram(v, &d, &info);
		check_crc(v, &d, info.at);
		if (!is_rewritten(v))
			check_frame_built(v, &d);
		frame_parse(NULL, FRAME_RAW_IP, v->hex + ip_at, v->len - ip_at,
			    &raw, &info);
		check(v, raw.len == d.len && raw.entropy == d.entropy);
		check(v, memcmp(raw.data, d.data, d.len) == 0);
	}
	if (vector_part(v, SLOT_PDS))
		check_pds(v, v->len - vector_part(v, SLOT_PDS)->at);
}

/* ---- All of them ---- */

static struct kind {
	const char *prefix;
	void (*on)(struct vector *v);
	unsigned want, got;
} families[] = {
	{"pds/", on_packet, 163, 0},
	{"ses/", on_packet, 91, 0},
	{"tss/", on_tss, 12, 0},
	{"entropy/", on_entropy, 2, 0},
	{"crc/", on_crc, 2, 0},
	{"frame/", on_frame, 31, 0},
	{"sec12/", on_packet, 10, 0},
	{"malformed/short/", on_short, 21, 0},
	{"malformed/reserved/", on_packet, 23, 0},
	{"malformed/code/", on_packet, 14, 0},
	{"malformed/rule/", on_packet, 10, 0},
	{"malformed/frame/", on_frame, 8, 0},
};

static void check_seen(struct vector *v)
{
	for (unsigned i = 0; i < v->npair; i++) {
		if (!v->pair[i].seen)
			fprintf(stderr, "%s: nobody looked at %s\n", v->name,
				v->pair[i].key);
		check(v, v->pair[i].seen);
	}
}

static void check_vector(struct vector *v)
{
	for (size_t i = 0; i < ROWS(families); i++) {
		struct kind *f = &families[i];

		if (strncmp(v->name, f->prefix, strlen(f->prefix)))
			continue;
		f->on(v);
		f->got++;
		check_seen(v);
		return;
	}
	at_vector(v);
	fail_msg("no family of vectors has this name");
}

static void every_vector_holds(void **state)
{
	unsigned sum = 0;

	(void)state;
	for (unsigned i = 0; i < golden.n; i++) {
		const char *odd = vector_bind(&golden.v[i]);

		if (odd)
			fprintf(stderr, "%s: %s\n", golden.v[i].name, odd);
		assert_null(odd);
		check_vector(&golden.v[i]);
	}
	for (size_t i = 0; i < ROWS(families); i++) {
		assert_int_equal(families[i].got, families[i].want);
		sum += families[i].got;
	}
	assert_int_equal(sum, 387);
}

/* Our own pins hold for the tables; they are not packets. */
static void our_pins_hold(void **state)
{
	(void)state;
	assert_int_equal(extra.n, 62);
	for (unsigned i = 0; i < extra.n; i++) {
		struct vector *v = &extra.v[i];

		check(v, vector_bind(v) == NULL);
		check(v, v->npart > 0);
		check_bytes(v);
		check_seen(v);
	}
}

static void no_name_is_given_twice(void **state)
{
	(void)state;
	for (unsigned i = 0; i < golden.n; i++)
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(golden.v[i].name,
						golden.v[k].name);
}

/* Counted by another hand than the reader's. */
static void the_reader_skips_nothing(void **state)
{
	char *text = golden_read(GOLDEN);
	unsigned n = strncmp(text, "name:", 5) == 0;

	(void)state;
	for (const char *s = text; (s = strstr(s, "\nname:")); s++)
		n++;
	free(text);
	assert_int_equal(n, 387);
	assert_int_equal(golden.n, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_reader_skips_nothing),
		cmocka_unit_test(every_vector_holds),
		cmocka_unit_test(our_pins_hold),
		cmocka_unit_test(no_name_is_given_twice),
	};
	int failed;

	golden_load(&golden, GOLDEN);
	golden_load(&extra, GOLDEN_EXTRA);
	failed = cmocka_run_group_tests_name("wire.golden", tests, NULL, NULL);
	free(golden.text);
	free(extra.text);
	return failed;
}
