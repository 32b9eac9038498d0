/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/mutant_entry.c -- exports the variant of this floor that a shared
 * object contains (ORC_API_SYMBOL).
 */
#include "oracle/oracle.h"

__attribute__((visibility("default"))) const struct orc_api *orc_api_get(void);

const struct orc_api *orc_api_get(void)
{
	return &orc_reference;
}
