/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_rendezvous.h -- rendezvous sends: the eager part
 * goes with the request, and the target reads the body.
 */
#ifndef ORACLE_UET_SES_INITIATOR_TX_RENDEZVOUS_H
#define ORACLE_UET_SES_INITIATOR_TX_RENDEZVOUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/*
 * tx_make_rendezvous lets the target read a message, and divides it: at most
 * |eager| bytes go with the request.  Return: false if there is no memory.
 */
bool tx_make_rendezvous(struct ses *ses, struct tx_msg *msg, uint32_t eager);

/* tx_pushed returns how many bytes of a message its own packets carry. */
uint32_t tx_pushed(const struct tx_msg *msg);

/* tx_put_rendezvous writes the extension and returns its length. */
size_t tx_put_rendezvous(const struct ses *ses, const struct tx_msg *msg,
			 uint8_t *p);

/* tx_body_was_read counts bytes that a target has read of a rendezvous. */
void tx_body_was_read(struct ses *ses, const struct ses_req *read,
		      uint32_t len);

/*
 * tx_end_body reports a rendezvous as received when its body was read, and
 * frees it.
 */
void tx_end_body(struct ses *ses, struct tx_msg *msg);

/* tx_drop_bodies frees the bodies that are being read. */
void tx_drop_bodies(struct ses *ses);

#endif
