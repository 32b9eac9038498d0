/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds.h -- the packet delivery sublayer of one FEP.
 *
 * This floor models a UET endpoint as machines that a driver pushes and polls
 * (oracle.h).  From the wire upwards:
 *
 *    pds_rx.c         finds the PDC of a packet; NACKs without a PDC
 *    pds.c            opens and closes PDCs; the order of sending
 *    pds_table.c      which PDCs and peers exist
 *    pds_cp.c         control packets on request
 *    pds_limit.c      resource limits, and their NACKs
 *    pds_late.c       SYNs of closed PDCs
 *    pdc.c            one PDC: states, control packets
 *      pdc_src.c      its sending half: PSN, requests
 *        src_window.c what may be sent next;  src_clear.c: CLEAR_PSN
 *        src_ack.c    what an ACK tells;  src_repair.c: RTO and NACK
 *        inflight.c   packets without a response, and their due times
 *        nack.c       the source's reaction to each NACK code
 *      pdc_dst.c      its receiving half: exactly once
 *        dst_ack.c    ACKs;  dst_rsp.c: responses, stored or not
 *        rcvd.c       received PSNs, CACK_PSN, SACK bitmap
 *      cc.c           congestion control fields of both halves
 *    rudi.c           idempotent requests, without a PDC
 *    uud.c            datagrams, without state
 *    pds_tx.c         the calls of the SES;  pds_ses.h: the calls of the PDS
 *    ses/initiator/   the SES of an initiator: messages to packets
 *    ses/target/      the SES of a target: packets to messages, responses
 *      ses_hdr.c      SES headers;  ses_buf.c: memory to read and to write
 *      amo.c          atomic operations
 *    orc.c            the endpoint, for family.h
 *    mem.c timers.c idmap.c outq.c env.c: used by all of them
 *
 * Ownership is a tree: the endpoint holds the PDS and the SES, the PDS its
 * PDCs, a PDC its packets.  Packets are copied where they enter a slot and
 * where poll_tx builds a datagram; in between they are lent.
 *
 * Not implemented: the algorithms of congestion control (a window is a
 * setting); TSS and sending NEW_START_PSN; NO_RESPONSE followed by a later
 * response.
 *
 * Spec: UET 3.5 (uet.md 2 to 4, 6 to 9), 3.4.2 (uet.md 5)
 */
#ifndef ORACLE_UET_PDS_PDS_H
#define ORACLE_UET_PDS_PDS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pds/pds_state.h"

/* pds_init starts without PDCs; |ses| is lent. */
void pds_init(struct pds *pds, struct env *env, const struct pds_ses *ses);

/*
 * pds_reset ends all PDCs silently and starts again as pds_init would, with the
 * same memory; pds_free frees it.
 */
void pds_reset(struct pds *pds);
void pds_free(struct pds *pds);

/* pds_open makes a PDC of that mode to a peer; NULL if there is no room. */
struct pdc *pds_open(struct pds *pds, bool rod, uint32_t fep);

/* pds_accept makes the PDC that a SYN opens; NULL if there is no room. */
struct pdc *pds_accept(struct pds *pds, uint32_t fep, const struct pds_rx *rx);

/*
 * pds_starve pauses all PDCs of the SES: a packet waits for a PDC.  The next
 * pds_close ends the pause.
 */
void pds_starve(struct pds *pds);

/* pds_close frees a PDC; its memory is kept for the next one. */
void pds_close(struct pds *pds, struct pdc *pdc);

/*
 * pds_ask_close requests a peer to close the PDCs that it made.
 *
 * Return: 0; ERR_STATE: there is none.
 */
int pds_ask_close(struct pds *pds, const struct ip_addr *peer,
		  enum op_close how);

/* pds_ask_for_room requests the close of one PDC, to make room for the next. */
void pds_ask_for_room(struct pds *pds);

/*
 * pds_poll writes the next datagram of the ready PDCs.  Return: false if there
 * is none.
 */
bool pds_poll(struct pds *pds, struct dgram *ret);

/*
 * pds_expect_turn prefetches the PDC that sends next.  pds_expect_next_turn
 * follows after a while: it prefetches the packet of that PDC, and the PDC that
 * sends after it.
 */
void pds_expect_turn(const struct pds *pds);
void pds_expect_next_turn(const struct pds *pds);

#endif
