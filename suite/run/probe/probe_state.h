/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_state.h -- the state of a probe, shared by the files of
 * this folder.
 */
#ifndef SUITE_RUN_PROBE_PROBE_STATE_H
#define SUITE_RUN_PROBE_PROBE_STATE_H

#include "base/text.h"
#include "suite/decl/decl.h"
#include "suite/decl/owes.h"
#include "suite/run/probe/probe_outcome.h"
#include "suite/verdict/record.h"

#define TRIALS_MAX 96
#define HABITS_MAX 16

/* One stimulus: "read.medium" in a chair. */
struct probe_trial {
	char word[40];
	enum chair chair;
	enum probe_outcome outcome;
	char why[sizeof(
		((struct record *)0)->reason)]; /* why it was not shown */
	char broke[96]; /* the requirements that the monitors found violated */
};

/* The measured numbers; 0: not measured. */
struct measures {
	vspan rto, nack_time, clear_time, ack_time;
	unsigned max_rto_retx, max_nack_retx;
	uint32_t max_ack_data, mtu, mp_range;
	bool nack_endless; /* retransmitted as long as refused */
	struct text gtd_cause, error_cause;
};

struct probe {
	struct decl *open; /* the declaration for the stimuli */
	const struct decl *base;
	struct probe_trial trials[TRIALS_MAX];
	size_t ntrials;
	struct measures m;
	char habits[HABITS_MAX][sizeof(((struct rec_finding *)0)->what)];
	size_t nhabits; /* deviations seen in every stimulus */
	struct owes owes;
	bool answered;
	bool rud, rod, rudi; /* requests or answers of these modes were seen */
	size_t nacks, cc_acks; /* number of ACKs, and of those with CC fields */
};

#endif
