/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/frame_build.h -- frames from datagrams, and checksums of frames.
 *
 * frame_build makes frames for the capture files and for raw ports: DF set, IP
 * id 0, UDP checksum 0 unless the datagram says otherwise.
 *
 * Spec: UET 3.5.10.1 (uet.md 1.1 to 1.4); RFC 791, 8200, 768; IEEE 802.1Q
 */
#ifndef WIRE_FRAME_FRAME_BUILD_H
#define WIRE_FRAME_FRAME_BUILD_H

#include "wire/frame/frame.h"

/*
 * frame_mend updates the checksums of a frame whose bytes changed after
 * frame_find returned FRAME_OK: the IPv4 checksum, and the UDP checksum unless
 * it is 0 (no checksum) or the frame is truncated.
 */
void frame_mend(const struct frame_info *info, uint8_t *p);

/*
 * frame_build writes the IP packet (FRAME_RAW_IP) or the Ethernet frame with
 * locally administered addresses made from the IP addresses (FRAME_ETHERNET).
 *
 * Return: the length; ERR_SPACE; ERR_VALUE: the address lengths differ.
 */
int frame_build(const struct frame_conf *conf, enum frame_link link,
		const struct dgram *d, uint8_t *p, size_t size);

/*
 * frame_checksum returns the Internet checksum of |len| bytes, added to |sum|:
 * 0, or the frame_sum of an even number of other bytes.  The result is 0 over
 * bytes that include their correct checksum.
 *
 * Spec: RFC 1071
 */
uint16_t frame_checksum(uint32_t sum, const uint8_t *p, size_t len);
uint32_t frame_sum(uint32_t sum, const uint8_t *p, size_t len);

/*
 * frame_wrap puts a datagram into the headers of another frame: the |head_len|
 * bytes before its UET bytes (frame_info.at).  It writes the fields that the
 * datagram defines (addresses, DSCP, ECN, entropy, lengths) and keeps the
 * others.  For a datagram of the opposite direction it swaps the MAC addresses.
 *
 * Return: the length; ERR_SPACE; ERR_VALUE: the headers are malformed.
 */
int frame_wrap(const struct frame_conf *conf, enum frame_link link,
	       const uint8_t *head, size_t head_len, const struct dgram *d,
	       uint8_t *p, size_t size);

#endif
