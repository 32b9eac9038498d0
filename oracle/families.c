/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/families.c -- the registry of the reference endpoints: one row for
 * each transport.
 *
 * The rows stand in the rooms of the transports.  No other file of this folder
 * lists the families (wire/families.c says how a program has others).
 */
#include "oracle/core/family.h"

const struct orc_family *const orc_families[] = {
	FAMILY_LIST(FAMILY_ROW, family_)};
