/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store_import.c -- reads results.json and inserts its results.
 */
#include "cli/history/store_import.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/file/results_file.h"

static void import_bind(sqlite3_stmt *q, int at, const char *value)
{
	sqlite3_bind_text(q, at, value, -1, SQLITE_STATIC);
}

/* Runs a statement that gives no row, and resets it. */
static int import_step(struct store *s, sqlite3_stmt *q)
{
	const bool done = sqlite3_step(q) == SQLITE_DONE;

	sqlite3_reset(q);
	return done ? 0 : store_error(s);
}

/* Stores the run.  *ret_new: it was not stored before. */
static int import_run(struct store *s, const struct results *r, const char *dir,
		      bool *ret_new)
{
	sqlite3_stmt *q = NULL;
	int code = store_prepare(s,
				 "INSERT OR IGNORE INTO run(id, began, version,"
				 " device, bench, firmware, seed, folder)"
				 " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
				 &q);

	if (!code) {
		import_bind(q, 1, r->run);
		import_bind(q, 2, r->date);
		import_bind(q, 3, r->commit);
		import_bind(q, 4, r->name);
		import_bind(q, 5, r->bench);
		/* A device without a bench tells its version in the hello. */
		import_bind(q, 6, text_some(r->firmware, r->version));
		import_bind(q, 7, r->seed);
		import_bind(q, 8, dir);
		code = import_step(s, q);
	}
	*ret_new = !code && sqlite3_changes(s->db) > 0;
	sqlite3_finalize(q);
	return code;
}

static int import_results(struct store *s, const struct results *r)
{
	const sqlite3_int64 run = sqlite3_last_insert_rowid(s->db);
	sqlite3_stmt *id = NULL, *put = NULL;
	int code = store_prepare(s, "INSERT OR IGNORE INTO kase(id) VALUES(?)",
				 &id);

	if (!code)
		code = store_prepare(
			s,
			"INSERT OR REPLACE INTO result VALUES("
			"(SELECT n FROM kase WHERE id = ?), ?, ?, ?, ?, ?)",
			&put);
	for (size_t i = 0; i < r->n && !code; i++) {
		const struct result *one = &r->at[i];

		import_bind(id, 1, one->id);
		code = import_step(s, id);
		import_bind(put, 1, one->id);
		sqlite3_bind_int64(put, 2, run);
		sqlite3_bind_int64(put, 3, one->repeat);
		sqlite3_bind_int(put, 4, (int)one->verdict);
		import_bind(put, 5, one->reason_id);
		sqlite3_bind_int64(put, 6, one->wall_ns);
		if (!code)
			code = import_step(s, put);
	}
	sqlite3_finalize(id);
	sqlite3_finalize(put);
	return code;
}

int store_import(struct store *s, const char *dir, size_t *ret_n)
{
	struct results *r = NULL;
	bool new = false;
	int code = results_load(s->who, dir, &r);

	*ret_n = 0;
	if (!code && !*r->run) {
		fprintf(stderr, "%s: %s: the run has no id\n", s->who, dir);
		code = EXIT_USAGE;
	}
	if (!code)
		code = store_sql(s, "BEGIN IMMEDIATE");
	if (!code) {
		code = import_run(s, r, dir, &new);
		if (!code && new)
			code = import_results(s, r);
		if (code)
			sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		else
			code = store_sql(s, "COMMIT");
	}
	if (!code && new)
		*ret_n = r->n;
	results_free(r);
	return code;
}
