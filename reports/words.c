/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/words.c -- shortens lines of the control channel to a few words, and
 * quotes words for the shell.
 */
#include "reports/words.h"

#include <jansson.h>
#include <string.h>

#include "reports/safe.h"

#define VALUE_MAX 48 /* characters of one value; longer ones are cut */

static bool words_leads(const char *key)
{
	return !strcmp(key, "verb") || !strcmp(key, "event") ||
	       !strcmp(key, "error") || !strcmp(key, "ok");
}

static bool unsaid(const char *key)
{
	return !strcmp(key, "id") || !strcmp(key, "peer");
}

/*
 * Returns true for members by which a reader follows an event; the rest needs
 * -v. A handle is useful if it is that of an operation that the case posted.
 */
static bool tells(const char *event, const char *key)
{
	static const char *const keys[] = {
		"msg_id", "status", "reason", "len", "nack_code", "state",
	};

	if (strcmp(key, "handle") == 0)
		return strcmp(event, "completion") == 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

static void put_cut(struct text *t, const char *s)
{
	size_t len = strlen(s);

	safe_add(t, s, len > VALUE_MAX ? VALUE_MAX : len);
	if (len > VALUE_MAX)
		text_puts(t, "...");
}

static int append_json(const char *s, size_t len, void *ctx)
{
	text_add(ctx, s, len);
	return 0;
}

static void put_value(struct text *t, const json_t *v)
{
	struct text s = {0};
	int bad;

	if (json_is_string(v)) {
		put_cut(t, json_string_value(v));
		return;
	}
	bad = json_dump_callback(v, append_json, &s,
				 JSON_COMPACT | JSON_ENCODE_ANY);
	put_cut(t, bad ? "?" : text_cstr(&s));
	text_free(&s);
}

/*
 * Writes the word that starts the line.  Return: true if it is more than "ok".
 */
static bool words_put_lead(struct text *t, const json_t *o)
{
	const char *word = json_string_value(json_object_get(o, "verb"));
	const json_t *error = json_object_get(o, "error");

	if (!word)
		word = json_string_value(json_object_get(o, "event"));
	if (word) {
		put_cut(t, word);
	} else if (error) {
		text_puts(t, "error ");
		put_value(t, error);
	} else {
		text_puts(t, json_is_true(json_object_get(o, "ok")) ? "ok"
								    : "not ok");
	}
	return word || error || !json_is_true(json_object_get(o, "ok"));
}

bool words_control(struct text *t, const char *line, bool brief)
{
	json_t *o = json_loads(line, 0, NULL), *v;
	const char *key, *event;
	bool more;

	if (!json_is_object(o)) {
		json_decref(o);
		safe_puts(t, line);
		return true;
	}
	event = json_string_value(json_object_get(o, "event"));
	more = words_put_lead(t, o);
	json_object_foreach(o, key, v)
	{
		if (words_leads(key) || unsaid(key) ||
		    (brief && event && !tells(event, key)))
			continue;
		text_puts(t, " ");
		put_cut(t, key);
		text_puts(t, "=");
		put_value(t, v);
		more = true;
	}
	json_decref(o);
	return more;
}

void words_shell(struct text *t, const char *s)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789:,.=/@_-";

	if (*s && !s[strspn(s, plain)]) {
		text_puts(t, s);
		return;
	}
	text_puts(t, "'");
	for (; *s; s++) {
		if (*s == '\'')
			text_puts(t, "'\\''");
		else
			text_add(t, s, 1);
	}
	text_puts(t, "'");
}
