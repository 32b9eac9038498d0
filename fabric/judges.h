/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/judges.h -- the judges of all endpoints.
 *
 * A packet is judged where its endpoint sent it and where it arrives, a little
 * later than it was seen: several packets wait, so that the memory that their
 * judges need is prefetched for all of them at once.  Each judge gets its
 * packets in their order, with the times at which they were seen.
 *
 *    1. judges_see for each packet that an endpoint sends or receives
 *    2. judges_hold for a packet that arrives, before anything changes it
 *    3. judges_flush at the end
 */
#ifndef FABRIC_JUDGES_H
#define FABRIC_JUDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vtime.h"
#include "fabric/fabric.h"
#include "fabric/net.h"
#include "wire/packet.h"

#define JUDGES_FIRST   0x0a000001u /* 10.0.0.1 is endpoint 0 */
#define JUDGES_WAITING 32

/* Bytes of each payload that endpoints write and judges read. */
#define JUDGES_PAYLOAD 64

/* A packet that waits for its judge. */
struct judges_item {
	struct net_packet *packet;
	vtime at;
	uint32_t endpoint;
	bool arrived; /* it is unused when it is judged */
};

struct judges {
	struct judge **v; /* of each endpoint; NULL: not judged */
	uint32_t n;
	struct judge_common *common; /* counters of all */
	struct net *net;
	struct fabric_result *ret;
	bool strict; /* findings of level S count as those of level M */
	struct judges_item waiting[JUDGES_WAITING];
	uint32_t nwaiting;
	uint32_t frame;   /* packets that judges have seen */
	uint16_t defined; /* bytes of a request that are; 0: all */
	struct packet pkt;
};

/*
 * judges_init makes room for the judges of |n| endpoints; findings go to |ret|,
 * judged packets back to |net|; if |strict|, findings of level S count as those
 * of level M.  judges_make makes the judge of an endpoint.
 *
 * Errors: ERR_NOMEM; call judges_free in any case.
 */
int judges_init(struct judges *j, uint32_t n, struct net *net,
		struct fabric_result *ret, bool strict);
int judges_make(struct judges *j, uint32_t endpoint,
		const struct orc_conf *conf);
void judges_free(struct judges *j);

/*
 * judges_see passes a packet to the judge of an endpoint that sends it, or at
 * which it has |arrived|.
 *
 * Owner:  a packet that has arrived goes to judges_see, which makes it unused.
 */
void judges_see(struct judges *j, uint32_t endpoint, struct net_packet *p,
		vtime at, bool arrived);

/* judges_hold returns true if |p| waits as a packet that was sent. */
bool judges_hold(const struct judges *j, const struct net_packet *p);

/* judges_flush judges the packets that wait. */
void judges_flush(struct judges *j);

#endif
