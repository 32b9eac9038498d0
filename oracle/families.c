/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/families.c -- the registry of the reference endpoints: one row for
 * each transport.
 *
 * Each transport's room defines its row.  No other file of this folder lists
 * the families.  A program that links its own rows instead of this file has
 * other transports (tests/toy/).
 */
#include "oracle/core/family.h"

const struct orc_family *const orc_families[] = {
	FAMILY_LIST(FAMILY_ROW, family_)};
