/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/roce/roce.h -- the responder of plain RoCEv2.
 */
#ifndef ORACLE_ROCE_ROCE_H
#define ORACLE_ROCE_ROCE_H

#include <stddef.h>

#include "oracle/wqe/wqe_state.h"
#include "wire/dgram.h"

/*
 * roce_take processes a packet of plain RoCEv2, |len| bytes without its ICRC.
 */
void roce_take(struct wqe *w, const struct dgram *d, size_t len);

#endif
