/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/target.h -- the common head of all libFuzzer targets.
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Lowers ASan's quarantine of freed memory from its default of 256 MB: memory
 * that is still in the cache is cheaper than a page fault for each allocation.
 */
const char *__asan_default_options(void);

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
__attribute__((visibility("default"))) const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16";
}
#endif
#endif

#define CHECK(condition)                                                   \
	do {                                                               \
		if (!(condition)) {                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
				#condition);                               \
			abort();                                           \
		}                                                          \
	} while (0)

#endif
