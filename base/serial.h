/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/serial.h -- serial numbers modulo 2^32 (packet sequence numbers) and
 * modulo 2^24 (those of InfiniBand).
 *
 * a is after b if the signed 32-bit difference a - b is positive.  Numbers more
 * than 2^31 apart have no order, but the difference is still well defined.
 *
 * Spec: UET 3.5.8.2 (uet.md 6.2)
 */
#ifndef BASE_SERIAL_H
#define BASE_SERIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* serial_diff returns a - b as a signed distance. */
static inline int32_t serial_diff(uint32_t a, uint32_t b)
{
	const uint32_t d = a - b;
	int32_t ret;

	/* a cast would be implementation-defined */
	memcpy(&ret, &d, sizeof(ret));
	return ret;
}

/* serial_add returns |a| plus a signed distance. */
static inline uint32_t serial_add(uint32_t a, int32_t distance)
{
	return a + (uint32_t)distance;
}

static inline bool serial_after(uint32_t a, uint32_t b)
{
	return serial_diff(a, b) > 0;
}

static inline bool serial_before(uint32_t a, uint32_t b)
{
	return serial_diff(a, b) < 0;
}

/* serial_max returns the later of two numbers. */
static inline uint32_t serial_max(uint32_t a, uint32_t b)
{
	return serial_after(a, b) ? a : b;
}

#define SERIAL24_MASK 0xffffffu

/* serial24_diff returns a - b as a signed distance of 24 bits. */
static inline int32_t serial24_diff(uint32_t a, uint32_t b)
{
	return serial_diff(a << 8, b << 8) / 256;
}

/*
 * serial24_near returns the 32-bit number nearest to |ref| that ends in the 24
 * bits of |psn|.  A caller that continues from this number need not handle the
 * wrap.
 */
static inline uint32_t serial24_near(uint32_t psn, uint32_t ref)
{
	return ref + (uint32_t)serial24_diff(psn, ref);
}

#endif
