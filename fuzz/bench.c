/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/bench.c -- libFuzzer target: bench.yaml, as rung run reads it.
 */
#include "cli/lab/bench_file.h"
#include "fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct bench b;
	struct diag diag = {0};
	int err = bench_file_parse(&b, &a, "x", (const char *)data, size,
				   "nic7", &diag);

	if (err)
		CHECK(diag.text[0]);
	else
		CHECK(b.name && b.dut);
	arena_free(&a);
	return 0;
}
