/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/env.h -- what all machines of one endpoint share: configuration,
 * memory, chance, the time of the current call, deadlines, and the two queues
 * that the driver polls.
 */
#ifndef ORACLE_ENV_H
#define ORACLE_ENV_H

#include "base/rng.h"
#include "oracle/oracle.h"
#include "oracle/outq.h"
#include "oracle/timers.h"

/* Why a packet was dropped: a closed list, so that a ladder can note it. */
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
	size_t cap, head, tail; /* [head, tail) waits */
};

struct orc_family;

struct env {
	const struct orc_family *family; /* whose endpoint this is */
	struct orc_conf conf;
	struct orc_stats stats;
	struct mem mem;
	struct rng rng;
	vtime now; /* of the call that is under way */
	struct timers timers;
	struct outq out;
	struct event_queue events;
	struct orc_event nowhere; /* takes what there is no memory for */
	struct orc_conf made;     /* as make was given it: for reset */
};

/*
 * env_event appends an event of |kind|, all else 0, and lends it to be filled
 * in before the next call.  Without memory it is a place that nobody reads.
 */
struct orc_event *env_event(struct env *env, enum orc_event_kind kind);

/* env_poll_event moves the oldest event to *ret; false: there is none. */
bool env_poll_event(struct env *env, struct orc_event *ret);

/* env_drop is the one exit of a received packet that is not processed. */
void env_drop(struct env *env, enum drop_reason why);

/* drop_reason_name is the text that EV_DROP carries.  Static storage. */
const char *drop_reason_name(enum drop_reason why);

/* env_rto is RTO_Init_Time * 2^n, at most rto_max (3.5.15). */
vspan env_rto(const struct env *env, unsigned n);

/* env_entropy draws an entropy value for packets of our own. */
uint16_t env_entropy(struct env *env);

/* env_clear empties the queues and counters; env_free gives memory back. */
void env_clear(struct env *env);
void env_free(struct env *env);

#endif
