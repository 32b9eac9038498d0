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
 * The declaration of a side, as far as the rules need it.  A time of 0 is not
 * judged.
 */
struct judge_conf {
	vspan rto_init; /* RTO_Init_Time; 0: not declared */
	vspan rto_max;  /* the RTO doubles up to this; 0: 8 s */
	/* tolerated amount by which a retransmission precedes the RTO */
	vspan rto_tolerance;
	/*
	 * How long arrivals may wait in a device's queues before its packets
	 * show them; 0: 1 ms; below 0: its next packet shows them.
	 */
	vspan grace;
	unsigned max_rto_retx;
	vspan nack_retx_time;
	/* tolerated amount by which a retransmission precedes NACK_Retx_Time */
	vspan nack_tolerance;
	unsigned max_nack_retx;
	/* Max_ACK_Data_Size in bytes, or JUDGE_ANY_ACK_DATA */
	uint32_t max_ack_data;
	uint32_t mp_range; /* MP_RANGE until an ACK_CC changes it, PSNs */
	uint32_t mtu;
	enum uet_version version;
	/*
	 * The codepoints that a switch sets when it trims.  0: unknown, so that
	 * no packet counts as trimmed.
	 */
	uint8_t dscp_trimmed, dscp_trimmed_lasthop;
	bool dscp_known; /* |dscp_data|, |dscp_control| are known */
	uint8_t dscp_data, dscp_control;
	/* of RUDI requests and datagrams in bulk; 0: |dscp_data| */
	uint8_t dscp_bulk;
	/*
	 * Declared time within which an answer that is due at once arrives,
	 * round trip included; 0: unknown.
	 */
	vspan answer_time;
	/*
	 * Number of PSNs remembered for each direction, a power of 2 from 8 to
	 * 1024; 0: 1024.  It grows while more PSNs are unacknowledged.
	 */
	uint32_t window;
	/*
	 * Number of requests without a PDC that are followed at a time; 0: 64
	 * for each flow, at most 4096.
	 */
	uint32_t rudi_max;
	/*
	 * Time after which an ACK that was due at once is overdue, including
	 * the time for its SES header; 0: not judged.
	 */
	vspan ack_time;
	/* tolerated amount by which a retransmission exceeds its RTO */
	vspan rto_late;
	/*
	 * A source sends by credit: bytes of a unit (0: not judged), and the
	 * units with which a PDC begins.
	 */
	bool credit;
	uint32_t credit_unit, credit_init;
	bool credit_init_known;
	bool ack_on_ecn;              /* ACK_On_ECN */
	bool no_crc;                  /* declared: packets have no CRC */
	uint32_t ack_gen_trigger;     /* bytes; 0: not judged */
	uint32_t ack_gen_min_pkt_add; /* bytes */
	/*
	 * The capture holds every packet of the flows, so that a missing packet
	 * may be judged.
	 */
	bool complete;
	/*
	 * The judge captures at the link of this side; len 0: at the link of
	 * each side.
	 */
	struct ip_addr here;
	/*
	 * Judge that side of UET alone: the packets of others are followed,
	 * and checked for what it owes them.  The judges of other transports
	 * do not read this.
	 */
	bool here_only;
	/*
	 * The vantage point is remote from both ends: the network may have
	 * reordered packets before and after the capture.
	 */
	bool remote_vantage;
	/*
	 * The capture may begin midstream: a flow is complete only if its very
	 * first packet was captured.
	 */
	bool midstream;
	vspan time_error; /* error of the times of captured packets */
	/* judge_facts() reports only skipped and late PSNs */
	bool minimal_facts;
	/* round trips of PDCs are not counted: judge_rtt() knows none */
	bool no_rtt;
	/* sides are not distinguished: judge_seen_add() suffices */
	bool shared_counters;
	/*
	 * Every monitor checks every packet, even if the result is predicted
	 * (judge/fast/predicted.h).
	 */
	bool no_prediction;
	/*
	 * The state of a flow that is silent for so long is evicted, except its
	 * counters; 0: never.
	 */
	vspan idle;
	/*
	 * Counters that several judges of one thread share; they do not
	 * distinguish sides.  Lent until judge_free().  NULL: each judge has
	 * its own.
	 */
	struct judge_common *common;
	/*
	 * Source of memory for many flows; lent until judge_free().  NULL: the
	 * C library.
	 */
	const struct pool_source *memory;
	/* Called for each flow that the judge forgets; may be NULL. */
	void (*over)(void *arg, const struct judge_flow *f);
	void *arg;
};

/*
 * judge_conf_default fills in the defaults of uet.md 9.  Each implementation
 * chooses its times, so they are 0 (not judged) unless declared.
 */
void judge_conf_default(struct judge_conf *ret);

/*
 * JUDGE_CONF_OF stores in struct judge_conf *|j| what the configuration *|c| of
 * an endpoint declares, apart from its address and the times within which it
 * must act.  |c| points to a structure with these members; a macro, so that
 * judge and oracle need not include each other.
 */
#define JUDGE_CONF_OF(j, c)                                                  \
	do {                                                                 \
		(j)->rto_init = (c)->rto_init;                               \
		(j)->max_rto_retx = (c)->max_rto_retx;                       \
		(j)->nack_retx_time = (c)->nack_retx_time;                   \
		(j)->max_nack_retx = (c)->max_nack_retx;                     \
		(j)->max_ack_data = (c)->max_ack_data;                       \
		(j)->mp_range = (c)->default_mpr * (uint32_t)JUDGE_MPR_UNIT; \
		(j)->mtu = (c)->mtu;                                         \
		(j)->version = (c)->version;                                 \
		(j)->dscp_trimmed = (c)->dscp_trimmed;                       \
		(j)->dscp_trimmed_lasthop = (c)->dscp_trimmed_lasthop;       \
		(j)->dscp_known = true;                                      \
		(j)->dscp_data = (c)->dscp_data;                             \
		(j)->dscp_control = (c)->dscp_control;                       \
		(j)->no_crc = !(c)->crc;                                     \
		(j)->ack_on_ecn = (c)->ack_on_ecn;                           \
		(j)->ack_gen_trigger = (c)->ack_gen_trigger;                 \
		(j)->ack_gen_min_pkt_add = (c)->ack_gen_min_pkt_add;         \
	} while (0)

/*
 * judge_conf_capture fills in what a capture of unknown devices from an unknown
 * place allows: no limit is declared, the capture may begin midstream, and the
 * network may have reordered or changed packets before it.
 */
void judge_conf_capture(struct judge_conf *ret);

/*
 * judge_trimmed returns the NACK code that the codepoint of a trimmed packet
 * requires: NACK_TRIMMED or NACK_TRIMMED_LASTHOP; 0 if the packet is not
 * trimmed. "last-hop trim <=> ip.dscp == DSCP_TRIMMED_LASTHOP" (uet.md 1.4)
 */
static inline uint8_t judge_trimmed(const struct judge_conf *conf, uint8_t dscp)
{
	if (likely(!dscp))
		return 0;
	if (dscp == conf->dscp_trimmed_lasthop)
		return NACK_TRIMMED_LASTHOP;
	return dscp == conf->dscp_trimmed ? NACK_TRIMMED : 0;
}

/* judge_knows_credit returns true if what a source may send can be counted. */
static inline bool judge_knows_credit(const struct judge_conf *conf)
{
	return conf->credit && conf->credit_unit && conf->credit_init_known;
}

/*
 * judge_saw_all returns true if the capture holds every packet since the two
 * sides began to communicate.  Packets without a PDC have no other mark of a
 * beginning.
 */
static inline bool judge_saw_all(const struct judge_conf *conf)
{
	return conf->complete && !conf->midstream;
}

/*
 * pkt_grace returns the time a side may take until its packets show what it has
 * received: packets in its send queue were built earlier.
 */
vspan pkt_grace(const struct judge_conf *conf);

/*
 * pkt_overdue returns the time after which an answer that was due at once
 * counts as missing; it includes a margin.
 */
vspan pkt_overdue(const struct judge_conf *conf);

/*
 * pkt_rto returns the shortest legal wait before retransmission number |n| + 1.
 * The specification leaves open whether |n| counts the packet's own time-outs
 * or all its retransmissions: a lower limit uses the former, an upper limit the
 * latter.
 */
vspan pkt_rto(const struct judge_conf *conf, unsigned n);

/*
 * pkt_repair returns the time within which an unacknowledged packet that was
 * sent |copies| times must be retransmitted; it includes a margin.
 */
vspan pkt_repair(const struct judge_conf *conf, unsigned copies);

#endif
