/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_read.h -- parses the headers of a packet into a pkt_ctx.
 */
#ifndef JUDGE_UET_PKT_READ_H
#define JUDGE_UET_PKT_READ_H

#include "judge/uet/pkt_ctx.h"

/*
 * pkt_read parses the PDS header.
 * Return: false if no flow has packets of this type, or the packet ends inside
 *         its PDS header.
 */
bool pkt_read(struct pkt_ctx *l, const struct judge_packet *in);

/*
 * pkt_pds_len returns the length of the PDS header of a type in bytes; 0: no
 * monitor checks packets of that type.
 */
size_t pkt_pds_len(enum pds_type type);

/*
 * pkt_ses_len returns the length of the SES header that next_hdr announces, or
 * 0.
 */
size_t pkt_ses_len(uint8_t next_hdr);

#endif
