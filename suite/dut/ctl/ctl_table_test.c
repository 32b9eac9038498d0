/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_table_test.c -- compares the tables of the control channel
 * with docs/dut-control.md, row by row.
 *
 * The document has an item for each key: its names, the verbs that carry it
 * ("of: ..."), and its type.  "**must**" marks verbs that require the key.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "oracle/event.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/dut/ctl/ctl_words.h"

#define DOC "docs/dut-control.md"

/* An item of the document; a part that it lacks is "". */
struct ctl_doc_item {
	char keys[256]; /* its first line */
	char of[1024];
	char type[512];
	char text[4096]; /* all lines, joined */
	bool event;      /* it is in the section of the events */
};

static struct ctl_doc_item items[128];
static size_t nitems;

static void ctl_doc_append(char *to, size_t size, const char *line)
{
	const size_t have = strlen(to);

	line += strspn(line, " ");
	snprintf(to + have, size - have, "%s%s", have ? " " : "", line);
}

/* Reads a line; |part| is the part of the item that a wrapped line continues.
 */
static void ctl_doc_read_line(struct ctl_doc_item *it, char **part,
			      const char *line)
{
	ctl_doc_append(it->text, sizeof(it->text), line);
	if (strncmp(line, "  * of: ", 8) == 0) {
		*part = it->of;
		ctl_doc_append(it->of, sizeof(it->of), line + 8);
	} else if (strncmp(line, "  * type: ", 10) == 0) {
		*part = it->type;
		ctl_doc_append(it->type, sizeof(it->type), line + 10);
	} else if (strncmp(line, "  * ", 4) == 0) {
		*part = NULL;
	} else if (*part == it->of) {
		ctl_doc_append(it->of, sizeof(it->of), line);
	} else if (*part == it->type) {
		ctl_doc_append(it->type, sizeof(it->type), line);
	}
}

static int ctl_doc_read(void **state)
{
	FILE *f = fopen(DOC, "r");
	struct ctl_doc_item *it = NULL;
	bool event = false;
	char *part = NULL;
	char line[1024];

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "## ", 3) == 0)
			event = strcmp(line, "## Events") == 0;
		if (strncmp(line, "* `", 3) == 0) {
			assert_true(nitems < sizeof(items) / sizeof(items[0]));
			it = &items[nitems++];
			it->event = event;
			ctl_doc_append(it->keys, sizeof(it->keys), line);
			ctl_doc_append(it->text, sizeof(it->text), line);
			part = NULL;
		} else if (it && strncmp(line, "  ", 2) == 0) {
			ctl_doc_read_line(it, &part, line);
		} else {
			it = NULL;
		}
	}
	fclose(f);
	assert_true(nitems > 60);
	return 0;
}

/* Returns true if the first |len| bytes of |s| have |word| in backticks. */
static bool ctl_doc_has_in(const char *s, size_t len, const char *word)
{
	char ticked[128];
	const char *at;

	snprintf(ticked, sizeof(ticked), "`%s`", word);
	at = strstr(s, ticked);
	return at && (size_t)(at - s) < len;
}

static bool ctl_doc_has(const char *s, const char *word)
{
	return ctl_doc_has_in(s, strlen(s), word);
}

/* The document abbreviates ses_pds_tx_req to tx_req, and so on. */
static const char *ctl_doc_short(const char *verb)
{
	return strncmp(verb, "ses_pds_", 8) == 0 ? verb + 8 : verb;
}

/* Returns true if an item is about a key of the verb; *ret_must: required. */
static bool ctl_doc_is_of(const struct ctl_doc_item *it, const char *verb,
			  bool *ret_must)
{
	const char *s = it->of;

	*ret_must = strstr(it->type, "**must**") != NULL;
	while (*s) {
		const size_t len = strcspn(s, ";");
		const char *must = strstr(s, "**must**");

		if (ctl_doc_has_in(s, len, verb) ||
		    ctl_doc_has_in(s, len, ctl_doc_short(verb))) {
			*ret_must |= must && (size_t)(must - s) < len;
			return true;
		}
		s += len + (s[len] != '\0');
	}
	return false;
}

static const char *ctl_doc_range(uint64_t max)
{
	static char text[32];

	if (max == UINT64_MAX)
		return "0 … 2^64 − 1";
	if (max == INT64_MAX)
		return "0 … 2^63 − 1";
	if (max == UINT32_MAX)
		return "0 … 2^32 − 1";
	if (max == 0xffffff)
		return "0 … 2^24 − 1";
	snprintf(text, sizeof(text), "0 … %u", (unsigned)max);
	return text;
}

static bool ctl_doc_names_all(const struct ctl_doc_item *it,
			      const struct value_name *names)
{
	for (; names->name; names++) {
		char quoted[64];

		snprintf(quoted, sizeof(quoted), "\"%s\"", names->name);
		if (!ctl_doc_has(it->text, names->name) &&
		    !ctl_doc_has(it->text, quoted))
			return false;
	}
	return true;
}

static bool ctl_doc_type_is(const struct ctl_doc_item *it,
			    const struct ctl_key *k)
{
	switch (k->type) {
	case KEY_UINT:
		return strncmp(it->type, ctl_doc_range(k->max),
			       strlen(ctl_doc_range(k->max))) == 0;
	case KEY_BOOL:
		return strncmp(it->type, "boolean", 7) == 0;
	case KEY_ENUM:
		return ctl_doc_names_all(it, k->names);
	case KEY_WORDS:
		return strncmp(it->type, "list of words", 13) == 0;
	case KEY_OBJECT:
		return strncmp(it->type, "object", 6) == 0;
	default:
		return strncmp(it->type, "string", 6) == 0;
	}
}

static void ctl_doc_check_key(const struct ctl_key *k, const char *verb,
			      bool required)
{
	bool must = false;

	for (size_t i = 0; i < nitems; i++) {
		const struct ctl_doc_item *it = &items[i];

		if (it->event || !ctl_doc_has(it->keys, k->name) ||
		    !ctl_doc_is_of(it, verb, &must))
			continue;
		if (must != required)
			fail_msg("%s: `%s` of `%s` %s required", DOC, k->name,
				 verb, required ? "is" : "is not");
		if (!ctl_doc_type_is(it, k))
			fail_msg("%s: `%s` of `%s` has another type", DOC,
				 k->name, verb);
		return;
	}
	fail_msg("%s lacks `%s` of `%s`", DOC, k->name, verb);
}

static void request_keys_are_documented(void **state)
{
	(void)state;
	for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++) {
		const uint32_t bit = ctl_verb_bit(v);

		for (const struct ctl_key *k = ctl_req_keys; k->name; k++)
			if (k->in & bit)
				ctl_doc_check_key(k, v->name, k->must & bit);
	}
}

static bool ctl_doc_takes(const struct ctl_verb_row *v, const char *keys)
{
	for (const struct ctl_key *k = ctl_req_keys; k->name; k++)
		if (k->in & ctl_verb_bit(v) && ctl_doc_has(keys, k->name))
			return true;
	return false;
}

/* Every verb that an item names takes one of its keys. */
static void documented_keys_exist(void **state)
{
	bool must;

	(void)state;
	for (size_t i = 0; i < nitems; i++)
		for (const struct ctl_verb_row *v = ctl_verb_rows; v->name; v++)
			if (ctl_doc_is_of(&items[i], v->name, &must) &&
			    !ctl_doc_takes(v, items[i].keys))
				fail_msg("%s: %s does not take %s", DOC,
					 v->name, items[i].keys);
}

/* Finds the item of an event, or of a key of events; fails if there is none. */
static const struct ctl_doc_item *ctl_doc_event(const char *name,
						const struct ctl_key *k)
{
	for (size_t i = 0; i < nitems; i++)
		if (items[i].event && ctl_doc_has(items[i].keys, name) &&
		    (!k || (items[i].type[0] && ctl_doc_type_is(&items[i], k))))
			return &items[i];
	fail_msg("%s lacks `%s` of events, or it has another type", DOC, name);
	return NULL;
}

static void event_keys_are_documented(void **state)
{
	(void)state;
	for (const struct ctl_key *k = ctl_event_keys; k->name; k++) {
		if (k->names != ctl_statuses)
			ctl_doc_event(k->name, k);
		for (const struct value_name *e = ctl_events; e->name; e++) {
			const struct ctl_doc_item *it =
				ctl_doc_event(e->name, NULL);
			const bool must = ctl_doc_has(it->text, k->name) &&
					  strstr(it->text, "**must**");

			if (!(k->in >> e->value & 1))
				continue;
			if (must != ((k->must >> e->value & 1) != 0))
				fail_msg("%s: `%s` of `%s`: **must**", DOC,
					 k->name, e->name);
		}
	}
}

/* The statuses are in two items: of operations, and of WRs. */
static void statuses_are_documented(void **state)
{
	(void)state;
	for (const struct value_name *s = ctl_statuses; s->name; s++) {
		char quoted[64];
		bool found = false;

		snprintf(quoted, sizeof(quoted), "\"%s\"", s->name);
		for (size_t i = 0; i < nitems; i++)
			found |= items[i].event &&
				 ctl_doc_has(items[i].keys, "status") &&
				 ctl_doc_has(items[i].type, quoted);
		if (!found)
			fail_msg("%s lacks the status %s", DOC, quoted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(request_keys_are_documented),
		cmocka_unit_test(documented_keys_exist),
		cmocka_unit_test(event_keys_are_documented),
		cmocka_unit_test(statuses_are_documented),
	};

	return cmocka_run_group_tests(tests, ctl_doc_read, NULL);
}
