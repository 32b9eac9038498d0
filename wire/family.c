/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/family.c -- names, ports and tables of the transports.
 */
#include "wire/family.h"

#include <string.h>

#include "base/err.h"
#include "wire/dgram.h"
#include "wire/ib.h"
#include "wire/ib_packet.h"

static const struct {
	const char *name;
	uint16_t port;
} families[FAMILIES] = {
	[FAMILY_UET] = {"uet", UET_UDP_PORT},
	[FAMILY_SRD] = {"srd", SRD_UDP_PORT},
	[FAMILY_WQE] = {"wqe", WQE_UDP_PORT},
	[FAMILY_ROCE] = {"roce", ROCE_UDP_PORT},
};

const char *family_name(enum family family)
{
	return families[family].name;
}

uint16_t family_port(enum family family)
{
	return families[family].port;
}

int family_find(const char *name, size_t len, enum family *ret)
{
	for (unsigned i = 0; i < FAMILIES; i++)
		if (strlen(families[i].name) == len &&
		    memcmp(families[i].name, name, len) == 0) {
			*ret = (enum family)i;
			return 0;
		}
	return ERR_VALUE;
}

void family_parse(enum family family, struct packet *ret, const uint8_t *p,
		  size_t len)
{
	if (family == FAMILY_UET)
		packet_parse(ret, p, len);
	else
		ib_packet_parse(ret, p, len);
}
