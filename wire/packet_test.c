/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_test.c -- tests the sections of packets, and round trips.
 *
 * Two round trips must close, for named packets and for random ones: bytes to
 * sections to values to bytes, and bytes to text to values to bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "wire/packet.h"
#include "wire/packet_lab_test.h"
#include "wire/registry.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

/* ---- Every header, and a packet that ends with it ---- */

struct reach {
	const struct header *h;
	const char *type, *ses;
	struct field_value set[4];
};

/* clang-format off */
static const struct reach reaches[] = {
	{&tss_header, "tss", NULL, {{0}}},
	{&tss_ssi_header, "tss", NULL, {PDS("sp", 1)}},
	{&pds_req_header, "rud_req", NULL, {{0}}},
	{&pds_req_header, "rod_req", NULL, {{0}}},
	{&pds_req_syn_header, "rud_req", NULL, {PDS("syn", 1)}},
	{&pds_req_syn_header, "rod_req", NULL, {PDS("syn", 1)}},
	{&pds_req_cc_header, "rud_cc_req", NULL, {{0}}},
	{&pds_req_cc_header, "rod_cc_req", NULL, {PDS("syn", 1)}},
	{&pds_ack_header, "ack", NULL, {{0}}},
	{&pds_ack_probe_header, "ack", NULL, {PDS("p", 1)}},
	{&pds_nscc_header, "ack_cc", NULL, {{0}}},
	{&pds_credit_header, "ack_cc", NULL, {PDS("cc_type", 1)}},
	{&pds_cc_state_header, "ack_cc", NULL, {PDS("cc_type", 2)}},
	{&pds_cc_state_header, "ack_cc", NULL,
		{PDS("cc_type", 15), PDS("p", 1)}},
	{&pds_ack_ccx_header, "ack_ccx", NULL, {PDS("ccx_type", 15)}},
	{&pds_nack_header, "nack", NULL, {{0}}},
	{&pds_nack_rudi_header, "nack", NULL, {PDS("nt", 1)}},
	{&pds_nack_ccx_header, "nack_ccx", NULL, {PDS("nt", 1)}},
	{&cp_payload_header, "cp", NULL, {{0}}},
	{&cp_payload_header, "cp", NULL, {PDS("ctl_type", 4)}},
	{&cp_payload_header, "cp", NULL, {PDS("ctl_type", 5)}},
	{&cp_payload_header, "cp", NULL, {PDS("ctl_type", 9)}},
	{&cp_payload_header, "cp", NULL, {PDS("ctl_type", 15)}},
	{&cp_ack_request_header, "cp", NULL, {PDS("ctl_type", 1)}},
	{&cp_clear_header, "cp", NULL, {PDS("ctl_type", 2), PDS("syn", 1)}},
	{&cp_clear_header, "cp", NULL, {PDS("ctl_type", 3)}},
	{&cp_probe_header, "cp", NULL, {PDS("ctl_type", 6)}},
	{&cp_credit_header, "cp", NULL, {PDS("ctl_type", 7)}},
	{&cp_credit_request_header, "cp", NULL, {PDS("ctl_type", 8)}},
	{&cp_negotiation_header, "cp", NULL,
		{PDS("ctl_type", 9), PDS("neg_length", 2)}},
	{&rudi_req_header, "rudi_req", NULL, {{0}}},
	{&rudi_resp_header, "rudi_resp", NULL, {{0}}},
	{&uud_req_header, "uud_req", NULL, {{0}}},
	{&ses_std_header, "rud_req", "std", {{0}}},
	{&ses_std_header, "rud_req", "std", {SES("opcode", 8)}},
	{&ses_std_header, "rud_req", "std", {SES("opcode", 12)}},
	{&ses_std_header, "rud_req", "std", {SES("opcode", 6)}},
	{&ses_std_som_header, "rod_req", "std",
		{SES("som", 1), SES("opcode", 9)}},
	{&ses_std_deferrable_header, "rud_cc_req", "std",
		{SES("som", 1), SES("opcode", 8)}},
	{&ses_std_deferrable_header, "rudi_req", "std",
		{SES("som", 1), SES("opcode", 11)}},
	{&ses_std_rtr_header, "uud_req", "std",
		{SES("som", 1), SES("opcode", 12)}},
	{&ses_small_header, "rudi_req", "small", {SES("hd", 1)}},
	{&ses_medium_header, "uud_req", "medium", {SES("som", 1)}},
	{&ses_medium_hd_header, "uud_req", "medium", {SES("hd", 1)}},
	{&ses_rendezvous_header, "rud_req", "std",
		{SES("som", 1), SES("opcode", 6)}},
	{&ses_rendezvous_header, "rud_req", "medium",
		{SES("som", 1), SES("opcode", 10)}},
	{&ses_atomic_header, "rud_req", "std", {SES("opcode", 3)}},
	{&ses_atomic_header, "rud_req", "small", {SES("opcode", 4)}},
	{&ses_atomic_header, "rud_req", "medium", {SES("opcode", 13)}},
	{&ses_atomic_header, "rod_cc_req", "std",
		{SES("opcode", 14), SES("som", 1), SES("amo_opcode", 0x0c)}},
	{&ses_atomic_header, "rud_req", "small",
		{SES("opcode", 4), SES("amo_opcode", 0x13)}},
	{&ses_cswap_header, "rud_req", "std",
		{SES("opcode", 3), SES("amo_opcode", 0x0d)}},
	{&ses_cswap_header, "rod_cc_req", "medium",
		{SES("opcode", 14), SES("amo_opcode", 0x12), PDS("syn", 1)}},
	{&ses_response_header, "ack", "response", {{0}}},
	{&ses_response_header, "ack_cc", "response", {SES("opcode", 3)}},
	{&ses_response_header, "rudi_resp", "response", {SES("opcode", 6)}},
	{&ses_response_data_header, "ack_ccx", "response_data", {{0}}},
	{&ses_response_data_header, "rud_req", "response_data",
		{SES("opcode", 4)}},
	{&ses_response_data_small_header, "rudi_resp", "response_data_small",
		{{0}}},
	{&ses_response_data_small_header, "rod_req", "response_data_small",
		{{0}}},
};
/* clang-format on */

static size_t reach_build(const struct reach *r, uint8_t *p, size_t payload)
{
	struct packet_spec spec = {
		.type = r->type,
		.ses = r->ses,
		.set = r->set,
		.payload_len = payload,
	};
	int n;

	while (spec.nset < ROWS(r->set) && r->set[spec.nset].name)
		spec.nset++;
	n = packet_build(p, SIZE, &spec, NULL);
	assert_true(n > 0);
	return (size_t)n;
}

static bool is_tss(const struct reach *r)
{
	return !strcmp(r->type, "tss");
}

static void every_header_is_reached(void **state)
{
	uint8_t bytes[SIZE];
	struct packet pkt;

	(void)state;
	for (size_t i = 0; i < ROWS(reaches); i++) {
		const struct reach *r = &reaches[i];
		size_t n = reach_build(r, bytes, 0);

		uet_packet_parse(&pkt, bytes, n);
		assert_int_equal(pkt.fault,
				 is_tss(r) ? PACKET_ENCRYPTED : PACKET_OK);
		assert_string_equal(packet_word(&pkt), r->type);
		assert_ptr_equal(pkt.sec[pkt.nsec - 1].h, r->h);
		assert_int_equal(pkt.payload, n);
		assert_int_equal(pkt.nses < pkt.nsec, r->ses != NULL);
		uet_packet_parse(&pkt, bytes, reach_build(r, bytes, 3));
		assert_ptr_equal(pkt.sec[pkt.nsec - 1].h, r->h);
		assert_int_equal(pkt.payload, n);
		assert_int_equal(pkt.len, n + 3);
	}
}

static bool is_reached(const struct header *h)
{
	uint8_t bytes[SIZE];
	struct packet pkt;

	for (size_t i = 0; i < ROWS(reaches); i++) {
		uet_packet_parse(&pkt, bytes,
				 reach_build(&reaches[i], bytes, 0));
		for (unsigned k = 0; k < pkt.nsec; k++)
			if (pkt.sec[k].h == h)
				return true;
	}
	return false;
}

static void no_header_is_forgotten(void **state)
{
	(void)state;
	for (size_t i = 0; i < wire_nheaders; i++) {
		const struct header *h = wire_headers[i];

		if (h != &entropy_header && h != &pds_prologue_header &&
		    !strstr(h->spec, "RFC") && !strstr(h->spec, "IEEE"))
			assert_true(is_reached(h));
	}
}

/*
 * Truncates at |n|: the complete headers stay, the next one is a PACKET_SHORT
 * fault.
 */
static void check_cut(const struct packet *whole, const uint8_t *bytes,
		      size_t n)
{
	uint8_t *exact =
		/* exact size, so that ASan sees an overrun */
		malloc(n ? n : 1);
	struct packet pkt;

	memcpy(exact, bytes, n);
	uet_packet_parse(&pkt, exact, n);
	assert_int_equal(pkt.fault, PACKET_SHORT);
	assert_non_null(pkt.fault_header);
	for (unsigned i = 0; i < pkt.nsec; i++) {
		assert_ptr_equal(pkt.sec[i].h, whole->sec[i].h);
		assert_int_equal(pkt.sec[i].at, whole->sec[i].at);
	}
	assert_true(pkt.nsec < whole->nsec);
	assert_int_equal(pkt.payload, whole->sec[pkt.nsec].at);
	assert_true(n - pkt.payload < whole->sec[pkt.nsec].h->len);
	if (n >= pds_prologue_len && whole->sec[0].h != &tss_ssi_header)
		assert_int_equal(pkt.fault_header->len,
				 whole->sec[pkt.nsec].h->len);
	assert_true(pkt.nses <= pkt.nsec);
	free(exact);
}

static void every_truncation_is_short(void **state)
{
	uint8_t bytes[SIZE];
	struct packet whole;

	(void)state;
	for (size_t i = 0; i < ROWS(reaches); i++) {
		size_t n = reach_build(&reaches[i], bytes, 0);

		uet_packet_parse(&whole, bytes, n);
		if (reaches[i].h == &cp_negotiation_header)
			/* with fewer than 20 bytes it is an older CP */
			continue;
		while (n-- > 0)
			check_cut(&whole, bytes, n);
	}
	uet_packet_parse(&whole, NULL, 0);
	assert_int_equal(whole.fault, PACKET_SHORT);
	assert_ptr_equal(whole.fault_header, &pds_prologue_header);
	assert_string_equal(packet_word(&whole), "unknown");
}

/* ---- Allowed next_hdr values by type ---- */

/* clang-format off */
static const struct {
	const char *type;
	const char *suits; /* by next_hdr: '.' none, 'h' header, '!' fault */
} suits[] = {
	/*             0123456789abcdef */
	{"rud_req",    ".hhh!hh!!!!!!!!!"},
	{"rod_req",    ".hhh!hh!!!!!!!!!"},
	{"rud_cc_req", ".hhh!hh!!!!!!!!!"},
	{"rod_cc_req", ".hhh!hh!!!!!!!!!"},
	{"rudi_req",   ".hhh!!!!!!!!!!!!"},
	{"uud_req",    ".hhh!!!!!!!!!!!!"},
	{"rudi_resp",  ".!!!hhh!!!!!!!!!"},
	{"ack",        ".!!!hhh!!.!!!!!!"},
	{"ack_cc",     ".!!!hhh!!.!!!!!!"},
	{"ack_ccx",    ".!!!hhh!!.!!!!!!"},
	{"nack",       ".!!!!!!!!!!!!!!!"},
	{"nack_ccx",   ".!!!!!!!!!!!!!!!"},
};
/* clang-format on */

static void next_hdr_suits_or_not(void **state)
{
	uint8_t bytes[SIZE];
	struct packet pkt;

	(void)state;
	for (size_t i = 0; i < ROWS(suits); i++)
		for (unsigned next = 0; next < 16; next++) {
			struct field_value set = PDS("next_hdr", next);
			struct packet_spec spec = {.type = suits[i].type,
						   .set = &set,
						   .nset = 1,
						   .payload_len = 100};
			int n = packet_build(bytes, SIZE, &spec, NULL);
			char c = suits[i].suits[next];

			assert_true(n > 0);
			uet_packet_parse(&pkt, bytes, (size_t)n);
			assert_int_equal(pkt.fault, c == '!' ? PACKET_NEXT_HDR
							     : PACKET_OK);
			assert_int_equal(pkt.nses < pkt.nsec, c == 'h');
			assert_true(pkt.nses > 0);
		}
}

static void types_without_a_name_are_faults(void **state)
{
	uint8_t bytes[64] = {0};
	unsigned known = 0;
	struct packet pkt;

	(void)state;
	for (unsigned type = 0; type < 32; type++) {
		bytes[0] = (uint8_t)(type << 3);
		uet_packet_parse(&pkt, bytes, sizeof(bytes));
		assert_int_equal(pkt.fault == PACKET_TYPE, pkt.nsec == 0);
		assert_int_equal(pkt.fault == PACKET_TYPE,
				 !strcmp(packet_word(&pkt), "unknown"));
		known += pkt.fault != PACKET_TYPE;
	}
	assert_int_equal(known, 14);
}

static void faults_have_names(void **state)
{
	(void)state;
	assert_string_equal(packet_fault_name(PACKET_OK), "ok");
	assert_string_equal(packet_fault_name(PACKET_SHORT), "short");
	assert_string_equal(packet_fault_name(PACKET_TYPE), "type");
	assert_string_equal(packet_fault_name(PACKET_NEXT_HDR), "next_hdr");
	assert_string_equal(packet_fault_name(PACKET_ENCRYPTED), "encrypted");
}

/* ---- A packet as input of packet_build ---- */

struct order {
	struct packet_spec spec;
	struct field_value set[96];
	char words[96][32];
};

static void packet_test_order_set(struct order *o, const char *name, size_t len,
				  uint64_t value, bool ses)
{
	char *word = o->words[o->spec.nset];

	assert_true(o->spec.nset < ROWS(o->set) && len < sizeof(o->words[0]));
	memcpy(word, name, len);
	word[len] = 0;
	o->set[o->spec.nset++] = (struct field_value){word, value, ses};
}

static void order_build_back(struct order *o, const struct packet *pkt)
{
	uint8_t bytes[SIZE];
	int n;

	o->spec.set = o->set;
	o->spec.payload = pkt->p + pkt->payload;
	o->spec.payload_len = pkt->len - pkt->payload;
	n = packet_build(bytes, sizeof(bytes), &o->spec, NULL);
	assert_int_equal(n, (int)pkt->len);
	assert_memory_equal(bytes, pkt->p, pkt->len);
}

static void order_of_sections(struct order *o, const struct packet *pkt)
{
	for (unsigned i = 0; i < pkt->nsec; i++) {
		const struct section *s = &pkt->sec[i];

		for (size_t k = 0; k < s->h->nfields; k++) {
			const struct field *f = &s->h->fields[k];
			uint64_t v = field_get(f, pkt->p + s->at);

			if (v && strcmp(f->name, "type"))
				packet_test_order_set(o, f->name,
						      strlen(f->name), v,
						      i >= pkt->nses);
		}
	}
	o->spec.type = packet_word(pkt);
	if (pkt->nses < pkt->nsec)
		o->spec.ses = pkt->sec[pkt->nses].h->name;
}

/* ---- Printed text as input of packet_build, as a case parser does ---- */

static uint64_t packet_test_word_value(const struct field *f, const char *s)
{
	uint64_t v;

	if (f && f->names && !value_parse(f->names, s, strlen(s), &v))
		return v;
	if (s[0] == '-')
		return (uint64_t)strtoll(s, NULL, 10);
	return strtoull(s, NULL, 0);
}

static void order_pair(struct order *o, char *word, bool ses)
{
	char *value = strchr(word, '=');
	const struct field *f = NULL;
	size_t len = value ? (size_t)(value - word) : strlen(word);

	assert_true(packet_layout_has(o->spec.type, o->spec.ses, ses, word, len,
				      &f));
	if (value)
		packet_test_order_set(o, word, len,
				      packet_test_word_value(f, value + 1),
				      ses);
	else {
		assert_int_equal(f->kind, FIELD_FLAG);
		packet_test_order_set(o, word, len, 1, ses);
	}
}

/* Sets the value of a bare word after the header's word. */
static bool order_bare(struct order *o, const char *word, bool ses)
{
	static const char *const names[] = {"ctl_type", "nack_code", "opcode"};

	for (size_t i = 0; i < ROWS(names); i++) {
		const struct field *f;
		uint64_t v;

		if (!packet_layout_has(o->spec.type, o->spec.ses, ses, names[i],
				       strlen(names[i]), &f) ||
		    value_parse(f->names, word, strlen(word), &v))
			continue;
		packet_test_order_set(o, names[i], strlen(names[i]), v, ses);
		return true;
	}
	return false;
}

static void packet_test_order_part(struct order *o, char *part, bool ses)
{
	char *word = strtok(part, " ");

	if (ses)
		o->spec.ses = word;
	else
		o->spec.type = word;
	word = strtok(NULL, " ");
	if (word && !strchr(word, '=') && order_bare(o, word, ses))
		word = strtok(NULL, " ");
	for (; word; word = strtok(NULL, " "))
		order_pair(o, word, ses);
}

static void order_of_text(struct order *o, char *text)
{
	char *fault = strstr(text, " ! "), *data, *ses;

	if (fault)
		*fault = 0;
	data = strstr(text, " | data ");
	if (data)
		*data = 0;
	ses = strstr(text, " | ");
	if (ses)
		*ses = 0;
	packet_test_order_part(o, text, false);
	if (ses)
		packet_test_order_part(o, ses + 3, true);
}

/* ---- Round trips ---- */

/*
 * Returns true if the words alone restore the packet: it ends after a complete
 * part.
 */
static bool packet_test_is_restorable(const struct packet *pkt)
{
	const struct header *h = pkt->fault_header;

	if (pkt->fault == PACKET_TYPE)
		return false;
	if (pkt->fault != PACKET_SHORT)
		return true;
	return pkt->nsec && pkt->nsec == pkt->nses &&
	       strstr(h->spec, "3.4.2"); /* truncated in its SES header */
}

static void check_circles(const uint8_t *bytes, size_t len)
{
	struct order by_value = {0}, by_text = {0};
	struct text t = {0};
	struct packet pkt;

	uet_packet_parse(&pkt, bytes, len);
	if (!packet_test_is_restorable(&pkt))
		return;
	order_of_sections(&by_value, &pkt);
	order_build_back(&by_value, &pkt);
	packet_print(&t, &pkt, PACKET_FULL, NULL);
	assert_int_equal(text_err(&t), 0);
	order_of_text(&by_text, t.s);
	order_build_back(&by_text, &pkt);
	text_free(&t);
}

/* Sets random values in every field that does not select a header. */
static void scramble(struct rng *r, const struct packet *pkt, uint8_t *bytes)
{
	static const char *const keep =
		" type next_hdr sp syn p nt cc_type ctl_type neg_type "
		"neg_length payload opcode som hd amo_opcode ";

	for (unsigned i = 0; i < pkt->nsec; i++)
		for (size_t k = 0; k < pkt->sec[i].h->nfields; k++) {
			const struct field *f = &pkt->sec[i].h->fields[k];
			char word[40] = " ";

			strcat(strcat(word, f->name), " ");
			if (!strstr(keep, word))
				field_set(f, bytes + pkt->sec[i].at,
					  rng_next(r));
		}
}

static void named_packets_come_back(void **state)
{
	struct rng r = {2};
	uint8_t bytes[SIZE];
	struct packet pkt, again;

	(void)state;
	for (size_t i = 0; i < ROWS(reaches); i++)
		for (int k = 0; k < 20; k++) {
			size_t n = reach_build(&reaches[i], bytes,
					       rng_below(&r, 9));

			uet_packet_parse(&pkt, bytes, n);
			scramble(&r, &pkt, bytes);
			uet_packet_parse(&again, bytes, n);
			assert_int_equal(pkt.nsec, again.nsec);
			assert_ptr_equal(again.sec[again.nsec - 1].h,
					 reaches[i].h);
			check_circles(bytes, n);
		}
}

static void random_packets_come_back(void **state)
{
	struct rng r = {3};
	uint8_t bytes[160];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t n = rng_below(&r, sizeof(bytes) + 1);

		for (size_t k = 0; k < n; k++)
			bytes[k] = (uint8_t)rng_next(&r);
		if (n)
			bytes[0] = (uint8_t)((rng_below(&r, 14) + 1) << 3 |
					     (bytes[0] & 7));
		check_circles(bytes, n);
	}
}

static void check_layout(const uint8_t *p, size_t len)
{
	struct packet a, b;

	uet_packet_parse(&a, p, len);
	layout_parse(&b, p, len);
	assert_int_equal(a.fault, b.fault);
	assert_ptr_equal(a.fault_header, b.fault_header);
	assert_int_equal(a.payload, b.payload);
	assert_int_equal(a.nses, b.nses);
	assert_int_equal(a.nsec, b.nsec);
	for (unsigned i = 0; i < a.nsec; i++) {
		assert_ptr_equal(a.sec[i].h, b.sec[i].h);
		assert_int_equal(a.sec[i].at, b.sec[i].at);
	}
}

/* Common packets are parsed without the tables, with the same result. */
static void common_packets_are_as_any(void **state)
{
	static const uint8_t types[] = {PDS_RUD_REQ, PDS_ROD_REQ, PDS_ACK};
	static const uint8_t next[] = {PDS_NEXT_REQUEST_STD, PDS_NEXT_RESPONSE};
	struct rng rng = {42};
	uint8_t p[96];
	uint32_t k;

	(void)state;
	for (int round = 0; round < 50000; round++) {
		for (k = 0; k < sizeof(p); k++)
			p[k] = (uint8_t)rng_below(&rng, 256);
		k = rng_below(&rng, 8);
		if (k < sizeof(types)) {
			p[0] = (uint8_t)(types[k] << 3 | (p[0] & 4) |
					 next[k / 2] >> 2);
			bits_put(p, 5, 4, next[k / 2]);
		}
		check_layout(p, rng_below(&rng, sizeof(p)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(common_packets_are_as_any),
		cmocka_unit_test(every_header_is_reached),
		cmocka_unit_test(no_header_is_forgotten),
		cmocka_unit_test(every_truncation_is_short),
		cmocka_unit_test(next_hdr_suits_or_not),
		cmocka_unit_test(types_without_a_name_are_faults),
		cmocka_unit_test(faults_have_names),
		cmocka_unit_test(named_packets_come_back),
		cmocka_unit_test(random_packets_come_back),
	};

	return cmocka_run_group_tests_name("wire.packet", tests, NULL, NULL);
}
