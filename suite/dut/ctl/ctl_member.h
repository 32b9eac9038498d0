/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_member.h -- loads and stores members of structs, of any
 * width.
 */
#ifndef SUITE_DUT_CTL_CTL_MEMBER_H
#define SUITE_DUT_CTL_CTL_MEMBER_H

#include "suite/dut/ctl/ctl_table.h"
#include <stdint.h>

/* ctl_member_load returns the member of a key in the struct at |base|. */
uint64_t ctl_member_load(const struct ctl_key *k, const void *base);

/* ctl_member_store sets it, cut to the width of the member. */
void ctl_member_store(const struct ctl_key *k, void *base, uint64_t value);

#endif
