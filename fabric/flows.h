/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/flows.h -- the flows of a workload: who sends how many bytes to whom,
 * after which other flow, and the least time that this can take.
 */
#ifndef FABRIC_FLOWS_H
#define FABRIC_FLOWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/vtime.h"
#include "fabric/fabric.h"

#define FLOW_NONE SIZE_MAX

/* One cache line. */
struct fabric_flow {
	_Alignas(CACHE_LINE) uint32_t src, dst;
	uint64_t bytes;
	uint64_t posted;      /* bytes in writes that were posted */
	uint64_t done;        /* bytes in writes that are complete */
	uint32_t ah;          /* SRD: the handle of |dst| at |src| */
	uint32_t outstanding; /* writes that are not complete */
	bool failed;          /* a write ended in an error */
	vtime began, ended;   /* VTIME_NEVER: not yet */
};

struct fabric_flows {
	struct fabric_flow *v;
	size_t n;
	size_t first; /* flows 0 to first - 1 begin at once */
};

/* flows_make makes the flows of a workload.  Errors: ERR_NOMEM. */
int flows_make(struct fabric_flows *f, const struct fabric_conf *conf);
void flows_free(struct fabric_flows *f);

/*
 * flows_next returns the flow that begins when |flow| is complete; FLOW_NONE:
 * none.
 */
size_t flows_next(const struct fabric_flows *f, const struct fabric_conf *conf,
		  size_t flow);

/*
 * flows_ideal returns the least time of a workload: that of the most loaded
 * link, without headers, and of the way of one packet.
 */
vspan flows_ideal(const struct fabric_flows *f, const struct fabric_conf *conf);

/* flows_base_rtt returns the longest round trip through empty queues. */
vspan flows_base_rtt(const struct fabric_conf *conf);

/* flows_measure writes the figures of the flows to |ret|.  Errors: ERR_NOMEM.
 */
int flows_measure(const struct fabric_flows *f, struct fabric_result *ret);

#endif
