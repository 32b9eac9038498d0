/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"

#define OBJECTS 40
#define COPIES  6

static void takes_and_gives(void **state)
{
	struct heap *h;
	uint8_t *a, *b, *c;

	(void)state;
	assert_int_equal(heap_new(&h, 1 << 16), 0);
	assert_null(memory_use(h));
	a = memory_alloc(100);
	b = memory_calloc(10, 100);
	c = malloc(10);
	assert_true(heap_owns(h, a) && heap_owns(h, b) && !heap_owns(h, c));
	assert_int_equal((uintptr_t)a % 64 + (uintptr_t)b % 64, 0);
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(b[i], 0);
	memset(a, 7, 100);
	a = memory_realloc(a, 3000);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(a[i], 7);
	c = memory_realloc(c, 5000);
	assert_false(heap_owns(h, c));
	memory_free(b);
	assert_ptr_equal(memory_alloc(1000), b);
	memory_free(c);
	assert_null(heap_take(h, 1 << 16));
	assert_null(heap_take(h, SIZE_MAX));
	assert_non_null(memory_alloc(0));
	assert_ptr_equal(memory_use(NULL), h);
	heap_free(h);
}

/* Objects, and the bytes that they held when a copy was made. */
struct lived {
	uint8_t *object[OBJECTS];
	size_t size[OBJECTS];
	uint8_t held[OBJECTS][600];
	struct heap_copy copy;
	bool saved;
};

/* Changes, frees or makes an object. */
static void lived_changes(struct lived *l, struct rng *rng)
{
	const unsigned i = rng_below(rng, OBJECTS);

	if (!l->object[i]) {
		l->size[i] = 1 + rng_below(rng, 600);
		l->object[i] = memory_alloc(l->size[i]);
		memset(l->object[i], (int)rng_below(rng, 256), l->size[i]);
	} else if (rng_below(rng, 4)) {
		l->object[i][rng_below(rng, (unsigned)l->size[i])] ^= 1;
	} else {
		memory_free(l->object[i]);
		l->object[i] = NULL;
	}
}

static void lived_saves(struct heap *h, struct lived *now, struct lived *ret)
{
	struct heap_copy copy = ret->copy;

	for (unsigned i = 0; i < OBJECTS; i++)
		if (now->object[i])
			memcpy(now->held[i], now->object[i], now->size[i]);
	*ret = *now;
	ret->copy = copy;
	ret->saved = true;
	memory_use(NULL);
	assert_int_equal(heap_save(h, &ret->copy), 0);
	memory_use(h);
}

static void lived_returns(struct heap *h, struct lived *now,
			  const struct lived *then)
{
	heap_back(h, &then->copy);
	*now = *then;
	for (unsigned i = 0; i < OBJECTS; i++)
		if (now->object[i])
			assert_memory_equal(now->object[i], now->held[i],
					    now->size[i]);
}

static void brings_back(void **state)
{
	static struct lived now, copies[COPIES];
	struct rng rng = {5};
	struct heap *h;

	(void)state;
	assert_int_equal(heap_new(&h, 1 << 20), 0);
	memory_use(h);
	for (unsigned i = 0; i < 20000; i++) {
		struct lived *c = &copies[rng_below(&rng, COPIES)];
		const unsigned what = rng_below(&rng, 20);

		if (what == 0)
			lived_saves(h, &now, c);
		else if (what == 1 && c->saved)
			lived_returns(h, &now, c);
		else
			lived_changes(&now, &rng);
	}
	memory_use(NULL);
	for (unsigned i = 0; i < COPIES; i++)
		heap_copy_free(&copies[i].copy);
	heap_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_and_gives),
		cmocka_unit_test(brings_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
