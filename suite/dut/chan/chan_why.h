/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_why.h -- says in words why a channel or a port could not
 * be had.
 */
#ifndef SUITE_DUT_CHAN_CHAN_WHY_H
#define SUITE_DUT_CHAN_CHAN_WHY_H

#define CHAN_WHY 256 /* bytes of a text that says why something failed */

struct port_conf;

/* chan_port writes why port_new failed with |err|, and errno. */
void chan_port(char why[CHAN_WHY], const struct port_conf *conf, int err);

/* chan_errno writes what errno means, in words, after |what|. */
void chan_errno(char why[CHAN_WHY], const char *what);

#endif
