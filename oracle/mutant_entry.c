/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/mutant_entry.c -- how a shared object that holds one variant of this
 * floor hands it out (ORC_API_SYMBOL).
 */
#include "oracle/oracle.h"

__attribute__((visibility("default"))) const struct orc_api *orc_api_get(void);

const struct orc_api *orc_api_get(void)
{
	return &orc_reference;
}
