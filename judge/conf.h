/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/conf.h -- the declaration of a side, as far as the rules need it.
 */
#ifndef JUDGE_CONF_H
#define JUDGE_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/vtime.h"
#include "judge/core/pool.h"
#include "wire/dgram.h"
#include "wire/uet/uet_pds.h"

#define JUDGE_ANY_ACK_DATA UINT32_MAX /* Max_ACK_Data_Size is unknown */

#define JUDGE_MPR_UNIT 128 /* PSNs per unit of mpr in an ACK_CC */

struct judge_common;
struct judge_flow;

/*
 * The declaration of a side, as far as rules need it.  0 in a span: not judged.
 */
struct judge_conf {
	vspan rto_init;      /* RTO_Init_Time; 0: not declared */
	vspan rto_tolerance; /* how much earlier than the RTO is still right */
	/*
	 * How long arrivals may wait in a device's queues before its packets
	 * show them; 0: 1 ms; below 0: its next packet shows them.
	 */
	vspan grace;
	unsigned max_rto_retx;
	vspan nack_retx_time;
	/* how much earlier than NACK_Retx_Time is still right */
	vspan nack_tolerance;
	unsigned max_nack_retx;
	uint32_t max_ack_data; /* Max_ACK_Data_Size, bytes; or any */
	uint32_t mp_range;     /* MP_RANGE until an ACK_CC changes it, PSNs */
	uint32_t mtu;
	enum uet_version version;
	/*
	 * codepoints that a switch sets; 0: unknown, no packet counts as
	 * trimmed
	 */
	uint8_t dscp_trimmed, dscp_trimmed_lasthop;
	bool dscp_known; /* |dscp_data|, |dscp_control| are known */
	uint8_t dscp_data, dscp_control;
	/*
	 * Declared time within which an answer that is due at once arrives,
	 * both ways included; 0: unknown.
	 */
	vspan answer_time;
	/*
	 * PSNs of a direction that are remembered, a power of 2 from 8 to 1024;
	 * more while more are unacknowledged; 0: 1024.
	 */
	uint32_t window;
	/*
	 * Time after which an ACK that was due at once is overdue, its SES's
	 * time included; 0: not judged.
	 */
	vspan ack_time;
	/* how much later than its RTO a retransmission may come */
	vspan rto_late;
	bool ack_on_ecn;              /* ACK_On_ECN */
	bool no_crc;                  /* declared: packets have no CRC */
	uint32_t ack_gen_trigger;     /* bytes; 0: not judged */
	uint32_t ack_gen_min_pkt_add; /* bytes */
	/* the capture holds every packet of the flows: absence may be judged */
	bool complete;
	/*
	 * the side at whose link the judge stands; none (len 0): at that of
	 * each side
	 */
	struct ip_addr here;
	/*
	 * The vantage point is remote from both ends: packets crossed others
	 * before and after they were captured.
	 */
	bool remote_vantage;
	/*
	 * The capture may begin midstream: a flow is complete only if its very
	 * first packet was captured.
	 */
	bool midstream;
	vspan time_error; /* error of the given times */
	/* judge_facts need only report skipped PSNs, and late ones */
	bool minimal_facts;
	/* sides are not told apart: judge_seen_add suffices */
	bool shared_counters;
	/*
	 * Every monitor checks every packet, even if the result is predicted
	 * (judge/fast/predicted.h).
	 */
	bool no_prediction;
	/*
	 * A flow silent for so long is evicted but for its numbers; 0: never.
	 */
	vspan idle;
	/*
	 * Counters shared by several judges of one thread, which do not tell
	 * sides apart; lent until judge_free.  NULL: each judge has its own.
	 */
	struct judge_common *common;
	/* Memory of many flows; lent until judge_free.  NULL: the C library. */
	const struct pool_source *memory;
	/* Called for a flow that is forgotten; may be NULL. */
	void (*over)(void *arg, const struct judge_flow *f);
	void *arg;
};

/*
 * judge_conf_default fills in the judged defaults of uet.md 9.  Times are an
 * implementation's choice: they are 0, not judged, unless declared.
 */
void judge_conf_default(struct judge_conf *ret);

/*
 * judge_trimmed returns the NACK code for a trimmed packet by its codepoint:
 * NACK_TRIMMED or NACK_TRIMMED_LASTHOP; 0 if it is not trimmed. "last-hop trim
 * <=> ip.dscp == DSCP_TRIMMED_LASTHOP" (uet.md 1.4)
 */
static inline uint8_t judge_trimmed(const struct judge_conf *conf, uint8_t dscp)
{
	if (likely(!dscp))
		return 0;
	if (dscp == conf->dscp_trimmed_lasthop)
		return NACK_TRIMMED_LASTHOP;
	return dscp == conf->dscp_trimmed ? NACK_TRIMMED : 0;
}

/*
 * judge_saw_all returns true if every packet was captured since the two sides
 * began to talk; without a PDC nothing else marks a beginning.
 */
static inline bool judge_saw_all(const struct judge_conf *conf)
{
	return conf->complete && !conf->midstream;
}

/*
 * pkt_grace returns how long a side may take until its packets show what it has
 * received: packets in its queues were made earlier.
 */
vspan pkt_grace(const struct judge_conf *conf);

/*
 * pkt_overdue returns the time, generously, after which an answer that was due
 * at once is missing.
 */
vspan pkt_overdue(const struct judge_conf *conf);

/*
 * pkt_rto returns the shortest legal wait before retransmission number |n| + 1.
 * It is open whether |n| counts the packet's own time-outs or all its
 * retransmissions: a lower limit uses the former, an upper one the latter.
 */
vspan pkt_rto(const struct judge_conf *conf, unsigned n);

/*
 * pkt_repair returns the time, generously, within which an unacknowledged
 * packet that was sent |copies| times must be retransmitted.
 */
vspan pkt_repair(const struct judge_conf *conf, unsigned copies);

#endif
