/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/toy/toy.h -- how the toy's reference endpoint can be made wrong.
 */
#ifndef TESTS_TOY_TOY_H
#define TESTS_TOY_TOY_H

#include <stdint.h>

/* Added to the PSN of each answer; 0: a correct endpoint. */
extern uint32_t toy_error;

#endif
