/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_read.h -- the headers of a packet, read into a pkt_ctx.
 */
#ifndef JUDGE_UET_PKT_READ_H
#define JUDGE_UET_PKT_READ_H

#include "judge/uet/pkt_ctx.h"

/*
 * pkt_read takes the PDS header apart.
 * Return: false if the packet is none that flows are made of, or is cut inside
 *         its PDS header.
 */
bool pkt_read(struct pkt_ctx *l, const struct judge_packet *in);

/* pkt_pds_len returns the length of the PDS header of a type in bytes; 0: no
 * monitor looks at packets of that type. */
size_t pkt_pds_len(enum pds_type type);

/* pkt_ses_len is the length of the SES header that next_hdr names; or 0. */
size_t pkt_ses_len(uint8_t next_hdr);

#endif
