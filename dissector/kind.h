/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/kind.h -- classifies a packet by its headers.
 */
#ifndef DISSECTOR_KIND_H
#define DISSECTOR_KIND_H

#include <stdint.h>

#include "wire/packet.h"

/*
 * kind_of returns the flags of enum seen_flag that follow from the headers
 * alone.
 */
uint16_t kind_of(const struct packet *pkt);

#endif
