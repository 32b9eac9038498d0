/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/follow.h -- Follow Stream: the payload of a flow in the order
 * of its PSNs.
 */
#ifndef DISSECTOR_TABLE_FOLLOW_H
#define DISSECTOR_TABLE_FOLLOW_H

#include "dissector/compat.h"
#include "wire/family.h"

/* follow_register registers Follow Stream for a family's tap, |name|. */
void follow_register(int proto, enum family family, const char *name);

#endif
