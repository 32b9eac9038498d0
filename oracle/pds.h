/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/pds.h -- the packet delivery sublayer of one FEP.
 *
 * This floor models a UET endpoint as machines that a driver pushes and polls
 * (oracle.h).  From the wire upwards:
 *
 *	pds_rx.c        whose packet is this; NACKs without a PDC; trimmed ones
 *	pds.c           the PDC table; whose turn it is to send
 *	pds_cp.c        control packets that are asked for
 *	pds_limit.c     what may run short, and the NACK that says so
 *	pds_late.c      SYNs of PDCs that are closed
 *	pdc.c           one PDC: identity, life, control packets
 *	  pdc_src.c     its sending half: PSN, RTO, NACK, CLEAR_PSN
 *	    inflight.c  packets without a response, and when they are due
 *	    nack.c      what each NACK code asks of a source
 *	  pdc_dst.c     its receiving half: exactly once, ACK, stored responses
 *	    rcvd.c      which PSNs were received, CACK_PSN, SACK bitmap
 *	  cc.c          what both halves tell and ask for congestion control
 *	rudi.c          idempotent requests, without a PDC
 *	uud.c           datagrams, without anything
 *	pds_ses.h       table 3-27, the line between the sublayers
 *	ses_tx.c        the SES of an initiator: messages to packets
 *	ses_moved.c     messages that go on elsewhere: other PSNs, another PDC
 *	ses_rx.c        the SES of a target: packets to messages, responses
 *	  ses_hdr.c     SES headers;  ses_buf.c: memory to read and to write
 *	  amo.c         what atomics compute
 *	orc.c           the endpoint, as family.h has it
 *	mem.c timers.c idmap.c outq.c env.c: what all of them stand on
 *
 * Ownership is a tree: the endpoint holds the PDS and the SES, the PDS its
 *PDCs, a PDC its packets.  Packets are copied where they enter a slot and where
 * poll_tx builds a datagram; in between they are lent.
 *
 * What it does not do yet: the algorithms of congestion control (a window is a
 * setting); TSS and NEW_START_PSN; NO_RESPONSE followed by a later response;
 * rendezvous, tagged and deferrable sends.
 *
 * Spec: UET 3.5 (uet.md 2 to 4, 6 to 9), 3.4.2 (uet.md 5)
 */
#ifndef ORACLE_PDS_H
#define ORACLE_PDS_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/idmap.h"
#include "oracle/pdc.h"
#include "oracle/rudi.h"

/* PDCs at once unless configured; implementation specific (uet.md 6.1). */
#define PDS_MAX_PDC 1024

struct pdc_slab;
struct pds_late;

struct pds {
	struct env *env;
	struct ses *ses;

	/* Peers that were ever heard of or sent to, by number (pds_fep). */
	struct ip_addr *addrs;
	struct pdc **first; /* where this endpoint is the initiator; or NULL */
	size_t addr_cap, first_cap;
	uint32_t nfeps;
	struct idmap fep_by_addr;

	struct pdc_slab **slabs; /* PDCs by index; see pds_at */
	size_t slab_cap;
	uint32_t npdcs; /* indexes in use since make or reset */
	uint32_t nmade; /* PDCs that have memory; at least npdcs */
	uint16_t pdcid_base;
	struct pdc *free_first, *free_last; /* the longest at rest first */
	struct idmap by_peer;    /* fep << 16 | the peer's PDCID -> index */
	struct idmap by_context; /* fep << 16 | rod_context -> PDCID */

	struct rudi rudi;
	bool rudi_turn; /* it was asked before the PDCs, the last time */

	struct pds_late *late; /* closed lately, the oldest first */
	size_t late_cap, late_first, late_n;

	bool starved;      /* a packet of the SES waits for a PDC */
	struct pdc *ready; /* ring of PDCs with something to send */
	uint32_t victim;   /* whom to ask next for a close */
};

void pds_init(struct pds *pds, struct env *env, struct ses *ses);

/*
 * pds_reset ends all PDCs without a word and starts again as pds_init would,
 * with the memory that there is; pds_free gives it back.
 */
void pds_reset(struct pds *pds);
void pds_free(struct pds *pds);

/*
 * pds_fep is the number of the peer with that address.
 * Return: 0 and *ret; ERR_NOMEM.
 */
int pds_fep(struct pds *pds, const struct ip_addr *addr, uint32_t *ret);

/* pds_at is the PDC at an index, in use or not. */
struct pdc *pds_at(const struct pds *pds, uint32_t index);

/* pds_pdc finds a PDC by this endpoint's PDCID; NULL: there is none. */
struct pdc *pds_pdc(const struct pds *pds, uint16_t pdcid);

/* pds_of_peer finds a PDC by {source IP, the peer's PDCID}; NULL: none. */
struct pdc *pds_of_peer(const struct pds *pds, uint32_t fep, uint16_t pdcid);

/* pds_accept makes the PDC that a SYN opens; NULL: there is no room. */
struct pdc *pds_accept(struct pds *pds, uint32_t fep, const struct pds_rx *rx);

/*
 * pds_ask_close asks a peer to close the PDCs that it made.
 * Return: 0; ERR_STATE there is none.
 */
int pds_ask_close(struct pds *pds, const struct ip_addr *peer,
		  enum op_close how);

/*
 * pds_send_cp sends a control packet that is asked for (pds_cp.c).  As a source
 * it goes on a PDC that this endpoint made to |peer|, or on one that the peer
 * made if there is no other; NOOP and Negotiation open one.
 * Return: 0; ERR_STATE there is no PDC for it; ERR_VALUE; ERR_SPACE; ERR_NOMEM;
 *         ERR_SUPPORT it is not sent on request.
 */
int pds_send_cp(struct pds *pds, const struct ip_addr *peer, bool rod,
		const struct op_cp *cp);

/* pds_open makes a PDC of that mode to a peer; NULL: there is no room. */
struct pdc *pds_open(struct pds *pds, bool rod, uint32_t fep);

/*
 * What runs short (pds_limit.c): the NACK code for a SYN of that peer, or for a
 * request of a PDC; 0: nothing does.
 */
uint8_t pds_short_for_syn(const struct pds *pds, uint32_t fep);
uint8_t pds_short_for_req(const struct pds *pds);

/* pds_short_of_ccc says whether a PDC of our own has to wait for a CCC. */
bool pds_short_of_ccc(const struct pds *pds);

/*
 * Syn_Retx_Safety_Time (pds_late.c): pds_late_note remembers a target's PDC
 * that was closed, pds_is_late says whether a SYN is one of such a PDC.
 */
void pds_late_note(struct pds *pds, const struct pdc *pdc);
bool pds_is_late(struct pds *pds, uint32_t fep, const struct pds_rx *rx);

/* pds_ask_for_room asks for one PDC back, for the next one that comes. */
void pds_ask_for_room(struct pds *pds);

/*
 * What comes soon may travel to the cache meanwhile: the PDC of a datagram; and
 * before something is sent to a peer, in three steps with time in between, the
 * place where its number is found, where its PDC is found, and the PDC.
 *
 * pds_expect_fep says whether the peer is known, and its number.
 */
void pds_expect_rx(const struct pds *pds, const struct dgram *d);
void pds_expect_peer(const struct pds *pds, const struct ip_addr *addr);
bool pds_expect_fep(const struct pds *pds, const struct ip_addr *addr,
		    uint32_t *ret_fep);
void pds_expect_tx(const struct pds *pds, const struct ip_addr *addr);

/*
 * pds_trimmed is the NACK code for a datagram that a switch has trimmed, as its
 * DSCP says; 0: it is whole.
 */
uint8_t pds_trimmed(const struct pds *pds, const struct dgram *d);

/* pds_rx takes a datagram; |len| bytes of it, without the CRC. */
void pds_rx(struct pds *pds, const struct dgram *d, size_t len);

/* pds_poll writes the next datagram of the ready PDCs; false: none. */
bool pds_poll(struct pds *pds, struct dgram *ret);

/* pds_close gives a PDC back; its memory is kept for the next one. */
void pds_close(struct pds *pds, struct pdc *pdc);

/* pds_bind makes a PDC known by {source IP, the peer's PDCID}. */
bool pds_bind(struct pds *pds, struct pdc *pdc);

/*
 * pds_nack answers a packet with a NACK.  |pdc| is NULL if the packet has none;
 * the NACK then says spdcid 0.
 */
void pds_nack(struct pds *pds, const struct pdc *pdc, const struct pds_rx *rx,
	      uint8_t code);

/* pds_ready puts a PDC on the ready list or takes it off. */
void pds_ready(struct pds *pds, struct pdc *pdc, bool ready);

#endif
