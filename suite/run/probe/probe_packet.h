/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_packet.h -- finds packets in the record of a stimulus.
 */
#ifndef SUITE_RUN_PROBE_PROBE_PACKET_H
#define SUITE_RUN_PROBE_PROBE_PACKET_H

#include "suite/verdict/record.h"
#include "wire/packet.h"

/* probe_is_word returns whether a packet has this word: "rud_req". */
bool probe_is_word(const struct packet *pkt, const char *word);

/* probe_is_ack returns whether a packet is an ACK, ACK_CC or ACK_CCX. */
bool probe_is_ack(const struct packet *pkt);

/*
 * probe_any_packet_at returns whether entry |i| of a record is a packet in this
 * direction, and the packet in *ret; probe_packet_at ignores the packets of the
 * opening.
 */
bool probe_any_packet_at(const struct record *r, size_t i, enum rec_kind kind,
			 struct packet *ret);
bool probe_packet_at(const struct record *r, size_t i, enum rec_kind kind,
		     struct packet *ret);

/*
 * probe_ack_of returns the first ACK that the device sent for |psn| after entry
 * |from|, or NULL; the packet is in *ret.
 */
const struct rec *probe_ack_of(const struct record *r, size_t from,
			       uint64_t psn, struct packet *ret);

/* probe_repeats returns whether a request with |psn| was sent between two
 * entries. */
bool probe_repeats(const struct record *r, size_t from, const struct rec *until,
		   uint64_t psn);

/*
 * probe_crc returns whether a packet of the device ends in a CRC that the link
 * did not remove, and its byte order in *ret_be.
 */
bool probe_crc(const struct record *r, bool *ret_be);

#endif
