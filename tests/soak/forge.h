/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/forge.h -- packets that the reference never sends but a peer may
 * receive: a link tampers with a request, or adds a packet in the name of one
 * of its ends.
 *
 * The other end must cope.  Its judge sees what arrived, and judges only the
 * side at whose link it is.
 */
#ifndef SOAK_FORGE_H
#define SOAK_FORGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/soak/plan.h"
#include "wire/dgram.h"
#include "wire/uet/uet_pds.h"

enum trick {
	TRICK_FOREIGN,   /* the request has the spdcid of another PDC */
	TRICK_BEYOND,    /* its PSN is beyond the window */
	TRICK_ASK,       /* an ACK Request replaces it */
	TRICK_ASK_CLEAR, /* its sender is requested to clear */
	TRICK_CUT,       /* truncated inside its PDS header */
	TRICK_TYPE,      /* its type is reserved */
	TRICK_FATAL,     /* its sender learns that the PDC is lost */
	TRICKS
};

/* A stored request: a retransmitted one, until its PSN is far behind. */
struct forge_kept {
	bool used;
	struct dgram d;
};

/*
 * forge_choose draws what happens to a request.  Return: false if nothing does.
 */
bool forge_choose(struct plan *p, const struct pds_req *req, enum trick *ret);

/*
 * forge_make turns the request in |d| into the packet of |trick|.
 *
 * Return: true if that packet goes back to the sender, beside the request.
 */
bool forge_make(const struct plan *p, enum trick trick, struct dgram *d);

/*
 * forge_replay stores a retransmitted request.  Return: true when the stored
 * one, by then far behind the window, is to be sent before |d|.
 */
bool forge_replay(const struct plan *p, struct forge_kept *kept,
		  const struct dgram *d, const struct pds_req *req);

/* forge_keep keeps the last forward request whose target is known. */
void forge_keep(struct forge_kept *last, const struct dgram *d,
		const struct pds_req *req);

/*
 * forge_spoil truncates an ACK inside its response, or sets a reserved flag.
 *
 * Return: true if it may have done so.
 */
bool forge_spoil(struct plan *p, struct dgram *d);

/*
 * forge_narrow reduces the window in an ACK_CC or ACK_CCX.
 *
 * Return: true if it did.
 */
bool forge_narrow(struct dgram *d);

#endif
