/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_record_test.c -- compares drawn runs of the WQE extension and
 * of RoCEv2 with their records.
 */
#include "oracle/record_spoil_test.h"
#include "oracle/record_verbs_test.h"
#include "oracle/wqe/wqe_state.h"
#include "wire/ib/icrc.h"

#define CHOICE       RECORD_CHOICE
#define FLAG(member) CHOICE(member, 2, 0, 1)

#define CHOICES(mtus, ...)                                                   \
	CHOICE(mtu, mtus, __VA_ARGS__),                                      \
		CHOICE(icrc, 3, ICRC_OFF, ICRC_SOCK, ICRC_STRICT),           \
		CHOICE(rto_init, 4, 67 * VSPAN_MS, 300 * VSPAN_US,           \
		       4 * VSPAN_MS, 1),                                     \
		CHOICE(max_rto_retx, 5, 7, 0, 1, 2, 15),                     \
		CHOICE(wqe_window, 6, 4096, 1, 2, 3, 8, 64),                 \
		CHOICE(wqe_max_len, 5, 1 << 20, 1, 1024, 4096, 8191),        \
		CHOICE(wqe_rnr_code, 5, 12, 0, 1, 14, 31),                   \
		CHOICE(wqe_rnr_retry, 4, 7, 0, 1, 2),                        \
		CHOICE(wqe_ack_every, 5, 0, 1, 2, 3, 64),                    \
		CHOICE(dscp_data, 2, 0, 63), CHOICE(dscp_control, 2, 46, 1), \
		CHOICE(events, 2, 0, 1 << EV_COMPLETION)

static const struct record_choice wqe_record_test_choices[] = {
	CHOICES(5, 1024, 64, 256, 1000, 4096),
	CHOICE(wqe_cache_max, 6, 1 << 22, 0, 1, 1024, 3000, 8192),
	CHOICE(wqe_cache_device, 6, 1 << 24, 0, 1, 1024, 3000, 8192),
	CHOICE(wqe_cache_time, 4, VSPAN_S, VSPAN_MS, 100 * VSPAN_US, 0),
	CHOICE(wqe_max_ooo, 4, 64, 1, 2, 3),
	CHOICE(wqe_miss, 4, 2 * VSPAN_MS, 0, 100 * VSPAN_US, VSPAN_MS),
	CHOICE(wqe_again, 3, 20 * VSPAN_MS, VSPAN_MS, 100 * VSPAN_US),
	CHOICE(wqe_tail, 3, 40 * VSPAN_MS, VSPAN_MS, 200 * VSPAN_US),
	CHOICE(wqe_hold, 4, 10 * VSPAN_MS, 0, 100 * VSPAN_US, VSPAN_MS),
	FLAG(wqe_bitmap),
	CHOICE(wqe_ind_psns, 5, 0, 1, 2, 3, 64),
	FLAG(wqe_gbn),
	FLAG(wqe_in_order),
};

static const struct record_choice roce_choices[] = {
	CHOICES(5, 1024, 256, 512, 2048, 4096),
};

static void roce_settle(struct record_run *r)
{
	record_settle_verbs(r);
	for (unsigned i = 0; i < RECORD_ENDS; i++)
		r->conf[i].wqe_gbn = true;
}

static void wqe_record_test_play(struct record_run *r)
{
	record_play_verbs(r, QP_RC);
}

/* Both ends of a new connection have had nearly 2^24 WQEs. */
static void wqe_record_test_age(struct record_run *r, unsigned side)
{
	struct wqe *w = (void *)r->end[side];

	if (w->next_qpn < QPN_MAX / 2)
		w->next_qpn = QPN_MAX - 1;
	for (size_t i = 0; i < w->nqps; i++) {
		struct wqe_qp *qp = w->qps[i];

		if (qp && qp->state == QP_RTS && !qp->sq_sn && !qp->msn)
			qp->sq_sn = qp->msn = SERIAL24_MASK - 2;
	}
}

/* The slots of WQEs that are not posted, and of PSNs that were not sent. */
static void wqe_record_test_spoil_sq(struct wqe_qp *qp)
{
	const uint32_t window = qp->w->env.conf.wqe_window;
	const uint32_t sent = qp->sent_to - qp->una;

	for (uint32_t n = qp->sq_n; n < qp->depth && n < qp->sq_n + 8; n++)
		memset(wqe_wr_at(qp, n), RECORD_DIRT, sizeof(struct wqe_wr));
	for (uint32_t n = sent; n < window && n < sent + 64; n++)
		memset(&qp->sent[wqe_slot(qp, qp->una + n)], RECORD_DIRT,
		       sizeof(struct wqe_sent));
}

/* Members that a QP gets when it is connected and begins to send. */
static void wqe_record_test_spoil_reset(struct wqe_qp *qp)
{
	const uint32_t dirt = 0x01010101;

	qp->peer = ip_addr_v4(dirt);
	qp->dest_qp = dirt;
	qp->epsn = qp->high = qp->owed = qp->gaps_end = dirt;
	qp->una = qp->acked = qp->next = qp->sent_to = qp->end = dirt;
	qp->gap_at = qp->heard_at = qp->evicted_at = dirt;
	memset(qp->gaps, RECORD_DIRT,
	       qp->w->env.conf.wqe_window * sizeof(qp->gaps[0]));
}

/* A use does not depend on what had its place before. */
static void wqe_record_test_spoil(struct record_run *r)
{
	for (unsigned side = 0; side < RECORD_ENDS; side++) {
		const struct wqe *w = (const void *)r->end[side];

		for (size_t i = 0; i < w->nqps; i++) {
			struct wqe_qp *qp = w->qps[i];

			if (!qp)
				continue;
			record_spoil_receives(&qp->rq);
			wqe_record_test_spoil_sq(qp);
			if (qp->state == QP_RESET)
				wqe_record_test_spoil_reset(qp);
		}
	}
}

static void wqe_runs_are_as_recorded(void **state)
{
	const struct record_family wqe = {
		.file = "tests/golden/wqe_record_golden.txt",
		.family = FAMILY_WQE,
		.runs = 2000,
		.choices = wqe_record_test_choices,
		.nchoices = sizeof(wqe_record_test_choices) /
			    sizeof(wqe_record_test_choices[0]),
		.settle = record_settle_verbs,
		.play = wqe_record_test_play,
		.age = wqe_record_test_age,
		.spoil = wqe_record_test_spoil,
	};

	(void)state;
	record_check(&wqe);
}

static void roce_runs_are_as_recorded(void **state)
{
	const struct record_family roce = {
		.file = "tests/golden/roce_record_golden.txt",
		.family = FAMILY_ROCE,
		.runs = 1000,
		.choices = roce_choices,
		.nchoices = sizeof(roce_choices) / sizeof(roce_choices[0]),
		.settle = roce_settle,
		.play = wqe_record_test_play,
		.age = wqe_record_test_age,
		.spoil = wqe_record_test_spoil,
	};

	(void)state;
	record_check(&roce);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wqe_runs_are_as_recorded),
		cmocka_unit_test(roce_runs_are_as_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
