/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/uud.h -- unreliable datagrams: sent once, delivered if they
 * arrive, never answered.  There is no state at either end.
 *
 * Spec: UET 3.5.7.4, 3.5.10.12 (uet.md 3.12, 7.8)
 */
#ifndef ORACLE_UET_UUD_H
#define ORACLE_UET_UUD_H

#include <stddef.h>

#include "oracle/core/env.h"
#include "oracle/uet/pds_ses.h"
#include "wire/dgram.h"

/*
 * uud_send sends a packet of the SES to |dst| and forgets it.
 *
 * Return: 0; ERR_NOMEM.
 */
int uud_send(struct env *env, const struct ip_addr *dst,
	     const struct ses_tx *tx);

/* uud_rx processes a datagram; |len| is its length without the CRC. */
void uud_rx(struct env *env, const struct pds_ses *ses, const struct dgram *d,
	    size_t len);

#endif
