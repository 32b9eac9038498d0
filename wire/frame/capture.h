/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/capture.h -- reads packets from capture files: pcap and pcapng.
 *
 * The reader does no input itself.  The caller lends it a window of the file's
 * bytes, and the reader returns the packets in it one by one, without copying.
 * A file in memory is one window; a file that is read in pieces is many.
 *
 *   capture_feed(c, p, len, last);
 *   while ((n = capture_next(c, &packet)) > 0)
 *     ...
 *   if (n == 0 && !last)
 *     ... the last capture_rest(c) bytes belong before the next window
 *
 * One file may have several sections, byte orders, interfaces, link types and
 * time resolutions; unknown block types are skipped.
 *
 * Spec: draft-ietf-opsawg-pcapng 3 and 4, draft-ietf-opsawg-pcap 4 and 5
 */
#ifndef WIRE_FRAME_CAPTURE_H
#define WIRE_FRAME_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/frame/frame.h"

enum {
	CAPTURE_BLOCK_MAX = 1 << 24, /* bytes; a longer block is an error */
	CAPTURE_INTERFACES = 1024,   /* interfaces of a section */
	CAPTURE_DECLARED = 1024,     /* bytes for rung's own declaration */
};

enum capture_direction { CAPTURE_INBOUND = 1, CAPTURE_OUTBOUND = 2 };

struct capture_packet {
	const uint8_t *p; /* lent until the next window */
	uint32_t len;     /* bytes captured */
	uint32_t orig;    /* bytes on the link */
	vtime at;         /* since 1970; clamped to the nearest vtime */
	uint32_t iface;   /* index in its section, from 0 */
	enum frame_link link;
	uint64_t offset;    /* offset of its block in the file */
	unsigned direction; /* enum capture_direction; 0: not recorded */
	/* the first comment, not NUL-terminated; or NULL */
	const char *comment;
	uint32_t comment_len;
};

/* The properties of the file, as far as it was read. */
struct capture_info {
	bool ng;
	bool ours;         /* written by rung: docs/reports.md */
	unsigned sections; /* sections of pcapng */
	unsigned interfaces;
	uint64_t packets;
	/* packets lost at capture, as the file reports; at most INT64_MAX */
	uint64_t dropped;
	uint64_t
		/* packets with a time earlier than that of the packet before */
		backward;
	vspan resolution; /* resolution of the coarsest time stamps */
	/* rung's captures: the device's declaration, or "" */
	char declared[CAPTURE_DECLARED];
};

struct capture;

/* capture_new makes a reader.  Errors: ERR_NOMEM. */
int capture_new(struct capture **ret);
void capture_free(struct capture *c);

/*
 * capture_feed lends the next window: the bytes that capture_rest counted in
 * the previous one, then the bytes that follow them.  |last|: the file ends
 * here.
 */
void capture_feed(struct capture *c, const uint8_t *p, size_t len, bool last);

/*
 * capture_next returns the next packet.
 *
 * Return:
 * - 1 with a packet in *ret
 * - 0 at the end of the window or the file
 * - ERR_SYNTAX: the bytes are no capture, or contradict each other
 * - ERR_SHORT: the file ends inside a block
 *
 * capture_error names the position.  After an error all further calls fail.
 */
int capture_next(struct capture *c, struct capture_packet *ret);

/*
 * capture_some returns the next packets, up to |max| of them, faster than one
 * by one.
 *
 * Return: their number, at least 1; otherwise as capture_next.
 */
int capture_some(struct capture *c, struct capture_packet *ret, int max);

/*
 * capture_skim skips all packets of the window and only updates capture_info.
 *
 * Return: as capture_next, but never 1.
 */
int capture_skim(struct capture *c);

/* capture_rest returns the number of unused bytes of the window. */
size_t capture_rest(const struct capture *c);

/*
 * capture_wants returns the shortest window with which the reader can continue.
 */
size_t capture_wants(const struct capture *c);

/*
 * capture_error returns the error: "byte 4711: block length 7 is too short", or
 * "".
 */
const char *capture_error(const struct capture *c);

const struct capture_info *capture_info(const struct capture *c);

#endif
