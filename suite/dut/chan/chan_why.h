/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/chan/chan_why.h -- describes why a channel or a port could not be
 * opened.
 */
#ifndef SUITE_DUT_CHAN_CHAN_WHY_H
#define SUITE_DUT_CHAN_CHAN_WHY_H

#define CHAN_WHY 256 /* size of a text that describes a failure */

struct port_conf;

/* chan_port writes why port_new() failed, from |err| and errno. */
void chan_port(char why[CHAN_WHY], const struct port_conf *conf, int err);

/* chan_errno writes |what| and the text of errno. */
void chan_errno(char why[CHAN_WHY], const char *what);

#endif
