/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/head.h -- a datagram as the judge wants it, from Wireshark's view.
 */
#ifndef DISSECTOR_HEAD_H
#define DISSECTOR_HEAD_H

#include <stdbool.h>

#include "dissector/compat.h"
#include "wire/dgram.h"

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

/*
 * head_icrc looks at the ICRC at the end of |len| bytes, ICRC_LEN at least, of
 * the data of |d|, which |tvb| holds; |dport| is the UDP port it was sent to.
 */
enum head_icrc head_icrc(const struct dgram *d, tvbuff_t *tvb, size_t len,
			 uint16_t dport);

/* head_icrc_text is "good", "bad", ...  Static storage. */
const char *head_icrc_text(enum head_icrc icrc);

/* head_data copies the UET bytes; those that were not captured are 0. */
void head_data(struct dgram *ret, tvbuff_t *tvb);

#endif
