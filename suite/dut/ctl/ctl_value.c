/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_value.c -- parses the values of keys.
 */
#include "suite/dut/ctl/ctl_value.h"

#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_member.h"
#include "suite/dut/ctl/ctl_table.h"
#include "wire/field.h"

static void list_names(struct text *t, const struct ctl_key *k)
{
	text_puts(t, "one of");
	for (const struct value_name *n = k->names; n->name; n++)
		text_printf(t, "%s \"%s\"", n == k->names ? "" : ",", n->name);
}

void ctl_value_describe(struct text *t, const struct ctl_key *k)
{
	switch (k->type) {
	case KEY_UINT:
		text_printf(t, "an integer from 0 to %llu",
			    (unsigned long long)k->max);
		if (k->max > INT64_MAX)
			text_puts(t, ", or a string \"0x...\"");
		break;
	case KEY_BOOL:
		text_puts(t, "true or false");
		break;
	case KEY_ENUM:
		list_names(t, k);
		break;
	case KEY_ADDR:
		text_puts(t, "an IPv4 or IPv6 address as a string");
		break;
	case KEY_TEXT:
	case KEY_REASON:
		text_puts(t, "a string");
		break;
	case KEY_WORDS:
		text_printf(t, "a list of words, %zu characters at most in all",
			    k->size - 1);
		break;
	case KEY_OBJECT:
		text_printf(t, "an object of at most %zu characters",
			    k->size - 1);
		break;
	case KEY_PKT:
		text_printf(t, "pairs of hexadecimal digits, %zu at most",
			    k->size);
		break;
	}
}

/* "0x1f" of at most 16 digits. */
static bool parse_hex(const char *s, uint64_t *ret)
{
	size_t n = strlen(s);
	uint64_t v = 0;

	if (n < 3 || n > 18 || s[0] != '0' || s[1] != 'x')
		return false;
	for (s += 2; *s; s++) {
		if (text_hex_digit(*s) < 0)
			return false;
		v = v << 4 | (uint64_t)text_hex_digit(*s);
	}
	*ret = v;
	return true;
}

bool ctl_value_uint(const json_t *v, uint64_t max, uint64_t *ret)
{
	uint64_t value;

	if (json_is_integer(v) && json_integer_value(v) >= 0)
		value = (uint64_t)json_integer_value(v);
	else if (!json_is_string(v) || max <= INT64_MAX ||
		 !parse_hex(json_string_value(v), &value))
		return false;
	if (value > max)
		return false;
	*ret = value;
	return true;
}

static bool parse_enum(const struct ctl_key *k, const json_t *v, uint64_t *ret)
{
	const char *s = json_string_value(v);

	return s && !value_parse(k->names, s, strlen(s), ret);
}

void ctl_value_copy(char *dst, size_t size, const char *src)
{
	size_t n = strlen(src);

	if (n >= size)
		for (n = size - 1; n && ((uint8_t)src[n] & 0xc0) == 0x80; n--)
			;
	memcpy(dst, src, n);
	dst[n] = 0;
}

/* A word needs no escapes in JSON. */
static bool ctl_json_is_word(const char *s)
{
	for (const char *c = s; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '"' || *c == '\\')
			return false;
	return *s != 0;
}

static bool parse_words(char *dst, size_t size, const json_t *list)
{
	size_t used = 0;

	if (!json_is_array(list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *w = json_string_value(json_array_get(list, i));
		size_t n = w ? strlen(w) : 0;

		if (!w || !ctl_json_is_word(w) || used + n + 2 > size)
			return false;
		if (i)
			dst[used++] = ' ';
		memcpy(dst + used, w, n);
		used += n;
	}
	dst[used] = 0;
	return true;
}

static bool parse_object(char *dst, size_t size, const json_t *v)
{
	size_t n;

	if (!json_is_object(v))
		return false;
	n = json_dumpb(v, dst, size - 1, JSON_COMPACT);
	if (n == 0 || n > size - 1)
		n = 0;
	dst[n] = 0;
	return n != 0;
}

static bool parse_pkt(struct ctl_req *r, const json_t *v)
{
	const char *s = json_string_value(v);
	size_t n = s ? strlen(s) / 2 : 0;

	if (!s || s[2 * n] || n > sizeof(r->pkt))
		return false;
	for (size_t i = 0; i < n; i++) {
		int hi = text_hex_digit(s[2 * i]),
		    lo = text_hex_digit(s[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		r->pkt[i] = (uint8_t)(hi << 4 | lo);
	}
	r->op.pds.pkt = r->pkt;
	r->op.pds.pkt_len = (uint16_t)n;
	return true;
}

static bool ctl_json_parse_addr(struct ip_addr *ret, const json_t *v)
{
	const char *s = json_string_value(v);

	return s && !ip_addr_parse(ret, s, strlen(s));
}

static bool parse_reason(const struct ctl_reason *reason,
			 const struct ctl_key *k, void *base, const json_t *v)
{
	const char *kept = reason->text;

	if (!json_is_string(v))
		return false;
	ctl_value_copy(reason->text, reason->size, json_string_value(v));
	memcpy((uint8_t *)base + k->at, &kept, sizeof(kept));
	return true;
}

static bool ctl_json_parse_number(const struct ctl_key *k, void *base,
				  const json_t *v)
{
	uint64_t value;

	if (k->type == KEY_ENUM) {
		if (!parse_enum(k, v, &value))
			return false;
	} else if (k->type == KEY_BOOL) {
		if (!json_is_boolean(v))
			return false;
		value = json_is_true(v);
	} else if (!ctl_value_uint(v, k->max, &value)) {
		return false;
	}
	ctl_member_store(k, base, value);
	return true;
}

static bool ctl_json_parse_text(char *dst, size_t size, const json_t *v)
{
	if (!json_is_string(v))
		return false;
	ctl_value_copy(dst, size, json_string_value(v));
	return true;
}

bool ctl_value_parse(const struct ctl_reason *reason, const struct ctl_key *k,
		     void *base, const json_t *v)
{
	void *member = (uint8_t *)base + k->at;

	switch (k->type) {
	case KEY_UINT:
	case KEY_BOOL:
	case KEY_ENUM:
		return ctl_json_parse_number(k, base, v);
	case KEY_ADDR:
		return ctl_json_parse_addr(member, v);
	case KEY_TEXT:
		return ctl_json_parse_text(member, k->size, v);
	case KEY_WORDS:
		return parse_words(member, k->size, v);
	case KEY_OBJECT:
		return parse_object(member, k->size, v);
	case KEY_PKT:
		return parse_pkt(base, v);
	case KEY_REASON:
		return parse_reason(reason, k, base, v);
	}
	return false;
}
