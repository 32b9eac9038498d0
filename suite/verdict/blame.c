/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/blame.c -- chooses the requirement that a difference violates.
 */
#include "suite/verdict/blame.h"

#include <stdio.h>
#include <string.h>

#include "judge/transport.h"

#define WHOLE_CLASS 64

static const char *const governed[REQ_COUNT] = {
#define GOVERNS(sym, items) [REQ_##sym] = items,
#define COMMON(sym, items)
#define GENERAL(sym, items)
#include "judge/governs.def"
#undef GOVERNS
#undef COMMON
#undef GENERAL
};

struct catalogue {
	enum req_id req;
	const char *items;
};

/* The lists end in a row without items. */
static const struct catalogue common[] = {
#define GOVERNS(sym, items)
#define COMMON(sym, items) {REQ_##sym, items},
#define GENERAL(sym, items)
#include "judge/governs.def"
#undef GOVERNS
#undef COMMON
#undef GENERAL
	{REQ_NONE, NULL},
};

static const struct catalogue general[] = {
#define GOVERNS(sym, items)
#define COMMON(sym, items)
#define GENERAL(sym, items) {REQ_##sym, items},
#include "base/text.h"
#include "judge/governs.def"
#undef GOVERNS
#undef COMMON
#undef GENERAL
	{REQ_NONE, NULL},
};

#define CLASS(type, class, begins)                     \
	{                                              \
		type, class, begins, sizeof(type) - 1, \
	}

/* Prefixes of packet words, and their classes; the first match counts. */
static const struct {
	const char *type, *class;
	bool begins;
	size_t len; /* characters of |type| */
} classes[] = {
	CLASS("rud_req", "req", false),
	CLASS("rod_req", "req", false),
	CLASS("rud_cc_req", "req", false),
	CLASS("rod_cc_req", "req", false),
	CLASS("ack_cc", "ack", false),
	CLASS("ack_ccx", "ack", false),
	CLASS("nack_ccx", "nack", false),
	CLASS("srd_ack", "srd_ack", false),
	CLASS("srd_sync", "srd_sync", false),
	CLASS("srd_", "srd_req", true),
	CLASS("wqe_ack", "wqe_ack", false),
	CLASS("wqe_rtx_ind", "wqe_rtx_ind", false),
	CLASS("wqe_read_resp", "wqe_resp", true),
	CLASS("wqe_", "wqe_req", true),
	CLASS("rc_ack", "rc_ack", false),
	CLASS("rc_read_resp", "rc_resp", true),
	CLASS("rc_", "rc_req", true),
};

const char *blame_by_name(unsigned by)
{
	static const char *const names[] = {
		[BLAME_BY_LINE] = "line",       [BLAME_BY_MONITOR] = "monitor",
		[BLAME_BY_COMMON] = "common",   [BLAME_BY_TABLE] = "table",
		[BLAME_BY_GENERAL] = "general", [BLAME_BY_FIRST] = "first",
		[BLAME_BY_CONTENT] = "content",
	};

	if (by < sizeof(names) / sizeof(names[0]))
		return names[by];
	return "unknown";
}

const char *blame_class(const char *type)
{
	if (!type)
		return "any";
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		const size_t n = classes[i].len;

		if (type[0] == classes[i].type[0] &&
		    strncmp(type, classes[i].type, n) == 0 &&
		    (classes[i].begins || !type[n]))
			return classes[i].class;
	}
	return type;
}

bool blame_has(const struct blame *b, const char *item)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->item[i], item) == 0)
			return true;
	return false;
}

void blame_add(struct blame *b, const char *class, const char *word)
{
	char item[BLAME_ITEM];

	snprintf(item, sizeof(item), "%s.%s", class, word);
	if (b->n == BLAME_MAX || blame_has(b, item))
		return;
	memcpy(b->item[b->n++], item, sizeof(item));
}

/* Returns the length of the first entry of a list; moves *|s| to it. */
static size_t next_item(const char **s)
{
	*s += strspn(*s, " ,");
	return strcspn(*s, " ,");
}

static bool blame_is_class(const char *entry, size_t n)
{
	return n > 2 && entry[n - 2] == '.' && entry[n - 1] == '*';
}

/* "any.crc" names the word of every class. */
static bool is_any_class(const char *entry, size_t n, const char *item)
{
	const char *dot = strchr(item, '.');

	return dot && n > 4 && strncmp(entry, "any.", 4) == 0 &&
	       strlen(dot + 1) == n - 4 &&
	       memcmp(entry + 4, dot + 1, n - 4) == 0;
}

bool blame_names(const char *items, const char *item)
{
	size_t n;

	if (!items)
		return false;
	for (const char *s = items; (n = next_item(&s)) > 0; s += n) {
		if (n == strlen(item) && memcmp(s, item, n) == 0)
			return true;
		if (blame_is_class(s, n) && strncmp(s, item, n - 1) == 0)
			return true;
		if (is_any_class(s, n, item))
			return true;
	}
	return false;
}

size_t blame_width(const char *items)
{
	size_t width = 0, n;

	for (const char *s = text_or(items, ""); (n = next_item(&s)) > 0;
	     s += n)
		width += blame_is_class(s, n) ? WHOLE_CLASS : 1;
	return width;
}

const char *blame_governed(enum req_id id)
{
	return governed[id];
}

const char *blame_items(const struct req_ref *ref)
{
	if (ref->items)
		return ref->items;
	return governed[ref->id];
}

static bool blame_is_narrower(const struct req_ref *a, const struct req_ref *b)
{
	const bool must = req_get(a->id)->level == REQ_M;

	if (must != (req_get(b->id)->level == REQ_M))
		return must;
	return blame_width(blame_items(a)) < blame_width(blame_items(b));
}

static struct blame_row blame_row_of(const struct req_ref *ref,
				     enum blame_by by)
{
	return (struct blame_row){ref->id, ref->role, by};
}

/* Returns the line's ids that list the item. */
static size_t by_line(const struct blame_of *of, const char *item,
		      struct blame_row ret[static BLAME_ROWS])
{
	size_t n = 0;

	for (size_t i = 0; i < of->n && n < BLAME_ROWS; i++)
		if (blame_names(of->refs[i].items, item))
			ret[n++] = blame_row_of(&of->refs[i], BLAME_BY_LINE);
	return n;
}

/* Returns the best of the line's ids whose table lists the item, or NULL. */
static const struct req_ref *by_table(const struct blame_of *of,
				      const char *item)
{
	const struct req_ref *ret = NULL;

	for (size_t i = 0; i < of->n; i++) {
		const struct req_ref *ref = &of->refs[i];

		if (!ref->items && blame_names(blame_items(ref), item) &&
		    (!ret || blame_is_narrower(ref, ret)))
			ret = ref;
	}
	return ret;
}

/* Returns true for a requirement of the family; the invariants apply to all. */
static bool is_of_family(enum req_id id, enum family family)
{
	return judge_req_family(id) == family || judge_req_is_invariant(id);
}

/* Returns the row of a list for an item; |role| 0: the role of the row. */
static bool from_list(const struct catalogue *list, const struct blame_of *of,
		      enum req_role role, const char *item,
		      struct blame_row *ret)
{
	for (; list->items; list++) {
		const enum req_role own = req_get(list->req)->role;

		if (!is_of_family(list->req, of->family) ||
		    (role && !(own & role)) || !blame_names(list->items, item))
			continue;
		ret->req = list->req;
		if (role)
			ret->role = role;
		else
			ret->role = own;
		return true;
	}
	return false;
}

/* A row that applies to the DUT's role is preferred. */
static bool from_catalogue(const struct blame_of *of, enum blame_by by,
			   const char *item, struct blame_row *ret)
{
	const struct catalogue *list = by == BLAME_BY_COMMON ? common : general;

	ret->by = by;
	return from_list(list, of, of->seat, item, ret) ||
	       from_list(list, of, (enum req_role)0, item, ret);
}

static const struct req_ref *first_must(const struct req_ref *refs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (req_get(refs[i].id)->level == REQ_M)
			return &refs[i];
	return refs;
}

size_t blame_choose(const struct blame_of *of, const char *item,
		    struct blame_row ret[static BLAME_ROWS])
{
	const size_t n = by_line(of, item, ret);
	const struct req_ref *ref;

	if (n)
		return n;
	if (from_catalogue(of, BLAME_BY_COMMON, item, ret))
		return 1;
	ref = by_table(of, item);
	if (ref)
		ret[0] = blame_row_of(ref, BLAME_BY_TABLE);
	else if (!from_catalogue(of, BLAME_BY_GENERAL, item, ret))
		ret[0] = blame_row_of(first_must(of->refs, of->n),
				      BLAME_BY_FIRST);
	return 1;
}
