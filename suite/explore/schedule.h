/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/schedule.h -- two reference endpoints, a link that does what an
 * odometer says, and a judge at each end.
 *
 * A requests of B.  Each packet that an end sends is a decision: it passes, or
 * a fault befalls it.  A run is determined by its decisions alone.
 */
#ifndef SUITE_EXPLORE_SCHEDULE_H
#define SUITE_EXPLORE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "base/rng.h"
#include "base/text.h"
#include "judge/judge.h"
#include "oracle/oracle.h"
#include "suite/explore/draft.h"

#define ODOMETER_MAX 1024

/* All sequences of decisions, one after another. */
struct odometer {
	uint16_t v[ODOMETER_MAX], bound[ODOMETER_MAX];
	size_t n;
	size_t root;  /* decisions before it stay as they are */
	size_t at;    /* the next decision */
	size_t fixed; /* decisions before it were made by an earlier run too */
	struct rng *rng; /* new decisions are drawn; NULL: they are 0 */
};

/*
 * odometer_pick returns the next decision, 0 to bound - 1.  |rare|: most that
 * are drawn are 0.  Behind ODOMETER_MAX decisions it returns 0.
 */
unsigned odometer_pick(struct odometer *o, unsigned bound, bool rare);

/*
 * odometer_next moves on to the next sequence with the same |root| first
 * decisions. Return: false when all were made.
 */
bool odometer_next(struct odometer *o);

/* The faults of the link. */
enum schedule_fault {
	SCHEDULE_NONE,
	SCHEDULE_LOSE,
	SCHEDULE_DUPLICATE,
	/* it arrives behind those sent shortly after it, with a CE mark */
	SCHEDULE_REORDER,
	SCHEDULE_DELAY, /* it arrives after its sender's time-out */
	SCHEDULE_TRIM,  /* a switch trims a request of UET; others: no such */
	SCHEDULE_FAULTS,
};

/* The kinds of errors; their texts have numbers as well. */
enum schedule_what {
	SCHEDULE_MEMORY,
	SCHEDULE_FULL,
	SCHEDULE_REFUSED,
	SCHEDULE_STUCK,
	SCHEDULE_FAILED,
	SCHEDULE_COMPLETED,
	SCHEDULE_RECEIVED,
	SCHEDULE_FOUND, /* SCHEDULE_FOUND + 4 * row + role */
};

#define SCHEDULE_FLIGHTS  256
#define SCHEDULE_REQUESTS 8

struct schedule_flight {
	vtime at;
	unsigned to;
	uint64_t order, hash;
	struct dgram *d;
};

/* Hashes of states that a run has passed. */
struct schedule_states {
	uint64_t *v;
	size_t n, size; /* size: a power of 2 */
};

/* A run before a decision, so that the next one may go on from here. */
struct schedule_mark {
	bool set;
	struct heap_copy heap; /* the ends, the judges, packets in flight */
	uint8_t *run;          /* the members of the run in hand */
	struct dgram *out;     /* the packet that the decision is about */
	unsigned from;
};

struct schedule {
	enum draft_subject subject;
	const struct orc_api *api[2];
	struct orc_conf conf[2];
	struct orc *end[2];
	struct judge *judge[2];
	struct judge_conf declared[2];
	struct judge_common *common[2];
	unsigned requests, faults;
	struct odometer odometer;
	struct schedule_states states;
	struct text *trace; /* NULL: none */
	bool unpruned;      /* a run goes on from a state that was passed */

	struct heap *heap; /* has the ends, the judges and packets in flight */
	bool anew;         /* each run begins at its start */
	struct schedule_mark marks[ODOMETER_MAX]; /* by decision */
	size_t nmarks; /* those behind it are not set */

	/* the run in hand, up to |flights| */
	vtime now;
	uint32_t frame;
	unsigned left; /* faults */
	uint64_t order;
	uint64_t history[2]; /* hash of all that an end was given */
	unsigned steps;
	unsigned kinds[SCHEDULE_REQUESTS];
	unsigned completed[SCHEDULE_REQUESTS + 1],
		failed[SCHEDULE_REQUESTS + 1];
	unsigned received;
	unsigned losses, copies; /* faults that took or added a packet */
	bool pruned;             /* it came to a state that was passed before */
	bool wrong;
	unsigned what;  /* is wrong: enum schedule_what, or of a row and role */
	char text[320]; /* the first thing that is wrong */
	size_t nflights;
	struct schedule_flight flights[SCHEDULE_FLIGHTS];

	struct packet pkt;
	struct dgram out;
};

struct schedule_totals {
	uint64_t schedules, pruned;
	uint64_t packets; /* of all schedules */
	uint64_t pushed;  /* to a judge: one that runs share was pushed once */
	/* how often a judge checked a row, as the source and the destination */
	uint64_t seen[REQ_COUNT][2];
};

/*
 * schedule_new makes the endpoints of a subject and the odometer of all
 * schedules of |requests| requests and at most |faults| faults; |api| are the
 * functions of A and B.  Plain RoCEv2 is not among the subjects. Errors:
 * ERR_NOMEM; ERR_VALUE more requests than fit.
 */
int schedule_new(struct schedule **ret, enum draft_subject subject,
		 const struct orc_api *const api[2], unsigned requests,
		 unsigned faults);
void schedule_free(struct schedule *p);

/*
 * A series is all schedules of one sequence of kinds of requests.  No state of
 * a series is one of another, as a state has the kinds in it, so that series
 * may be run apart, in any order, with the same schedules and packets.
 *
 * schedule_series_count returns how many series there are; schedule_series
 * begins with series |i|, from 0: the odometer makes its schedules alone.
 */
unsigned schedule_series_count(const struct schedule *p);
void schedule_series(struct schedule *p, unsigned i);

/*
 * schedule_run makes the run that the odometer stands at.  It takes back the
 * mark before the first decision that differs from the run before, and goes on
 * from there: the ends are deterministic, so a run from the start has the same
 * result.  An end that is not part of this program has memory of its own;
 * its runs begin at the start.  So do all runs with |anew|.  |p->wrong| and
 * |p->text| say what is wrong: a finding of a judge, an operation that did not
 * end, or ended in another way, a message that came too often or not at all, or
 * a run with more decisions than the odometer holds, which it does not vary.
 */
void schedule_run(struct schedule *p, struct schedule_totals *totals);

#endif
