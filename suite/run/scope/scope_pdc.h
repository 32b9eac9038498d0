/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_pdc.h -- select the PDC that a line or a packet is
 * about.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_PDC_H
#define SUITE_RUN_SCOPE_SCOPE_PDC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"

/*
 * scope_turn turns to the PDC that a line names; NULL: to that of the line
 * before.  A name that is new makes a PDC, with ids of its own.
 * Errors: ERR_SPACE there are too many.
 */
int scope_turn(struct scope *s, const char *pdc);

/* scope_turn_packet turns to the PDC of a packet of the DUT (record entry); the
 * first packet of a PDC that the DUT opens makes it. */
void scope_turn_packet(struct scope *s, size_t index);

/* scope_turn_peer turns to the PDC of a packet that another endpoint sent in
 * the tester's place, and takes its PDCID for the tester's; a packet that names
 * no PDC stays where we are. */
void scope_turn_peer(struct scope *s, size_t index);

/* scope_turn_rec turns to the PDC that an entry was found to belong to. */
void scope_turn_rec(struct scope *s, size_t index);

/* scope_met notes that a line was met by that entry: the next line is about its
 * PDC, unless it names another. */
void scope_met(struct scope *s, size_t index);

/* scope_is_pdc says whether an entry is a packet of the PDC that a line names;
 * a name that is new fits any PDC that has none. */
bool scope_is_pdc(const struct scope *s, const char *pdc, size_t index);

/*
 * A DUT may open a PDC for each message (uet.md 6.1).  Where no line names a
 * PDC, one that it opens goes on with the figure's numbers of the one before,
 * and lines are about the PDC of the packet that fits.
 *
 * scope_line_pdc is the place of the PDC whose numbers a line without a name
 * uses for a packet.  scope_turn_answer turns to the PDC of the DUT's request
 * that an ACK or NACK without a name is about; it stays for other lines.
 */
uint8_t scope_line_pdc(const struct scope *s, size_t index);
void scope_turn_answer(struct scope *s, const struct rung *rung);

/* scope_name names the PDC of an entry, if it has no name yet. */
void scope_name(struct scope *s, const char *pdc, size_t index);

#endif
