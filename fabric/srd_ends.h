/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fabric/srd_ends.h -- prepares endpoints of SRD: a queue pair for each, and an
 * address handle for each flow.
 */
#ifndef FABRIC_SRD_ENDS_H
#define FABRIC_SRD_ENDS_H

#include "oracle/oracle.h"

/*
 * srd_end_open makes a queue pair for |depth| sends, ready to send and to
 * receive.
 *
 * Return: 0; an error of orc->post.
 */
int srd_end_open(const struct orc_api *api, struct orc *o, uint32_t depth,
		 uint32_t *ret_qpn);

/* srd_end_refill posts |count| receive WQEs of |len| bytes. */
int srd_end_refill(const struct orc_api *api, struct orc *o, uint32_t qpn,
		   uint32_t count, uint32_t len, vtime now);

/* srd_end_handle makes an address handle for |peer|. */
int srd_end_handle(const struct orc_api *api, struct orc *o,
		   const struct ip_addr *peer, vtime now, uint32_t *ret_ah);

/* srd_end_send fills the send of a message to a queue pair of an endpoint. */
void srd_end_send(struct orc_op *op, uint32_t qpn, uint32_t ah,
		  uint32_t dest_qp);

#endif
