/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/privilege.h -- the capabilities that rung has, and when it drops them.
 *
 * Ports need capabilities to be opened; most ports need none afterwards.
 * Capabilities belong to a thread: each function affects the calling thread,
 * and the threads that it starts later.  In a process without capabilities the
 * functions do nothing and do not fail.  docs/cli.md lists the capabilities
 * that each port needs and keeps.
 */
#ifndef CLI_PRIVILEGE_H
#define CLI_PRIVILEGE_H

#include "gen/port/port.h"

/*
 * privilege_confine ensures that programs started from now on have no
 * capability and cannot gain one.  It sets no_new_privs, and empties the
 * inheritable and the ambient set, and the bounding set if CAP_SETPCAP permits
 * it.
 */
void privilege_confine(void);

/* privilege_raise makes all permitted capabilities of ports effective. */
void privilege_raise(void);

enum privilege_flags {
	/*
	 * The thread opens files later; as root, also in folders of other
	 * users.
	 */
	PRIVILEGE_FILES = 1,
	/*
	 * The port may be opened again: the capabilities for it stay permitted.
	 */
	PRIVILEGE_AGAIN = 2,
	/* The thread connects to a UNIX socket later, or removes one. */
	PRIVILEGE_UNIX = 4,
	/* The thread ends programs that may run as another user. */
	PRIVILEGE_KILL = 8,
	/* Other ports are opened later: no capability is dropped. */
	PRIVILEGE_ALL = 16,
};

/* A set of kinds of ports, as a bit mask. */
#define PRIVILEGE_PORT(kind) (1u << (kind))

/*
 * privilege_settle drops every capability that neither open ports of the kinds
 * |ports| nor the |flags| need.
 */
void privilege_settle(unsigned ports, unsigned flags);

#endif
