/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/doctor.h -- what the checks of "rung doctor" share.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_NOTE, /* works, with a limit that one should know */
	DOCTOR_LACKS,
};

struct doctor {
	json_t *rows;        /* NULL: as text */
	const char *check;   /* the one that is running */
	char *const *ifaces; /* as named, ends with NULL; empty: all Ethernets
				that are up */
	bool offloads_off;   /* switch off what spoils evidence */
	unsigned mtu;        /* payload bytes that the device declares */
	bool declared;       /* --decl gave |mtu|: a smaller interface lacks */
	bool failed;         /* something that was told could not be done */
	bool lacks;          /* a check found something missing */
};

/* doctor_say says one line of the check that is running. */
__attribute__((format(printf, 3, 4))) void
doctor_say(struct doctor *d, enum doctor_state state, const char *fmt, ...);

/*
 * doctor_capabilities reads the effective capabilities of this process, a bit
 * for each number.  Return: false: the system does not tell.
 */
bool doctor_capabilities(unsigned long long *ret);

/* doctor_can says whether this process has a capability, by its number. */
bool doctor_can(unsigned capability);

#endif
