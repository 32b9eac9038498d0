/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/bytes.h -- the bytes that memory and messages must hold.
 */
#ifndef SOAK_BYTES_H
#define SOAK_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bytes_fit returns true if |p| is the pattern of |id| from |base| on. */
bool bytes_fit(const uint8_t *p, size_t len, uint64_t id, uint32_t base);

/* bytes_count returns the counter of 8 bytes at |p|. */
uint64_t bytes_count(const uint8_t *p);

/*
 * bytes_first_count returns the initial value of the counter at an offset of
 * the memory under |key|.
 */
uint64_t bytes_first_count(uint64_t key, uint32_t offset);

#endif
