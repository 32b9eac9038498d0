/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_print.h -- prints the result of a fabric.
 */
#ifndef CLI_FABRIC_FABRIC_PRINT_H
#define CLI_FABRIC_FABRIC_PRINT_H

#include <jansson.h>

#include "base/text.h"
#include "fabric/fabric.h"

/* fabric_text appends the table. */
void fabric_text(struct text *t, const struct fabric_conf *conf,
		 const struct fabric_result *r);

/*
 * fabric_json makes the document of docs/fabric.schema.json; NULL: there is no
 * memory.
 */
json_t *fabric_json(const struct fabric_conf *conf,
		    const struct fabric_result *r);

#endif
