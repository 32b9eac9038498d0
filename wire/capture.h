/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/capture.h -- capture files as packets: pcap and pcapng.
 *
 * The reader does no input of its own.  It is lent a window of the file's
 * bytes and gives the packets in it one by one, without copying: what is in
 * memory as a whole is one window, what is read piece by piece is many.
 *
 *	capture_feed(c, p, len, last);
 *	while ((n = capture_next(c, &packet)) > 0)
 *		...
 *	if (n == 0 && !last)
 *		... the last capture_rest(c) bytes belong before the next window
 *
 * Several sections, byte orders, interfaces, link types and time resolutions in
 * one file are understood; block types that are not known are passed over.
 *
 * Spec: draft-ietf-opsawg-pcapng 3 and 4, draft-ietf-opsawg-pcap 4 and 5
 */
#ifndef WIRE_CAPTURE_H
#define WIRE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vtime.h"
#include "wire/frame.h"

enum {
	CAPTURE_BLOCK_MAX = 1 << 24, /* bytes; what is longer is taken for a lie
				      */
	CAPTURE_INTERFACES = 1024,   /* in a section */
};

enum capture_direction { CAPTURE_INBOUND = 1, CAPTURE_OUTBOUND = 2 };

struct capture_packet {
	const uint8_t *p; /* lent, as long as the window is */
	uint32_t len;     /* bytes that there are, */
	uint32_t orig;    /* and that there were on the link */
	vtime at;         /* since 1970; what does not fit is the nearest */
	uint32_t iface;   /* of its section, from 0 */
	enum frame_link link;
	uint64_t offset;     /* of its block in the file */
	unsigned direction;  /* enum capture_direction; 0: not told */
	const char *comment; /* the first one, not ended by a NUL; NULL */
	uint32_t comment_len;
};

/* What the file says of itself, as far as it was read. */
struct capture_info {
	bool ng;
	bool ours;         /* written by rung: docs/reports.md */
	unsigned sections; /* of pcapng */
	unsigned interfaces;
	uint64_t packets;
	uint64_t dropped; /* by those who captured, as they counted */
	uint64_t
		backward; /* packets with an earlier time than the one before */
	vspan resolution; /* of the coarsest time stamps */
	char declared[256]; /* of ours: what the device declared, or "" */
};

struct capture;

/* Errors: ERR_NOMEM. */
int capture_new(struct capture **ret);
void capture_free(struct capture *c);

/*
 * capture_feed lends the next window: what capture_rest left of the one before,
 * and bytes that follow it.  |last|: nothing follows them.
 */
void capture_feed(struct capture *c, const uint8_t *p, size_t len, bool last);

/*
 * capture_next gives the next packet.
 * Return: 1 and *ret; 0 at the end of the window or the file;
 *         ERR_SYNTAX: the bytes are no capture, or lie; ERR_SHORT: the file
 *         ends inside a block.  capture_error says where.  Errors stay.
 */
int capture_next(struct capture *c, struct capture_packet *ret);

/*
 * capture_some gives the next packets, up to |max| of them, at less cost than
 * one by one.
 * Return: how many there are in *ret, from 1; else as capture_next.
 */
int capture_some(struct capture *c, struct capture_packet *ret, int max);

/*
 * capture_skim passes over all packets of the window: what remains is what
 * capture_info says.
 * Return: as capture_next, but never 1.
 */
int capture_skim(struct capture *c);

/* capture_rest is how many bytes of the window were not used. */
size_t capture_rest(const struct capture *c);

/* capture_wants is how long a window must be at least to go on. */
size_t capture_wants(const struct capture *c);

/* capture_error: "byte 4711: block length 7 is too short", or "". */
const char *capture_error(const struct capture *c);

const struct capture_info *capture_info(const struct capture *c);

#endif
