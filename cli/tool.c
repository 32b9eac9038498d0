/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/tool.c -- runs a shell command for ten seconds at most and collects the
 * lines that it prints.
 */
#include "cli/tool.h"

#include "gen/port/port_clock.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/chan/dut_chan.h"

#define PATIENCE (10 * VSPAN_S)

bool tool_output(const char *command, struct text *ret)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	const vtime until = port_now() + PATIENCE;
	char why[CHAN_WHY];
	const char *line;
	struct chan *c;
	bool any = false;
	size_t len, ready;
	int fd, got = 0;

	if (chan_spawn(&c, argv, 0, why))
		return false;
	fd = chan_fd(c);
	while (got >= 0 && port_now() < until) {
		got = chan_read(c, &line, &len);
		if (got > 0) {
			text_add(ret, line, len);
			text_puts(ret, "\n");
			any = true;
		} else if (got == 0) {
			got = port_wait(&fd, 1, until, &ready);
		}
	}
	chan_free(c);
	return any && !text_err(ret);
}
