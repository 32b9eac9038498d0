/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/serve.h -- an endpoint as a process of its own: "rung serve".
 */
#ifndef SUITE_SERVE_H
#define SUITE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/port.h"
#include "oracle/oracle.h"
#include "suite/dut_chan.h"

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
	struct port_conf port; /* likewise; its addr is not looked at */
	enum serve_control control;
	/*
	 * SERVE_NONE: nobody can ask it to expose memory, and so this is there
	 * from the start, under its key and for the small header
	 */
	uint64_t memory_key;
	uint32_t memory_len;
	int in, out;
	const char *path, *host;
	uint16_t tcp_port; /* 0: any, ready tells */
	const char *token; /* TCP: not NULL */
	bool anywhere;     /* TCP: not only on a loopback address */
	/*
	 * told once, when it listens: "udp 127.0.0.2:4793, control tcp
	 * 127.0.0.1:4000", "raw eth0 10.0.0.2:4793"; NULL: nobody wants to know
	 */
	void (*ready)(void *ctx, const char *line);
	void *ready_ctx;
	const volatile bool *interrupted; /* or NULL: ends when it turns true */
};

/*
 * serve_run serves until its control ends or it is interrupted.  A signal that
 * turns *interrupted must not restart system calls (no SA_RESTART).
 *
 * Return: 0; ERR_SYS, ERR_VALUE, ERR_NOMEM with |why| filled, for the user.
 */
int serve_run(const struct serve_conf *conf, char why[CHAN_WHY]);

#endif
