/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/run_state.h -- the state of a runner, which all files of the
 * runner share.
 */
#ifndef SUITE_RUN_RUN_STATE_H
#define SUITE_RUN_RUN_STATE_H

#include "gen/impair.h"
#include "judge/judge.h"
#include "suite/decl/deviation.h"
#include "suite/run/run_conf.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/blame.h"
#include "suite/verdict/record.h"

#define RUN_WATCHES  16
#define RUN_CHECKS   64
#define RUN_RULES    64
#define RUN_FINDINGS 16
#define RUN_EXPOSED  4       /* regions of memory */
#define RUN_SETUP_OP 1000000 /* handles of posts in fragments start here */

/* A packet of the DUT that no line has looked at yet. */
struct inbox {
	size_t index; /* of the record's entry */
	vtime at;     /* when it reached the tester */
};

struct run_watch {
	const struct step *step;
	bool until_next;
};

/* The data of an impairment's callbacks. */
struct rule_ctx {
	struct runner *r;
	const struct step *step;
};

/* Operations and memory that the device was asked for since its last reset. */
struct run_posted {
	struct orc_op *ops;
	size_t n, size;
	struct {
		uint64_t key, start;
		uint32_t len;
	} exposed[RUN_EXPOSED];
	size_t nexposed;
	size_t from;       /* first entry of the record since then */
	size_t from_event; /* first event since then */
};

enum flow_control {
	RUN_ON,
	RUN_STOP,
};

struct runner {
	struct dut *dut;
	const struct decl *decl;
	struct judge *judge;  /* at the DUT's end of the link: judges the DUT */
	struct judge *mirror; /* at the tester's end: what the case may do */
	struct judge_conf declared; /* to |judge|: the declaration, and then
				       what the case configures */
	struct imp *imp;
	struct scope scope;
	/* ids taken on a device that is never reset */
	struct scope_taken taken;

	/* the run in hand */
	const struct test_case *test_case;
	const struct run_conf *conf;
	struct record *rec;
	vtime end;       /* the case's time-out */
	vtime last_at;   /* of the rung before */
	vtime before_at; /* |last_at| before an impairment released that rung */
	vtime awake_at;  /* the tester had the processor then */
	bool held;       /* the last packet sent is held by an impairment */
	size_t last_tx;
	uint32_t frame;
	bool setup; /* the current step belongs to a fragment */
	enum rec_phase phase;
	bool last_done; /* the last line of the case itself */
	const struct step *own_first, *own_last; /* lines of the case itself */
	const struct step *step;
	const struct step *stimulus; /* the last line that made the DUT act */

	struct inbox *inbox;
	size_t inbox_head, inbox_n, inbox_size;
	struct inbox *outbox; /* bridged: what the other endpoint has sent */
	size_t outbox_head, outbox_n, outbox_size;
	struct orc_event *events;
	size_t nevents, events_size;
	struct run_watch watches[RUN_WATCHES];
	size_t nwatches;
	struct {
		const struct step *step;
		uint8_t hand; /* the PDC whose numbers its literals are */
	} checks[RUN_CHECKS]; /* reports to count at the end */
	size_t nchecks;
	struct rule_ctx rules[RUN_RULES];
	size_t nrules;

	struct {
		bool unread;   /* no report shows that the DUT read the answer
				  that the tester sent last */
		vtime sent_at; /* of that answer */
		vtime completed_at; /* of the last completion */
		bool all;           /* it leaves no request unacknowledged */
		uint64_t psn;       /* that it acknowledges */
		uint32_t due;    /* operations whose end is not reported yet */
		bool unreported; /* since the last request: an operation whose
				    end is never reported */
	} order;

	uint64_t ctl_id; /* of the last request */
	bool ctl_answered;
	struct ctl_ans answer;
	uint32_t op, setup_op; /* handles given out */
	uint64_t restarts;     /* of the device, in mid-case */
	struct run_posted posted;
	uint32_t exposed; /* bytes that the last post expose line named */

	bool spoke;   /* the DUT sent something in this case */
	bool by_hand; /* bridged: another program starts the operation */
	bool gone;
	char gone_text[200];
	bool wireless; /* SRD by its verbs: no line of the chair meets a
			  packet */
	bool shaken;   /* the case went on behind a deviation, as far as it
			  gets: absence proves nothing any more */
	bool stopped;  /* a verdict other than pass is settled */
	bool timed_out, interrupted;
	uint64_t repeats; /* of the device's packets, that were told */

	/* big ones, kept off the stack */
	struct dut_event ev;
	struct dgram out;
	struct dgram seen; /* head of the datagram that the mirror gets */
	struct imp_out imp_out;
	struct ctl_req ctl;
	struct text expected, actual, line;
	struct finding found[RUN_FINDINGS];
};

/*
 * How a case goes on behind a deviation: not at all; with both ends in a state
 * that is certain; or as far as it gets.  In the last case what is found later
 * is a consequence, and what is observed counts.
 */
enum over {
	OVER_NOT,
	OVER_SHAKEN,
	OVER_CERTAIN,
};

/* The fault that a line found; the texts may be "". */
struct flaw {
	const struct step *step;
	enum fail_kind kind;
	uint32_t frame;           /* 0: none */
	const struct blame *what; /* what differs */
	const char *expected, *actual;
	enum over over;
	bool live;    /* the texts have the numbers of the wire */
	bool content; /* the comparison of contents found it */
};

#endif
