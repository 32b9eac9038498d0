/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_wr.h -- queues of send WRs without a PSN.
 */
#ifndef ORACLE_SRD_SRD_WR_H
#define ORACLE_SRD_SRD_WR_H

#include <stdbool.h>

#include "oracle/srd/srd_state.h"

/*
 * srd_wr_add appends a copy of a WR to a queue; false: no memory. srd_wr_take
 * removes the oldest; false: the queue is empty.
 */
bool srd_wr_add(struct srd *s, struct srd_queue *q, const struct srd_wr *wr);
bool srd_wr_take(struct srd *s, struct srd_queue *q, struct srd_wr *ret);

#endif
