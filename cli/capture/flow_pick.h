/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/flow_pick.h -- picks one flow of a capture and hands out its
 * packets.
 *
 * The capture is judged first, to find the flow and its violations.  It is then
 * read again for the packets of that flow, with the facts of the judge.
 */
#ifndef CLI_CAPTURE_FLOW_PICK_H
#define CLI_CAPTURE_FLOW_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/file/source.h"
#include "cli/run/check_run.h"
#include "lib/rung.h"
#include "wire/dgram.h"

/* The caller sets the first part, after flow_pick_default(). */
struct flow_pick {
	const char *path; /* "-" is standard input */
	struct check_run_conf check_run;
	/* the wanted flow, from 1, or frame; 0: the first finding's flow */
	uint64_t flow, frame;

	/* set by flow_pick_open() */
	struct check_run_result result;
	uint32_t target; /* the frame by which the flow was found */

	/* of flow_pick.c */
	struct source *source;
	struct rung_watch *watch;
	uint64_t number; /* RUNG_NO_FLOW: packets between two addresses */
	struct ip_addr pair[2];
};

/* A packet of the flow; all pointers are lent for the call. */
struct flow_packet {
	const struct capture_packet *capture;
	const struct rung_facts *facts;
	uint32_t frame; /* its number in the capture, from 1 */
	bool removed;   /* an impairment of rung removed it */
};

/* flow_pick_default sets what both commands want of the judge. */
void flow_pick_default(struct flow_pick *f, const char *who);

/*
 * flow_pick_open judges the capture and finds the flow.
 *
 * Return: 0, or an exit code after a message.  flow_pick_close in either case.
 */
int flow_pick_open(struct flow_pick *f);
void flow_pick_close(struct flow_pick *f);

/*
 * flow_pick_each calls |see| for each packet of the flow, in the order of
 * frames, until it returns an exit code.
 *
 * Return: 0, or an exit code: that of |see|, or after a message.
 */
int flow_pick_each(struct flow_pick *f,
		   int (*see)(void *ctx, const struct flow_packet *p),
		   void *ctx);

/*
 * flow_pick_dgram reads the datagram of a packet.  Headers of other sizes get
 * the sizes of the tables.
 */
void flow_pick_dgram(const struct flow_pick *f, const struct flow_packet *p,
		     struct dgram *ret);

/*
 * flow_pick_ended reports an error that ended the reading of the capture.
 *
 * Return: EXIT_PASSED, or the exit code of that error.
 */
int flow_pick_ended(const struct flow_pick *f);

#endif
