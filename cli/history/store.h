/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store.h -- the database of 'rung history', in SQLite.
 */
#ifndef CLI_HISTORY_STORE_H
#define CLI_HISTORY_STORE_H

#include <sqlite3.h>

struct store {
	const char *who;  /* prefix of messages */
	const char *path; /* of the database */
	sqlite3 *db;
};

/*
 * store_open opens the database, and makes it if it is missing.  A file that is
 * no database of rung is rejected.
 * Return: 0 or an exit code after a message.
 * Owner:  store_close, also after an error.
 */
int store_open(struct store *s);
void store_close(struct store *s);

/*
 * store_sql runs a statement without a result.  store_prepare compiles one;
 * sqlite3_finalize frees it.  store_error reports the error of the database.
 * Return: 0 or an exit code after a message.
 */
int store_sql(struct store *s, const char *sql);
int store_prepare(struct store *s, const char *sql, sqlite3_stmt **ret);
int store_error(struct store *s);

#endif
