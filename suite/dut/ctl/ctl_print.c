/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_print.c -- prints the messages of the control channel as
 * JSON lines.
 */
#include "suite/dut/ctl/ctl_print.h"

#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_member.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/dut/ctl/ctl_words.h"
#include "wire/field.h"

static int ctl_json_append(const char *s, size_t len, void *ctx)
{
	text_add(ctx, s, len);
	return 0;
}

/* Prints a string; bytes that are not UTF-8 become question marks. */
static void print_string(struct text *t, const char *s)
{
	size_t len = strlen(s);
	json_t *j = json_stringn(s, len);

	if (j) {
		json_dump_callback(j, ctl_json_append, t, JSON_ENCODE_ANY);
		json_decref(j);
		return;
	}
	text_puts(t, "\"");
	for (size_t i = 0; i < len; i++)
		if (s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\')
			text_add(t, &s[i], 1);
		else
			text_puts(t, "?");
	text_puts(t, "\"");
}

static void print_words(struct text *t, const char *words)
{
	const char *comma = "";

	text_puts(t, "[");
	for (const char *w = words; *w;) {
		size_t n = strcspn(w, " ");

		text_printf(t, "%s\"%.*s\"", comma, (int)n, w);
		comma = ",";
		w += n + strspn(w + n, " ");
	}
	text_puts(t, "]");
}

static void print_pkt(struct text *t, const struct ctl_req *r)
{
	static const char digit[] = "0123456789abcdef";

	text_puts(t, "\"");
	for (size_t i = 0; i < r->op.pds.pkt_len; i++) {
		uint8_t b = r->op.pds.pkt[i];
		const char pair[2] = {digit[b >> 4], digit[b & 15]};

		text_add(t, pair, sizeof(pair));
	}
	text_puts(t, "\"");
}

static void print_uint(struct text *t, uint64_t value)
{
	if (value > INT64_MAX)
		text_printf(t, "\"0x%llx\"", (unsigned long long)value);
	else
		text_u64(t, value);
}

static void print_addr(struct text *t, const struct ip_addr *a)
{
	char s[IP_ADDR_TEXT];

	ip_addr_print(a, s);
	text_printf(t, "\"%s\"", s);
}

/* Returns the reason of an event, or NULL if it has none. */
static const char *reason_of(const struct ctl_key *k, const void *base)
{
	const char *s;

	memcpy(&s, (const uint8_t *)base + k->at, sizeof(s));
	return s;
}

/* A member that is zero, empty or NULL is not printed. */
static bool is_empty(const struct ctl_key *k, const void *base)
{
	const uint8_t *p = (const uint8_t *)base + k->at;

	switch (k->type) {
	case KEY_UINT:
	case KEY_BOOL:
	case KEY_ENUM:
		return ctl_member_load(k, base) == 0;
	case KEY_PKT:
		return ((const struct ctl_req *)base)->op.pds.pkt_len == 0;
	case KEY_REASON:
		return !reason_of(k, base);
	default: /* the length of an address, the first character of a text */
		return *p == 0;
	}
}

static const char *enum_name(const struct ctl_key *k, uint64_t value)
{
	const char *name = value_find(k->names, value);

	if (name)
		return name;
	return "unknown";
}

static void ctl_json_print_value(struct text *t, const struct ctl_key *k,
				 const void *base)
{
	const void *member = (const uint8_t *)base + k->at;

	switch (k->type) {
	case KEY_UINT:
		print_uint(t, ctl_member_load(k, base));
		break;
	case KEY_BOOL:
		text_puts(t, ctl_member_load(k, base) ? "true" : "false");
		break;
	case KEY_ENUM:
		text_puts(t, "\"");
		text_puts(t, enum_name(k, ctl_member_load(k, base)));
		text_puts(t, "\"");
		break;
	case KEY_ADDR:
		print_addr(t, member);
		break;
	case KEY_TEXT:
		print_string(t, member);
		break;
	case KEY_WORDS:
		print_words(t, member);
		break;
	case KEY_OBJECT:
		text_puts(t, member);
		break;
	case KEY_PKT:
		print_pkt(t, base);
		break;
	case KEY_REASON:
		print_string(t, reason_of(k, base));
		break;
	}
}

static void print_keys(struct text *t, const struct ctl_key *keys,
		       const void *base, uint32_t bit)
{
	for (const struct ctl_key *k = keys; k->name; k++) {
		if (!(k->in & bit))
			continue;
		if (!(k->must & bit) && is_empty(k, base))
			continue;
		text_puts(t, ",\"");
		text_puts(t, k->name);
		text_puts(t, "\":");
		ctl_json_print_value(t, k, base);
	}
}

static void print_version(struct text *t, const struct ctl_req *r)
{
	uint32_t version = r->version ? r->version : CTL_VERSION;

	text_printf(t, ",\"version\":%u", version);
}

void ctl_req_print(struct text *t, const struct ctl_req *r)
{
	const struct ctl_verb_row *v = ctl_req_verb(r);

	text_puts(t, "{\"id\":");
	print_uint(t, r->id);
	text_puts(t, ",\"verb\":");
	print_string(t, v ? v->name : r->name);
	if (v && v->verb == CTL_HELLO)
		print_version(t, r);
	else if (v)
		print_keys(t, ctl_req_keys, r, ctl_verb_bit(v));
	text_puts(t, "}\n");
}

void ctl_ans_print(struct text *t, const struct ctl_ans *a)
{
	text_puts(t, "{\"id\":");
	print_uint(t, a->id);
	if (a->ok) {
		print_keys(t, ctl_ans_keys, a, 1);
	} else {
		text_puts(t, ",\"error\":");
		print_string(t, a->error[0] ? a->error : "failed");
	}
	text_puts(t, "}\n");
}

void ctl_event_print(struct text *t, const struct orc_event *ev)
{
	text_puts(t, "{\"event\":\"");
	text_puts(t, ctl_event_name(ev->kind));
	text_puts(t, "\"");
	print_keys(t, ctl_event_keys, ev, 1u << ev->kind);
	text_puts(t, "}\n");
}

void ctl_token_print(struct text *t, const char *token)
{
	text_puts(t, "{\"token\":");
	print_string(t, token);
	text_puts(t, "}\n");
}
