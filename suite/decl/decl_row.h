/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_row.h -- the table of a declaration's numbers.
 */
#ifndef SUITE_DECL_DECL_ROW_H
#define SUITE_DECL_DECL_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decl;

enum row_kind { ROW_U8, ROW_U16, ROW_U32, ROW_U64, ROW_UINT, ROW_TIME };

/* One number of a declaration: "group name value". */
struct decl_row {
	const char *group, *name;
	enum row_kind kind;
	size_t at;
	uint64_t min,
		max; /* for ROW_TIME: of the time without its tolerance, ns */
	bool hex;
};

#define DECL_ROWS 38

extern const struct decl_row decl_rows[DECL_ROWS];

/* row_at returns a pointer to the number of a row in |d|. */
void *row_at(struct decl *d, const struct decl_row *r);

/*
 * row_set stores a number, row_get returns it; both ignore rows of type
 * ROW_TIME.
 */
void row_set(struct decl *d, const struct decl_row *r, uint64_t v);
uint64_t row_get(const struct decl *d, const struct decl_row *r);

/* decl_row_index returns the index in decl_rows of the row of that name. */
size_t decl_row_index(const char *name);

/*
 * decl_number returns the name of the next number of the lines "id", "size" and
 * "limit", and stores its value in *ret unless |ret| is NULL.  A case writes
 * such a number as the symbol $NAME.  |*at| is 0 at first; each call advances
 * it.
 * Return: NULL behind the last one.
 */
const char *decl_number(const struct decl *d, size_t *at, uint64_t *ret);

/* decl_has_number returns true if decl_number() lists that name. */
bool decl_has_number(const char *name);

/* decl_defaults holds what a declaration says that gives no row. */
extern const struct decl decl_defaults;

/* row_is_given returns false for a row that the text left to its default. */
bool row_is_given(const struct decl *d, const struct decl_row *r);

#endif
