/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_member.c -- loads and stores members of structs, of any
 * width.
 */
#include "suite/dut/ctl/ctl_member.h"

#include <string.h>

#include "suite/dut/ctl/ctl_table.h"
#include "wire/field.h"

uint64_t ctl_member_load(const struct ctl_key *k, const void *base)
{
	const uint8_t *p = (const uint8_t *)base + k->at;
	uint8_t b1;
	uint16_t b2;
	uint32_t b4;
	uint64_t b8;

	switch (k->size) {
	case sizeof(b1):
		memcpy(&b1, p, sizeof(b1));
		return b1;
	case sizeof(b2):
		memcpy(&b2, p, sizeof(b2));
		return b2;
	case sizeof(b4):
		memcpy(&b4, p, sizeof(b4));
		return b4;
	default:
		memcpy(&b8, p, sizeof(b8));
		return b8;
	}
}

void ctl_member_store(const struct ctl_key *k, void *base, uint64_t value)
{
	uint8_t *p = (uint8_t *)base + k->at;
	uint8_t b1 = (uint8_t)value;
	uint16_t b2 = (uint16_t)value;
	uint32_t b4 = (uint32_t)value;

	switch (k->size) {
	case sizeof(b1):
		memcpy(p, &b1, sizeof(b1));
		break;
	case sizeof(b2):
		memcpy(p, &b2, sizeof(b2));
		break;
	case sizeof(b4):
		memcpy(p, &b4, sizeof(b4));
		break;
	default:
		memcpy(p, &value, sizeof(value));
		break;
	}
}
