/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/match/match_term.h -- compares one term of a line with a packet.
 */
#ifndef SUITE_RUN_MATCH_MATCH_TERM_H
#define SUITE_RUN_MATCH_MATCH_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "suite/lang/case.h"
#include "suite/run/match/match_state.h"
#include "suite/verdict/space.h"
#include "wire/packet.h"

/* match_field_space returns the PSN space of a field of the packet. */
enum psn_space match_field_space(const struct match_seen *v, const char *name);

/* match_number evaluates a number of a term; false if its symbol is unbound. */
bool match_number(const struct match_seen *v, const struct number *n,
		  enum psn_space space, uint64_t *ret);

/*
 * match_find finds the field of a term in a packet; false if the packet has
 * none.
 */
bool match_find(const struct match_seen *v, const struct term *t, bool ses,
		struct packet_ref *ref);

/* match_is_serial returns whether a field holds a serial number of PSNs. */
bool match_is_serial(const struct packet_ref *ref);

/*
 * match_compare returns the distance of two values of a field: serial, signed
 * or plain.
 */
int match_compare(const struct packet_ref *ref, uint64_t a, uint64_t b);

/*
 * match_first_packet finds the first transmission of a PSN, or of a pkt_id
 * (SCOPE_RUDI).
 */
bool match_first_packet(const struct match_seen *v, bool to_dut, uint8_t pdc,
			uint32_t psn, struct packet *ret);

/*
 * match_ses_word returns the name of a packet's SES header; NULL if it has
 * none.
 */
const char *match_ses_word(const struct packet *pkt);

/*
 * match_is_shorter returns whether the packet has a MEDIUM or SMALL header
 * where the line names the standard one.  The source may choose either for an
 * operation of one packet (uet.md 5.3, 5.4).
 */
bool match_is_shorter(const struct match_seen *v, const struct rung *rung);

/*
 * match_is_lacking returns whether a term names a field of the standard header
 * that the shorter headers lack.  The fields of a packet in the middle of a
 * message are not among them: such a packet needs the standard header.
 */
bool match_is_lacking(const struct match_seen *v, const struct term *t);

/* match_term_fits returns whether a term of a line fits a packet. */
bool match_term_fits(const struct match_seen *v, const struct term *t, bool ses,
		     bool exact);

#endif
