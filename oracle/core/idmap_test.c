/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/idmap_test.c -- compares the map with an array indexed by key.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "oracle/core/idmap.h"

#define KEYS 300

static void like_an_array(void **state)
{
	struct rng rng = {1};
	struct mem mem = {0};
	struct idmap map = {0};
	uint32_t value[KEYS] = {0}, got;
	bool there[KEYS] = {false};

	(void)state;
	for (unsigned n = 0; n < 50000; n++) {
		const uint32_t i = rng_below(&rng, KEYS);
		const uint64_t key = (uint64_t)i << (i % 3 * 20);

		if (rng_below(&rng, 2)) {
			assert_true(idmap_put(&map, &mem, key, n));
			value[i] = n;
			there[i] = true;
		} else {
			idmap_del(&map, key);
			there[i] = false;
		}
		for (uint32_t k = 0; k < KEYS; k += 7) {
			const uint64_t other = (uint64_t)k << (k % 3 * 20);

			assert_int_equal(idmap_get(&map, other, &got),
					 there[k]);
			if (there[k])
				assert_int_equal(got, value[k]);
		}
	}
	idmap_clear(&map);
	assert_false(idmap_get(&map, 0, &got));
	idmap_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_an_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
