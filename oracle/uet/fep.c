/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/fep.c -- the known peers (FEPs), by number and by address.
 */
#include "oracle/uet/fep.h"

#include "base/err.h"
#include "base/memory.h"
#include "wire/field.h"

#define KEY_IS_HASH ((uint64_t)1 << 63)

/*
 * Returns the key of an address: an IPv4 address itself, or a hash of a longer
 * one.
 */
static uint64_t addr_key(const struct ip_addr *addr)
{
	uint64_t h = addr->len;

	if (addr->len == 4)
		return bits_get(addr->b, 0, 32);
	for (unsigned i = 0; i < addr->len; i++)
		h = (h ^ addr->b[i]) * 0x100000001b3u;
	return KEY_IS_HASH | h << 16;
}

/* Finds a peer.  Return: false if there is none; *key is where it would go. */
static bool find_key(const struct feps *feps, const struct ip_addr *addr,
		     uint64_t *key, uint32_t *ret)
{
	for (*key = addr_key(addr); idmap_get(&feps->by_addr, *key, ret);
	     ++*key)
		if (!(*key & KEY_IS_HASH) ||
		    ip_addr_equal(&feps->addrs[*ret], addr))
			return true;
	return false;
}

bool feps_find(const struct feps *feps, const struct ip_addr *addr,
	       uint32_t *ret)
{
	uint64_t key;

	return find_key(feps, addr, &key, ret);
}

int feps_add(struct feps *feps, struct mem *m, const struct ip_addr *addr,
	     uint32_t *ret)
{
	struct ip_addr *addrs = mem_grow(m, feps->addrs, &feps->cap,
					 feps->n + (size_t)1, sizeof(*addrs));
	uint64_t key;

	if (!addrs)
		return ERR_NOMEM;
	feps->addrs = addrs;
	find_key(feps, addr, &key, ret);
	if (!idmap_put(&feps->by_addr, m, key, feps->n))
		return ERR_NOMEM;
	addrs[feps->n] = *addr;
	*ret = feps->n++;
	return 0;
}

void feps_expect(const struct feps *feps, const struct ip_addr *addr)
{
	idmap_expect(&feps->by_addr, addr_key(addr));
}

void feps_clear(struct feps *feps)
{
	idmap_clear(&feps->by_addr);
	feps->n = 0;
}

void feps_free(struct feps *feps)
{
	memory_free(feps->addrs);
	idmap_free(&feps->by_addr);
}
