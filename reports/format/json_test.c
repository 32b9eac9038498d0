/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/json_test.c -- checks results.json against
 * docs/results.schema.json.
 *
 * A small validator supports the words of JSON Schema that the schema uses, and
 * stops at any other, so that no rule passes unchecked.
 */
#define _POSIX_C_SOURCE 200809L
#include "reports/format/json.h"

#include <regex.h>

#include "reports/fixture_test.h"
#include "reports/golden_test.h"

#define SCHEMA "docs/results.schema.json"

/* ---- The validator ---- */

struct json_report_test_check {
	const json_t *root;
	char why[400]; /* the first error; "" if there is none */
};

typedef void rule_fn(struct json_report_test_check *c, const json_t *schema,
		     const json_t *word, const json_t *v, const char *at);

static void validate(struct json_report_test_check *c, const json_t *schema,
		     const json_t *v, const char *at);

static void json_report_test_wrong(struct json_report_test_check *c,
				   const char *at, const char *what)
{
	if (!*c->why)
		snprintf(c->why, sizeof(c->why), "%s: %s", at, what);
}

static bool has_type(const json_t *v, const char *type)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "object", [JSON_ARRAY] = "array",
		[JSON_STRING] = "string", [JSON_INTEGER] = "integer",
		[JSON_REAL] = "number",   [JSON_TRUE] = "boolean",
		[JSON_FALSE] = "boolean", [JSON_NULL] = "null",
	};

	return !strcmp(names[json_typeof(v)], type);
}

static void rule_type(struct json_report_test_check *c, const json_t *schema,
		      const json_t *word, const json_t *v, const char *at)
{
	bool ok = json_is_string(word) && has_type(v, json_string_value(word));
	const json_t *one;
	size_t i;

	(void)schema;
	json_array_foreach(word, i, one) ok |=
		has_type(v, json_string_value(one));
	if (!ok)
		json_report_test_wrong(c, at, "type");
}

static void rule_const(struct json_report_test_check *c, const json_t *schema,
		       const json_t *word, const json_t *v, const char *at)
{
	(void)schema;
	if (!json_equal(word, v))
		json_report_test_wrong(c, at, "const");
}

static void rule_enum(struct json_report_test_check *c, const json_t *schema,
		      const json_t *word, const json_t *v, const char *at)
{
	const json_t *one;
	size_t i;

	(void)schema;
	json_array_foreach(word, i, one) if (json_equal(one, v)) return;
	json_report_test_wrong(c, at, "enum");
}

static void rule_minimum(struct json_report_test_check *c, const json_t *schema,
			 const json_t *word, const json_t *v, const char *at)
{
	(void)schema;
	if (json_is_integer(v) &&
	    json_integer_value(v) < json_integer_value(word))
		json_report_test_wrong(c, at, "minimum");
}

static void rule_min_length(struct json_report_test_check *c,
			    const json_t *schema, const json_t *word,
			    const json_t *v, const char *at)
{
	(void)schema;
	if (json_is_string(v) &&
	    json_string_length(v) < (size_t)json_integer_value(word))
		json_report_test_wrong(c, at, "minLength");
}

static void rule_pattern(struct json_report_test_check *c, const json_t *schema,
			 const json_t *word, const json_t *v, const char *at)
{
	regex_t re;

	(void)schema;
	if (!json_is_string(v))
		return;
	assert_int_equal(
		regcomp(&re, json_string_value(word), REG_EXTENDED | REG_NOSUB),
		0);
	if (regexec(&re, json_string_value(v), 0, NULL, 0))
		json_report_test_wrong(c, at, "pattern");
	regfree(&re);
}

static void rule_required(struct json_report_test_check *c,
			  const json_t *schema, const json_t *word,
			  const json_t *v, const char *at)
{
	const json_t *name;
	size_t i;

	(void)schema;
	if (!json_is_object(v))
		return;
	json_array_foreach(
		word, i, name) if (!json_object_get(v, json_string_value(name)))
		json_report_test_wrong(c, at, json_string_value(name));
}

static void rule_properties(struct json_report_test_check *c,
			    const json_t *schema, const json_t *word,
			    const json_t *v, const char *at)
{
	const json_t *sub;
	const char *name;

	(void)schema;
	/* the macro needs a non-const object but changes nothing */
	json_object_foreach((json_t *)(uintptr_t)word, name, sub)
	{
		const json_t *member = json_object_get(v, name);
		char path[200];

		snprintf(path, sizeof(path), "%.150s.%.40s", at, name);
		if (member)
			validate(c, sub, member, path);
	}
}

static void rule_additional(struct json_report_test_check *c,
			    const json_t *schema, const json_t *word,
			    const json_t *v, const char *at)
{
	const json_t *known = json_object_get(schema, "properties"), *member;
	const char *name;

	assert_true(json_is_false(word));
	json_object_foreach((json_t *)(uintptr_t)v, name,
			    member) if (!json_object_get(known, name))
		json_report_test_wrong(c, at, name);
}

static void rule_items(struct json_report_test_check *c, const json_t *schema,
		       const json_t *word, const json_t *v, const char *at)
{
	const json_t *item;
	char path[200];
	size_t i;

	(void)schema;
	json_array_foreach(v, i, item)
	{
		snprintf(path, sizeof(path), "%.150s[%zu]", at, i);
		validate(c, word, item, path);
	}
}

static void rule_ref(struct json_report_test_check *c, const json_t *schema,
		     const json_t *word, const json_t *v, const char *at)
{
	static const char prefix[] = "#/definitions/";
	const char *s = json_string_value(word);
	const json_t *all = json_object_get(c->root, "definitions"), *sub;

	(void)schema;
	assert_memory_equal(s, prefix, sizeof(prefix) - 1);
	sub = json_object_get(all, s + sizeof(prefix) - 1);
	assert_non_null(sub);
	validate(c, sub, v, at);
}

static const struct {
	const char *word;
	rule_fn *rule; /* NULL: does not constrain the value */
} rules[] = {
	{"$schema", NULL},
	{"$comment", NULL},
	{"title", NULL},
	{"description", NULL},
	{"definitions", NULL},
	{"$ref", rule_ref},
	{"type", rule_type},
	{"const", rule_const},
	{"enum", rule_enum},
	{"minimum", rule_minimum},
	{"minLength", rule_min_length},
	{"pattern", rule_pattern},
	{"required", rule_required},
	{"properties", rule_properties},
	{"additionalProperties", rule_additional},
	{"items", rule_items},
};

#define NRULES (sizeof(rules) / sizeof(rules[0]))

static void validate(struct json_report_test_check *c, const json_t *schema,
		     const json_t *v, const char *at)
{
	const char *word;
	const json_t *arg;

	assert_true(json_is_object(schema));
	json_object_foreach((json_t *)(uintptr_t)schema, word, arg)
	{
		size_t i = 0;

		while (i < NRULES && strcmp(rules[i].word, word) != 0)
			i++;
		if (i == NRULES)
			fail_msg("the schema says \"%s\": teach it here", word);
		if (rules[i].rule)
			rules[i].rule(c, schema, arg, v, at);
	}
}

static json_t *json_report_test_load(const char *path)
{
	json_error_t error;
	json_t *o = json_load_file(path, 0, &error);

	if (!o)
		fail_msg("%s:%d: %s", path, error.line, error.text);
	return o;
}

static void validate_root(struct json_report_test_check *c, const json_t *v)
{
	json_t *schema = json_report_test_load(SCHEMA);

	*c = (struct json_report_test_check){.root = schema};
	validate(c, schema, v, "results");
	c->root = NULL;
	json_decref(schema);
}

/* ---- Valid files ---- */

static json_t *write_all(bool hostile)
{
	struct about a = *fixture_about();
	struct record r = {0};
	struct summary *s;
	struct text t = {0};
	json_t *o;

	assert_int_equal(summary_new(&s, false), 0);
	fixture_pass(&r);
	assert_int_equal(summary_add(s, &r, "cases/a/capture.pcapng"), 0);
	fixture_fail(&r);
	if (hostile) {
		snprintf(r.reason, sizeof(r.reason), "\xff\xfe\033\"\\");
		snprintf(r.findings[0].text, 8, "\xc3(");
		fixture_finding(&r, (struct rec_finding){.req = REQ_NONE});
		a.seed = UINT64_MAX;
		a.dut = "\xff";
		a.control = "unix:/x";
		r.repeat = 3;
	}
	assert_int_equal(summary_add(s, &r, NULL), 0);
	fixture_loss(&r);
	r.verdict = VERDICT_NA;
	assert_int_equal(summary_add(s, &r, NULL), 0);
	assert_int_equal(json_report(&t, s, &a), 0);
	o = json_loads(text_cstr(&t), 0, NULL);
	assert_non_null(o);
	text_free(&t);
	summary_free(s);
	record_free(&r);
	return o;
}

static void what_is_written_keeps_the_schema(void **state)
{
	struct json_report_test_check c;

	(void)state;
	for (int hostile = 0; hostile < 2; hostile++) {
		json_t *o = write_all(hostile);

		validate_root(&c, o);
		assert_string_equal(c.why, "");
		json_decref(o);
	}
}

static const char *string_at(const json_t *o, const char *name)
{
	return json_string_value(json_object_get(o, name));
}

static void values_are_the_records(void **state)
{
	json_t *o = write_all(false), *k, *f, *q;
	json_int_t sum = 0;
	const char *name;
	json_t *n;

	(void)state;
	k = json_array_get(json_object_get(o, "cases"), 1);
	assert_string_equal(string_at(k, "id"), "uet/rud/send-gtd@target");
	assert_string_equal(string_at(k, "verdict"), "fail");
	assert_string_equal(string_at(k, "kind"), "protocol");
	f = json_array_get(json_object_get(k, "findings"), 0);
	assert_string_equal(string_at(f, "requirement"), "RUD-SEQ-76");
	assert_string_equal(string_at(f, "level"), "M");
	assert_int_equal(json_integer_value(json_object_get(f, "frame")), 4);
	assert_int_equal(json_integer_value(json_object_get(f, "line")), 10);
	json_object_foreach(json_object_get(o, "totals"), name, n) sum +=
		json_integer_value(n);
	assert_int_equal(sum, 3);
	q = json_array_get(json_object_get(o, "requirements"), 0);
	assert_string_equal(string_at(q, "id"), "RUD-SVC-3b");
	assert_string_equal(string_at(q, "verdict"), "na");
	assert_int_equal(json_array_size(json_object_get(q, "cases")), 2);
	json_decref(o);
}

static void equal_runs_give_equal_files(void **state)
{
	json_t *a = write_all(false), *b = write_all(false);
	char *s = json_dumps(a, 0), *t = json_dumps(b, 0);

	(void)state;
	assert_string_equal(s, t);
	free(s);
	free(t);
	json_decref(a);
	json_decref(b);
}

/* ---- Invalid files ---- */

static void broken_files_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{"tests/schema/good.json", ""},
		{"tests/schema/bad-schema.json", "results.schema: const"},
		{"tests/schema/bad-verdict.json",
		 "results.cases[0].verdict: enum"},
		{"tests/schema/bad-member.json", "results.cases[0]: surplus"},
		{"tests/schema/bad-missing.json",
		 "results.cases[0].findings[0]: role"},
		{"tests/schema/bad-frame.json",
		 "results.cases[0].findings[0].frame: minimum"},
		{"tests/schema/bad-type.json", "results.totals.fail: type"},
		{"tests/schema/bad-name.json",
		 "results.cases[0].requirements[0]: pattern"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *o = json_report_test_load(bad[i][0]);
		struct json_report_test_check c;

		validate_root(&c, o);
		assert_string_equal(c.why, bad[i][1]);
		json_decref(o);
	}
}

/* The validator reports every missing required member. */
static void every_missing_member_is_noticed(void **state)
{
	json_t *o = json_report_test_load("tests/schema/good.json"), *required;
	json_t *schema = json_report_test_load(SCHEMA), *name;
	struct json_report_test_check c;
	size_t i;

	(void)state;
	required = json_object_get(schema, "required");
	json_array_foreach(required, i, name)
	{
		json_t *less = json_copy(o);

		json_object_del(less, json_string_value(name));
		validate_root(&c, less);
		assert_true(*c.why);
		json_decref(less);
	}
	json_decref(o);
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_keeps_the_schema),
		cmocka_unit_test(values_are_the_records),
		cmocka_unit_test(equal_runs_give_equal_files),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(every_missing_member_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
