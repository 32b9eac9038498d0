/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/crc.c -- CRC-32C by ISA-L, and the bytes that the UET trailer
 * covers.
 *
 * The covered UDP header is the one that frame_build writes with its default
 * port: its length counts the trailer, its checksum is 0.
 *
 * Spec: UET 3.5.25 (uet.md 1.6)
 */
#include "wire/frame/crc.h"

#include <isa-l/crc.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/err.h"
#include "base/hot.h"
#include "wire/family.h"
#include "wire/frame/frame_tables.h"
#include "wire/ib/ib.h"
#include "wire/ib/icrc.h"
#include "wire/uet/uet_pds.h"

/* Writes the UDP or entropy header for |len| bytes and their trailer. */
static inline size_t shim_put(const struct dgram *d, size_t len, uint8_t *p)
{
	const struct entropy native = {.entropy = d->entropy};
	const struct frame_udp udp = {
		.sport = d->entropy,
		.dport = UET_UDP_PORT,
		.length = (uint16_t)(frame_udp_len + len),
	};

	if (d->native) {
		entropy_put(&native, p);
		return entropy_len;
	}
	frame_udp_put(&udp, p);
	return frame_udp_len;
}

#ifdef __x86_64__
#define WITH_CRC32 __attribute__((target("sse4.2")))

enum {
	SHORT_MOST = 256,
	/* the tails of crc32c_shift_kept */
	JOINED_LEAST = 8,
	JOINED_MOST = (1 << 17) - 1,
};

WITH_CRC32 static inline uint64_t crc32c_word(uint64_t c, const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return __builtin_ia32_crc32di(c, word);
}

/* Continues a CRC over fewer than 8 bytes. */
WITH_CRC32 static inline uint64_t crc32c_tail(uint64_t c, const uint8_t *p,
					      size_t len)
{
	uint32_t half;

	if (len & 4) {
		memcpy(&half, p, sizeof(half));
		c = __builtin_ia32_crc32si((uint32_t)c, half);
		p += sizeof(half);
	}
	for (len &= 3; len; len--)
		c = __builtin_ia32_crc32qi((uint32_t)c, *p++);
	return c;
}

WITH_CRC32 static inline __attribute__((always_inline)) uint32_t
crc32c_words(uint32_t crc, const uint8_t *p, size_t len)
{
	uint64_t c = ~crc;

	for (; len >= 32; p += 32, len -= 32) {
		c = crc32c_word(c, p);
		c = crc32c_word(c, p + 8);
		c = crc32c_word(c, p + 16);
		c = crc32c_word(c, p + 24);
	}
	for (; len >= 8; p += 8, len -= 8)
		c = crc32c_word(c, p);
	return ~(uint32_t)crc32c_tail(c, p, len);
}

/*
 * Computes short CRCs with the CPU's instruction; ISA-L is faster for long ones
 * but slow to start.
 */
WITH_CRC32 static HOT uint32_t crc32c_short(uint32_t crc, const uint8_t *p,
					    size_t len)
{
	return crc32c_words(crc, p, len);
}

WITH_CRC32 static inline uint64_t
crc32c_addrs(uint64_t c, const struct ip_addr *src, const struct ip_addr *dst)
{
	uint32_t pair[2];
	uint64_t word;

	if (likely(src->len == 4 && dst->len == 4)) {
		memcpy(&pair[0], src->b, sizeof(pair[0]));
		memcpy(&pair[1], dst->b, sizeof(pair[1]));
		word = pair[0] | (uint64_t)pair[1] << 32;
		return __builtin_ia32_crc32di(c, word);
	}
	for (const struct ip_addr *a = src; a; a = a == src ? dst : NULL) {
		c = crc32c_tail(c, a->b, a->len & 7);
		if (a->len > 8)
			c = crc32c_word(crc32c_word(c, a->b), a->b + 8);
	}
	return c;
}

/*
 * Sums addresses and the UDP or entropy header for |len| bytes and their
 * trailer.
 */
WITH_CRC32 static inline uint64_t crc32c_begin(const struct dgram *d,
					       size_t len)
{
	const uint64_t c = crc32c_addrs(~(uint32_t)0, &d->src, &d->dst);
	uint8_t shim[frame_udp_len];
	uint32_t half;

	if (shim_put(d, len + CRC_LEN, shim) == sizeof(shim))
		return crc32c_word(c, shim);
	memcpy(&half, shim, sizeof(half));
	return __builtin_ia32_crc32si((uint32_t)c, half);
}

/*
 * Sums what the trailer of |all| bytes covers, up to the first |len| bytes of
 * them.
 */
WITH_CRC32 static HOT uint32_t sum_short(const struct dgram *d,
					 const uint8_t *p, size_t len,
					 size_t all)
{
	return crc32c_words(~(uint32_t)crc32c_begin(d, all), p, len);
}

static bool crc_is_short(size_t len)
{
	return len <= SHORT_MOST && __builtin_cpu_supports("sse4.2");
}

static bool crc_joins(void)
{
	return __builtin_cpu_supports("sse4.2") &&
	       __builtin_cpu_supports("pclmul");
}

/*
 * Returns a * b * x^33 modulo the polynomial: the carry-less product of two
 * reflected factors has one x too many, and the CRC instruction multiplies by
 * x^32.
 */
__attribute__((target("sse4.2,pclmul"))) static inline uint32_t
crc32c_product(uint32_t a, uint32_t b)
{
	const __m128i product = _mm_clmulepi64_si128(
		_mm_cvtsi32_si128((int)a), _mm_cvtsi32_si128((int)b), 0);

	return (uint32_t)_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/*
 * Returns |crc| times x^(8 * len): what it adds to the CRC of its own bytes and
 * |len| bytes behind them.
 */
__attribute__((target("sse4.2,pclmul"))) static uint32_t
crc32c_shift(uint32_t crc, size_t len)
{
	/* x^(8 * 2^k - 33) for k = 3, 4, ... */
	static const uint32_t power[] = {
		0x00000001, 0x493c7d27, 0xba4fc28e, 0x9e4addf8, 0x0d3b6092,
		0xb9e02b86, 0xdd7e3b0c, 0x170076fa, 0xa51b6135, 0x82f89c77,
		0x54a86326, 0x1dc403cc, 0x5ae703ab, 0xc5013a36,
	};
	uint64_t c = crc;

	for (size_t i = 0; i < (len & 7); i++)
		c = __builtin_ia32_crc32qi((uint32_t)c, 0);
	len >>= 3;
	for (size_t k = 0; len && k < sizeof(power) / sizeof(*power);
	     k++, len >>= 1)
		if (len & 1)
			c = crc32c_product((uint32_t)c, power[k]);
	return (uint32_t)c;
}

/* Returns what crc32c_shift() does, and keeps the factor of the length. */
__attribute__((target("sse4.2,pclmul"))) static inline uint32_t
crc32c_shift_kept(struct crc_shifts *shifts, uint32_t crc, size_t len)
{
	const size_t i = len % CRC_SHIFTS;

	if (unlikely(shifts->len[i] != len)) {
		shifts->len[i] = (uint32_t)len;
		/* x^(8 * len - 33), from x^(64 - 33) */
		shifts->factor[i] = crc32c_shift(1, len - 8);
	}
	return crc32c_product(crc, shifts->factor[i]);
}

/*
 * Sums the first |at| bytes, and joins that sum with the one of the following
 * |len| bytes.
 */
__attribute__((target("sse4.2,pclmul"))) static HOT uint32_t
sum_joined(struct crc_shifts *shifts, const struct dgram *d, const uint8_t *p,
	   size_t at, size_t len, struct crc_tail *ret)
{
	const uint32_t head =
		crc32c_words(~(uint32_t)crc32c_begin(d, at + len), p, at);
	uint32_t last;

	memcpy(&last, p + at + len, sizeof(last));
	ret->more = ~__builtin_ia32_crc32si(~ret->sum, last);
	return crc32c_shift_kept(shifts, head, len) ^ ret->sum;
}
#else
enum { JOINED_LEAST = 8, JOINED_MOST = 0 };

static bool crc_joins(void)
{
	return false;
}

static uint32_t sum_joined(struct crc_shifts *shifts, const struct dgram *d,
			   const uint8_t *p, size_t at, size_t len,
			   struct crc_tail *ret)
{
	(void)shifts;
	(void)d;
	(void)p;
	(void)at;
	(void)len;
	(void)ret;
	return 0;
}

static bool crc_is_short(size_t len)
{
	(void)len;
	return false;
}

static uint32_t crc32c_short(uint32_t crc, const uint8_t *p, size_t len)
{
	(void)p;
	(void)len;
	return crc;
}

static uint32_t sum_short(const struct dgram *d, const uint8_t *p, size_t len,
			  size_t all)
{
	(void)d;
	(void)p;
	(void)len;
	(void)all;
	return 0;
}
#endif

HOT uint32_t crc32c(uint32_t crc, const uint8_t *p, size_t len)
{
	/*
	 * The parameter of ISA-L is not const; it takes and returns the
	 * inverted value.
	 */
	unsigned char *bytes = (unsigned char *)(uintptr_t)p;

	if (crc_is_short(len))
		return crc32c_short(crc, p, len);
	return len ? ~crc32_iscsi(bytes, (int)len, ~crc) : crc;
}

static __attribute__((noinline)) uint32_t sum_long(const struct dgram *d,
						   const uint8_t *p, size_t len)
{
	uint8_t shim[frame_udp_len];
	const size_t n = shim_put(d, len + CRC_LEN, shim);
	uint32_t sum;

	sum = crc32c(0, d->src.b, d->src.len);
	sum = crc32c(sum, d->dst.b, d->dst.len);
	sum = crc32c(sum, shim, n);
	return crc32c(sum, p, len);
}

HOT uint32_t crc_sum(const struct dgram *d, const uint8_t *p, size_t len)
{
	if (likely(crc_is_short(len)))
		return sum_short(d, p, len, len);
	return sum_long(d, p, len);
}

HOT uint32_t crc_sum_tail(struct crc_shifts *shifts, const struct dgram *d,
			  const uint8_t *p, size_t len, size_t at,
			  struct crc_tail *ret)
{
	const size_t rest = len - at;

	ret->sum = crc32c(0, p + at, rest);
	if (likely(crc_joins() && rest >= JOINED_LEAST &&
		   rest <= (size_t)JOINED_MOST))
		return sum_joined(shifts, d, p, at, rest, ret);
	ret->more = crc32c(ret->sum, p + len, CRC_LEN);
	return crc_sum(d, p, len);
}

uint32_t crc_of(const struct dgram *d, size_t len)
{
	return crc_sum(d, d->data, len);
}

static void crc_put(uint8_t *p, uint32_t crc, enum crc_order order)
{
	for (unsigned i = 0; i < CRC_LEN; i++)
		p[i] = (uint8_t)(crc >> 8 * (order == CRC_LE ? i : 3 - i));
}

void crc_write(const struct dgram *d, uint8_t *p, size_t len,
	       enum crc_order order)
{
	crc_put(p + len, crc_sum(d, p, len), order);
}

int crc_append(struct dgram *d, enum crc_order order)
{
	if (d->len > DGRAM_MAX - CRC_LEN)
		return ERR_SPACE;
	crc_write(d, d->data, d->len, order);
	d->len += CRC_LEN;
	return 0;
}

bool crc_check(const struct dgram *d, enum crc_order order)
{
	uint8_t want[CRC_LEN];
	size_t len = d->len - CRC_LEN;

	if (d->len < CRC_LEN)
		return false;
	crc_put(want, crc_of(d, len), order);
	return memcmp(d->data + len, want, CRC_LEN) == 0;
}

static enum crc_order other(enum crc_order order)
{
	return order == CRC_LE ? CRC_BE : CRC_LE;
}

/*
 * Computes the trailer of |len| bytes.  For fewer bytes than a BTH it is 0,
 * since they have no ICRC.
 */
static uint32_t trailer_over(const struct dgram *d, const uint8_t *p,
			     size_t len, const struct icrc_ip *ip)
{
	if (!family_has_icrc(d->family))
		return crc_sum(d, p, len);
	return len < bth_len ? 0
			     : icrc_over(d, p, len, family_port(d->family), ip);
}

/* An ICRC has only one byte order. */
static enum crc_order order_of(const struct dgram *d, enum crc_order order)
{
	return family_has_icrc(d->family) ? CRC_LE : order;
}

/* Returns whether a sum is the same in both byte orders: one in 65,536 is. */
static bool is_palindrome(uint32_t sum)
{
	uint8_t p[CRC_LEN];

	crc_put(p, sum, CRC_LE);
	return p[0] == p[3] && p[1] == p[2];
}

int crc_seal(struct dgram *d, enum crc_order order)
{
	const enum dgram_crc crc = d->crc;
	uint32_t sum;

	if (crc == DGRAM_CRC_NONE)
		return 0;
	if (d->len > DGRAM_MAX - CRC_LEN)
		return ERR_SPACE;
	order = order_of(d, order);
	sum = trailer_over(d, d->data, d->len, &icrc_socket);
	crc_put(d->data + d->len, sum,
		crc == DGRAM_CRC_SWAPPED ? other(order) : order);
	d->len += CRC_LEN;
	if (crc == DGRAM_CRC_WRONG ||
	    (crc == DGRAM_CRC_SWAPPED && is_palindrome(sum)))
		d->data[d->len - 1] ^= 1;
	return 0;
}

static enum dgram_crc frame_crc_look(const struct dgram *d, const uint8_t *p,
				     size_t len, enum crc_order order,
				     const struct icrc_ip *ip)
{
	if (len < CRC_LEN)
		return DGRAM_CRC_WRONG;
	len -= CRC_LEN;
	if (!family_has_icrc(d->family))
		return crc_compare(crc_sum(d, p, len), p + len, order);
	return crc_compare(trailer_over(d, p, len, ip), p + len,
			   order_of(d, order));
}

enum dgram_crc crc_look(const struct dgram *d, const uint8_t *p, size_t len,
			enum crc_order order)
{
	return frame_crc_look(d, p, len, order, &icrc_socket);
}

static bool nobody_looks(const struct dgram *d, enum icrc_mode icrc)
{
	return icrc == ICRC_OFF && family_has_icrc(d->family) &&
	       d->len >= CRC_LEN;
}

void crc_open(struct dgram *d, enum crc_order order, enum icrc_mode icrc)
{
	const struct icrc_ip ip = icrc_seen(d, icrc);

	d->crc = (uint8_t)frame_crc_look(d, d->data, d->len, order, &ip);
	if (nobody_looks(d, icrc))
		d->crc = DGRAM_CRC_RIGHT;
	if (d->crc != DGRAM_CRC_WRONG)
		d->len -= CRC_LEN;
}
