/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html_priv.h -- the sections of report.html, among themselves.
 */
#ifndef REPORTS_HTML_PRIV_H
#define REPORTS_HTML_PRIV_H

#include "reports/html.h"

/* Cases of this run that are about a requirement in a role, by verdict. */
struct html_count {
	size_t of[VERDICT_COUNT];
	size_t found; /* cases with a finding of it */
	size_t first; /* of those: index of the first */
	size_t last;  /* and of the last, from 1 */
};

struct html {
	struct text *t;
	struct summary *s;
	const struct about *a;
	const struct kills *k;
	struct html_sets *sets;
	struct html_count (*counts)[2]; /* [REQ_COUNT][role is DST] */
};

/* Sections, in the order of the page. */
void html_causes(struct html *h); /* what is wrong, by cause */
void html_failed(struct html *h); /* each requirement that fails */
void html_like(struct html *h);   /* the nearest mutants */
void html_cases(struct html *h);
void html_requirements(struct html *h); /* and who covers them */
void html_skipped(struct html *h);      /* not applicable, and why */
void html_coverage(struct html *h);
void html_kills(struct html *h);

/* ---- Pieces ---- */

/* html_text appends a text from anywhere as character data. */
void html_text(struct html *h, const char *s);

/* html_verdict appends a verdict's word in its colour. */
void html_verdict(struct html *h, const char *name);

/* html_req appends a link to a requirement: "RUD-SEQ-76/dst". */
void html_req(struct html *h, enum req_id id, enum req_role role);

/* html_ms appends a time: "1.5 ms", "2.0 s". */
void html_ms(struct html *h, vspan ns);

/*
 * html_finding appends a finding as a block: what is wrong, at which packet,
 * what the requirements say, expected and actual.  |n| findings from |first| on
 * of case |at| are one of the same reason.
 */
void html_finding(struct html *h, size_t at, size_t first, size_t n);

/* html_group says how many findings from |i| on give one and the same reason.
 */
size_t html_group(const struct summary_case *c, size_t i);

/*
 * Cases that are about the same requirements have one set of them, which is in
 * the page once.  html_set gives the number of a case's set; html_sets_put
 * appends all of them for the script: rows of the table, 2 * id + 1 for dst,
 * each less the one before.
 */
int html_sets_new(struct html *h);
void html_sets_free(struct html *h);
size_t html_set(struct html *h, const struct summary_case *c);
void html_sets_put(struct html *h);

/* html_family is the length of "RUD-SEQ" in "RUD-SEQ-76". */
size_t html_family(const char *id);

/* The number of a role in tables: 1 for DST. */
static inline int html_role(enum req_role role)
{
	return role == REQ_DST;
}

#endif
