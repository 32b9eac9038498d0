/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/addr.h -- IPv4 and IPv6 addresses of the fabric.
 */
#ifndef WIRE_ADDR_H
#define WIRE_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct ip_addr {
	uint8_t len;   /* 4, 16, or 0: none */
	uint8_t b[16]; /* network order; unused bytes are 0 */
};

#define IP_ADDR_TEXT 46 /* bytes of the longest text, including its NUL */

/*
 * ip_addr_set_v4 sets an IPv4 address from its host-order value.
 *
 * Shape:  |ret| is all zeroes.  The address is written in place, because a copy
 *         of single stored bytes would stall.
 */
static inline void ip_addr_set_v4(struct ip_addr *ret, uint32_t host_order)
{
	ret->len = 4;
	ret->b[0] = (uint8_t)(host_order >> 24);
	ret->b[1] = (uint8_t)(host_order >> 16);
	ret->b[2] = (uint8_t)(host_order >> 8);
	ret->b[3] = (uint8_t)host_order;
}

/*
 * ip_addr_set copies an address of |len| bytes, 4 or 16, into |ret|.  The bytes
 * are stored in the same words in which they are loaded later, which avoids
 * store-forwarding stalls.
 */
static inline void ip_addr_set(struct ip_addr *ret, const uint8_t *p,
			       uint8_t len)
{
	uint64_t words[2] = {0};

	ret->len = len;
	memcpy(words, p, len);
	memcpy(ret->b, &words[0], sizeof(words[0]));
	memcpy(ret->b + sizeof(words[0]), &words[1], sizeof(words[1]));
}

/* ip_addr_v4 returns an IPv4 address from its host-order value. */
static inline struct ip_addr ip_addr_v4(uint32_t host_order)
{
	struct ip_addr a = {0};

	ip_addr_set_v4(&a, host_order);
	return a;
}

/*
 * ip_addr_equal compares all 16 bytes; the bytes that IPv4 does not use are 0.
 */
static inline bool ip_addr_equal(const struct ip_addr *a,
				 const struct ip_addr *b)
{
	uint64_t x[2], y[2];

	memcpy(x, a->b, sizeof(x));
	memcpy(y, b->b, sizeof(y));
	return a->len == b->len && x[0] == y[0] && x[1] == y[1];
}

/* ip_addr_hash adds an address to |h|, the hash of the rest of a key. */
static inline uint32_t ip_addr_hash(uint32_t h, const struct ip_addr *a)
{
	uint64_t words[2], x;

	memcpy(words, a->b, sizeof(words));
	x = (h ^ words[0]) * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 32 ^ words[1]) * 0xd6e8feb86659fd93u;
	return (uint32_t)(x >> 32);
}

/*
 * ip_addr_parse reads dotted IPv4 or RFC 4291 IPv6 text of |len| characters.
 * Return: 0, or ERR_SYNTAX.
 */
int ip_addr_parse(struct ip_addr *ret, const char *s, size_t len);

/* ip_addr_print writes the text form; |buf| holds IP_ADDR_TEXT bytes. */
void ip_addr_print(const struct ip_addr *a, char *buf);

#endif
