/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/doctor.c -- prints the lines of "rung doctor", as text or JSON, and reads
 * the capabilities of the process.
 */
#include "cli/doctor.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const state_names[] = {"ok", "note", "lacks"};

void doctor_say(struct doctor *d, enum doctor_state state, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (state == DOCTOR_LACKS)
		d->lacks = true;
	if (d->rows)
		json_array_append_new(
			d->rows,
			json_pack("{s:s, s:s, s:s}", "check", d->check, "state",
				  state_names[state], "text", text));
	else
		printf("%-6s %-12s %s\n", state_names[state], d->check, text);
}

bool doctor_capabilities(unsigned long long *ret)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "CapEff: %llx", ret) == 1;
	if (f)
		fclose(f);
	return found;
}

bool doctor_can(unsigned capability)
{
	unsigned long long caps = 0;

	return doctor_capabilities(&caps) && caps >> capability & 1;
}
