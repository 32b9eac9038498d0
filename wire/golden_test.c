/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/golden_test.c -- tests every hand-packed vector in both directions.
 *
 * A vector must decode to exactly the fields that it names and encode from them
 * to exactly its bytes: through the tables, through uet_packet_parse and
 * packet_build, and, if it is a frame, through frame_parse, frame_build and the
 * CRC.  The test counts vectors by family, so that none is skipped unnoticed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "wire/frame/crc.h"
#include "wire/golden_frame_test.h"
#include "wire/golden_test.h"
#include "wire/packet.h"
#include "wire/uet/uet_packet.h"

static struct golden golden, extra;

/* ---- The bytes after the headers ---- */

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
	const char *order = vector_text(v, "crc.order");
	uint64_t crc = 0;

	if (!order)
		return 0;
	if (!vector_number(v, "crc32c", &crc))
		vector_number(v, "crc32c.sent", &crc);
	for (unsigned i = 0; i < 4; i++)
		ret[i] = (uint8_t)(crc >>
				   8 * (!strcmp(order, "le") ? i : 3 - i));
	return 4;
}

/* Copies bytes that a vector only counts or does not mention. */
static size_t opaque_bytes(struct vector *v, uint8_t *ret, size_t at)
{
	uint64_t n = 0;

	if (!vector_number(v, "trim.ses_bytes_left", &n) &&
	    !vector_number(v, "tss.ciphertext_len", &n) && v->npart &&
	    v->part[0].h == &pds_prologue_header)
		n = v->len - at;
	check(v, at + n <= v->len);
	memcpy(ret, v->hex + at, n);
	return (size_t)n;
}

static void check_tail(struct vector *v)
{
	uint8_t tail[sizeof(v->hex)];
	size_t n = unspaced_hex(tail, vector_text(v, "data"));

	n += opaque_bytes(v, tail + n, v->tail + n);
	n += unspaced_hex(tail + n, vector_text(v, "tss.icv"));
	n += crc_bytes(v, tail + n);
	n += unspaced_hex(tail + n, vector_text(v, "eth.pad"));
	check(v, v->tail + n == v->len);
	check(v, memcmp(tail, v->hex + v->tail, n) == 0);
}

/* ---- Sections and derived values ---- */

/*
 * Checks that the sections [from, to) of a packet match the parts of these
 * slots.
 */
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

static void golden_test_check_derived(struct vector *v,
				      const struct packet *pkt)
{
	static const char *const names[][2] = {
		{"CLEAR_PSN", "clear_psn"},
		{"ACK_PSN", "ack_psn"},
		{"SACK_PSN", "sack_psn"},
		{"start_psn", "start_psn"},
	};
	uint64_t want, got, mpr;

	for (size_t i = 0; i < ROWS(names); i++) {
		if (!vector_number(v, names[i][0], &want))
			continue;
		check(v, packet_value(pkt, names[i][1], &got));
		check(v, got == want);
	}
	if (vector_number(v, "MP_RANGE", &want)) {
		check(v, packet_value(pkt, "mpr", &mpr));
		check(v, mpr * 128 == want);
	}
}

/* Parses "0x10,0x12" or "0x10..0x2f" as bits from |base|. */
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
		if (*end)
			s = end + 1;
		else
			s = end;
	}
	return bits;
}

static void check_sack(struct vector *v, const struct packet *pkt)
{
	const char *list = vector_text(v, "SACK_LIST");
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
	vector_number(v, "next_hdr", &next);
	if (vector_has(v, "nack_code"))
		return next ? PACKET_NEXT_HDR : PACKET_OK;
	if (!next || vector_part(v, SLOT_SES) ||
	    (next == PDS_NEXT_CP_ACK && vector_has(v, "cack_psn")))
		return PACKET_OK;
	if (next > 6)
		return PACKET_NEXT_HDR;
	return PACKET_SHORT;
}

/* ---- Words and values to bytes ---- */

struct order {
	struct packet_spec spec;
	struct field_value set[64];
};

static void golden_test_order_set(struct order *o, const char *name,
				  uint64_t value, bool ses)
{
	o->set[o->spec.nset++] = (struct field_value){name, value, ses};
}

/* Returns the name that the vectors use for the derived value of an offset. */
static const char *golden_test_sum_of(const char *offset, const char **ret_key)
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

/* Sets all fields of a part; if |sums|, offsets by their derived values. */
static void golden_test_order_part(struct order *o, struct vector *v,
				   const struct part *p, bool sums)
{
	for (size_t i = 0; i < p->h->nfields; i++) {
		const char *name = p->h->fields[i].name, *key;
		const char *sum = golden_test_sum_of(name, &key);
		uint64_t value;

		if (!strcmp(name, "type"))
			continue;
		if (sums && sum && vector_number(v, key, &value))
			golden_test_order_set(o, sum, value, false);
		else
			golden_test_order_set(o, name, p->want[i],
					      p->slot >= SLOT_SES);
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
			golden_test_order_part(&o, v, &v->part[i], sums);
	o.spec.payload = v->hex + v->tail;
	o.spec.payload_len = v->len - v->tail;
	check_build(v, &o, 0, v->hex + pds->at, v->len - pds->at);
}

/* ---- Vectors that begin at a PDS header, alone or wrapped ---- */

static void check_pds(struct vector *v, size_t len)
{
	const struct part *pds = vector_part(v, SLOT_PDS);
	struct packet pkt;

	uet_packet_parse(&pkt, v->hex + pds->at, len);
	if (pds->h == &pds_prologue_header) {
		check(v, pkt.fault == PACKET_TYPE && pkt.nsec == 0);
		return;
	}
	check(v, pkt.fault == expected_fault(v));
	check_sections(v, &pkt, 0, pkt.nses, SLOT_PDS, SLOT_PDS3);
	check_sections(v, &pkt, pkt.nses, pkt.nsec, SLOT_SES, SLOT_EXT2);
	golden_test_check_derived(v, &pkt);
	check_sack(v, &pkt);
	check_built(v, false);
	check_built(v, true);
}

/* ---- Vectors that begin at an SES header or an extension ---- */

static bool golden_test_is_response(const struct part *ses)
{
	return part_index(ses, "list") >= 0;
}

/* Adds the words that an SES vector needs before it. */
static void order_around(struct order *o, struct vector *v)
{
	const struct part *ses = vector_part(v, SLOT_SES);

	if (ses && golden_test_is_response(ses))
		o->spec.type = "ack";
	else
		o->spec.type = "rud_req";
	if (ses)
		o->spec.ses = ses->h->name;
	else
		o->spec.ses = "std";
	if (!ses && vector_has(v, "ses.eager_length")) {
		golden_test_order_set(o, "opcode", SES_RENDEZVOUS_SEND, true);
		golden_test_order_set(o, "som", 1, true);
	} else if (!ses)
		golden_test_order_set(o, "opcode", SES_ATOMIC, true);
	if (!ses && vector_has(v, "ses.compare_value"))
		o->spec.ext[0] =
			"cswap"; /* some vectors have another amo_opcode */
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
		golden_test_order_part(&o, v, &v->part[i], false);
	o.spec.payload = v->hex + v->tail;
	o.spec.payload_len = v->len - v->tail;
	check_build(v, &o, skip, v->hex, v->len);

	n = packet_build(bytes, sizeof(bytes), &o.spec, NULL);
	uet_packet_parse(&pkt, bytes, (size_t)n);
	check(v, pkt.fault == PACKET_OK && pkt.nses == 1);
	if (o.spec.ext[0])
		return; /* the parser uses the amo_opcode */
	for (unsigned i = 0; i < v->npart; i++) {
		const unsigned sec = i + (ses ? 1 : 2);

		check(v, sec < pkt.nsec);
		check(v, pkt.sec[sec].h == v->part[i].h);
		check(v, pkt.sec[sec].at == skip + v->part[i].at);
	}
}

/* ---- One function for each family ---- */

static void golden_test_check_bytes(struct vector *v)
{
	check(v, vector_agrees(v, NULL));
	check_tail(v);
}

static void on_packet(struct vector *v)
{
	golden_test_check_bytes(v);
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

	golden_test_check_bytes(v);
	uet_packet_parse(&pkt, v->hex, v->len);
	check(v, pkt.fault == PACKET_ENCRYPTED);
	check_sections(v, &pkt, 0, pkt.nsec, SLOT_TSS, SLOT_TSS);
	if (!vector_part(v, SLOT_PDS))
		return;
	check(v, vector_part(v, SLOT_PDS)->at == pkt.payload);
	check_pds(v, v->len - pkt.payload);
}

static void on_entropy(struct vector *v)
{
	golden_test_check_bytes(v);
	check(v, v->npart == 1 && v->part[0].h == &entropy_header);
}

static void on_crc(struct vector *v)
{
	const size_t len = v->len - CRC_LEN;
	uint64_t want;

	check_tail(v);
	check(v, vector_number(v, "crc32c", &want));
	check(v, crc32c(0, v->hex, len) == want);
	check(v, crc32c(crc32c(0, v->hex, 4), v->hex + 4, len - 4) == want);
}

/* ---- Truncated vectors ---- */

/* The bytes before the short header that uet_packet_parse needs to find it. */
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
		struct field_value set[2] = {{"opcode", rows[i].opcode, true},
					     {"som", 1, true}};
		struct packet_spec spec = {rows[i].type, rows[i].ses,
					   .set = set,
					   .nset = rows[i].opcode ? 2 : 0};

		if (strcmp(word, rows[i].word))
			continue;
		check(v, packet_build(ret, 128, &spec, NULL) > 0);
		if (rows[i].opcode)
			return 12 + 44;
		return 12;
	}
	check(v, strncmp(word, "ses-", 4) != 0);
	return 0;
}

/*
 * Parses the vector at every length below |need|: the header is short.  With
 * the missing bytes it is complete.
 */
static void check_short(struct vector *v, uint64_t need)
{
	uint8_t bytes[384] = {0};
	size_t skip = short_prefix(v, bytes);
	struct packet pkt;

	memcpy(bytes + skip, v->hex, v->len);
	for (size_t n = 0; n < need; n++) {
		uet_packet_parse(&pkt, bytes, skip + n);
		check(v, pkt.fault == PACKET_SHORT && pkt.fault_header);
		check(v, pkt.payload <= skip + n);
	}
	if (need == pds_prologue_len)
		return; /* no header begins: there is nothing to complete */
	memset(bytes + skip + v->len, 0, need - v->len);
	uet_packet_parse(&pkt, bytes, skip + need);
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
	uint64_t need = 0, have = 0;

	check(v, vector_number(v, "need", &need) &&
			 vector_number(v, "have", &have));
	check(v, v->len == have && have < need);
	if (strstr(v->name, "/entropy"))
		check_short_entropy(v, need);
	else
		check_short(v, need);
}

static void on_frame(struct vector *v)
{
	golden_test_check_bytes(v);
	golden_frame_check(v);
	if (vector_part(v, SLOT_PDS))
		check_pds(v, v->len - vector_part(v, SLOT_PDS)->at);
}

/* ---- All families ---- */

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
	vector_tell(v);
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

/* The pins of this project are values of the tables, not packets. */
static void our_pins_hold(void **state)
{
	(void)state;
	assert_int_equal(extra.n, 64);
	for (unsigned i = 0; i < extra.n; i++) {
		struct vector *v = &extra.v[i];

		check(v, vector_bind(v) == NULL);
		check(v, v->npart > 0);
		golden_test_check_bytes(v);
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

/* Counts the vectors without the reader of the other tests. */
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

	wire_golden_test_golden_load(&golden, GOLDEN);
	wire_golden_test_golden_load(&extra, GOLDEN_EXTRA);
	failed = cmocka_run_group_tests_name("wire.golden", tests, NULL, NULL);
	free(golden.text);
	free(extra.text);
	return failed;
}
