/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/why/branch.h -- from which rung on a failure is inevitable.
 *
 * A branch is the same case with one more impairment: the network loses,
 * doubles or delays the packet of one rung, or the tester falls silent behind
 * it.  If the device fails by the same requirement and role in every branch of
 * a rung and of all later ones, the failure was inevitable when that packet had
 * passed; the last rung with a branch that does not fail so
 * decides it.
 */
#ifndef SUITE_EXPLORE_WHY_BRANCH_H
#define SUITE_EXPLORE_WHY_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "judge/req.h"
#include "suite/lang/chair.h"
#include "suite/verdict/record.h"

#define BRANCH_RUNGS 400

enum branch_change {
	BRANCH_LOST,
	BRANCH_DOUBLED,
	BRANCH_DELAYED,
	BRANCH_SILENT, /* the tester sends nothing after this packet */
	BRANCH_CHANGES,
};

enum branch_outcome {
	BRANCH_UNDECIDED, /* not run, or its run shows nothing */
	BRANCH_SAME,      /* it fails by the same requirement and role */
	BRANCH_OTHER,     /* it fails otherwise */
	BRANCH_ESCAPES,   /* the failure does not come */
};

/* A packet of the run that failed, up to the one that shows the failure. */
struct branch_rung {
	size_t entry;   /* of the record */
	uint32_t frame; /* number of the packet */
	bool tester;    /* the tester sent it */
	unsigned nth;   /* of its sender's packets, from 1 */
	unsigned sent;  /* packets of the tester up to here */
	enum branch_outcome outcome[BRANCH_CHANGES];
};

struct branches {
	enum req_id req; /* the failure */
	enum req_role role;
	struct branch_rung rungs[BRANCH_RUNGS];
	size_t n;
	unsigned runs;
};

/*
 * branch_begin finds the deciding failure of a record and lists the packets up
 * to it.  A packet that an impairment of the case made is no rung.
 * Return: false if the record has no failure with a requirement.
 */
bool branch_begin(struct branches *b, const struct record *r);

/* branch_word returns the word of a change: "lost", "doubled", ... */
const char *branch_word(enum branch_change change);

/* branch_outcome_word returns "same", "other", "escapes" or "-". */
const char *branch_outcome_word(enum branch_outcome o);

/* branch_line appends the impairment of a branch, as a line of a case. */
void branch_line(const struct branch_rung *rung, enum branch_change change,
		 struct text *t);

/*
 * branch_case appends a case file in which |line| is the first line of a chair.
 * |section| is the impaired section that is meant, NULL: the plain case.
 * Return: false if the file has no such chair.
 */
bool branch_case(const char *file, const char *section, enum chair chair,
		 const char *line, struct text *ret);

/*
 * branch_judge returns the outcome that the record of a branch shows.  A device
 * that was gone before, or a busy machine, leaves it undecided.
 */
enum branch_outcome branch_judge(const struct branches *b,
				 const struct record *r);

/* branch_undecided returns the number of branches without an outcome. */
unsigned branch_undecided(const struct branches *b);

/*
 * branch_deciding returns the index of the last rung with a branch that does
 * not fail alike; b->n if there is none, so that the failure was inevitable
 * from the beginning.
 */
size_t branch_deciding(const struct branches *b);

#endif
