/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/uet/uet_build.h -- builds UET packets from words and values.
 */
#ifndef WIRE_UET_UET_BUILD_H
#define WIRE_UET_UET_BUILD_H

#include "wire/packet.h"

/*
 * uet_packet_build does the same as packet_build for UET, with the same errors.
 */
int uet_packet_build(uint8_t *p, size_t size, const struct packet_spec *spec,
		     int *ret_bad);

#endif
