/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_live.h -- a device under test on a real link: a port, and an
 * optional control channel.
 */
#ifndef SUITE_DUT_DUT_LIVE_H
#define SUITE_DUT_DUT_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/port/port.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/dut.h"
#include "wire/frame/crc.h"
#include "wire/frame/foreign.h"

enum dut_control {
	DUT_CONTROL_NONE,
	DUT_CONTROL_CHILD, /* argv: a program, with the channel on its standard
			      input and output */
	DUT_CONTROL_SHELL, /* command: a program started with "sh -c" */
	DUT_CONTROL_UNIX,  /* path */
	DUT_CONTROL_TCP,   /* host, tcp_port, token */
};

/* All pointers are lent for the call. */
struct dut_live_conf {
	struct port_conf port; /* the tester's end of the link */
	struct ip_addr peer;   /* the DUT's address */
	bool native;           /* datagrams go over IP, without UDP */
	bool crc;              /* every datagram ends with the CRC trailer */
	enum crc_order crc_order;
	enum icrc_mode icrc;
	/*
	 * Header sizes of the device that differ from the tables: UET packets
	 * are rewritten on the way in and out.
	 */
	struct foreign foreign;
	enum dut_control control;
	const char *const *argv; /* ends with NULL */
	const char *command, *path, *host;
	uint16_t tcp_port;
	const char *token; /* NULL: no token is required */
	/*
	 * without control: a shell command that starts an operation, as in
	 * suite/dut/dut_trigger.h; lent while the device exists; NULL: none
	 */
	const char *trigger;
	/*
	 * If rung stands between two endpoints: the port towards the other
	 * endpoint, lent for the call, and its address.  NULL: rung plays the
	 * other endpoint.
	 */
	const struct port_conf *behind;
	struct ip_addr other;
	bool show_stderr; /* show the program's standard error; otherwise keep
			     its end */
	bool privileged;  /* programs keep the rights of rung's user */
	vspan hello_time; /* time-out of hello and reset; 0: 5 s */
	/* ends the wait for hello when true; or NULL */
	const volatile bool *stop;
};

/*
 * dut_live_new opens port and channel, and says hello.
 *
 * Request ids from 2^52 on are its own.  A datagram that does not come from the
 * peer is ignored.  With |crc| a trailer is appended to each datagram sent and
 * removed from each received; a wrong trailer stays, and is counted. next gives
 * DUT_TIMEOUT early when a signal arrives.  An unknown event is skipped.  Each
 * time-out updates counts.
 *
 * Errors: ERR_SYS the port or the channel could not be opened; ERR_CLOSED the
 *         channel closed before it said hello; ERR_STATE no hello in time, or
 *         refused, or another version; ERR_VALUE; ERR_NOMEM.
 *         |why| is filled, for the user.
 */
int dut_live_new(struct dut **ret, const struct dut_live_conf *conf,
		 char why[CHAN_WHY]);

#endif
