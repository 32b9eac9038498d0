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
#include "wire/packet_layout.h"

#define RUN_WATCHES  16
#define RUN_RULES    64
#define RUN_FINDINGS 16
#define RUN_EXPOSED  4       /* regions of memory */
#define RUN_REFUSED  16      /* refused operations of a case */
#define RUN_SETUP_OP 1000000 /* handles of posts in fragments start here */

/* A packet of the DUT that no line has read yet. */
struct inbox {
	size_t index; /* of its entry in the record */
	vtime at;     /* time at the tester */
};

struct run_watch {
	const struct step *step;
	bool until_next;
};

struct run_check {
	const struct step *step;
	uint8_t hand; /* the PDC to which its literals refer */
};

/* The data of an impairment's callbacks. */
struct rule_ctx {
	struct runner *r;
	const struct step *step;
	size_t from; /* the entry of the record at which the rule began */
	bool passed; /* HOLD: a packet passed, as the rule was over before */
};

/* Operations and memory posted to the device since its last reset. */
struct run_posted {
	struct orc_op *ops;
	size_t n, size;
	struct {
		uint64_t key, start;
		uint32_t len;
	} exposed[RUN_EXPOSED];
	size_t nexposed;
	size_t from;       /* first entry of the record since the reset */
	size_t from_event; /* first event since the reset */
};

/*
 * Memory of the device as content/ knows it.  A case that runs again with the
 * same seed begins with the same bytes, so that only those are restored that
 * changed.
 */
struct content_region {
	uint64_t seed, key,
		start; /* |start| is the offset of the region's first byte */
	size_t len;
	bool known; /* at first it has the bytes of a pattern */
	uint8_t *bytes, *state;
	size_t from, to; /* the range that contains all changes */
};

enum flow_control {
	RUN_ON,
	RUN_STOP,
};

#define FLIGHT_PSNS_MAX 1024 /* a power of 2, MP_RANGE of most devices */

/* The flights of a case (flight.h). */
struct flight {
	/* the last flight: its entries are on |line|, from |from| to |to| */
	unsigned line;
	size_t from, to;
	bool known;    /* the first flight is over: |path|, |gapless| are set */
	uint16_t path; /* entropy of the first flight's first packet */
	bool answered; /* |newest| is set */
	uint32_t newest;  /* newest PSN among answered packets */
	uint32_t gapless; /* PSNs up to this were acknowledged, all of them */
	bool acked[FLIGHT_PSNS_MAX]; /* of the PSNs behind it, modulo the size
				      */
};

struct runner {
	struct dut *dut;
	const struct decl *decl;
	struct judge *judge; /* judges the DUT, at the DUT's end of the link */
	struct judge
		*mirror; /* judges what the case sends, at the tester's end */
	/* where a result of |rec| may stand: its index, to be checked */
	uint16_t req_at[REQ_COUNT][REQ_BOTH + 1];
	struct judge_conf
		declared; /* configuration of |judge|: the declaration, changed
			     by "configure" lines */
	struct imp *imp;
	struct scope scope;
	/* ids in use on a device that is never reset */
	struct scope_taken taken;
	uint32_t earlier;      /* new requests on PDCs of earlier cases */
	uint32_t icrc_dropped; /* packets of the DUT with a wrong ICRC */

	/* the current run */
	const struct test_case *test_case;
	const struct run_conf *conf;
	struct record *rec;
	vtime end;       /* time-out of the case */
	vtime last_at;   /* time of the previous rung */
	vtime before_at; /* |last_at| before an impairment released that rung */
	vtime never_at;  /* |last_at| that a "never" line left by its waiting */
	vtime awake_at;  /* time at which the tester last had the processor */
	bool held;       /* an impairment holds the last packet sent */
	size_t last_tx;
	uint32_t frame;
	struct flight flight;
	bool again; /* the lines of "each packet of" have run before */
	bool setup; /* the current step belongs to a fragment */
	enum rec_phase phase;
	bool asks_close; /* it waits for a Close Request of the device */
	bool last_done;  /* the last line of the case itself was executed */
	const struct step *own_first,
		*own_last; /* first and last line of the case itself */
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
	struct run_check *checks; /* reports to count at the end of the case */
	size_t nchecks, checks_size;
	struct rule_ctx rules[RUN_RULES];
	size_t nrules;

	struct {
		bool unread;   /* no report shows yet that the DUT has read the
				  tester's last answer */
		vtime sent_at; /* time of that answer */
		vtime completed_at; /* time of the last completion */
		uint64_t psn;       /* the PSN that it acknowledges */
		bool is_ack; /* the answer covers PSNs of |pdc| up to |cack| */
		uint32_t cack;
		uint8_t pdc;
		uint64_t psns_seen; /* how many PSNs came before the answer */
		uint32_t due;       /* operations without a report so far */
		bool unreported;    /* since the last request: an operation that
				       never reports a completion */
	} order;

	/* the Start_PSN that the case needs (run_start.c) */
	struct {
		bool wanted;
		bool told;  /* a SYN that began elsewhere was refused */
		bool taken; /* the DUT began there */
		uint32_t psn;
		uint64_t pdcid; /* of that PDC, at the DUT */
	} start;

	uint64_t ctl_id; /* id of the last request */
	bool ctl_answered;
	struct ctl_ans answer;
	uint32_t op, setup_op;         /* the last handles assigned */
	uint32_t refused[RUN_REFUSED]; /* handles of refused operations */
	size_t nrefused;
	uint64_t restarts; /* restarts of the device within the case */
	struct run_posted posted;
	struct content_region regions[RUN_EXPOSED];
	struct packet_plans plans; /* of the packets that lines send */
	uint32_t exposed;          /* length in the last "post expose" line */

	bool spoke;   /* the DUT sent something in this case */
	bool by_hand; /* bridged: another program starts the operation */
	bool gone;
	char gone_text[200];
	bool window_moves; /* by "setting cc_policy" of the declaration */
	bool wireless; /* SRD tested by its verbs: no line of the chair matches
			  a packet */
	bool shaken;   /* the case continued after a deviation with uncertain
			  state: a missing packet proves nothing from then on */
	bool stopped;  /* a verdict other than pass is settled */
	bool timed_out, interrupted;
	uint64_t repeats; /* repetitions by the device that were noted */

	/* large, so not on the stack */
	struct dut_event ev;
	struct dgram out;
	struct dgram seen; /* head of a datagram for the mirror */
	struct imp_out imp_out;
	struct ctl_req ctl;
	struct text expected, actual, line;
	struct finding found[RUN_FINDINGS];
};

/*
 * How a case continues after a deviation: not at all; with the state of both
 * ends certain; or as far as possible.  In the last case later findings are
 * consequences, but observations count.
 */
enum over {
	OVER_NOT,
	OVER_SHAKEN,
	OVER_CERTAIN,
};

/* The fault that a line found; its texts may be "". */
struct flaw {
	const struct step *step;
	enum fail_kind kind;
	vspan unread;   /* so late a reader explains it; 0: no delay does */
	uint32_t frame; /* 0: none */
	const struct blame *what; /* the differing items */
	const char *expected, *actual;
	enum over over;
	bool live;    /* the texts contain live numbers */
	bool content; /* the comparison of contents found it */
	bool refused; /* the packet refuses a request that should succeed */
};

#endif
