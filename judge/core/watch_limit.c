/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/watch_limit.c -- the names and texts of the limits, as "rung
 * check" prints them.
 */
#include "judge/core/watch_limit.h"

static const struct {
	const char *name, *text;
} limits[WATCH_LIMITS] = {
	[WATCH_INCOMPLETE] = {"incomplete",
			      "the capture may lack packets (--whole states "
			      "that it does not): only what the packets "
			      "present prove is judged"},
	[WATCH_VANTAGE] = {"vantage",
			   "the vantage point is unknown (--at names it): "
			   "order and time at the ends are not judged"},
	[WATCH_TIMES] = {"times", "no timer is declared (--decl): the times of "
				  "retransmissions are not judged"},
	[WATCH_MIDDLE] = {"middle", "flows that began before the capture, or "
				    "that lack packets"},
	[WATCH_ONE_WAY] = {"one-way", "flows with one direction only"},
	[WATCH_OPEN] = {"open", "flows that were not closed when the capture "
				"ended"},
	[WATCH_MISSING] = {"missing", "PSNs that were skipped and never came"},
	[WATCH_CUT] = {"cut", "truncated packets: the capture kept fewer "
			      "bytes than crossed (snapshot length)"},
	[WATCH_DROPS] = {"drops", "packets that the capturing machine dropped"},
	[WATCH_BACKWARD] = {"backward", "frames that are earlier than the one "
					"before: their order is not known"},
	[WATCH_COARSE] = {"coarse", "frames that have the time of the one "
				    "before"},
	[WATCH_COPIES] = {"copies", "packets captured twice: two vantage "
				    "points, or a mirror of both directions"},
	[WATCH_REPEATS] = {"repeats",
			   "equal requests or control packets at once that "
			   "nothing shows to be captured twice: their sender "
			   "is judged"},
	[WATCH_FRAGMENTS] = {"fragments", "IP fragments, which are not put "
					  "together"},
	[WATCH_BROKEN] = {"broken", "packets that end inside a header"},
	[WATCH_ENCRYPTED] = {"encrypted", "packets behind a TSS header"},
	[WATCH_IDLE_EVICTED] = {"evicted",
				"times that a flow was evicted after a long "
				"silence (--idle)"},
	[WATCH_FORGOTTEN] = {"forgotten", "flows forgotten for lack of room "
					  "(--max-flows)"},
};

const char *watch_limit_name(enum watch_limit limit)
{
	return limits[limit].name;
}

const char *watch_limit_text(enum watch_limit limit)
{
	return limits[limit].text;
}
