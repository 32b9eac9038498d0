/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib/ib_packet.h -- packets that begin with a BTH: RoCEv2, the WQE
 *extension, SRD.  They are a format of wire/packet.h.
 *
 * The word of a packet is the name of its opcode, and all its headers are in
 * the first part of a rung:
 *
 *	wqe_write_first psn=16 wqe_sn=7 wqe_length=2500 dmalen=2500 | data 1024
 *
 * Spec: srd_wqe.md A.4.2, B.3, B.4.2
 */
#ifndef WIRE_IB_IB_PACKET_H
#define WIRE_IB_IB_PACKET_H

#include "wire/packet.h"

/* The format of packets that begin with a BTH. */
extern const struct packet_format ib_format;

/*
 * ib_packet_parse finds the sections.
 *
 * Shape:  |p| holds |len| bytes from the BTH, without the ICRC.
 *
 * Faults: PACKET_SHORT; PACKET_TYPE: an opcode without a name, so that the
 * headers after the BTH are unknown.  The entries of a retransmission
 * indication are its payload.
 */
void ib_packet_parse(struct packet *ret, const uint8_t *p, size_t len);

/*
 * ib_packet_pad returns the number of padding bytes at the end of the payload,
 * from bth.pad.
 */
size_t ib_packet_pad(const struct packet *pkt);

/*
 * ib_packet_listed calls |see| for each PSN that a retransmission indication
 * requests, in the order of its list or bitmap, up to the end of its count or
 * its bytes.  Other packets, and unknown forms, list none.
 */
void ib_packet_listed(const struct packet *pkt,
		      void (*see)(void *arg, uint32_t psn), void *arg);

/* ib_packet_word returns the opcode's name, or "unknown". */
const char *ib_packet_word(const struct packet *pkt);
bool ib_packet_is_word(const char *word);

/* ib_packet_opcode returns the opcode with that name; -1: there is none. */
int ib_packet_opcode(const char *word);

/*
 * ib_packet_has does the same as packet_layout_has for this format, which has
 * no SES side.
 */
bool ib_packet_has(const char *word, const char *ses_word, bool ses,
		   const char *name, size_t len, const struct field **ret);

/*
 * ib_packet_build does the same as packet_build for this format.  Unless a set
 * names pad, it rounds the payload up to a multiple of 4 bytes.  That many zero
 * bytes follow the payload.
 */
int ib_packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		    int *ret_bad);

#endif
