/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_psn.h -- the PSNs and pkt_ids that a case has seen.
 */
#ifndef SUITE_RUN_SCOPE_SCOPE_PSN_H
#define SUITE_RUN_SCOPE_SCOPE_PSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "suite/decl/decl.h"
#include "suite/lang/case.h"
#include "suite/run/scope/scope_state.h"
#include "wire/packet.h"

/*
 * scope_look_up returns the state of a PSN of a PDC, or of a pkt_id with
 * SCOPE_RUDI; NULL if it was not seen.
 */
const struct scope_psn *scope_look_up(const struct scope *s, bool to_dut,
				      uint8_t pdc, uint32_t psn);

/*
 * scope_initiator returns whether the sender of a packet is the PDC's
 * initiator.
 */
bool scope_initiator(const struct scope *s, bool to_dut);

/* scope_base binds figure numbers, at once or with the DUT's first packet. */
void scope_base(struct scope *s, const struct step *base);

/* scope_psn_find returns the state of a PSN; NULL if it was not seen. */
struct scope_psn *scope_psn_find(struct scope *s, bool to_dut, uint32_t psn);

/* scope_pkt_find returns the state of a RUDI request by its pkt_id. */
struct scope_psn *scope_pkt_find(struct scope *s, bool to_dut, uint32_t pkt_id);

/*
 * scope_known returns the state of a request's PSN or pkt_id; NULL if it has
 * none or was not seen.
 */
struct scope_psn *scope_known(struct scope *s, bool to_dut,
			      const struct packet *pkt);

/*
 * scope_cause returns the declared cause of the request that entry |index|, a
 * response of the DUT, answers; NULL if there is none, or it is no response.
 */
const struct decl_cause *scope_cause(const struct scope *s, size_t index);

/*
 * scope_divided returns true if that request was a packet of a message in the
 * case, and was sent as a message of its own (craft_cause.c).  |ret| gets its
 * message id.
 */
bool scope_divided(const struct scope *s, size_t index, uint64_t *ret);

/*
 * scope_trimmed returns true if entry |index| is a NACK of the DUT for a
 * request that the tester trimmed in order to be refused.
 */
bool scope_trimmed(const struct scope *s, size_t index);

/*
 * scope_psn_seen notes a packet that has a PSN or pkt_id: its first
 * transmission, or a repetition.
 */
void scope_psn_seen(struct scope *s, bool to_dut, uint8_t pdc, uint32_t psn,
		    size_t index);

/*
 * scope_mark marks |psn| as received, scope_mark_to all PSNs up to it: |*cum|
 * is the highest PSN without a gap before it, bit i of |*beyond| is *cum + 2 +
 * i.
 */
void scope_mark(uint32_t *cum, uint64_t *beyond, uint32_t psn);
void scope_mark_to(uint32_t *cum, uint64_t *beyond, uint32_t psn);

/* scope_bind_pending resolves a pending base with the DUT's first PSN. */
void scope_bind_pending(struct scope *s, uint32_t psn);

#endif
