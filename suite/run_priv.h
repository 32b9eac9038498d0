/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run_priv.h -- the runner's parts, for run*.c only.
 *
 *	run.c         a case from start to verdict
 *	run_blame.c   findings, and which requirement they concern
 *	run_over.c    deviations behind which a case goes on
 *	run_cause.c   the deviation of a case, and what follows from it
 *	run_link.c    time passes: packets, answers, events come in and go out
 *	run_expect.c  the lines that look: <, acked, never, any, one
 *	run_control.c the lines that speak to the SES side: post, respond, ...
 *	run_verbs.c   and to the verbs of SRD
 *	run_srd.c     what a device of that family may send unasked
 *	run_wqe.c     and one of the WQE extension
 */
#ifndef SUITE_RUN_PRIV_H
#define SUITE_RUN_PRIV_H

#include "gen/impair.h"
#include "judge/judge.h"
#include "suite/blame.h"
#include "suite/deviation.h"
#include "suite/run.h"
#include "suite/scope.h"

#define RUN_WATCHES  16
#define RUN_CHECKS   64
#define RUN_RULES    64
#define RUN_FINDINGS 16
#define RUN_SETUP_OP 1000000 /* handles of posts in fragments start here */

/* A packet of the DUT that no line has looked at yet. */
struct inbox {
	size_t index; /* of the record's entry */
	vtime at;     /* when it reached the tester */
};

struct watch {
	const struct step *step;
	bool until_next;
};

/* What an impairment's callbacks need. */
struct rule_ctx {
	struct runner *r;
	const struct step *step;
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
	struct scope_taken taken; /* of a device that nobody resets */

	/* the run in hand */
	const struct kase *kase;
	const struct run_conf *conf;
	struct record *rec;
	vtime end;       /* the case's time-out */
	vtime last_at;   /* of the rung before */
	vtime before_at; /* the same before an impairment let that rung go */
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
	struct watch watches[RUN_WATCHES];
	size_t nwatches;
	struct {
		const struct step *step;
		uint8_t hand; /* the PDC whose numbers its literals are */
	} checks[RUN_CHECKS]; /* reports to count at the end */
	size_t nchecks;
	struct rule_ctx rules[RUN_RULES];
	size_t nrules;

	uint64_t ctl_id; /* of the last request */
	bool ctl_answered;
	struct ctl_ans answer;
	uint32_t op, setup_op; /* handles given out */
	uint64_t restarts;     /* of the device, in mid-case */

	bool spoke;   /* the DUT sent something in this case */
	bool by_hand; /* bridged: somebody else is to have it begin */
	bool gone;
	char gone_text[200];
	bool wireless; /* SRD by its verbs: no line of the chair meets a
			  packet */
	bool stopped;  /* a verdict other than pass is settled */
	bool timed_out, interrupted;
	uint64_t repeats; /* of the device's packets, that were told */

	/* big ones, kept off the stack */
	struct dut_event ev;
	struct dgram out;
	struct dgram seen; /* head only: what the mirror is told */
	struct imp_out imp_out;
	struct ctl_req ctl;
	struct text expected, actual, line;
	struct finding found[RUN_FINDINGS];
};

/* run.c */

/*
 * run_settle settles the verdict of a reason; the first but a pass stays.  In a
 * closing fragment it concerns that alone, unless rung itself is at fault.
 */
__attribute__((format(printf, 3, 4))) void
run_settle(struct runner *r, enum reason reason, const char *fmt, ...);

/* run_steps runs a list of steps. */
enum flow_control run_steps(struct runner *r, const struct step *first);

/* run_stimulus names the last stimulus, for messages. */
const char *run_stimulus(struct runner *r);

/* run_blame.c */

/* What a line found wrong; the texts may be "". */
struct flaw {
	const struct step *step;
	enum fail_kind kind;
	uint32_t frame;           /* 0: none */
	const struct blame *what; /* what differs */
	const char *expected, *actual;
	bool over; /* the case goes on behind it */
};

/*
 * run_split returns whether the DUT has its messages on several PDCs, which the
 * line was not written for; the case is not applicable then.
 */
bool run_split(struct runner *r, unsigned line, const char *text);

/*
 * run_finding gives each item that differs to the requirement that governs it,
 * and counts the other ids of the line by their own fields.
 * Return: a must is broken, so that the case is over.
 */
bool run_finding(struct runner *r, const struct flaw *flaw, const char *fmt,
		 ...) __attribute__((format(printf, 3, 4)));

/* run_over.c */

/* over_known is the deviation of the declaration that covers an item of a frame
 * (0: of none), or NULL. */
const struct deviation *over_known(const struct runner *r, const char *item,
				   uint32_t frame);

/*
 * over_packet says whether the case can go on behind a packet of the record
 * that differs from a line in |what|, as if the line had been met.
 */
bool over_packet(const struct runner *r, size_t index,
		 const struct blame *what);

/* over_forbidden says so of a packet that must not come; lines then pass over
 * it. */
bool over_forbidden(struct runner *r, size_t index, const char *item);

/* over_missing says so of a packet that did not come, over_report of a report
 * that differs. */
bool over_missing(const struct runner *r, const struct step *step,
		  const char *item);
bool over_report(const struct runner *r, const struct step *step,
		 const char *item);

/*
 * run_only_remarks says whether a packet of the kind that the line asks for
 * differs in what only remarks govern: the case goes on as if it were right.
 */
bool run_only_remarks(const struct runner *r, const struct step *step,
		      const struct blame *what);

/* run_event does so for the one item CLASS.WORD. */
bool run_event(struct runner *r, const struct flaw *flaw, const char *class,
	       const char *word, const char *text);

/*
 * run_judged takes what the monitors said of one packet, or at the end.  Of two
 * that say the same of one field the narrower one counts.
 */
void run_judged(struct runner *r, const struct finding *f, size_t n);

/* run_observed notes that a line's requirements were looked at and held. */
void run_observed(struct runner *r, const struct step *step, bool wire,
		  bool control);
void run_req(struct runner *r, enum req_id id, enum req_role role, bool wire,
	     bool control, bool failed);

/* run_hidden: the case ended at a deviation, all else was not reached. */
void run_hidden(struct runner *r);

/* run_causes marks the findings that follow from an earlier one. */
void run_causes(struct runner *r);

/* run_account settles what each requirement owes to the case. */
void run_account(struct record *rec);

/* run_link.c */

/* Why a retransmission after a full RTO needs neither a line nor a NACK. */
extern const char run_timer_repeat[];

/*
 * link_pump lets time pass until something new came in or |until| is reached.
 * Return: true if there may be something new, false if time is up or the run
 *         has to stop.
 */
bool link_pump(struct runner *r, vtime until);

/*
 * link_measure notes how late the tester was for itself: to wake up, to look at
 * what had come, to go on when it was awake.  That counts into every limit.  If
 * it was later than a timer of the device may be early, or than |most|, the
 * device may have acted on that.
 */
void link_measure(struct runner *r, vtime due, vspan most);

/* link_send pushes r->out towards the DUT, for the step in hand. */
enum flow_control link_send(struct runner *r, const struct step *step);

/* link_judged makes findings of the case of r->found, if they are the DUT's. */
void link_judged(struct runner *r, size_t n);

/*
 * link_mirror shows the tester's own judge a packet, as the tester sent or took
 * it.  A rule that the tester breaks without a "violates" is the case's fault.
 */
void link_mirror(struct runner *r, size_t index);

/* link_doubts takes over what the device has counted of its link. */
void link_doubts(struct runner *r);

/* link_left_out notes that there were more findings than are kept. */
void link_left_out(struct runner *r);

/* link_peek is the oldest packet not looked at, waiting until |until|. */
struct inbox *link_peek(struct runner *r, vtime until);
void link_take(struct runner *r);

/* run_expect.c */
enum flow_control expect_step(struct runner *r, const struct step *step);
enum flow_control expect_acked(struct runner *r, const struct step *step);
enum flow_control expect_never(struct runner *r, const struct step *step);
enum flow_control expect_any(struct runner *r, const struct step *step);
enum flow_control expect_one(struct runner *r, const struct step *step);
void expect_watch(struct runner *r, const struct inbox *in);

/* run.c */

vspan run_rto_tolerance(const struct decl *decl, vspan rto);

/* run_control.c */

/* control_prepare exposes the declared memory, for cases that read or write. */
enum flow_control control_prepare(struct runner *r);
enum flow_control control_post(struct runner *r, const struct step *step);
enum flow_control control_configure(struct runner *r, const struct step *step);
enum flow_control control_respond(struct runner *r, const struct step *step);
enum flow_control control_report(struct runner *r, const struct step *step);
void control_checks(struct runner *r);

/* run_verbs.c */

/* verbs_param sets a parameter of a post line; false: it is none of these. */
bool verbs_param(struct orc_op *op, const char *key, uint64_t v);
void verbs_defaults(struct runner *r, struct orc_op *op);

/* verbs_has_handle: its posts are counted, for "completed op=N". */
bool verbs_has_handle(enum op_kind kind);

/* verbs_answered takes what a verb gave back, or refused. */
enum flow_control verbs_answered(struct runner *r, const struct step *step);

/* verbs_digest compares memory of the device: "post mem_digest". */
enum flow_control verbs_digest(struct runner *r, const struct step *step);

/* verbs_stats compares counters that the device may have: "post stats". */
enum flow_control verbs_stats(struct runner *r, const struct step *step);

/* verbs_event_fits compares a key of a report: 1, 0, or -1: no such key. */
int verbs_event_fits(const struct orc_event *ev, const char *key, uint64_t v);

/* run_srd.c */

/* srd_allowance is why no line has to name a packet (record entry), or NULL. */
const char *srd_allowance(struct runner *r, size_t index);

/* run_wqe.c: the same of the WQE extension. */
const char *wqe_allowance(struct runner *r, size_t index);

/* run_control.c */

/* control_event looks at what no line asks for: the order of deliveries. */
void control_event(struct runner *r, const struct orc_event *ev);

#endif
