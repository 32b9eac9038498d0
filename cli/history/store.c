/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store.c -- opens the database and makes its tables.
 *
 * Results are stored in the order of runs.  An index has the verdicts in the
 * order of cases, so that the flakes of all cases are found in one pass.
 */
#include "cli/history/store.h"

#include <stdio.h>

#include "cli/cli.h"

#define STORE_ID      0x72756e67 /* "rung" */
#define STORE_VERSION 1
#define STORE_WAITS   10000 /* ms for another process */

static const char store_tables[] =
	"CREATE TABLE run("
	"  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, began TEXT NOT NULL,"
	"  version TEXT NOT NULL, device TEXT NOT NULL, bench TEXT NOT NULL,"
	"  firmware TEXT NOT NULL, seed TEXT NOT NULL, folder TEXT NOT NULL);"
	"CREATE TABLE kase(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);"
	"CREATE TABLE result("
	"  kase INTEGER NOT NULL REFERENCES kase(n),"
	"  run INTEGER NOT NULL REFERENCES run(n),"
	"  repeat INTEGER NOT NULL, verdict INTEGER NOT NULL,"
	"  reason TEXT NOT NULL, wall_ns INTEGER NOT NULL,"
	"  PRIMARY KEY(run, kase, repeat)) WITHOUT ROWID;"
	"CREATE INDEX result_of_case ON result(kase, run, verdict);";

int store_error(struct store *s)
{
	fprintf(stderr, "%s: %s: %s\n", s->who, s->path, sqlite3_errmsg(s->db));
	return EXIT_HARNESS;
}

int store_sql(struct store *s, const char *sql)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return store_error(s);
}

int store_prepare(struct store *s, const char *sql, sqlite3_stmt **ret)
{
	if (sqlite3_prepare_v2(s->db, sql, -1, ret, NULL) == SQLITE_OK)
		return 0;
	return store_error(s);
}

/* Reads a number of the database's head.  Return: -1 after an error. */
static int store_number(struct store *s, const char *pragma)
{
	sqlite3_stmt *q = NULL;
	int n = -1;

	if (!store_prepare(s, pragma, &q) && sqlite3_step(q) == SQLITE_ROW)
		n = sqlite3_column_int(q, 0);
	else
		store_error(s);
	sqlite3_finalize(q);
	return n;
}

static int store_create(struct store *s)
{
	char pragmas[100];
	int code = store_sql(s, store_tables);

	snprintf(pragmas, sizeof(pragmas),
		 "PRAGMA application_id=%d; PRAGMA user_version=%d", STORE_ID,
		 STORE_VERSION);
	if (!code)
		code = store_sql(s, pragmas);
	return code;
}

/* Makes the tables in an empty database, else checks that they are ours. */
static int store_check(struct store *s)
{
	const int id = store_number(s, "PRAGMA application_id");
	const int version = store_number(s, "PRAGMA user_version");
	const int tables =
		store_number(s, "SELECT count(*) FROM sqlite_master");

	if (id < 0 || version < 0 || tables < 0)
		return EXIT_HARNESS;
	if (!tables && !id)
		return store_create(s);
	if (id == STORE_ID && version == STORE_VERSION)
		return 0;
	fprintf(stderr,
		id == STORE_ID ? "%s: %s: it is of another version of rung\n"
			       : "%s: %s: it is no history of rung\n",
		s->who, s->path);
	return EXIT_USAGE;
}

int store_open(struct store *s)
{
	int code = 0;

	if (sqlite3_open(s->path, &s->db) != SQLITE_OK) {
		store_error(s);
		return EXIT_USAGE;
	}
	sqlite3_busy_timeout(s->db, STORE_WAITS);
	code = store_sql(s, "PRAGMA cache_size=-65536; BEGIN IMMEDIATE");
	if (!code)
		code = store_check(s);
	if (!code)
		code = store_sql(s, "COMMIT");
	if (sqlite3_errcode(s->db) == SQLITE_NOTADB)
		return EXIT_USAGE;
	return code;
}

void store_close(struct store *s)
{
	sqlite3_close(s->db);
	s->db = NULL;
}
