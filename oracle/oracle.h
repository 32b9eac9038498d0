/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/oracle.h -- a reference endpoint, without I/O.
 *
 * An endpoint is a deterministic state machine.  It reads no clock, draws
 * random numbers only from its seed and opens no socket.  The driver pushes
 * datagrams, operations and time in, and pulls datagrams, events and the next
 * deadline out:
 *
 *    driver                  endpoint
 *    feed(d, now)   -->  a datagram arrived
 *    post(op, now)  -->  the application posts an operation
 *    tick(now)      -->  timers due at or before now fire
 *    poll_tx(d)     <--  one outgoing datagram, until there is none
 *    poll_event(ev) <--  one completion or state change, until none
 *    deadline()     <--  when to call tick next (VTIME_NEVER: never)
 *
 * Time is a parameter and must not go backwards across calls.  After any call
 * marked "-->" poll both queues until they are empty, then ask for the
 * deadline.  The same calls in the same order give the same output, byte for
 * byte.
 *
 * The calls go through a table, struct orc_api, so that a mutant of the
 * endpoint (a shared object with one line changed) can replace it.
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
#include "wire/dgram.h"
#include "wire/family.h"
#include "wire/frame/crc.h"
#include "wire/uet/uet_pds.h"

struct orc;

/*
 * The requirements of congestion control on requests and ACKs (uet.md 3.3,
 * 3.5).
 */
enum orc_cc {
	ORC_CC_NSCC, /* requests without a CC section; cc_type NSCC */
	ORC_CC_CREDIT,
};

/* The algorithm that moves the window or grants the credit (oracle/uet/cc/). */
enum orc_cc_policy {
	ORC_POLICY_NONE, /* a fixed window; every wish for credit is granted */
	ORC_POLICY_NSCC, /* the source moves its window by delay and ECN */
	ORC_POLICY_RCCC, /* the destination grants credit at its link rate */
};

/* How a source chooses among |spray| paths (RUD) or |srd_paths|. */
enum orc_path_choice {
	ORC_PATHS_IN_TURN,
	ORC_PATHS_AT_RANDOM,
	/* in turn, without those that were marked or lost a packet */
	ORC_PATHS_BY_FEEDBACK,
};

/* The first PSN of the SACK bitmap of an ACK: a free choice (uet.md 7.2). */
enum orc_sack_base {
	/* behind CACK_PSN, if the bitmap then includes ACK_PSN */
	ORC_SACK_CACK,
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
 * The configuration of an endpoint, with every choice that the specification
 * leaves open.  make copies it.  orc_conf_default fills in the judged values of
 * uet.md 9.
 */
struct orc_conf {
	enum family family;
	struct ip_addr addr; /* address of the endpoint */
	uint64_t seed;       /* seed of PDCIDs, Start_PSN and entropy */

	enum uet_version version;
	bool native; /* its own PDCs use IP without UDP */

	/*
	 * payload bytes.  UET: 1024, 2048, 4096 or 8192; plain RoCEv2: 256 to
	 * 4096, a power of 2; WQE extension: 64 to 9000, a multiple of 4; SRD:
	 * 64 to 9000
	 */
	uint16_t mtu;
	bool crc; /* UET_Data_Protect = 1 */
	enum crc_order crc_order;
	/* ICRC of the other families, which always have one */
	enum icrc_mode icrc;

	vspan rto_init;         /* RTO_Init_Time; doubled by each time-out */
	vspan rto_max;          /* 8 s by the specification */
	unsigned max_rto_retx;  /* Max_RTO_Retx_Cnt */
	vspan nack_retx_time;   /* NACK_Retx_Time */
	unsigned max_nack_retx; /* Max_NACK_Retx_Cnt */

	enum orc_ack_type ack_type;
	uint32_t ack_gen_trigger;     /* ACK_Gen_Trigger, bytes */
	uint32_t ack_gen_min_pkt_add; /* ACK_Gen_Min_Pkt_Add, bytes */
	bool ack_per_pkt;             /* Enb_ACK_Per_Pkt: ar on every request */
	bool ar_on_eom;               /* ar on the last packet of a message */
	bool ack_on_ecn;              /* ACK_On_ECN */
	uint32_t max_ack_data;        /* Max_ACK_Data_Size, bytes */
	/* keep data sent in an ACK; else repeat the read for a duplicate */
	bool keep_read_data;
	/*
	 * A slot keeps the place of its payload in the pattern instead of the
	 * bytes, which are written each time that the packet is sent (RUD,
	 * ROD).  The packets are the same; many in flight need less memory.
	 */
	bool late_payload;
	/*
	 * Bytes that a source writes of each payload (RUD, ROD, with
	 * late_payload), and that a target stores of each packet of a write.
	 * The rest of the datagram is undefined, so it cannot be captured, and
	 * only writes may be posted.  0: all.
	 */
	uint16_t short_payload;
	/*
	 * The kinds of events that the driver wants, as bits (1 << kind); 0:
	 * all.
	 */
	uint32_t events;
	/* time of the SES for each packet of read data that no ACK carries */
	vspan read_time;
	/*
	 * A second resource index, whose application takes |slow_time| to
	 * answer each request, and to post the receive of a deferrable send;
	 * 0: there is none.
	 */
	uint16_t slow_index;
	vspan slow_time;
	/*
	 * PSNs received behind a missing one before RCVR_INFER_LOSS; 0: never
	 */
	uint32_t infer_loss;
	/* return code of a default response: RC_NULL or RC_OK */
	uint8_t default_rc;
	/* pds_ses_error names received requests without an answer, too */
	bool error_rx;
	/*
	 * return code by which a target defers a deferrable send; 0: RC_OK
	 * with list OVERFLOW and no byte delivered
	 */
	uint8_t defer_rc;
	/* read_offset of a rendezvous names the first byte of its body */
	bool read_offset_of_rest;
	bool rod_nack_each;    /* ROD_OOO for each packet, else once per gap */
	bool rod_nack_payload; /* ROD_OOO carries Expected_PSN, else 0 */
	bool nack_ccx;         /* NACKs of a PDC are NACK_CCX */

	enum orc_cc cc;
	enum orc_sack_base sack_base;
	uint32_t cwnd; /* bytes of a fixed window; 0: only MP_RANGE limits */
	/* A packet is lost when SACK shows a PSN this much later; 0: never. */
	uint32_t sack_retx;
	/*
	 * Paths over which a RUD source sends its requests in turn, repeats
	 * included, 1 to 256.  ROD keeps to one path.
	 */
	uint32_t spray;
	enum orc_path_choice path_choice;
	vspan path_rest; /* how long a path rests that lost a packet */
	/*
	 * Congestion control (oracle/uet/cc/README.md states the source of each
	 * default).  Hundredths: 100 means 1.
	 */
	enum orc_cc_policy cc_policy;
	uint32_t link_rate;       /* of the endpoint's link, Mbit/s */
	vspan base_rtt;           /* round trip through empty queues */
	uint32_t nscc_max_window; /* hundredths of rate x base RTT */
	uint32_t nscc_target;     /* queueing delay, hundredths of base RTT */
	uint32_t nscc_alpha;      /* proportional increase, hundredths */
	uint32_t nscc_fair;       /* fair increase, hundredths of a packet */
	uint32_t nscc_fast;       /* fast increase, hundredths of the bytes */
	vspan nscc_fast_delay;    /* fast increase is for delays below this */
	uint32_t nscc_eta;        /* each round trip, hundredths of a packet */
	uint32_t nscc_gamma;      /* multiplicative decrease, hundredths */
	uint32_t nscc_max_decrease; /* at most this at once, hundredths */
	/* quick adapt: only below the largest window / 2^nscc_qa_gate */
	uint32_t nscc_qa_gate;
	uint32_t nscc_qa_delay;   /* hundredths of the target */
	uint32_t nscc_delay_gain; /* weight of a sample, 1/10000 */
	uint32_t nscc_adjust;     /* packets between two increases */
	uint32_t rccc_quantum;    /* packets of a grant */
	bool probe;               /* the initiator sends a Probe once */
	uint8_t rcv_cwnd_pend;    /* sent in each ACK_CC; 7 bits */
	bool restore_cwnd;        /* sent in each ACK_CC */
	uint8_t ccc_id;           /* sent in RUD_CC requests */
	uint32_t credit_unit;     /* bytes; not specified */
	uint32_t credit_init;     /* initial credit of a source, in units */

	/* advertised, in units of 128 PSNs; 0 under 1.0.3: override_mpr_zero */
	uint8_t mpr;
	uint32_t override_mpr_zero; /* PSNs that mpr = 0 means; 0: none */
	/* assumed until the peer advertises its own */
	uint8_t default_mpr;
	vspan pds_clear_time; /* idle time before a Clear Command */
	/* idle time before the initiator closes; 0: never */
	vspan close_idle;
	vspan close_req_time; /* Close_REQ_Time */
	/* idle time before the target asks for a close; 0: never */
	vspan ask_close_idle;
	bool ask_close_ack; /* it then asks in its ACKs as well */
	/*
	 * time of a stored response before its target sends a Clear Request; 0:
	 * never
	 */
	vspan ask_clear_time;
	vspan syn_retx_safety; /* Syn_Retx_Safety_Time; 0: before 1.0.3 */
	uint32_t psn_range;    /* PSNs of a PDC before it is closed: 2^31 */
	/* retries on a new PDC of a message without any answer */
	unsigned fatal_retries;
	uint32_t max_pdcs; /* PDCs at once; at most 65535 */
	uint32_t max_rudi; /* RUDI requests outstanding at once */

	/* Limits of further resources; 0: no limit (pds_limit.c). */
	uint32_t max_peer_pdcs;   /* PDCs made by one peer */
	uint32_t max_cccs;        /* congestion contexts, one for each PDC */
	uint32_t max_bitmaps;     /* PDCs whose PSNs are tracked as target */
	uint32_t max_pkt_buffers; /* requests without an answer of the SES */
	uint32_t max_stored;      /* stored guaranteed responses */
	uint32_t max_ses_msgs;    /* multi-packet messages, at the target */

	bool start_psn_fixed; /* use |start_psn| for every PDC: wrap tests */
	uint32_t start_psn;
	/* PDCID of the first PDC after a reset; the next ones follow; 0: any */
	uint16_t first_pdcid;

	/* Values that the SES sends, and requires of received requests. */
	uint32_t job_id;         /* 24 bits */
	uint16_t pid_on_fep;     /* 12 bits */
	uint16_t resource_index; /* 12 bits */
	uint8_t ri_generation;
	uint32_t initiator;

	uint8_t dscp_data, dscp_control;
	uint8_t dscp_bulk; /* of RUDI requests and datagrams; 0: dscp_data */
	/* DSCP of packets that a switch trimmed */
	uint8_t dscp_trimmed, dscp_trimmed_lasthop;
	/*
	 * NACK a trimmed SYN of an unknown PDC; dropping it is legal too
	 * (uet.md 6.3)
	 */
	bool trim_syn;
	uint32_t trimmable_ack; /* Trimmable_ACK_Size, bytes */

	/*
	 * SRD (srd_wqe.md A.4.4, A.4.5).  mtu is the longest message; rto_init
	 * and rto_max apply as well; start_psn is the ISN of each context.
	 */
	uint32_t srd_window;    /* PSNs of both sides: 64 to 2^22 */
	uint32_t srd_paths;     /* paths to spray over, 1 to 256 */
	vspan srd_unresponsive; /* T_unresp */
	/* WRs then end in STATUS_TIMEOUT; else retries go on */
	bool srd_give_up;
	/* T_idle_rotate: then an idle context is replaced */
	vspan srd_idle;
	vspan srd_gc;         /* T_gc: then the peer's context is forgotten */
	uint32_t srd_max_ctx; /* contexts of peers at once */
	bool srd_sqe;         /* a local error takes the QP to SQE */
	bool srd_fast;        /* repair by SACK and RTT, before the RTO */
	/*
	 * Its constants: a sample changes the smoothed RTT by 1 / rtt_weight of
	 * the difference and the mean deviation by 1 / dev_weight; a request
	 * waits for RTT + dev_factor * deviation (RFC 6298, section 2).
	 */
	uint32_t srd_rtt_weight, srd_dev_weight; /* 1 to 1024 */
	uint32_t srd_dev_factor;                 /* 0 to 1024 */
	/* accepted requests without ackreq per answer */
	uint32_t srd_coalesce;

	/*
	 * WQE extension (srd_wqe.md B.7, B.8).  mtu is the path MTU, rto_init
	 * does not grow, max_rto_retx is the retry count.
	 */
	uint32_t wqe_window;    /* PSNs of both sides */
	uint32_t wqe_max_len;   /* the longest LEN that is accepted */
	uint32_t wqe_cache_max; /* bytes cached by each QP */
	/* WQEs begun at once; the expected one may always begin */
	uint32_t wqe_max_ooo;
	vspan wqe_miss; /* T_miss: from a gap to the indication */
	/* T_rereq: between two requests of the same PSN */
	vspan wqe_again;
	vspan wqe_tail; /* T_tail: silence inside a WQE */
	/* T_hold: between two retransmissions of a PSN */
	vspan wqe_hold;
	uint32_t wqe_rnr_code;  /* IBTA's code of the RNR timer, 0 to 31 */
	uint32_t wqe_rnr_retry; /* RNR NAKs in a row */
	bool wqe_bitmap;        /* send indications as bitmaps */
	uint32_t wqe_ind_psns;  /* PSNs of one indication; 0: as many as fit */
	bool wqe_gbn;           /* go-back-N, for comparison */
	bool wqe_in_order;      /* a write is placed behind all earlier ones */
	/* packets of a WQE per ACK request; 0: only the last */
	uint32_t wqe_ack_every;
	uint32_t wqe_cache_device; /* bytes cached by all QPs together */
	/* T_cache: silence after which the youngest cached WQE is evicted */
	vspan wqe_cache_time;
};

/* Counters since make or reset. */
struct orc_stats {
	uint64_t tx, rx, tx_retx, rx_duplicate, rx_dropped;
	uint64_t tx_nack, rx_nack, delivered, tx_ack, rx_ack, pdcs;
	/* refused: the acknowledged transmission is ambiguous */
	uint64_t rtt_samples, rtt_refused;
	uint64_t rtt_last; /* last RTT in ns */
	/* SRD: current contexts of its own and of peers */
	uint64_t contexts;
	uint64_t unresponsive; /* EV_UNRESPONSIVE events */
	/* WQE extension: cached bytes now, and the maximum */
	uint64_t cache_bytes;
	uint64_t cache_peak;
	uint64_t bitmaps;     /* WQE extension: WQEs that have begun, now */
	uint64_t bitmap_bits; /* WQE extension: sizes of their bitmaps */
	uint64_t bitmap_set;  /* WQE extension: bits that are 1 */
	/*
	 * WQE extension: first 32 bits of the oldest bitmap; bit i: packet i
	 * was received
	 */
	uint64_t bitmap_first;
};

/* orc_conf_default fills a configuration; addr and seed stay 0. */
void orc_conf_default(struct orc_conf *ret);

struct orc_api {
	/*
	 * make makes an endpoint.
	 *
	 * Owner:  the caller frees *ret with free.
	 *
	 * Errors: ERR_VALUE a member is out of range; ERR_NOMEM. *ret is
	 * written only on success.
	 */
	int (*make)(struct orc **ret, const struct orc_conf *conf);

	/* free frees an endpoint and all its memory.  NULL is allowed. */
	void (*free)(struct orc *o);

	/*
	 * reset forgets all PDCs, messages, buffers, events and counters and
	 * starts again with |seed|, as make would.  The bytes that it sends
	 * and exposes follow from |seed| as well (base/pattern.h); before the
	 * first reset they follow from 0.
	 */
	void (*reset)(struct orc *o, uint64_t seed);

	/*
	 * feed passes a datagram that arrived at |now|.
	 *
	 * Owner:  |d| is lent; the endpoint keeps no pointer into it.
	 *
	 * Errors: ERR_NOMEM.  A malformed or unexpected datagram is not an
	 * error: it has the effect that the specification gives it (drop, NACK)
	 * and causes an event.
	 */
	int (*feed)(struct orc *o, const struct dgram *d, vtime now);

	/*
	 * post posts an operation, as an application would.  The result of a
	 * verb goes to *op->ret.
	 *
	 * Errors:
	 * - ERR_STATE not possible now
	 * - ERR_VALUE
	 * - ERR_NOMEM
	 * - ERR_SUPPORT this endpoint has no such operation or mode
	 */
	int (*post)(struct orc *o, const struct orc_op *op, vtime now);

	/*
	 * expect announces that some call for this endpoint comes soon.  It
	 * prefetches what each call needs, and reads nothing.
	 */
	void (*expect)(const struct orc *o);

	/*
	 * expect_tables follows expect after a while, and reads what that has
	 * prefetched.  It prefetches the beginnings of tables.
	 */
	void (*expect_tables)(const struct orc *o);

	/*
	 * expect_send follows expect_tables in the same way, before poll_tx.
	 * It prefetches what the next packets are written from.
	 */
	void (*expect_send)(const struct orc *o);

	/*
	 * expect_feed and expect_post announce what comes later in a burst: a
	 * datagram that will be fed, operations that will be posted;
	 * expect_state follows expect_feed after a while, with the same
	 * datagram, and reads what that has prefetched; expect_rest follows
	 * expect_state in the same way.  They change nothing.  With very many
	 * PDCs they prefetch memory while the first packets of the burst are
	 * processed.
	 */
	void (*expect_feed)(const struct orc *o, const struct dgram *d);
	void (*expect_state)(const struct orc *o, const struct dgram *d);
	void (*expect_rest)(const struct orc *o, const struct dgram *d);
	void (*expect_post)(const struct orc *o, const struct orc_op *ops,
			    size_t n);

	/* tick lets time pass up to and including |now|.  Idempotent. */
	void (*tick)(struct orc *o, vtime now);

	/* deadline returns when tick will next do something. */
	vtime (*deadline)(const struct orc *o);

	/* poll_tx moves the next outgoing datagram to *ret; false: none. */
	bool (*poll_tx)(struct orc *o, struct dgram *ret);

	/* poll_event moves the next event to *ret; false: none. */
	bool (*poll_event)(struct orc *o, struct orc_event *ret);

	void (*stats)(const struct orc *o, struct orc_stats *ret);

	/*
	 * memory lends the bytes exposed under |key|, or those of the last
	 * whole message received if |key| is 0.
	 *
	 * Errors: ERR_VALUE there are none.
	 */
	int (*memory)(const struct orc *o, uint64_t key, const uint8_t **ret,
		      size_t *ret_len);
};

/*
 * The reference, linked in, for the family that |conf| names.  A mutant exports
 * orc_api_get.
 */
extern const struct orc_api orc_reference;

typedef const struct orc_api *orc_api_fn(void);
#define ORC_API_SYMBOL "orc_api_get"

#endif
