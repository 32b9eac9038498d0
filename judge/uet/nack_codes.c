/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/nack_codes.c -- the classes of NACK codes.
 *
 * Spec: UET 3.5.12 (uet.md 4)
 */
#include "judge/uet/nack_codes.h"

#include "wire/uet/uet_pds.h"

bool nack_received(uint8_t code)
{
	return code == NACK_RCVD_SES_PROCG || code == NACK_ACK_WITH_DATA ||
	       code == NACK_TRIMMED_ACK;
}

bool nack_fatal(uint8_t code)
{
	switch (code) {
	case NACK_INV_DPDCID:
	case NACK_PDC_HDR_MISMATCH:
	case NACK_CLOSING:
	case NACK_CLOSING_IN_ERR:
	case NACK_GTD_RESP_UNAVAIL:
	case NACK_INVALID_SYN:
	case NACK_PDC_MODE_MISMATCH:
	case NACK_UNEXP_EVENT:
	case NACK_EXP_NACK_FATAL:
		return true;
	}
	return false;
}

/*
 * Codes that report that the packet was not received, and that no part of it is
 * kept.
 */
bool nack_drops(uint8_t code)
{
	return (code >= NACK_NO_PDC_AVAIL && code <= NACK_NO_RESOURCE) ||
	       code == NACK_ROD_OOO || code == NACK_TRIMMED ||
	       code == NACK_TRIMMED_LASTHOP;
}
