/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match.h -- compares an expected rung with a received packet.
 */
#ifndef SUITE_RUN_MATCH_MATCH_H
#define SUITE_RUN_MATCH_MATCH_H

#include <stdbool.h>

#include "base/text.h"
#include "suite/lang/case.h"
#include "suite/run/match/match_state.h"
#include "suite/run/scope/scope_state.h"
#include "suite/verdict/blame.h"
#include "suite/verdict/record.h"

/*
 * match_rung returns whether a packet of the record matches a rung.  Only the
 * fields of the rung are compared.  |exact| disables the allowances of
 * docs/case-language.md.  No symbol is bound.
 */
bool match_rung(const struct scope *s, const struct rung *rung, size_t index,
		bool exact);

/*
 * match_but_for_pdc returns whether a packet of the record matches a rung in
 * all but its PDC: ids, PSNs and syn are not compared.
 */
bool match_but_for_pdc(const struct scope *s, const struct rung *rung,
		       size_t index);

/*
 * match_packet returns true for a match outside a case: numbers are plain
 * values, there are no symbols, and "same" and the names of PDCs match nothing.
 */
bool match_packet(const struct rung *rung, const struct packet *pkt,
		  uint32_t mtu);

/* match_type compares the rung's first word only; NULL matches any packet. */
bool match_type(const char *type, const struct packet *pkt);

/*
 * match_bind binds the symbols of a rung that matched to the packet's values.
 * Errors: ERR_SPACE.
 */
int match_bind(struct scope *s, const struct rung *rung, size_t index);

/*
 * match_open decodes the packet of an entry of the record for the
 * comparison with a line.
 */
void match_open(struct match_seen *v, const struct scope *s, const char *pdc,
		size_t index);

/*
 * match_type_fits returns whether a packet has the PDS type that a line
 * names.
 */
bool match_type_fits(const struct match_seen *v, const char *type, bool exact);

/*
 * match_ses_fits returns whether a packet has the SES header that a line
 * names.
 */
bool match_ses_fits(const struct match_seen *v, const struct rung *rung,
		    bool exact);

/*
 * match_same_as_first returns whether a packet has the payload of its first
 * transmission.
 */
bool match_same_as_first(const struct match_seen *v);

/*
 * match_payload_len returns the length of the payload without padding to four
 * bytes.
 */
size_t match_payload_len(const struct packet *pkt);

/*
 * match_is_of_post returns whether the payload is the part of a post that the
 * line names.
 */
bool match_is_of_post(const struct match_seen *v, const struct rung *r,
		      size_t n);

/* match_body_fits returns whether the payload is the body of a line. */
bool match_body_fits(const struct match_seen *v, const struct rung *r);

/*
 * match_ses_term_fits returns whether a term of the SES header fits a
 * packet.
 */
bool match_ses_term_fits(const struct match_seen *v, const struct rung *rung,
			 const struct term *t, bool exact);

#endif
