/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/pdcless.h -- packets without a PDC: RUDI and UUD.
 */
#ifndef JUDGE_UET_PDCLESS_PDCLESS_H
#define JUDGE_UET_PDCLESS_PDCLESS_H

#include "judge/uet/pkt_ctx.h"

/* pdcless_find finds the state of the request of a packet without a PDC. */
void pdcless_find(struct pkt_ctx *l);

/*
 * pdcless_outstanding returns true while the source may still wait for an
 * answer.
 */
bool pdcless_outstanding(const struct pkt_ctx *l);

/*
 * pdcless_is_another returns true if a request only shares its id with an
 * earlier one.
 */
bool pdcless_is_another(const struct pkt_ctx *l);

/*
 * pdcless_note records a RUDI request that the capture shows changed: only its
 * id is known.
 */
void pdcless_note(struct pkt_ctx *l);

/*
 * pdcless_take records a packet without a PDC, after the monitors have checked
 * it.
 */
void pdcless_take(struct pkt_ctx *l);

#endif
