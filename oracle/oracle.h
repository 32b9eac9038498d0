/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/oracle.h -- a reference endpoint, without I/O.
 *
 * An endpoint is a deterministic state machine.  It reads no clock, draws no
 * chance but from its seed and opens no socket.  The driver pushes datagrams,
 * operations and time in, and pulls datagrams, events and the next deadline
 * out:
 *
 *	driver                  endpoint
 *	orc_feed(d, now)   -->  a datagram arrived
 *	orc_post(op, now)  -->  the application asked for something
 *	orc_tick(now)      -->  timers due at or before now fire
 *	orc_poll_tx(d)     <--  one outgoing datagram, until it says none
 *	orc_poll_event(ev) <--  one completion or state change, until none
 *	orc_deadline()     <--  when to call orc_tick next (VTIME_NEVER: never)
 *
 * Time is a parameter and must not go backwards across calls.  After any call
 * marked "-->" poll both queues dry, then ask for the deadline.  The same calls
 * in the same order give the same output, byte for byte.
 *
 * The calls go through a table, so that a mutant of the endpoint (a shared
 * object with one line changed) takes the same place.
 */
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "oracle/event.h"
#include "oracle/op.h"
#include "wire/addr.h"
#include "wire/crc.h"
#include "wire/dgram.h"
#include "wire/family.h"
#include "wire/uet_pds.h"

struct orc;

/* What congestion control asks of requests and ACKs (uet.md 3.3, 3.5). */
enum orc_cc {
	ORC_CC_NSCC, /* requests without a CC section; cc_type NSCC */
	ORC_CC_CREDIT,
};

/* Where the SACK bitmap of an ACK begins: the choice is free (uet.md 7.2). */
enum orc_sack_base {
	ORC_SACK_CACK,    /* behind CACK_PSN, if ACK_PSN is in it then */
	ORC_SACK_ACK_PSN, /* at ACK_PSN */
	ORC_SACK_ALIGNED, /* at the multiple of 64 below ACK_PSN */
	ORC_SACK_STEP,    /* 64 further with each ACK */
};

enum orc_ack_type {
	ORC_ACK, /* plain ACK */
	ORC_ACK_CC,
	ORC_ACK_CCX,
};

/*
 * What the endpoint is, and every choice that the specification leaves open.
 * Copied by make.  orc_conf_default fills in the judged values of uet.md 9.
 */
struct orc_conf {
	enum family family;
	struct ip_addr addr; /* its own */
	uint64_t seed;       /* of PDCIDs, Start_PSN and entropy */

	enum uet_version version;
	bool native; /* PDCs of its own over IP, without UDP */

	uint16_t mtu; /* payload bytes: 1024, 2048, 4096 or 8192 */
	bool crc;     /* UET_Data_Protect = 1 */
	enum crc_order crc_order;
	enum icrc_mode icrc; /* of the other families, which always have one */

	vspan rto_init;         /* RTO_Init_Time; doubles with each time-out */
	vspan rto_max;          /* 8 s by the specification */
	unsigned max_rto_retx;  /* Max_RTO_Retx_Cnt */
	vspan nack_retx_time;   /* NACK_Retx_Time */
	unsigned max_nack_retx; /* Max_NACK_Retx_Cnt */

	enum orc_ack_type ack_type;
	uint32_t ack_gen_trigger;     /* bytes */
	uint32_t ack_gen_min_pkt_add; /* bytes */
	bool ack_per_pkt;             /* Enb_ACK_Per_Pkt: ar on every request */
	bool ar_on_eom;               /* ar on the last packet of a message */
	bool ack_on_ecn;              /* ACK_On_ECN */
	uint32_t max_ack_data;        /* Max_ACK_Data_Size, bytes */
	bool keep_read_data;   /* in an ACK; or run the read again for a copy */
	uint32_t infer_loss;   /* PSNs that arrive behind a missing one before
				  RCVR_INFER_LOSS; 0: never */
	uint8_t default_rc;    /* of a default response: RC_NULL or RC_OK */
	bool rod_nack_each;    /* ROD_OOO for each packet, or once for a gap */
	bool rod_nack_payload; /* which says Expected_PSN, or 0 */
	bool nack_ccx;         /* NACKs of a PDC are NACK_CCX */

	enum orc_cc cc;
	enum orc_sack_base sack_base;
	uint32_t cwnd;         /* a fixed window, bytes; 0: MP_RANGE alone */
	uint32_t sack_retx;    /* PSNs between a packet and a later one that
				  SACK shows, for it to be lost; 0: never */
	bool probe;            /* the initiator sends a Probe once */
	uint8_t rcv_cwnd_pend; /* told in each ACK_CC; 7 bits */
	bool restore_cwnd;     /* likewise */
	uint8_t ccc_id;        /* told in RUD_CC requests */
	uint32_t credit_unit;  /* bytes; stated nowhere */
	uint32_t credit_init;  /* units that a source has from the start */

	uint8_t mpr; /* advertised, units of 128 PSNs; 0 under 1.0.3:
			override_mpr_zero */
	uint32_t override_mpr_zero; /* PSNs that mpr = 0 stands for; 0: none */
	uint8_t default_mpr;        /* assumed of a peer that has not said */
	vspan pds_clear_time;       /* idle time before a Clear Command */
	vspan close_idle;           /* initiator closes an idle PDC; 0: never */
	vspan close_req_time;       /* Close_REQ_Time */
	vspan syn_retx_safety;      /* Syn_Retx_Safety_Time; 0: before 1.0.3 */
	uint32_t psn_range;     /* PSNs of a PDC before it is closed: 2^31 */
	unsigned fatal_retries; /* how often a message that nothing of was
				   answered is tried again on a new PDC */
	uint32_t max_pdcs;      /* at once; at most 65535 */
	uint32_t max_rudi;      /* RUDI requests outstanding at once */

	/* What else may run short, at once; 0: it does not (pds_limit.c). */
	uint32_t max_peer_pdcs;   /* PDCs that one peer made */
	uint32_t max_cccs;        /* congestion contexts, one for each PDC */
	uint32_t max_bitmaps;     /* PDCs whose PSNs are tracked as target */
	uint32_t max_pkt_buffers; /* requests that the SES has not answered */
	uint32_t max_stored;      /* guaranteed responses */
	uint32_t max_ses_msgs;    /* messages in pieces, at the target */

	bool start_psn_fixed; /* use |start_psn| for every PDC: wrap tests */
	uint32_t start_psn;

	/* What the SES puts into its requests and accepts in others'. */
	uint32_t job_id;         /* 24 bits */
	uint16_t pid_on_fep;     /* 12 bits */
	uint16_t resource_index; /* 12 bits */
	uint8_t ri_generation;
	uint32_t initiator;

	uint8_t dscp_data, dscp_control;
	uint8_t dscp_trimmed, dscp_trimmed_lasthop; /* what a switch sets */
	bool trim_syn; /* NACK a trimmed SYN of a PDC that is not there; it
			  may as well be dropped (uet.md 6.3) */
	uint32_t trimmable_ack; /* Trimmable_ACK_Size, bytes */

	/*
	 * SRD (srd_wqe.md A.4.4, A.4.5).  mtu is the longest message, rto_init
	 * and rto_max hold as well, start_psn is the ISN of each context.
	 */
	uint32_t srd_window;    /* PSNs, of both sides: 64 to 2^22 */
	uint32_t srd_paths;     /* that are sprayed over, 1 to 256 */
	vspan srd_unresponsive; /* T_unresp */
	bool srd_give_up;       /* WRs then end in STATUS_TIMEOUT; or go on */
	vspan srd_idle;         /* T_idle_rotate: a context at rest is left */
	vspan srd_gc;           /* T_gc: and its other half is forgotten */
	uint32_t srd_max_ctx;   /* of peers, at once */
	bool srd_sqe;           /* a local error takes the QP to SQE */
	uint32_t srd_coalesce;  /* accepts that nobody asked of, an answer */

	/*
	 * WQE extension (srd_wqe.md B.7, B.8).  mtu is that of the path,
	 * rto_init does not grow, max_rto_retx is the retry count.
	 */
	uint32_t wqe_window;    /* PSNs, of both sides */
	uint32_t wqe_max_len;   /* the longest LEN that is believed */
	uint32_t wqe_cache_max; /* bytes, of each QP */
	uint32_t wqe_max_ooo;   /* WQEs begun at once; the expected one may
				   always begin */
	vspan wqe_miss;         /* T_miss: from a gap to the indication */
	vspan wqe_again;        /* T_rereq: between two for the same PSN */
	vspan wqe_tail;         /* T_tail: of silence inside a WQE */
	vspan wqe_hold;         /* T_hold: between two repeats of a PSN */
	uint32_t wqe_rnr_code;  /* IBTA's code of the wait, 0 to 31 */
	uint32_t wqe_rnr_retry; /* RNR NAKs in a row */
	bool wqe_bitmap;        /* indications have the bitmap form */
	bool wqe_gbn;           /* the base line: go-back-N */
	bool wqe_in_order;      /* a write is placed behind all before it */
	uint32_t wqe_ack_every; /* packets of a WQE that ask for an ACK; 0: the
				   last alone */
	uint32_t wqe_cache_device; /* bytes, of all QPs together */
	vspan wqe_cache_time;      /* T_cache: of silence, then the youngest
				      WQE that is cached is given up */
};

/* Counters since make or reset. */
struct orc_stats {
	uint64_t tx, rx, tx_retx, rx_duplicate, rx_dropped;
	uint64_t tx_nack, rx_nack, delivered, tx_ack, rx_ack, pdcs;
	uint64_t rtt_samples, rtt_refused; /* refused: which copy is unsure */
	uint64_t rtt_last;                 /* ns */
	uint64_t contexts;     /* SRD: of its own and of peers, now */
	uint64_t unresponsive; /* events of that kind */
	uint64_t cache_bytes;  /* WQE extension: now, and the most there were */
	uint64_t cache_peak;
	uint64_t bitmaps;      /* likewise: WQEs that have begun, now, */
	uint64_t bitmap_bits;  /* the sizes of their bitmaps, */
	uint64_t bitmap_set;   /* the bits that are 1, */
	uint64_t bitmap_first; /* and 32 bits of the oldest one, bit i: packet
				  i was received */
};

/* orc_conf_default fills a configuration; addr and seed stay 0. */
void orc_conf_default(struct orc_conf *ret);

struct orc_api {
	/*
	 * make makes an endpoint.
	 * Owner:  the caller frees *ret with free.
	 * Errors: ERR_VALUE a member is out of range; ERR_NOMEM.
	 *         *ret is written only on success.
	 */
	int (*make)(struct orc **ret, const struct orc_conf *conf);

	/* free frees an endpoint and all it holds.  NULL is allowed. */
	void (*free)(struct orc *o);

	/*
	 * reset forgets all PDCs, messages, buffers, events and counters and
	 * starts again with |seed|, as make would.
	 */
	void (*reset)(struct orc *o, uint64_t seed);

	/*
	 * feed hands over a datagram that arrived at |now|.
	 * Owner:  |d| is lent; nothing keeps a pointer into it.
	 * Errors: ERR_NOMEM.  A malformed or unexpected datagram is not an
	 *         error: it has the effect that the specification gives it
	 *         (drop, NACK) and shows up as an event.
	 */
	int (*feed)(struct orc *o, const struct dgram *d, vtime now);

	/*
	 * post asks for an operation, as an application would.  What a verb
	 * gives back goes to *op->ret.
	 * Errors: ERR_STATE not possible now; ERR_VALUE; ERR_NOMEM;
	 *         ERR_SUPPORT this endpoint has no such operation or mode.
	 */
	int (*post)(struct orc *o, const struct orc_op *op, vtime now);

	/*
	 * expect_feed and expect_post say what comes later in a burst: a
	 * datagram that will be fed, operations that will be posted.  They
	 * change nothing.  Among very many PDCs they let memory travel to the
	 * processor while the burst's first packets are worked on.
	 */
	void (*expect_feed)(const struct orc *o, const struct dgram *d);
	void (*expect_post)(const struct orc *o, const struct orc_op *ops,
			    size_t n);

	/* tick lets time pass up to and including |now|.  Idempotent. */
	void (*tick)(struct orc *o, vtime now);

	/* deadline says when tick will next do something. */
	vtime (*deadline)(const struct orc *o);

	/* poll_tx moves the next outgoing datagram to *ret; false: none. */
	bool (*poll_tx)(struct orc *o, struct dgram *ret);

	/* poll_event moves the next event to *ret; false: none. */
	bool (*poll_event)(struct orc *o, struct orc_event *ret);

	void (*stats)(const struct orc *o, struct orc_stats *ret);

	/*
	 * memory lends the bytes that were exposed under |key|, or those of the
	 * last whole message received when |key| is 0.
	 * Errors: ERR_VALUE there are none.
	 */
	int (*memory)(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len);
};

/*
 * The reference, linked in: of the family that |conf| names.  A mutant exports
 * orc_api_get.
 */
extern const struct orc_api orc_reference;

typedef const struct orc_api *orc_api_fn(void);
#define ORC_API_SYMBOL "orc_api_get"

/*
 * ses_pattern is the byte that a sender puts at |offset| of message
 * |message_id|, and an exposed region holds at |offset| (message_id 0), so that
 * misplaced data shows.
 */
static inline uint8_t ses_pattern(uint16_t message_id, uint32_t offset)
{
	return (uint8_t)(offset * 7u + (offset >> 8) * 13u + message_id);
}

#endif
