/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uud.h -- unreliable datagrams: sent once, delivered if they arrive,
 * never answered.  There is no state at either end.
 *
 * Spec: UET 3.5.7.4, 3.5.10.12 (uet.md 3.12, 7.8)
 */
#ifndef ORACLE_UUD_H
#define ORACLE_UUD_H

#include <stddef.h>

#include "oracle/pds_ses.h"
#include "wire/dgram.h"

/*
 * uud_send sends a packet of the SES and forgets it.
 * Return: 0; ERR_NOMEM.
 */
int uud_send(struct pds *pds, const struct ses_tx *tx);

/* uud_rx takes a datagram; |len| bytes of it, without the CRC. */
void uud_rx(struct pds *pds, const struct dgram *d, size_t len);

#endif
