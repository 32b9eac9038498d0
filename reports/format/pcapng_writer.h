/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/pcapng_writer.h -- writes capture files block by block.
 *
 * The bytes are appended to a text, which the caller may write out and clear
 * between two calls.  Blocks are in this machine's byte order, as the formats
 * allow; times are in nanoseconds.
 *
 * Spec: draft-ietf-opsawg-pcapng 4.1 to 4.5, draft-ietf-opsawg-pcap 4 and 5
 */
#ifndef REPORTS_FORMAT_PCAPNG_WRITER_H
#define REPORTS_FORMAT_PCAPNG_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "wire/addr.h"
#include "wire/frame/capture.h"
#include "wire/frame/frame.h"

struct pcapng_writer {
	struct text *t;
	size_t block; /* offset of the open block */
};

/*
 * pcapng_section begins the file; |comments| end with NULL, |tool| names the
 * writer.
 */
void pcapng_section(struct pcapng_writer *w, const char *const *comments,
		    const char *tool);

/* pcapng_interface describes the next interface; they count from 0. */
void pcapng_interface(struct pcapng_writer *w, enum frame_link link,
		      const char *name, const char *about);

/*
 * pcapng_names_open, _add and _close write names of addresses; an invalid
 * address is skipped.
 */
void pcapng_names_open(struct pcapng_writer *w);
void pcapng_names_add(struct pcapng_writer *w, const struct ip_addr *a,
		      const char *name);
void pcapng_names_close(struct pcapng_writer *w);

/* A packet of |len| bytes at |p|, |at| ns since 1970. */
struct pcapng_packet {
	uint32_t iface;
	uint64_t at;
	const uint8_t *p;
	size_t len;
	enum capture_direction direction; /* 0: not recorded */
};

/* pcapng_packet_open and _close bracket the packet's comments. */
void pcapng_packet_open(struct pcapng_writer *w, const struct pcapng_packet *p);
void pcapng_comment(struct pcapng_writer *w, const char *s);
void pcapng_packet_close(struct pcapng_writer *w,
			 const struct pcapng_packet *p);

/* pcap_head begins a file of the older format, pcap_packet appends to it. */
void pcap_head(struct text *t, enum frame_link link);
void pcap_packet(struct text *t, uint64_t at, const uint8_t *p, size_t len);

#endif
