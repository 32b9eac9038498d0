/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds.h -- the packet delivery sublayer of one FEP.
 *
 * This floor models a UET endpoint as machines that a driver pushes and polls
 * (oracle.h).  From the wire upwards:
 *
 *   pds_rx.c        finds the PDC of a packet; NACKs without a PDC; trimmed
 *     packets
 *    pds.c           the PDC table; the order of sending
 *    pds_cp.c        control packets on request
 *    pds_limit.c     resource limits, and their NACKs
 *    pds_late.c      SYNs of closed PDCs
 *    pdc.c           one PDC: identity, states, control packets
 *      pdc_src.c     its sending half: PSN, RTO, NACK, CLEAR_PSN
 *        inflight.c  packets without a response, and their due times
 *        nack.c      the source's reaction to each NACK code
 *      pdc_dst.c     its receiving half: exactly once, ACK, stored responses
 *        rcvd.c      received PSNs, CACK_PSN, SACK bitmap
 *      cc.c          congestion control fields of both halves
 *    rudi.c          idempotent requests, without a PDC
 *    uud.c           datagrams, without state
 *    pds_ses.h       table 3-27, the interface between the sublayers
 *    ses_tx.c        the SES of an initiator: messages to packets
 *    ses_moved.c     messages that move to other PSNs or another PDC
 *    ses_rx.c        the SES of a target: packets to messages, responses
 *      ses_hdr.c     SES headers;  ses_buf.c: memory to read and to write
 *      amo.c         atomic operations
 *    orc.c           the endpoint, for family.h
 *    mem.c timers.c idmap.c outq.c env.c: used by all of them
 *
 * Ownership is a tree: the endpoint holds the PDS and the SES, the PDS its
 * PDCs, a PDC its packets.  Packets are copied where they enter a slot and
 * where poll_tx builds a datagram; in between they are lent.
 *
 * Not implemented: the algorithms of congestion control (a window is a
 * setting); TSS and sending NEW_START_PSN; NO_RESPONSE followed by a later
 * response; rendezvous, tagged and deferrable sends.
 *
 * Spec: UET 3.5 (uet.md 2 to 4, 6 to 9), 3.4.2 (uet.md 5)
 */
#ifndef ORACLE_UET_PDS_PDS_H
#define ORACLE_UET_PDS_PDS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/core/idmap.h"
#include "oracle/uet/pds/pdc.h"
#include "oracle/uet/rudi.h"

/* Default limit of PDCs at once; implementation specific (uet.md 6.1). */
#define PDS_MAX_PDC 1024

struct pdc_slab;
struct pds_late;

struct pds {
	struct env *env;
	struct ses *ses;

	/* Known peers by number (pds_fep). */
	struct ip_addr *addrs;
	/* PDCs on which this endpoint is the initiator; or NULL */
	struct pdc **first;
	size_t addr_cap, first_cap;
	uint32_t nfeps;
	struct idmap fep_by_addr;

	struct pdc_slab **slabs; /* PDCs by index; see pds_at */
	size_t slab_cap;
	uint32_t npdcs; /* indexes in use since make or reset */
	uint32_t nmade; /* free PDCs, closed longest ago first */
	uint16_t pdcid_base;
	struct pdc *free_first, *free_last; /* the longest at rest first */
	struct idmap by_peer;    /* fep << 16 | the peer's PDCID -> index */
	struct idmap by_context; /* fep << 16 | rod_context -> PDCID */

	struct rudi rudi;
	bool rudi_turn; /* RUDI was polled before the PDCs last time */

	struct pds_late *late; /* lately closed PDCs, the oldest first */
	size_t late_cap, late_first, late_n;

	bool starved;      /* a packet of the SES is waiting for a PDC */
	struct pdc *ready; /* ring of PDCs that are ready to send */
	uint32_t victim;   /* the next PDC to be asked for a close */
};

void pds_init(struct pds *pds, struct env *env, struct ses *ses);

/*
 * pds_reset ends all PDCs silently and starts again as pds_init would, with the
 * same memory; pds_free frees it.
 */
void pds_reset(struct pds *pds);
void pds_free(struct pds *pds);

/*
 * pds_fep returns the number of the peer with that address.
 *
 * Return: 0 and *ret; ERR_NOMEM.
 */
int pds_fep(struct pds *pds, const struct ip_addr *addr, uint32_t *ret);

/* pds_at returns the PDC at an index, in use or not. */
struct pdc *pds_at(const struct pds *pds, uint32_t index);

/* pds_pdc finds a PDC by this endpoint's PDCID; NULL if there is none. */
struct pdc *pds_pdc(const struct pds *pds, uint16_t pdcid);

/*
 * pds_of_peer finds a PDC by {source IP, the peer's PDCID}; NULL if there is
 * none.
 */
struct pdc *pds_of_peer(const struct pds *pds, uint32_t fep, uint16_t pdcid);

/* pds_accept makes the PDC that a SYN opens; NULL if there is no room. */
struct pdc *pds_accept(struct pds *pds, uint32_t fep, const struct pds_rx *rx);

/*
 * pds_ask_close requests a peer to close the PDCs that it made.
 *
 * Return: 0; ERR_STATE: there is none.
 */
int pds_ask_close(struct pds *pds, const struct ip_addr *peer,
		  enum op_close how);

/*
 * pds_send_cp sends a control packet on request (pds_cp.c).  As a source it
 * uses a PDC that this endpoint made to |peer|, or one that the peer made if
 * there is no other; NOOP and Negotiation open one.
 *
 * Errors:
 * - ERR_STATE there is no PDC for it
 * - ERR_VALUE
 * - ERR_SPACE
 * - ERR_NOMEM
 * - ERR_SUPPORT it is not sent on request
 */
int pds_send_cp(struct pds *pds, const struct ip_addr *peer, bool rod,
		const struct op_cp *cp);

/* pds_open makes a PDC of that mode to a peer; NULL if there is no room. */
struct pdc *pds_open(struct pds *pds, bool rod, uint32_t fep);

/*
 * The exhausted resource (pds_limit.c): returns the NACK code for a SYN of that
 * peer, or for a request of a PDC; 0 if there is none.
 */
uint8_t pds_short_for_syn(const struct pds *pds, uint32_t fep);
uint8_t pds_short_for_req(const struct pds *pds);

/* pds_short_of_ccc returns true if a PDC of our own has to wait for a CCC. */
bool pds_short_of_ccc(const struct pds *pds);

/*
 * Syn_Retx_Safety_Time (pds_late.c): pds_late_note remembers a target's closed
 * PDC; pds_is_late returns true for a SYN of such a PDC.
 */
void pds_late_note(struct pds *pds, const struct pdc *pdc);
bool pds_is_late(struct pds *pds, uint32_t fep, const struct pds_rx *rx);

/* pds_ask_for_room requests the close of one PDC, to make room for the next. */
void pds_ask_for_room(struct pds *pds);

/*
 * These prefetch: pds_expect_rx the PDC of a datagram.  Before a packet is sent
 * to a peer, three steps with time in between prefetch the slot of the peer's
 * number, the slot of its PDC, and the PDC.
 *
 * pds_expect_fep returns true if the peer is known, and its number.
 */
void pds_expect_rx(const struct pds *pds, const struct dgram *d);
void pds_expect_peer(const struct pds *pds, const struct ip_addr *addr);
bool pds_expect_fep(const struct pds *pds, const struct ip_addr *addr,
		    uint32_t *ret_fep);
void pds_expect_tx(const struct pds *pds, const struct ip_addr *addr);

/*
 * pds_trimmed returns the NACK code for a datagram that a switch has trimmed,
 * by its DSCP; 0 if it is not trimmed.
 */
uint8_t pds_trimmed(const struct pds *pds, const struct dgram *d);

/* pds_rx processes a datagram; |len| is its length without the CRC. */
void pds_rx(struct pds *pds, const struct dgram *d, size_t len);

/*
 * pds_poll writes the next datagram of the ready PDCs.  Return: false if there
 * is none.
 */
bool pds_poll(struct pds *pds, struct dgram *ret);

/* pds_close frees a PDC; its memory is kept for the next one. */
void pds_close(struct pds *pds, struct pdc *pdc);

/* pds_bind makes a PDC findable by {source IP, the peer's PDCID}. */
bool pds_bind(struct pds *pds, struct pdc *pdc);

/*
 * pds_nack answers a packet with a NACK.  If |pdc| is NULL, the NACK has spdcid
 * 0.
 */
void pds_nack(struct pds *pds, const struct pdc *pdc, const struct pds_rx *rx,
	      uint8_t code);

/* pds_ready adds a PDC to the ready list or removes it. */
void pds_ready(struct pds *pds, struct pdc *pdc, bool ready);

#endif
