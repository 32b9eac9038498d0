/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses.h -- a small semantic sublayer: enough to drive the PDS.
 *
 * As an initiator (initiator/) it cuts sends, writes and reads into packets,
 * one message after the other for each peer, and assembles read data.  As a
 * target (target/) it assembles messages, answers each packet by the rules or a
 * struct ses_policy, and returns read data: in the ACK if the message fits
 * Max_ACK_Data_Size, else as packets in the return direction.
 *
 * In RUDI and UUD packets are independent: the target assembles no messages, a
 * RUDI response carries all data that its packet requests, and a datagram gets
 * no response.  Only idempotent operations use RUDI; the PDS cannot tell them
 * apart.
 *
 * Spec: UET 3.4.2, 3.4.4 (uet.md 5, 7.5)
 */
#ifndef ORACLE_UET_SES_SES_H
#define ORACLE_UET_SES_SES_H

#include "oracle/uet/ses/ses_state.h"

/* The functions of table 3-27 that a PDS below this SES calls. */
extern const struct pds_ses_calls ses_calls;

/* ses_init starts with no messages; |env| and |pds| are lent. */
void ses_init(struct ses *ses, struct env *env, struct pds *pds);

/* ses_reset forgets everything and keeps memory; ses_free frees it. */
void ses_reset(struct ses *ses);
void ses_free(struct ses *ses);

/* ses_post executes an operation; the errors are those of orc_api.post. */
int ses_post(struct ses *ses, const struct orc_op *op);

/* ses_expect_tables prefetches the messages and regions of few peers. */
void ses_expect_tables(const struct ses *ses);

/*
 * ses_expect_write prefetches where a packet of a write is stored, if one
 * region is exposed.
 */
void ses_expect_write(const struct ses *ses, const struct dgram *d);

/* ses_expect_answer prefetches the message of a packet that was sent. */
void ses_expect_answer(const struct ses *ses, uint32_t tx_pkt_handle);

/* ses_expect prefetches for an operation to that peer. */
void ses_expect(const struct ses *ses, const struct ip_addr *peer);

/* ses_fire sends a delayed response. */
void ses_fire(struct ses *ses, struct timer *timer);

#endif
