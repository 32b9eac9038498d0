/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/nack.h -- the reaction of a source to each NACK code.
 *
 * Spec: UET 3.5.12.7, table 3-59 (uet.md 4)
 */
#ifndef ORACLE_UET_PDC_NACK_H
#define ORACLE_UET_PDC_NACK_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/uet/uet_pds.h"

enum nack_class {
	NACK_RESERVED, /* no such code: the NACK is dropped */
	NACK_NORMAL,   /* the PDC stays up */
	NACK_PDC_ERR,  /* an error of this packet; the PDC stays up */
	NACK_PDC_FATAL,
};

enum nack_reaction {
	REACT_IGNORE,
	REACT_RETX,       /* retransmit as soon as the window permits */
	REACT_RETX_ONE,   /* retransmit; no other packet is missing */
	REACT_RETX_WAIT,  /* retransmit after NACK_Retx_Time */
	REACT_RETX_NEWER, /* retransmit, but only if psn > CACK_PSN */
	REACT_AWAIT,      /* the response will come; the RTO keeps running */
	REACT_GO_BACK,    /* ROD: retransmit from the PSN in the payload */
	REACT_RENUMBER,   /* TSS: start again with the PSN in the payload */
	REACT_CLOSE,      /* the PDC ends with a Close Command */
	REACT_FREE,       /* the PDC ends; its peer has no PDC to close */
};

struct nack_rule {
	enum nack_class class;
	enum nack_reaction react;
	bool has_pdc; /* the NACK carries its sender's PDCID */
};

/* nack_rule_of returns the row of a code; never NULL. */
const struct nack_rule *nack_rule_of(uint8_t code);

/*
 * nack_may_retry returns true for a fatal code after which a new PDC may
 * succeed.
 */
bool nack_may_retry(uint8_t code);

#endif
