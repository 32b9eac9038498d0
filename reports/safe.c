/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/safe.c -- makes untrusted texts fit to print.
 *
 * Spec: XML 1.0, 2.2 (characters)
 */
#include "reports/safe.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

void safe_add(struct text *t, const char *s, size_t len)
{
	for (size_t i = 0; i < len;) {
		uint32_t c = 0;
		size_t n = utf8_decode(s + i, len - i, &c);

		if (n && utf8_printable(c)) {
			text_add(t, s + i, n);
			i += n;
			continue;
		}
		for (size_t end = i + (n ? n : 1); i < end; i++)
			text_printf(t, "\\x%02x", (unsigned)(uint8_t)s[i]);
	}
}

void safe_puts(struct text *t, const char *s)
{
	safe_add(t, s, strlen(s));
}

size_t safe_columns(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((uint8_t)s[i] & 0xc0) != 0x80;
	return n;
}

/* Returns how many bytes the first |columns| characters take. */
static size_t safe_bytes_of(const char *s, size_t columns)
{
	size_t i = 0;

	while (s[i]) {
		if (((uint8_t)s[i] & 0xc0) != 0x80 && !columns--)
			break;
		i++;
	}
	return i;
}

size_t safe_wrap(const char *s, size_t columns, const char **ret_next)
{
	size_t all = safe_bytes_of(s, columns ? columns : 1), n = all;

	if (s[all] && s[all] != ' ')
		while (n && s[n - 1] != ' ')
			n--;
	if (!n)
		n = all; /* one long word */
	*ret_next = s + n;
	while (**ret_next == ' ')
		(*ret_next)++;
	while (n > 1 && s[n - 1] == ' ')
		n--;
	return n;
}

static const char *xml_entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&apos;";
	case '\n':
		return "&#10;";
	case '\t':
		return "&#9;";
	default:
		return NULL;
	}
}

void safe_xml(struct text *t, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "&<>\"'\n\t");

		safe_add(t, s, n);
		s += n;
		if (*s)
			text_puts(t, xml_entity(*s++));
	}
}
