/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/addr.c -- converts IPv4 and IPv6 addresses to text and back.
 *
 * The text functions are those of the C library; they need no locale and
 * allocate nothing.
 *
 * Spec: RFC 4291 2.2, RFC 5952
 */
#include "wire/addr.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/err.h"

int ip_addr_parse(struct ip_addr *ret, const char *s, size_t len)
{
	struct ip_addr a = {0};
	char text[IP_ADDR_TEXT];

	if (len >= sizeof(text) || memchr(s, 0, len))
		return ERR_SYNTAX;
	memcpy(text, s, len);
	text[len] = 0;
	if (inet_pton(AF_INET, text, a.b) == 1)
		a.len = 4;
	else if (inet_pton(AF_INET6, text, a.b) == 1)
		a.len = 16;
	else
		return ERR_SYNTAX;
	*ret = a;
	return 0;
}

void ip_addr_print(const struct ip_addr *a, char *buf)
{
	strcpy(buf, "none");
	if (a->len == 4)
		inet_ntop(AF_INET, a->b, buf, IP_ADDR_TEXT);
	else if (a->len == 16)
		inet_ntop(AF_INET6, a->b, buf, IP_ADDR_TEXT);
}
