/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/registry.c -- expands WIRE_HEADERS and WIRE_IB_HEADERS to the two lists
 * of header tables.
 */
#include "wire/registry.h"

#define REGISTRY_ROW(h, list) &h##_header,

const struct header *const wire_headers[] = {WIRE_HEADERS(REGISTRY_ROW)};
const size_t wire_nheaders = sizeof(wire_headers) / sizeof(wire_headers[0]);

const struct header *const wire_ib_headers[] = {WIRE_IB_HEADERS(REGISTRY_ROW)};
const size_t wire_nib_headers =
	sizeof(wire_ib_headers) / sizeof(wire_ib_headers[0]);
