/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/summary.h -- what is kept of a run after its records are reused.
 *
 *	summary_new(&s, strict);
 *	for each record:  summary_add(s, &record, capture);
 *	summary_sort(s);  if workers finished in any order
 *	json_report(&text, s, &about);  junit_report ...  text_end ...
 *	summary_free(s);
 *
 * It keeps each case's verdict, findings and ladder (unless it passed), and per
 * requirement and role what was seen of it.  The caller reads the struct and
 * changes nothing.
 */
#ifndef REPORTS_SUMMARY_H
#define REPORTS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "reports/baseline.h"
#include "reports/pack.h"
#include "suite/record.h"

/* Where a finding's packet and line are. */
struct summary_place {
	const char *source; /* the line of the case, as written; "" if none */
	vtime at;           /* of the frame, since the first rung */
	bool timed;         /* there is such a frame */
};

struct summary_case {
	const char *id, *title, *ref, *reason; /* never NULL; maybe "" */
	const char *capture;                   /* path, or NULL */
	const char *ladder;                    /* text; NULL for a pass */
	const char *drawing; /* SVG, see summary_draw; or NULL */
	size_t number; /* when it came, from 0; frames of the drawing have it */
	size_t packed; /* likewise: number of the packed one, from 1; or 0 */
	enum chair chair;
	enum verdict verdict;
	enum fail_kind kind;
	enum reason reason_id;
	enum verdict teardown; /* of the closing fragments */
	const char *teardown_reason;
	uint64_t seed;
	uint32_t repeat;
	unsigned rungs_expected, rungs_matched;
	size_t packets; /* both ways, opening and closing included */
	vspan wall_ns, virtual_ns;
	const struct rec_finding *findings;
	const struct summary_place *places; /* of each finding */
	size_t nfindings;
	enum baseline_state state;          /* against the baseline */
	const struct baseline_entry *entry; /* of it, or NULL */
	const struct req_ref *reqs; /* role SRC or DST; in catalogue order */
	size_t nreqs;
	const struct req_ref *not_reached; /* behind a deviation; likewise */
	size_t nnot_reached;
};

/* A requirement is held against each role by itself. */
enum req_verdict {
	REQ_VERDICT_PASS,        /* every half was seen, nothing was wrong */
	REQ_VERDICT_FAIL,        /* a finding */
	REQ_VERDICT_PARTIAL,     /* a half was seen, nothing was wrong */
	REQ_VERDICT_NOT_REACHED, /* a deviation of another row came before */
	REQ_VERDICT_NA,          /* nothing was seen of it */
	REQ_VERDICT_COUNT,
};

struct summary_req {
	bool listed; /* some case is about it */
	bool wire, control, failed, not_reached;
	unsigned remarks;
};

struct summary {
	struct arena arena;
	bool strict;
	struct summary_case *cases;
	size_t ncases, cases_size;
	size_t totals[VERDICT_COUNT];
	const struct baseline *baseline;       /* lent; or NULL */
	size_t known, fixed;                   /* results that it is about */
	vspan wall_ns;                         /* sum over the cases */
	struct summary_req reqs[REQ_COUNT][2]; /* [id][role is DST] */

	/* Drawings, if summary_draw asked for them. */
	size_t room;  /* bytes for all of them; 0: none is kept */
	size_t drawn; /* bytes that stand in the cases */
	struct pack pack;
};

/* summary_new: ERR_NOMEM.  With |strict| a remark fails its requirement. */
int summary_new(struct summary **ret, bool strict);
void summary_free(struct summary *s);

/*
 * summary_draw makes it keep the ladder of each case that follows as SVG, for
 * html_report: those of cases that did not pass as they are, the others, of
 * which the first repetition is enough, packed (reports/pack.h).  The more
 * results are |planned| the less room there is for drawings, so that the report
 * of a run of any size can be opened.
 */
void summary_draw(struct summary *s, size_t planned);

/*
 * summary_add takes what it needs of a record; |capture| is the path to be
 * named in the reports, or NULL.  The case's requirements are those that its
 * head covers in this chair, and all that were seen or failed.
 * Errors: ERR_NOMEM; the summary is then as before.
 */
int summary_add(struct summary *s, const struct record *r, const char *capture);

/*
 * summary_fails counts what makes the run fail: results that do, themselves or
 * in their tear-down, and are not known to, results that pass and were expected
 * not to, and entries of the baseline whose date is over.
 */
size_t summary_fails(const struct summary *s);

/* How the results of one case differ, of |n| from |at| on (summary_sort). */
struct summary_flake {
	size_t of[VERDICT_COUNT];
	double score; /* 0: all alike, 1: a half is this, a half that */
};

/* summary_repeats counts the results of the case that stands at |at|. */
size_t summary_repeats(const struct summary *s, size_t at);

/* summary_flake tells how unsteady they are; na is left out. */
struct summary_flake summary_flake(const struct summary *s, size_t at);

/* summary_sort orders the cases by id, chair (target first), repetition. */
void summary_sort(struct summary *s);

/* summary_verdict is a requirement's verdict for SRC or DST. */
enum req_verdict summary_verdict(const struct summary *s, enum req_id id,
				 enum req_role role);

/* summary_listed says whether any case is about it. */
bool summary_listed(const struct summary *s, enum req_id id,
		    enum req_role role);

/* summary_has says whether a case is about it. */
bool summary_has(const struct summary_case *c, enum req_id id,
		 enum req_role role);

const char *req_verdict_name(enum req_verdict v); /* "pass", ..., "na" */

#endif
