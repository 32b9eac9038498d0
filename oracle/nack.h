/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/nack.h -- what each NACK code means to the source that receives it.
 *
 * Spec: UET 3.5.12.7, table 3-59 (uet.md 4)
 */
#ifndef ORACLE_NACK_H
#define ORACLE_NACK_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/uet_pds.h"

enum nack_class {
	NACK_RESERVED, /* no such code: the NACK is dropped */
	NACK_NORMAL,   /* the PDC stays up */
	NACK_PDC_ERR,  /* an error of this packet; the PDC stays up */
	NACK_PDC_FATAL,
};

enum nack_reaction {
	REACT_IGNORE,
	REACT_RETX,       /* send again as soon as the window lets it */
	REACT_RETX_ONE,   /* so, and nothing else is missing */
	REACT_RETX_WAIT,  /* send again after NACK_Retx_Time */
	REACT_RETX_NEWER, /* so, but only if psn > CACK_PSN */
	REACT_AWAIT,      /* the response will come; the RTO goes on */
	REACT_GO_BACK,    /* ROD: send again from the PSN in the payload */
	REACT_RENUMBER,   /* TSS: start again at the PSN in the payload */
	REACT_CLOSE,      /* the PDC ends with a Close Command */
	REACT_FREE,       /* the PDC ends; its peer has none to close */
};

struct nack_rule {
	enum nack_class class;
	enum nack_reaction react;
	bool has_pdc; /* whether the NACK says its sender's PDCID */
};

/* nack_rule_of is the row of a code; never NULL. */
const struct nack_rule *nack_rule_of(uint8_t code);

/* nack_may_retry: a fatal code after which a new PDC may do. */
bool nack_may_retry(uint8_t code);

#endif
