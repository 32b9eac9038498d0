/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/history_print.h -- collects an answer of the history and prints
 * it as a table, in text or in a page.
 */
#ifndef CLI_HISTORY_HISTORY_PRINT_H
#define CLI_HISTORY_HISTORY_PRINT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/history/store_query.h"

/* An answer as a table.  Zero-initialise; history_free frees it. */
struct history_table {
	struct store_answer answer;
	struct arena arena;
	const char *(*rows)[STORE_COLUMNS];
	size_t n, room;
};

/*
 * history_ask asks a question.
 * Return: 0 or an exit code after a message.
 */
int history_ask(struct store *s, store_query_fn *query,
		const struct store_filter *f, struct history_table *ret);
void history_free(struct history_table *t);

/*
 * history_text and history_html append the table under a title, or say that
 * there is nothing.
 */
void history_text(struct text *t, const struct history_table *h,
		  const char *title);
void history_html(struct text *t, const struct history_table *h,
		  const char *title);

/* history_bisection says which firmware is the first bad one. */
void history_bisection(struct text *t, const struct history_table *h);

#endif
