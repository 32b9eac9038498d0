/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_words_test.c -- docs/case-language.md has every word of
 * the parser's tables in its grammar.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suite/dut/ctl/ctl_table.h"
#include "suite/lang/case_head.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/line/case_step.h"
#include "suite/lang/line/case_which.h"
#include "suite/lang/line/case_words.h"
#include "suite/lang/rung/case_rung.h"
#include "suite/lang/rung/rung_body.h"
#include "suite/lang/rung/rung_word.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"

#define DOC "docs/case-language.md"

/* Returns the text of the grammar, between its fences. */
static char *grammar_of(char *text)
{
	char *begin = strstr(text, "```ebnf\n"), *end;

	assert_non_null(begin);
	begin += strlen("```ebnf\n");
	end = strstr(begin, "```");
	assert_non_null(end);
	*end = 0;
	return begin;
}

static const char *grammar(void)
{
	static char text[1 << 17];
	static char *found;
	FILE *f;
	size_t n;

	if (found)
		return found;
	f = fopen(DOC, "rb");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = 0;
	found = grammar_of(text);
	return found;
}

/* Returns how often the grammar has the quoted word. */
static unsigned grammar_count(const char *word)
{
	const char *at = grammar();
	char quoted[80];
	unsigned n = 0;

	snprintf(quoted, sizeof(quoted), "\"%s\"", word);
	while ((at = strstr(at, quoted))) {
		at += strlen(quoted);
		n++;
	}
	return n;
}

static unsigned missing;

static void grammar_check_word(const char *word)
{
	if (grammar_count(word))
		return;
	print_message("%s lacks \"%s\"\n", DOC, word);
	missing++;
}

static void grammar_check_words(const char *const *words)
{
	for (; *words; words++)
		grammar_check_word(*words);
}

static void grammar_check_values(const struct value_name *values)
{
	for (; values->name; values++)
		grammar_check_word(values->name);
}

static void grammar_check_keys(const struct param_key *keys)
{
	for (; keys->name; keys++) {
		grammar_check_word(keys->name);
		if (keys->kind == KEY_WORD)
			grammar_check_values(keys->names);
	}
}

static void grammar_check_all(const char *(*word)(size_t n))
{
	for (size_t i = 0; word(i); i++)
		grammar_check_word(word(i));
}

static void lines_and_modifiers_are_in_the_grammar(void **state)
{
	(void)state;
	missing = 0;
	grammar_check_all(parse_head_word);
	grammar_check_all(parse_line_word);
	grammar_check_all(parse_which_word);
	grammar_check_all(lex_span_word);
	grammar_check_words(modifier_words);
	for (int i = 0; i < FAMILIES; i++)
		grammar_check_word(family_name((enum family)i));
	assert_int_equal(missing, 0);
}

static void packets_of_all_families_are_in_the_grammar(void **state)
{
	(void)state;
	missing = 0;
	grammar_check_values(pds_types);
	grammar_check_values(ib_opcodes);
	grammar_check_words(ses_words);
	grammar_check_words(body_words);
	assert_int_equal(missing, 0);
}

static void verbs_and_keys_are_in_the_grammar(void **state)
{
	(void)state;
	missing = 0;
	grammar_check_words(ctl_posted_verbs);
	grammar_check_words(respond_verbs);
	grammar_check_words(report_words);
	grammar_check_keys(post_keys);
	grammar_check_keys(configure_keys);
	grammar_check_keys(respond_keys);
	grammar_check_keys(report_keys);
	assert_int_equal(missing, 0);
}

static void a_word_that_is_not_there_is_noticed(void **state)
{
	(void)state;
	assert_int_equal(grammar_count("telepathy"), 0);
	assert_int_equal(grammar_count("rud_req"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_modifiers_are_in_the_grammar),
		cmocka_unit_test(packets_of_all_families_are_in_the_grammar),
		cmocka_unit_test(verbs_and_keys_are_in_the_grammar),
		cmocka_unit_test(a_word_that_is_not_there_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
