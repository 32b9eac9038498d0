/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content_amo.h -- computes the result of an atomic operation
 * in memory.
 */
#ifndef SUITE_RUN_CONTENT_CONTENT_AMO_H
#define SUITE_RUN_CONTENT_CONTENT_AMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The AMO opcodes of table 3-21 that are computed; so are those from AMO_CSWAP
 * on.
 */
enum content_amo_op {
	CONTENT_MIN,
	CONTENT_MAX,
	CONTENT_SUM,
	CONTENT_DIFF,
	CONTENT_PROD,
	CONTENT_LOR,
	CONTENT_LAND,
	CONTENT_BOR,
	CONTENT_BAND,
	CONTENT_LXOR,
	CONTENT_BXOR,
	CONTENT_READ,
	CONTENT_WRITE,
};

/* The datatypes of table 3-22 that are computed. */
enum content_amo_type {
	CONTENT_INT8,
	CONTENT_UINT8,
	CONTENT_INT16,
	CONTENT_UINT16,
	CONTENT_INT32,
	CONTENT_UINT32,
	CONTENT_INT64,
	CONTENT_UINT64,
	CONTENT_FLOAT = 0x0a,
	CONTENT_DOUBLE = 0x0b,
};

/* The extensions of an atomic request (tables 3-21, 3-22). */
struct content_amo {
	uint8_t opcode, datatype;
	uint64_t compare, swap;
};

/* content_amo_is_swap returns true for the compare and swap operations. */
bool content_amo_is_swap(uint8_t op);

/*
 * content_amo applies an operation to the |len| bytes of elements at |mem|.
 *
 * Return: false if the result is unknown (another type or operation, or an
 * operand that is not a number); |mem| is then undefined.
 */
bool content_amo(const struct content_amo *amo, uint8_t *mem, size_t len,
		 const uint8_t *operand, size_t operand_len);

#endif
