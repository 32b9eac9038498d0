/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_miss.h -- finds the PSNs that the responder misses, and
 * reports them in time.
 */
#ifndef ORACLE_WQE_WQE_MISS_H
#define ORACLE_WQE_WQE_MISS_H

#include <stdint.h>

#include "oracle/wqe/wqe_state.h"

/* wqe_miss_note schedules requests for missing PSNs up to |psn|. */
void wqe_miss_note(struct wqe_qp *qp, uint32_t psn);

/* wqe_miss_arm sets the timer again after a change. */
void wqe_miss_arm(struct wqe_qp *qp);

void wqe_miss_tick(struct wqe_qp *qp);

#endif
