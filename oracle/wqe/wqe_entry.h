/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_entry.h -- the responder's received WQEs.
 */
#ifndef ORACLE_WQE_WQE_ENTRY_H
#define ORACLE_WQE_WQE_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "oracle/wqe/wqe_state.h"

/* wqe_entry_has returns true if packet |i| of a WQE was received. */
bool wqe_entry_has(const struct wqe_entry *e, uint32_t i);

/* wqe_entry_set marks packet |i| of a WQE as received. */
void wqe_entry_set(struct wqe_entry *e, uint32_t i);

/* wqe_entry_by_sn returns the WQE with that number, or NULL. */
struct wqe_entry *wqe_entry_by_sn(const struct wqe_qp *qp, uint32_t sn);

/* wqe_entry_remove frees the WQE that *at points to, and its cache. */
void wqe_entry_remove(struct wqe_qp *qp, struct wqe_entry *e);

/*
 * wqe_entry_add makes an entry, "BM = 0^N".  Return: NULL if the limit is
 * reached or there is no memory.
 */
struct wqe_entry *wqe_entry_add(struct wqe_qp *qp, const struct wqe_pkt *pkt);

/*
 * wqe_entry_cache allocates the cache of a WQE.  Return: false if there is no
 * memory, or the limit is reached.
 */
bool wqe_entry_cache(struct wqe_qp *qp, struct wqe_entry *e);

/* wqe_entry_forget frees all entries and their caches. */
void wqe_entry_forget(struct wqe_qp *qp);

/* wqe_entry_count adds the bitmaps of all begun WQEs. */
void wqe_entry_count(const struct wqe_qp *qp, struct orc_stats *ret);

/* wqe_entry_has_psn returns true if a PSN, not before |epsn|, was received. */
bool wqe_entry_has_psn(const struct wqe_qp *qp, uint32_t psn);

/*
 * wqe_entry_evict drops the youngest cached WQE that is not acknowledged: its
 * PSNs are missing again.  Return: false if there is none.
 */
bool wqe_entry_evict(struct wqe_qp *qp, uint32_t *ret_base, uint32_t *ret_n);

/*
 * wqe_entry_find returns the WQE of a PSN; NULL if no packet of it was
 * received.
 */
struct wqe_entry *wqe_entry_find(const struct wqe_qp *qp, uint32_t psn);

#endif
