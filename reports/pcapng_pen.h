/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/pcapng_pen.h -- capture files, block by block.
 *
 * The bytes are appended to a text, which the caller may write out and clear
 * between two calls.  Blocks are in this machine's byte order, as the formats
 * allow; times are in nanoseconds.
 *
 * Spec: draft-ietf-opsawg-pcapng 4.1 to 4.5, draft-ietf-opsawg-pcap 4 and 5
 */
#ifndef REPORTS_PCAPNG_PEN_H
#define REPORTS_PCAPNG_PEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "wire/addr.h"
#include "wire/capture.h"
#include "wire/frame.h"

struct pcapng_pen {
	struct text *t;
	size_t block; /* where the open block starts */
};

/* pcapng_section begins the file; |comments| end with NULL, |tool| wrote it. */
void pcapng_section(struct pcapng_pen *w, const char *const *comments,
		    const char *tool);

/* pcapng_interface tells of the next interface; they count from 0. */
void pcapng_interface(struct pcapng_pen *w, enum frame_link link,
		      const char *name, const char *about);

/* pcapng_names_open, _add and _close give addresses names; an address that is
 * none is passed over. */
void pcapng_names_open(struct pcapng_pen *w);
void pcapng_names_add(struct pcapng_pen *w, const struct ip_addr *a,
		      const char *name);
void pcapng_names_close(struct pcapng_pen *w);

/* A packet of |len| bytes at |p|, |at| ns since 1970. */
struct pcapng_packet {
	uint32_t iface;
	uint64_t at;
	const uint8_t *p;
	size_t len;
	enum capture_direction direction; /* 0: not told */
};

/* pcapng_packet_open and _close stand around its comments. */
void pcapng_packet_open(struct pcapng_pen *w, const struct pcapng_packet *p);
void pcapng_comment(struct pcapng_pen *w, const char *s);
void pcapng_packet_close(struct pcapng_pen *w, const struct pcapng_packet *p);

/* pcap_head begins a file of the older format, pcap_packet appends to it. */
void pcap_head(struct text *t, enum frame_link link);
void pcap_packet(struct text *t, uint64_t at, const uint8_t *p, size_t len);

#endif
