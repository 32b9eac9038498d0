/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/track.h -- analyses each packet in the first pass.
 *
 * Wireshark dissects a packet first in the order of the file and later again,
 * in any order and as often as it likes.  On the first pass the judge follows
 * the flows; its results are kept by frame number, and every later pass only
 * reads them.
 */
#ifndef DISSECTOR_TRACK_H
#define DISSECTOR_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "dissector/compat.h"
#include "dissector/seen.h"
#include "wire/dgram.h"
#include "wire/packet.h"

/* Preferences of the analysis; times in microseconds. */
struct track_prefs {
	ws_bool on;
	guint flows;
	int complete; /* enum track_whole */
	guint rto, rto_tolerance, nack_time;
	guint max_ack_data, mp_range, mtu;
	ws_bool relative; /* PSNs of the info column count from 0 */
	guint dscp_trimmed, dscp_trimmed_lasthop; /* 0: unknown */
};

enum track_whole {
	COMPLETE_AUTO, /* complete if rung wrote the capture */
	COMPLETE_YES,
	COMPLETE_NO,
};

extern struct track_prefs track_prefs;

/* track_open and track_close bracket a capture file. */
void track_open(void);
void track_close(void);

/* track_prefs_default sets the default preferences. */
void track_prefs_default(struct track_prefs *ret);

/*
 * track_packet returns the state of a frame; on the first pass it computes it.
 * |pkt| is the packet and |d| the head of its datagram; |cut|: the capture
 * truncated it.
 *
 * Return: NULL if tracking is off, or the packet is quoted by another one.
 */
const struct seen *track_packet(const packet_info *pinfo,
				const struct packet *pkt, const struct dgram *d,
				bool cut);

/*
 * track_trimmed returns true if a DSCP is one of those declared for trimmed
 * packets.
 */
bool track_trimmed(uint8_t dscp);

/* track_frame returns the state of another frame; NULL if it has none. */
const struct seen *track_frame(uint32_t frame);

/*
 * track_rtt computes the time from the request to |s|, its answer.  Return:
 * false if the request was retransmitted.
 */
bool track_rtt(const struct seen *s, vspan *ret);

/*
 * track_response computes the time from the request's first transmission to its
 * answer.
 */
bool track_response(const struct seen *s, vspan *ret);

#endif
