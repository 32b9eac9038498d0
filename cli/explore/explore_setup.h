/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_setup.h -- from the options to the configuration of an
 * exploration.
 */
#ifndef CLI_EXPLORE_EXPLORE_SETUP_H
#define CLI_EXPLORE_EXPLORE_SETUP_H

#include "cli/explore/exploring.h"

/*
 * explore_setup loads the variants, the declaration and the reference, fills in
 * e->conf, and makes the folder of --out.
 * Return: 0 or an exit code after a message.
 * Owner:  decl_free of e->decl and e->reference_decl, also after an error.
 */
int explore_setup(struct exploring *e);

#endif
