/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/head.h -- a datagram as the judge wants it, from Wireshark's view.
 */
#ifndef DISSECTOR_HEAD_H
#define DISSECTOR_HEAD_H

#include <stdbool.h>

#include "dissector/compat.h"
#include "dissector/notes.h"
#include "wire/dgram.h"
#include "wire/packet.h"

/*
 * head_read fills in addresses, entropy, DSCP, ECN and the form, not the data.
 * The IP header is not handed to dissectors: it is looked for in the bytes
 * before |tvb|, and where it is not found ECN is that of any data packet.
 *
 * |tvb| begins with the UET bytes, or with the entropy header if |native|.
 * Return: false if the packet has no IP addresses.
 */
bool head_read(struct dgram *ret, const packet_info *pinfo, tvbuff_t *tvb,
	       bool native);

enum head_icrc {
	HEAD_ICRC_NONE, /* the capture ends before it */
	HEAD_ICRC_RIGHT,
	HEAD_ICRC_WRONG,
	HEAD_ICRC_UNKNOWN, /* the IP header, which it covers, is not there */
};

/* head_data copies the UET bytes; those that were not captured are 0. */
void head_data(struct dgram *ret, tvbuff_t *tvb);

/*
 * head_parse copies and parses a packet of d->family, which ends in an ICRC;
 * |dport| is the UDP port it was sent to.  |ret| points into |tvb|.
 */
enum head_icrc head_parse(struct dgram *d, tvbuff_t *tvb, uint16_t dport,
			  struct packet *ret);

/* head_icrc_text is "good", "bad", ...  Static storage. */
const char *head_icrc_text(enum head_icrc icrc);

/* head_note tells if it is wrong. */
void head_note(const struct noted *at, enum head_icrc icrc);

#endif
