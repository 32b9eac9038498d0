/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_codes.h -- return codes as the bits of struct decl_cause.
 */
#ifndef SUITE_DECL_DECL_CODES_H
#define SUITE_DECL_DECL_CODES_H

#include <stdint.h>

#include "wire/uet/uet_ses.h"

/*
 * The bit of a return code.  The mask holds the error codes that uet.md 5.8
 * assigns, the vendor codes, and the extended code.
 */
#define CODE_BIT(code) ((uint64_t)1 << (code))
#define ERROR_CODES                          \
	((CODE_BIT(0x25) - CODE_BIT(0x02)) | \
	 (CODE_BIT(0x38) - CODE_BIT(0x30)) | CODE_BIT(0x3e))
#define ALL_CODES (ERROR_CODES | CODE_BIT(RC_NULL) | CODE_BIT(RC_OK))

#endif
