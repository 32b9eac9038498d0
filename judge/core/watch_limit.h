/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/watch_limit.h -- the limits of what a capture can show.
 */
#ifndef JUDGE_CORE_WATCH_LIMIT_H
#define JUDGE_CORE_WATCH_LIMIT_H

/* The reasons why a watch cannot judge everything. */
enum watch_limit {
	WATCH_INCOMPLETE, /* the capture may lack packets */
	WATCH_VANTAGE,    /* the vantage point is unknown */
	WATCH_TIMES,      /* no timer is declared */
	WATCH_MIDDLE,     /* flows that began before the capture */
	WATCH_ONE_WAY,    /* flows with only one captured direction */
	WATCH_OPEN,       /* flows that were not closed */
	WATCH_MISSING,    /* PSNs that were skipped */
	WATCH_CUT,        /* frames truncated by the snapshot length */
	WATCH_DROPS,      /* packets dropped by the capturing machine */
	WATCH_BACKWARD,   /* frames that are earlier than the one before */
	WATCH_COARSE,     /* most frames have the time of the one before */
	WATCH_COPIES,     /* frames captured twice */
	WATCH_REPEATS,    /* frames that their sender may have sent twice */
	WATCH_FRAGMENTS,
	WATCH_BROKEN,
	WATCH_ENCRYPTED,
	WATCH_IDLE_EVICTED, /* flows evicted after a long silence */
	WATCH_FORGOTTEN,    /* flows forgotten for lack of room */
	WATCH_LIMITS,
};

/*
 * watch_limit_name returns the name, such as "incomplete".  watch_limit_text
 * returns its meaning.  Both in static storage.
 */
const char *watch_limit_name(enum watch_limit limit);
const char *watch_limit_text(enum watch_limit limit);

#endif
