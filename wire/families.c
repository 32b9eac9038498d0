/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/families.c -- the registry of the transports on the wire: one row for
 * each.
 *
 * No other file of this folder names the families.  A program that links its
 * own rows instead of this file has other transports (tests/toy/).
 */
#include "base/serial.h"
#include "wire/dgram.h"
#include "wire/family.h"
#include "wire/ib/ib.h"
#include "wire/ib/ib_packet.h"
#include "wire/uet/uet_packet.h"

static const struct wire_family wire_uet = {
	.name = "uet",
	.port = UET_UDP_PORT,
	.format = &uet_format,
	.seal = SEAL_CRC32C,
	.psn_mask = UINT32_MAX,
};

static const struct wire_family wire_srd = {
	.name = "srd",
	.port = SRD_UDP_PORT,
	.format = &ib_format,
	.seal = SEAL_ICRC,
	.psn_mask = SERIAL24_MASK,
};

static const struct wire_family wire_wqe = {
	.name = "wqe",
	.port = WQE_UDP_PORT,
	.format = &ib_format,
	.seal = SEAL_ICRC,
	.psn_mask = SERIAL24_MASK,
};

static const struct wire_family wire_roce = {
	.name = "roce",
	.port = ROCE_UDP_PORT,
	.format = &ib_format,
	.seal = SEAL_ICRC_IP,
	.psn_mask = SERIAL24_MASK,
};

const struct wire_family *const wire_families[] = {
	FAMILY_LIST(FAMILY_ROW, wire_)};

const unsigned wire_nfamilies = FAMILIES;
