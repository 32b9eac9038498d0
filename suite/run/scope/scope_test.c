/* SPDX-License-Identifier: BSD-2-Clause */
/* Figure numbers, PSN spaces and the tester's state of the PDC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "suite/run/scope/scope.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/run/scope/scope_wqe.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"

static struct decl fake_decl(void)
{
	struct decl d;

	memset(&d, 0, sizeof(d));
	d.rto = (struct decl_time){5 * VSPAN_MS, 60 * VSPAN_MS};
	d.ack_time = (struct decl_time){20 * VSPAN_MS, VSPAN_MS};
	return d;
}

static size_t scope_test_add(struct record *r, enum rec_kind kind,
			     const uint8_t *p, size_t len, vtime at)
{
	static struct dgram d;
	const struct rec rec = {.kind = kind, .at = at, .frame = 1};

	d.len = len;
	memcpy(d.data, p, len);
	return record_add(r, &rec, &d, NULL, NULL);
}

static size_t add_ack(struct record *r, uint32_t cack, int16_t offset)
{
	const struct pds_ack ack = {.type = PDS_ACK,
				    .ack_psn_offset = offset,
				    .cack_psn = cack,
				    .spdcid = 7,
				    .dpdcid = 8};
	uint8_t p[12] = {0};

	pds_ack_put(&ack, p);
	return scope_test_add(r, REC_RX, p, sizeof(p), 0);
}

static size_t add_req(struct record *r, enum rec_kind kind, uint32_t psn,
		      bool syn, vtime at)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .syn = syn,
				    .clear_psn_offset = -1,
				    .psn = psn,
				    .spdcid = 7};
	uint8_t p[12] = {0};

	pds_req_put(&req, p);
	return scope_test_add(r, kind, p, sizeof(p), at);
}

static size_t add_rudi(struct record *r, enum rec_kind kind, uint32_t pkt_id,
		       vtime at)
{
	const struct rudi_req req = {.type = PDS_RUDI_REQ, .pkt_id = pkt_id};
	uint8_t p[8] = {0};

	rudi_req_put(&req, p);
	return scope_test_add(r, kind, p, sizeof(p), at);
}

static size_t add_syn(struct record *r, uint16_t spdcid, uint32_t psn)
{
	const struct pds_req req = {
		.type = PDS_RUD_REQ, .syn = true, .psn = psn, .spdcid = spdcid};
	uint8_t p[12] = {0};

	pds_req_put(&req, p);
	return scope_test_add(r, REC_RX, p, sizeof(p), 0);
}

static void arrives(struct scope *s, size_t index)
{
	scope_turn_packet(s, index);
	scope_arrived(s, index);
}

/*
 * Each PDC that the DUT opens gets an entry, which also takes its
 * retransmissions.
 */
static void packets_find_their_pdc(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	arrives(&s, add_syn(&r, 7, 1000));
	assert_int_equal(scope_at(&s), 0);
	arrives(&s, add_syn(&r, 9, 1000));
	assert_int_equal(scope_at(&s), 1);
	assert_int_equal(s.pdc->dpdcid, 9);
	assert_int_not_equal(s.pdc->spdcid, s.pdcs[0].spdcid);
	scope_turn_packet(&s, add_syn(&r, 7, 1000));
	assert_int_equal(scope_at(&s), 0);
	assert_false(scope_is_pdc(&s, "b", 0));
	assert_true(scope_is_pdc(&s, "b", 1));
	scope_name(&s, "b", 1);
	assert_ptr_equal(scope_named(&s, "b"), &s.pdcs[1]);
	assert_false(scope_is_pdc(&s, "c", 1));
	record_free(&r);
}

/* 333 and 334 of the figure are the first packets of two PDCs. */
static void the_figures_numbers_go_on_from_pdc_to_pdc(void **state)
{
	const struct step base = {.base_fwd_set = true, .base_fwd = 333};
	const struct number n334 = {.value = 334};
	struct term about = {.name = "ack_psn", .op = TERM_EQ, .nranges = 1};
	struct range one = {.single = true, .lo = {.value = 333}};
	const struct rung ack = {.pds = &about, .npds = 1};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	size_t setup, first, second;
	uint64_t v;

	(void)state;
	about.ranges = &one;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	s.follow = true;
	setup = add_syn(&r, 7, 1000);
	r.recs[setup].setup = true;
	arrives(&s, setup);
	scope_base(&s, &base);
	first = add_syn(&r, 9, 70000);
	arrives(&s, first);
	assert_false(
		s.split); /* all packets of the case itself are on this PDC */
	second = add_syn(&r, 11, 900000);
	arrives(&s, second);
	assert_true(s.split);
	assert_true(scope_number_at(&s, scope_line_pdc(&s, second), &n334,
				    SPACE_FORWARD, &v));
	assert_int_equal(v, 900000);
	assert_int_equal(psn_to_figure(&r.base[1], SPACE_FORWARD, 70000), 333);
	/* The answer to 333 is sent on the PDC of that request. */
	scope_met(&s, second);
	scope_turn_answer(&s, &ack);
	assert_int_equal(scope_at(&s), 1);
	one.lo.value = 334;
	scope_turn_answer(&s, &ack);
	assert_int_equal(scope_at(&s), 2);
	record_free(&r);
}

/* The tester's packet 500 went to the first PDC: 501 begins the third. */
static void return_numbers_go_on_behind_those_of_every_pdc(void **state)
{
	const struct step base = {.base_fwd_set = true,
				  .base_fwd = 333,
				  .base_ret_set = true,
				  .base_ret = 500};
	const struct number n501 = {.value = 501};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	size_t third;
	uint64_t v;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	s.follow = true;
	arrives(&s, add_syn(&r, 7, 1000));
	scope_base(&s, &base);
	arrives(&s, add_syn(&r, 9, 70000));
	s.pdcs[0].tx_next++;
	third = add_syn(&r, 11, 900000);
	arrives(&s, third);
	assert_true(s.split);
	assert_true(scope_number_at(&s, scope_line_pdc(&s, third), &n501,
				    SPACE_RETURN, &v));
	assert_int_equal(v, 900000);
	record_free(&r);
}

/* With the same seed again, the PDCIDs of the first case are avoided. */
static void taken_pdcids_are_avoided(void **state)
{
	static struct scope_taken taken;
	struct decl d = fake_decl();
	struct record r = {0};
	uint16_t was[2];
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	scope_avoid(&s, &taken);
	was[0] = s.pdcs[0].spdcid;
	was[1] = scope_make(&s)->spdcid;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	assert_int_equal(s.pdc->spdcid, was[0]);
	scope_avoid(&s, &taken);
	assert_int_not_equal(s.pdc->spdcid, was[0]);
	assert_int_not_equal(s.pdc->spdcid, was[1]);
	assert_int_equal(taken.n, 3);
	assert_true(scope_is_earlier(&s, was[0]));
	assert_false(scope_is_earlier(&s, s.pdc->spdcid));
	/* If too many ids are taken, the oldest are free again. */
	for (unsigned i = 0; i < UINT16_MAX; i++) {
		scope_start(&s, &d, &r, CHAIR_TARGET, i);
		scope_avoid(&s, &taken);
		assert_in_range(taken.n, 1, UINT16_MAX / 2);
		assert_int_equal(taken.cases, i + 3);
	}
	record_free(&r);
}

static void a_syn_of_an_earlier_case_is_known(void **state)
{
	static struct scope_taken taken;
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	scope_avoid(&s, &taken);
	assert_false(scope_note_syn(&s, 7, 333, false));
	assert_false(scope_note_syn(&s, 7, 333, true));
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 2);
	scope_avoid(&s, &taken);
	assert_true(scope_note_syn(&s, 7, 333, true));
	assert_false(scope_note_syn(&s, 7, 334, true));
	assert_false(scope_note_syn(&s, 8, 333, true));
	/* the device begins again with the same numbers */
	assert_false(scope_note_syn(&s, 7, 333, false));
	assert_false(scope_note_syn(&s, 7, 333, true));
	for (uint32_t i = 0; i < SCOPE_OPENED; i++)
		assert_false(scope_note_syn(&s, 9, i, true));
	assert_false(scope_note_syn(&s, 7, 333, true)); /* it was long ago */
	record_free(&r);
}

/* The PDCID of a closed PDC may be used again, with another Start_PSN. */
static void a_pdcid_serves_again(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	arrives(&s, add_syn(&r, 7, 1000));
	arrives(&s, add_syn(&r, 7, 1000 + 65536));
	assert_int_equal(scope_at(&s), 1);
	arrives(&s, add_syn(&r, 7, 1005 + 65536)); /* a wrong psn_offset */
	assert_int_equal(scope_at(&s), 1);
	s.pdc->closed = true;
	arrives(&s, add_syn(&r, 7, 1005 + 65536));
	assert_int_equal(scope_at(&s), 2);
	record_free(&r);
}

/* The DUT opens a PDC under the PDCID that it had on one of the tester's. */
static void a_pdcid_of_a_target_serves_again(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	s.pdc->dpdcid = 7;
	s.pdc->tx_any = true;
	arrives(&s, add_syn(&r, 7, 1000));
	assert_int_equal(scope_at(&s), 0); /* that PDC is open */
	s.pdc->rx_syn = false;
	s.pdc->closed = true;
	arrives(&s, add_syn(&r, 7, 1000));
	assert_int_equal(scope_at(&s), 1);
	record_free(&r);
}

/* A line stays with the PDC of the line before, unless it names another. */
static void lines_turn_to_their_pdc(void **state)
{
	static const char *const names[] = {"c", "d", "e", "f", "g", "h"};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	assert_int_equal(scope_turn(&s, NULL), 0);
	assert_int_equal(scope_at(&s), 0);
	assert_int_equal(scope_turn(&s, "b"), 0);
	assert_int_equal(scope_at(&s), 1);
	assert_int_equal(s.pdc->tx_acked, s.pdc->tx_start - 1);
	assert_int_equal(scope_turn(&s, NULL), 0);
	assert_int_equal(scope_at(&s), 1);
	scope_met(&s, add_ack(&r, 5, 0));
	assert_int_equal(scope_turn(&s, NULL), 0);
	assert_int_equal(scope_at(&s), 0);
	assert_int_equal(scope_turn(&s, "b"), 0);
	assert_int_equal(scope_at(&s), 1);
	for (size_t i = 0; i < SCOPE_PDCS - 2; i++)
		assert_int_equal(scope_turn(&s, names[i]), 0);
	assert_int_equal(scope_turn(&s, "other"), ERR_SPACE);
	record_free(&r);
}

/* Acknowledged one by one, out of order, and across the wrap. */
static void acks_are_counted_without_gaps(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	s.pdc->tx_start = 0xfffffffe;
	s.pdc->tx_next = 3;
	s.pdc->tx_acked = 0xfffffffd;
	scope_taken(&s, add_ack(&r, 0xfffffffd, 2)); /* 0xffffffff */
	assert_int_equal(s.pdc->tx_acked, 0xfffffffd);
	scope_taken(&s, add_ack(&r, 0xfffffffd, 3)); /* 0 */
	assert_int_equal(s.pdc->tx_acked, 0xfffffffd);
	scope_taken(&s, add_ack(&r, 0xfffffffd, 1)); /* 0xfffffffe: fills */
	assert_int_equal(s.pdc->tx_acked, 0);
	scope_taken(&s, add_ack(&r, 2, 0));
	assert_int_equal(s.pdc->tx_acked, 2);
	scope_taken(&s, add_ack(&r, 1, 0)); /* an old ACK */
	assert_int_equal(s.pdc->tx_acked, 2);
	scope_taken(&s,
		    add_ack(&r, 90,
			    0)); /* a false ACK does not count beyond tx_next */
	assert_int_equal(s.pdc->tx_acked, 2);
	record_free(&r);
}

static size_t add_rod(struct record *r, uint32_t psn)
{
	const struct pds_req req = {
		.type = PDS_ROD_REQ, .psn = psn, .spdcid = 7, .dpdcid = 8};
	uint8_t p[12] = {0};

	pds_req_put(&req, p);
	return scope_test_add(r, REC_RX, p, sizeof(p), 0);
}

static size_t add_ooo(struct record *r, uint32_t psn, uint32_t payload)
{
	const struct pds_nack nack = {.type = PDS_NACK,
				      .nack_code = NACK_ROD_OOO,
				      .nack_psn = psn,
				      .payload = payload};
	uint8_t p[16] = {0};

	pds_nack_put(&nack, p);
	return scope_test_add(r, REC_TX, p, sizeof(p), 0);
}

static void scope_test_takes(struct scope *s, size_t index)
{
	scope_arrived(s, index);
	scope_taken(s, index);
}

/* $memory_key and $memory_offset+2mtu have the declared values. */
static void declared_numbers_are_symbols(void **state)
{
	const struct number key = {.symbol = "memory_key"};
	const struct number at = {
		.symbol = "memory_offset", .mtus = 2, .value = 8};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	uint64_t v;

	(void)state;
	d.memory_key = 0xfeedfacecafebeef;
	d.memory_offset = 0x100000000;
	d.mtu = 512;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	assert_true(scope_number(&s, &key, SPACE_NONE, &v));
	assert_true(v == 0xfeedfacecafebeef);
	assert_true(scope_number(&s, &at, SPACE_NONE, &v));
	assert_true(v == 0x100000000 + 1024 + 8);
	record_free(&r);
}

/* A ROD destination has dropped packets that arrived out of order. */
static void rod_packets_count_in_order(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	scope_test_takes(&s, add_rod(&r, 0xffffffff));
	assert_true(s.pdc->rod);
	scope_test_takes(&s, add_rod(&r, 1));
	assert_int_equal(s.pdc->rx_cum, 0xffffffff);
	scope_test_takes(&s, add_rod(&r, 0));
	assert_int_equal(s.pdc->rx_cum, 0); /* PSN 1 must be retransmitted */
	scope_test_takes(&s, add_rod(&r, 1));
	assert_int_equal(s.pdc->rx_cum, 1);
	record_free(&r);
}

/* ROD_OOO requests Expected_PSN; without it, all PSNs up to the packet. */
static void rod_ooo_names_what_is_missing(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	for (uint32_t psn = 10; psn < 14; psn++)
		scope_test_takes(&s, add_rod(&r, psn));
	scope_sent(&s, add_ooo(&r, 13, 11));
	assert_true(scope_psn_find(&s, false, 11)->nacked);
	assert_false(scope_psn_find(&s, false, 10)->nacked);
	assert_false(scope_psn_find(&s, false, 12)->nacked);
	scope_sent(&s, add_ooo(&r, 12, 0));
	assert_true(scope_psn_find(&s, false, 10)->nacked);
	assert_true(scope_psn_find(&s, false, 12)->nacked);
	record_free(&r);
}

static void the_testers_space_binds_at_once(void **state)
{
	const struct step base = {.base_fwd_set = true,
				  .base_fwd = 333,
				  .base_ret_set = true,
				  .base_ret = 48};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	const struct number n333 = {.value = 333};
	const struct number n48 = {.value = 48};
	uint64_t v;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	s.pdc->tx_next = 0xffffffff;
	scope_base(&s, &base);
	assert_true(scope_number(&s, &n333, SPACE_FORWARD, &v));
	assert_int_equal(v, 0xffffffff);
	assert_int_equal(psn_to_figure(&r.base[0], SPACE_FORWARD, 0), 334);
	/*
	 * The return space belongs to the DUT: its first packet binds the base.
	 */
	assert_true(scope_number(&s, &n48, SPACE_RETURN, &v));
	assert_int_equal(v, 48);
	scope_arrived(&s, add_req(&r, REC_RX, 7000, false, 0));
	assert_true(scope_number(&s, &n48, SPACE_RETURN, &v));
	assert_int_equal(v, 7000);
	record_free(&r);
}

static void a_syn_tells_where_both_spaces_start(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	const struct pds_req_syn req = {.type = PDS_RUD_REQ,
					.syn = 1,
					.clear_psn_offset = -3,
					.psn = 1002,
					.spdcid = 9,
					.psn_offset = 2};
	uint8_t p[12] = {0};
	size_t i;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	pds_req_syn_put(&req, p);
	i = scope_test_add(&r, REC_RX, p, sizeof(p), 0);
	scope_arrived(&s, i);
	scope_taken(&s, i);
	assert_int_equal(s.pdc->dpdcid, 9);
	assert_int_equal(s.pdc->tx_next, 1000);
	assert_int_equal(s.pdc->rx_cum, 999); /* 1000 and 1001 are missing */
	assert_int_equal(s.pdc->rx_last, 1002);
	record_free(&r);
}

static void first_transmissions_are_kept(void **state)
{
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	size_t first;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	s.pdc->tx_next = 5;
	first = add_req(&r, REC_TX, 5, false, 10);
	scope_sent(&s, first);
	assert_int_equal(s.pdc->tx_next, 6);
	scope_sent(&s, add_req(&r, REC_TX, 5, false, 20));
	assert_int_equal(s.pdc->tx_next, 6);
	assert_int_equal(scope_psn_find(&s, true, 5)->first, first);
	assert_int_equal(scope_psn_find(&s, true, 5)->last, 20);
	assert_null(scope_psn_find(&s, false, 5));
	record_free(&r);
}

/* Sends a read of two and a half MTUs with PSN 10. */
static void a_read_is_sent(uint8_t opcode, enum family family)
{
	struct decl d = fake_decl();
	const struct bth bth = {.opcode = opcode, .psn = 10};
	const struct reth reth = {.dmalen = 2560};
	uint8_t p[bth_len + wqeth_len + reth_len] = {0};
	struct record r = {0};
	struct scope s;
	size_t i;

	d.mtu = 1024;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	s.pdc->tx_next = 10;
	bth_put(&bth, p);
	reth_put(&reth, p + bth_len);
	i = scope_test_add(&r, REC_TX, p, sizeof(p), 0);
	r.recs[i].family = (uint8_t)family;
	scope_wqe_sent(&s, i);
	assert_int_equal(s.pdc->tx_next, 13);
	assert_false(scope_wqe_was_sent(&s, 9));
	assert_true(scope_wqe_was_sent(&s, 10));
	assert_true(scope_wqe_was_sent(&s, 12));
	assert_false(scope_wqe_was_sent(&s, 13));
	record_free(&r);
}

static void a_read_takes_the_psns_of_its_data(void **state)
{
	(void)state;
	a_read_is_sent(IB_RC_READ_REQ, FAMILY_ROCE);
	a_read_is_sent(IB_WQE_READ_REQ, FAMILY_WQE);
}

static void texts_take_the_figures_numbers(void **state)
{
	const struct psn_base base = {
		.fwd_set = true, .fwd_live = 4000000000u, .fwd_figure = 333};
	const struct psn_base both = {.fwd_set = true,
				      .fwd_live = 4000000000u,
				      .fwd_figure = 333,
				      .ret_set = true,
				      .ret_live = 4000000000u,
				      .ret_figure = 48};
	const struct psn_base near_zero = {.fwd_set = true, .fwd_figure = 333};
	char text[80];

	(void)state;
	psn_figure_text(&base, SPACE_FORWARD,
			"cack_psn=4000000001 spdcid=4000000001", false, text,
			sizeof(text));
	assert_string_equal(text, "cack_psn=334 spdcid=4000000001");
	psn_figure_text(&base, SPACE_FORWARD,
			"PSN 3999999999 after 7 us, from 4000000000 to 12.",
			true, text, sizeof(text));
	assert_string_equal(text, "PSN 332 [3999999999] after 7 us, from 333 "
				  "[4000000000] to 12.");
	psn_figure_text(&base, SPACE_FORWARD,
			"payload=4000000002, the first that is missing is "
			"4000000003.",
			false, text, sizeof(text));
	assert_string_equal(text,
			    "payload=335, the first that is missing is 336.");
	psn_figure_text(&near_zero, SPACE_FORWARD, "payload=0x07 psn=0", false,
			text, sizeof(text));
	assert_string_equal(text, "payload=0x07 psn=333");
	psn_figure_text(&base, SPACE_RETURN, "PSN 4000000000", false, text,
			sizeof(text));
	/* Both directions have one Start_PSN. */
	assert_string_equal(text, "PSN 333");
	psn_figure_text(&both, SPACE_FORWARD,
			"ACK of PSN 4000000000, return PSN 4000000000", false,
			text, sizeof(text));
	assert_string_equal(text, "ACK of PSN 333, return PSN 48");
	psn_figure_text(&base, SPACE_FORWARD, "PSN 4000000000", false, text, 7);
	assert_string_equal(text, "PSN 33");
}

/*
 * A Clear Request refers to the other side's PSNs; a Clear Command's psn is 0.
 */
static void control_packets_speak_of_the_right_space(void **state)
{
	static const struct {
		enum pds_ctl_type ctl;
		const char *field;
		enum psn_space of_initiator;
	} rows[] = {
		{PDS_CP_CLEAR_COMMAND, "clear_psn", SPACE_FORWARD},
		{PDS_CP_CLEAR_COMMAND, "psn", SPACE_NONE},
		{PDS_CP_CLEAR_REQUEST, "clear_psn", SPACE_RETURN},
		{PDS_CP_CLOSE_COMMAND, "psn", SPACE_FORWARD},
		{PDS_CP_CLOSE_REQUEST, "psn", SPACE_FORWARD},
		{PDS_CP_PROBE, "psn", SPACE_NONE},
		{PDS_CP_PROBE, "sack_psn", SPACE_FORWARD},
		{PDS_CP_CREDIT, "psn", SPACE_NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pds_cp cp = {.type = PDS_CP,
					  .ctl_type = (uint8_t)rows[i].ctl};
		uint8_t p[16] = {0};
		struct packet pkt;

		pds_cp_put(&cp, p);
		uet_packet_parse(&pkt, p, sizeof(p));
		assert_int_equal(psn_space_of(&pkt, rows[i].field, true),
				 rows[i].of_initiator);
	}
}

static void spans_are_early_by_little_and_late_by_tolerance(void **state)
{
	const struct span rto = {.set = true, .unit = SPAN_RTO, .milli = 1500};
	const struct span ns = {.set = true, .ns = 10 * VSPAN_MS};
	const struct span sum = {.set = true,
				 .unit = SPAN_RTO,
				 .milli = 1500,
				 .plus = SPAN_CLEAR_TIME,
				 .plus_milli = 2000};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	vspan tolerance;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_TARGET, 1);
	assert_int_equal(scope_span(&s, &rto, &tolerance), 7500 * VSPAN_US);
	assert_int_equal(tolerance, 60 * VSPAN_MS);
	assert_int_equal(scope_span_early(&s, &rto), 0);
	assert_int_equal(scope_span_early(&s, &ns), 9 * VSPAN_MS);
	d.rto.tolerance = 3 * VSPAN_MS;
	assert_int_equal(scope_span_early(&s, &rto), 4500 * VSPAN_US);
	d.rto.tolerance = 60 * VSPAN_MS;
	assert_int_equal(span_sure(&d, &rto), 67500 * VSPAN_US);
	assert_int_equal(span_sure(&d, &ns), 10 * VSPAN_MS);
	d.clear_time = (struct decl_time){3 * VSPAN_MS, VSPAN_MS};
	assert_int_equal(scope_span(&s, &sum, &tolerance), 13500 * VSPAN_US);
	assert_int_equal(tolerance, 61 * VSPAN_MS);
}

/*
 * "within nack_time" with a very short timer: the limit is at least that of any
 * answer, because packets take time.
 */
static void no_limit_is_shorter_than_an_answer(void **state)
{
	const struct span nack = {
		.set = true, .unit = SPAN_NACK_TIME, .milli = 1000};
	const struct span ns = {.set = true, .ns = VSPAN_US};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	vspan tolerance;

	(void)state;
	d.ack_time = (struct decl_time){2 * VSPAN_MS, VSPAN_MS};
	d.nack_time = (struct decl_time){VSPAN_US, VSPAN_US};
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	assert_int_equal(scope_span_late(&s, &nack, &tolerance) + tolerance,
			 2 * VSPAN_MS);
	assert_int_equal(scope_span_early(&s, &nack), 0);
	d.nack_time.value = 5 * VSPAN_MS;
	assert_int_equal(scope_span_late(&s, &nack, &tolerance), 5 * VSPAN_MS);
	assert_int_equal(scope_span_early(&s, &nack), 4999 * VSPAN_US);
	assert_int_equal(scope_span_late(&s, &ns, &tolerance), VSPAN_US);
}

/* RUDI requests have pkt_ids, apart from the PSNs of any PDC. */
static void rudi_requests_have_ids(void **state)
{
	const struct pds_nack_rudi nack = {
		.type = PDS_NACK, .nt = true, .nack_pkt_id = 1000};
	struct decl d = fake_decl();
	struct record r = {0};
	struct scope s;
	uint8_t p[16] = {0};
	uint32_t id;

	(void)state;
	scope_start(&s, &d, &r, CHAIR_INITIATOR, 1);
	scope_sent(&s, add_req(&r, REC_TX, 1000, false, 0));
	id = s.tx_pkt_id;
	scope_sent(&s, add_rudi(&r, REC_TX, 1000, 5));
	assert_int_equal(s.tx_pkt_id, id); /* the line chose its own id */
	scope_sent(&s, add_rudi(&r, REC_TX, id, 6));
	assert_int_not_equal(s.tx_pkt_id, id);
	assert_int_equal(scope_pkt_find(&s, true, 1000)->first, 1);
	assert_int_equal(scope_psn_find(&s, true, 1000)->first, 0);
	assert_null(scope_pkt_find(&s, false, 1000));
	pds_nack_rudi_put(&nack, p);
	scope_taken(&s, scope_test_add(&r, REC_RX, p, sizeof(p), 7));
	assert_true(scope_pkt_find(&s, true, 1000)->nacked);
	assert_false(scope_psn_find(&s, true, 1000)->nacked);
	arrives(&s, add_rudi(&r, REC_RX, 77, 8));
	arrives(&s, add_rudi(&r, REC_RX, 77, 9));
	scope_taken(&s, 5);
	assert_int_equal(s.rx_pkt_id, 77);
	assert_int_equal(scope_pkt_find(&s, false, 77)->first, 4);
	assert_int_equal(scope_pkt_find(&s, false, 77)->newest, 5);
	record_free(&r);
}

/* "$b+1" after the last PDCID, after the last pkt_id, and in a narrow field. */
static void numbers_wrap_in_their_field(void **state)
{
	const struct field pdcid = {.name = "dpdcid", .width = 16};
	const struct field id = {.name = "pkt_id", .width = 32};
	const struct number up = {.symbol = "b", .value = 1};
	const struct number down = {.symbol = "b", .value = (uint64_t)-1};
	const struct number literal = {.value = 0x10000};

	(void)state;
	assert_int_equal(scope_wrap(&pdcid, &up, 0x10000), 1);
	assert_int_equal(scope_wrap(&pdcid, &down, 0), 0xffff);
	assert_int_equal(scope_wrap(&pdcid, &up, 7), 7);
	assert_int_equal(scope_wrap(&pdcid, &literal, 0x10000), 0x10000);
	assert_int_equal(scope_wrap(&id, &up, 0x100000000), 0);
	assert_int_equal(scope_wrap(NULL, &up, 0x100000000), 0x100000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_wrap_in_their_field),
		cmocka_unit_test(packets_find_their_pdc),
		cmocka_unit_test(the_figures_numbers_go_on_from_pdc_to_pdc),
		cmocka_unit_test(
			return_numbers_go_on_behind_those_of_every_pdc),
		cmocka_unit_test(taken_pdcids_are_avoided),
		cmocka_unit_test(a_syn_of_an_earlier_case_is_known),
		cmocka_unit_test(a_pdcid_serves_again),
		cmocka_unit_test(a_pdcid_of_a_target_serves_again),
		cmocka_unit_test(lines_turn_to_their_pdc),
		cmocka_unit_test(acks_are_counted_without_gaps),
		cmocka_unit_test(declared_numbers_are_symbols),
		cmocka_unit_test(rod_packets_count_in_order),
		cmocka_unit_test(rod_ooo_names_what_is_missing),
		cmocka_unit_test(the_testers_space_binds_at_once),
		cmocka_unit_test(a_syn_tells_where_both_spaces_start),
		cmocka_unit_test(first_transmissions_are_kept),
		cmocka_unit_test(rudi_requests_have_ids),
		cmocka_unit_test(texts_take_the_figures_numbers),
		cmocka_unit_test(control_packets_speak_of_the_right_space),
		cmocka_unit_test(
			spans_are_early_by_little_and_late_by_tolerance),
		cmocka_unit_test(a_read_takes_the_psns_of_its_data),
		cmocka_unit_test(no_limit_is_shorter_than_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
