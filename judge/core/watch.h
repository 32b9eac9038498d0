/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/watch.h -- judges the frames of any capture and reports findings
 * and restrictions.
 *
 * A reader of captures passes frames to a watch.  It parses each frame, passes
 * it to the judge of its family, by UDP port, and counts everything that
 * restricts judging.  Each such restriction has a name.
 *
 * The pairs of addresses are spread over WATCH_SHARDS judges, always in the
 * same way.  A watch may judge only a part of them: several watches that see
 * the same frames find together what one watch of all pairs finds.
 */
#ifndef JUDGE_CORE_WATCH_H
#define JUDGE_CORE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/core/watch_limit.h"
#include "judge/judge.h"
#include "wire/frame/crc.h"
#include "wire/frame/foreign.h"
#include "wire/frame/frame.h"
#include "wire/frame/unread.h"

enum { WATCH_SHARDS = 16, WATCH_PREFETCH = 64 };

struct watch_conf {
	/* |complete|: the user states that no packet is missing */
	struct judge_conf judge;
	struct frame_conf frame;
	/* number of flows at a time, for all shards together */
	size_t max_flows;
	/*
	 * This watch judges shards |part|, |part| + |parts|, ...; 0 parts: all
	 * shards.
	 */
	unsigned part, parts;
	bool copies; /* packets may have been captured twice */
	/*
	 * Packets end in a CRC in |crc_order|, and a receiver drops a packet
	 * with a wrong CRC.  If |crc_known| is false, a packet ends in a CRC if
	 * its last bytes are the right CRC in either order.
	 */
	bool crc_known, crc;
	/*
	 * the sender at this vantage point may send packets on purpose that its
	 * receiver drops
	 */
	bool crc_free;
	enum crc_order crc_order;
	struct foreign foreign; /* headers with other sizes than the tables */
};

/*
 * A frame of a capture.  It has the layout of the struct rung_frame of
 * lib/rung.h, so that the library passes frames on without a copy.
 */
struct __attribute__((may_alias)) watch_frame {
	const uint8_t *p; /* lent; see watch_prefetch */
	uint32_t len;     /* bytes captured */
	uint32_t link;    /* enum frame_link */
	vtime at;
	/* changed since its sender sent it, or with a wrong time; 0 or 1 */
	uint8_t doubtful;
};

/*
 * The first fields of a frame.  Watches that judge parts of one capture share
 * it, so that each frame is parsed once (see watch_peek).
 */
struct watch_peek {
	/* the members below are set; if not, each watch parses the frame */
	bool common;
	struct frame_peek g;
	unsigned shard; /* of its pair of addresses, if |g.known| */
	uint64_t pair;
};

/* The counts of frames; part 0 counts frames that belong to no part. */
struct watch_counts {
	uint64_t frames;  /* all frames */
	uint64_t packets; /* packets of a family, in these parts */
	uint64_t tunnels; /* of these, those that came inside a tunnel */
	/* frames that hold no packet of a family, by reason */
	uint64_t unread[UNREADS];
	/* packets that end inside a header, including unread[UNREAD_SHORT] */
	uint64_t broken;
	uint64_t encrypted;
	uint64_t cut;       /* truncated by the capture */
	uint64_t copies;    /* captured twice */
	uint64_t repeats;   /* frames with equal bytes that were sent twice */
	uint64_t doubtful;  /* frames changed since they were sent */
	uint64_t backward;  /* earlier than the frame before */
	uint64_t same_time; /* at the same time as the frame before */
	uint64_t skipped;   /* skipped PSNs, minus those that came later */
	vtime first_at, last_at;
};

struct watch;

/* watch_new makes a watch.  Errors: ERR_NOMEM. */
int watch_new(struct watch **ret, const struct watch_conf *conf);
void watch_free(struct watch *w);

/*
 * watch_push judges a frame, like judge_push a packet.  |number| is the
 * caller's, from 1; findings carry it.
 *
 * Return: the number of findings; 0 for a shard without memory (see
 * watch_failed).
 */
size_t watch_push(struct watch *w, const struct watch_frame *f, uint64_t number,
		  struct finding *ret, size_t max);

/*
 * watch_prefetch takes frames of a capture and prefetches the state of their
 * flows, without judging them.  watch_next then judges them in order, until one
 * has findings or none is left, and returns the number of these findings; the
 * bytes of the frames must stay until then.  watch_waiting returns how many are
 * left.
 *
 * Shape:  |n| is at most WATCH_PREFETCH; no packet may be left when this,
 * watch_push or watch_end is called.  |number| is that of the first.
 */
void watch_prefetch(struct watch *w, const struct watch_frame *f, unsigned n,
		    uint64_t number);
unsigned watch_waiting(const struct watch *w);

/*
 * watch_peek reads the first fields of |n| frames for watches whose
 * configuration is |conf|.  watch_prefetch_peeked does the same as
 * watch_prefetch with what watch_peek returned: it does not touch the bytes of
 * common frames that belong to another part.
 */
void watch_peek(const struct frame_conf *conf, const struct watch_frame *f,
		unsigned n, struct watch_peek *ret);
void watch_prefetch_peeked(struct watch *w, const struct watch_frame *f,
			   const struct watch_peek *x, unsigned n,
			   uint64_t number);
size_t watch_next(struct watch *w, struct finding *ret, size_t max);

/*
 * watch_failed returns true if a shard was not judged because memory ran out.
 */
bool watch_failed(const struct watch *w);

/*
 * watch_until states that no packet was sent between the last frame and |end|.
 */
void watch_until(struct watch *w, vtime end);

/*
 * watch_end judges the packets that are missing in one shard, like judge_end.
 */
size_t watch_end(struct watch *w, unsigned shard, struct finding *ret,
		 size_t max);

/* watch_flows calls |see| for every known flow, shard by shard. */
void watch_flows(const struct watch *w,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg);

const struct watch_counts *watch_counts(const struct watch *w);

/* watch_totals adds the totals of all its shards to *ret. */
void watch_totals(const struct watch *w, struct judge_totals *ret);

/*
 * watch_seen_add adds to ret[REQ][0] how often sources could have violated a
 * requirement, and to ret[REQ][1] how often destinations could.
 *
 * Shape:  |ret| has REQ_COUNT rows.
 */
void watch_seen_add(const struct watch *w, uint64_t (*ret)[2]);

/*
 * watch_judge returns the judge of the frame pushed last, or NULL; *ret_shard
 * is its number.
 */
const struct judge *watch_judge(const struct watch *w, unsigned *ret_shard);

#endif
