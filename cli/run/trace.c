/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/trace.c -- appends packets to a pcapng file through a buffer of 256
 * KiB.
 */
#include "cli/run/trace.h"

#include <errno.h>
#include <time.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/file.h"
#include "gen/port/port_clock.h"
#include "rung_version.h"

#define CHUNK ((size_t)1 << 18) /* most bytes that are buffered */

static uint64_t trace_epoch(void)
{
	struct timespec ts;
	const vtime now = port_now();

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)(ts.tv_sec * VSPAN_S + ts.tv_nsec - now);
}

int trace_open(const char *who, const char *path, const char *const names[2],
	       struct trace *ret)
{
	static const char *const none[] = {NULL};
	struct pcapng_writer writer = {.t = &ret->t};
	int fd;

	*ret = (struct trace){.epoch = trace_epoch()};
	if (!path)
		return 0;
	fd = file_create(path);
	if (fd < 0)
		ret->f = NULL;
	else
		ret->f = fdopen(fd, "wb");
	if (!ret->f)
		return cli_sys(who, path);
	pcapng_section(&writer, none, "rung-bridge " RUNG_VERSION);
	for (unsigned i = 0; i < 2; i++)
		pcapng_interface(&writer, FRAME_ETHERNET, names[i],
				 i ? "the second side" : "the first side");
	return 0;
}

int trace_flush(struct trace *t)
{
	if (!t->f)
		return 0;
	if (text_err(&t->t)) {
		errno = ENOMEM;
		t->failed = true;
	} else if (fwrite(text_cstr(&t->t), 1, t->t.len, t->f) < t->t.len ||
		   fflush(t->f)) {
		t->failed = true;
	}
	text_clear(&t->t);
	if (t->failed)
		return ERR_SYS;
	return 0;
}

uint32_t trace_packet(struct trace *t, unsigned side,
		      enum capture_direction direction, vtime at,
		      const uint8_t *p, size_t len, const char *comment)
{
	struct pcapng_writer writer = {.t = &t->t};
	const struct pcapng_packet packet = {
		.iface = side,
		.at = t->epoch + (uint64_t)at,
		.p = p,
		.len = len,
		.direction = direction,
	};

	t->packets++;
	if (!t->f)
		return t->packets;
	pcapng_packet_open(&writer, &packet);
	if (comment)
		pcapng_comment(&writer, comment);
	pcapng_packet_close(&writer, &packet);
	if (t->t.len >= CHUNK)
		trace_flush(t);
	return t->packets;
}

int trace_close(struct trace *t)
{
	int err = trace_flush(t);

	if (t->f && file_close(t->f))
		err = ERR_SYS;
	text_free(&t->t);
	t->f = NULL;
	return err;
}
