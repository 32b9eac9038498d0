/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/fabric.h -- many reference endpoints on a network of switches, in
 * virtual time.
 *
 * The run is deterministic: the same configuration and seed give the same
 * packets at the same times.
 */
#ifndef FABRIC_FABRIC_H
#define FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "fabric/series.h"
#include "judge/judge.h"
#include "oracle/oracle.h"

enum fabric_kind {
	FABRIC_LEAF_SPINE, /* endpoint e is at leaf e / hosts */
	FABRIC_RAIL,       /* endpoint e is NIC e % leaves of a server: leaf */
	FABRIC_DUMBBELL,   /* two leaves; |spines| links between them */
};

/* The link between a leaf and a spine that loses everything for a time. */
struct fabric_failure {
	uint32_t leaf, spine;
	vtime at, until;
};

#define FABRIC_FAILURES      64
#define FABRIC_ENDPOINTS_MAX 65536
#define FABRIC_MESSAGE_MAX   (64u << 20)

struct fabric_topology {
	enum fabric_kind kind;
	uint32_t leaves, spines;
	uint32_t hosts;  /* endpoints of a leaf */
	uint32_t rate;   /* link of an endpoint, Mbit/s */
	uint32_t uplink; /* link between switches, Mbit/s; 0: |rate| */
	vspan delay;     /* propagation on each link */
	/* an endpoint sends up to so much later; its packets stay in order */
	vspan jitter;
	/*
	 * Bytes of data in the queue of a port, and as many of control; 0: rate
	 * x base RTT, without trimming five times that.
	 */
	uint32_t queue;
	/*
	 * ECN: no mark at ecn_min bytes, each packet marked at ecn_max; 0: 0.2
	 * and 0.8 x rate x base RTT
	 */
	uint32_t ecn_min, ecn_max;
	bool no_ecn;   /* nothing is marked */
	bool trim;     /* trim what does not fit; else drop it */
	uint32_t loss; /* of a million packets that reach an endpoint's link */
	/* time from a failure until ECMP avoids that link; VTIME_NEVER: never
	 */
	vspan reroute;
	struct fabric_failure failures[FABRIC_FAILURES];
	uint32_t nfailures;
};

enum fabric_workload {
	FABRIC_INCAST,      /* |fan| endpoints send to endpoint 0 */
	FABRIC_PERMUTATION, /* each endpoint sends to one other, at random */
	FABRIC_ALL_TO_ALL,  /* each endpoint sends to the |fan| after it */
	FABRIC_ALL_REDUCE,  /* a ring: 2 (n - 1) steps of bytes / n */
};

struct fabric_load {
	enum family family; /* UET: writes; SRD: messages of one packet */
	enum fabric_workload kind;
	uint32_t fan;     /* 0: all others */
	uint64_t bytes;   /* of a flow; of the vector of an all-reduce */
	uint32_t message; /* a flow is a sequence of writes of this size */
	uint32_t writes;  /* writes of a flow at once */
	enum op_mode mode;
};

struct fabric_conf {
	struct fabric_topology topology;
	struct fabric_load load;
	/*
	 * Settings of each endpoint; base_rtt 0: the longest round trip.  The
	 * fabric sets family, addr, seed, link_rate and max_pdcs.
	 */
	struct orc_conf endpoint;
	const struct orc_api *api; /* NULL: the reference */
	uint64_t seed;
	uint32_t judged; /* endpoints 0 to judged - 1 have a judge */
	bool strict;     /* findings of level S count as those of level M */
	vtime until;     /* end of the run even if flows are not complete */
	const volatile bool *stop; /* the run ends when it is true; may be NULL
				    */
};

#define FABRIC_FINDINGS    8 /* kept; others are counted */
#define FABRIC_PERCENTILES 101

/* Memory that an endpoint of few flows and its judge touch, roughly. */
#define FABRIC_ENDPOINT_BYTES (128u << 10)

struct fabric_times {
	vspan mean, p50, p99, max;
};

struct fabric_result {
	uint32_t endpoints, judged;
	size_t flows, complete, failed;
	vspan base_rtt;
	vspan took;  /* until the last flow was complete */
	vspan ideal; /* the least time that the links allow */
	struct fabric_times completion;        /* of complete flows */
	vspan percentiles[FABRIC_PERCENTILES]; /* 0 to 100, of the same */
	struct fabric_series series;
	double goodput;          /* share of the ideal: ideal / took */
	double fairness;         /* Jain's index of the flows' rates */
	uint64_t payload;        /* bytes of complete flows */
	uint64_t packets;        /* sent by endpoints */
	uint64_t judged_packets; /* seen by judges: sent and received */
	uint64_t retransmitted, nacks;
	uint64_t marked, trimmed, dropped, cut; /* cut: lost by failures */
	uint32_t queue_max; /* largest queue of data, bytes */
	uint64_t events;
	uint64_t findings; /* of level M; if |strict|, also of level S */
	uint64_t remarks;  /* of level S, if not |strict| */
	struct finding first[FABRIC_FINDINGS];
};

/* fabric_default sets the topology and load of docs/fabric.md. */
void fabric_default(struct fabric_conf *conf);

/*
 * fabric_complete makes the messages of SRD as long as a packet, as many at
 * once as carry the same bytes, and its packets no longer trimmed; it replaces
 * each 0 that the members describe by its value.  Call
 * it once fabric_check permits the configuration.
 */
void fabric_complete(struct fabric_conf *conf);

/* fabric_endpoints returns the number of endpoints. */
uint32_t fabric_endpoints(const struct fabric_topology *t);

/*
 * fabric_check returns NULL, or why the configuration is impossible.  Static
 * text.
 */
const char *fabric_check(const struct fabric_conf *conf);

/*
 * fabric_run runs a configuration that is complete.
 *
 * Errors: ERR_NOMEM; ERR_VALUE the settings of the endpoint are out of range;
 *         ERR_STATE an endpoint wants the same time again and again.
 */
int fabric_run(const struct fabric_conf *conf, struct fabric_result *ret);

#endif
