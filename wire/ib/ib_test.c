/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/ib_test.c -- tests the BTH format: tables and packets against
 * independent vectors, wrong layouts, and round trips.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "wire/ib/ib_packet.h"
#include "wire/ib/icrc.h"
#include "wire/registry.h"

#define GOLDEN "tests/golden/ib_golden.txt"
#define WORDS  100

/* One vector: a packet, or a header alone. */
struct vector {
	char word[32]; /* the word of the packet; "" for a header alone */
	unsigned dport, sport;
	const struct header *headers[8];
	size_t at[8], nheaders;
	char *fields[WORDS]; /* for example "bth.psn=0x100" */
	size_t nfields;
	uint8_t bytes[1200];
	size_t len;
	uint8_t icrc[ICRC_LEN];
};

static struct vector vectors[64];
static size_t nvectors;
static char *golden;

/* ---- Reading the file ---- */

static const struct header *header_named(const char *name)
{
	for (size_t i = 0; i < wire_nib_headers; i++)
		if (!strcmp(wire_ib_headers[i]->name, name))
			return wire_ib_headers[i];
	fail_msg("no header %s", name);
	return NULL;
}

static void read_headers(struct vector *v, char *s)
{
	size_t at = 0;

	for (char *w = strtok(s, " "); w; w = strtok(NULL, " ")) {
		v->headers[v->nheaders] = header_named(w);
		v->at[v->nheaders] = at;
		at += v->headers[v->nheaders++]->len;
	}
}

/* Reads bytes in hex, and "fill N B". */
static void read_hex(struct vector *v, char *s)
{
	unsigned long n = 1;

	for (char *w = strtok(s, " "); w; w = strtok(NULL, " ")) {
		if (!strcmp(w, "fill")) {
			n = strtoul(strtok(NULL, " "), NULL, 10);
			continue;
		}
		assert_true(v->len + n <= sizeof(v->bytes));
		memset(v->bytes + v->len, (int)strtoul(w, NULL, 16), n);
		v->len += n;
		n = 1;
	}
}

static void wire_ib_test_read_line(struct vector *v, char *line)
{
	if (!strncmp(line, "packet: ", 8))
		sscanf(line, "packet: %31s", v->word);
	else if (!strncmp(line, "dport: ", 7))
		v->dport = (unsigned)atoi(line + 7);
	else if (!strncmp(line, "sport: ", 7))
		v->sport = (unsigned)atoi(line + 7);
	else if (!strncmp(line, "headers: ", 9))
		read_headers(v, line + 9);
	else if (!strncmp(line, "hex: ", 5))
		read_hex(v, line + 5);
	else if (!strncmp(line, "icrc: ", 6))
		for (unsigned i = 0; i < ICRC_LEN; i++)
			sscanf(line + 6 + 2 * i, "%2hhx", &v->icrc[i]);
	else if (!strncmp(line, "fields: ", 8))
		for (char *w = strtok(line + 8, " "); w; w = strtok(NULL, " "))
			v->fields[v->nfields++] = w;
}

static int wire_ib_test_load(void **state)
{
	FILE *f = fopen(GOLDEN, "r");
	char *next, *line;

	(void)state;
	golden = calloc(1, 1 << 16);
	if (!f || !golden || !fread(golden, 1, (1 << 16) - 1, f))
		return -1;
	fclose(f);
	for (line = golden; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (!*line && vectors[nvectors].len)
			nvectors++;
		else if (*line != '#')
			wire_ib_test_read_line(&vectors[nvectors], line);
	}
	return 0;
}

static int wire_ib_test_unload(void **state)
{
	(void)state;
	free(golden);
	return 0;
}

/* ---- Tables ---- */

/*
 * Gets the value that a vector gives a field, by the header's name.  Return:
 * false if the vector does not name it.
 */
static bool wire_ib_test_named(const struct vector *v, const char *header,
			       const char *field, uint64_t *ret)
{
	const size_t n = strlen(header), m = strlen(field);

	for (size_t i = 0; i < v->nfields; i++) {
		const char *w = v->fields[i];

		if (strncmp(w, header, n) || w[n] != '.' ||
		    strncmp(w + n + 1, field, m) || w[n + 1 + m] != '=')
			continue;
		*ret = strtoull(w + n + m + 2, NULL, 16);
		return true;
	}
	return false;
}

/*
 * Returns true if a vector agrees with a table that replaces its own header of
 * the same name.
 */
static bool wire_ib_test_agrees(const struct vector *v, const struct header *h)
{
	for (size_t i = 0; i < v->nheaders; i++) {
		if (strcmp(v->headers[i]->name, h->name) != 0)
			continue;
		for (size_t k = 0; k < h->nfields; k++) {
			uint64_t want = 0;

			assert_true(wire_ib_test_named(
				v, h->name, h->fields[k].name, &want));
			if (field_get(&h->fields[k], v->bytes + v->at[i]) !=
			    want)
				return false;
		}
	}
	return true;
}

static bool all_agree(const struct header *h)
{
	for (size_t i = 0; i < nvectors; i++)
		if (!wire_ib_test_agrees(&vectors[i], h))
			return false;
	return true;
}

static void vectors_and_tables_agree(void **state)
{
	(void)state;
	assert_in_range(nvectors, 40, 64);
	for (size_t i = 0; i < wire_nib_headers; i++) {
		assert_null(header_check(wire_ib_headers[i]));
		assert_true(all_agree(wire_ib_headers[i]));
	}
}

/* Moves every end of every field by a bit: some vector disagrees. */
static void wrong_layouts_are_noticed(void **state)
{
	static const int moves[][2] = {{-1, -1}, {1, 1}, {-1, 0},
				       {0, 1},   {1, 0}, {0, -1}};
	unsigned tried = 0;

	(void)state;
	for (size_t i = 0; i < wire_nib_headers; i++) {
		struct header h = *wire_ib_headers[i];
		struct field fields[16];

		for (size_t k = 0; k < h.nfields; k++)
			for (size_t m = 0; m < 6; m++) {
				int at = h.fields[k].at + moves[m][0];
				int width = h.fields[k].width - moves[m][0] +
					    moves[m][1];
				struct header bent = h;

				if (at < 0 || width < 1 || width > 64 ||
				    (size_t)(at + width) > h.len * 8)
					continue;
				memcpy(fields, h.fields,
				       h.nfields * sizeof(*fields));
				fields[k].at = (uint16_t)at;
				fields[k].width = (uint8_t)width;
				bent.fields = fields;
				tried++;
				if (all_agree(&bent))
					fail_msg("nobody notices: %s.%s",
						 h.name, fields[k].name);
			}
	}
	assert_in_range(tried, 250, 1000);
}

/*
 * Accessors and tables come from one list; they must read and write the same
 * bits.
 */
#define ACCESSORS(h, LIST)                                                     \
	static void h##_accessors(void **state)                                \
	{                                                                      \
		uint8_t in[h##_len], out[h##_len];                             \
		struct rng rng = {7};                                          \
		struct h v;                                                    \
                                                                               \
		(void)state;                                                   \
		for (unsigned round = 0; round < 50; round++) {                \
			for (size_t i = 0; i < sizeof(in); i++)                \
				in[i] = (uint8_t)rng_below(&rng, 256);         \
			memset(out, 0, sizeof(out));                           \
			h##_get(&v, in);                                       \
			h##_put(&v, out);                                      \
			assert_memory_equal(in, out, sizeof(in));              \
			for (size_t i = 0; i < h##_header.nfields; i++) {      \
				const struct field *f = &h##_header.fields[i]; \
				uint64_t x = field_get(f, in);                 \
                                                                               \
				field_set(f, out, ~x);                         \
				field_set(f, out, x);                          \
			}                                                      \
			assert_memory_equal(in, out, sizeof(in));              \
		}                                                              \
	}
WIRE_IB_HEADERS(ACCESSORS)

/* ---- Packets ---- */

static void packets_have_their_sections(void **state)
{
	(void)state;
	for (size_t i = 0; i < nvectors; i++) {
		const struct vector *v = &vectors[i];
		struct packet pkt;

		if (!v->word[0])
			continue;
		ib_packet_parse(&pkt, v->bytes, v->len);
		assert_int_equal(pkt.fault, PACKET_OK);
		assert_string_equal(packet_word(&pkt), v->word);
		for (unsigned k = 0; k < pkt.nsec; k++) {
			assert_ptr_equal(pkt.sec[k].h, v->headers[k]);
			assert_int_equal(pkt.sec[k].at, v->at[k]);
		}
		assert_true(pkt.nsec == v->nheaders ||
			    v->headers[pkt.nsec] == &rieth_entry_header);
	}
}

static void packet_dgram(const struct vector *v, struct dgram *ret)
{
	*ret = (struct dgram){.src = ip_addr_v4(0x0a000001),
			      .dst = ip_addr_v4(0x0a000002),
			      .entropy = (uint16_t)v->sport,
			      .len = v->len};
	memcpy(ret->data, v->bytes, v->len);
}

static bool wire_ib_test_is_right(const struct dgram *d, uint16_t dport)
{
	return icrc_check(d, d->data, d->len, dport, &icrc_socket);
}

static void icrcs_are_those_of_others(void **state)
{
	unsigned packets = 0;

	(void)state;
	for (size_t i = 0; i < nvectors; i++) {
		const struct vector *v = &vectors[i];
		const uint16_t dport = (uint16_t)v->dport;
		static struct dgram d;

		if (!v->word[0])
			continue;
		packets++;
		packet_dgram(v, &d);
		assert_int_equal(icrc_append(&d, dport, &icrc_socket), 0);
		assert_memory_equal(d.data + v->len, v->icrc, ICRC_LEN);
		assert_true(wire_ib_test_is_right(&d, dport));
		d.data[4] ^= 0xff; /* FECN, BECN: a switch may set them */
		assert_true(wire_ib_test_is_right(&d, dport));
		d.data[5] ^= 1;
		assert_false(wire_ib_test_is_right(&d, dport));
		d.data[5] ^= 1;
		d.entropy ^= 1;
		assert_false(wire_ib_test_is_right(&d, dport));
	}
	assert_int_equal(packets, 13);
}

/*
 * In IPv6, class, flow label and hop limit are masked; addresses are covered.
 */
static void icrc_over_ipv6(void **state)
{
	static struct dgram d;

	(void)state;
	d.src.len = d.dst.len = 16;
	d.src.b[15] = 1;
	d.dst.b[15] = 2;
	d.len = bth_len;
	assert_int_equal(icrc_append(&d, ROCE_UDP_PORT, &icrc_socket), 0);
	assert_true(wire_ib_test_is_right(&d, ROCE_UDP_PORT));
	assert_false(wire_ib_test_is_right(&d, SRD_UDP_PORT));
	d.dst.b[0] = 1;
	assert_false(wire_ib_test_is_right(&d, ROCE_UDP_PORT));
	d.len = 3;
	assert_int_equal(icrc_append(&d, ROCE_UDP_PORT, &icrc_socket),
			 ERR_VALUE);
	assert_false(wire_ib_test_is_right(&d, ROCE_UDP_PORT));
}

/* Sets every field of a packet by name and builds it again. */
static void wire_ib_test_rebuild(const struct packet *pkt)
{
	struct field_value set[64];
	struct packet_spec spec = {.type = packet_word(pkt), .set = set};
	uint8_t out[1400];
	int bad, n;

	for (unsigned i = 0; i < pkt->nsec; i++)
		for (size_t k = 0; k < pkt->sec[i].h->nfields; k++) {
			const struct field *f = &pkt->sec[i].h->fields[k];

			set[spec.nset++] = (struct field_value){
				f->name, field_get(f, pkt->p + pkt->sec[i].at),
				false};
		}
	spec.payload = pkt->p + pkt->payload;
	spec.payload_len = pkt->len - pkt->payload - ib_packet_pad(pkt);
	n = packet_build(out, sizeof(out), &spec, &bad);
	assert_int_equal(n, pkt->len);
	assert_memory_equal(out, pkt->p, pkt->len - ib_packet_pad(pkt));
}

static void packets_are_built_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < nvectors; i++) {
		struct packet pkt;

		if (!vectors[i].word[0])
			continue;
		ib_packet_parse(&pkt, vectors[i].bytes, vectors[i].len);
		wire_ib_test_rebuild(&pkt);
	}
}

static void pad_follows_the_payload(void **state)
{
	(void)state;
	for (size_t n = 0; n < 9; n++) {
		const struct packet_spec spec = {.type = "rc_send_only",
						 .payload_len = n};
		uint8_t out[64];
		struct packet pkt;
		int len = packet_build(out, sizeof(out), &spec, NULL);

		assert_int_equal(len, bth_len + (n + 3) / 4 * 4);
		ib_packet_parse(&pkt, out, (size_t)len);
		assert_int_equal(ib_packet_pad(&pkt), -n & 3);
	}
}

static void a_lie_about_pad_is_written(void **state)
{
	const struct field_value set[] = {{"pad", 3, false}};
	const struct packet_spec spec = {
		.type = "srd_sync", .set = set, .nset = 1};
	uint8_t out[64];
	struct packet pkt;
	int len = packet_build(out, sizeof(out), &spec, NULL);

	(void)state;
	assert_int_equal(len, bth_len + seth_len + 3);
	ib_packet_parse(&pkt, out, (size_t)len - 2);
	assert_int_equal(ib_packet_pad(&pkt), 1); /* at most the payload */
}

static void print_is(const struct vector *v, const char *want)
{
	struct text t = {0};
	struct packet pkt;

	ib_packet_parse(&pkt, v->bytes, v->len);
	packet_print(&t, &pkt, PACKET_BRIEF, NULL);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static void wire_ib_test_packets_print_as_rungs(void **state)
{
	(void)state;
	print_is(&vectors[0], "srd_send_only psn=256 lup=256 ackreq syn path=5 "
			      "scid=0xa1b2c3d4 | data 5");
	print_is(&vectors[2], "srd_ack psn=258 cack=256 lup=256 path=9 "
			      "scid=0xa1b2c3d4 rcid=0xbadf00d syndrome=ack "
			      "sack_bitmap=0x4000000000000000");
	print_is(&vectors[6], "wqe_send_first psn=16 wqe_sn=7 wqe_length=2500 "
			      "| data 1024");
}

static void what_is_not_known_is_shown(void **state)
{
	static const uint8_t bytes[14] = {0xe5, 0, 0xff, 0xff, 0, 0,   0,
					  1,    0, 0,    0,    9, 0xaa};
	struct text t = {0};
	struct packet pkt;

	(void)state;
	ib_packet_parse(&pkt, bytes, sizeof(bytes));
	assert_int_equal(pkt.fault, PACKET_TYPE);
	packet_print(&t, &pkt, PACKET_BRIEF, NULL);
	assert_string_equal(text_cstr(&t),
			    "unknown opcode=0xe5 psn=9 | data 2 ! type");
	text_clear(&t);
	ib_packet_parse(&pkt, vectors[0].bytes, 30);
	packet_print(&t, &pkt, PACKET_BRIEF, NULL);
	assert_non_null(strstr(text_cstr(&t), "! short deth"));
	text_free(&t);
}

/*
 * Random bytes: sections stay inside the packet, and whole packets survive a
 * round trip.
 */
struct listed {
	uint32_t psn[70];
	size_t n;
};

static void wire_ib_test_list(void *arg, uint32_t psn)
{
	struct listed *l = arg;

	l->psn[l->n++] = psn;
}

/* Makes an indication with |len| bytes after its headers. */
static void wire_ib_test_indicate(struct listed *ret, const struct rieth *h,
				  const uint8_t *entries, size_t len)
{
	uint8_t p[bth_len + aeth_len + rieth_len + 16] = {IB_WQE_RTX_IND};
	const size_t head = bth_len + aeth_len + rieth_len;
	struct packet pkt;

	rieth_put(h, p + bth_len + aeth_len);
	memcpy(p + head, entries, len);
	ib_packet_parse(&pkt, p, head + len);
	*ret = (struct listed){.n = 0};
	ib_packet_listed(&pkt, wire_ib_test_list, ret);
}

static void indications_list_psns(void **state)
{
	static const uint8_t few[] = {0, 0xff, 0xff, 0xff, 0, 0, 0, 2, 0, 0, 9};
	static const uint8_t bits[] = {0, 0xff, 0xff, 0xff, 0xc0, 0, 0, 1};
	struct listed l;

	(void)state;
	wire_ib_test_indicate(&l, &(struct rieth){.count = 2}, few, 8);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.psn[0], 0xffffff);
	assert_int_equal(l.psn[1], 2);
	wire_ib_test_indicate(&l, &(struct rieth){.count = 1}, few, 8);
	assert_int_equal(l.n, 1);
	wire_ib_test_indicate(&l, &(struct rieth){.count = 9}, few, 11);
	assert_int_equal(l.n, 2);
	wire_ib_test_indicate(
		&l, &(struct rieth){.fmt = RIETH_BITMAP, .count = 1}, bits, 8);
	assert_int_equal(l.n, 3);
	assert_int_equal(l.psn[0], 0xffffff);
	assert_int_equal(l.psn[1], 0);
	assert_int_equal(l.psn[2], 30);
	wire_ib_test_indicate(
		&l, &(struct rieth){.fmt = RIETH_BITMAP, .count = 2}, bits, 4);
	assert_int_equal(l.n, 0);
	wire_ib_test_indicate(&l, &(struct rieth){.fmt = 2, .count = 1}, bits,
			      8);
	assert_int_equal(l.n, 0);
}

static void wire_ib_test_random_bytes(void **state)
{
	struct rng rng = {1};
	struct text t = {0};

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		uint8_t bytes[100];
		size_t len = rng_below(&rng, sizeof(bytes) + 1);
		struct packet pkt;

		for (size_t i = 0; i < len; i++)
			bytes[i] = (uint8_t)rng_below(&rng, 256);
		ib_packet_parse(&pkt, bytes, len);
		assert_true(pkt.payload <= len);
		assert_true(ib_packet_pad(&pkt) <= len - pkt.payload);
		text_clear(&t);
		packet_print(&t, &pkt, PACKET_FULL, NULL);
		if (pkt.fault == PACKET_OK && bytes[1] >> 4 % 4 == 0)
			wire_ib_test_rebuild(&pkt);
	}
	text_free(&t);
}

/* Every named opcode has a list of headers, and its word parses back to it. */
static void every_opcode_has_a_shape(void **state)
{
	(void)state;
	for (const struct value_name *v = ib_opcodes; v->name; v++) {
		const struct packet_spec spec = {.type = v->name};
		uint8_t out[128];
		int len = packet_build(out, sizeof(out), &spec, NULL);
		const struct field *f;
		struct packet pkt;

		assert_true(len >= bth_len);
		assert_int_equal(out[0], v->value);
		ib_packet_parse(&pkt, out, (size_t)len);
		assert_int_equal(pkt.fault, PACKET_OK);
		assert_int_equal(pkt.payload, len);
		assert_true(
			packet_layout_has(v->name, NULL, false, "psn", 3, &f));
		assert_int_equal(f->width, 24);
	}
}

#define ACCESSORS_TEST(h, LIST) cmocka_unit_test(h##_accessors),

/* The names of opcodes imply where messages begin and end. */
static void opcodes_begin_and_end_messages(void **state)
{
	(void)state;
	for (const struct value_name *v = ib_opcodes; v->name; v++) {
		const uint8_t op = (uint8_t)v->value;
		const bool middle = strstr(v->name, "_middle") != NULL;

		if (ib_class_of(op) == IB_CLASS_SRD || op == IB_CNP)
			continue;
		assert_int_equal(ib_begins(op),
				 !middle && !strstr(v->name, "_last"));
		assert_int_equal(ib_ends(op),
				 !middle && !strstr(v->name, "_first"));
		assert_int_equal(ib_is_read_data(op),
				 !strncmp(v->name, "rc_read_resp", 12));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_and_tables_agree),
		cmocka_unit_test(wrong_layouts_are_noticed),
		cmocka_unit_test(packets_have_their_sections),
		cmocka_unit_test(icrcs_are_those_of_others),
		cmocka_unit_test(icrc_over_ipv6),
		cmocka_unit_test(packets_are_built_again),
		cmocka_unit_test(pad_follows_the_payload),
		cmocka_unit_test(a_lie_about_pad_is_written),
		cmocka_unit_test(wire_ib_test_packets_print_as_rungs),
		cmocka_unit_test(what_is_not_known_is_shown),
		cmocka_unit_test(indications_list_psns),
		cmocka_unit_test(wire_ib_test_random_bytes),
		cmocka_unit_test(every_opcode_has_a_shape),
		cmocka_unit_test(opcodes_begin_and_end_messages),
		WIRE_IB_HEADERS(ACCESSORS_TEST)};

	return cmocka_run_group_tests_name("wire.ib", tests, wire_ib_test_load,
					   wire_ib_test_unload);
}
