/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/idmap.h -- from a 64-bit key to a 32-bit number.
 *
 * Open addressing with linear probing; a deletion moves later entries back
 * instead of leaving a tombstone, so that a long run does not slow down.
 */
#ifndef ORACLE_IDMAP_H
#define ORACLE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/mem.h"

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

/* idmap_put adds or replaces; false: no memory, nothing changed. */
bool idmap_put(struct idmap *map, struct mem *m, uint64_t key, uint32_t value);

/* idmap_get finds; false: no such key, *ret is untouched. */
bool idmap_get(const struct idmap *map, uint64_t key, uint32_t *ret);

/* idmap_expect says that |key| will be looked up soon. */
void idmap_expect(const struct idmap *map, uint64_t key);

/* idmap_del removes a key if it is there. */
void idmap_del(struct idmap *map, uint64_t key);

/* idmap_clear empties and keeps the memory; idmap_free gives it back. */
void idmap_clear(struct idmap *map);
void idmap_free(struct idmap *map);

#endif
