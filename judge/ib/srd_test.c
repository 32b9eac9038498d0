/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/srd_test.c -- tests the rules about SRD contexts with traffic that
 * obeys each rule and traffic that violates it, also at the wrap of the PSNs.
 */
#include "judge/ib/ib_lab_test.h"

#define FAMILY FAMILY_SRD

#define SCID 0x5c1d
#define RCID 0x4c1d
#define QP   0x11
#define DATA 8

/* 0 stands for the usual value of each member; PSNs count from lab->start. */
struct sent {
	uint8_t opcode, syndrome;
	uint32_t psn, lup, cack;
	uint64_t sack;
	/* |known|: the request carries the responder's RCID */
	bool syn, fin, known;
	uint32_t rcid; /* of an answer; 0: RCID */
	uint8_t data;  /* value of the payload bytes */
};

static void request_as(struct lab *lab, struct sent x)
{
	uint8_t p[64] = {0};
	const struct bth bth = {.opcode =
					x.opcode ? x.opcode : IB_SRD_SEND_ONLY,
				.pkey = 0xffff,
				.dest_qp = QP,
				.psn = ib_lab_test_psn_of(lab, x.psn)};
	const struct seth seth = {.ver = 1,
				  .syn = x.syn,
				  .fin = x.fin,
				  .scid = SCID,
				  .rcid = x.known ? RCID : 0,
				  .lup = ib_lab_test_psn_of(lab, x.lup)};
	size_t len = bth_len + seth_len;

	bth_put(&bth, p);
	seth_put(&seth, p + bth_len);
	if (bth.opcode != IB_SRD_SYNC) {
		len += deth_len;
		memset(p + len, x.data, DATA);
		len += DATA;
	}
	ib_lab_test_push(lab, A, p, len);
}

static void answer_as(struct lab *lab, struct sent x)
{
	uint8_t p[64] = {0};
	const struct bth bth = {.opcode = IB_SRD_ACK,
				.pkey = 0xffff,
				.psn = ib_lab_test_psn_of(lab, x.psn)};
	const struct seth seth = {
		.ver = 1, .scid = SCID, .rcid = x.rcid ? x.rcid : RCID};
	const struct srd_aeth aeth = {.syndrome = x.syndrome ? x.syndrome
							     : IB_SYNDROME_ACK,
				      .cack = ib_lab_test_psn_of(lab, x.cack)};
	const struct srd_sack sack = {.sack_bitmap = x.sack};

	bth_put(&bth, p);
	seth_put(&seth, p + bth_len);
	srd_aeth_put(&aeth, p + bth_len + seth_len);
	srd_sack_put(&sack, p + bth_len + seth_len + srd_aeth_len);
	ib_lab_test_push(lab, B, p,
			 bth_len + seth_len + srd_aeth_len + srd_sack_len);
}

#define request(lab, ...) request_as(lab, (struct sent){__VA_ARGS__})
#define answer(lab, ...)  answer_as(lab, (struct sent){__VA_ARGS__})

/* PSNs 0 and 1 are sent, 0 is accepted. */
static void two(struct lab *lab)
{
	request(lab, .psn = 0, .lup = 0, .syn = true);
	request(lab, .psn = 1, .lup = 0, .syn = true);
	answer(lab, .psn = 0, .cack = 0);
	none(lab);
}

static void in_peace(struct lab *lab)
{
	two(lab);
	request(lab, .psn = 2, .lup = 1, .known = true);
	answer(lab, .psn = 2, .cack = 0, .sack = 1ull << 62);
	request(lab, .psn = 1, .lup = 1, .known = true);
	answer(lab, .psn = 1, .cack = 2);
	request(lab, .psn = 3, .lup = 3, .known = true);
	answer(lab, .psn = 3, .cack = 2, .syndrome = IB_SYNDROME_RNR);
	answer(lab, .psn = 3, .cack = 2, .syndrome = IB_SYNDROME_RNR);
	request(lab, .psn = 4, .lup = 4, .known = true);
	answer(lab, .psn = 4, .cack = 4);
	request(lab, .opcode = IB_SRD_SYNC, .psn = 5, .lup = 5, .fin = true,
		.known = true);
	none(lab);
}

static void other_bytes(struct lab *lab)
{
	request(lab, .psn = 0, .lup = 0, .syn = true, .data = 1);
	request(lab, .psn = 0, .lup = 0, .syn = true, .data = 1);
	none(lab);
	request(lab, .psn = 0, .lup = 0, .syn = true, .data = 2);
	breaks(lab, REQ_I6, REQ_SRC);
}

/*
 * A receiver drops a packet with a wrong ICRC, whose contents may be corrupted.
 */
static void wrong_icrc(struct lab *lab)
{
	two(lab);
	lab->mangled = true;
	request(lab, .psn = 1, .lup = 2, .known = true, .data = 9);
	assert_int_equal(judge_facts(lab->j)->frame, 2);
	answer(lab, .psn = 9, .cack = 9);
	answer(lab, .psn = 1, .syndrome = IB_SYNDROME_CTX_RESET);
	none(lab);
	lab->mangled = false;
	request(lab, .psn = 1, .lup = 1, .known = true);
	none(lab);
	request(lab, .psn = 1, .lup = 1, .known = true, .data = 9);
	breaks(lab, REQ_I6, REQ_SRC);
}

/* Waits until the requester's queues must be empty. */
static void after_grace(struct lab *lab)
{
	lab->at += 2 * VSPAN_MS;
}

static void resolved(struct lab *lab)
{
	two(lab);
	request(lab, .psn = 1, .lup = 1, .known = true);
	none(lab);
	request(lab, .psn = 0, .lup = 1, .known = true);
	lab->n = 0;       /* discards the finding that LUP is above the PSN */
	after_grace(lab); /* the grace time starts at the answer */
	answer(lab, .psn = 1, .cack = 1);
	request(lab, .psn = 1, .lup = 1, .known = true);
	none(lab); /* it may have been sent before the answer came */
	after_grace(lab);
	answer(lab, .psn = 1, .cack = 1);
	request(lab, .psn = 1, .lup = 1, .known = true);
	breaks(lab, REQ_I7, REQ_SRC);
}

static void by_sack(struct lab *lab)
{
	two(lab);
	request(lab, .psn = 2, .lup = 1, .known = true);
	request(lab, .psn = 3, .lup = 1, .known = true);
	answer(lab, .psn = 3, .cack = 0, .sack = 3ull << 61);
	after_grace(lab);
	none(lab);
	request(lab, .psn = 2, .lup = 1, .known = true);
	breaks(lab, REQ_I7, REQ_SRC);
}

static void lup_ahead(struct lab *lab)
{
	two(lab);
	request(lab, .psn = 2, .lup = 2, .known = true);
	none(lab);
	request(lab, .psn = 3, .lup = 4, .known = true);
	breaks(lab, REQ_I8, REQ_SRC);
}

static void lup_back(struct lab *lab)
{
	two(lab);
	request(lab, .psn = 2, .lup = 1, .known = true);
	none(lab);
	request(lab, .psn = 3, .lup = 0, .known = true);
	breaks(lab, REQ_DER_4, REQ_SRC);
}

static void after_fin(struct lab *lab)
{
	two(lab);
	request(lab, .opcode = IB_SRD_SYNC, .psn = 2, .lup = 2, .fin = true);
	none(lab);
	request(lab, .psn = 2, .lup = 2, .known = true);
	breaks(lab, REQ_DER_5, REQ_SRC);
}

static void after_loss(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .syndrome = IB_SYNDROME_CTX_RESET, .rcid = 9);
	request(lab, .psn = 1, .lup = 1, .known = true);
	none(lab);
	answer(lab, .psn = 1, .syndrome = IB_SYNDROME_CTX_RESET);
	request(lab, .psn = 1, .lup = 1, .known = true);
	breaks(lab, REQ_DER_6, REQ_SRC);
}

static void after_rnr(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 0, .syndrome = IB_SYNDROME_RNR | 7);
	none(lab);
	request(lab, .psn = 1, .lup = 1, .known = true);
	breaks(lab, REQ_SRD_52, REQ_SRC);
}

static void not_arrived(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 1);
	none(lab);
	answer(lab, .psn = 1, .cack = 2);
	breaks(lab, REQ_I5, REQ_DST);
}

static void answers_nothing(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 2, .cack = 0, .syndrome = IB_SYNDROME_RNR);
	breaks(lab, REQ_I5, REQ_DST);
}

static void other_outcome(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 0, .syndrome = IB_SYNDROME_RNR);
	answer(lab, .psn = 1, .cack = 0, .syndrome = IB_SYNDROME_RNR);
	none(lab);
	answer(lab, .psn = 1, .cack = 0);
	breaks(lab, REQ_DER_1, REQ_DST);
}

static void covers_drop(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 0, .syndrome = IB_SYNDROME_BAD_DEST_QP);
	request(lab, .psn = 2, .lup = 1, .known = true);
	answer(lab, .psn = 2, .cack = 0, .sack = 1ull << 62);
	none(lab);
	answer(lab, .psn = 2, .cack = 2);
	breaks(lab, REQ_DER_2, REQ_DST);
}

static void covers_what_lup_passed(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 0, .syndrome = IB_SYNDROME_BAD_DEST_QP);
	request(lab, .psn = 2, .lup = 2, .known = true);
	answer(lab, .psn = 2, .cack = 2);
	none(lab);
}

static void cack_back(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 1);
	answer(lab, .psn = 0, .cack = 1);
	none(lab);
	answer(lab, .psn = 1, .cack = 0);
	breaks(lab, REQ_DER_3, REQ_DST);
}

static void other_incarnation(struct lab *lab)
{
	two(lab);
	answer(lab, .psn = 1, .cack = 3, .rcid = 77,
	       .syndrome = IB_SYNDROME_RNR);
	none(lab);
}

/*
 * The judge learns the responder's RCID of a midstream context from the first
 * request.
 */
static void other_incarnation_of_a_middle(struct lab *lab)
{
	request(lab, .psn = 5, .lup = 5, .known = true);
	answer(lab, .psn = 5, .cack = 5, .rcid = 77);
	answer(lab, .psn = 5, .cack = 4, .rcid = 77,
	       .syndrome = IB_SYNDROME_RNR);
	none(lab);
	answer(lab, .psn = 5, .cack = 5);
	answer(lab, .psn = 5, .cack = 5, .syndrome = IB_SYNDROME_RNR);
	breaks(lab, REQ_DER_1, REQ_DST);
}

/*
 * With more contexts than room, the context that was silent longest is
 * replaced.
 */
static void judge_srd_test_room_is_bounded(struct lab *lab)
{
	for (uint32_t i = 0; i < 1000; i++) {
		lab->addr[A] = ip_addr_v4(0x0b000000u + i % 300);
		request(lab, .psn = i, .lup = i, .syn = true);
		answer(lab, .psn = i, .cack = i);
	}
	gave_way(lab, 1000, 1000 - 128);
	judge_reset(lab->j);
	judge_mark_incomplete(lab->j);
}

/*
 * The first answer covers as many PSNs as the judge remembers: the oldest of
 * them, 0, is acknowledged as well.
 */
static void first_answer_covers_the_window(struct lab *lab)
{
	for (uint32_t psn = 0; psn < 2048; psn++)
		request(lab, .psn = psn, .syn = true);
	answer(lab, .psn = 2047, .cack = 2047);
	none(lab);
	request(lab, .psn = 0, .known = true);
	assert_true(judge_facts(lab->j)->acked);
}

static void judge_srd_test_facts(struct lab *lab)
{
	const struct judge_facts *x = judge_facts(lab->j);

	request(lab, .psn = 0, .syn = true);
	request(lab, .psn = 2, .syn = true);
	assert_int_equal(x->skipped, 1);
	request(lab, .psn = 1, .syn = true); /* 3 */
	assert_true(x->late);
	request(lab, .psn = 1, .syn = true);
	assert_int_equal(x->frame, 3);
	answer(lab, .psn = 1, .cack = 2);
	assert_int_equal(x->frame, 4);
	assert_true(x->acks);
	assert_int_equal(judge_frame(lab->j, false, x->acks_to), 2);
	none(lab);
}

EACH(first_answer_covers_the_window)
EACH(in_peace)
EACH(other_bytes)
EACH(wrong_icrc)
EACH(resolved)
EACH(by_sack)
EACH(lup_ahead)
EACH(lup_back)
EACH(after_fin)
EACH(after_loss)
EACH(after_rnr)
EACH(not_arrived)
EACH(answers_nothing)
EACH(other_outcome)
EACH(covers_drop)
EACH(covers_what_lup_passed)
EACH(cack_back)
EACH(other_incarnation)
EACH(other_incarnation_of_a_middle)
EACH(judge_srd_test_room_is_bounded)
EACH(judge_srd_test_facts)

/*
 * If the capture may lack packets, a packet that was not seen may have been
 * sent.
 */
static void test_gaps(void **state)
{
	struct judge_conf conf = ib_lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.complete = false;
	ib_lab_test_lab_open(&lab, FAMILY, conf, 5);
	two(&lab);
	answer(&lab, .psn = 9, .cack = 9);
	none(&lab);
	answer(&lab, .psn = 9, .cack = 3);
	breaks(&lab, REQ_DER_3, REQ_DST);
	ib_lab_test_lab_close(&lab);
}

/*
 * At the link of the requester the judge cannot know when a packet arrived at
 * the responder.
 */
static void test_elsewhere(void **state)
{
	struct judge_conf conf = ib_lab_test_lab_conf();
	struct lab lab;

	(void)state;
	conf.here = ip_addr_v4(0x0a000002u);
	ib_lab_test_lab_open(&lab, FAMILY, conf, 5);
	two(&lab);
	answer(&lab, .psn = 1, .cack = 1);
	request(&lab, .psn = 1, .lup = 0, .known = true);
	none(&lab);
	assert_int_equal(judge_seen(lab.j, &lab.addr[A], REQ_I7, REQ_SRC), 0);
	assert_true(judge_seen(lab.j, &lab.addr[B], REQ_I5, REQ_DST) > 0);
	ib_lab_test_lab_close(&lab);
}

/* A request, mostly the next one, or an ACK of one of the last. */
static void judge_srd_test_step(struct lab *lab, struct rng *rng,
				uint32_t *next)
{
	static const uint8_t syndromes[] = {
		IB_SYNDROME_ACK,         IB_SYNDROME_ACK,
		IB_SYNDROME_ACK,         IB_SYNDROME_RNR,
		IB_SYNDROME_INVALID_REQ, IB_SYNDROME_CTX_RESET};
	const uint32_t kind = rng_below(rng, 10), back = rng_below(rng, 5);
	struct sent s = {.psn = *next, .lup = *next - back};

	s.known = *next > 3 && rng_below(rng, 30);
	s.syn = !s.known;
	s.data = rng_below(rng, 40) ? 0 : 1;
	if (kind < 5) {
		*next += 1 + (rng_below(rng, 25) ? 0 : rng_below(rng, 9));
		if (!rng_below(rng, 30)) {
			s.opcode = IB_SRD_SYNC;
			s.fin = rng_below(rng, 2);
		}
		request_as(lab, s);
		return;
	}
	s.psn -= 1 + back;
	if (kind < 7) {
		request_as(lab, s);
		return;
	}
	s.cack = s.psn - rng_below(rng, 3);
	s.sack = rng_next(rng) & rng_next(rng) & rng_next(rng);
	s.syndrome = syndromes[rng_below(rng, sizeof(syndromes))];
	if (!rng_below(rng, 30))
		s.rcid = 1 + rng_below(rng, 2);
	answer_as(lab, s);
}

static void judge_srd_test_noise(void **state)
{
	(void)state;
	ib_lab_test_noise(FAMILY, judge_srd_test_step);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_answer_covers_the_window),
		cmocka_unit_test(test_in_peace),
		cmocka_unit_test(test_other_bytes),
		cmocka_unit_test(test_wrong_icrc),
		cmocka_unit_test(test_resolved),
		cmocka_unit_test(test_by_sack),
		cmocka_unit_test(test_lup_ahead),
		cmocka_unit_test(test_lup_back),
		cmocka_unit_test(test_after_fin),
		cmocka_unit_test(test_after_loss),
		cmocka_unit_test(test_after_rnr),
		cmocka_unit_test(test_not_arrived),
		cmocka_unit_test(test_answers_nothing),
		cmocka_unit_test(test_other_outcome),
		cmocka_unit_test(test_covers_drop),
		cmocka_unit_test(test_covers_what_lup_passed),
		cmocka_unit_test(test_cack_back),
		cmocka_unit_test(test_other_incarnation),
		cmocka_unit_test(test_other_incarnation_of_a_middle),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_judge_srd_test_room_is_bounded),
		cmocka_unit_test(test_judge_srd_test_facts),
		cmocka_unit_test(judge_srd_test_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
