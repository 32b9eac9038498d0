/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_live.h -- a small fabric around one device, in real time:
 * reference endpoints on this machine write to it, and it writes to them.
 *
 * Each endpoint has a port and an address of its own, and a judge of what the
 * device sends there.  The network between is the real one.
 */
#ifndef CLI_FABRIC_FABRIC_LIVE_H
#define CLI_FABRIC_FABRIC_LIVE_H

#include "cli/run/dut_setup.h"
#include "fabric/fabric.h"

#define FABRIC_LIVE_MAX 64 /* endpoints */

/* All pointers are lent. */
struct fabric_live_conf {
	const char *who;
	struct dut_setup_conf setup;
	uint32_t endpoints; /* 1 to FABRIC_LIVE_MAX */
	/* incast: all write to the device; all-to-all: it writes to them too */
	struct fabric_load load;
	uint64_t seed;
	bool strict; /* findings of level S count as those of level M */
	vspan until; /* the longest time from the first write */
	/*
	 * adjust changes the settings of an endpoint, which are those that the
	 * device declares.  Return: 0 or an exit code after a message.
	 */
	int (*adjust)(void *ctx, struct orc_conf *conf);
	void *ctx;
};

struct fabric_live_result {
	struct fabric_result r;
	char name[64];    /* of the device, by its hello */
	char gone[256];   /* how its control channel ended; "": it did not */
	bool silent;      /* it sent nothing for as long as it may repeat */
	uint64_t refused; /* writes that its control channel refused */
	char why[96];     /* the first reason of those */
	uint64_t lost;    /* packets that found no room on this machine */
	bool doubtful;    /* so the judges may not have seen all packets */
	vspan late;       /* the longest time that a packet waited here */
	vspan starved; /* time that a device of rung waited for a processor */
	bool busy;     /* flows may have failed because of these waits */
};

/*
 * fabric_live_run runs until all writes have ended, the device is gone or
 * silent, |until| is over, or setup.stop is true.
 * Return: 0 or an exit code after a message.
 */
int fabric_live_run(const struct fabric_live_conf *conf,
		    struct fabric_live_result *ret);

#endif
