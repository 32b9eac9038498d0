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
	SERVE_FDS,  /* in and out: ends when |in| ends */
	SERVE_UNIX, /* path: serves one client after another */
	SERVE_TCP,  /* host, tcp_port and token: as SERVE_UNIX */
};

/* All pointers are lent for the call. */
struct serve_conf {
	const struct orc_api *api;
	struct orc_conf orc;   /* orc.addr is the address to listen at */
	struct port_conf port; /* port to serve on; its addr is ignored */
	enum serve_control control;
	/*
	 * SERVE_NONE: memory that is exposed from the start under this key,
	 * also for the small header, because there is no control channel
	 */
	uint64_t memory_key, memory_offset;
	uint32_t memory_len;
	int in, out;
	const char *path, *host;
	uint16_t tcp_port; /* 0: any port; |ready| reports it */
	const char *token; /* TCP: not NULL */
	bool anywhere;     /* TCP: allow an address that is not loopback */
	/*
	 * called once, when it listens: "udp 127.0.0.2:4793, control tcp
	 * 127.0.0.1:4000", "raw eth0 10.0.0.2:4793"; may be NULL
	 */
	void (*ready)(void *ctx, const char *line);
	/* called before the port and the listener are freed; or NULL */
	void (*ends)(void *ctx);
	void *ready_ctx; /* argument of |ready| and |ends| */
	/* ends the server when true; may be NULL */
	const volatile bool *interrupted;
};

/*
 * serve_run serves until its control channel ends or *interrupted is true.  A
 * signal handler that sets *interrupted must be installed without SA_RESTART.
 *
 * Return: 0; ERR_SYS, ERR_VALUE, ERR_NOMEM with |why| filled, for the user.
 */
int serve_run(const struct serve_conf *conf, char why[CHAN_WHY]);

#endif
