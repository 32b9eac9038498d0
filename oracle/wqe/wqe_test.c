/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two endpoints with the WQE extension, connected: A posts, B receives.
 */
#include "base/pattern.h"
#include "oracle/core/pair_test.h"

#include "base/rng.h"
#include "oracle/wqe/wqe_state.h"
#include "wire/ib/ib.h"

#define MTU      1024
#define RKEY     0x77
#define REGION   (64 * 1024)
#define BAD_RKEY 0x78

struct wqe_pair {
	struct pair p;
	uint32_t qpn[2];
	uint32_t first; /* first PSN of both directions */
};

static void wqe_test_wqe_conf(struct wqe_pair *w)
{
	pair_conf(&w->p);
	w->first = 10;
	for (unsigned i = 0; i < 2; i++) {
		w->p.conf[i].family = FAMILY_WQE;
		w->p.conf[i].crc = true;
		w->p.conf[i].mtu = MTU;
		w->p.conf[i].rto_init = 67 * VSPAN_MS;
	}
}

static int wqe_test_ask(struct wqe_pair *w, unsigned side, struct orc_op op)
{
	op.peer = w->p.conf[!side].addr;
	return orc_reference.post(w->p.end[side], &op, w->p.now);
}

static int wqe_test_modify(struct wqe_pair *w, unsigned side,
			   enum qp_state state)
{
	return wqe_test_ask(w, side,
			    (struct orc_op){.kind = OP_MODIFY_QP,
					    .vb = {.qpn = w->qpn[side],
						   .state = state,
						   .dest_qp = w->qpn[!side],
						   .rq_psn = w->first,
						   .sq_psn = w->first}});
}

static void wqe_open(struct wqe_pair *w)
{
	struct op_result made = {0};

	core_pair_test_pair_open(&w->p);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(
			wqe_test_ask(w, i,
				     (struct orc_op){.kind = OP_CREATE_QP,
						     .vb = {.type = QP_RC},
						     .ret = &made}),
			0);
		w->qpn[i] = made.qpn;
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(wqe_test_modify(w, i, QP_INIT), 0);
		assert_int_equal(wqe_test_modify(w, i, QP_RTR), 0);
		assert_int_equal(wqe_test_modify(w, i, QP_RTS), 0);
	}
	assert_int_equal(wqe_test_ask(w, B,
				      (struct orc_op){.kind = OP_EXPOSE,
						      .key = RKEY,
						      .len = REGION}),
			 0);
}

static void recv_n(struct wqe_pair *w, uint32_t len, uint32_t count)
{
	assert_int_equal(
		wqe_test_ask(w, B,
			     (struct orc_op){.kind = OP_POST_RECV,
					     .len = len,
					     .count = count,
					     .vb = {.qpn = w->qpn[B]}}),
		0);
}

static void wqe_test_post_one(struct wqe_pair *w, enum wr_opcode opcode,
			      uint32_t handle, uint64_t rkey, uint64_t va,
			      uint32_t len)
{
	assert_int_equal(
		wqe_test_ask(w, A,
			     (struct orc_op){.kind = OP_POST_SEND,
					     .handle = handle,
					     .len = len,
					     .key = rkey,
					     .offset = va,
					     .vb = {.qpn = w->qpn[A],
						    .opcode = opcode}}),
		0);
}

static void wqe_test_send_one(struct wqe_pair *w, uint32_t handle, uint32_t len)
{
	wqe_test_post_one(w, WR_SEND, handle, 0, 0, len);
}

static void write_one(struct wqe_pair *w, uint32_t handle, uint64_t rkey,
		      uint64_t va, uint32_t len)
{
	wqe_test_post_one(w, WR_WRITE, handle, rkey, va, len);
}

static void read_one(struct wqe_pair *w, uint32_t handle, uint64_t va,
		     uint32_t len)
{
	wqe_test_post_one(w, WR_READ, handle, RKEY, va, len);
}

/* The last read returned the initial contents of that memory. */
static void wqe_test_assert_read(struct wqe_pair *w, uint32_t va, uint32_t len)
{
	const uint8_t *p;
	size_t n;

	assert_int_equal(orc_reference.memory(w->p.end[A], 0, &p, &n), 0);
	assert_int_equal(n, len);
	for (uint32_t i = 0; i < len; i++)
		assert_int_equal(p[i],
				 pattern_byte(0, pattern_memory(RKEY), va + i));
}

static struct orc_stats wqe_test_stats_of(struct wqe_pair *w, unsigned side)
{
	struct orc_stats s;

	orc_reference.stats(w->p.end[side], &s);
	return s;
}

/* Counts the packets of an opcode that A sent and that were not lost. */
static unsigned seen_of(const struct wqe_pair *w, unsigned from, uint8_t opcode)
{
	unsigned n = 0;

	for (size_t i = 0; i < w->p.nseen; i++)
		n += w->p.seen[i].from == from &&
		     w->p.seen[i].data[0] == opcode;
	return n;
}

static void wqe_test_assert_written(struct wqe_pair *w, uint32_t va,
				    uint32_t len, uint16_t handle)
{
	const uint8_t *p;
	size_t n;

	assert_int_equal(orc_reference.memory(w->p.end[B], RKEY, &p, &n), 0);
	assert_int_equal(n, REGION);
	for (uint32_t i = 0; i < REGION; i++)
		assert_int_equal(
			p[i],
			i - va < len
				? pattern_byte(0, handle, i - va)
				: pattern_byte(0, pattern_memory(RKEY), i));
}

static void status_is(const struct wqe_pair *w, unsigned nth, uint32_t handle,
		      enum orc_status status)
{
	const struct orc_event *ev = pair_event(&w->p, A, EV_COMPLETION, nth);

	assert_int_equal(ev->handle, handle);
	assert_int_equal(ev->status, status);
}

/* WL-01: a clean link causes no requests. */
static void a_clean_link_asks_for_nothing(void **state)
{
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	recv_n(&w, 2 * MTU, 3);
	write_one(&w, 1, RKEY, 64, 2500);
	wqe_test_send_one(&w, 2, 0);
	wqe_test_send_one(&w, 3, MTU);
	wqe_test_send_one(&w, 4, MTU + 1);
	pair_run(&w.p, VSPAN_S);
	for (unsigned i = 0; i < 4; i++)
		status_is(&w, i, i + 1, STATUS_OK);
	assert_int_equal(pair_count(&w.p, B, EV_RECV), 3);
	assert_int_equal(seen_of(&w, B, IB_WQE_RTX_IND), 0);
	assert_int_equal(wqe_test_stats_of(&w, A).tx_retx, 0);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_peak, 0);
	wqe_test_assert_written(&w, 64, 2500, 1);
	core_pair_test_pair_close(&w.p);
}

/* WL-02: the address is known, so nothing is cached. */
static void only_the_lost_packet_is_repeated(void **state)
{
	static const int lost[] = {1, -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	write_one(&w, 1, RKEY, 0, 4 * MTU);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_OK);
	assert_int_equal(wqe_test_stats_of(&w, A).tx_retx, 1);
	assert_int_equal(seen_of(&w, B, IB_WQE_RTX_IND), 1);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_peak, 0);
	core_pair_test_pair_close(&w.p);
}

/* Adds |n| to the PSNs of an end, as |n| packets without a gap do. */
static void move_on(struct wqe_pair *w, unsigned side, uint32_t n)
{
	const struct wqe *end = (const void *)w->p.end[side];
	struct wqe_qp *qp = end->qps[0];

	qp->epsn += n;
	qp->high += n;
	qp->owed += n;
	qp->una += n;
	qp->acked += n;
	qp->next += n;
	qp->sent_to += n;
	qp->end += n;
	memset(qp->gaps, 0x7f, end->env.conf.wqe_window * sizeof(qp->gaps[0]));
}

/* A slot of the ring is set anew for a gap that is more than 2^31 PSNs later.
 */
static void a_gap_is_new_after_half_of_all_psns(void **state)
{
	static const int lost[] = {1, -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	for (unsigned i = 0; i < 2; i++)
		move_on(&w, i, 0x81000000);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	write_one(&w, 1, RKEY, 0, 4 * MTU);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_OK);
	assert_int_equal(wqe_test_stats_of(&w, A).tx_retx, 1);
	assert_int_equal(seen_of(&w, B, IB_WQE_RTX_IND), 1);
	core_pair_test_pair_close(&w.p);
}

/* Two lost packets of a WQE; one indication names both, or each its own. */
static void an_indication_names_as_many_as_it_may(void **state)
{
	static const int lost[] = {1, 3, -1};

	(void)state;
	for (uint32_t most = 0; most < 3; most++) {
		struct wqe_pair w;

		wqe_test_wqe_conf(&w);
		w.p.conf[B].wqe_ind_psns = most;
		wqe_open(&w);
		w.p.fate = pair_lose;
		w.p.ctx = (void *)(uintptr_t)lost;
		write_one(&w, 1, RKEY, 0, 6 * MTU);
		pair_run(&w.p, VSPAN_S);
		status_is(&w, 0, 1, STATUS_OK);
		assert_int_equal(wqe_test_stats_of(&w, A).tx_retx, 2);
		assert_int_equal(seen_of(&w, B, IB_WQE_RTX_IND),
				 most == 1 ? 2 : 1);
		core_pair_test_pair_close(&w.p);
	}
}

/*
 * A PSN requested after a silence is not requested again when a later packet
 * arrives: first a round trip must have passed.
 */
static void what_was_asked_for_waits_its_time(void **state)
{
	static const int lost[] = {1, 2, 3, 4, 5, -1};
	vtime asked[2] = {0};
	unsigned n = 0;
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	write_one(&w, 1, RKEY, 0, 4 * MTU);
	pair_run(&w.p, VSPAN_S);
	for (size_t i = 0; i < w.p.nseen; i++)
		if (w.p.seen[i].data[0] == IB_WQE_RTX_IND && n < 2)
			asked[n++] = w.p.seen[i].at;
	assert_int_equal(n, 2);
	assert_true(asked[1] - asked[0] >= w.p.conf[B].wqe_again);
	status_is(&w, 0, 1, STATUS_OK);
	core_pair_test_pair_close(&w.p);
}

/* WL-03: a write without its first packet has no address. */
static void a_write_without_its_first_packet_waits_in_a_cache(void **state)
{
	static const int lost[] = {0, -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	write_one(&w, 1, RKEY, 100, 4 * MTU);
	pair_run(&w.p, VSPAN_MS);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, 4 * MTU);
	wqe_test_assert_written(&w, 0, 0, 1);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_OK);
	assert_int_equal(wqe_test_stats_of(&w, A).tx_retx, 1);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, 0);
	wqe_test_assert_written(&w, 100, 4 * MTU, 1);
	core_pair_test_pair_close(&w.p);
}

/* WL-04: the second send must not take the first one's buffer. */
static void sends_take_receives_in_order(void **state)
{
	static const int lost[] = {1, -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	recv_n(&w, 2 * MTU, 2);
	wqe_test_send_one(&w, 1, 2 * MTU);
	wqe_test_send_one(&w, 2, MTU + 7);
	pair_run(&w.p, VSPAN_MS);
	assert_int_equal(pair_count(&w.p, B, EV_RECV), 0);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, MTU + 7);
	pair_run(&w.p, VSPAN_S);
	assert_int_equal(pair_event(&w.p, B, EV_RECV, 0)->len, 2 * MTU);
	assert_int_equal(pair_event(&w.p, B, EV_RECV, 1)->len, MTU + 7);
	status_is(&w, 0, 1, STATUS_OK);
	status_is(&w, 1, 2, STATUS_OK);
	assert_int_equal(wqe_test_stats_of(&w, A).tx_retx, 1);
	core_pair_test_pair_close(&w.p);
}

/* WL-11: of a WQE without any received packet only the PSNs are known. */
static void a_lost_wqe_is_asked_for_without_a_number(void **state)
{
	static const int lost[] = {0, 1, 2, -1};
	struct wqe_pair w;
	struct rieth h;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	recv_n(&w, 3 * MTU, 2);
	wqe_test_send_one(&w, 1, 3 * MTU);
	wqe_test_send_one(&w, 2, 5);
	pair_run(&w.p, 5 * VSPAN_MS);
	assert_int_equal(seen_of(&w, B, IB_WQE_RTX_IND), 1);
	for (size_t i = 0; i < w.p.nseen; i++)
		if (w.p.seen[i].data[0] == IB_WQE_RTX_IND) {
			rieth_get(&h, w.p.seen[i].data + bth_len + aeth_len);
			assert_int_equal(h.k, 0);
			assert_int_equal(h.count, 3);
		}
	assert_int_equal(pair_count(&w.p, B, EV_RECV), 2);
	core_pair_test_pair_close(&w.p);
}

/* WL-14: without a cache the transfer is slow, but it completes. */
static void without_a_cache_it_still_ends(void **state)
{
	static const int lost[] = {0, -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	w.p.conf[B].wqe_cache_max = 0;
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	write_one(&w, 1, RKEY, 0, 32 * MTU);
	pair_run(&w.p, 10 * VSPAN_S);
	status_is(&w, 0, 1, STATUS_OK);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_peak, 0);
	core_pair_test_pair_close(&w.p);
}

/* WL-18: the key is checked late, and nothing is written before. */
static void a_bad_key_writes_nothing(void **state)
{
	static const int lost[] = {0, -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	write_one(&w, 1, BAD_RKEY, 0, 4 * MTU);
	write_one(&w, 2, RKEY, 0, 8);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_REMOTE_ACCESS);
	status_is(&w, 1, 2, STATUS_FLUSHED);
	wqe_test_assert_written(&w, 0, 8, 2); /* its address is known */
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, 0);
	core_pair_test_pair_close(&w.p);
}

/* WL-19: a send without a posted receive gets an RNR NAK. */
static void a_send_waits_for_a_receive(void **state)
{
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	wqe_test_send_one(&w, 1, 3 * MTU);
	wqe_test_send_one(&w, 2, 9);
	pair_run(&w.p, VSPAN_MS);
	assert_int_equal(pair_count(&w.p, B, EV_RECV), 0);
	recv_n(&w, 3 * MTU, 2);
	pair_run(&w.p, VSPAN_S);
	assert_int_equal(pair_count(&w.p, B, EV_RECV), 2);
	status_is(&w, 0, 1, STATUS_OK);
	status_is(&w, 1, 2, STATUS_OK);
	core_pair_test_pair_close(&w.p);
}

/* The peer has disappeared. */
static void silence_ends_in_a_time_out(void **state)
{
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	assert_int_equal(wqe_test_modify(&w, B, QP_ERR), 0);
	wqe_test_send_one(&w, 1, 8);
	wqe_test_send_one(&w, 2, 8);
	pair_run(&w.p, 10 * VSPAN_S);
	status_is(&w, 0, 1, STATUS_TIMEOUT);
	status_is(&w, 1, 2, STATUS_FLUSHED);
	assert_int_equal(wqe_test_stats_of(&w, A).tx_retx,
			 w.p.conf[A].max_rto_retx);
	core_pair_test_pair_close(&w.p);
}

/* Loses packet |nth| of those that carry read data; -1: all. */
struct data_loss {
	int nth, seen;
};

static struct fate lose_data(struct pair *p, unsigned from,
			     const struct dgram *d)
{
	const uint8_t opcode = d->data[0];
	struct data_loss *loss = p->ctx;
	struct fate f = {.copies = 1};

	(void)from;
	if (opcode < IB_WQE_READ_RESP_FIRST || opcode > IB_WQE_READ_RESP_ONLY)
		return f;
	if (loss->nth < 0 || loss->seen++ == loss->nth)
		f.copies = 0;
	return f;
}

/* Opens a pair whose network loses data of reads. */
static void wqe_test_open_losing(struct wqe_pair *w, struct data_loss *loss)
{
	wqe_test_wqe_conf(w);
	wqe_open(w);
	w->p.ctx = loss;
	w->p.fate = lose_data;
}

/*
 * WL-22: only the lost packets of an answer are requested, and nothing is
 * cached.
 */
static void only_the_lost_data_is_read_again(void **state)
{
	struct data_loss loss = {.nth = 2};
	struct wqe_pair w;

	(void)state;
	wqe_test_open_losing(&w, &loss);
	read_one(&w, 1, 100, 5 * MTU - 24);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_OK);
	wqe_test_assert_read(&w, 100, 5 * MTU - 24);
	assert_int_equal(seen_of(&w, A, IB_WQE_READ_REQ), 1);
	assert_int_equal(seen_of(&w, A, IB_WQE_RTX_IND), 1);
	assert_int_equal(wqe_test_stats_of(&w, B).tx_retx, 1);
	assert_int_equal(wqe_test_stats_of(&w, A).cache_peak, 0);
	core_pair_test_pair_close(&w.p);
}

static void wqe_test_connect_again(struct wqe_pair *w)
{
	static const enum qp_state states[] = {QP_RESET, QP_INIT, QP_RTR,
					       QP_RTS};

	for (unsigned n = 0; n < 4; n++)
		for (unsigned i = 0; i < 2; i++)
			assert_int_equal(wqe_test_modify(w, i, states[n]), 0);
}

/* The slots of the SQ still hold what the QP read before. */
static void a_qp_that_is_reset_asks_for_no_earlier_read(void **state)
{
	struct data_loss loss = {.nth = -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_open_losing(&w, &loss);
	for (uint32_t i = 0; i < 3; i++)
		read_one(&w, i, 0, 3 * MTU);
	pair_run(&w.p, VSPAN_MS);
	wqe_test_connect_again(&w);
	pair_forget(&w.p);
	loss = (struct data_loss){.nth = 1};
	read_one(&w, 4, 100, 8 * MTU);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 4, STATUS_OK);
	wqe_test_assert_read(&w, 100, 8 * MTU);
	assert_int_equal(pair_count(&w.p, A, EV_COMPLETION), 1);
	assert_int_equal(seen_of(&w, A, IB_WQE_RTX_IND), 1);
	assert_int_equal(wqe_test_stats_of(&w, B).tx_retx, 1);
	core_pair_test_pair_close(&w.p);
}

/* As many reads are in flight as a responder remembers. */
static void reads_wait_for_each_other(void **state)
{
	struct data_loss loss = {.nth = -1};
	struct wqe_pair w;

	(void)state;
	wqe_test_open_losing(&w, &loss);
	for (uint32_t i = 0; i < 40; i++)
		read_one(&w, i, i, 8);
	pair_run(&w.p, 30 * VSPAN_MS);
	assert_int_equal(seen_of(&w, A, IB_WQE_READ_REQ), 16);
	assert_int_equal(wqe_test_modify(&w, A, QP_ERR), 0);
	pair_run(&w.p, 30 * VSPAN_MS);
	assert_int_equal(pair_count(&w.p, A, EV_COMPLETION), 40);
	core_pair_test_pair_close(&w.p);
}

/* A whole answer must fit into the window. */
static void a_read_is_no_longer_than_the_window(void **state)
{
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	w.p.conf[A].wqe_window = w.p.conf[B].wqe_window = 8;
	wqe_open(&w);
	read_one(&w, 1, 0, 8 * MTU + 1);
	read_one(&w, 2, 0, 8 * MTU);
	read_one(&w, 3, 64, 8 * MTU);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_LOCAL_LENGTH);
	status_is(&w, 1, 2, STATUS_OK);
	status_is(&w, 2, 3, STATUS_OK);
	wqe_test_assert_read(&w, 64, 8 * MTU);
	core_pair_test_pair_close(&w.p);
}

static void local_errors_are_told(void **state)
{
	struct wqe_pair w;
	struct orc_op op = {.kind = OP_POST_SEND, .len = 8};

	(void)state;
	wqe_test_wqe_conf(&w);
	wqe_open(&w);
	op.vb.qpn = 0x999;
	assert_int_equal(wqe_test_ask(&w, A, op), ERR_VALUE);
	op.vb.qpn = w.qpn[A];
	op.vb.opcode = WR_ATOMIC;
	assert_int_equal(wqe_test_ask(&w, A, op), 0);
	op.vb.opcode = WR_SEND;
	op.len = (1 << 20) + 1;
	assert_int_equal(wqe_test_ask(&w, A, op), 0);
	pair_run(&w.p, VSPAN_MS);
	status_is(&w, 0, 0, STATUS_LOCAL_QP_OP);
	status_is(&w, 1, 0, STATUS_LOCAL_LENGTH);
	assert_int_equal(w.p.nseen, 0);
	assert_int_equal(wqe_test_modify(&w, A, QP_INIT), ERR_STATE);
	core_pair_test_pair_close(&w.p);
}

/* The first packet of the write never arrives. */
static struct fate lose_first(struct pair *p, unsigned from,
			      const struct dgram *d)
{
	const uint32_t *first = p->ctx;
	struct bth bth;

	bth_get(&bth, d->data);
	return (struct fate){.copies = from == B || bth.psn != *first};
}

/* Bytes that wait in the cache for an address are evicted after T_cache. */
static void a_cache_is_kept_for_its_time(void **state)
{
	const vspan kept = 200 * VSPAN_MS;
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	w.p.conf[A].rto_init = VSPAN_S;
	w.p.conf[B].wqe_cache_time = kept;
	wqe_open(&w);
	pair_run(&w.p, VSPAN_S);
	w.p.fate = lose_first;
	w.p.ctx = &w.first;
	write_one(&w, 1, RKEY, 0, 2 * MTU);
	pair_run(&w.p, kept);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, 2 * MTU);
	pair_run(&w.p, 2 * w.p.conf[B].wqe_again);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, 0);
	core_pair_test_pair_close(&w.p);
}

static void with_family(struct wqe_pair *w, enum family family)
{
	wqe_test_wqe_conf(w);
	for (unsigned i = 0; i < 2; i++) {
		w->p.conf[i].family = family;
		w->p.conf[i].wqe_gbn = family == FAMILY_ROCE;
	}
}

/* A send of three packets across the wrap of the PSNs, and a write. */
static void a_receive_says_what_came(void **state)
{
	static const enum family families[] = {FAMILY_WQE, FAMILY_ROCE};
	const enum wr_opcode opcodes[] = {WR_SEND, WR_WRITE};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		const struct orc_event *ev;
		struct wqe_pair w;

		with_family(&w, families[i / 2]);
		w.first = 0xffffff;
		wqe_open(&w);
		recv_n(&w, 3 * MTU, 1);
		assert_int_equal(
			wqe_test_ask(
				&w, A,
				(struct orc_op){.kind = OP_POST_SEND,
						.handle = 1,
						.len = 2 * MTU + 5,
						.key = RKEY,
						.vb = {.qpn = w.qpn[A],
						       .opcode = opcodes[i % 2],
						       .imm = 0x12345678,
						       .with_imm = true}}),
			0);
		pair_run(&w.p, VSPAN_S);
		status_is(&w, 0, 1, STATUS_OK);
		ev = pair_event(&w.p, B, EV_RECV, 0);
		assert_int_equal(ev->orig_psn, 1); /* of the last packet */
		assert_int_equal(ev->len, 2 * MTU + 5);
		assert_int_equal(ev->src_qp, w.qpn[A]);
		assert_int_equal(ev->imm, 0x12345678);
		assert_true(ev->with_imm);
		core_pair_test_pair_close(&w.p);
	}
}

/* The responder's limit is less than that of the requester. */
static void the_longest_message_is_accepted(void **state)
{
	static const enum wr_opcode opcodes[] = {WR_SEND, WR_WRITE, WR_READ};
	const uint32_t most = 3000;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		struct wqe_pair w;

		wqe_test_wqe_conf(&w);
		w.p.conf[B].wqe_max_len = most;
		wqe_open(&w);
		recv_n(&w, 4 * MTU, 1);
		wqe_test_post_one(&w, opcodes[i / 2], 1, RKEY, 0, most + i % 2);
		pair_run(&w.p, 100 * VSPAN_S);
		status_is(&w, 0, 1, i % 2 ? STATUS_REMOTE_INVALID : STATUS_OK);
		assert_int_equal(wqe_test_stats_of(&w, B).delivered,
				 i % 2 == 0);
		core_pair_test_pair_close(&w.p);
	}
}

/* RoCEv2: a write fits in its memory, or does not; a read has a limit. */
static void the_longest_read_is_answered(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct wqe_pair w;

		with_family(&w, FAMILY_ROCE);
		w.p.conf[B].wqe_max_len = 3000;
		wqe_open(&w);
		read_one(&w, 1, 0, 3000 + i);
		pair_run(&w.p, VSPAN_S);
		status_is(&w, 0, 1, i ? STATUS_REMOTE_INVALID : STATUS_OK);
		core_pair_test_pair_close(&w.p);
	}
}

static void some_packets_ask_for_an_ack(void **state)
{
	struct wqe_pair w;

	(void)state;
	wqe_test_wqe_conf(&w);
	w.p.conf[A].wqe_ack_every = 2;
	wqe_open(&w);
	write_one(&w, 1, RKEY, 0, 5 * MTU);
	pair_run(&w.p, VSPAN_S);
	status_is(&w, 0, 1, STATUS_OK);
	assert_int_equal(wqe_test_stats_of(&w, B).tx_ack,
			 3); /* packets 2, 4, and the last */
	core_pair_test_pair_close(&w.p);
}

/* ---- Chance ---- */

struct chaos {
	struct rng rng;
	uint32_t loss, copies; /* per 1000 */
	vspan reorder;
};

static struct fate chaos_fate(struct pair *p, unsigned from,
			      const struct dgram *d)
{
	struct chaos *c = p->ctx;
	struct fate f = {.copies = 1};

	(void)from;
	(void)d;
	if (rng_below(&c->rng, 1000) < c->loss)
		f.copies = 0;
	else if (rng_below(&c->rng, 1000) < c->copies)
		f.copies = 2;
	if (c->reorder)
		f.delay = (vspan)rng_below(&c->rng, (uint32_t)c->reorder);
	return f;
}

#define MESSAGES 60

/*
 * Random work over a lossy link: everything arrives once, in order, within
 * bounds.
 */
static void run_chaos(uint64_t seed, bool gbn, enum family family)
{
	struct chaos c = {.rng = {seed}};
	struct wqe_pair w;
	uint32_t lens[MESSAGES], sends = 0;

	wqe_test_wqe_conf(&w);
	w.first = seed % 3 ? (uint32_t)(0xffffff - seed % 40) : 10;
	for (unsigned i = 0; i < 2; i++) {
		w.p.conf[i].max_rto_retx = 1000;
		w.p.conf[i].family = family;
		w.p.conf[i].wqe_gbn = gbn;
		w.p.conf[i].wqe_bitmap = seed & 1;
		w.p.conf[i].wqe_window = 8u << seed % 5;
		w.p.conf[i].wqe_cache_max =
			seed % 4 ? (uint32_t)(seed % 4) * 3000 : 1 << 20;
		w.p.conf[i].wqe_max_ooo = seed % 5 ? 64 : 1;
		w.p.conf[i].wqe_in_order = seed % 7 == 0;
		w.p.conf[i].wqe_ack_every = (uint32_t)(seed % 3);
		w.p.conf[i].wqe_cache_time = seed % 2 ? VSPAN_S : 50 * VSPAN_MS;
	}
	wqe_open(&w);
	c.loss = rng_below(&c.rng, 300);
	c.copies = rng_below(&c.rng, 300);
	c.reorder = seed % 2 ? 0 : 500 * VSPAN_US;
	w.p.fate = chaos_fate;
	w.p.ctx = &c;
	recv_n(&w, 8 * MTU, MESSAGES);
	for (uint32_t i = 0; i < MESSAGES; i++) {
		lens[i] = rng_below(&c.rng, 6 * MTU);
		if (i == MESSAGES - 1 || !rng_below(&c.rng, 4)) {
			read_one(&w, i, REGION / 2, lens[i]);
			continue;
		}
		if (rng_below(&c.rng, 2)) {
			write_one(&w, i, RKEY, rng_below(&c.rng, 8 * MTU),
				  lens[i]);
			continue;
		}
		wqe_test_send_one(&w, i, lens[i]);
		lens[sends++] = lens[i];
	}
	pair_run(&w.p, 1000 * VSPAN_S);
	assert_int_equal(pair_count(&w.p, A, EV_COMPLETION), MESSAGES);
	for (uint32_t i = 0; i < MESSAGES; i++)
		status_is(&w, i, i, STATUS_OK);
	wqe_test_assert_read(&w, REGION / 2, lens[MESSAGES - 1]);
	assert_int_equal(pair_count(&w.p, B, EV_RECV), sends);
	for (uint32_t i = 0; i < sends; i++)
		assert_int_equal(pair_event(&w.p, B, EV_RECV, i)->len, lens[i]);
	assert_int_equal(wqe_test_stats_of(&w, B).cache_bytes, 0);
	assert_true(wqe_test_stats_of(&w, B).cache_peak <=
		    w.p.conf[B].wqe_cache_max);
	core_pair_test_pair_close(&w.p);
}

static void all_arrives_over_a_bad_link(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++)
		run_chaos(seed, false, FAMILY_WQE);
}

static void and_by_go_back_n(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++)
		run_chaos(seed, true, FAMILY_WQE);
}

/* The same with plain RoCEv2. */
static void and_without_the_extension(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++)
		run_chaos(seed, true, FAMILY_ROCE);
}

/*
 * WL-20: one loss costs one packet with selective retransmission, and all later
 * packets with go-back-N.
 */
static void selective_repeats_fewer(void **state)
{
	static const int lost[] = {10, -1};
	uint64_t repeats[2];

	(void)state;
	for (unsigned gbn = 0; gbn < 2; gbn++) {
		struct wqe_pair w;

		wqe_test_wqe_conf(&w);
		w.p.conf[A].wqe_gbn = w.p.conf[B].wqe_gbn = gbn;
		wqe_open(&w);
		w.p.fate = pair_lose;
		w.p.ctx = (void *)(uintptr_t)lost;
		write_one(&w, 1, RKEY, 0, 64 * MTU);
		pair_run(&w.p, VSPAN_S);
		status_is(&w, 0, 1, STATUS_OK);
		repeats[gbn] = wqe_test_stats_of(&w, A).tx_retx;
		core_pair_test_pair_close(&w.p);
	}
	assert_int_equal(repeats[0], 1);
	assert_int_equal(repeats[1], 54);
}

/*
 * IBTA: code 0 means 655.36 ms, code 1 10 us; each second code doubles the
 * time, and between 2^n and 2^(n+1) lies 3 * 2^(n-1).
 */
static vspan rnr_time_of(uint32_t code)
{
	const vspan unit = 10 * VSPAN_US;

	if (code < 2)
		return code ? unit : unit << 16;
	return code % 2 ? (unit * 3 << code / 2) / 2 : unit << code / 2;
}

/* Returns when the |nth| packet of a side was sent. */
static vtime wqe_test_sent_at(const struct wqe_pair *w, unsigned from,
			      unsigned nth)
{
	for (size_t i = 0; i < w->p.nseen; i++)
		if (w->p.seen[i].from == from && !nth--)
			return w->p.seen[i].at;
	fail();
	return 0;
}

static void each_rnr_code_is_waited_for(void **state)
{
	(void)state;
	for (uint32_t code = 0; code < 32; code++) {
		struct wqe_pair w;
		vtime refused;

		wqe_test_wqe_conf(&w);
		w.p.conf[B].wqe_rnr_code = code;
		w.p.conf[A].wqe_rnr_retry = 1;
		wqe_open(&w);
		wqe_test_send_one(&w, 1, 64);
		pair_run(&w.p, VSPAN_S);
		refused = wqe_test_sent_at(&w, B, 0) + w.p.hop;
		assert_int_equal(wqe_test_sent_at(&w, A, 1) - refused,
				 rnr_time_of(code));
		core_pair_test_pair_close(&w.p);
	}
}

/* ---- Memory ---- */

static const struct orc_op meagre_ops[] = {
	{.handle = 1, .len = 2500, .key = RKEY, .vb.opcode = WR_WRITE},
	{.handle = 2, .len = 3000, .key = RKEY, .vb.opcode = WR_READ},
	{.handle = 3, .len = 2 * MTU, .vb.opcode = WR_SEND},
	{.handle = 4, .len = 9, .key = RKEY, .vb.opcode = WR_READ},
	{.handle = 5, .len = 9, .vb.opcode = WR_SEND},
};

enum { MEAGRE_OPS = sizeof(meagre_ops) / sizeof(meagre_ops[0]) };

/* Return: false if there is no memory for the operation. */
static bool wqe_test_takes(struct wqe_pair *w, unsigned side, enum op_kind kind,
			   struct orc_op op)
{
	int err;

	op.kind = kind;
	op.vb.qpn = w->qpn[side];
	err = wqe_test_ask(w, side, op);
	assert_true(!err || err == ERR_NOMEM);
	return !err;
}

/*
 * Each operation that is posted ends once, except one whose event has no
 * memory.  A refused one may end as well: its packet may have lacked memory.
 */
static void wqe_test_live_on_little(struct wqe_pair *w)
{
	const struct orc_op recv = {.len = 2 * MTU, .count = 2};
	unsigned ends[MEAGRE_OPS + 1] = {0}, posted[MEAGRE_OPS + 1] = {0};
	unsigned lost = 0;

	while (!wqe_test_takes(w, B, OP_POST_RECV, recv))
		;
	for (unsigned i = 0; i < MEAGRE_OPS; i++)
		posted[meagre_ops[i].handle] =
			wqe_test_takes(w, A, OP_POST_SEND, meagre_ops[i]);
	pair_run(&w->p, 2 * VSPAN_S);
	for (unsigned i = 0; i < pair_count(&w->p, A, EV_COMPLETION); i++) {
		const struct orc_event *ev =
			pair_event(&w->p, A, EV_COMPLETION, i);

		assert_int_equal(ev->status, STATUS_OK);
		ends[ev->handle]++;
	}
	for (unsigned handle = 1; handle <= MEAGRE_OPS; handle++) {
		assert_true(ends[handle] <= 1);
		lost += ends[handle] < posted[handle];
	}
	assert_true(lost <= 1);
}

/* Return: true if the run reached that allocation of a side. */
static bool wqe_test_refuse_one(enum family family, unsigned side, uint64_t n)
{
	static const int lost[] = {1, 4, -1};
	struct wqe_pair w;
	struct mem *m;
	bool reached;

	with_family(&w, family);
	wqe_open(&w);
	w.p.fate = pair_lose;
	w.p.ctx = (void *)(uintptr_t)lost;
	w.p.meagre = true;
	m = &((struct env *)w.p.end[side])->mem;
	m->fail_at = m->calls + n;
	wqe_test_live_on_little(&w);
	reached = m->calls >= m->fail_at;
	core_pair_test_pair_close(&w.p);
	return reached;
}

/*
 * Makes QPs and exposes memory.  Return: true if that allocation was reached.
 */
static bool wqe_test_refuse_made(enum family family, uint64_t n)
{
	const struct orc_op ops[] = {
		{.kind = OP_CREATE_QP, .vb = {.type = QP_RC, .depth = 8}},
		{.kind = OP_EXPOSE, .len = 64},
	};
	struct orc_conf conf;
	struct orc *o;
	bool reached;

	orc_conf_default(&conf);
	conf.family = family;
	conf.addr = ip_addr_v4(1);
	conf.wqe_window = 64;
	conf.wqe_gbn = family == FAMILY_ROCE;
	if (orc_make(&o, &conf, (struct mem){.fail_at = n}))
		return true;
	for (unsigned i = 0; i < 12; i++) {
		struct orc_op op = ops[i % 2];
		int err;

		op.key = i;
		err = orc_reference.post(o, &op, 0);
		assert_true(!err || err == ERR_NOMEM);
	}
	reached = ((struct env *)o)->mem.calls >= n;
	orc_reference.free(o);
	return reached;
}

static void a_qp_is_made_or_refused(void **state)
{
	static const enum family families[] = {FAMILY_WQE, FAMILY_ROCE};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t n = 1;

		while (wqe_test_refuse_made(families[i], n))
			n++;
		assert_true(n > 30);
	}
}

static void wqe_test_every_allocation_may_fail(void **state)
{
	static const enum family families[] = {FAMILY_WQE, FAMILY_ROCE};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		uint64_t n = 1;

		while (wqe_test_refuse_one(families[i / 2], i % 2, n))
			n++;
		assert_true(n > 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_link_asks_for_nothing),
		cmocka_unit_test(only_the_lost_packet_is_repeated),
		cmocka_unit_test(a_gap_is_new_after_half_of_all_psns),
		cmocka_unit_test(an_indication_names_as_many_as_it_may),
		cmocka_unit_test(what_was_asked_for_waits_its_time),
		cmocka_unit_test(
			a_write_without_its_first_packet_waits_in_a_cache),
		cmocka_unit_test(sends_take_receives_in_order),
		cmocka_unit_test(a_lost_wqe_is_asked_for_without_a_number),
		cmocka_unit_test(without_a_cache_it_still_ends),
		cmocka_unit_test(a_bad_key_writes_nothing),
		cmocka_unit_test(a_send_waits_for_a_receive),
		cmocka_unit_test(each_rnr_code_is_waited_for),
		cmocka_unit_test(silence_ends_in_a_time_out),
		cmocka_unit_test(only_the_lost_data_is_read_again),
		cmocka_unit_test(a_qp_that_is_reset_asks_for_no_earlier_read),
		cmocka_unit_test(reads_wait_for_each_other),
		cmocka_unit_test(a_read_is_no_longer_than_the_window),
		cmocka_unit_test(local_errors_are_told),
		cmocka_unit_test(a_cache_is_kept_for_its_time),
		cmocka_unit_test(a_receive_says_what_came),
		cmocka_unit_test(the_longest_message_is_accepted),
		cmocka_unit_test(the_longest_read_is_answered),
		cmocka_unit_test(some_packets_ask_for_an_ack),
		cmocka_unit_test(all_arrives_over_a_bad_link),
		cmocka_unit_test(and_by_go_back_n),
		cmocka_unit_test(and_without_the_extension),
		cmocka_unit_test(selective_repeats_fewer),
		cmocka_unit_test(a_qp_is_made_or_refused),
		cmocka_unit_test(wqe_test_every_allocation_may_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
