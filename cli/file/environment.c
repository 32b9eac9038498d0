/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/environment.c -- asks the kernel about the machine.
 */
#include "cli/file/environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "reports/format/json.h"

#define CLOCK_SOURCE \
	"/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* Reads the name of the clock source; "" if the kernel does not tell it. */
static void clock_source(char *ret, size_t size)
{
	FILE *f = fopen(CLOCK_SOURCE, "re");

	*ret = 0;
	if (!f)
		return;
	if (!fgets(ret, (int)size, f))
		*ret = 0;
	ret[strcspn(ret, "\n")] = 0;
	fclose(f);
}

json_t *environment_json(bool virtual)
{
	struct utsname u = {0};
	struct timespec res = {0};
	char source[64] = "virtual";

	uname(&u);
	if (!virtual) {
		clock_source(source, sizeof(source));
		clock_getres(CLOCK_MONOTONIC, &res);
	}
	return json_pack("{s:o, s:o, s:o, s:I, s:o, s:I}", "system",
			 json_any_string(u.sysname), "release",
			 json_any_string(u.release), "machine",
			 json_any_string(u.machine), "cpus",
			 (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "clock",
			 json_any_string(source), "resolution_ns",
			 (json_int_t)res.tv_nsec);
}
