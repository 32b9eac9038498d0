/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_test.c -- which sections a packet has, and there and back.
 *
 * Bytes to sections to values to bytes again, and bytes to text to values to
 * bytes again: both circles must close, for packets that we name and for random
 * ones.
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
#include "wire/packet_layout.h"
#include "wire/registry.h"
#include "wire/uet_pds.h"

#define ROWS(a) (sizeof(a) / sizeof((a)[0]))
#define SIZE    512

/* ---- Every header, and a packet that ends with it ---- */

struct reach {
	const struct header *h;
	const char *type, *ses;
	struct packet_set set[4];
};

#define PDS(name, value)           \
	{                          \
		name, value, false \
	}
#define SES(name, value)          \
	{                         \
		name, value, true \
	}

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

		packet_parse(&pkt, bytes, n);
		assert_int_equal(pkt.fault,
				 is_tss(r) ? PACKET_ENCRYPTED : PACKET_OK);
		assert_string_equal(packet_word(&pkt), r->type);
		assert_ptr_equal(pkt.sec[pkt.nsec - 1].h, r->h);
		assert_int_equal(pkt.payload, n);
		assert_int_equal(pkt.nses < pkt.nsec, r->ses != NULL);
		packet_parse(&pkt, bytes, reach_build(r, bytes, 3));
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
		packet_parse(&pkt, bytes, reach_build(&reaches[i], bytes, 0));
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

/* Cut at |n|: the whole headers stay, the next is said to be short. */
static void check_cut(const struct packet *whole, const uint8_t *bytes,
		      size_t n)
{
	uint8_t *exact =
		malloc(n ? n : 1); /* so that ASan sees a step too far */
	struct packet pkt;

	memcpy(exact, bytes, n);
	packet_parse(&pkt, exact, n);
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

		packet_parse(&whole, bytes, n);
		if (reaches[i].h == &cp_negotiation_header)
			continue; /* with fewer than 20 it is an older one */
		while (n-- > 0)
			check_cut(&whole, bytes, n);
	}
	packet_parse(&whole, NULL, 0);
	assert_int_equal(whole.fault, PACKET_SHORT);
	assert_ptr_equal(whole.fault_header, &pds_prologue_header);
	assert_string_equal(packet_word(&whole), "unknown");
}

/* ---- Which next_hdr suits which type ---- */

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
			struct packet_set set = PDS("next_hdr", next);
			struct packet_spec spec = {.type = suits[i].type,
						   .set = &set,
						   .nset = 1,
						   .payload_len = 100};
			int n = packet_build(bytes, SIZE, &spec, NULL);
			char c = suits[i].suits[next];

			assert_true(n > 0);
			packet_parse(&pkt, bytes, (size_t)n);
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
		packet_parse(&pkt, bytes, sizeof(bytes));
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

/* ---- A packet as an order to build it ---- */

struct order {
	struct packet_spec spec;
	struct packet_set set[96];
	char words[96][32];
};

static void order_set(struct order *o, const char *name, size_t len,
		      uint64_t value, bool ses)
{
	char *word = o->words[o->spec.nset];

	assert_true(o->spec.nset < ROWS(o->set) && len < sizeof(o->words[0]));
	memcpy(word, name, len);
	word[len] = 0;
	o->set[o->spec.nset++] = (struct packet_set){word, value, ses};
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
				order_set(o, f->name, strlen(f->name), v,
					  i >= pkt->nses);
		}
	}
	o->spec.type = packet_word(pkt);
	if (pkt->nses < pkt->nsec)
		o->spec.ses = pkt->sec[pkt->nses].h->name;
}

/* ---- Printed text as an order: what a case parser does with it ---- */

static uint64_t word_value(const struct field *f, const char *s)
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
		order_set(o, word, len, word_value(f, value + 1), ses);
	else {
		assert_int_equal(f->kind, FIELD_FLAG);
		order_set(o, word, len, 1, ses);
	}
}

/* The bare word after the header's, if it is one. */
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
		order_set(o, names[i], strlen(names[i]), v, ses);
		return true;
	}
	return false;
}

static void order_part(struct order *o, char *part, bool ses)
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
	order_part(o, text, false);
	if (ses)
		order_part(o, ses + 3, true);
}

/* ---- The circles ---- */

/* What the words alone restore: the cut lies behind whole parts. */
static bool is_restorable(const struct packet *pkt)
{
	const struct header *h = pkt->fault_header;

	if (pkt->fault == PACKET_TYPE)
		return false;
	if (pkt->fault != PACKET_SHORT)
		return true;
	return pkt->nsec && pkt->nsec == pkt->nses &&
	       strstr(h->spec, "3.4.2"); /* short in its SES header */
}

static void check_circles(const uint8_t *bytes, size_t len)
{
	struct order by_value = {0}, by_text = {0};
	struct text t = {0};
	struct packet pkt;

	packet_parse(&pkt, bytes, len);
	if (!is_restorable(&pkt))
		return;
	order_of_sections(&by_value, &pkt);
	order_build_back(&by_value, &pkt);
	packet_print(&t, &pkt, PACKET_FULL, NULL);
	assert_int_equal(text_err(&t), 0);
	order_of_text(&by_text, t.s);
	order_build_back(&by_text, &pkt);
	text_free(&t);
}

/* Random values in every field that does not choose a header. */
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

			packet_parse(&pkt, bytes, n);
			scramble(&r, &pkt, bytes);
			packet_parse(&again, bytes, n);
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

/* ---- Text ---- */

#define PSN(v) PDS("psn", v)
#define RUNG(...)                                 \
	(const struct packet_set[]){__VA_ARGS__}, \
		ROWS(((const struct packet_set[]){__VA_ARGS__}))

/* clang-format off */
static const struct {
	const char *type, *ses;
	const struct packet_set *set;
	size_t nset, payload;
	const char *full, *brief;
} texts[] = {
	{"rud_req", "std",
	 RUNG(PSN(333), PDS("clear_psn", 332), PDS("ar", 1), PDS("spdcid", 7),
	      SES("opcode", 5), SES("som", 1), SES("eom", 1),
	      SES("message_id", 1), SES("request_length", 64)), 64,
	 "rud_req psn=333 clear_psn=332 ar spdcid=0x7 | std send eom som "
	 "message_id=1 request_length=64 | data 64",
	 "rud_req psn=333 clear_psn=332 ar | std send eom som message_id=1"
	 " | data 64"},
	{"rod_req", NULL,
	 RUNG(PSN(0), PDS("syn", 1), PDS("start_psn", 0xffffffff),
	      PDS("rsvd_9", 1), PDS("pdc_info", 8)), 0,
	 "rod_req psn=0 clear_psn=0 start_psn=4294967295 rsvd_9=1 syn "
	 "pdc_info=0x8",
	 "rod_req psn=0 clear_psn=0 start_psn=4294967295 rsvd_9=1 syn"},
	{"ack_cc", "response",
	 RUNG(PDS("cack_psn", 336), PDS("ack_psn", 338), PDS("req", 1),
	      PDS("sack_psn", 337), PDS("sack_bitmap", 3), PDS("mpr", 8),
	      PDS("rcvd_bytes", 9), SES("opcode", 1), SES("return_code", 1),
	      SES("message_id", 2), SES("job_id", 3)), 0,
	 "ack_cc ack_psn=338 cack_psn=336 sack_psn=337 req=clear mpr=8 "
	 "sack_bitmap=0x3 rcvd_bytes=9 | response response return_code=ok "
	 "message_id=2 job_id=0x3",
	 "ack_cc ack_psn=338 cack_psn=336 sack_psn=337 req=clear mpr=8 "
	 "sack_bitmap=0x3 | response message_id=2"},
	{"ack", "response", RUNG(SES("return_code", 0x22), SES("list", 1)), 0,
	 "ack ack_psn=0 cack_psn=0 | response default_response list=overflow "
	 "return_code=too_long",
	 "ack ack_psn=0 cack_psn=0 | response default_response list=overflow "
	 "return_code=too_long"},
	{"ack", "response_data_small",
	 RUNG(SES("opcode", 2), SES("payload_length", 8),
	      SES("original_request_psn", 5), SES("return_code", 0x25)), 8,
	 "ack ack_psn=0 cack_psn=0 | response_data_small response_w_data "
	 "return_code=37 payload_length=8 original_request_psn=5 | data 8",
	 "ack ack_psn=0 cack_psn=0 | response_data_small return_code=37 "
	 "original_request_psn=5 | data 8"},
	{"ack", NULL, RUNG(PDS("p", 1), PDS("cack_psn", 9), PDS("m", 1),
	      PDS("next_hdr", 9), PDS("probe_opaque", 0xc0f1)), 0,
	 "ack cack_psn=9 next_hdr=cp_ack m p probe_opaque=0xc0f1",
	 "ack cack_psn=9 next_hdr=cp_ack m p probe_opaque=0xc0f1"},
	{"nack", NULL, RUNG(PDS("nack_code", 7), PDS("nack_psn", 333)), 0,
	 "nack no_pkt_buffer nack_psn=333", "nack no_pkt_buffer nack_psn=333"},
	{"nack", NULL, RUNG(PDS("nack_code", 0xc), PDS("nt", 1),
	      PDS("nack_pkt_id", 0xab), PDS("next_hdr", 4)), 0,
	 "nack nack_code=0x0c nack_pkt_id=0xab next_hdr=response nt ! next_hdr",
	 "nack nack_code=0x0c nack_pkt_id=0xab next_hdr=response nt "
	 "! next_hdr"},
	{"cp", NULL, RUNG(PDS("ctl_type", 2), PDS("clear_psn", 333)), 0,
	 "cp clear_command clear_psn=333", "cp clear_command clear_psn=333"},
	{"cp", NULL, RUNG(PDS("ctl_type", 4), PSN(340), PDS("ar", 1)), 0,
	 "cp close_command psn=340 ar", "cp close_command psn=340 ar"},
	{"cp", NULL, RUNG(PDS("ctl_type", 10), PDS("payload", 255)), 0,
	 "cp ctl_type=0x0a payload=0xff", "cp ctl_type=0x0a payload=0xff"},
	{"cp", NULL, RUNG(PDS("ctl_type", 9), PDS("feature_mask", 1),
	      PDS("neg_type", 1), PDS("neg_length", 2)), 0,
	 "cp negotiation neg_type=0x1 neg_length=2 feature_mask=0x1",
	 "cp negotiation neg_type=0x1 neg_length=2 feature_mask=0x1"},
	{"rud_req", "small", RUNG(SES("opcode", 4), SES("amo_opcode", 0xd),
	      SES("datatype", 0x20), SES("swap_value_lo", 1)), 0,
	 "rud_req psn=0 clear_psn=0 | small fetching_atomic amo_opcode=cswap "
	 "datatype=32 swap_value_lo=0x1",
	 "rud_req psn=0 clear_psn=0 | small fetching_atomic amo_opcode=cswap "
	 "datatype=32"},
	{"rud_req", "std", RUNG(SES("opcode", 0x2a), SES("rsvd_0", 3)), 0,
	 "rud_req psn=0 clear_psn=0 | std opcode=0x2a rsvd_0=3",
	 "rud_req psn=0 clear_psn=0 | std opcode=0x2a rsvd_0=3"},
	{"rudi_resp", "response", RUNG(PDS("pkt_id", 0xd4), SES("opcode", 1)),
	 0, "rudi_resp pkt_id=0xd4 | response response",
	 "rudi_resp pkt_id=0xd4 | response"},
	{"uud_req", "medium", RUNG(SES("opcode", 7), SES("hd", 1),
	      SES("header_data", 5)), 4,
	 "uud_req | medium datagram_send hd header_data=0x5 | data 4",
	 "uud_req | medium datagram_send hd | data 4"},
	{"rud_req", NULL, RUNG(PDS("next_hdr", 3)), 4,
	 "rud_req psn=0 clear_psn=0 next_hdr=request_std | data 4 ! short std",
	 "rud_req psn=0 clear_psn=0 next_hdr=request_std | data 4 "
	 "! short std"},
	{"rud_req", NULL, RUNG(PDS("next_hdr", 7)), 0,
	 "rud_req psn=0 clear_psn=0 next_hdr=7 ! next_hdr",
	 "rud_req psn=0 clear_psn=0 next_hdr=7 ! next_hdr"},
	{"tss", NULL, RUNG(PDS("sdi", 0xe5d21), PDS("counter", 9)), 20,
	 "tss sdi=0xe5d21 counter=9 | data 20 ! encrypted",
	 "tss sdi=0xe5d21 counter=9 | data 20 ! encrypted"},
};
/* clang-format on */

static void check_text(const struct packet *pkt, enum packet_style style,
		       const struct packet_psn_names *names, const char *want)
{
	struct text t = {0};

	packet_print(&t, pkt, style, names);
	assert_int_equal(text_err(&t), 0);
	assert_string_equal(text_cstr(&t), want);
	text_free(&t);
}

static void packets_print_as_rungs(void **state)
{
	uint8_t bytes[SIZE];

	(void)state;
	for (size_t i = 0; i < ROWS(texts); i++) {
		const struct packet_spec spec = {
			.type = texts[i].type,
			.ses = texts[i].ses,
			.set = texts[i].set,
			.nset = texts[i].nset,
			.payload_len = texts[i].payload,
		};
		int n = packet_build(bytes, SIZE, &spec, NULL);
		struct packet pkt;

		assert_true(n > 0);
		packet_parse(&pkt, bytes, (size_t)n);
		check_text(&pkt, PACKET_FULL, NULL, texts[i].full);
		check_text(&pkt, PACKET_BRIEF, NULL, texts[i].brief);
	}
}

static void what_is_no_packet_prints_as_bytes(void **state)
{
	static const uint8_t bytes[18] = {0xf9, 0x80, 0xff};
	static const uint8_t cut[5] = {0x11, 0x80};
	struct packet pkt;

	(void)state;
	packet_parse(&pkt, bytes, 3);
	check_text(&pkt, PACKET_FULL, NULL, "unknown | bytes f9 80 ff ! type");
	packet_parse(&pkt, bytes, sizeof(bytes));
	check_text(&pkt, PACKET_BRIEF, NULL,
		   "unknown | bytes f9 80 ff 00 00 00 00 00 00 00 00 00 00 00 "
		   "00 00 ... ! type");
	packet_parse(&pkt, bytes, 17);
	check_text(&pkt, PACKET_FULL, NULL,
		   "unknown | bytes f9 80 ff 00 00 00 00 00 00 00 00 00 00 00 "
		   "00 00 00 ! type");
	packet_parse(&pkt, cut, sizeof(cut));
	check_text(&pkt, PACKET_FULL, NULL,
		   "rud_req | bytes 11 80 00 00 00 ! short req");
	packet_parse(&pkt, cut, 1);
	check_text(&pkt, PACKET_FULL, NULL, "unknown | bytes 11 ! short pds");
	packet_parse(&pkt, NULL, 0);
	check_text(&pkt, PACKET_FULL, NULL, "unknown ! short pds");
}

/* The figure's numbers instead of the live ones. */
static uint32_t show(const void *ctx, const struct packet *pkt,
		     const char *field, uint32_t psn)
{
	assert_non_null(pkt);
	assert_non_null(strstr(field, "psn"));
	return psn - *(const uint32_t *)ctx;
}

static void psns_print_by_their_names(void **state)
{
	const uint32_t base = 1000;
	const struct packet_psn_names names = {show, &base};
	const struct packet_set set[] = {
		PDS("cack_psn", 1333), PDS("ack_psn", 1334),
		PDS("sack_psn", 1334), PDS("sack_bitmap", 1)};
	const struct packet_spec spec = {"ack_cc", .set = set, .nset = 4};
	uint8_t bytes[SIZE];
	struct packet pkt;

	(void)state;
	packet_parse(&pkt, bytes,
		     (size_t)packet_build(bytes, SIZE, &spec, NULL));
	check_text(&pkt, PACKET_FULL, &names,
		   "ack_cc ack_psn=334 cack_psn=333 sack_psn=334 "
		   "sack_bitmap=0x1");
}

/* ---- Names ---- */

static void values_are_found_in_their_part(void **state)
{
	const struct packet_set set[] = {PDS("ctl_type", 6),
					 PDS("sack_psn", 0x144)};
	const struct packet_spec spec = {"cp", .set = set, .nset = 2};
	uint8_t bytes[SIZE];
	struct packet_ref ref;
	struct packet pkt;
	uint64_t v;

	(void)state;
	packet_parse(&pkt, bytes,
		     (size_t)packet_build(bytes, SIZE, &spec, NULL));
	assert_true(packet_value(&pkt, "sack_psn", &v));
	assert_int_equal(v, 0x144);
	assert_false(packet_value(&pkt, "cack_psn", &v));
	assert_false(packet_value(&pkt, "ctl_typ", &v));
	assert_true(packet_find(&pkt, 0, 1, "ctl_type", 8, &ref));
	assert_int_equal(packet_get(&pkt, &ref), 6);
	assert_false(packet_find(&pkt, 1, pkt.nsec, "ctl_type", 8, &ref));
}

static bool has(const char *type, const char *ses, bool side, const char *name)
{
	return packet_layout_has(type, ses, side, name, strlen(name), NULL);
}

static void layouts_have_all_variants(void **state)
{
	const struct field *f = NULL;

	(void)state;
	assert_true(has("rud_req", NULL, false, "dpdcid"));
	assert_true(has("rud_req", NULL, false, "start_psn"));
	assert_true(has("rud_req", NULL, false, "clear_psn"));
	assert_false(has("rud_req", NULL, false, "ccc_id"));
	assert_true(has("rud_cc_req", NULL, false, "ccc_id"));
	assert_true(has("ack_cc", NULL, false, "sack_psn"));
	assert_true(has("ack_ccx", NULL, false, "sack_psn"));
	assert_false(has("ack", NULL, false, "sack_psn"));
	assert_true(has("ack_cc", NULL, false, "rcvd_bytes"));
	assert_true(has("ack_cc", NULL, false, "credit"));
	assert_true(has("cp", NULL, false, "feature_mask"));
	assert_false(has("cp", NULL, false, "next_hdr"));
	assert_false(has("rud_req", NULL, true, "opcode"));
	assert_true(has("rud_req", "std", true, "target_token"));
	assert_true(has("rud_req", "std", true, "amo_opcode"));
	assert_true(has("rud_req", "small", true, "read_offset"));
	assert_false(has("ack", "response", true, "amo_opcode"));
	assert_true(has("ack", "response_data", true, "message_offset"));
	assert_false(has("rud_req", "std", false, "opcode"));
	assert_false(has("rud_req", "standard", true, "opcode"));
	assert_false(has("req", NULL, false, "psn"));
	assert_false(has(NULL, NULL, false, "psn"));
	assert_true(packet_layout_has("rud_req", NULL, false, "psn", 3, &f));
	assert_int_equal(f->kind, FIELD_SEQ);
	assert_true(packet_layout_has("ack", NULL, false, "ack_psn", 7, &f));
	assert_null(f);
}

/* ---- Refusals ---- */

static void check_refused(const struct packet_spec *spec, size_t size, int err,
			  int blame)
{
	uint8_t bytes[SIZE], before[SIZE];
	int bad = 77;

	memset(bytes, 0xa5, sizeof(bytes));
	memset(before, 0xa5, sizeof(before));
	assert_int_equal(packet_build(bytes, size, spec, &bad), err);
	assert_int_equal(bad, blame);
	assert_int_equal(packet_build(bytes, size, spec, NULL), err);
	assert_memory_equal(bytes, before, sizeof(bytes));
}

static void bad_orders_are_refused(void **state)
{
	struct packet_set set[] = {PDS("ar", 1), PDS("psn", 5), SES("eom", 1)};
	struct packet_spec spec = {"rud_req", "std", .set = set, .nset = 3};

	(void)state;
	spec.type = "rud";
	check_refused(&spec, SIZE, ERR_SUPPORT, -1);
	spec.type = "rud_req";
	spec.ses = "stdd";
	check_refused(&spec, SIZE, ERR_SUPPORT, -1);
	spec.ses = "std";
	spec.ext[0] = "extra";
	check_refused(&spec, SIZE, ERR_SUPPORT, -1);
	spec.ext[0] = NULL;
	check_refused(&spec, 55, ERR_SPACE, -1);
	spec.payload_len = SIZE - 55;
	check_refused(&spec, SIZE, ERR_SPACE, -1);
	spec.payload_len = 0;
	set[0].value = 2;
	check_refused(&spec, SIZE, ERR_VALUE, 0);
	set[0].value = 1;
	set[2].ses = false;
	check_refused(&spec, SIZE, ERR_VALUE, 2);
	set[2] = (struct packet_set)PDS("clear_psn", 5 - 32769u);
	check_refused(&spec, SIZE, ERR_VALUE, 2);
	set[2] = (struct packet_set)PDS("clear_psn", (uint64_t)1 << 32);
	check_refused(&spec, SIZE, ERR_VALUE, 2);
	set[2] = (struct packet_set)PDS("start_psn", 5); /* without syn */
	check_refused(&spec, SIZE, ERR_VALUE, 2);
}

static void words_can_be_overruled(void **state)
{
	const struct packet_set set[] = {PDS("type", 31), PDS("next_hdr", 7)};
	const struct packet_spec spec = {"rud_req", "std", .set = set,
					 .nset = 2};
	uint8_t bytes[SIZE];

	(void)state;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 56);
	assert_int_equal(bytes[0], 0xfb);
	assert_int_equal(bytes[1], 0x80);
}

/* A CP has no next_hdr: an SES header behind it leaves no trace before it. */
static void anything_may_follow_anything(void **state)
{
	const struct packet_spec spec = {.type = "cp", .ses = "std"};
	uint8_t bytes[SIZE];
	struct packet pkt;

	(void)state;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 16 + 44);
	packet_parse(&pkt, bytes, 16 + 44);
	check_text(&pkt, PACKET_FULL, NULL, "cp noop | data 44");
}

static void extensions_can_be_forced(void **state)
{
	const struct packet_set set[] = {SES("opcode", SES_ATOMIC),
					 SES("swap_value_lo", 7),
					 SES("eager_length", 9)};
	struct packet_spec spec = {"rud_req",
				   "small",
				   {"cswap", "rendezvous"},
				   .set = set,
				   .nset = 3};
	uint8_t bytes[SIZE];

	(void)state;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL),
			 12 + 20 + 4 + 32 + 24);
	assert_int_equal(bytes[12 + 20 + 4 + 31], 7);
	assert_int_equal(bytes[12 + 20 + 4 + 32 + 3], 9);
	spec.ext[0] = "atomic"; /* there already */
	spec.ext[1] = NULL;
	spec.nset = 1;
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 12 + 20 + 4);
}

static void payload_is_copied_or_zero(void **state)
{
	static const uint8_t data[3] = {1, 2, 3};
	struct packet_spec spec = {"uud_req", .payload_len = 3};
	uint8_t bytes[SIZE];

	(void)state;
	memset(bytes, 0xa5, sizeof(bytes));
	assert_int_equal(packet_build(bytes, SIZE, &spec, NULL), 7);
	assert_memory_equal(bytes, "\x30\0\0\0\0\0\0\xa5", 8);
	spec.payload = data;
	assert_int_equal(packet_build(bytes, 7, &spec, NULL), 7);
	assert_memory_equal(bytes, "\x30\0\0\0\1\2\3\xa5", 8);
}

static void check_layout(const uint8_t *p, size_t len)
{
	struct packet a, b;

	packet_parse(&a, p, len);
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

/* Common packets are read without the tables, and are as these say. */
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
		cmocka_unit_test(packets_print_as_rungs),
		cmocka_unit_test(what_is_no_packet_prints_as_bytes),
		cmocka_unit_test(psns_print_by_their_names),
		cmocka_unit_test(values_are_found_in_their_part),
		cmocka_unit_test(layouts_have_all_variants),
		cmocka_unit_test(bad_orders_are_refused),
		cmocka_unit_test(words_can_be_overruled),
		cmocka_unit_test(anything_may_follow_anything),
		cmocka_unit_test(extensions_can_be_forced),
		cmocka_unit_test(payload_is_copied_or_zero),
	};

	return cmocka_run_group_tests_name("wire.packet", tests, NULL, NULL);
}
