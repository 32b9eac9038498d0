/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/fabric.c -- libFuzzer target: the topology of a fabric.
 *
 * A topology that parses is checked and completed; one that does not parse
 * gives an error.
 */
#include "cli/fabric/fabric_file.h"
#include "fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fabric_conf conf;
	struct diag diag = {0};
	char *text = fuzz_text_of(data, size);

	if (!text)
		return 0;
	fabric_default(&conf);
	if (fabric_file_parse(&conf.topology, "x", text, size, &diag)) {
		CHECK(diag.text[0]);
	} else if (!fabric_check(&conf)) {
		fabric_complete(&conf);
		CHECK(conf.topology.queue && conf.topology.uplink);
		CHECK(conf.topology.ecn_min <= conf.topology.ecn_max);
	}
	free(text);
	return 0;
}
