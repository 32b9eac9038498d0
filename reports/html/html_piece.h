/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_piece.h -- texts, verdicts, ids and times as pieces of the
 * page.
 */
#ifndef REPORTS_HTML_HTML_PIECE_H
#define REPORTS_HTML_HTML_PIECE_H

#include "reports/html/html_state.h"

/* html_text appends untrusted text as character data. */
void html_text(struct html *h, const char *s);

/* html_verdict appends a verdict's word in its colour. */
void html_verdict(struct html *h, const char *name);

/* html_req appends a link to a requirement: "RUD-SEQ-76/dst". */
void html_req(struct html *h, enum req_id id, enum req_role role);

/* html_ms appends a time: "1.5 ms", "2.0 s". */
void html_ms(struct html *h, vspan ns);

/* html_family returns the length of "RUD-SEQ" in "RUD-SEQ-76". */
size_t html_family(const char *id);

#endif
