/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/env.h -- the state that all machines of one endpoint share:
 * configuration, memory, random numbers, the time of the current call,
 * deadlines, and the two queues that the driver polls.
 */
#ifndef ORACLE_CORE_ENV_H
#define ORACLE_CORE_ENV_H

#include "base/rng.h"
#include "oracle/core/outq.h"
#include "oracle/core/timers.h"
#include "oracle/oracle.h"
#include "oracle/uet/cc/rccc.h"

/*
 * The reasons for dropping a packet: a closed list, so that a ladder can note
 * it.
 */
enum drop_reason {
	DROP_SHORT,
	DROP_TYPE,
	DROP_CRC,
	DROP_MODE,
	DROP_DUPLICATE,
	DROP_OUT_OF_ORDER,
	DROP_BEHIND,
	DROP_WINDOW,
	DROP_REFUSED,
	DROP_UNKNOWN_PDC,
	DROP_MISMATCH,
	DROP_INVALID_SYN,
	DROP_NO_PDC,
	DROP_CLOSING,
	DROP_BAD_ACK,
	DROP_BAD_NACK,
	DROP_BAD_CP,
	DROP_UNEXPECTED,
	DROP_LATE,
	DROP_SHORTAGE,
	DROP_NO_REQUEST,
	DROP_TRIMMED,
	/* SRD */
	DROP_VERSION,
	DROP_PKEY,
	DROP_CONTEXT,
	DROP_LUP,
	DROP_LENGTH,
	DROP_STALE,
	DROP_NO_MEMORY,
	/* WQE extension */
	DROP_UNKNOWN_QP,
	DROP_CONTRADICTION,
	DROP_REASONS,
};

struct event_queue {
	struct orc_event *v;
	size_t cap, head, tail; /* [head, tail) is queued */
};

struct orc_family;

struct env {
	const struct orc_family *family; /* the family of this endpoint */
	struct orc_conf conf;
	struct orc_stats stats;
	struct mem mem;
	struct rng rng;
	uint64_t data_seed; /* seed of the bytes that the endpoint sends and
			       exposes */
	vtime now;          /* time of the current call */
	struct timers timers;
	struct outq out;
	struct rccc rccc; /* UET: turns of the PDCs that want credit */
	struct event_queue events;
	/* target of env_event for an event that is not told */
	struct orc_event nowhere;
	/* the configuration passed to make, which reset needs */
	struct orc_conf made;
};

/*
 * env_event appends an event of |kind| with all other members 0, and lends it;
 * the caller fills it in before the next call.  Without memory, and for a kind
 * that the driver does not want, it returns a scratch event.
 */
struct orc_event *env_event(struct env *env, enum orc_event_kind kind);

/*
 * env_poll_event moves the oldest event to *ret.  Return: false if there is
 * none.
 */
bool env_poll_event(struct env *env, struct orc_event *ret);

/*
 * env_drop records the drop of a received packet; every packet that is not
 * processed ends here.
 */
void env_drop(struct env *env, enum drop_reason why);

/* drop_reason_name returns the text that EV_DROP carries.  Static storage. */
const char *drop_reason_name(enum drop_reason why);

/* env_rto returns RTO_Init_Time * 2^n, at most rto_max (3.5.15). */
vspan env_rto(const struct env *env, unsigned n);

/* env_entropy draws an entropy value for our own packets. */
uint16_t env_entropy(struct env *env);

/* env_dscp_bulk returns the DSCP of RUDI requests and datagrams. */
static inline uint8_t env_dscp_bulk(const struct env *env)
{
	return env->conf.dscp_bulk ? env->conf.dscp_bulk : env->conf.dscp_data;
}

/* env_written returns how many of |len| bytes of payload are written. */
static inline size_t env_written(const struct env *env, size_t len)
{
	const size_t most = env->conf.short_payload;

	return most && most < len ? most : len;
}

/* The most paths over which a source sprays. */
#define ENV_PATHS 256

/*
 * env_entropy_of_path returns the entropy value of path |path|, 0 to
 * ENV_PATHS - 1; that of path 0 is |entropy|.
 */
uint16_t env_entropy_of_path(uint16_t entropy, uint32_t path);

/* env_clear empties the queues and counters; env_free frees their memory. */
void env_clear(struct env *env);
void env_free(struct env *env);

#endif
