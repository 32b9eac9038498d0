/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/ib_packet.h -- packets that begin with a BTH: RoCEv2, the WQE extension,
 * SRD.  wire/packet.h is for everybody; it hands packets of this family on.
 *
 * The word of a packet is the name of its opcode, and all its headers are in
 * the first part of a rung:
 *
 *	wqe_write_first psn=16 wqe_sn=7 wqe_length=2500 dmalen=2500 | data 1024
 *
 * Spec: srd_wqe.md A.4.2, B.3, B.4.2
 */
#ifndef WIRE_IB_PACKET_H
#define WIRE_IB_PACKET_H

#include "wire/packet.h"

/*
 * ib_packet_parse finds the sections.
 *
 * Shape:  |p| holds |len| bytes from the BTH, without the ICRC.
 *
 * Faults: PACKET_SHORT; PACKET_TYPE an opcode that has no name, behind whose
 * BTH nothing is known.  The entries of a retransmission indication are its
 * payload.
 */
void ib_packet_parse(struct packet *ret, const uint8_t *p, size_t len);

/* ib_packet_pad is how many bytes of the payload bth.pad takes away. */
size_t ib_packet_pad(const struct packet *pkt);

/*
 * ib_packet_listed calls back for each PSN that a retransmission indication
 * asks for, in the order of its list or bitmap, as far as both its count and
 * its bytes go.  Of other packets, and in a form that is not known: none.
 */
void ib_packet_listed(const struct packet *pkt,
		      void (*see)(void *arg, uint32_t psn), void *arg);

/* ib_packet_word is the opcode's name, or "unknown". */
const char *ib_packet_word(const struct packet *pkt);
bool ib_packet_is_word(const char *word);

/* ib_packet_has is packet_layout_has for this family. */
bool ib_packet_has(const char *word, const char *name, size_t len,
		   const struct field **ret);

/*
 * ib_packet_build is packet_build for this family.  Unless a set names it, pad
 * is what fills the payload up to 4 bytes; so many zeroes follow the payload
 * either way.
 */
int ib_packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		    int *ret_bad);

#endif
