/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/head.h -- a datagram as the judge wants it, from Wireshark's view.
 */
#ifndef DISSECTOR_HEAD_H
#define DISSECTOR_HEAD_H

#include <stdbool.h>

#include "dissector/compat.h"
#include "wire/dgram.h"
#include "wire/icrc.h"

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

/*
 * head_ip finds in the IP header what an ICRC covers beside what |d| has.
 * Return: false if there is no IP header in the bytes before |tvb|.
 */
bool head_ip(struct icrc_ip *ret, const struct dgram *d, tvbuff_t *tvb);

/* head_data copies the UET bytes; those that were not captured are 0. */
void head_data(struct dgram *ret, tvbuff_t *tvb);

#endif
