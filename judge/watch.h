/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/watch.h -- frames of anybody's capture in, findings out, and what could
 * not be known.
 *
 * A watch stands behind a reader of captures.  It takes each frame apart, gives
 * it to the judge of its family, by UDP port, and keeps count of all that makes
 * it judge less: each such restriction has a name.
 *
 * The pairs of addresses are spread over WATCH_SHARDS judges, always in the
 * same way.  A watch may look after a part of them only: several watches that
 * are shown the same frames find together what one finds that looks after all.
 */
#ifndef JUDGE_WATCH_H
#define JUDGE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/judge.h"
#include "wire/capture.h"
#include "wire/crc.h"
#include "wire/foreign.h"
#include "wire/frame.h"

enum { WATCH_SHARDS = 16, WATCH_AHEAD = 64 };

struct watch_conf {
	struct judge_conf judge; /* whole: somebody vouches for the capture */
	struct frame_conf frame;
	size_t max_flows;     /* at a time, all shards together, about */
	unsigned part, parts; /* this watch looks after shards part, part +
				 parts, ...; parts 0: after all */
	bool copies;          /* a packet may have been captured twice */
	/*
	 * Whether packets end in a CRC, in |crc_order|: one that does not is
	 * dropped where it arrives.  Where that is not known, a CRC that is
	 * right, in either order, is taken for one.
	 */
	bool crc_known, crc;
	bool crc_free; /* who stands here may send what is dropped there */
	enum crc_order crc_order;
	struct foreign foreign; /* sizes of headers that are known to differ */
};

struct watch_frame {
	const uint8_t *p;   /* lent for the call */
	uint32_t len, orig; /* bytes that are there, and that there were */
	enum frame_link link;
	vtime at;
	uint32_t number; /* the caller's, from 1; goes into findings */
	bool doubtful;   /* not as its ends saw it: other bytes, another time */
};

/* What was seen; frames that are not a part's own are counted by part 0. */
struct watch_counts {
	uint64_t frames;    /* all of them */
	uint64_t packets;   /* those that belong to a family, of these parts */
	uint64_t not_ip;    /* or a link type that is not known */
	uint64_t other;     /* UDP to other ports, other protocols */
	uint64_t fragments; /* of IP */
	uint64_t broken;    /* headers that end too early */
	uint64_t encrypted;
	uint64_t cut;       /* fewer bytes kept than there were */
	uint64_t copies;    /* captured twice */
	uint64_t repeats;   /* equal and at once, but sent so */
	uint64_t doubtful;  /* not as their ends saw them */
	uint64_t backward;  /* earlier than the frame before */
	uint64_t same_time; /* at the same time as the frame before */
	uint64_t skipped;   /* PSNs that were left out, less those that came */
	vtime first_at, last_at;
};

struct watch;

/* Errors: ERR_NOMEM. */
int watch_new(struct watch **ret, const struct watch_conf *conf);
void watch_free(struct watch *w);

/*
 * watch_push judges a frame, as judge_push does a packet.
 * Return: how many findings there are; those of a shard without memory: 0, and
 *         watch_failed.
 */
size_t watch_push(struct watch *w, const struct watch_frame *f,
		  struct finding *ret, size_t max);

/*
 * watch_ahead takes packets of a capture and judges nothing yet: what is known
 * of their flows is fetched meanwhile.  Those that are to be judged wait for
 * watch_next, which judges one, in the order in which they came, and returns
 * what watch_push does; their bytes have to stay until then.  watch_waiting is
 * how many of them there are.
 *
 * Shape:  |n| is at most WATCH_AHEAD; nothing waits when this, watch_push or
 *         watch_end is called.  |number| is that of the first.
 */
void watch_ahead(struct watch *w, const struct capture_packet *p, unsigned n,
		 uint64_t number);
unsigned watch_waiting(const struct watch *w);
size_t watch_next(struct watch *w, struct finding *ret, size_t max);

/* watch_failed: there was no memory for a shard, and it was not judged. */
bool watch_failed(const struct watch *w);

/* watch_until says that nothing more was sent until that time. */
void watch_until(struct watch *w, vtime end);

/* watch_end judges what never came in one shard, as judge_end. */
size_t watch_end(struct watch *w, unsigned shard, struct finding *ret,
		 size_t max);

/* watch_flows shows every flow that is not forgotten, shard by shard. */
void watch_flows(const struct watch *w,
		 void (*see)(void *arg, const struct judge_flow *f), void *arg);

const struct watch_counts *watch_counts(const struct watch *w);

/* watch_totals adds those of all its shards to *ret. */
void watch_totals(const struct watch *w, struct judge_totals *ret);

/* watch_seen is how often anybody could have broken a requirement. */
uint64_t watch_seen(const struct watch *w, enum req_id req, enum req_role role);

/*
 * watch_judge is the judge of the frame that was pushed last, or NULL;
 * *ret_shard is its number.
 */
const struct judge *watch_judge(const struct watch *w, unsigned *ret_shard);

/* What makes a watch judge less than it could. */
enum watch_limit {
	WATCH_UNVOUCHED, /* nobody says that no packet is missing */
	WATCH_AFAR,      /* nobody says at whose link this was captured */
	WATCH_TIMES,     /* nobody has declared any timer */
	WATCH_MIDDLE,    /* flows that had begun before */
	WATCH_ONE_WAY,   /* flows of which one side was not seen */
	WATCH_OPEN,      /* flows that had not ended */
	WATCH_MISSING,   /* PSNs that were left out */
	WATCH_CUT,       /* frames cut by the snapshot length */
	WATCH_DROPS,     /* packets that those who captured dropped */
	WATCH_BACKWARD,  /* frames that are earlier than the one before */
	WATCH_COARSE,    /* most frames have the time of the one before */
	WATCH_COPIES,    /* frames captured twice */
	WATCH_REPEATS,   /* frames that their sender seems to have repeated */
	WATCH_FRAGMENTS,
	WATCH_BROKEN,
	WATCH_ENCRYPTED,
	WATCH_SLEPT,     /* flows that were silent for too long */
	WATCH_FORGOTTEN, /* flows, for want of room */
	WATCH_LIMITS,
};

/* watch_limit_name is "unvouched", watch_limit_text what it means.  Static. */
const char *watch_limit_name(enum watch_limit limit);
const char *watch_limit_text(enum watch_limit limit);

#endif
