/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/privilege.h"

#include <stdint.h>
#include <unistd.h>

#include <linux/capability.h>
#include <sys/syscall.h>

#define BIT(cap) ((uint64_t)1 << (cap))

struct caps {
	uint64_t effective, permitted;
};

static bool get(struct caps *ret)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &head, d))
		return false;
	ret->effective = d[0].effective | (uint64_t)d[1].effective << 32;
	ret->permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	return true;
}

/* Fewer are always allowed. */
static void set(const struct caps *c)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	const struct __user_cap_data_struct d[2] = {
		{(uint32_t)c->effective, (uint32_t)c->permitted, 0},
		{(uint32_t)(c->effective >> 32), (uint32_t)(c->permitted >> 32),
		 0},
	};

	syscall(SYS_capset, &head, d);
}

void privilege_raise(void)
{
	struct caps c;

	if (!get(&c) || !(c.permitted & BIT(CAP_NET_RAW)))
		return;
	c.effective |= BIT(CAP_NET_RAW);
	set(&c);
}

void privilege_drop(bool again)
{
	struct caps c;

	if (!get(&c))
		return;
	c.permitted &= again ? BIT(CAP_NET_RAW) | BIT(CAP_KILL) : 0;
	c.effective &= c.permitted & BIT(CAP_KILL);
	set(&c);
}

void privilege_drop_raw(void)
{
	struct caps c;

	if (!get(&c))
		return;
	c.permitted &= ~BIT(CAP_NET_RAW);
	c.effective &= c.permitted;
	set(&c);
}
