/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/prune_test.c -- tests that a pruned document holds what its reader
 * needs, and that no text passes that a complete parser refuses.
 */
#include "reports/prune.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/rng.h"

static const char *const prune_test_keep[] = {"id", "n", NULL};
static const struct prune_rule prune_test_rules[] = {{"list", prune_test_keep},
						     {NULL, NULL}};

/* Every form of value, in members that are kept, dropped and copied. */
static const char prune_test_rich[] =
	" {\"schema\" : \"x/1\",\n\t\"id\":{\"gone\":[1,{}]},\"list\": [ "
	"{\"gone\":[[],{\"a\":[true,false,null]},\"\\u00e4\\n\"],\"id\":\"a\"},"
	"{}, {\"id\":\"b\",\"n\":-0.5,\"t\":\"\xc3\xa4\xe2\x82\xac\"},7,[8],"
	"{\"n\":123456789012345678,\"m\":\"\\\"\\\\\\/\\b\\f\\r\\t\"}"
	"],\"empty\":[],\"list\":{\"gone\":1}, \"more\":[{\"gone\":0}] }\r\n";

static const struct {
	const char *from, *want; /* NULL: not pruned */
} prune_test_texts[] = {
	{"{}", "{}"},
	{"{\"list\":[]}", "{\"list\":[]}"},
	{"{\"list\":[{\"id\":1,\"x\":[2],\"n\":{\"x\":3}}]}",
	 "{\"list\":[{\"id\":1,\"n\":{\"x\":3}}]}"},
	{"{\"list\":[{\"x\":1},{\"x\":1,\"n\":2}]}",
	 "{\"list\":[{},{\"n\":2}]}"},
	{"{\"id\":{\"x\":1}}", "{\"id\":{\"x\":1}}"},
	{"{\"lis\":[{\"x\":1}]}", "{\"lis\":[{\"x\":1}]}"},
	{"", NULL},
	{"[]", NULL},
	{"{} x", NULL},
	{"{\"list\":[{\"x\":{}", NULL},
	{"{\"list\":[{\"x\":01}]}", NULL},
	{"{\"list\":[{\"x\":1.}]}", NULL},
	{"{\"list\":[{\"x\":truex}]}", NULL},
	{"{\"list\":[{\"x\":1,}]}", NULL},
	{"{\"list\":[1,]}", NULL},
	{"{\"list\":[{\"x\":[1}]}]}", NULL},
	{"{\"list\":[{\"x\":\"\\u12\"}]}", NULL},
	{"{\"list\":[{\"x\":\"\n\"}]}", NULL},
	{"{\"list\":[{\"x\":\"\xff\"}]}", NULL},
	/* JSON that a complete parser has to read */
	{"{\"list\":[{\"x\":1234567890123456789}]}", NULL},
	{"{\"list\":[{\"x\":1e5}]}", NULL},
	{"{\"list\":[{\"x\":\"\\ud83d\\ude00\"}]}", NULL},
	{"{\"list\":[{\"\\u0069d\":1}]}", NULL},
};

static void members_are_dropped(void **state)
{
	const size_t n = sizeof(prune_test_texts) / sizeof(*prune_test_texts);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const char *from = prune_test_texts[i].from;
		const char *want = prune_test_texts[i].want;
		struct text t = {0};
		const bool done =
			prune_json(&t, from, strlen(from), prune_test_rules);

		if (done != (want != NULL))
			fail_msg("%s: %d", from, done);
		if (want)
			assert_string_equal(text_cstr(&t), want);
		text_free(&t);
	}
}

/* Drops the same members of a tree that the rules drop of a text. */
static void prune_test_tree(json_t *root)
{
	json_t *list = json_object_get(root, "list"), *o, *value;
	const char *key;
	size_t i;
	void *next;

	json_array_foreach(list, i, o) json_object_foreach_safe(
		o, next, key,
		value) if (strcmp(key, "id") != 0 && strcmp(key, "n") != 0)
		json_object_del(o, key);
}

/* Return: true if the text was pruned. */
static bool prune_test_one(const char *s, size_t len)
{
	struct text t = {0};
	json_t *want, *got;
	json_error_t e;

	if (!prune_json(&t, s, len, prune_test_rules)) {
		text_free(&t);
		return false;
	}
	want = json_loadb(s, len, 0, &e);
	if (!want)
		fail_msg("%.*s: %s", (int)len, s, e.text);
	got = json_loadb(t.s, t.len, 0, &e);
	prune_test_tree(want);
	if (!json_equal(want, got))
		fail_msg("%.*s became %s", (int)len, s, t.s);
	json_decref(want);
	json_decref(got);
	text_free(&t);
	return true;
}

/* Changes, removes or inserts a byte that matters to JSON. */
static size_t prune_test_change(struct rng *rng, char *s, size_t len)
{
	static const char bytes[] = "{}[]\",:\\u0129-.etrue \n\x80\xc3\xed\xff";
	const size_t at = rng_below(rng, (uint32_t)len);
	const char c = bytes[rng_below(rng, sizeof(bytes))];

	switch (rng_below(rng, 3)) {
	case 0:
		s[at] = c;
		return len;
	case 1:
		memmove(s + at, s + at + 1, len - at - 1);
		return len - 1;
	default:
		memmove(s + at + 1, s + at, len - at);
		s[at] = c;
		return len + 1;
	}
}

static void nothing_passes_that_a_parser_refuses(void **state)
{
	enum { TURNS = 100000, CHANGES = 3, LEN = sizeof(prune_test_rich) - 1 };
	struct rng rng = {.state = 1};
	unsigned passed = 0;

	(void)state;
	assert_true(prune_test_one(prune_test_rich, LEN));
	for (unsigned i = 0; i < TURNS; i++) {
		const unsigned changes = 1 + rng_below(&rng, CHANGES);
		size_t len = LEN;
		/* of that size, so that a sanitizer sees a read behind it */
		char *s = malloc(LEN + CHANGES), *exact;

		assert_non_null(s);
		memcpy(s, prune_test_rich, LEN);
		for (unsigned k = 0; k < changes; k++)
			len = prune_test_change(&rng, s, len);
		exact = realloc(s, len);
		assert_non_null(exact);
		passed += prune_test_one(exact, len);
		free(exact);
	}
	assert_in_range(passed, TURNS / 100, TURNS - TURNS / 100);
}

/* Every text that ends too early is left to the parser. */
static void a_cut_text_is_refused(void **state)
{
	struct text t = {0};

	(void)state;
	for (size_t len = 0; len < sizeof(prune_test_rich) - 3; len++) {
		text_clear(&t);
		assert_false(
			prune_json(&t, prune_test_rich, len, prune_test_rules));
	}
	text_free(&t);
}

static void depth_is_limited(void **state)
{
	(void)state;
	for (unsigned depth = 1; depth < 200; depth++) {
		struct text in = {0}, out = {0};

		text_puts(&in, "{\"list\":[{\"x\":");
		text_fill(&in, '[', depth);
		text_fill(&in, ']', depth);
		text_puts(&in, "}]}");
		assert_int_equal(
			prune_json(&out, in.s, in.len, prune_test_rules),
			depth <= 64);
		text_free(&in);
		text_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_dropped),
		cmocka_unit_test(nothing_passes_that_a_parser_refuses),
		cmocka_unit_test(a_cut_text_is_refused),
		cmocka_unit_test(depth_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
