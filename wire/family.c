/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/family.c -- looks up rows of the registry of the transports.
 */
#include "wire/family.h"

#include <string.h>

#include "base/err.h"

const char *family_name(enum family family)
{
	return wire_families[family]->name;
}

uint16_t family_port(enum family family)
{
	return wire_families[family]->port;
}

bool family_has_icrc(enum family family)
{
	return wire_families[family]->seal >= SEAL_ICRC;
}

int family_find(const char *name, size_t len, enum family *ret)
{
	for (unsigned i = 0; i < wire_nfamilies; i++)
		if (strlen(wire_families[i]->name) == len &&
		    memcmp(wire_families[i]->name, name, len) == 0) {
			*ret = (enum family)i;
			return 0;
		}
	return ERR_VALUE;
}

bool family_of_port(uint16_t port, enum family *ret)
{
	for (unsigned i = 0; i < wire_nfamilies; i++)
		if (wire_families[i]->port == port) {
			*ret = (enum family)i;
			return true;
		}
	return false;
}
