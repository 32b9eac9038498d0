/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_parse.c -- parses the messages of the control channel from
 * JSON lines.
 */
#include "suite/dut/ctl/ctl_parse.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/text.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/dut/ctl/ctl_value.h"
#include "suite/dut/ctl/ctl_words.h"
#include "wire/field.h"

struct ctl_json_reader {
	const char *line;
	size_t len;
	struct diag *diag;
	struct ctl_reason reason; /* destination for the reason of an event */
};

/* Column of "key" in the line, or 1. */
static unsigned column_of(const struct ctl_json_reader *r, const char *key)
{
	size_t n = strlen(key);

	for (size_t i = 0; i + n + 2 <= r->len; i++)
		if (r->line[i] == '"' && !memcmp(r->line + i + 1, key, n) &&
		    r->line[i + 1 + n] == '"')
			return (unsigned)i + 1;
	return 1;
}

static int ctl_json_say(const struct ctl_json_reader *r, unsigned col,
			const char *text)
{
	char head[sizeof(r->diag->source)];
	size_t n = r->len < sizeof(head) - 1 ? r->len : sizeof(head) - 1;

	for (size_t i = 0; i < n; i++)
		head[i] = r->line[i] ? r->line[i] : '?';
	head[n] = 0;
	return diag_set(r->diag, "control", 0, col, head, "%s", text);
}

__attribute__((format(printf, 3, 4))) static int
refuse(const struct ctl_json_reader *r, const char *key, const char *fmt, ...)
{
	char text[sizeof(r->diag->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return ctl_json_say(r, column_of(r, key), text);
}

static int refuse_value(const struct ctl_json_reader *r,
			const struct ctl_key *k)
{
	struct text t = {0};
	int err;

	ctl_value_describe(&t, k);
	err = refuse(r, k->name, "\"%s\": expected %s", k->name, text_cstr(&t));
	text_free(&t);
	return err;
}

/* Parses all keys of the table that the object has. */
static int parse_keys(const struct ctl_json_reader *r,
		      const struct ctl_key *keys, void *base, uint32_t bit,
		      const json_t *o)
{
	for (const struct ctl_key *k = keys; k->name; k++) {
		const json_t *v;

		if (!(k->in & bit))
			continue;
		v = json_object_get(o, k->name);
		if (!v && !(k->must & bit))
			continue;
		if (!v || !ctl_value_parse(&r->reason, k, base, v))
			return refuse_value(r, k);
	}
	return 0;
}

static int refuse_key(const struct ctl_json_reader *r, const char *name,
		      const struct ctl_verb_row *v)
{
	struct text t = {0};
	const uint32_t bit = ctl_verb_bit(v);
	int err;

	text_puts(&t, "id, verb");
	for (const struct ctl_key *k = ctl_req_keys; k->name; k++)
		if (k->in & bit)
			text_printf(&t, ", %s", k->name);
	err = refuse(r, name, "\"%.40s\" is no key of \"%s\"; expected %s",
		     name, v->name, text_cstr(&t));
	text_free(&t);
	return err;
}

static bool ctl_json_takes(const struct ctl_verb_row *v, const char *name)
{
	return !strcmp(name, "id") || !strcmp(name, "verb") ||
	       ctl_req_key(v, name);
}

static int check_keys(const struct ctl_json_reader *r,
		      const struct ctl_verb_row *v, json_t *o)
{
	for (void *it = json_object_iter(o); it;
	     it = json_object_iter_next(o, it))
		if (!ctl_json_takes(v, json_object_iter_key(it)))
			return refuse_key(r, json_object_iter_key(it), v);
	return 0;
}

/* Parses the line to an object; NULL with the diag filled. */
static json_t *load_object(const struct ctl_json_reader *r, size_t flags,
			   int *ret_err)
{
	json_error_t e;
	json_t *o;

	*ret_err = ERR_SYNTAX;
	if (r->len > CTL_LINE_MAX) {
		refuse(r, "", "a line of %zu bytes; expected %d at most",
		       r->len, CTL_LINE_MAX);
		return NULL;
	}
	o = json_loadb(r->line, r->len, flags, &e);
	if (o && json_is_object(o))
		return o;
	if (!o && json_error_code(&e) == json_error_out_of_memory)
		*ret_err = ERR_NOMEM;
	if (o)
		ctl_json_say(r, 1, "expected a JSON object, {...}");
	else
		ctl_json_say(r, e.position > 0 ? (unsigned)e.position : 1,
			     e.text);
	json_decref(o);
	return NULL;
}

static int parse_id(const struct ctl_json_reader *r, const json_t *o,
		    uint64_t *ret)
{
	const json_t *v = json_object_get(o, "id");

	if (!v || !ctl_value_uint(v, UINT64_MAX, ret))
		return refuse(r, "id", "\"id\": expected an integer from 0 on");
	return 0;
}

static int ctl_json_parse_req(const struct ctl_json_reader *r,
			      struct ctl_req *ret, json_t *o)
{
	const char *name = json_string_value(json_object_get(o, "verb"));
	const struct ctl_verb_row *v;
	int err;

	err = parse_id(r, o, &ret->id);
	if (err)
		return err;
	if (!name)
		return refuse(r, "verb", "\"verb\": expected a string");
	ctl_value_copy(ret->name, sizeof(ret->name), name);
	ret->verb = CTL_UNKNOWN;
	v = ctl_verb_find(name);
	if (!v)
		return 0;
	ret->verb = v->verb;
	ret->op.kind = v->op;
	err = check_keys(r, v, o);
	if (err)
		return err;
	return parse_keys(r, ctl_req_keys, ret, ctl_verb_bit(v), o);
}

int ctl_parse_req(struct ctl_req *ret, const char *line, size_t len,
		  struct diag *diag)
{
	struct ctl_json_reader r = {line, len, diag, {NULL, 0}};
	json_t *o;
	int err;

	memset(ret, 0, sizeof(*ret));
	o = load_object(&r, JSON_REJECT_DUPLICATES, &err);
	if (!o)
		return err;
	err = ctl_json_parse_req(&r, ret, o);
	json_decref(o);
	return err;
}

static int parse_event(const struct ctl_json_reader *r, struct orc_event *ret,
		       const json_t *o, const char *name)
{
	uint64_t kind;

	if (!value_parse(ctl_events, name, strlen(name), &kind)) {
		ret->kind = (enum orc_event_kind)kind;
		return parse_keys(r, ctl_event_keys, ret, 1u << kind, o);
	}
	refuse(r, "event", "\"event\": \"%.40s\" is not known here", name);
	return ERR_SUPPORT;
}

static int parse_ans(const struct ctl_json_reader *r, struct ctl_ans *ret,
		     const json_t *o)
{
	int err = parse_id(r, o, &ret->id);

	if (!err)
		err = parse_keys(r, ctl_ans_keys, ret, 1, o);
	if (err)
		return err;
	if (!ret->ok && !json_object_get(o, "error"))
		return refuse(r, "ok",
			      "expected \"ok\":true or \"error\":\"...\"");
	if (ret->error[0])
		ret->ok = false;
	return 0;
}

int ctl_parse_reply(enum ctl_kind *ret_kind, struct ctl_ans *ret_ans,
		    struct orc_event *ret_event, const char *line, size_t len,
		    struct diag *diag)
{
	struct ctl_json_reader r = {
		line, len, diag, {ret_ans->error, sizeof(ret_ans->error)}};
	const json_t *name;
	json_t *o;
	int err;

	memset(ret_ans, 0, sizeof(*ret_ans));
	memset(ret_event, 0, sizeof(*ret_event));
	o = load_object(&r, 0, &err);
	if (!o)
		return err;
	name = json_object_get(o, "event");
	*ret_kind = name ? CTL_EVENT : CTL_ANSWER;
	if (!name)
		err = parse_ans(&r, ret_ans, o);
	else if (json_is_string(name))
		err = parse_event(&r, ret_event, o, json_string_value(name));
	else
		err = refuse(&r, "event", "\"event\": expected a string");
	json_decref(o);
	return err;
}

/* Compares every character in constant time, against timing attacks. */
static bool same_token(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned differ = na != nb;

	for (size_t i = 0; i < na && nb; i++)
		differ |= (unsigned)(a[i] != b[i % nb]);
	return !differ;
}

bool ctl_token_ok(const char *line, size_t len, const char *token)
{
	struct diag diag = {0};
	struct ctl_json_reader r = {line, len, &diag, {NULL, 0}};
	const char *said;
	json_t *o;
	bool ok;
	int err;

	o = load_object(&r, JSON_REJECT_DUPLICATES, &err);
	if (!o)
		return false;
	said = json_string_value(json_object_get(o, "token"));
	ok = said && same_token(said, token);
	json_decref(o);
	return ok;
}
