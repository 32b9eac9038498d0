/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_device.c -- the device that is explored, its reference
 * and its revival.
 */
#include "cli/explore/explore_device.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/endpoint.h"
#include "suite/dut/chan/dut_spawn.h"

#define EXPLORE_STARTS 3 /* attempts, once a device has started */

int explore_device(void *ctx, unsigned worker, bool reference,
		   enum family family, struct dut **ret)
{
	struct exploring *e = ctx;
	/* a device that rung starts has an address for each family */
	const unsigned address =
		e->conf.single ? 0 : worker * FAMILIES + family;
	unsigned tries = 0;
	int code;

	if (reference)
		return dut_setup_new(&e->reference, address, family, ret);
	/* a busy machine may be late to start one of many devices */
	do
		code = dut_setup_new(&e->dut_setup, address, family, ret);
	while (code && e->started && ++tries < EXPLORE_STARTS &&
	       !*e->dut_setup.stop);
	if (!code)
		e->started = true;
	return code;
}

int explore_revive(void *ctx)
{
	const struct exploring *e = ctx;
	const char *const argv[] = {"sh", "-c", e->revive, NULL};
	const struct spawn_conf conf = {.argv = argv,
					.in = STDIN_FILENO,
					.out = STDERR_FILENO,
					.err = -1,
					.privileged = e->dut_setup.privileged};
	int status;
	pid_t pid;

	if (spawn_program(&pid, &conf))
		return cli_sys(e->who, e->revive);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return cli_sys(e->who, e->revive);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	fprintf(stderr, "%s: --revive: the command failed\n", e->who);
	return EXIT_HARNESS;
}

int explore_reference_new(struct exploring *e)
{
	const char *why;

	e->reference = (struct dut_setup_conf){.who = e->who,
					       .variants = &variants_none,
					       .stop = e->dut_setup.stop};
	spec_dut(&e->reference.dut, "virtual", &why);
	if (e->dut_setup.dut.virtual && !e->dut_setup.mutant)
		return 0;
	return endpoint_decl(e->who, NULL, NULL, false, &e->reference_decl);
}
