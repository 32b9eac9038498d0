/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_idem.c -- which operations are idempotent.
 *
 * Spec: UET 3.5.7.3 (uet.md 7.7)
 */
#include "oracle/uet/ses/ses_idem.h"

#include "oracle/uet/ses/amo.h"

/* A repeated fetch returns another value; compare and swap depends on it. */
static bool amo_idempotent(uint8_t amo)
{
	switch (amo) {
	case AMO_OP_MIN:
	case AMO_OP_MAX:
	case AMO_OP_LOR:
	case AMO_OP_LAND:
	case AMO_OP_BOR:
	case AMO_OP_BAND:
	case AMO_OP_READ:
	case AMO_OP_WRITE:
		return true;
	default:
		return false;
	}
}

bool ses_idempotent(uint8_t opcode, uint8_t amo)
{
	switch (opcode) {
	case SES_NO_OP:
	case SES_WRITE:
	case SES_READ:
		return true;
	case SES_ATOMIC:
		return amo_idempotent(amo);
	case SES_FETCHING_ATOMIC:
		return amo == AMO_OP_READ;
	default:
		return false;
	}
}
