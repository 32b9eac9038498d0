/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_file.h -- reads the topology of a fabric from YAML.
 *
 *	topology: leaf-spine
 *	leaves: 4
 *	spines: 8
 *	hosts: 8
 *	rate: 100G
 *	delay: 500ns
 *	failures:
 *	  - {leaf: 0, spine: 3, at: 100us, until: 2ms}
 *
 * docs/fabric.md describes all keys.
 */
#ifndef CLI_FABRIC_FABRIC_FILE_H
#define CLI_FABRIC_FABRIC_FILE_H

#include <stddef.h>

#include "base/diag.h"
#include "fabric/fabric.h"

/*
 * fabric_file_parse sets the members of |ret| that the text names; the others
 * stay.
 *
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 */
int fabric_file_parse(struct fabric_topology *ret, const char *path,
		      const char *text, size_t len, struct diag *diag);

/*
 * fabric_file_size parses a number of bytes: "4096", "64k", "1M", "2G" (powers
 * of 1024).
 */
bool fabric_file_size(const char *s, uint64_t *ret);

#endif
