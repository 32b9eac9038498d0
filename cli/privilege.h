/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/privilege.h -- as little privilege as will do, for as short as will do.
 *
 * Ports of whole frames need CAP_NET_RAW to be opened, and nothing afterwards.
 * Capabilities belong to a thread: what follows is about the calling one, and
 * about those that it makes later.  Without any to begin with, nothing is done
 * and nothing fails.
 */
#ifndef CLI_PRIVILEGE_H
#define CLI_PRIVILEGE_H

#include <stdbool.h>

/* privilege_raise makes CAP_NET_RAW effective, if it is permitted. */
void privilege_raise(void);

/*
 * privilege_drop gives up all capabilities.  With |again| CAP_NET_RAW can be
 * raised once more, for a port that may have to be opened anew, and CAP_KILL
 * stays, for the program that is started along with it.
 */
void privilege_drop(bool again);

/* privilege_drop_raw gives up CAP_NET_RAW alone: root still reaches its files.
 */
void privilege_drop_raw(void);

#endif
