/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow.h -- the state that the judge keeps of a PDC.
 *
 * A flow joins two ends.  Each end is the source of one PSN space, struct dir,
 * and answers in the other: dir[0] holds what end[0] sent and the answers of
 * end[1] to it.  In a capture that starts midstream, the judge may not know
 * which end is the initiator.
 *
 * A dir remembers its last d->window PSNs, one cache line each.  The window
 * grows up to FLOW_WINDOW while more PSNs are unacknowledged.  Older PSNs are
 * not judged.  The ring begins with few slots and doubles when two PSNs of the
 * window need the same slot, so that a flow uses only the memory that its
 * traffic needs.  Messages are stored in the same way.  The first slots are in
 * the flow's hot block, further slots in blocks of the table's pool.
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
	FLOW_WINDOW = 1024,  /* most PSNs of a window, a power of 2 */
	FLOW_LEAST = 16,     /* initial slots of a ring */
	FLOW_MESSAGES = 128, /* most messages of a direction, a power of 2 */
	FLOW_FIRST_MESSAGES = 8, /* initial message slots */
	FLOW_OUT_OF_WINDOW = 4,
	FLOW_LINE = 64, /* size of a cache line in bytes */
	FLOW_LATE = 7,  /* most round trips that wait to be counted */
};

/* Flags of the state of a PSN. */
enum psn_flag {
	PSN_CP = 1u << 0,       /* a control packet has it */
	PSN_CUT_ALL = 1u << 1,  /* a switch has trimmed every copy */
	PSN_FRESH = 1u << 2,    /* was sent with retx = 0 */
	PSN_REPEATED = 1u << 3, /* was sent with retx = 1 */
	PSN_CE = 1u << 4,       /* a copy was CE-marked */
	PSN_NO_CE = 1u << 5,    /* a copy was not CE-marked */
	PSN_MANGLED = 1u << 6,  /* trimmed or malformed: no bytes to compare */
	PSN_READ = 1u << 7,     /* requests data: read, fetching atomic */
	PSN_STD = 1u << 8,      /* a request with a message id */
	PSN_CUT_LAST = 1u << 9, /* a copy was trimmed at the last hop */
	PSN_DATA = 1u << 10,    /* return data */
	PSN_OUTSIDE = 1u << 11, /* arrived outside the window */
	PSN_ACKED = 1u << 12,   /* covered by a CACK_PSN or an ACK_PSN */
	PSN_OWN_ACK = 1u << 13, /* an ACK had it as ACK_PSN */
	PSN_SACKED = 1u << 14,
	PSN_NACKED = 1u << 15, /* NACKed since its last transmission */
	PSN_GTD = 1u << 16,    /* its response is certainly guaranteed */
	PSN_ASKED = 1u << 17,  /* its ACK requested a clear */
	PSN_DUE = 1u << 18,    /* an answer is due */
	/* PSN_DUE for a PSN that was acknowledged before */
	PSN_AGAIN = 1u << 19,
	PSN_AR = 1u << 20,  /* the last transmission requested an ACK */
	PSN_SYN = 1u << 21, /* the last transmission had syn = 1 */
	PSN_LAST_RETX = 1u << 22,
	/* a finding about its missing answer was reported */
	PSN_TOLD = 1u << 23,
	PSN_CUT = 1u << 24,         /* a copy was trimmed before the last hop */
	PSN_ANSWER_DATA = 1u << 25, /* the response carried data */
	PSN_MULTI = 1u << 26,       /* of a message of several packets */
	PSN_WRITE = 1u << 27,       /* a write or non-fetching atomic */
	PSN_WANTED = 1u << 28,      /* an ACK Request requested its ACK */
	/* the last copy was a SYN with another Start_PSN */
	PSN_OTHER_START = 1u << 30,
	/* the last copy had another mode than the PDC; of a CP: its isrod */
	PSN_OTHER_MODE = 1u << 29,
};

/* A psn_flag beyond an int: NACKed twice before it was transmitted again. */
#define PSN_NACKED_TWICE (1u << 31)

struct psn_state {
	/* |owner| of the flow; if it differs, the slot is stale */
	uint32_t owner;
	uint32_t psn;
	vtime first_at, sent_at; /* first and last transmission */
	/* time of the first ACK that covered it, or of a NACK */
	vtime acked_at;
	uint32_t frame;       /* frame of the last transmission */
	uint32_t hash;        /* of SES header and payload of the first copy */
	int16_t clear_offset; /* of the first copy, see psn_clear */
	uint16_t size;        /* UET bytes of a request that arrived whole */
	uint32_t answer;      /* hash of the first response */
	uint32_t flags;
	uint16_t entropy, entropy_last;
	uint16_t message_id; /* of the request, or response_message_id */
	uint8_t copies;      /* transmissions, up to 255 */
	uint8_t rto_retx, nack_retx;
	uint8_t drops;       /* NACKs that report a dropped copy */
	uint8_t nack_code;   /* of the last NACK */
	uint8_t answer_code; /* opcode and return code of the first response */
};

/* A message that the initiator began; a slot for each message id & 127. */
struct message {
	bool used : 1, open : 1, read : 1, evicted : 1;
	bool via_ack : 1, via_return : 1;
	uint16_t id;
	uint32_t first, last; /* PSNs of its first and last packet */
	uint32_t length;      /* request_length; 0: unknown */
};

/*
 * A packet without a slot: its PSN is too far away, or one of its PDCIDs is not
 * the flow's.
 */
struct out_of_window {
	bool used, foreign;
	bool outside; /* it arrived outside the window */
	uint16_t spdcid;
	uint32_t psn;
};

/* The state of a direction that only ROD needs. */
struct rod {
	/* The state of the source. */
	uint32_t last;    /* the PSN sent last */
	uint16_t entropy; /* its entropy, which selects the path */
	bool aside;       /* |last| was requested individually */
	uint32_t line;    /* the order may continue after this PSN */
	uint32_t head;    /* PSN of the last go-back */
	vtime head_at;    /* time of the last go-back; 0: never */
	vtime ooo_at;     /* time of the last ROD_OOO, or 0 */
	/* a ROD_OOO had payload 0: it expects PSN 0, or gives no PSN */
	bool zero_told;
	vtime acked_at; /* time of the last ACK with a payload, or 0 */
	/* the destination reported all PSNs below it as received */
	uint32_t told;

	/* The state of the destination. */
	uint32_t taken_to; /* last PSN that may have arrived in order */
	uint32_t sure_to;  /* last PSN that certainly arrived in order */
	/* a copy of |doubt| was dropped; another copy may have been dropped */
	bool doubted;
	/* the destination may have received the PSNs above in order, or not */
	uint32_t doubt;
	bool gap_told; /* ROD_OOO was sent for the current gap */
	vtime gap_at;  /* time of a packet out of order without ROD_OOO, or 0 */
	uint32_t gap_frame, gap_psn;
	bool acked;        /* an unsolicited ACK was sent */
	uint32_t ack_high; /* the highest ACK_PSN of these ACKs */
	bool returned;     /* it sent read data; |ret_psn| is the last PSN */
	uint32_t ret_psn, ret_offset;
};

/* Sums over the new PSNs of a direction since its first packet. */
struct cc_sums {
	uint64_t sent;          /* UET bytes of packets that arrived */
	uint64_t acked;         /* UET bytes of acknowledged packets */
	uint64_t acked_payload; /* payload bytes of acknowledged packets */
	uint32_t npkts;         /* packets that arrived */
	uint32_t acked_npkts;   /* packets acknowledged */
};

/* Further state of congestion control (flow/cc.h). */
struct dir_cc {
	/* sums at the first rcvd_bytes, which was |base_bytes| */
	struct cc_sums base;
	vtime closed_at; /* when the last gap was closed */
	uint32_t base_bytes;
	uint32_t closed_psn; /* PSN that closed it */
	bool base_known;

	bool credit_known;
	uint32_t credit;       /* the last value, in an ACK_CC or a Credit */
	uint32_t first_credit; /* the first value */
	uint64_t granted;      /* units by which credit grew since then */
};

/* An ACK showed that |top| arrived, and that a lower PSN is missing. */
struct gap {
	uint32_t top;
	vtime at; /* time of the ACK */
};

enum { DIR_GAPS = 4 };

/*
 * State that most directions do not need at first.  Readers see zeroes until
 * the first write allocates it; a ROD PDC allocates it with its first packet,
 * and NSCC with its first ACK.  With many flows, each cache line of it is a
 * miss, so that what a request needs is one line, and what an ACK in order
 * needs are two.
 */
struct dir_rare {
	/*
	 * SACK bitmaps reported these PSNs, from sack_psn on, and each of them
	 * was received (dir_sacked).
	 */
	_Alignas(FLOW_LINE) uint64_t sacked;
	vtime asked_at;  /* time of the unanswered Clear Request CP, or 0 */
	vtime wanted_at; /* time of the unanswered ACK Request, or 0 */
	vtime nack_at;   /* last NACK of any PSN */
	uint32_t sack_psn;
	uint32_t rcvd_bytes; /* valid if bytes_known */
	/* the larger one of the last two advertised values; 0: none */
	uint32_t mp_range;
	uint32_t mp_last;
	uint32_t requests; /* ACK Requests since CACK_PSN advanced */
	uint32_t nstrays;
	uint32_t noop_frame; /* the last NOOP; 0: none */
	uint8_t ngaps;
	/* mpr = 0 came: in version 1.0.3 Override_MPR_Zero_Value instead */
	bool mpr_zero;
	bool bytes_known;

	/* The second cache line. */
	/* an ACK Request that the destination ignored; frame 0: none */
	uint32_t passed_frame;
	/* a NOOP that was NACKed while the PDC may have ended; frame 0: none */
	uint32_t refused_frame;
	struct dir_cc cc;

	/* bytes since the last ACK, as ACK_Gen_Trigger counts them */
	uint32_t unacked;
	bool wanted_known, probe_known;
	bool probes_lost; /* an unanswered Probe was overwritten */
	/*
	 * The gaps that ACKs showed, in a cache line: |top| falls and |at|
	 * rises, so that the last one is of the last ACK.  A gap is left out if
	 * a later one had the same |top| or a higher one.
	 */
	_Alignas(FLOW_LINE) struct gap gaps[DIR_GAPS];

	uint8_t probes_open;  /* bit mask of |probes| that are not answered */
	uint8_t probes_next;  /* slot for the next Probe */
	vtime probed_at;      /* time of the unanswered Probe, or 0 */
	vtime close_asked_at; /* first request for a close, or 0 */
	vtime trigger_at;     /* when |unacked| reached ACK_Gen_Trigger, or 0 */
	uint32_t asked_psn;   /* the highest PSN that it requests to clear */
	uint32_t wanted_psn; /* PSN of the last ACK Request (if wanted_known) */
	uint32_t asked_frame, wanted_frame, trigger_frame;
	/* valid if the frames of the same names are not 0 */
	uint32_t passed_psn, noop_psn, refused_psn;
	uint32_t again_psn; /* valid if dir.again */
	uint32_t probed_frame;
	uint32_t probe_psn; /* its psn field; kept after the answer */
	/* its opaque value; kept after the answer (if probe_known) */
	uint16_t probe;
	uint16_t probes[4]; /* the last probes, this one included */
	struct rod rod;     /* used by a ROD PDC */
	struct out_of_window out_of_windows[FLOW_OUT_OF_WINDOW];
};

enum {
	/* bytes that an ACK in order needs, and those up to |gaps| and it */
	DIR_RARE_ACK = offsetof(struct dir_rare, cc.credit_known),
	DIR_RARE_OFTEN = offsetof(struct dir_rare, probes_open),
};

_Static_assert(offsetof(struct dir_rare, passed_frame) == FLOW_LINE,
	       "a request needs one cache line");

_Static_assert(DIR_RARE_ACK <= 2 * FLOW_LINE,
	       "an ACK in order needs two cache lines");

_Static_assert(DIR_RARE_OFTEN <= 4 * FLOW_LINE,
	       "a packet fetches four cache lines at most");

/*
 * Statistics of a direction: the packets of its source, and the ACKs of them.
 */
struct dir_stats {
	uint32_t requests, acks;
	uint32_t covered; /* PSNs that cack_psn acknowledged */
};

/*
 * One direction: what one end sends, and what the other reports about it, in
 * two cache lines.
 */
struct dir {
	/* slots for psn_slot(), or NULL */
	_Alignas(FLOW_LINE) struct psn_state *ring;
	const struct dir_rare *rare; /* its own, or &dir_nothing */
	uint16_t slots;              /* slots of the ring, a power of 2, or 0 */
	uint16_t window;             /* number of PSNs to remember */
	uint32_t start;              /* valid if start_known */
	uint32_t high;               /* highest PSN sent (if any) */
	uint32_t seen_to; /* every PSN up to here was seen (if start_known) */
	/* every PSN up to here is acknowledged (if start_known) */
	uint32_t acked_to;
	uint32_t cack;  /* highest cack_psn (if cack_known) */
	uint32_t clear; /* highest correct CLEAR_PSN (if clear_known) */
	/* highest CLEAR_PSN, correct or not (if released_known) */
	uint32_t released;
	uint32_t lost; /* the last PSN whose slot was reused (if lost_any) */
	struct dir_stats stats;

	struct cc_sums sums;      /* begins the second cache line */
	vtime cack_at;            /* time when CACK_PSN last advanced */
	struct message *messages; /* slots for message_place(), or NULL */
	/* lowest PSN whose response is certainly guaranteed (if gtd) */
	uint32_t gtd_low;
	/* highest PSN whose ACK requested a clear (if asked_clear) */
	uint32_t asked_high;
	uint16_t open_id;
	uint16_t placed; /* PSNs that got a slot before the first CACK_PSN */
	uint8_t message_slots; /* slots of |messages|, a power of 2, or 0 */
	uint8_t nmessages;
	bool any : 1;         /* a request was seen */
	bool start_known : 1; /* the flow is known from its start */
	bool cack_known : 1, clear_known : 1, released_known : 1;
	bool gtd : 1; /* there is an uncleared guaranteed response, gtd_low */
	bool lost_any : 1; /* the slot of some PSN was reused by a later PSN */
	/*
	 * some packet was sent as often as allowed, so that the source may have
	 * ended the PDC in error
	 */
	bool retries_exhausted : 1;
	bool ce_unsaid : 1;     /* a CE mark arrived since the last ACK */
	bool again : 1;         /* a duplicate is not answered yet: again_psn */
	bool asked_clear : 1;   /* an ACK requested a clear: asked_high */
	bool gap : 1;           /* a PSN below the highest has not arrived */
	bool lost_messages : 1; /* some messages had no slot */
	bool open : 1;          /* a message is between som and eom: open_id */
};

/*
 * dir_gap_above returns true if the last gap that an ACK showed ended above
 * |psn|.
 */
static inline bool dir_gap_above(const struct dir *d, uint32_t psn)
{
	const struct dir_rare *r = d->rare;

	return r->ngaps && serial_after(r->gaps[r->ngaps - 1].top, psn);
}

/*
 * dir_sacked returns which PSNs from |psn| on SACK bitmaps have reported, as
 * far as they were received.  A bitmap repeats most of the one before, so only
 * the others need a look at their slots.
 */
static inline uint64_t dir_sacked(const struct dir *d, uint32_t psn)
{
	const struct dir_rare *r = d->rare;
	const uint32_t ahead = psn - r->sack_psn, behind = r->sack_psn - psn;

	if (ahead < 64)
		return r->sacked >> ahead;
	return behind < 64 ? r->sacked << behind : 0;
}

/*
 * The memory of an active flow in one block: with many flows, each page that a
 * packet touches costs a TLB miss.  |ring| and |messages| are the initial slots
 * of one dir.
 */
struct flow_hot {
	struct dir dir[2];
	struct psn_state ring[FLOW_LEAST];
	struct message messages[FLOW_FIRST_MESSAGES];
};

/* dir_nothing stands for the dir_rare of directions without one; it is zero. */
extern const struct dir_rare dir_nothing;

struct end {
	struct ip_addr addr;
	bool here;      /* the judge captures at its link */
	uint16_t pdcid; /* 0: unknown */
};

/* Counts of rare packets of an end, like judge_side_stats. */
struct end_rare {
	uint32_t cps, nacks, again[3], net_dups;
};

/*
 * State that a flow needs after its first retransmission, NACK or control
 * packet.  Readers see zeroes until the first write allocates it; it stays when
 * the flow is evicted.
 */
struct flow_rare {
	struct end_rare end[2];
	vtime fatal_at; /* time of the PDC_FATAL NACK; 0: none */
	uint32_t fatal_frame;
	uint8_t fatal_code;
	uint8_t fatal_end; /* the end that received it */
};

_Static_assert(sizeof(struct flow_rare) <= FLOW_LINE,
	       "an idle flow takes one cache line more at most");

/* flow_nothing stands for the flow_rare of flows without one; it is zero. */
extern const struct flow_rare flow_nothing;

/*
 * The members that most packets need stand first, in two cache lines: the
 * state, then the identity.  One ACK in FLOW_LATE needs the third line as well.
 */
struct flow {
	/* NULL while the flow is evicted */
	_Alignas(FLOW_LINE) struct flow_hot *hot;
	uint32_t owner; /* tag of its PSNs; not 0, never reused */
	uint32_t use;   /* see struct table */
	vtime used_at, last_at;
	vtime known_at; /* time when an ACK showed the TPDCID; 0: not yet */
	uint32_t number;
	int8_t initiator; /* 0, 1, or -1: unknown */
	bool used : 1;    /* findable by each end whose PDCID is known */
	/* findable by its pair of addresses, see struct table */
	bool paired : 1;
	bool complete : 1;   /* the judge saw every packet since its SYN */
	bool mode_known : 1; /* the mode is known from a request or a CP */
	bool rod : 1;
	bool native : 1; /* the first request came without UDP */
	bool syn_start_known : 1;
	/* the initiator has shown that it knows the TPDCID */
	bool syn_done : 1;
	bool closing : 1;           /* Close Command seen */
	bool closed : 1;            /* the closing ACK was seen */
	bool close_asked : 1;       /* Close Request or REQ_CLOSE seen */
	bool found : 1;             /* one of its ends had a finding */
	bool spared : 1;            /* see struct table */
	uint8_t clear_requests : 2; /* [end] it sent a Clear Request */
	uint8_t others_at_zero : 2; /* [end] it sent another CP without a PSN */
	/* bit mask of ends: only their UNEXP_EVENT set maybe_failed */
	uint8_t unexpected : 2;
	bool dscp_known : 1; /* the codepoint of the answers, see |dscp| */
	uint8_t nlate;
	uint8_t late[FLOW_LATE]; /* round trips that |rtt| does not count yet */

	struct end end[2];
	uint32_t syn_start;           /* valid if syn_start_known */
	uint32_t syn_done_psn;        /* valid if syn_done */
	const struct flow_rare *rare; /* its own, or &flow_nothing */
	vtime maybe_failed_at;        /* valid if maybe_failed */
	vtime nack_told_at; /* time when a NACK showed the TPDCID; 0: none */

	uint16_t rtt[JUDGE_RTT]; /* like in judge_flow_stats, without |late| */

	vtime first_at;
	uint32_t first_frame;
	struct dir_stats stats[2]; /* counts up to the last idle eviction */
	uint32_t pair_newer, pair_older, pair_hash; /* see struct table */
	uint32_t close_psn;                         /* valid if closing */
	uint16_t side[2];      /* counters of its ends, see judge_side_number */
	uint16_t entropy;      /* of the first packet */
	uint8_t dscp;          /* of the first answer or CP (if dscp_known) */
	bool maybe_failed : 1; /* a NACK or a limit may have ended the PDC */
	bool moved : 1;        /* NEW_START_PSN came: its PSNs are invalid */
	bool renumbered : 1;   /* it continues a PDC with |moved| */
	bool idle_evicted : 1; /* its state was evicted at least once */
	bool began : 1;        /* its first packet was seen */
};

enum { FLOW_HOT = offsetof(struct flow, rtt) };

_Static_assert(sizeof(struct flow) == 4 * FLOW_LINE,
	       "an idle flow costs no cache line more");

_Static_assert(FLOW_HOT == 2 * FLOW_LINE &&
		       sizeof(((struct flow *)NULL)->rtt) == FLOW_LINE,
	       "each packet fetches these cache lines, and no more");

/*
 * ring_meet returns true if two numbers have the same slot in a ring of |n|
 * slots.
 */
static inline bool ring_meet(uint32_t a, uint32_t b, uint32_t n)
{
	return !((a ^ b) & (n - 1));
}

/*
 * psn_slot returns the slot of a PSN, whichever PSN is in it; d->slots is not
 * 0.
 */
static inline struct psn_state *psn_slot(const struct dir *d, uint32_t psn)
{
	return &d->ring[psn & (d->slots - 1)];
}

/* psn_find returns the state of a PSN, or NULL if it is not remembered. */
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
 * psn_nth iterates over a ring, with |n| below d->slots: it returns the PSN in
 * the |n|-th slot behind the highest PSN, or NULL.  The highest one is the
 * last.
 */
static inline struct psn_state *psn_nth(const struct flow *f,
					const struct dir *d, uint32_t n)
{
	struct psn_state *s = psn_slot(d, d->high + 1 + n);

	return s->owner == f->owner ? s : NULL;
}

/*
 * psn_forgotten returns true for a PSN that is too old to be remembered, or was
 * too old while the window was smaller.
 */
static inline bool psn_forgotten(const struct dir *d, uint32_t psn)
{
	return serial_diff(psn, d->high) <= -(int32_t)d->window ||
	       (d->lost_any && !serial_after(psn, d->lost));
}

/*
 * flow_alive returns |now|, or the earlier time at which the PDC may have
 * ended: an answer that was late by then was late in any case.
 */
static inline vtime flow_alive(const struct flow *f, vtime now)
{
	return f->maybe_failed && f->maybe_failed_at < now ? f->maybe_failed_at
							   : now;
}

/* psn_clear returns CLEAR_PSN of the first copy. */
static inline uint32_t psn_clear(const struct psn_state *s)
{
	const int32_t offset = s->clear_offset;

	return s->psn + (uint32_t)offset;
}

/*
 * psn_refused returns true if a NACK reported each copy of a PSN as dropped.
 * Counters that are full show nothing.
 */
static inline bool psn_refused(const struct psn_state *s)
{
	return s->drops && s->drops >= s->copies && s->copies != UINT8_MAX;
}

/* psn_trimmed returns true if every copy of a PSN was trimmed. */
static inline bool psn_trimmed(const struct psn_state *s)
{
	return s->flags & PSN_CUT_ALL;
}

/*
 * psn_behind_gap returns true if a packet came after the last gap of its
 * direction was closed, or closed it.  The order of packets that came at the
 * same time is unknown.
 */
static inline bool psn_behind_gap(const struct dir *d,
				  const struct psn_state *s)
{
	return s->sent_at > d->rare->cc.closed_at ||
	       s->psn == d->rare->cc.closed_psn;
}

/* rod_in_doubt returns true for a PSN above one that may have been dropped. */
static inline bool rod_in_doubt(const struct dir *d, uint32_t psn)
{
	return d->rare->rod.doubted &&
	       serial_after(d->rare->rod.doubt, d->acked_to) &&
	       serial_after(psn, d->rare->rod.doubt);
}

/*
 * dir_out_of_windows_lost returns true if more packets were out of the window
 * than are stored.
 */
static inline bool dir_out_of_windows_lost(const struct dir *d)
{
	return d->rare->nstrays > FLOW_OUT_OF_WINDOW;
}

/* dir_range returns the MP_RANGE of a direction. */
static inline uint32_t dir_range(const struct dir *d,
				 const struct judge_conf *conf)
{
	return d->rare->mp_range ? d->rare->mp_range : conf->mp_range;
}

/*
 * message_place returns the slot of a message, whichever message is in it;
 * d->message_slots is not 0.
 */
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
