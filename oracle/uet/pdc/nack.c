/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pdc/nack.c -- the reaction of a source to each NACK code.
 *
 * TRIMMED_ACK is reserved since 1.0.3 and accepted, never sent.  A
 * RCVD_SES_PROCG means that the packet arrived and its response is on the way:
 * an early retransmission would be useless, so the RTO decides.
 *
 * Spec: UET 3.5.12.7, table 3-59 (uet.md 4)
 */
#include "oracle/uet/pdc/nack.h"

/* clang-format off */
static const struct nack_rule rules[256] = {
	[NACK_TRIMMED]          = {NACK_NORMAL,    REACT_RETX,       true},
	[NACK_TRIMMED_LASTHOP]  = {NACK_NORMAL,    REACT_RETX,       true},
	[NACK_TRIMMED_ACK]      = {NACK_NORMAL,    REACT_RETX_ONE,   true},
	[NACK_NO_PDC_AVAIL]     = {NACK_NORMAL,    REACT_RETX_WAIT,  false},
	[NACK_NO_CCC_AVAIL]     = {NACK_NORMAL,    REACT_RETX_WAIT,  false},
	[NACK_NO_BITMAP]        = {NACK_NORMAL,    REACT_RETX_WAIT,  false},
	[NACK_NO_PKT_BUFFER]    = {NACK_NORMAL,    REACT_RETX_WAIT,  true},
	[NACK_NO_GTD_DEL_AVAIL] = {NACK_NORMAL,    REACT_RETX_WAIT,  true},
	[NACK_NO_SES_MSG_AVAIL] = {NACK_NORMAL,    REACT_RETX_WAIT,  true},
	[NACK_NO_RESOURCE]      = {NACK_NORMAL,    REACT_RETX_WAIT,  true},
	[NACK_PSN_OOR_WINDOW]   = {NACK_NORMAL,    REACT_RETX_NEWER, true},
	[NACK_ROD_OOO]          = {NACK_NORMAL,    REACT_GO_BACK,    true},
	[NACK_INV_DPDCID]       = {NACK_PDC_FATAL, REACT_FREE,       false},
	[NACK_PDC_HDR_MISMATCH] = {NACK_PDC_FATAL, REACT_FREE,       false},
	[NACK_CLOSING]          = {NACK_PDC_FATAL, REACT_FREE,       true},
	[NACK_CLOSING_IN_ERR]   = {NACK_PDC_FATAL, REACT_FREE,       true},
	[NACK_PKT_NOT_RCVD]     = {NACK_PDC_ERR,   REACT_RETX,       true},
	[NACK_GTD_RESP_UNAVAIL] = {NACK_PDC_FATAL, REACT_CLOSE,      true},
	[NACK_ACK_WITH_DATA]    = {NACK_PDC_ERR,   REACT_RETX_ONE,   true},
	[NACK_INVALID_SYN]      = {NACK_PDC_FATAL, REACT_FREE,       true},
	[NACK_PDC_MODE_MISMATCH] = {NACK_PDC_FATAL, REACT_FREE,      true},
	[NACK_NEW_START_PSN]    = {NACK_NORMAL,    REACT_RENUMBER,   true},
	[NACK_RCVD_SES_PROCG]   = {NACK_NORMAL,    REACT_AWAIT,      true},
	[NACK_UNEXP_EVENT]      = {NACK_PDC_FATAL, REACT_FREE,       true},
	[NACK_RCVR_INFER_LOSS]  = {NACK_NORMAL,    REACT_RETX,       true},
	[NACK_EXP_NACK_NORMAL]  = {NACK_NORMAL,    REACT_RETX,       true},
	[NACK_EXP_NACK_ERR]     = {NACK_PDC_ERR,   REACT_RETX,       true},
	[NACK_EXP_NACK_FATAL]   = {NACK_PDC_FATAL, REACT_CLOSE,      true},
};
/* clang-format on */

const struct nack_rule *nack_rule_of(uint8_t code)
{
	return &rules[code];
}

bool nack_may_retry(uint8_t code)
{
	switch (code) {
	case NACK_INV_DPDCID:
	case NACK_PDC_HDR_MISMATCH:
	case NACK_CLOSING:
	case NACK_INVALID_SYN:
	case NACK_PDC_MODE_MISMATCH:
	case NACK_UNEXP_EVENT:
		return true;
	}
	return false;
}
