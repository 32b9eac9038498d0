/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_test.c -- tests single steps of an SRD endpoint against
 * hand-made packets.
 *
 * Spec: srd_wqe.md A.4.2 to A.4.5, A.5
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/core/family.h"
#include "wire/ib/ib.h"

#define QKEY 0x55
#define SCID 0x1111
#define RCID 0x2222
#define PSN  0xfffffeu /* the wrap is two packets ahead */
#define HEAD (bth_len + seth_len)

/* The fields of a packet. */
struct sent {
	struct bth bth;
	struct seth seth;
	struct deth deth;
	struct srd_aeth aeth;
	struct srd_sack sack;
	uint16_t entropy;
};

struct lab {
	struct orc *o;
	struct orc_conf conf;
	vtime now;
	uint32_t qpn, ah;
	struct dgram d;
	struct orc_event ev;
};

static const struct orc_api *const api = &orc_reference;

static uint32_t srd_test_psn_of(uint32_t n)
{
	return (PSN + n) & SERIAL24_MASK;
}

/* ---- Operations ---- */

static int srd_test_post(struct lab *l, struct orc_op op, struct op_result *ret)
{
	op.ret = ret;
	return api->post(l->o, &op, l->now);
}

static struct op_result srd_test_ask(struct lab *l, struct orc_op op)
{
	struct op_result got = {0};

	assert_int_equal(srd_test_post(l, op, &got), 0);
	return got;
}

static void srd_test_receive(struct lab *l, uint32_t handle, uint32_t len)
{
	srd_test_ask(l, (struct orc_op){.kind = OP_POST_RECV,
					.handle = handle,
					.len = len,
					.vb.qpn = l->qpn});
}

static void srd_test_send(struct lab *l, uint32_t handle)
{
	srd_test_ask(l, (struct orc_op){.kind = OP_POST_SEND,
					.handle = handle,
					.len = 10,
					.vb = {.qpn = l->qpn,
					       .ah = l->ah,
					       .dest_qp = 7,
					       .qkey = QKEY}});
}

static void srd_test_modify(struct lab *l, enum qp_state state)
{
	srd_test_ask(l, (struct orc_op){.kind = OP_MODIFY_QP,
					.vb = {.qpn = l->qpn,
					       .state = state,
					       .qkey = QKEY}});
}

static void srd_test_start(struct lab *l)
{
	srd_test_modify(l, QP_INIT);
	srd_test_modify(l, QP_RTR);
	srd_test_modify(l, QP_RTS);
}

/* Makes an endpoint of this configuration, with a QP and a handle. */
static void srd_test_seat(struct lab *l)
{
	api->free(l->o);
	assert_int_equal(api->make(&l->o, &l->conf), 0);
	l->qpn = srd_test_ask(l, (struct orc_op){.kind = OP_CREATE_QP}).qpn;
	srd_test_start(l);
	l->ah = srd_test_ask(l, (struct orc_op){.kind = OP_CREATE_AH,
						.peer = ip_addr_v4(2)})
			.ah;
}

static int open_lab(void **state)
{
	struct lab *l = calloc(1, sizeof(*l));

	assert_non_null(l);
	orc_conf_default(&l->conf);
	l->conf.family = FAMILY_SRD;
	l->conf.addr = ip_addr_v4(1);
	l->conf.seed = 1;
	l->conf.start_psn_fixed = true;
	l->conf.start_psn = PSN;
	l->conf.rto_init = 10 * VSPAN_MS;
	l->conf.rto_max = 40 * VSPAN_MS;
	srd_test_seat(l);
	*state = l;
	return 0;
}

static int close_lab(void **state)
{
	struct lab *l = *state;

	api->free(l->o);
	free(l);
	return 0;
}

/* ---- Packets ---- */

/* Polls the next packet of the endpoint.  Return: false if there is none. */
static bool srd_test_out(struct lab *l, struct sent *ret)
{
	*ret = (struct sent){0};
	if (!api->poll_tx(l->o, &l->d))
		return false;
	bth_get(&ret->bth, l->d.data);
	seth_get(&ret->seth, l->d.data + bth_len);
	ret->entropy = l->d.entropy;
	if (ret->bth.opcode < IB_SRD_SYNC)
		deth_get(&ret->deth, l->d.data + HEAD);
	if (ret->bth.opcode < IB_SRD_ACK)
		return true;
	srd_aeth_get(&ret->aeth, l->d.data + HEAD);
	srd_sack_get(&ret->sack, l->d.data + HEAD + srd_aeth_len);
	return true;
}

static struct sent must_send(struct lab *l, uint8_t opcode)
{
	struct sent x;

	assert_true(srd_test_out(l, &x));
	assert_int_equal(x.bth.opcode, opcode);
	return x;
}

static void srd_test_silent(struct lab *l)
{
	struct sent x;

	assert_false(srd_test_out(l, &x));
}

/* Writes a packet of the peer to l->d. */
static void srd_test_lay(struct lab *l, const struct sent *x)
{
	uint8_t *p = l->d.data;
	size_t len = HEAD;

	memset(p, 0, 128);
	bth_put(&x->bth, p);
	seth_put(&x->seth, p + bth_len);
	if (x->bth.opcode < IB_SRD_SYNC) {
		deth_put(&x->deth, p + len);
		len += deth_len + 12;
	} else if (x->bth.opcode >= IB_SRD_ACK) {
		srd_aeth_put(&x->aeth, p + len);
		srd_sack_put(&x->sack, p + len + srd_aeth_len);
		len += srd_aeth_len + srd_sack_len;
	}
	l->d.len = len;
	l->d.src = ip_addr_v4(2);
	l->d.dst = ip_addr_v4(1);
	l->d.family = FAMILY_SRD;
}

static void srd_test_feed(struct lab *l, const struct sent *x)
{
	srd_test_lay(l, x);
	assert_int_equal(api->feed(l->o, &l->d, l->now), 0);
}

/* Makes message |n| of the peer's context; |lup| is the lowest open one. */
static struct sent srd_test_message(const struct lab *l, uint32_t n,
				    uint32_t lup)
{
	return (struct sent){
		.bth = {.opcode = IB_SRD_SEND_ONLY,
			.pkey = 0xffff,
			.ackreq = 1,
			.dest_qp = l->qpn,
			.psn = srd_test_psn_of(n)},
		.seth = {.ver = 1,
			 .syn = 1,
			 .scid = SCID,
			 .lup = srd_test_psn_of(lup)},
		.deth = {.qkey = QKEY, .src_qp = 9},
	};
}

/* Makes an answer to message |n| of the endpoint's context. */
static struct sent srd_test_answer(const struct sent *to, uint8_t syndrome,
				   uint32_t cack)
{
	return (struct sent){
		.bth = {.opcode = IB_SRD_ACK,
			.pkey = 0xffff,
			.psn = to->bth.psn},
		.seth = {.ver = 1, .scid = to->seth.scid, .rcid = RCID},
		.aeth = {.syndrome = syndrome, .cack = srd_test_psn_of(cack)},
	};
}

/* ---- Events ---- */

static const struct orc_event *srd_test_next(struct lab *l,
					     enum orc_event_kind kind)
{
	while (api->poll_event(l->o, &l->ev))
		if (l->ev.kind == kind)
			return &l->ev;
	return NULL;
}

static void srd_test_ends(struct lab *l, uint32_t handle,
			  enum orc_status status)
{
	const struct orc_event *ev = srd_test_next(l, EV_COMPLETION);

	assert_non_null(ev);
	assert_int_equal(ev->handle, handle);
	assert_int_equal(ev->status, status);
}

/*
 * Feeds a packet that must be dropped: no answer, no other event, and the
 * counter of drops increases by one.
 */
static void srd_test_dropped(struct lab *l, const struct sent *x)
{
	struct orc_stats before, after;

	api->stats(l->o, &before);
	srd_test_feed(l, x);
	api->stats(l->o, &after);
	assert_int_equal(after.rx_dropped, before.rx_dropped + 1);
	srd_test_silent(l);
	assert_true(api->poll_event(l->o, &l->ev));
	assert_int_equal(l->ev.kind, EV_DROP);
	assert_false(api->poll_event(l->o, &l->ev));
}

/* ---- The responder ---- */

static void a_message_makes_a_context(void **state)
{
	struct lab *l = *state;
	struct sent x = srd_test_message(l, 0, 0), a;

	srd_test_receive(l, 1, 64);
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.seth.scid, SCID);
	assert_int_not_equal(a.seth.rcid, 0);
	assert_int_equal(a.aeth.syndrome, IB_SYNDROME_ACK);
	assert_int_equal(a.aeth.cack, srd_test_psn_of(0));
	assert_true(a.sack.sack_bitmap == 0);
	assert_int_equal(a.bth.dest_qp, 9);
	assert_int_equal(srd_test_next(l, EV_RECV)->src_qp, 9);
	/* a duplicate gets the same answer, and nothing is delivered */
	srd_test_feed(l, &x);
	x = must_send(l, IB_SRD_ACK);
	assert_int_equal(x.seth.rcid, a.seth.rcid);
	assert_null(srd_test_next(l, EV_RECV));
}

/* A receive that was posted before a reset of its QP is gone. */
static void a_reset_takes_the_receives_away(void **state)
{
	struct lab *l = *state;
	struct sent x = srd_test_message(l, 0, 0);

	srd_test_receive(l, 1, 64);
	srd_test_modify(l, QP_RESET);
	srd_test_start(l);
	srd_test_feed(l, &x);
	x = must_send(l, IB_SRD_ACK);
	assert_int_equal(x.aeth.syndrome, IB_SYNDROME_RNR);
	assert_null(srd_test_next(l, EV_RECV));
}

static void a_gap_shows_in_the_bitmap(void **state)
{
	struct lab *l = *state;
	struct sent x = srd_test_message(l, 2, 0), a;

	for (uint32_t i = 0; i < 3; i++)
		srd_test_receive(l, i, 64);
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.aeth.cack, srd_test_psn_of(0) - 1);
	assert_true(a.sack.sack_bitmap == (uint64_t)1 << 61);
	x = srd_test_message(l, 0, 0);
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.aeth.cack, srd_test_psn_of(0));
	assert_true(a.sack.sack_bitmap == (uint64_t)1 << 62);
	x = srd_test_message(l, 1, 0);
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.aeth.cack, srd_test_psn_of(2)); /* behind the wrap */
	assert_true(a.sack.sack_bitmap == 0);
}

static void accepts_are_answered_together(void **state)
{
	struct lab *l = *state;
	struct sent x, a;

	l->conf.srd_coalesce = 3;
	srd_test_seat(l);
	for (uint32_t n = 0; n < 6; n++) {
		srd_test_receive(l, n, 64);
		x = srd_test_message(l, n, 0);
		x.bth.ackreq = n == 4; /* requests an ACK */
		srd_test_feed(l, &x);
		if (n == 2 || n == 4) {
			a = must_send(l, IB_SRD_ACK);
			assert_int_equal(a.aeth.cack, srd_test_psn_of(n));
		} else {
			assert_false(srd_test_out(l, &a));
		}
	}
	x = srd_test_message(l, 6, 6); /* no receive is posted */
	x.bth.ackreq = 0;
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.aeth.syndrome, IB_SYNDROME_RNR);
	assert_int_equal(a.aeth.cack, srd_test_psn_of(5));
}

static void an_outcome_stays_until_lup_passes(void **state)
{
	struct lab *l = *state;
	struct sent x = srd_test_message(l, 0, 0), a;

	srd_test_feed(l, &x);
	assert_int_equal(must_send(l, IB_SRD_ACK).aeth.syndrome,
			 IB_SYNDROME_RNR);
	srd_test_receive(l, 1, 64);
	srd_test_receive(l, 2, 64);
	srd_test_feed(l, &x); /* a receive is posted now */
	assert_int_equal(must_send(l, IB_SRD_ACK).aeth.syndrome,
			 IB_SYNDROME_RNR);
	x = srd_test_message(l, 1, 0);
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.aeth.syndrome, IB_SYNDROME_ACK);
	assert_int_equal(a.aeth.cack, srd_test_psn_of(0) - 1);
	x = srd_test_message(l, 2, 2); /* the requester knows both outcomes */
	srd_test_feed(l, &x);
	assert_int_equal(must_send(l, IB_SRD_ACK).aeth.cack,
			 srd_test_psn_of(2));
	x = srd_test_message(l, 0, 0);
	srd_test_next(l, EV_RECV);
	srd_test_feed(l, &x); /* below LUP: no answer */
	srd_test_silent(l);
}

/*
 * Refuses an allocation while the first copy of a message comes, which finds no
 * receive; the second copy finds one.  Return: false if there were fewer
 * allocations.
 */
static bool srd_test_outcome_with_little(struct lab *l, uint64_t refused)
{
	struct sent x = srd_test_message(l, 0, 0), a = {0};
	struct mem *mem = &((struct env *)l->o)->mem;
	bool received = false, reached;

	mem->fail_at = mem->calls + refused;
	srd_test_lay(l, &x);
	api->feed(l->o, &l->d, l->now);
	reached = mem->calls >= mem->fail_at;
	mem->fail_at = 0;
	while (srd_test_out(l, &a))
		assert_int_equal(a.aeth.syndrome, IB_SYNDROME_RNR);
	srd_test_receive(l, 1, 64);
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	while (api->poll_event(l->o, &l->ev))
		received |= l->ev.kind == EV_RECV;
	assert_int_equal(a.aeth.syndrome,
			 received ? IB_SYNDROME_ACK : IB_SYNDROME_RNR);
	return reached;
}

/* Without memory for its outcome, a message is not decided. */
static void an_outcome_needs_memory(void **state)
{
	struct lab *l = *state;
	uint64_t refused = 1;

	while (srd_test_outcome_with_little(l, refused)) {
		srd_test_seat(l);
		refused++;
	}
	assert_true(refused > 2);
}

static void a_lost_context_is_told(void **state)
{
	struct lab *l = *state;
	struct sent x = srd_test_message(l, 0, 0), a;

	x.seth.syn = 0;
	x.seth.rcid = RCID;
	srd_test_feed(l, &x);
	a = must_send(l, IB_SRD_ACK);
	assert_int_equal(a.aeth.syndrome, IB_SYNDROME_CTX_RESET);
	assert_int_equal(a.seth.scid, SCID);
	assert_int_equal(a.seth.rcid, RCID);
	assert_int_equal(a.aeth.cack, 0);
}

static void what_is_wrong_is_dropped(void **state)
{
	struct lab *l = *state;
	struct sent bad[9];

	for (unsigned i = 0; i < 9; i++)
		bad[i] = srd_test_message(l, 1, 0);
	bad[0].seth.ver = 2;
	bad[1].bth.tver = 1;
	bad[2].bth.pkey = 0x7fff;
	bad[3].seth.scid = 0;
	bad[4].seth.rcid = RCID; /* an RCID with SYN set */
	bad[5].seth.lup = srd_test_psn_of(2);
	bad[6].bth.opcode = 0xf5;
	bad[7].bth.psn = srd_test_psn_of(8192 + 1);
	bad[8].bth.pad = 3;
	bad[8].bth.opcode = IB_SRD_SYNC; /* a SYNC has no byte to pad */
	srd_test_receive(l, 1, 64);
	srd_test_receive(l, 2, 64);
	srd_test_feed(l,
		      &(struct sent){.bth = srd_test_message(l, 0, 0).bth,
				     .seth = srd_test_message(l, 0, 0).seth,
				     .deth = srd_test_message(l, 0, 0).deth});
	must_send(l, IB_SRD_ACK);
	while (api->poll_event(l->o, &l->ev))
		;
	for (unsigned i = 0; i < 9; i++)
		srd_test_dropped(l, &bad[i]);
	bad[0].seth.ver = 1; /* the context is unchanged */
	srd_test_feed(l, &bad[0]);
	assert_int_equal(must_send(l, IB_SRD_ACK).aeth.cack,
			 srd_test_psn_of(1));
}

/* ---- The requester ---- */

static void answers_end_wrs_in_any_order(void **state)
{
	struct lab *l = *state;
	struct sent x[3], a;

	for (uint32_t i = 0; i < 3; i++) {
		srd_test_send(l, i);
		x[i] = must_send(l, IB_SRD_SEND_ONLY);
		assert_int_equal(x[i].bth.psn, srd_test_psn_of(i));
		assert_int_equal(x[i].seth.lup, srd_test_psn_of(0));
		assert_int_equal(x[i].seth.syn, 1);
	}
	a = srd_test_answer(&x[1], IB_SYNDROME_ACK, 0xffffff);
	a.sack.sack_bitmap = (uint64_t)1 << 62;
	srd_test_feed(l, &a);
	srd_test_ends(l, 1, STATUS_OK);
	a = srd_test_answer(&x[0], IB_SYNDROME_BAD_DEST_QP, 0xffffff);
	srd_test_feed(l, &a);
	srd_test_ends(l, 0, STATUS_BAD_DEST_QP);
	srd_test_send(l, 3);
	x[0] = must_send(l, IB_SRD_SEND_ONLY);
	assert_int_equal(x[0].seth.lup, srd_test_psn_of(2));
	assert_int_equal(x[0].seth.syn, 0);
	assert_int_equal(x[0].seth.rcid, RCID);
	a = srd_test_answer(&x[0], IB_SYNDROME_ACK, 3);
	srd_test_feed(l, &a); /* CACK covers the other message too */
	srd_test_ends(l, 3, STATUS_OK);
	srd_test_ends(l, 2, STATUS_OK);
}

static void answers_that_cannot_be_are_dropped(void **state)
{
	struct lab *l = *state;
	struct sent x, a;

	srd_test_send(l, 1);
	x = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 1); /* beyond the next PSN */
	srd_test_dropped(l, &a);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	a.sack.sack_bitmap = 1;
	srd_test_dropped(l, &a);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	a.seth.scid++;
	srd_test_dropped(l, &a);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	a.seth.rcid = 0;
	srd_test_dropped(l, &a);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	srd_test_feed(l, &a);
	srd_test_ends(l, 1, STATUS_OK);
	srd_test_feed(l, &a); /* a duplicate, while no message is open */
	assert_null(srd_test_next(l, EV_COMPLETION));
}

static void what_has_no_meaning_is_a_bad_response(void **state)
{
	struct lab *l = *state;
	struct sent x, a;

	srd_test_send(l, 1);
	x = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&x, 0x7f, 0xffffff);
	srd_test_feed(l, &a);
	srd_test_ends(l, 1, STATUS_BAD_RESPONSE);
	srd_test_send(l, 2);
	x = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0xffffff);
	a.bth.opcode = 0xf9;
	srd_test_feed(l, &a);
	srd_test_ends(l, 2, STATUS_BAD_RESPONSE);
}

static void a_repeat_takes_another_path(void **state)
{
	static const vspan waits[] = {10, 20, 40, 40};
	struct lab *l = *state;
	struct sent x, old;

	srd_test_send(l, 1);
	old = must_send(l, IB_SRD_SEND_ONLY);
	for (unsigned i = 0; i < 4; i++) {
		const vtime at = l->now + waits[i] * VSPAN_MS;

		assert_true(api->deadline(l->o) == at);
		api->tick(l->o, at - 1);
		srd_test_silent(l);
		l->now = at;
		api->tick(l->o, at);
		x = must_send(l, IB_SRD_SEND_ONLY);
		assert_int_equal(x.bth.psn, srd_test_psn_of(0));
		assert_int_equal(x.seth.try, i + 1);
		assert_int_not_equal(x.seth.path, old.seth.path);
		assert_int_equal(x.entropy, 0xc000 + x.seth.path);
		old = x;
	}
}

/*
 * Sends three requests with srd_fast, and loses the second one.  The target
 * answers the first after 1 ms and the last after |second|; the last answer has
 * the SACK that shows the loss.
 */
static void srd_test_lose_second(struct lab *l, vspan second, struct sent x[3])
{
	struct sent a;

	l->conf.srd_fast = true;
	srd_test_seat(l);
	for (uint32_t i = 0; i < 3; i++) {
		srd_test_send(l, i);
		x[i] = must_send(l, IB_SRD_SEND_ONLY);
		if (i == 1)
			continue;
		l->now += i ? second : VSPAN_MS;
		a = srd_test_answer(&x[i], IB_SYNDROME_ACK, 0);
		if (i == 2)
			a.sack.sack_bitmap = (uint64_t)1 << 62;
		srd_test_feed(l, &a);
		srd_test_ends(l, i, STATUS_OK);
		srd_test_silent(l);
	}
}

/*
 * 1 was lost, which the answer to 2 shows.  The RTT is 1 ms, and the limit is
 * 1 + 4 x 0.375 ms after the second sample; the RTO is 10 ms.
 */
static void sack_and_rtt_show_a_loss(void **state)
{
	struct lab *l = *state;
	struct sent x[3], a;

	srd_test_lose_second(l, VSPAN_MS, x);
	l->now += VSPAN_MS;
	api->tick(l->o, l->now);
	srd_test_silent(l);
	l->now += VSPAN_MS;
	api->tick(l->o, l->now);
	a = must_send(l, IB_SRD_SEND_ONLY);
	assert_int_equal(a.bth.psn, x[1].bth.psn);
	assert_int_equal(a.seth.try, 1);
	assert_int_not_equal(a.seth.path, x[1].seth.path);
	/* what was sent last has no later answer: the RTO repeats it */
	l->now += 5 * VSPAN_MS;
	api->tick(l->o, l->now);
	srd_test_silent(l);
}

/* Returns how long a request waits after two samples of 1 and 2 ms. */
static vspan srd_test_repair_after(struct lab *l)
{
	const vspan second = 2 * VSPAN_MS;
	struct sent x[3];

	srd_test_lose_second(l, second, x);
	return api->deadline(l->o) - (l->now - second);
}

/* By default 1/8, 1/4 and 4: 1.125 ms and four times 0.625 ms. */
static void constants_of_the_repair_are_settings(void **state)
{
	struct lab *l = *state;
	const vspan us = VSPAN_US, more = 1; /* ns */

	assert_int_equal(srd_test_repair_after(l), 3625 * us + more);
	l->conf.srd_dev_factor = 2;
	assert_int_equal(srd_test_repair_after(l), 2375 * us + more);
	l->conf.srd_dev_weight = 2;
	assert_int_equal(srd_test_repair_after(l), 2625 * us + more);
	l->conf.srd_rtt_weight = 4;
	assert_int_equal(srd_test_repair_after(l), 2750 * us + more);
}

static void a_destroyed_handle_says_so_once(void **state)
{
	struct lab *l = *state;
	struct sent x, a;

	srd_test_send(l, 1);
	x = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	srd_test_feed(l, &a);
	srd_test_ends(l, 1, STATUS_OK);
	srd_test_send(l, 2);
	must_send(l, IB_SRD_SEND_ONLY);
	srd_test_ask(l, (struct orc_op){.kind = OP_DESTROY_AH, .vb.ah = l->ah});
	srd_test_ends(l, 2, STATUS_FLUSHED);
	a = must_send(l, IB_SRD_SYNC);
	assert_int_equal(a.seth.fin, 1);
	assert_int_equal(a.seth.lup, srd_test_psn_of(2));
	assert_int_equal(a.bth.psn, srd_test_psn_of(2));
	srd_test_silent(l);
	assert_true(api->deadline(l->o) == VTIME_NEVER);
}

static void a_context_at_rest_is_left(void **state)
{
	struct lab *l = *state;
	struct sent x, a;

	srd_test_send(l, 1);
	x = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	srd_test_feed(l, &a);
	l->now = l->conf.srd_idle - 1;
	srd_test_send(l, 2);
	a = must_send(l, IB_SRD_SEND_ONLY);
	assert_int_equal(a.seth.scid, x.seth.scid);
	a = srd_test_answer(&a, IB_SYNDROME_ACK, 1);
	srd_test_feed(l, &a);
	l->now += l->conf.srd_idle;
	srd_test_send(l, 3);
	a = must_send(l, IB_SRD_SEND_ONLY);
	assert_int_not_equal(a.seth.scid, x.seth.scid);
	assert_int_equal(a.seth.syn, 1);
}

static void a_reset_aborts_and_replays_nothing(void **state)
{
	struct lab *l = *state;
	struct sent x, a;

	srd_test_send(l, 1);
	x = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&x, IB_SYNDROME_CTX_RESET, 0);
	/* the endpoint has no RCID yet that a peer could have lost */
	srd_test_feed(l, &a);
	assert_null(srd_test_next(l, EV_COMPLETION));
	a = srd_test_answer(&x, IB_SYNDROME_ACK, 0);
	srd_test_feed(l, &a);
	srd_test_ends(l, 1, STATUS_OK);
	srd_test_send(l, 2);
	a = must_send(l, IB_SRD_SEND_ONLY);
	a = srd_test_answer(&a, IB_SYNDROME_CTX_RESET, 0);
	srd_test_feed(l, &a);
	srd_test_ends(l, 2, STATUS_REMOTE_ABORT);
	srd_test_silent(l);
	srd_test_send(l, 3);
	a = must_send(l, IB_SRD_SEND_ONLY);
	assert_int_equal(a.seth.syn, 1);
	assert_int_not_equal(a.seth.scid, x.seth.scid);
}

/* ---- Memory ---- */

static void srd_test_live_on_little(struct orc *o)
{
	static struct dgram d;
	struct op_result got = {0};
	const struct orc_op ops[] = {
		{.kind = OP_CREATE_QP, .ret = &got},
		{.kind = OP_MODIFY_QP, .vb = {.qpn = 0x11, .state = QP_INIT}},
		{.kind = OP_MODIFY_QP, .vb = {.qpn = 0x11, .state = QP_RTR}},
		{.kind = OP_MODIFY_QP, .vb = {.qpn = 0x11, .state = QP_RTS}},
		{.kind = OP_CREATE_AH, .peer = ip_addr_v4(1)},
		{.kind = OP_POST_RECV, .len = 64, .vb.qpn = 0x11},
		{.kind = OP_POST_SEND,
		 .len = 64,
		 .count = 3,
		 .vb = {.qpn = 0x11, .ah = 1, .dest_qp = 0x11}},
	};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		orc_reference.post(o, &ops[i], 0);
	while (orc_reference.poll_tx(o, &d))
		orc_reference.feed(o, &d, 0); /* to its own address */
}

/* Return: true if that allocation was reached. */
static bool srd_test_refuse_one(uint64_t n)
{
	struct orc_conf conf;
	struct orc *o;
	bool reached;

	orc_conf_default(&conf);
	conf.family = FAMILY_SRD;
	conf.addr = ip_addr_v4(1);
	if (orc_make(&o, &conf, (struct mem){.fail_at = n}))
		return true;
	srd_test_live_on_little(o);
	reached = ((struct env *)o)->mem.calls >= n;
	orc_reference.free(o);
	return reached;
}

static void srd_test_every_allocation_may_fail(void **state)
{
	uint64_t n = 1;

	(void)state;
	while (srd_test_refuse_one(n))
		n++;
	assert_true(n > 15);
}

#define IN_LAB(test) cmocka_unit_test_setup_teardown(test, open_lab, close_lab)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_LAB(a_message_makes_a_context),
		IN_LAB(a_reset_takes_the_receives_away),
		IN_LAB(a_gap_shows_in_the_bitmap),
		IN_LAB(accepts_are_answered_together),
		IN_LAB(an_outcome_stays_until_lup_passes),
		IN_LAB(an_outcome_needs_memory),
		IN_LAB(a_lost_context_is_told),
		IN_LAB(what_is_wrong_is_dropped),
		IN_LAB(answers_end_wrs_in_any_order),
		IN_LAB(answers_that_cannot_be_are_dropped),
		IN_LAB(what_has_no_meaning_is_a_bad_response),
		IN_LAB(a_repeat_takes_another_path),
		IN_LAB(sack_and_rtt_show_a_loss),
		IN_LAB(constants_of_the_repair_are_settings),
		IN_LAB(a_destroyed_handle_says_so_once),
		IN_LAB(a_context_at_rest_is_left),
		IN_LAB(a_reset_aborts_and_replays_nothing),
		cmocka_unit_test(srd_test_every_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
