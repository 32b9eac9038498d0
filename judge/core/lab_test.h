/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/lab_test.h -- hand-made packets for the tests of the judge.
 *
 * A lab is a judge and two FEPs, A the initiator and B the target.  A test
 * names the fields that matter and sends the packet:
 *
 *    request(lab, A, .psn = 333, .clear = 332, .syn = 1);
 *    answer(lab, B, .psn = 333, .cack = 333);
 *    none(lab);
 *
 * breaks() expects exactly one finding since the last check, and names it.
 */
#ifndef JUDGE_CORE_LAB_TEST_H
#define JUDGE_CORE_LAB_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "judge/core/told_test.h"
#include "judge/judge.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

enum { A, B };

#define START 333u
#define US    VSPAN_US
#define MS    VSPAN_MS
#define RTO   (10 * MS)

#define ID_A 0x0a0a
#define ID_B 0x0b0b

struct lab {
	struct judge *j;
	struct judge_conf conf;
	struct finding found[64];
	size_t n;
	vtime now;
	uint32_t frame;
	uint32_t start; /* added to every PSN, for tests of the wrap */
	uint16_t ids[2];
	struct ip_addr addr[2];
	struct dgram d;
	bool muted;       /* packets are lost before the judge sees them */
	bool copy;        /* packets may reach the judge changed */
	uint16_t defined; /* bytes of a request; 0: all */
	void (*tap)(void *arg, const struct lab *lab);
	void *tap_arg;
};

/* A packet to be sent; 0 is the default of every member. */
struct sent {
	/* PSN and CLEAR_PSN of a request or CP; psn: ACK_PSN, nack_psn */
	uint32_t psn, clear;
	uint32_t cack;
	uint8_t syn, retx, ar, m, req, p;
	uint8_t type, next; /* 0: RUD_REQ, ACK; the default next_hdr */
	uint8_t bare;       /* no SES header */
	uint8_t opcode, rc, list;
	uint8_t more; /* som without eom; |rest|: neither som nor eom */
	uint8_t rest, last;
	uint8_t ce;
	uint8_t dscp;
	uint8_t crc;    /* enum dgram_crc */
	uint8_t native; /* over IP */
	/* UDP checksum and destination port; 0: the right ones */
	uint16_t checksum, dport;
	uint8_t proto; /* IP protocol; 0: the right one */
	uint8_t no_df;
	uint8_t no_ect;
	uint16_t cut; /* bytes after trimming; 0: not trimmed */
	uint8_t code, ctl, isrod;
	uint16_t mid;            /* message id; 0: 1 + psn */
	uint16_t spdcid, dpdcid; /* 0: those of the PDC */
	uint8_t no_spdcid, no_dpdcid;
	uint16_t entropy; /* 0: 0x1234 */
	uint16_t offset;  /* added to psn_offset */
	uint16_t opaque;
	uint16_t read_mid;
	uint32_t payload;
	uint32_t length; /* request_length, payload bytes if 0 */
	uint16_t extra;  /* bytes of payload beyond 8 */
	uint64_t header_data;
	uint8_t data; /* payload byte */
	uint8_t mpr;
	uint64_t sack;
	uint32_t sack_psn;
	uint16_t service;
	uint32_t bytes;
	uint16_t ooo;    /* ooo_count + 1; 0: not provided */
	uint8_t granted; /* cc_type CREDIT, with |credit| */
	uint32_t credit;
};

static inline void lab_test_lab_open(struct lab *lab,
				     const struct judge_conf *conf)
{
	memset(lab, 0, sizeof(*lab));
	lab->conf = *conf;
	lab->ids[A] = ID_A;
	lab->ids[B] = ID_B;
	lab->addr[A] = ip_addr_v4(0x0a000001);
	lab->addr[B] = ip_addr_v4(0x0a000002);
	lab->now = VSPAN_S;
	assert_int_equal(judge_new(&lab->j, conf, 8), 0);
}

/* A complete capture with declared times. */
static inline struct judge_conf lab_test_lab_conf(void)
{
	struct judge_conf conf;

	judge_conf_default(&conf);
	conf.max_ack_data = 16;
	conf.complete = true;
	conf.rto_init = RTO;
	conf.rto_tolerance = RTO / 10;
	conf.nack_retx_time = 2 * MS;
	return conf;
}

/* From here on the judge knows the codepoint of trimmed packets. */
static inline void lab_trims(struct lab *lab)
{
	lab->conf.dscp_trimmed = 26;
	judge_declare(lab->j, &lab->conf);
}

static inline void lab_version(struct lab *lab, enum uet_version version)
{
	lab->conf.version = version;
	judge_declare(lab->j, &lab->conf);
}

static inline void lab_test_lab_close(struct lab *lab)
{
	judge_free(lab->j);
}

static inline void lab_show(const struct lab *lab)
{
	for (size_t i = 0; i < lab->n && i < 64; i++)
		print_message(
			"  frame %u %s: %s [%s | %s]\n", lab->found[i].frame,
			req_get(lab->found[i].req)->id, lab->found[i].text,
			lab->found[i].expected, lab->found[i].actual);
}

static inline void lab_push(struct lab *lab, unsigned from)
{
	struct packet pkt;
	struct judge_packet in = {.pkt = &pkt,
				  .d = &lab->d,
				  .copy = lab->copy,
				  .defined = lab->defined};
	size_t room = lab->n < 64 ? 64 - lab->n : 0;

	lab->d.src = lab->addr[from];
	lab->d.dst = lab->addr[!from];
	lab->now += US;
	if (lab->muted)
		return;
	if (lab->tap)
		lab->tap(lab->tap_arg, lab);
	in.at = lab->now;
	in.frame = ++lab->frame;
	uet_packet_parse(&pkt, lab->d.data, lab->d.len);
	lab->n += judge_push(lab->j, &in, lab->found + lab->n, room);
}

static inline void lab_ids(const struct lab *lab, unsigned from,
			   const struct sent *s, uint16_t *src, uint16_t *dst)
{
	*src = s->spdcid ? s->spdcid : lab->ids[from];
	*dst = s->dpdcid ? s->dpdcid : lab->ids[!from];
	if (s->no_spdcid)
		*src = 0;
	if (s->no_dpdcid)
		*dst = 0;
}

static inline void lab_link(struct lab *lab, const struct sent *s)
{
	lab->d.entropy = s->entropy ? s->entropy : 0x1234;
	lab->d.ecn = s->ce ? ECN_CE : ECN_ECT0;
	if (s->no_ect)
		lab->d.ecn = ECN_NOT_ECT;
	lab->d.dscp = s->dscp;
	lab->d.crc = s->crc;
	lab->d.native = s->native;
	lab->d.udp_checksum = s->checksum;
	lab->d.udp_dport = s->dport;
	lab->d.ip_proto = s->proto;
	lab->d.no_df = s->no_df;
	lab->d.headers = 1;
	if (s->cut)
		lab->d.len = s->cut;
}

static inline uint16_t lab_mid(const struct sent *s)
{
	if (s->mid)
		return s->mid;
	return (uint16_t)((s->psn - START + 1) | 0x8000);
}

static inline size_t lab_ses(struct lab *lab, const struct sent *s, uint8_t *p)
{
	const uint8_t op = s->opcode ? s->opcode : SES_SEND;
	struct ses_std_som std = {.opcode = op,
				  .message_id = lab_mid(s),
				  .som = !s->rest,
				  .eom = !s->more && (!s->rest || s->last),
				  .job_id = 7,
				  .header_data = s->header_data,
				  .request_length = s->length ? s->length
							      : 8u + s->extra};
	struct ses_std rest;
	struct ses_small small = {.opcode = op,
				  .som = 1,
				  .eom = 1,
				  .job_id = 7,
				  .request_length =
					  s->length ? (uint16_t)s->length : 8};
	struct ses_medium medium = {.opcode = op,
				    .som = 1,
				    .eom = 1,
				    .job_id = 7,
				    .request_length = 8};
	struct ses_response_data data = {.opcode = SES_RESPONSE_W_DATA,
					 .return_code = RC_OK,
					 .response_message_id = s->mid,
					 .read_request_message_id = s->read_mid,
					 .payload_length = 8};
	struct ses_response_data_small tiny = {.opcode = SES_RESPONSE_W_DATA,
					       .return_code = RC_OK,
					       .payload_length = 8,
					       .original_request_psn =
						       s->payload + lab->start};
	struct ses_response resp = {.list = s->list,
				    .opcode = s->opcode,
				    .return_code = s->rc,
				    .message_id = s->mid,
				    .job_id = 7};

	switch (s->next) {
	case PDS_NEXT_REQUEST_SMALL:
		ses_small_put(&small, p);
		return ses_small_len;
	case PDS_NEXT_REQUEST_MEDIUM:
		ses_medium_put(&medium, p);
		return ses_medium_len;
	case PDS_NEXT_REQUEST_STD:
		ses_std_som_put(&std, p);
		if (s->rest) {
			ses_std_get(&rest, p);
			rest.payload_length = (uint16_t)(8 + s->extra);
			ses_std_put(&rest, p);
		}
		return ses_std_som_len;
	case PDS_NEXT_RESPONSE:
		ses_response_put(&resp, p);
		return ses_response_len;
	case PDS_NEXT_RESPONSE_DATA:
		ses_response_data_put(&data, p);
		return ses_response_data_len;
	case PDS_NEXT_RESPONSE_DATA_SMALL:
		ses_response_data_small_put(&tiny, p);
		return ses_response_data_small_len;
	}
	return 0;
}

/* A request; without .next a standard send of 8 bytes. */
static inline void lab_request(struct lab *lab, unsigned from, struct sent s)
{
	struct pds_req h = {.type = s.type ? s.type : PDS_RUD_REQ,
			    .retx = s.retx,
			    .ar = s.ar,
			    .syn = s.syn,
			    .psn = s.psn + lab->start};
	uint8_t *p = lab->d.data;
	size_t at = pds_req_len;

	if (!s.next)
		s.next = PDS_NEXT_REQUEST_STD;
	h.next_hdr = s.next;
	h.clear_psn_offset = (int16_t)(int32_t)(s.clear - s.psn);
	lab_ids(lab, from, &s, &h.spdcid, &h.dpdcid);
	if (s.syn)
		h.dpdcid = (uint16_t)((s.psn - START + s.offset) & 0xfff);
	memset(p, 0, 128);
	pds_req_put(&h, p);
	at += lab_ses(lab, &s, p + at);
	memset(p + at, 0x55 + s.data, 8u + s.extra);
	lab->d.len = at + 8 + s.extra;
	lab_link(lab, &s);
	lab_push(lab, from);
}

static inline void lab_cc(const struct sent *s, uint8_t *p)
{
	struct pds_ack_cc cc = {.mpr = s->mpr, .sack_bitmap = s->sack};
	struct pds_nscc nscc = {.service_time = s->service,
				.rcvd_bytes = s->bytes,
				.ooo_count = (uint16_t)(s->ooo - 1)};
	struct pds_credit credit = {.credit = s->credit,
				    .ooo_count = (uint16_t)(s->ooo - 1)};

	cc.sack_psn_offset = (int16_t)(int32_t)(s->sack_psn - s->cack);
	if (!s->sack)
		cc.sack_psn_offset = 1;
	if (s->granted)
		cc.cc_type = PDS_CC_CREDIT;
	pds_ack_cc_put(&cc, p);
	if (s->granted)
		pds_credit_put(&credit, p + pds_ack_cc_len);
	else
		pds_nscc_put(&nscc, p + pds_ack_cc_len);
}

/* An ACK; without .next and .bare it carries a RESPONSE. */
static inline void lab_answer(struct lab *lab, unsigned from, struct sent s)
{
	struct pds_ack h = {.type = s.type ? s.type : PDS_ACK,
			    .m = s.m,
			    .retx = s.retx,
			    .p = s.p,
			    .req = s.req,
			    .cack_psn = s.cack + lab->start};
	uint8_t *p = lab->d.data;
	size_t at = pds_ack_len;

	if (!s.next && !s.bare)
		s.next = PDS_NEXT_RESPONSE;
	h.next_hdr = s.next;
	h.ack_psn_offset = (int16_t)(int32_t)(s.psn - s.cack);
	if (s.p)
		h.ack_psn_offset = (int16_t)s.opaque;
	lab_ids(lab, from, &s, &h.spdcid, &h.dpdcid);
	memset(p, 0, 128);
	pds_ack_put(&h, p);
	if (h.type == PDS_ACK_CC) {
		lab_cc(&s, p + at);
		at += pds_ack_cc_len + pds_nscc_len;
	}
	at += lab_ses(lab, &s, p + at);
	if (s.next == PDS_NEXT_RESPONSE_DATA ||
	    s.next == PDS_NEXT_RESPONSE_DATA_SMALL)
		at += 8;
	lab->d.len = at;
	lab_link(lab, &s);
	lab_push(lab, from);
}

static inline void lab_nack(struct lab *lab, unsigned from, struct sent s)
{
	struct pds_nack h = {.type = PDS_NACK,
			     .m = s.m,
			     .retx = s.retx,
			     .nack_code = s.code,
			     .nack_psn = s.psn + lab->start,
			     .payload = s.payload};

	if (s.code == NACK_ROD_OOO && s.payload)
		h.payload += lab->start;

	lab_ids(lab, from, &s, &h.spdcid, &h.dpdcid);
	pds_nack_put(&h, lab->d.data);
	lab->d.len = pds_nack_len;
	lab_link(lab, &s);
	lab_push(lab, from);
}

/* A control packet; the PSNs in payloads are relative as well. */
static inline void lab_control(struct lab *lab, unsigned from, struct sent s)
{
	struct pds_cp h = {.type = PDS_CP,
			   .ctl_type = s.ctl,
			   .isrod = s.isrod,
			   .retx = s.retx,
			   .ar = s.ar,
			   .syn = s.syn,
			   .probe_opaque = s.opaque};
	struct cp_clear tail = {0};

	h.psn = s.psn ? s.psn + lab->start : 0;
	tail.clear_psn = s.payload ? s.payload + lab->start : 0;
	lab_ids(lab, from, &s, &h.spdcid, &h.dpdcid);
	if (s.syn)
		h.dpdcid = (uint16_t)((s.psn - START + s.offset) & 0xfff);
	pds_cp_put(&h, lab->d.data);
	cp_clear_put(&tail, lab->d.data + pds_cp_len);
	lab->d.len = pds_cp_len + cp_clear_len;
	lab_link(lab, &s);
	lab_push(lab, from);
}

#define request(lab, from, ...) \
	lab_request(lab, from, (struct sent){__VA_ARGS__})
#define answer(lab, from, ...) lab_answer(lab, from, (struct sent){__VA_ARGS__})
#define nack(lab, from, ...)   lab_nack(lab, from, (struct sent){__VA_ARGS__})
#define control(lab, from, ...) \
	lab_control(lab, from, (struct sent){__VA_ARGS__})

/*
 * Each test runs twice, the second time across the wrap of the PSNs.  The
 * initial state is the name of the test.
 */
static inline void lab_make(void **state)
{
	const struct judge_conf conf = lab_test_lab_conf();

	*state = malloc(sizeof(struct lab));
	assert_non_null(*state);
	lab_test_lab_open(*state, &conf);
}

static inline int lab_setup(void **state)
{
	told_begin(*state);
	lab_make(state);
	return 0;
}

static inline int lab_setup_wrap(void **state)
{
	told_skip();
	lab_make(state);
	((struct lab *)*state)->start = 0u - START - 2;
	return 0;
}

static inline int lab_teardown(void **state)
{
	lab_test_lab_close(*state);
	free(*state);
	told_begin(NULL);
	return 0;
}

/* A test whose record begins with its name. */
#define TOLD(f)                                                              \
	cmocka_unit_test_prestate_setup_teardown(f, lab_setup, lab_teardown, \
						 (char[]){#f})

#define BOTH_WAYS(f)                                                         \
	TOLD(f),                                                             \
	{                                                                    \
#f " across the wrap", f, lab_setup_wrap, lab_teardown, NULL \
	}

/* Establishes the PDC with PSN 333, acknowledged. */
static inline void established(struct lab *lab)
{
	request(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
}

#define none(lab)                              \
	do {                                   \
		if ((lab)->n)                  \
			lab_show(lab);         \
		assert_int_equal((lab)->n, 0); \
	} while (0)

#define breaks(lab, name, who, by)                                      \
	do {                                                            \
		if ((lab)->n != 1 || (lab)->found[0].req != REQ_##name) \
			lab_show(lab);                                  \
		assert_int_equal((lab)->n, 1);                          \
		assert_string_equal(req_get((lab)->found[0].req)->id,   \
				    req_get(REQ_##name)->id);           \
		assert_int_equal((lab)->found[0].role, REQ_##who);      \
		assert_true(ip_addr_equal(&(lab)->found[0].side,        \
					  &(lab)->addr[by]));           \
		assert_true((lab)->found[0].text[0]);                   \
		(lab)->n = 0;                                           \
	} while (0)

/* Returns how many findings the requirement has. */
static inline unsigned lab_found(const struct lab *lab, enum req_id req)
{
	unsigned n = 0;

	for (size_t i = 0; i < lab->n && i < 64; i++)
		n += lab->found[i].req == req;
	return n;
}

/* The judge checked the requirement, and it was met. */
#define looked(lab, name, who, by)                                     \
	assert_true(judge_seen((lab)->j, &(lab)->addr[by], REQ_##name, \
			       REQ_##who) > 0)

/* ---- ROD ---- */

#define ordered(lab, from, ...) \
	request(lab, from, .type = PDS_ROD_REQ, __VA_ARGS__)

/* Establishes the ROD PDC with PSN 333, acknowledged. */
static inline void established_rod(struct lab *lab)
{
	ordered(lab, A, .psn = 333, .clear = 332, .syn = 1);
	answer(lab, B, .psn = 333, .cack = 333);
}

static inline void ordered_again(struct lab *lab, uint32_t psn)
{
	ordered(lab, A, .psn = psn, .clear = 333, .retx = 1, .ar = 1);
}

#endif
