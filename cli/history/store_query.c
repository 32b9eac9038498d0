/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/history/store_query.c -- the questions in SQL.
 *
 * Verdicts are stored as numbers of enum verdict: 0 pass, 1 fail.  Of a run
 * that repeats a case, the worst result counts for the history of the case.
 */
#include "cli/history/store_query.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"
#include "suite/verdict/verdict.h"

_Static_assert(VERDICT_PASS == 0 && VERDICT_FAIL == 1, "the queries say so");

#define VERDICT_WORD                                                      \
	"CASE verdict WHEN 0 THEN 'pass' WHEN 1 THEN 'fail' WHEN 2 THEN " \
	"'inconclusive' WHEN 3 THEN 'na' ELSE 'error' END"

/* Binds what the filter says, and gives the rows. */
static int query_answer(struct store *s, const char *sql,
			const struct store_filter *f, struct store_answer *a)
{
	sqlite3_stmt *q = NULL;
	int code = store_prepare(s, sql, &q), step = SQLITE_DONE;

	if (!code) {
		sqlite3_bind_text(q, 1, f->bench, -1, SQLITE_STATIC);
		sqlite3_bind_int64(q, 2, f->last);
		sqlite3_bind_text(q, 3, f->kase, -1, SQLITE_STATIC);
	}
	while (!code && (step = sqlite3_step(q)) == SQLITE_ROW) {
		const char *values[STORE_COLUMNS] = {NULL};

		for (int i = 0; i < sqlite3_column_count(q); i++) {
			values[i] = (const char *)sqlite3_column_text(q, i);
			if (!values[i])
				values[i] = "";
		}
		code = a->row(a->ctx, values);
	}
	if (!code && step != SQLITE_DONE)
		code = store_error(s);
	sqlite3_finalize(q);
	return code;
}

int store_case(struct store *s, const struct store_filter *f,
	       struct store_answer *a)
{
	static const char *const heads[] = {"began",   "bench",  "firmware",
					    "verdict", "reason", "ms",
					    "folder",  NULL};

	a->heads = heads;
	return query_answer(s,
			    "SELECT began, bench, firmware, " VERDICT_WORD
			    ", reason,"
			    "  printf('%.1f', wall_ns / 1e6), folder"
			    " FROM result JOIN run ON run.n = result.run"
			    " WHERE kase = (SELECT n FROM kase WHERE id = ?3)"
			    "  AND (?1 IS NULL OR bench = ?1)"
			    " ORDER BY began DESC, run.n DESC, repeat LIMIT ?2",
			    f, a);
}

int store_vanished(struct store *s, const struct store_filter *f,
		   struct store_answer *a)
{
	static const char *const heads[] = {"case",           "bench",
					    "device",         "in the run of",
					    "not in that of", NULL};

	a->heads = heads;
	return query_answer(
		s,
		"WITH recent AS (SELECT n, bench, device, began, row_number()"
		"  OVER (PARTITION BY bench, device ORDER BY began DESC,"
		"  n DESC) AS place FROM run WHERE ?1 IS NULL OR bench = ?1)"
		" SELECT DISTINCT (SELECT id FROM kase WHERE n = "
		"result.kase),"
		"  was.bench, was.device, was.began, now.began"
		" FROM recent AS was JOIN recent AS now ON"
		"  now.bench = was.bench AND now.device = was.device"
		"  AND now.place = 1 AND was.place = 2"
		" CROSS JOIN result ON result.run = was.n"
		" WHERE NOT EXISTS (SELECT 1 FROM result AS later WHERE"
		"  later.kase = result.kase AND later.run = now.n)"
		" ORDER BY 2, 3, 1",
		f, a);
}

int store_runs(struct store *s, const struct store_filter *f,
	       struct store_answer *a)
{
	static const char *const heads[] = {"began",  "bench", "firmware",
					    "device", "pass",  "fail",
					    "other",  NULL};

	a->heads = heads;
	return query_answer(
		s,
		"WITH recent AS (SELECT * FROM run WHERE ?1 IS NULL OR"
		"  bench = ?1 ORDER BY began DESC, n DESC LIMIT ?2)"
		" SELECT began, bench, firmware, device,"
		"  coalesce(sum(verdict = 0), 0), coalesce(sum(verdict = 1), "
		"0),"
		"  coalesce(sum(verdict > 1), 0)"
		" FROM recent LEFT JOIN result ON result.run = recent.n"
		" GROUP BY recent.n ORDER BY began DESC, recent.n DESC",
		f, a);
}

/* Skips zeros and gives the length of the digits behind them. */
static int version_digits(const char **s, int *left)
{
	int n = 0;

	while (*left > 1 && **s == '0' && isdigit((unsigned char)(*s)[1])) {
		++*s;
		--*left;
	}
	while (n < *left && isdigit((unsigned char)(*s)[n]))
		n++;
	return n;
}

/* Orders versions: numbers in them count as numbers, 1.9 before 1.10. */
static int version_order(void *ctx, int na, const void *va, int nb,
			 const void *vb)
{
	const char *a = va, *b = vb;

	(void)ctx;
	while (na && nb) {
		int x = version_digits(&a, &na), y = version_digits(&b, &nb),
		    order;

		if (!x || !y) {
			x = y = 1;
			order = (unsigned char)*a - (unsigned char)*b;
		} else if (x != y) {
			return x - y;
		} else {
			order = memcmp(a, b, (size_t)x);
		}
		if (order)
			return order;
		a += x;
		na -= x;
		b += y;
		nb -= y;
	}
	return na - nb;
}

/* Lets queries order by "COLLATE version". */
static int query_versions(struct store *s)
{
	if (sqlite3_create_collation(s->db, "version", SQLITE_UTF8, NULL,
				     version_order) != SQLITE_OK)
		return store_error(s);
	return 0;
}

int store_regressions(struct store *s, const struct store_filter *f,
		      struct store_answer *a)
{
	static const char *const heads[] = {"case",      "bench",     "device",
					    "first bad", "last good", NULL};
	const int code = query_versions(s);

	a->heads = heads;
	if (code)
		return code;
	return query_answer(
		s,
		"WITH failed AS (SELECT DISTINCT kase FROM result"
		"  WHERE verdict = 1),"
		" state AS (SELECT bench, device, kase, firmware,"
		"  max(verdict = 0) AS passes, max(verdict = 1) AS fails"
		"  FROM run JOIN result ON result.run = run.n"
		"  WHERE (?1 IS NULL OR bench = ?1) AND verdict < 2"
		"  AND kase IN failed GROUP BY bench, device, kase, firmware),"
		" good AS (SELECT bench, device, kase,"
		"  max(firmware COLLATE version) AS last FROM state"
		"  WHERE passes AND NOT fails GROUP BY bench, device, kase)"
		" SELECT (SELECT id FROM kase WHERE n = state.kase), bench,"
		"  device, min(firmware COLLATE version), last"
		" FROM state LEFT JOIN good USING (bench, device, kase)"
		" WHERE fails AND (last IS NULL OR"
		"  firmware > last COLLATE version)"
		" GROUP BY bench, device, kase ORDER BY 1, 2, 3",
		f, a);
}

int store_bisect(struct store *s, const struct store_filter *f,
		 struct store_answer *a)
{
	static const char *const heads[] = {"firmware", "state", "passes",
					    "fails",    "began", NULL};
	const int code = query_versions(s);

	a->heads = heads;
	if (code)
		return code;
	return query_answer(
		s,
		"WITH tried AS (SELECT firmware, min(began) AS first,"
		"  coalesce(sum(verdict = 0), 0) AS passes,"
		"  coalesce(sum(verdict = 1), 0) AS fails"
		"  FROM run LEFT JOIN result ON result.run = run.n AND kase ="
		"  (SELECT n FROM kase WHERE id = ?3)"
		"  WHERE ?1 IS NULL OR bench = ?1 GROUP BY firmware)"
		" SELECT firmware, CASE WHEN passes AND fails THEN 'flaky'"
		"  WHEN passes THEN 'good' WHEN fails THEN 'bad'"
		"  ELSE 'untested' END, passes, fails, first"
		" FROM tried WHERE ?2 ORDER BY firmware COLLATE version",
		f, a);
}
