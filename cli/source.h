/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/source.h -- where captures come from: a file, which can be read again; a
 * compressed file or a pipe, which cannot; a live port.
 *
 * gzip and zstd are told by their first bytes, whatever the name says.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>

#include "wire/capture.h"

struct source;

/*
 * source_open opens a capture; "-" is standard input.
 * Return: 0 or an exit code after a message.
 */
int source_open(const char *who, const char *path, struct source **ret);

/*
 * source_live opens a network port for capture until |*stop| turns true; only
 * frames that pass the |filter| of libpcap come (NULL: all).
 * Return: 0 or an exit code after a message.
 */
int source_live(const char *who, const char *port, const char *filter,
		const volatile bool *stop, struct source **ret);

/*
 * source_again is another reader of the same file (source_repeats), from its
 * start; the first one has to outlive it.  Return: NULL if there is no memory.
 */
struct source *source_again(const struct source *s);

/*
 * source_keep makes a stream one that can be read again: what it holds, without
 * its compression, goes into a file that has no name.  Nothing may have been
 * read yet.  A file is left as it is.
 * Return: 0 or an exit code after a message.
 */
int source_keep(const char *who, struct source *s);

void source_close(struct source *s);

/*
 * source_next gives the next packet.  Its bytes are lent until the next call.
 * Return: 1; 0 at the end; below 0: source_error says why.
 */
int source_next(struct source *s, struct capture_packet *ret);

/*
 * source_some gives the next packets, up to |max| of them; it waits for one
 * alone.
 * Return: how many; else as source_next.
 */
int source_some(struct source *s, struct capture_packet *ret, int max);

/*
 * source_skim passes over all that is left: source_info tells what there was.
 * Return: 0, or below 0 as source_next.
 */
int source_skim(struct source *s);

/* source_repeats: it can be read again, and by several at a time. */
bool source_repeats(const struct source *s);

/*
 * source_is_live: a network port, which once it is to stop still gives what
 * was captured until then, and ends by itself.
 */
bool source_is_live(const struct source *s);

/* source_error is what is wrong, with the offset in the bytes of the capture
 * (behind the compression), or "". */
const char *source_error(const struct source *s);

const struct capture_info *source_info(const struct source *s);

#endif
