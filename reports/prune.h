/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/prune.h -- copies a JSON document without the members that its reader
 * does not need.
 *
 * A parser builds a tree of the whole document, and most of results.json is
 * lists that a comparison does not read.  To check them takes a small part of
 * the time that their tree takes.
 */
#ifndef REPORTS_PRUNE_H
#define REPORTS_PRUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * A list of objects in the root of the document, and which members of these
 * objects are kept; both end with NULL.
 */
struct prune_rule {
	const char *list;
	const char *const *keep;
};

/*
 * prune_json appends the |len| bytes of JSON at |s| to *ret, without the
 * members that the rules drop.  The rules end with a list that is NULL.
 *
 * Return: false if the text is no JSON, or JSON of a form that this function
 * does not check: parse the whole text then.  *ret holds a part of it.  If the
 * function returns true, the whole text is JSON, too.
 */
bool prune_json(struct text *ret, const char *s, size_t len,
		const struct prune_rule *rules);

#endif
