/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/serve.h -- an endpoint as a process of its own: "rung serve".
 */
#ifndef SUITE_DUT_SERVE_H
#define SUITE_DUT_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/port/port.h"
#include "oracle/oracle.h"
#include "suite/dut/chan/chan_why.h"

enum serve_control {
	SERVE_NONE, /* until interrupted */
	SERVE_FDS,  /* in and out: ends when in does */
	SERVE_UNIX, /* path: one client after another */
	SERVE_TCP,  /* host, tcp_port and token: likewise */
};

/* All of it is lent for the call. */
struct serve_conf {
	const struct orc_api *api;
	struct orc_conf orc;   /* orc.addr is where it listens; orc.crc */
	struct port_conf port; /* port to serve on; its addr is ignored */
	enum serve_control control;
	/*
	 * SERVE_NONE: memory that exists from the start, under this key and for
	 * the small header, as no control channel can expose it
	 */
	uint64_t memory_key, memory_offset;
	uint32_t memory_len;
	int in, out;
	const char *path, *host;
	uint16_t tcp_port; /* 0: any, ready tells */
	const char *token; /* TCP: not NULL */
	bool anywhere;     /* TCP: not only on a loopback address */
	/*
	 * called once, when it listens: "udp 127.0.0.2:4793, control tcp
	 * 127.0.0.1:4000", "raw eth0 10.0.0.2:4793"; may be NULL
	 */
	void (*ready)(void *ctx, const char *line);
	/* told before the port and the listener are freed; or NULL */
	void (*ends)(void *ctx);
	void *ready_ctx; /* of both */
	/* ends the server when true; may be NULL */
	const volatile bool *interrupted;
};

/*
 * serve_run serves until its control ends or it is interrupted.  A signal that
 * turns *interrupted must not restart system calls (no SA_RESTART).
 *
 * Return: 0; ERR_SYS, ERR_VALUE, ERR_NOMEM with |why| filled, for the user.
 */
int serve_run(const struct serve_conf *conf, char why[CHAN_WHY]);

#endif
