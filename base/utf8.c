/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/utf8.c -- decodes UTF-8 of untrusted texts.
 *
 * Spec: RFC 3629
 */
#include "base/utf8.h"

/* Returns the length of a character that starts with |c|; 0 if none does. */
static size_t utf8_sequence(uint8_t c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c < 0xe0)
		return 2;
	if (c >= 0xe0 && c < 0xf0)
		return 3;
	if (c >= 0xf0 && c < 0xf5)
		return 4;
	return 0;
}

size_t utf8_decode(const char *s, size_t len, uint32_t *ret)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = utf8_sequence((uint8_t)s[0]);
	uint32_t c = (uint8_t)s[0];

	if (!n || n > len)
		return 0;
	if (n > 1)
		c &= 0xffu >> (n + 1);
	for (size_t i = 1; i < n; i++) {
		if (((uint8_t)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((uint8_t)s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ret = c;
	return n;
}

bool utf8_printable(uint32_t c)
{
	return c >= 0x20 && !(c >= 0x7f && c < 0xa0) &&
	       !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069) &&
	       (c & 0xfffe) != 0xfffe;
}
