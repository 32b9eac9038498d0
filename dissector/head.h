/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/head.h -- makes the judge's datagram from Wireshark's packet.
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
 * Dissectors do not get the IP header, so it is searched in the bytes before
 * |tvb|.  If it is not found, ECN is that of a common data packet.
 *
 * |tvb| begins with the UET bytes, or with the entropy header if |native|.
 *
 * Return: false if the packet has no IP addresses.
 */
bool head_read(struct dgram *ret, const packet_info *pinfo, tvbuff_t *tvb,
	       bool native);

enum head_icrc {
	HEAD_ICRC_NONE, /* the capture truncated it */
	HEAD_ICRC_RIGHT,
	HEAD_ICRC_WRONG,
	HEAD_ICRC_UNKNOWN, /* the IP header, which it covers, was not found */
};

/* head_data copies the UET bytes; bytes that were not captured are 0. */
void head_data(struct dgram *ret, tvbuff_t *tvb);

/*
 * head_parse copies and parses a packet of d->family, which ends in an ICRC;
 * |dport| is its UDP destination port.  |ret| points into |tvb|.
 */
enum head_icrc head_parse(struct dgram *d, tvbuff_t *tvb, uint16_t dport,
			  struct packet *ret);

/* head_icrc_text returns "good", "bad", ...  Static storage. */
const char *head_icrc_text(enum head_icrc icrc);

/* head_note adds an expert info if the ICRC is wrong. */
void head_note(const struct noted *at, enum head_icrc icrc);

#endif
