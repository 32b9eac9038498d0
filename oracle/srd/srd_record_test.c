/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_record_test.c -- compares drawn runs of SRD with the record.
 */
#include "oracle/record_spoil_test.h"
#include "oracle/record_verbs_test.h"
#include "oracle/srd/srd_state.h"
#include "wire/ib/icrc.h"

#define CHOICE       RECORD_CHOICE
#define FLAG(member) CHOICE(member, 2, 0, 1)

static const struct record_choice srd_record_test_choices[] = {
	CHOICE(mtu, 5, 1024, 64, 65, 4096, 9000),
	CHOICE(icrc, 3, ICRC_OFF, ICRC_SOCK, ICRC_STRICT),
	CHOICE(rto_init, 4, 5 * VSPAN_MS, 300 * VSPAN_US, VSPAN_MS, 1),
	CHOICE(rto_max, 3, 8 * VSPAN_S, 5 * VSPAN_MS, 40 * VSPAN_MS),
	CHOICE(srd_window, 4, 8192, 64, 65, 127),
	CHOICE(srd_paths, 5, 16, 1, 2, 3, 256),
	CHOICE(srd_unresponsive, 4, VSPAN_S, VSPAN_MS, 20 * VSPAN_MS, 1),
	FLAG(srd_give_up),
	CHOICE(srd_idle, 4, 30 * VSPAN_S, VSPAN_MS, 20 * VSPAN_MS, 1),
	CHOICE(srd_gc, 4, 120 * VSPAN_S, 0, 3 * VSPAN_MS, 30 * VSPAN_MS),
	CHOICE(srd_max_ctx, 4, 65536, 1, 2, 3),
	FLAG(srd_sqe),
	FLAG(srd_fast),
	CHOICE(srd_rtt_weight, 4, 8, 1, 2, 1024),
	CHOICE(srd_dev_weight, 4, 4, 1, 2, 1024),
	CHOICE(srd_dev_factor, 4, 4, 0, 1, 1024),
	CHOICE(srd_coalesce, 5, 0, 1, 2, 3, 16),
	CHOICE(path_choice, 3, 0, 1, 2),
	CHOICE(path_rest, 3, 0, VSPAN_MS, 10 * VSPAN_MS),
	CHOICE(start_psn, 4, 0, 10, 0xfffff0, 0xfffffe),
	CHOICE(dscp_data, 2, 0, 63),
	CHOICE(dscp_control, 2, 46, 1),
	CHOICE(events, 2, 0, 1 << EV_COMPLETION),
};

static void srd_record_test_settle(struct record_run *r)
{
	record_settle_verbs(r);
	for (unsigned i = 0; i < RECORD_ENDS; i++)
		r->conf[i].start_psn_fixed = r->conf[0].start_psn != 0;
}

static void srd_record_test_play(struct record_run *r)
{
	record_play_verbs(r, QP_SRD);
}

/* The next numbers are the last ones. */
static void srd_record_test_age(struct record_run *r, unsigned side)
{
	struct srd *s = (void *)r->end[side];

	if (s->next_qpn < QPN_MAX / 2)
		s->next_qpn = QPN_MAX - 1;
	if (s->next_ctx < UINT32_MAX / 2)
		s->next_ctx = UINT32_MAX - 1;
}

/* A free place of a QP, and what a QP in RESET does not keep. */
static void srd_record_test_spoil_qp(struct srd_qp *qp)
{
	const struct srd_qp was = *qp;

	record_spoil_receives(&qp->rq);
	if (!qp->used) {
		memset(qp, RECORD_DIRT, sizeof(*qp));
		qp->used = false;
		qp->rq.v = was.rq.v;
	} else if (qp->state == QP_RESET) {
		qp->qkey = RECORD_DIRT;
	}
}

/* A use does not depend on what had its place before. */
static void srd_record_test_spoil(struct record_run *r)
{
	for (unsigned side = 0; side < RECORD_ENDS; side++) {
		const struct srd *s = (const void *)r->end[side];

		for (size_t i = 0; i < s->nqps; i++)
			srd_record_test_spoil_qp(&s->qps[i]);
		for (size_t i = 0; i < s->ahs_cap; i++)
			if (s->ahs[i])
				record_spoil_inflight(&s->ahs[i]->fl);
		record_spoil_rings(&s->env.mem);
		for (struct srd_wr *wr = s->spare; wr;) {
			struct srd_wr *next = wr->next;

			memset(wr, RECORD_DIRT, sizeof(*wr));
			wr->next = next;
			wr = next;
		}
	}
}

static void srd_runs_are_as_recorded(void **state)
{
	const struct record_family srd = {
		.file = "tests/golden/srd_record_golden.txt",
		.family = FAMILY_SRD,
		.runs = 2000,
		.choices = srd_record_test_choices,
		.nchoices = sizeof(srd_record_test_choices) /
			    sizeof(srd_record_test_choices[0]),
		.settle = srd_record_test_settle,
		.play = srd_record_test_play,
		.age = srd_record_test_age,
		.spoil = srd_record_test_spoil,
	};

	(void)state;
	record_check(&srd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(srd_runs_are_as_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
