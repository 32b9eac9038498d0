/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/source.h -- the sources of captures: a file, which can be read
 * again; a compressed file or a pipe, which cannot; a live port.
 *
 * gzip and zstd are recognised by their first bytes, not by the name.
 */
#ifndef CLI_FILE_SOURCE_H
#define CLI_FILE_SOURCE_H

#include <stdbool.h>

#include "cli/capture/netcap.h"
#include "wire/frame/capture.h"

struct source;

/*
 * source_open opens a capture; "-" is standard input.  A signal of
 * cli_interrupts ends the wait for a pipe, and its packets.
 *
 * Return: 0, or an exit code after a message.
 */
int source_open(const char *who, const char *path, struct source **ret);

/*
 * source_live opens a network port for capture (cli/capture/netcap.h).  The
 * source is its first queue.
 *
 * Return: 0, or an exit code after a message.
 */
int source_live(const char *who, const struct netcap_conf *conf,
		struct source **ret);

/*
 * source_next_queue returns the next queue of a live port, which another thread
 * may read, or NULL if there is none.  It is closed with the first one.
 */
struct source *source_next_queue(const struct source *s);

/* source_stop_queues ends all queues of a live port: netcap_stop(). */
void source_stop_queues(struct source *s);

/*
 * source_again returns another reader of the same file (source_repeats), from
 * its start; the first one must outlive it.  Return: NULL if there is no
 * memory.
 */
struct source *source_again(const struct source *s);

/*
 * source_keep copies a stream, uncompressed, to an unnamed file, so that it can
 * be read again.  It must be called before the first packet is read.  A file
 * stays as it is.  Messages name |path|.
 *
 * Return: 0, or an exit code after a message.
 */
int source_keep(const char *who, const char *path, struct source *s);

void source_close(struct source *s);

/*
 * source_next gives the next packet.  Its bytes are lent until the next call.
 *
 * Return: 1; 0 at the end; below 0: source_error gives the reason.
 */
int source_next(struct source *s, struct capture_packet *ret);

/*
 * source_some gives the next packets, up to |max| of them; it waits only for
 * the first.
 *
 * Return: their number; else as source_next.
 */
int source_some(struct source *s, struct capture_packet *ret, int max);

/*
 * source_keep_windows keeps the bytes of packets after the next call of
 * source_some: SOURCE_WINDOWS - 1 further calls may follow.
 *
 * Return: false if there is no memory.
 */
enum { SOURCE_WINDOWS = 17 };
bool source_keep_windows(struct source *s);

/*
 * source_skim skips the rest; source_info then describes the whole capture.
 *
 * Return: 0, or below 0 as source_next.
 */
int source_skim(struct source *s);

/*
 * source_repeats returns true if the source can be read again, and by several
 * readers at a time.
 */
bool source_repeats(const struct source *s);

/*
 * source_is_live returns true for a network port.  When stopped, it still gives
 * the packets captured until then, and then ends.
 */
bool source_is_live(const struct source *s);

/*
 * source_error returns the error, with the offset in the uncompressed bytes of
 * the capture, or "".
 */
const char *source_error(const struct source *s);

const struct capture_info *source_info(const struct source *s);

#endif
