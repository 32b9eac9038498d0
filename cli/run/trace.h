/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/trace.h -- writes a capture during the run: pcapng with an interface
 * for each side.
 *
 * Packets are numbered from 1, as readers do.  After trace_flush everything
 * written so far is in the file, even if the program is killed.
 */
#ifndef CLI_RUN_TRACE_H
#define CLI_RUN_TRACE_H

#include <stdio.h>

#include "base/text.h"
#include "reports/format/pcapng_writer.h"

struct trace {
	FILE *f; /* NULL: no file; packets are only counted */
	struct text t;
	/* wall-clock time of port_now's time 0, ns since 1970 */
	uint64_t epoch;
	uint32_t packets;
	bool failed;
};

/*
 * trace_open begins a file; |path| NULL: none.
 * Return: 0 or an exit code after a message.
 */
int trace_open(const char *who, const char *path, const char *const names[2],
	       struct trace *ret);

/*
 * trace_packet appends an Ethernet frame that |side| saw; |comment| may be
 * NULL.
 * Return: its number.
 */
uint32_t trace_packet(struct trace *t, unsigned side,
		      enum capture_direction direction, vtime at,
		      const uint8_t *p, size_t len, const char *comment);

/*
 * trace_flush writes the buffered packets; trace_close ends the file.
 * Return: 0, or an error: not everything was written; errno has the reason.
 */
int trace_flush(struct trace *t);
int trace_close(struct trace *t);

#endif
