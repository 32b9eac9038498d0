/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/tables.h -- the table of streams and that of service response
 * times.
 */
#ifndef DISSECTOR_TABLE_TABLES_H
#define DISSECTOR_TABLE_TABLES_H

#include "dissector/compat.h"
#include "wire/family.h"

/* tables_register registers both tables of a family's tap, |name|. */
void tables_register(int proto, enum family family, const char *name);

#endif
