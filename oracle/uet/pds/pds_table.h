/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_table.h -- the PDCs of an endpoint and its peers, and how
 * each is found.
 *
 * Spec: UET 3.5.4, 3.5.8 (uet.md 6.1, 6.2)
 */
#ifndef ORACLE_UET_PDS_PDS_TABLE_H
#define ORACLE_UET_PDS_PDS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/pds/pds_state.h"
#include "wire/dgram.h"

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

/* pds_peer_key returns the key of |by_peer|. */
uint64_t pds_peer_key(uint32_t fep, uint16_t pdcid);

/*
 * pds_bind makes a PDC findable by {source IP, the peer's PDCID}.  Return:
 * false if there is no memory.
 */
bool pds_bind(struct pds *pds, struct pdc *pdc);

/*
 * pds_take returns a free PDC, one whose PDCID was never used or the one that
 * was closed longest ago; NULL if all are in use.  pds_rest gives it back.
 */
struct pdc *pds_take(struct pds *pds);
void pds_rest(struct pds *pds, struct pdc *pdc);

/*
 * These prefetch: pds_expect_rx the PDC of a datagram, pds_expect_fep the list
 * of a peer's PDCs, and pds_expect_tx the first of them.  feps_expect comes
 * before, with time in between.
 *
 * pds_expect_fep returns true if the peer is known, and its number.
 */
void pds_expect_rx(const struct pds *pds, const struct dgram *d);

/*
 * pds_expect_state prefetches the slots of the PSN of a request or an ACK, once
 * pds_expect_rx has fetched the PDC.
 */
void pds_expect_state(const struct pds *pds, const struct dgram *d);
bool pds_expect_fep(const struct pds *pds, const struct ip_addr *addr,
		    uint32_t *ret_fep);
void pds_expect_tx(const struct pds *pds, const struct ip_addr *addr);

/* pds_carries_ack returns true for an ACK, ACK_CC or ACK_CCX. */
bool pds_carries_ack(const struct dgram *d);

/*
 * pds_expect_answer finds the packet that an ACK answers, once pds_expect_state
 * has fetched its slot.
 *
 * Return: true and its tx_pkt_handle; false if it is not in flight.
 */
bool pds_expect_answer(const struct pds *pds, const struct dgram *d,
		       uint32_t *ret_handle);

#endif
