/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_idem.h -- which operations are idempotent.
 */
#ifndef ORACLE_UET_SES_SES_IDEM_H
#define ORACLE_UET_SES_SES_IDEM_H

#include <stdbool.h>
#include <stdint.h>

/*
 * ses_idempotent returns true if an operation may be executed twice with the
 * same result; |amo| is that of an atomic (3.5.7.3).
 */
bool ses_idempotent(uint8_t opcode, uint8_t amo);

#endif
