/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/nack_codes.h -- the classes of NACK codes.
 */
#ifndef JUDGE_UET_NACK_CODES_H
#define JUDGE_UET_NACK_CODES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * nack_received returns true if a code reports that the packet had arrived
 * before.
 */
bool nack_received(uint8_t code);

/* nack_fatal returns true if a code ends the PDC. */
bool nack_fatal(uint8_t code);

/*
 * nack_drops returns true if a code reports that the packet was not received,
 * and that no part of it is kept.
 */
bool nack_drops(uint8_t code);

#endif
