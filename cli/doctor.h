/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/doctor.h -- shared by the checks of "rung doctor".
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_NOTE, /* works, with a limit that the user should know */
	DOCTOR_LACKS,
};

struct doctor {
	json_t *rows;      /* NULL: print text */
	const char *check; /* name of the check that is running */
	/*
	 * as the user named them, ended by NULL; empty: all Ethernets that are
	 * up
	 */
	char *const *ifaces;
	bool offloads_off; /* switch off offloads that falsify captures */
	unsigned mtu;      /* payload bytes that the device declares */
	bool declared; /* --decl gave |mtu|: a smaller interface is a fault */
	bool failed;   /* a requested change failed */
	bool lacks;    /* a check found something missing */
};

/* doctor_say prints a line of the check that is running. */
__attribute__((format(printf, 3, 4))) void
doctor_say(struct doctor *d, enum doctor_state state, const char *fmt, ...);

/*
 * doctor_capabilities reads the effective capabilities of this process, a bit
 * for each number.
 * Return: false if the system does not report them.
 */
bool doctor_capabilities(unsigned long long *ret);

/*
 * doctor_can returns true if this process has a capability, given by its
 * number.
 */
bool doctor_can(unsigned capability);

#endif
