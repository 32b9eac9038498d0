/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/privilege.c -- reads and sets the capabilities of a thread by capget()
 * and capset().
 *
 * kinds[] lists for each kind of port which capabilities it needs to be opened,
 * while it is open, and to be closed.  privilege_raise() makes permitted
 * capabilities effective before a port opens; all other calls only drop
 * capabilities.
 */
#include "cli/privilege.h"

#include <stdint.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define BIT(cap) ((uint64_t)1 << (cap))

#define FILES \
	(BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_FOWNER))
#define LOCKS (BIT(CAP_IPC_LOCK) | BIT(CAP_SYS_RESOURCE)) /* memory */
#define LOADS (BIT(CAP_NET_ADMIN) | BIT(CAP_SYS_ADMIN))

/*
 * |opens|: capabilities that opening needs or profits from; |closes|: those
 * that closing needs; |holds|: those that an open port needs effective.
 */
static const struct {
	uint64_t opens, closes, holds;
} kinds[] = {
	/*
	 * Entropy values below 1024 are source ports, which need
	 * NET_BIND_SERVICE. NET_ADMIN permits a receive buffer above
	 * net.core.rmem_max.
	 */
	[PORT_UDP] = {BIT(CAP_NET_BIND_SERVICE) | BIT(CAP_NET_ADMIN), 0,
		      BIT(CAP_NET_BIND_SERVICE)},
	[PORT_RAW] = {BIT(CAP_NET_RAW), 0, 0},
	[PORT_RING] = {BIT(CAP_NET_RAW), 0, 0},
	/*
	 * The port loads a program into the interface and removes it
	 * again.  libxdp finds the program by its number, for which CAP_BPF is
	 * not enough.
	 */
	[PORT_XDP] = {BIT(CAP_NET_RAW) | LOCKS | LOADS, LOADS, 0},
};

struct caps {
	uint64_t effective, permitted;
};

static bool privilege_get(struct caps *ret)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &head, d))
		return false;
	ret->effective = d[0].effective | (uint64_t)d[1].effective << 32;
	ret->permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	return true;
}

/*
 * Dropping capabilities is always permitted.  The inheritable set becomes
 * empty.
 */
static void privilege_set(const struct caps *c)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct d[2] = {
		{(uint32_t)c->effective, (uint32_t)c->permitted, 0},
		{(uint32_t)(c->effective >> 32), (uint32_t)(c->permitted >> 32),
		 0},
	};

	syscall(SYS_capset, &head, d);
}

void privilege_confine(void)
{
	struct caps c;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (unsigned long cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0;
	     cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (privilege_get(&c))
		privilege_set(&c);
}

void privilege_raise(void)
{
	struct caps c;

	if (!privilege_get(&c))
		return;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		c.effective |= kinds[i].opens;
	c.effective |= BIT(CAP_DAC_OVERRIDE);
	c.effective &= c.permitted;
	privilege_set(&c);
}

void privilege_settle(unsigned ports, unsigned flags)
{
	uint64_t holds = 0, later = 0;
	struct caps c;

	if (flags & PRIVILEGE_ALL || !privilege_get(&c))
		return;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (ports & PRIVILEGE_PORT(i)) {
			holds |= kinds[i].holds;
			later |= kinds[i].closes;
			if (flags & PRIVILEGE_AGAIN)
				later |= kinds[i].opens;
		}
	if (flags & PRIVILEGE_FILES)
		holds |= FILES;
	if (flags & PRIVILEGE_KILL)
		holds |= BIT(CAP_KILL);
	if (flags & PRIVILEGE_UNIX)
		later |= BIT(CAP_DAC_OVERRIDE);
	c.permitted &= holds | later;
	c.effective &= c.permitted & holds;
	privilege_set(&c);
}
