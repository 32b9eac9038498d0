/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow.h -- what the judge remembers of a PDC.
 *
 * A flow joins two ends.  Each end is the source of one PSN space, struct dir,
 * and answers in the other: dir[0] holds what end[0] sent and what end[1] said
 * of it.  Who of them is the initiator may stay unknown in a capture that
 * begins in the middle.
 *
 * A dir remembers its last PSNs, one cache line each: d->window of them, more
 * while more are not acknowledged, FLOW_WINDOW at most.  What fell out of that
 * window is not judged.  Its ring begins with few slots and doubles when two
 * PSNs of the window want the same one, so that a flow takes the memory of what
 * it has sent; the messages are kept in the same way.  The first slots are in
 * the flow's hot block, more of them are blocks of the table's pool.
 *
 * Spec: UET 3.5.8.1, 3.5.8.2, 3.5.11 (uet.md 6, 7)
 */
#ifndef JUDGE_UET_FLOW_H
#define JUDGE_UET_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/serial.h"
#include "base/vtime.h"
#include "judge/conf.h"
#include "judge/types.h"

enum {
	FLOW_WINDOW = 1024,      /* PSNs, a power of 2 */
	FLOW_LEAST = 16,         /* slots of a dir that needs no more */
	FLOW_MESSAGES = 128,     /* messages, a power of 2 */
	FLOW_FIRST_MESSAGES = 8, /* slots to begin with; PSNs: FLOW_LEAST */
	FLOW_OUT_OF_WINDOW = 4,
	FLOW_LINE = 64, /* bytes of the cache that come together */
	FLOW_LATE = 7,  /* times to an answer that wait to be counted */
};

/* The state of one PSN. */
enum psn_flag {
	PSN_CP = 1u << 0,       /* a control packet has it */
	PSN_CUT_ALL = 1u << 1,  /* a switch has trimmed every copy */
	PSN_FRESH = 1u << 2,    /* was sent with retx = 0 */
	PSN_REPEATED = 1u << 3, /* was sent with retx = 1 */
	PSN_CE = 1u << 4,       /* a copy was CE-marked */
	PSN_NO_CE = 1u << 5,    /* a copy was not */
	PSN_MANGLED = 1u << 6,  /* trimmed or malformed: no bytes to compare */
	PSN_READ = 1u << 7,     /* asks for data: read, fetching atomic */
	PSN_STD = 1u << 8,      /* has a message id (of a request) */
	PSN_CUT_LAST = 1u << 9, /* ... at the last hop */
	PSN_DATA = 1u << 10,    /* return data */
	PSN_OUTSIDE = 1u << 11, /* arrived outside the window */
	PSN_ACKED = 1u << 12,   /* covered by cack_psn or by an ACK_PSN */
	PSN_OWN_ACK = 1u << 13, /* had an ACK with it as ACK_PSN */
	PSN_SACKED = 1u << 14,
	PSN_NACKED = 1u << 15, /* since it was sent last */
	PSN_GTD = 1u << 16,    /* its response is guaranteed, surely */
	PSN_ASKED = 1u << 17,  /* a clear was asked for in its ACK */
	PSN_DUE = 1u << 18,    /* an answer is due */
	PSN_AGAIN = 1u << 19,  /* ... and it had been acknowledged before */
	PSN_AR = 1u << 20,     /* the last transmission asked for an ACK */
	PSN_SYN = 1u << 21,    /* the last transmission had syn = 1 */
	PSN_LAST_RETX = 1u << 22,
	PSN_TOLD = 1u << 23,        /* an absence has been reported */
	PSN_CUT = 1u << 24,         /* a copy was trimmed before the last hop */
	PSN_ANSWER_DATA = 1u << 25, /* the response carried data */
	PSN_MULTI = 1u << 26,       /* of a message of several packets */
	PSN_WRITE = 1u << 27,       /* a write or non-fetching atomic */
	PSN_WANTED = 1u << 28,      /* an ACK Request asked for its ACK */
	PSN_OTHER_START = 1u << 30, /* the last copy: a SYN of another one */
	PSN_OTHER_MODE = 1u << 29, /* the last copy was not of the PDC's mode; a
				      CP: by its isrod */
};

struct psn_state {
	uint32_t owner; /* that of the flow; another value: the slot is stale */
	uint32_t psn;
	vtime first_at, sent_at; /* first and last transmission */
	vtime acked_at;          /* when an ACK first covered it, or a NACK */
	uint32_t frame;          /* of the last transmission */
	uint32_t hash;           /* of SES header and payload, first copy */
	int16_t clear_offset;    /* of the first copy, see psn_clear */
	uint16_t size;           /* UET bytes of a request that came whole */
	uint32_t answer;         /* hash of the first response */
	uint32_t flags;
	uint16_t entropy, entropy_last;
	uint16_t message_id; /* of the request, or response_message_id */
	uint8_t copies;      /* transmissions, to 255 */
	uint8_t rto_retx, nack_retx;
	uint8_t drops;       /* NACKs that say a copy was dropped */
	uint8_t nack_code;   /* the last */
	uint8_t answer_code; /* opcode and return code of the first response */
};

/* A message that the initiator began; a slot for each message id & 127. */
struct message {
	bool used : 1, open : 1, read : 1, evicted : 1;
	bool via_ack : 1, via_return : 1;
	uint16_t id;
	uint32_t first, last; /* PSNs */
	uint32_t length;      /* request_length; 0 where it is not known */
};

/* A packet that is not followed: its PSN is too far away, or it had a PDCID
 * that is not the flow's. */
struct out_of_window {
	bool used, foreign;
	bool outside; /* it arrived outside the window */
	uint16_t spdcid;
	uint32_t psn;
};

/* The state of a direction that only ROD needs. */
struct rod {
	/* The source. */
	uint32_t last;    /* the PSN sent last */
	uint16_t entropy; /* path of |last| */
	bool aside;       /* |last| was requested individually */
	uint32_t line;    /* the line may go on behind this one */
	uint32_t head;    /* PSN of the last go-back */
	vtime head_at;    /* time of the last go-back; 0: never */
	vtime ooo_at;     /* the last ROD_OOO, or 0 */
	bool zero_told;   /* one had payload 0: PSN 0, or none is expected */
	vtime acked_at;   /* time of the last ACK with a payload, or 0 */
	uint32_t told;    /* everything below it arrived */

	/* The destination. */
	uint32_t taken_to; /* last PSN that may have come in order */
	uint32_t sure_to;  /* last PSN that surely came in order */
	bool doubted; /* a copy of |doubt| was dropped, another may have been */
	uint32_t doubt; /* taken: what is behind it came in order, or not */
	bool gap_told;  /* ROD_OOO was sent for the current gap */
	vtime gap_at;   /* a packet came out of order without ROD_OOO; or 0 */
	uint32_t gap_frame, gap_psn;
	bool acked;        /* an unsolicited ACK was sent */
	uint32_t ack_high; /* the highest ACK_PSN of these ACKs */
	bool returned;     /* read data was sent; |ret_psn| is the last */
	uint32_t ret_psn, ret_offset;
};

/* Sums over the new PSNs of a direction, since the beginning. */
struct cc_sums {
	uint64_t sent;          /* UET bytes of packets that arrived */
	uint64_t acked;         /* UET bytes of acknowledged packets */
	uint64_t acked_payload; /* payload bytes of acknowledged packets */
	uint32_t npkts;         /* packets that arrived */
	uint32_t acked_npkts;   /* packets acknowledged */
};

/* Further state of congestion control (flow/cc.h). */
struct dir_cc {
	struct cc_sums base; /* and |base_bytes|: at the first rcvd_bytes */
	bool base_known;
	uint32_t base_bytes;
	vtime closed_at;     /* when the last gap was closed */
	uint32_t closed_psn; /* PSN that closed it */
	bool credit_known;
	uint32_t credit; /* the last told, by an ACK_CC or a Credit */
};

/*
 * State that most directions never need: readers see zeroes until dir_rare
 * allocates it on first use, for a ROD PDC at its beginning.
 */
struct dir_rare {
	vtime ooo_at;     /* when an ACK last showed a gap, and up to where */
	vtime ooo_top_at; /* time of the gap that reached highest */
	uint32_t ooo_high, ooo_top;
	vtime nack_at;       /* last NACK of any PSN */
	vtime asked_at;      /* time of the unanswered Clear Request CP, or 0 */
	uint32_t asked_psn;  /* the highest PSN to be cleared */
	vtime wanted_at;     /* unanswered ACK Request, or 0 */
	vtime trigger_at;    /* when |unacked| reached ACK_Gen_Trigger, or 0 */
	uint32_t unacked;    /* bytes since the last ACK, as it counts them */
	uint32_t requests;   /* ACK Requests since CACK_PSN moved */
	uint32_t wanted_psn; /* of the last one (wanted_known) */
	bool wanted_known, bytes_known, probe_known;
	uint32_t asked_frame, wanted_frame, trigger_frame;
	uint32_t passed_frame, passed_psn;   /* an ACK Request that was silently
						passed over; frame 0: none */
	uint32_t noop_frame, noop_psn;       /* the last NOOP; frame 0: none */
	uint32_t refused_frame, refused_psn; /* a NOOP that was NACKed while the
						PDC may have ended; likewise */
	uint32_t rcvd_bytes;                 /* (bytes_known) */
	uint32_t again_psn;                  /* (again) */
	uint32_t mp_range; /* advertised, the widest of the last two; 0: none */
	bool mpr_zero;     /* 1.0.3: it said Override_MPR_Zero_Value instead */
	struct dir_cc cc;
	vtime probed_at; /* unanswered Probe, or 0 */
	uint32_t probed_frame;
	uint32_t probe_psn;  /* its psn field; stays after the answer */
	uint16_t probe;      /* its opaque value; likewise (probe_known) */
	uint16_t probes[4];  /* the last probes, this one included */
	uint8_t probes_open; /* bits: not answered */
	uint8_t probes_next; /* the slot of the next one */
	bool probes_lost;    /* one gave way that was not answered */
	uint32_t mp_last;
	struct rod rod; /* of a ROD PDC */
	uint32_t nstrays;
	struct out_of_window out_of_windows[FLOW_OUT_OF_WINDOW];
};

/* One direction in numbers: what its source sent, and what was said of it. */
struct dir_stats {
	uint32_t requests, acks;
	uint32_t covered; /* PSNs over which cack_psn moved */
};

/*
 * One direction: what one end sends, and what the other says about it, in two
 * cache lines.
 */
struct dir {
	_Alignas(FLOW_LINE) struct psn_state *ring; /* psn_slot, or NULL */
	const struct dir_rare *rare; /* its own, or dir_nothing */
	uint16_t slots;              /* of the ring, a power of 2, or 0 */
	uint16_t window;             /* most slots that it would have */
	uint32_t start;              /* (start_known) */
	uint32_t high;               /* highest PSN sent (any) */
	uint32_t seen_to;  /* every PSN up to here was seen (start_known) */
	uint32_t acked_to; /* every PSN up to here is acked (start_known) */
	uint32_t cack;     /* highest cack_psn (cack_known) */
	uint32_t clear;    /* highest CLEAR_PSN that was right (clear_known) */
	uint32_t released; /* ... right or wrong (released_known) */
	uint32_t lost;     /* the last that gave way (lost_any) */
	struct dir_stats stats;

	struct cc_sums sums;      /* the second line */
	vtime cack_at;            /* when it last moved */
	struct message *messages; /* message_slot, or NULL */
	uint32_t gtd_low;         /* the lowest one that is sure */
	uint32_t asked_high;      /* (asked_clear) */
	uint16_t open_id;
	uint8_t message_slots; /* likewise */
	uint8_t nmessages;
	bool any : 1;         /* a request was seen */
	bool start_known : 1; /* the flow is known from its start */
	bool cack_known : 1, clear_known : 1, released_known : 1;
	bool gtd : 1; /* there is an uncleared guaranteed response, gtd_low */
	bool lost_any : 1;          /* a later PSN replaced some PSN */
	bool retries_exhausted : 1; /* some packet was sent as often as may be:
			   the source may have ended the PDC in error */
	bool ce_unsaid : 1;         /* a CE mark arrived since the last ACK */
	bool again : 1;       /* a duplicate waits for its answer: again_psn */
	bool asked_clear : 1; /* a clear was asked for in an ACK: asked_high */
	bool gap : 1;         /* a PSN below the highest has not arrived */
	bool lost_messages : 1; /* there were, and they are not remembered */
	bool open : 1;          /* a message is between som and eom: open_id */
};

/*
 * The memory of an active flow in one block, since with many flows each page
 * that a packet touches costs a TLB miss.  The slots are the initial ones of
 * one dir.
 */
struct flow_hot {
	struct dir dir[2];
	struct psn_state ring[FLOW_LEAST];
	struct message messages[FLOW_FIRST_MESSAGES];
};

/* dir_nothing is the dir_rare of those that have none: zeroes. */
extern const struct dir_rare dir_nothing;

struct side; /* whose counters; judge.c */

struct end {
	struct ip_addr addr;
	bool here;      /* the judge stands at its link */
	uint16_t pdcid; /* 0: not known yet */
};

/* Counts of rare packets of an end, as in judge_side_stats. */
struct end_rare {
	uint32_t cps, nacks, again[3], net_dups;
};

/*
 * Members that most packets need come first, in two cache lines: the state,
 * then the identity.  One ACK in FLOW_LATE needs the third line as well.
 */
struct flow {
	_Alignas(FLOW_LINE) struct flow_hot *hot; /* NULL while it sleeps */
	uint32_t owner;                           /* not 0, never used twice */
	uint32_t use;                             /* see struct table */
	vtime used_at, last_at;
	vtime known_at; /* an ACK told the TPDCID; 0: not yet */
	uint32_t number;
	int8_t initiator;    /* 0, 1, or -1: not known */
	bool used : 1;       /* found by the ends whose PDCID is known */
	bool paired : 1;     /* found by its pair, see struct table */
	bool complete : 1;   /* from its SYN, by a judge that sees everything */
	bool mode_known : 1; /* the mode is known from a request or a CP */
	bool rod : 1;
	bool native : 1; /* the first request came without UDP */
	bool syn_start_known : 1;
	bool syn_done : 1;    /* the initiator has shown that it knows it */
	bool closing : 1;     /* Close Command seen */
	bool closed : 1;      /* the closing ACK was seen */
	bool close_asked : 1; /* Close Request or REQ_CLOSE seen */
	uint8_t clear_requests : 2; /* [end] it sent a Clear Request */
	uint8_t others_at_zero : 2; /* [end] it sent another CP without a PSN */
	uint8_t nlate;
	uint8_t late[FLOW_LATE]; /* what |rtt| does not count yet */

	struct end end[2];
	uint32_t syn_start; /* (syn_start_known) */
	uint32_t first_frame;
	vtime first_at;
	vtime fatal_at;     /* PDC_FATAL NACK; 0: none */
	vtime nack_told_at; /* a NACK told the TPDCID; 0: none */

	uint16_t rtt[JUDGE_RTT]; /* as that of judge_flow_stats (late) */

	uint32_t pair_newer, pair_older, pair_hash; /* see struct table */
	struct side *side[2];                       /* of its ends */
	struct dir_stats stats[2]; /* counts up to the last idle eviction */
	struct end_rare rare[2];
	uint32_t syn_done_psn; /* (syn_done) */
	uint32_t close_psn;    /* (closing) */
	uint32_t fatal_frame;
	uint8_t fatal_code;
	uint8_t fatal_end; /* who received it */
	uint8_t dscp;      /* of the first answer or CP (dscp_known) */
	bool dscp_known;
	bool maybe_failed;     /* a NACK or a limit may have ended it */
	uint8_t unexpected;    /* by end: its UNEXP_EVENT alone upset it */
	bool moved;            /* NEW_START_PSN: its PSNs are no more */
	bool renumbered;       /* it goes on from such a one */
	bool idle_evicted;     /* what it knew was forgotten once */
	bool began;            /* its first packet was seen */
	vtime maybe_failed_at; /* (upset) */
};

enum { FLOW_HOT = offsetof(struct flow, rtt) };

_Static_assert(FLOW_HOT == 2 * FLOW_LINE &&
		       sizeof(((struct flow *)NULL)->rtt) == FLOW_LINE,
	       "a line more or less is fetched for each packet");

/* ring_meet: two numbers have the same place in a ring of |n| slots. */
static inline bool ring_meet(uint32_t a, uint32_t b, uint32_t n)
{
	return !((a ^ b) & (n - 1));
}

/* psn_slot is where a PSN stands, or would; there are slots. */
static inline struct psn_state *psn_slot(const struct dir *d, uint32_t psn)
{
	return &d->ring[psn & (d->slots - 1)];
}

/* psn_find is the state of a PSN, or NULL if it is not remembered. */
static inline struct psn_state *psn_find(struct flow *f, struct dir *d,
					 uint32_t psn)
{
	struct psn_state *s;

	if (unlikely(!d->slots))
		return NULL;
	s = psn_slot(d, psn);
	return s->owner == f->owner && s->psn == psn ? s : NULL;
}

/*
 * psn_nth goes through a ring: the state of the PSN that is |n| modulo the
 * window, or NULL.
 */
static inline struct psn_state *psn_nth(const struct flow *f,
					const struct dir *d, uint32_t n)
{
	struct psn_state *s = psn_slot(d, n);

	return s->owner == f->owner && (s->psn & (d->window - 1)) == n ? s
								       : NULL;
}

/* psn_forgotten: a PSN so old that it is not remembered any more, or was not
 * while the window was narrower. */
static inline bool psn_forgotten(const struct dir *d, uint32_t psn)
{
	return serial_diff(psn, d->high) <= -(int32_t)d->window ||
	       (d->lost_any && !serial_after(psn, d->lost));
}

/* flow_alive is |now|, or the earlier time at which the PDC may have ended:
 * what was late by then does not depend on how it ended. */
static inline vtime flow_alive(const struct flow *f, vtime now)
{
	return f->maybe_failed && f->maybe_failed_at < now ? f->maybe_failed_at
							   : now;
}

/* psn_clear is CLEAR_PSN of the first copy. */
static inline uint32_t psn_clear(const struct psn_state *s)
{
	const int32_t offset = s->clear_offset;

	return s->psn + (uint32_t)offset;
}

/* psn_trimmed says whether nothing but trimmed copies of a PSN came. */
static inline bool psn_trimmed(const struct psn_state *s)
{
	return s->flags & PSN_CUT_ALL;
}

/* rod_in_doubt: a PSN behind one that may have been dropped. */
static inline bool rod_in_doubt(const struct dir *d, uint32_t psn)
{
	return d->rare->rod.doubted &&
	       serial_after(d->rare->rod.doubt, d->acked_to) &&
	       serial_after(psn, d->rare->rod.doubt);
}

/* dir_out_of_windows_lost: there were more of them than are remembered. */
static inline bool dir_out_of_windows_lost(const struct dir *d)
{
	return d->rare->nstrays > FLOW_OUT_OF_WINDOW;
}

/* dir_range is the MP_RANGE that holds for a direction. */
static inline uint32_t dir_range(const struct dir *d,
				 const struct judge_conf *conf)
{
	return d->rare->mp_range ? d->rare->mp_range : conf->mp_range;
}

/* message_place is where a message stands, or would; there are slots. */
static inline struct message *message_place(const struct dir *d, uint16_t id)
{
	return &d->messages[id & (d->message_slots - 1)];
}

/* message_find returns the message of an id, or NULL. */
static inline struct message *message_find(const struct dir *d, uint16_t id)
{
	struct message *m;

	if (!d->message_slots)
		return NULL;
	m = message_place(d, id);
	return m->used && m->id == id ? m : NULL;
}

#endif
