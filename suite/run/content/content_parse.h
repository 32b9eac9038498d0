/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_parse.h -- reads an entry of the record.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_PARSE_H
#define SUITE_RUN_CONTENT_CONTENT_PARSE_H

#include "suite/run/content/content_state.h"

/* content_parse parses an entry; false if it is no packet or a changed one. */
bool content_parse(const struct content *c, size_t index,
		   struct content_pkt *ret);

#endif
