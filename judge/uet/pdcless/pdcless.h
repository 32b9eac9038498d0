/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/pdcless.h -- packets without a PDC: RUDI and UUD.
 */
#ifndef JUDGE_UET_PDCLESS_PDCLESS_H
#define JUDGE_UET_PDCLESS_PDCLESS_H

#include "judge/uet/pkt_ctx.h"

/* pdcless_find finds what is known of the request of a packet without a PDC. */
void pdcless_find(struct pkt_ctx *l);

/* pdcless_outstanding says whether the source still waits for an answer. */
bool pdcless_outstanding(const struct pkt_ctx *l);

/* pdcless_is_another says that a request only has the id of an earlier one. */
bool pdcless_is_another(const struct pkt_ctx *l);

/*
 * pdcless_note notes a RUDI request that was captured otherwise than it was
 * sent: all that is known is that there was one of this id.
 */
void pdcless_note(struct pkt_ctx *l);

/* pdcless_take notes a packet without a PDC, after the monitors have looked. */
void pdcless_take(struct pkt_ctx *l);

#endif
