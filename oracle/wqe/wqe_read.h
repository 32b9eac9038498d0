/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/wqe/wqe_read.h -- answers reads, and requests the missing parts of a
 * read again.
 */
#ifndef ORACLE_WQE_WQE_READ_H
#define ORACLE_WQE_WQE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/wqe/wqe_state.h"

/* wqe_read_opcode returns the opcode of packet |i| of an answer of |n|. */
uint8_t wqe_read_opcode(const struct wqe *w, uint32_t i, uint32_t n);

/*
 * wqe_read_answer answers a read when all earlier requests are complete, and
 * remembers it.
 */
void wqe_read_answer(struct wqe_qp *qp, const struct wqe_entry *e);

/* wqe_read_again answers a duplicate of a read, or the rest of one. */
void wqe_read_again(struct wqe_qp *qp, const struct wqe_pkt *pkt);

/* wqe_read_listed retransmits a packet that an indication lists. */
void wqe_read_listed(struct wqe_qp *qp, const struct rieth *h, uint32_t psn24);

/* wqe_read_forget frees the remembered reads. */
void wqe_read_forget(struct wqe_qp *qp);

/*
 * wqe_read_begin allocates the buffer of the answer.  Return: false if there is
 * no memory.
 */
bool wqe_read_begin(struct wqe *w, struct wqe_wr *wr);

/*
 * wqe_read_end makes the answer the last message received; wqe_read_drop frees
 * it.
 */
void wqe_read_end(struct wqe *w, struct wqe_wr *wr);
void wqe_read_drop(struct wqe_wr *wr);

/*
 * wqe_read_take_apart parses the headers of an answer.  Return: false if it is
 * truncated.
 */
bool wqe_read_take_apart(struct wqe_pkt *ret, const struct bth *bth,
			 const uint8_t *p, size_t len, bool plain);

/*
 * wqe_read_put takes a packet that has a PSN of |wr|.  Return: false if it is
 * not part of its answer, or a duplicate.
 */
bool wqe_read_put(struct wqe *w, struct wqe_wr *wr, const struct wqe_pkt *pkt);

/*
 * wqe_read_arrived returns the PSN behind those that are acknowledged and whose
 * data has arrived.
 */
uint32_t wqe_read_arrived(const struct wqe_qp *qp);

/*
 * wqe_read_ask requests the skipped packets of all reads that were not
 * requested yet; wqe_read_ask_again requests all missing packets of one read.
 */
void wqe_read_ask(struct wqe_qp *qp);
void wqe_read_ask_again(struct wqe_qp *qp, const struct wqe_wr *wr);

#endif
