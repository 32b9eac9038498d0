/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/forge.h -- what the reference never sends and a peer may meet all
 * the same: a link that tampers with a request, or adds a packet in the name of
 * one of its ends.
 *
 * The other end must cope; its judge sees what arrived, and looks at nobody but
 * the side at whose link it stands.
 */
#ifndef SOAK_FORGE_H
#define SOAK_FORGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/soak/plan.h"
#include "wire/dgram.h"
#include "wire/uet_pds.h"

enum trick {
	TRICK_FOREIGN,   /* the request has another PDC's spdcid */
	TRICK_BEYOND,    /* its PSN is beyond the window */
	TRICK_ASK,       /* an ACK Request comes in its place */
	TRICK_ASK_CLEAR, /* its sender is asked for a clear */
	TRICK_CUT,       /* it ends inside its PDS header */
	TRICK_TYPE,      /* its type is a reserved one */
	TRICK_FATAL,     /* its sender is told that the PDC is lost */
	TRICKS
};

/* A request that is kept: a repeated one until its PSN is far behind. */
struct forge_kept {
	bool used;
	struct dgram d;
};

/*
 * forge_choose draws what happens to a request on its way; false: nothing.
 */
bool forge_choose(struct plan *p, const struct pds_req *req, enum trick *ret);

/*
 * forge_make turns the request in |d| into what |trick| makes of it.
 * Return: true if that goes back to the sender, beside the request.
 */
bool forge_make(const struct plan *p, enum trick trick, struct dgram *d);

/*
 * forge_replay keeps a repeated request, and says when it is |d|'s turn to be
 * overtaken by the one that was kept: far behind the window by then.
 */
bool forge_replay(const struct plan *p, struct forge_kept *kept,
		  const struct dgram *d, const struct pds_req *req);

/* forge_keep keeps the last forward request whose target is known. */
void forge_keep(struct forge_kept *last, const struct dgram *d,
		const struct pds_req *req);

/* forge_spoil cuts an ACK inside its response, or sets a reserved flag; it
 * returns whether it may have. */
bool forge_spoil(struct plan *p, struct dgram *d);

/* forge_narrow makes an ACK_CC or ACK_CCX tell of a smaller window; it returns
 * whether it did. */
bool forge_narrow(struct dgram *d);

#endif
