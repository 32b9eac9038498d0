/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_pdc.h -- selects the PDC of a line or of a packet.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_PDC_H
#define SUITE_RUN_SCOPE_SCOPE_PDC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"

/*
 * scope_turn selects the PDC that a line names; NULL selects that of the
 * previous line.  A new name makes a PDC with new ids.
 * Errors: ERR_SPACE there are too many.
 */
int scope_turn(struct scope *s, const char *pdc);

/*
 * scope_turn_packet selects the PDC of a packet of the DUT (record entry).  It
 * makes the PDC if this is the first packet of one that the DUT opens.
 */
void scope_turn_packet(struct scope *s, size_t index);

/*
 * scope_turn_peer selects the PDC of a packet that another endpoint sent in the
 * tester's place, and adopts its PDCID as the tester's.  A packet without a PDC
 * changes nothing.
 */
void scope_turn_peer(struct scope *s, size_t index);

/* scope_turn_rec selects the PDC to which an entry was assigned. */
void scope_turn_rec(struct scope *s, size_t index);

/*
 * scope_met notes that an entry matched a line: the next line refers to the
 * same PDC, unless it names another.
 */
void scope_met(struct scope *s, size_t index);

/*
 * scope_is_pdc returns whether an entry belongs to the PDC that a line names.
 * A new name fits any PDC without a name.
 */
bool scope_is_pdc(const struct scope *s, const char *pdc, size_t index);

/*
 * A DUT may open a PDC for each message (uet.md 6.1).  If no line names a PDC,
 * a new PDC continues the figure's numbers of the previous one, and a line
 * refers to the PDC of the packet that matches it.
 *
 * scope_line_pdc is the place of the PDC whose numbers a line without a name
 * uses for a packet.  scope_turn_answer turns to the PDC of the DUT's request
 * that an ACK or NACK without a name is about; it stays for other lines.
 */
uint8_t scope_line_pdc(const struct scope *s, size_t index);
void scope_turn_answer(struct scope *s, const struct rung *rung);

/* scope_name names the PDC of an entry if it has no name yet. */
void scope_name(struct scope *s, const char *pdc, size_t index);

#endif
