/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/privilege.h -- the capabilities that rung has, and when it drops them.
 *
 * Ports need capabilities to be opened, most of them none afterwards.
 * Capabilities belong to a thread: each function is about the calling thread,
 * and about those that it starts later.  A process without capabilities may
 * call all of them: nothing is done and nothing fails.  docs/cli.md has the
 * table of what each port needs and keeps.
 */
#ifndef CLI_PRIVILEGE_H
#define CLI_PRIVILEGE_H

#include "gen/port/port.h"

/*
 * privilege_confine sees to it that no program that is started from here on has
 * or gains a capability: no_new_privs is set, and the inheritable, the ambient
 * and the bounding set are emptied, the last one if CAP_SETPCAP allows it.
 */
void privilege_confine(void);

/* privilege_raise makes all permitted capabilities of ports effective. */
void privilege_raise(void);

enum privilege_flags {
	/* The thread opens files later, as root also in folders of others. */
	PRIVILEGE_FILES = 1,
	/* The port may be opened again: what that needs stays permitted. */
	PRIVILEGE_AGAIN = 2,
	/* The thread connects to a UNIX socket later, or removes one. */
	PRIVILEGE_UNIX = 4,
	/* The thread ends programs that may run as another user. */
	PRIVILEGE_KILL = 8,
	/* Other ports are opened later: nothing is dropped. */
	PRIVILEGE_ALL = 16,
};

/* A set of kinds of ports, with a bit for each. */
#define PRIVILEGE_PORT(kind) (1u << (kind))

/*
 * privilege_settle drops every capability that open ports of the kinds |ports|
 * do not need, and that |flags| do not ask for.
 */
void privilege_settle(unsigned ports, unsigned flags);

#endif
