/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/req_test.c -- tests that the catalogue is complete and well formed, and
 * that names are found.
 *
 * The rows of the seed documents stand here a second time, so that a lost row,
 * or a changed level or role, fails a test.
 */
#include "judge/req.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "judge/transport.h"

static const char *const symbols[] = {
#define REQ(sym, ...) #sym,
#include "judge/requirements.def"
#undef REQ
};

static const struct {
	const char *id;
	enum req_level level;
	enum req_role role;
	enum req_seen seen;
} seed_rows[] = {
	/* clang-format off */
	{"MODE-RUD-1", REQ_M, REQ_DST, REQ_CONTROL},
	{"MODE-RUD-2", REQ_M, REQ_DST, REQ_CONTROL},
	{"MODE-RUD-3", REQ_M, REQ_SRC, REQ_WIRE},
	{"MODE-RUD-4", REQ_M, REQ_DST, REQ_WIRE},
	{"MODE-ROD-1", REQ_M, REQ_DST, REQ_CONTROL},
	{"MODE-ROD-2", REQ_M, REQ_SRC, REQ_WIRE},
	{"MODE-ROD-3d", REQ_M, REQ_DST, REQ_WIRE},
	{"MODE-ROD-3s", REQ_M, REQ_SRC, REQ_WIRE},
	{"MODE-ROD-4", REQ_M, REQ_DST, REQ_WIRE},
	{"MODE-ROD-5", REQ_M, REQ_DST, REQ_WIRE},
	{"MODE-ROD-6", REQ_N, REQ_BOTH, REQ_WIRE},
	{"MODE-ROD-7", REQ_N, REQ_BOTH, REQ_WIRE},
	{"MODE-RUDI-1", REQ_M, REQ_DST, REQ_CONTROL},
	{"MODE-RUDI-2", REQ_M, REQ_SRC, REQ_WIRE},
	{"MODE-RUDI-3", REQ_N, REQ_DST, REQ_WIRE},
	{"MODE-RUDI-4", REQ_M, REQ_DST, REQ_WIRE},
	{"MODE-RUDI-5", REQ_N, REQ_DST, REQ_WIRE},
	{"MODE-RUDI-6", REQ_M, REQ_SRC, REQ_CONTROL},
	{"MODE-RUDI-7", REQ_S, REQ_BOTH, REQ_WIRE},
	{"MODE-UUD-1", REQ_M, REQ_BOTH, REQ_WIRE},
	{"MODE-UUD-2", REQ_S, REQ_BOTH, REQ_WIRE},
	{"MODE-TC-1", REQ_S, REQ_SRC, REQ_WIRE},
	{"MODE-PSN-1", REQ_M, REQ_BOTH, REQ_WIRE},
	{"PDS-SVC-1", REQ_N, REQ_BOTH, REQ_CONTROL},
	{"PDS-SVC-2", REQ_M, REQ_DST, REQ_WIRE},
	{"PDS-SVC-3", REQ_M, REQ_SRC, REQ_WIRE},
	{"PDS-SVC-4", REQ_M, REQ_SRC, REQ_WIRE},
	{"PDS-SVC-5", REQ_M, REQ_DST, REQ_CONTROL},
	{"PDS-SVC-6", REQ_S, REQ_BOTH, REQ_WIRE},
	{"PDS-CTX-1", REQ_I, REQ_BOTH, REQ_HALVES},
	{"PDS-CTX-2", REQ_I, REQ_SRC, REQ_HALVES},
	{"PDS-CTX-3", REQ_I, REQ_SRC, REQ_HALVES},
	{"PDS-CTX-4", REQ_I, REQ_SRC, REQ_HALVES},
	{"PDS-IF-1", REQ_I, REQ_SRC, REQ_CONTROL},
	{"PDS-IF-2", REQ_I, REQ_DST, REQ_CONTROL},
	{"PDS-IF-3", REQ_I, REQ_DST, REQ_HALVES},
	{"PDS-IF-4", REQ_I, REQ_SRC, REQ_CONTROL},
	{"PDS-IF-5", REQ_I, REQ_BOTH, REQ_HALVES},
	{"PDS-IF-6", REQ_I, REQ_BOTH, REQ_CONTROL},
	{"PDS-IF-7", REQ_I, REQ_SRC, REQ_HALVES},
	{"PDS-IF-8", REQ_I, REQ_SRC, REQ_CONTROL},
	{"PDS-IF-9", REQ_I, REQ_BOTH, REQ_CONTROL},
	{"PDS-IF-10", REQ_I, REQ_SRC, REQ_CONTROL},
	{"PDS-IF-11", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SVC-0", REQ_N, REQ_BOTH, REQ_WIRE},
	{"RUD-SVC-0m", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SVC-1", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SVC-2", REQ_M, REQ_DST, REQ_CONTROL},
	{"RUD-SVC-3", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SVC-3b", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SVC-3c", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SVC-3d", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SVC-3e", REQ_S, REQ_DST, REQ_WIRE},
	{"RUD-SVC-4", REQ_M, REQ_SRC, REQ_CONTROL},
	{"RUD-SVC-5", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SVC-6", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SVC-7", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SVC-8", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SEQ-75", REQ_M, REQ_BOTH, REQ_HALVES},
	{"RUD-SEQ-75a", REQ_M, REQ_BOTH, REQ_WIRE},
	{"RUD-SEQ-75b", REQ_M, REQ_BOTH, REQ_HALVES},
	{"RUD-SEQ-76", REQ_M, REQ_BOTH, REQ_HALVES},
	{"RUD-SEQ-77", REQ_M, REQ_BOTH, REQ_HALVES},
	{"RUD-SEQ-77a", REQ_M, REQ_SRC, REQ_CONTROL},
	{"RUD-SEQ-78", REQ_M, REQ_BOTH, REQ_HALVES},
	{"RUD-SEQ-78a", REQ_N, REQ_DST, REQ_CONTROL},
	{"RUD-SEQ-79", REQ_M, REQ_BOTH, REQ_BY_ROLE},
	{"RUD-SEQ-79a", REQ_M, REQ_SRC, REQ_HALVES},
	{"RUD-SEQ-79b", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SEQ-79c", REQ_S, REQ_SRC, REQ_WIRE},
	{"RUD-SEQ-80", REQ_M, REQ_BOTH, REQ_BY_ROLE},
	{"RUD-SEQ-80o", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SEQ-81", REQ_M, REQ_BOTH, REQ_BY_ROLE},
	{"RUD-SEQ-82", REQ_M, REQ_BOTH, REQ_WIRE},
	{"RUD-SEQ-82a", REQ_M, REQ_SRC, REQ_HALVES},
	{"RUD-SEQ-82b", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SEQ-82c", REQ_M, REQ_BOTH, REQ_WIRE},
	{"RUD-SEQ-83", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-SEQ-84", REQ_M, REQ_BOTH, REQ_HALVES},
	{"RUD-SEQ-84a", REQ_M, REQ_DST, REQ_WIRE},
	{"RUD-SEQ-84b", REQ_M, REQ_BOTH, REQ_WIRE},
	{"RUD-SEQ-84c", REQ_M, REQ_DST, REQ_HALVES},
	{"RUD-LOSS-1", REQ_M, REQ_SRC, REQ_WIRE},
	{"RUD-LOSS-2", REQ_O, REQ_SRC, REQ_WIRE},
	{"RUD-NACK-1", REQ_M, REQ_BOTH, REQ_WIRE},
	/* clang-format on */
};

/*
 * Families are numbered from 01 without a gap.  The counts are minimums: ids
 * are stable, so that a family only grows.
 */
static const struct {
	const char *prefix;
	int first, last;
	enum { ONE_DIGIT, TWO_DIGITS, TWO_HEX } form;
} families[] = {
	/* clang-format off */
	{"UET-ENC-",  1, 51,	   TWO_DIGITS},
	{"UET-PDC-",  1, 51,	   TWO_DIGITS},
	{"UET-ACK-",  1, 37,	   TWO_DIGITS},
	/* Return codes; 0x0c stands for all reserved codes. */
	{"UET-NACK-", 0x01, 0x1a,  TWO_HEX},
	{"UET-NACK-", 0xfd, 0xff,  TWO_HEX},
	{"UET-CP-",   0, 9,	   TWO_DIGITS},
	{"UET-RTX-",  1, 21,	   TWO_DIGITS},
	{"UET-SES-",  1, 39,	   TWO_DIGITS},
	{"SRD-",      1, 55,	   TWO_DIGITS},
	{"DER-",      1, 6,	   ONE_DIGIT},
	{"WQE-",      1, 16,	   TWO_DIGITS},
	{"WQE-",      20, 42,	   TWO_DIGITS},
	{"WQE-",      50, 53,	   TWO_DIGITS},
	{"ROCE-",     1, 13,	   TWO_DIGITS},
	{"I",	      1, 13,	   ONE_DIGIT},
	/* clang-format on */
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static enum req_id req_test_find(const char *name, enum req_role *role)
{
	return req_find(name, strlen(name), role);
}

static const struct req *req_test_row(const char *id)
{
	enum req_id found = req_test_find(id, NULL);

	if (found == REQ_NONE)
		fail_msg("no row %s", id);
	return req_get(found);
}

static bool starts_with(const char *s, const char *head)
{
	return strncmp(s, head, strlen(head)) == 0;
}

static bool req_test_ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), m = strlen(tail);

	return n >= m && strcmp(s + n - m, tail) == 0;
}

static void req_test_ids_are_unique(void **state)
{
	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		for (int k = 0; k < i; k++)
			assert_string_not_equal(req_get((enum req_id)i)->id,
						req_get((enum req_id)k)->id);
	}
}

static void symbols_agree_with_ids(void **state)
{
	(void)state;
	assert_int_equal(COUNT(symbols), REQ_COUNT);
	for (int i = 0; i < REQ_COUNT; i++) {
		char want[32];

		snprintf(want, sizeof(want), "%s", req_get((enum req_id)i)->id);
		for (char *p = want; (p = strchr(p, '-')) != NULL;)
			*p = '_';
		assert_string_equal(symbols[i], want);
	}
	assert_string_equal(req_get(REQ_RUD_SEQ_76)->id, "RUD-SEQ-76");
	assert_string_equal(req_get(REQ_I13)->id, "I13");
}

/* Reports copy these texts into lines, attributes and JSON without escapes. */
static void assert_plain(const struct req *r, const char *text)
{
	for (const char *p = text; *p; p++) {
		if (*p < ' ' || *p > '~' || *p == '`')
			fail_msg("%s: byte 0x%02x", r->id, (unsigned char)*p);
	}
	if (strstr(text, "  ") || text[0] == ' ' ||
	    req_test_ends_with(text, " "))
		fail_msg("%s: stray space", r->id);
}

static void rows_are_well_formed(void **state)
{
	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);

		assert_plain(r, r->id);
		assert_plain(r, r->statement);
		assert_plain(r, r->source);
		if (!r->source[0])
			fail_msg("%s: no source", r->id);
		if (strlen(r->statement) < 10)
			fail_msg("%s: no statement", r->id);
		if (!req_test_ends_with(r->statement, ".") &&
		    !req_test_ends_with(r->statement, ".)"))
			fail_msg("%s: no full stop", r->id);
		if (strchr(r->id, '/'))
			fail_msg("%s: a slash begins the role", r->id);
	}
}

static void seed_rows_are_as_documented(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(seed_rows); i++) {
		const struct req *r = req_test_row(seed_rows[i].id);

		if (r->level != seed_rows[i].level ||
		    r->role != seed_rows[i].role ||
		    r->seen != seed_rows[i].seen)
			fail_msg("%s is %s/%s/%s", r->id,
				 req_level_name(r->level),
				 req_role_name(r->role),
				 req_seen_name(r->seen));
	}
}

/* seed_rows lists every requirement whose id begins with MODE-, PDS- or RUD-.
 */
static void no_seed_row_is_invented(void **state)
{
	size_t n = 0;

	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		const char *id = req_get((enum req_id)i)->id;

		n += starts_with(id, "MODE-") || starts_with(id, "PDS-") ||
		     starts_with(id, "RUD-");
	}
	assert_int_equal(n, COUNT(seed_rows));
}

/* The other levels fail only with --strict. */
static void a_mandatory_row_fails(void **state)
{
	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		const enum req_id id = (enum req_id)i;

		assert_int_equal(req_fails(id, false),
				 req_get(id)->level == REQ_M);
		assert_true(req_fails(id, true));
	}
}

static void families_are_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(families); i++) {
		for (int n = families[i].first; n <= families[i].last; n++) {
			char id[32];

			if (families[i].form == TWO_HEX)
				snprintf(id, sizeof(id), "%s%02X",
					 families[i].prefix, (unsigned)n);
			else
				snprintf(id, sizeof(id), "%s%0*d",
					 families[i].prefix,
					 1 + (int)families[i].form, n);
			req_test_row(id);
		}
	}
}

static enum req_level srd_level(int n)
{
	switch (n) {
	case 9:
	case 26:
	case 29:
		return REQ_N;
	case 28:
		return REQ_O;
	}
	return REQ_M;
}

static enum req_level wqe_level(int n)
{
	if (n == 41 || n == 42)
		return REQ_O;
	if (n == 33)
		return REQ_S; /* "normally" */
	return n == 28 || n >= 50 ? REQ_N : REQ_M;
}

static void other_levels_are_as_documented(void **state)
{
	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);
		enum req_level want;
		int n;

		if (sscanf(r->id, "SRD-%d", &n) == 1)
			want = srd_level(n);
		else if (sscanf(r->id, "WQE-%d", &n) == 1)
			want = wqe_level(n);
		else if (sscanf(r->id, "DER-%d", &n) == 1 ||
			 sscanf(r->id, "I%d", &n) == 1)
			want = REQ_M;
		else
			continue;
		if (r->level != want)
			fail_msg("%s is %s", r->id, req_level_name(r->level));
	}
}

/* Returns the level that a confidence tag in |source| requires. */
static enum req_level tag_level(const char *source)
{
	if (strstr(source, "[A]") || strstr(source, "[A-]"))
		return REQ_M;
	if (strstr(source, "[C]") || strstr(source, "[?]"))
		return REQ_N;
	return REQ_S;
}

/*
 * Returns true if a reason follows clause and tag, or |source| is another
 * document.
 */
static bool gives_reason(const char *source)
{
	size_t n = strlen(source);

	while (n && source[n - 1] != ']' && source[n - 1] != ')')
		n--;
	return !starts_with(source, "uet.md ") || strpbrk(source + n, ",;");
}

static void uet_levels_follow_their_tags(void **state)
{
	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);

		if (starts_with(r->id, "UET-") &&
		    r->level != tag_level(r->source) &&
		    !gives_reason(r->source))
			fail_msg("%s: %s by \"%s\"", r->id,
				 req_level_name(r->level), r->source);
	}
}

static void each_id_is_found_in_its_roles(void **state)
{
	static const enum req_role roles[] = {REQ_SRC, REQ_DST, REQ_BOTH};

	(void)state;
	for (int i = 0; i < REQ_COUNT; i++) {
		const struct req *r = req_get((enum req_id)i);
		enum req_role role = 0;

		assert_int_equal(req_test_find(r->id, NULL), i);
		assert_int_equal(req_test_find(r->id, &role), i);
		assert_int_equal(role, r->role);
		for (size_t k = 0; k < COUNT(roles); k++) {
			bool legal = (roles[k] & r->role) == roles[k];
			char name[48];

			snprintf(name, sizeof(name), "%s/%s", r->id,
				 req_role_name(roles[k]));
			role = 0;
			assert_int_equal(req_test_find(name, &role),
					 legal ? i : (int)REQ_NONE);
			assert_int_equal(role, legal ? (int)roles[k] : 0);
			assert_int_equal(req_test_find(name, NULL), REQ_NONE);
		}
	}
}

static void req_test_others_are_refused(void **state)
{
	static const char *const names[] = {
		"",
		"/",
		"/dst",
		"RUD",
		"RUD-SEQ-7",
		"RUD-SEQ-76x",
		"rud-seq-76",
		"RUD_SEQ_76",
		" RUD-SEQ-76",
		"RUD-SEQ-76/",
		"RUD-SEQ-76/d",
		"RUD-SEQ-76/dsts",
		"RUD-SEQ-76/DST",
		"RUD-SEQ-76/dst/src",
		"RUD-SEQ-76/unknown",
		"RUD-SEQ-99",
		"MODE-RUD-1/src",
		"MODE-RUD-1/both",
		"RUD-SEQ-83/dst",
		"I1-",
		"I14",
		"WQE-17",
		"UET-NACK-0d",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		enum req_role role = 0;

		if (req_test_find(names[i], &role) != REQ_NONE || role != 0)
			fail_msg("\"%s\" was found", names[i]);
		if (req_test_find(names[i], NULL) != REQ_NONE)
			fail_msg("\"%s\" was found", names[i]);
	}
}

/* A name has |len| bytes; req_find() does not read the bytes after them. */
static void length_ends_the_name(void **state)
{
	const char line[] = "RUD-SEQ-76/dst, more";
	enum req_role role = 0;

	(void)state;
	assert_int_equal(req_find(line, 14, &role), REQ_RUD_SEQ_76);
	assert_int_equal(role, REQ_DST);
	assert_int_equal(req_find(line, 10, &role), REQ_RUD_SEQ_76);
	assert_int_equal(role, REQ_BOTH);
	assert_int_equal(req_find(line, 10, NULL), REQ_RUD_SEQ_76);
	assert_int_equal(req_find(line, 9, NULL), REQ_NONE);
	assert_int_equal(req_find(line, 13, &role), REQ_NONE);
	assert_int_equal(role, REQ_BOTH);
}

static void names_are_spelt_right(void **state)
{
	(void)state;
	assert_string_equal(req_level_name(REQ_M), "M");
	assert_string_equal(req_level_name(REQ_S), "S");
	assert_string_equal(req_level_name(REQ_O), "O");
	assert_string_equal(req_level_name(REQ_N), "N");
	assert_string_equal(req_level_name(REQ_I), "I");
	assert_string_equal(req_role_name(REQ_SRC), "src");
	assert_string_equal(req_role_name(REQ_DST), "dst");
	assert_string_equal(req_role_name(REQ_BOTH), "both");
	assert_string_equal(req_seen_name(REQ_WIRE), "wire");
	assert_string_equal(req_seen_name(REQ_CONTROL), "control");
	assert_string_equal(req_seen_name(REQ_HALVES), "both");
}

/* No citation names a seed by its number or a sheet by its short name. */
static void citations_can_be_looked_up(void **state)
{
	char buf[REQ_CITATION_MAX];

	(void)state;
	assert_string_equal(req_citation(REQ_RUD_SEQ_76, buf),
			    "UET 1.0.1 3.5.20.2.2, figure 3-76");
	assert_string_equal(req_citation(REQ_UET_ENC_03, buf),
			    "UET 1.0.1 3.5.10.1");
	assert_string_equal(req_citation(REQ_SRD_17, buf),
			    "SRD Transport QP type (AWS), section 1");
	for (int i = 0; i < REQ_COUNT; i++) {
		req_citation((enum req_id)i, buf);
		assert_true(strncmp(buf, "UET 1.0.1 ", 10) == 0 ||
			    strncmp(buf, "SRD Tr", 6) == 0 ||
			    strncmp(buf, "Patent", 6) == 0 ||
			    strncmp(buf, "docs/spec/", 10) == 0);
		assert_true(strlen(buf) < REQ_CITATION_MAX - 1);
		assert_null(strpbrk(buf, "[];"));
	}
}

/* The source's part is seen by its control channel, the other on the wire. */
static void what_is_seen_goes_by_role(void **state)
{
	(void)state;
	assert_int_equal(req_seen_of(REQ_RUD_SEQ_79, REQ_DST), REQ_WIRE);
	assert_int_equal(req_seen_of(REQ_RUD_SEQ_79, REQ_SRC), REQ_CONTROL);
	assert_int_equal(req_seen_of(REQ_SRD_02, REQ_DST), REQ_WIRE);
	assert_int_equal(req_seen_of(REQ_SRD_02, REQ_SRC), REQ_WIRE);
}

static void prefixes_name_the_family(void **state)
{
	(void)state;
	assert_int_equal(judge_req_family(REQ_RUD_SEQ_79), FAMILY_UET);
	assert_int_equal(judge_req_family(REQ_SRD_02), FAMILY_SRD);
	assert_int_equal(judge_req_family(REQ_DER_1), FAMILY_SRD);
	assert_int_equal(judge_req_family(REQ_WQE_23), FAMILY_WQE);
	assert_int_equal(judge_req_family(REQ_ROCE_10), FAMILY_ROCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_seen_goes_by_role),
		cmocka_unit_test(prefixes_name_the_family),
		cmocka_unit_test(req_test_ids_are_unique),
		cmocka_unit_test(symbols_agree_with_ids),
		cmocka_unit_test(rows_are_well_formed),
		cmocka_unit_test(seed_rows_are_as_documented),
		cmocka_unit_test(no_seed_row_is_invented),
		cmocka_unit_test(a_mandatory_row_fails),
		cmocka_unit_test(families_are_complete),
		cmocka_unit_test(other_levels_are_as_documented),
		cmocka_unit_test(uet_levels_follow_their_tags),
		cmocka_unit_test(each_id_is_found_in_its_roles),
		cmocka_unit_test(req_test_others_are_refused),
		cmocka_unit_test(length_ends_the_name),
		cmocka_unit_test(names_are_spelt_right),
		cmocka_unit_test(citations_can_be_looked_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
