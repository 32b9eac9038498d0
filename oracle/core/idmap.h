/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/idmap.h -- maps 64-bit keys to 32-bit numbers.
 *
 * Open addressing with linear probing; a deletion moves later entries back
 * instead of leaving a tombstone, so that a long run does not slow down.
 */
#ifndef ORACLE_CORE_IDMAP_H
#define ORACLE_CORE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/core/mem.h"

struct idmap_entry {
	uint64_t key;
	uint32_t value;
	bool used;
};

struct idmap {
	struct idmap_entry *v;
	size_t cap; /* a power of two, or 0 */
	size_t n;
};

/*
 * idmap_put adds or replaces a key.  Return: false if there is no memory;
 * nothing changed.
 */
bool idmap_put(struct idmap *map, struct mem *m, uint64_t key, uint32_t value);

/*
 * idmap_reserve makes room for one more key, so that the next idmap_put does
 * not fail.  Return: false if there is no memory.
 */
bool idmap_reserve(struct idmap *map, struct mem *m);

/* idmap_get finds a key.  Return: false if there is none; *ret is untouched. */
bool idmap_get(const struct idmap *map, uint64_t key, uint32_t *ret);

/* idmap_expect_few prefetches all of a map that has few keys. */
void idmap_expect_few(const struct idmap *map);

/* idmap_expect prefetches for a later look-up of |key|. */
void idmap_expect(const struct idmap *map, uint64_t key);

/* idmap_del removes a key if it is there. */
void idmap_del(struct idmap *map, uint64_t key);

/* idmap_clear empties the map and keeps its memory; idmap_free frees it. */
void idmap_clear(struct idmap *map);
void idmap_free(struct idmap *map);

#endif
