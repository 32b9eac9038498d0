/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/nscc.h -- NSCC: a source moves its window by the delay and the
 * ECN marks that ACKs report.
 *
 *    delay      mark   the window
 *    low        no     grows by its distance from the target (proportional),
 *                      and faster after a whole window without any delay
 *    high       no     grows by the same amount for each source (fair)
 *    low        yes    stays: the spraying leaves the marked path
 *    high       yes    shrinks by the excess delay, once in a round trip
 *
 * After a trimmed packet, a time-out or a very high delay the window becomes
 * what arrived in the last round trip (quick adapt).  An inferred loss takes
 * the size of the packet away.  The window is at least one packet and at most
 * nscc_max_window.
 *
 * The window is a parameter and a result, since a penalty of the destination
 * changes it too.
 *
 * Spec: UET 3.6.13 (uet.md 8.5); README.md lists the constants
 */
#ifndef ORACLE_UET_CC_NSCC_H
#define ORACLE_UET_CC_NSCC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"
#include "oracle/oracle.h"

#define NSCC_NO_RTT (-1)

struct nscc {
	vspan base_rtt;   /* the shortest RTT so far */
	vspan avg_delay;  /* moving average of the queueing delay */
	uint64_t inc;     /* increase to come: bytes x window bytes */
	uint32_t packet;  /* nominal size of a full packet: the least window */
	uint32_t pending; /* bytes acknowledged since the last increase */
	uint32_t undelayed; /* bytes acknowledged in a row without delay */
	uint32_t achieved;  /* bytes acknowledged since |qa_at| was set */
	uint32_t to_ignore; /* bytes in flight at the last quick adapt */
	uint32_t ignored;   /* bytes acknowledged since then */
	bool fast;          /* fast increase goes on */
	bool qa_wanted;     /* a packet was trimmed or timed out */
	bool qa_set;        /* |qa_at| is set */
	vtime qa_at;        /* quick adapt is due after this */
	vtime decreased_at; /* last multiplicative decrease */
	vtime adjusted_at;  /* last increase */
};

/* The report of an ACK. */
struct nscc_ack {
	vtime now;
	vspan rtt;         /* NSCC_NO_RTT: the ACK gives no sample */
	uint32_t bytes;    /* newly acknowledged, nominal sizes */
	uint32_t inflight; /* bytes in flight after the ACK */
	bool ce;           /* the packet arrived with a mark */
};

/*
 * nscc_start begins with the largest window, for packets of |packet| bytes.
 *
 * Return: the window.
 */
uint32_t nscc_start(struct nscc *n, const struct orc_conf *conf,
		    uint32_t packet);

/* nscc_acked processes an ACK.  Return: the new window. */
uint32_t nscc_acked(struct nscc *n, const struct orc_conf *conf,
		    uint32_t window, const struct nscc_ack *ack);

/*
 * nscc_lost processes the loss of a packet of |bytes|.  |quick|: it was trimmed
 * or timed out, so quick adapt is wanted; else other packets showed the loss.
 *
 * Return: the new window.
 */
uint32_t nscc_lost(struct nscc *n, const struct orc_conf *conf, uint32_t window,
		   vtime now, uint32_t bytes, uint32_t inflight, bool quick);

#endif
