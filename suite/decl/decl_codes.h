/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_codes.h -- return codes as bits of a cause.
 */
#ifndef SUITE_DECL_DECL_CODES_H
#define SUITE_DECL_DECL_CODES_H

#include <stdint.h>

#include "wire/uet/uet_ses.h"

/* Return codes as bits: what uet.md 5.8 assigns beyond OK, vendor codes, and
 * the extended one. */
#define CODE_BIT(code) ((uint64_t)1 << (code))
#define ERROR_CODES                          \
	((CODE_BIT(0x25) - CODE_BIT(0x02)) | \
	 (CODE_BIT(0x38) - CODE_BIT(0x30)) | CODE_BIT(0x3e))
#define ALL_CODES (ERROR_CODES | CODE_BIT(RC_NULL) | CODE_BIT(RC_OK))

#endif
