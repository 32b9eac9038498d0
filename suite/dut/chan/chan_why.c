/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_why.c -- describes why a channel or a port could not be
 * opened.
 */
#define _GNU_SOURCE
#include "suite/dut/chan/chan_why.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "gen/port/port.h"

void chan_errno(char why[CHAN_WHY], const char *what)
{
	const char *text = strerrordesc_np(errno);

	snprintf(why, CHAN_WHY, "%.180s: %s", what,
		 text ? text : "unknown error");
}

void chan_port(char why[CHAN_WHY], const struct port_conf *conf, int err)
{
	char text[PORT_NAME + 120];

	if (err == ERR_SYS) {
		port_error(conf, errno, text, sizeof(text));
		snprintf(why, CHAN_WHY, "%.230s", text);
	} else {
		port_name(conf, text, sizeof(text));
		snprintf(why, CHAN_WHY, "%.180s: %s", text, err_name(err));
	}
}
