/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/idmap.c -- maps 64-bit keys to 32-bit numbers.
 */
#include "oracle/core/idmap.h"

#include <string.h>

#include "base/memory.h"

#define FEW 16 /* entries */

static size_t home(uint64_t key, size_t cap)
{
	key *= 0x9e3779b97f4a7c15u;
	return (size_t)(key >> 32) & (cap - 1);
}

/* Returns the slot of |key|, or the free slot where it would go. */
static size_t idmap_place(const struct idmap_entry *v, size_t cap, uint64_t key)
{
	size_t i = home(key, cap);

	while (v[i].used && v[i].key != key)
		i = (i + 1) & (cap - 1);
	return i;
}

static bool rehash(struct idmap *map, struct mem *m)
{
	const size_t cap = map->cap ? 2 * map->cap : 16;
	struct idmap_entry *v = mem_new(m, cap * sizeof(*v));

	if (!v)
		return false;
	for (size_t i = 0; i < map->cap; i++)
		if (map->v[i].used)
			v[idmap_place(v, cap, map->v[i].key)] = map->v[i];
	memory_free(map->v);
	map->v = v;
	map->cap = cap;
	return true;
}

bool idmap_reserve(struct idmap *map, struct mem *m)
{
	return 4 * (map->n + 1) <= 3 * map->cap || rehash(map, m);
}

bool idmap_put(struct idmap *map, struct mem *m, uint64_t key, uint32_t value)
{
	size_t i;

	if (!idmap_reserve(map, m))
		return false;
	i = idmap_place(map->v, map->cap, key);
	if (!map->v[i].used)
		map->n++;
	map->v[i] = (struct idmap_entry){key, value, true};
	return true;
}

bool idmap_get(const struct idmap *map, uint64_t key, uint32_t *ret)
{
	size_t i;

	if (!map->n)
		return false;
	i = idmap_place(map->v, map->cap, key);
	if (!map->v[i].used)
		return false;
	*ret = map->v[i].value;
	return true;
}

void idmap_expect_few(const struct idmap *map)
{
	if (map->cap <= FEW)
		mem_expect(map->v, map->cap * sizeof(*map->v));
}

void idmap_expect(const struct idmap *map, uint64_t key)
{
	if (map->n)
		__builtin_prefetch(&map->v[home(key, map->cap)]);
}

/*
 * Returns true if the entry at |i|, whose first slot is |h|, may move back to
 * |hole|.
 */
static bool reaches(size_t hole, size_t h, size_t i, size_t cap)
{
	return ((i - h) & (cap - 1)) >= ((i - hole) & (cap - 1));
}

void idmap_del(struct idmap *map, uint64_t key)
{
	const size_t mask = map->cap - 1;
	size_t hole;

	if (!map->n)
		return;
	hole = idmap_place(map->v, map->cap, key);
	if (!map->v[hole].used)
		return;
	map->n--;
	for (size_t i = (hole + 1) & mask; map->v[i].used; i = (i + 1) & mask) {
		if (!reaches(hole, home(map->v[i].key, map->cap), i, map->cap))
			continue;
		map->v[hole] = map->v[i];
		hole = i;
	}
	map->v[hole].used = false;
}

void idmap_clear(struct idmap *map)
{
	if (map->n)
		memset(map->v, 0, map->cap * sizeof(*map->v));
	map->n = 0;
}

void idmap_free(struct idmap *map)
{
	memory_free(map->v);
	*map = (struct idmap){0};
}
