/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/utf8.h -- decodes UTF-8 of untrusted texts.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * utf8_decode decodes the character at |s|, where |len| bytes are present, at
 * least 1.  Return: the character's length, or 0 if it is malformed.
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *ret);

/*
 * utf8_printable returns false for controls, line breaks, changes of the text
 * direction, and numbers that are no characters.
 */
bool utf8_printable(uint32_t c);

#endif
