/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_job.h -- a request packet that is being answered.
 */
#ifndef ORACLE_UET_SES_TARGET_RX_JOB_H
#define ORACLE_UET_SES_TARGET_RX_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/uet/ses/ses_state.h"

/* A request packet that is being answered. */
struct job {
	const struct ses_rx *rx;
	struct ses_req req;
	const uint8_t *payload;
	/* length of the payload, or of the slice that a read requests */
	uint32_t len;
	struct amo amo; /* extensions of an atomic */
	struct ses_policy policy;
	struct ses_rendezvous from; /* extension of a rendezvous */
	bool deferred;      /* the target will ask for the message again */
	struct rx_msg *msg; /* NULL: the packet is the whole message */
};

/* rx_on_pdc returns true in RUD and ROD. */
bool rx_on_pdc(const struct job *job);

/* rx_is_first returns true if no packet of its message came before. */
bool rx_is_first(const struct job *job);

/* rx_is_deferrable returns true for a deferrable send, tagged or not. */
bool rx_is_deferrable(const struct job *job);

/* rx_is_rendezvous returns true for a rendezvous send, tagged or not. */
bool rx_is_rendezvous(const struct ses_req *req);

/* rx_is_tagged returns true for a send that goes to the receive of its tag. */
bool rx_is_tagged(const struct job *job);

/* rx_is_atomic and rx_fetches return true for (fetching) atomics. */
bool rx_is_atomic(const struct ses_req *req);
bool rx_fetches(const struct ses_req *req);

/*
 * rx_wanted returns the length that a read requests: its slice, or all of a
 * single packet's message.
 */
uint32_t rx_wanted(const struct ses *ses, const struct ses_req *req);

/*
 * rx_read_extension reads the extensions of an atomic or a rendezvous from its
 * payload.
 */
void rx_read_extension(struct job *job);

#endif
