/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/cc_conf.h -- the settings of the congestion control policies:
 * their defaults, their limits, and what follows from them.
 */
#ifndef ORACLE_UET_CC_CC_CONF_H
#define ORACLE_UET_CC_CC_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/oracle.h"

#define CC_LINK_RATE_MAX  10000000u /* Mbit/s: 10 Tbit/s */
#define CC_BASE_RTT_MAX   VSPAN_S
#define CC_HUNDREDTHS_MAX 100000u

/* cc_conf_default sets the defaults; the policy is ORC_POLICY_NONE. */
void cc_conf_default(struct orc_conf *conf);

/* cc_conf_is_right returns false if a setting is out of range. */
bool cc_conf_is_right(const struct orc_conf *conf);

/*
 * cc_conf_bytes returns the bytes that the link carries in |span|; at most
 * UINT32_MAX.
 */
uint32_t cc_conf_bytes(const struct orc_conf *conf, vspan span);

/* cc_conf_span returns the time that |bytes| take on the link. */
vspan cc_conf_span(const struct orc_conf *conf, uint32_t bytes);

#endif
