/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/summary.h -- keeps the data of a run that reports need after
 * its records are reused.
 *
 *    summary_new(&s, strict);
 *    for each record:  summary_add(s, &record, capture);
 *    summary_sort(s);  if workers finished in any order
 *    json_report(&text, s, &about);  junit_report ...  text_end ...
 *    summary_free(s);
 *
 * It keeps each case's verdict, findings and ladder (unless it passed), and the
 * verdict of each requirement and role.  The caller reads the struct and
 * changes nothing.
 */
#ifndef REPORTS_RESULT_SUMMARY_H
#define REPORTS_RESULT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "reports/ladder/ladder_opts.h"
#include "reports/pack.h"
#include "reports/result/baseline.h"
#include "suite/verdict/record.h"

/* The packet and the line of a finding. */
struct summary_place {
	const char *source; /* text of the case's line; "" if none */
	vtime at;           /* time of the frame since the first rung */
	bool timed;         /* |at| is known */
};

struct summary_case {
	const char *id, *title, *ref, *reason; /* never NULL but may be "" */
	const char *path;    /* of its case file, as given; "" if unknown */
	const char *capture; /* path, or NULL */
	const char *ladder;  /* text of LADDER_WIDTH columns; NULL for a pass */
	const char *shown;   /* ladder as summary_show wants it; or NULL */
	const char *drawing; /* SVG, see summary_draw; or NULL */
	size_t number; /* order of arrival, from 0; used in ids of frames */
	size_t packed; /* number of the packed drawing, from 1; or 0 */
	enum chair chair;
	enum verdict verdict;
	enum fail_kind kind;
	enum reason reason_id;
	enum verdict teardown; /* verdict of the closing fragments */
	const char *teardown_reason;
	uint64_t seed;
	uint32_t repeat;
	/* folded later results with this verdict: summary_fold */
	uint64_t folded;
	unsigned rungs_expected, rungs_matched;
	size_t packets; /* both directions, opening and closing included */
	vspan wall_ns, virtual_ns;
	vspan ended; /* since the begin of the run; 0: unknown */
	const struct rec_finding *findings;
	const struct summary_place *places; /* place of each finding */
	size_t nfindings;
	enum baseline_state state; /* state against the baseline */
	/* its entry of the baseline, or NULL */
	const struct baseline_entry *entry;
	const struct req_ref *reqs; /* role SRC or DST; in catalogue order */
	size_t nreqs;
	/* requirements behind a deviation; in the same order */
	const struct req_ref *not_reached;
	size_t nnot_reached;
};

/* The verdict of a requirement, for each role separately. */
enum req_verdict {
	/* every half was observed, without a finding */
	REQ_VERDICT_PASS,
	REQ_VERDICT_FAIL,    /* a finding */
	REQ_VERDICT_PARTIAL, /* a half was observed, without a finding */
	/* a deviation of another row came first, or explains all findings */
	REQ_VERDICT_NOT_REACHED,
	REQ_VERDICT_NA, /* not observed */
	REQ_VERDICT_COUNT,
};

struct summary_req {
	bool listed; /* some case covers it */
	bool wire, control, failed, not_reached;
	unsigned remarks;
};

/* A claim that the device does not keep: one finding of the run. */
struct summary_claim {
	char name[24], seen[24]; /* "ack_cc", "ack" */
	size_t ncases;
	const char *first; /* the first case, by id */
};

#define SUMMARY_CLAIMS 8

/* Two rows that fail by one observation (summary_explain). */
struct summary_pair {
	struct req_ref row, other; /* role SRC or DST */
};

/*
 * Results of one case with the same verdict that have rows of their own.  With
 * many rows the number is lower, as a run may repeat its cases for days.
 */
enum {
	SUMMARY_SAME = 1000,
	SUMMARY_SAME_LATE = 10,
	SUMMARY_ROWS = 100000,
};

struct summary {
	struct arena arena;
	bool strict;
	struct summary_case *cases;
	size_t ncases, cases_size;
	size_t nfolded;             /* results without a row of their own */
	struct summary_fold *folds; /* rows of each case */
	size_t nfolds, folds_size;
	struct arena before; /* state of the arena before the newest row */
	size_t totals[VERDICT_COUNT];
	struct summary_claim claims[SUMMARY_CLAIMS];
	size_t nclaims;
	const struct baseline *baseline; /* lent; or NULL */
	size_t known, fixed;             /* results that match an entry */
	vspan wall_ns;                   /* sum over the cases */
	/* [id][role is DST] of each requirement */
	struct summary_req reqs[REQ_COUNT][2];
	/*
	 * The row that explains the failures of another (summary_explain);
	 * role 0: none.
	 */
	struct req_ref explained[REQ_COUNT][2];
	struct summary_pair *pairs; /* sorted by row, then by other */
	size_t npairs;

	/* How text_end draws ladders, if summary_show was called. */
	struct ladder_opts screen;
	size_t to_show; /* ladders that may still be kept */

	/* Drawings, if summary_draw was called. */
	size_t room;  /* most bytes of all drawings; 0: none is kept */
	size_t drawn; /* bytes of the drawings kept */
	struct pack pack;
};

/*
 * summary_new makes an empty summary.  With |strict| a remark fails its
 * requirement.  Errors: ERR_NOMEM.
 */
int summary_new(struct summary **ret, bool strict);
void summary_free(struct summary *s);

/*
 * summary_draw keeps, for html_report, the ladder of each later case as SVG.
 * The drawings of cases that did not pass are kept plain.  Those of the others
 * are packed (reports/pack.h), the first repetition only.  The more results are
 * |planned|, the less room each drawing has, so that the report of a run of any
 * size can be opened.
 */
void summary_draw(struct summary *s, size_t planned);

/*
 * summary_show keeps, for text_end, the ladders of the next |most| cases that
 * do not pass, and are not known, as the screen wants them.
 */
void summary_show(struct summary *s, const struct ladder_opts *screen,
		  size_t most);

/*
 * summary_add copies the data of a record; |capture| is the path for the
 * reports, or NULL.  The case's requirements are those that its head covers in
 * this chair, and all that were observed or failed.
 *
 * Errors: ERR_NOMEM; the summary is then unchanged.
 */
int summary_add(struct summary *s, const struct record *r, const char *capture);

/* summary_results returns how many results were added. */
size_t summary_results(const struct summary *s);

/*
 * summary_fails counts the reasons for which the run fails: results that fail,
 * themselves or in their closing, without being known; results that pass
 * unexpectedly; expired entries of the baseline; and claims that the device
 * does not keep.
 */
size_t summary_fails(const struct summary *s);

/* summary_claim_say appends a sentence about the false claim |i|. */
void summary_claim_say(struct text *t, const struct summary *s, size_t i);

/*
 * The differences between the |n| results of one case from |at| on
 * (summary_sort).
 */
struct summary_flake {
	size_t of[VERDICT_COUNT];
	/* 0: all alike, 1: half of them differ from the other half */
	double score;
	size_t runs; /* results, folded ones included */
};

/* summary_repeats counts the results of the case at |at|. */
size_t summary_repeats(const struct summary *s, size_t at);

/* summary_flake computes how much the results differ; na is left out. */
struct summary_flake summary_flake(const struct summary *s, size_t at);

/*
 * summary_na_reason returns the reason of a result that is na, so that equal
 * reasons are equal texts: without the line of the case that begins it, and in
 * general words if the line counts on a choice that the device made otherwise.
 */
const char *summary_na_reason(const struct summary_case *c);

/* summary_sort orders the cases by id, chair (target first), repetition. */
void summary_sort(struct summary *s);

/* summary_verdict returns a requirement's verdict for SRC or DST. */
enum req_verdict summary_verdict(const struct summary *s, enum req_id id,
				 enum req_role role);

/* summary_listed returns true if any case covers it. */
bool summary_listed(const struct summary *s, enum req_id id,
		    enum req_role role);

/* summary_has returns true if a case covers it. */
bool summary_has(const struct summary_case *c, enum req_id id,
		 enum req_role role);

/* req_verdict_name returns "pass", ..., "na". */
const char *req_verdict_name(enum req_verdict v);

#endif
