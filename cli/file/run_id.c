/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/run_id.c -- draws the id of a run from the random numbers of the
 * system, so that runs on different machines differ.
 */
#include "cli/file/run_id.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>

#include "cli/cli.h"

int run_id_draw(const char *who, char ret[33])
{
	uint8_t id[16];

	if (getrandom(id, sizeof(id), 0) != sizeof(id))
		return cli_sys(who, "getrandom");
	for (size_t i = 0; i < sizeof(id); i++)
		snprintf(ret + 2 * i, 3, "%02x", id[i]);
	return 0;
}
