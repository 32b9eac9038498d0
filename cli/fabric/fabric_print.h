/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_print.h -- prints the result of a fabric.
 */
#ifndef CLI_FABRIC_FABRIC_PRINT_H
#define CLI_FABRIC_FABRIC_PRINT_H

#include <jansson.h>

#include "base/text.h"
#include "cli/fabric/fabric_live.h"
#include "fabric/fabric.h"

/* The limits that a result must keep; 0: none. */
struct fabric_bars {
	uint32_t goodput;       /* at least, % of the ideal */
	uint32_t fairness;      /* Jain's index at least, hundredths */
	uint32_t retransmitted; /* at most, of 100 packets */
};

/*
 * fabric_missed appends a line for each bar that the result misses.
 *
 * Return: their number.
 */
unsigned fabric_missed(struct text *t, const struct fabric_bars *bars,
		       const struct fabric_result *r);

/* fabric_text appends the table. */
void fabric_text(struct text *t, const struct fabric_conf *conf,
		 const struct fabric_result *r);

/*
 * fabric_json makes the document of docs/fabric.schema.json; NULL: there is no
 * memory.
 */
json_t *fabric_json(const struct fabric_conf *conf,
		    const struct fabric_bars *bars,
		    const struct fabric_result *r);

/* fabric_live_text and fabric_live_json do the same for --live. */
void fabric_live_text(struct text *t, const struct fabric_live_conf *conf,
		      const struct fabric_live_result *r);
json_t *fabric_live_json(const struct fabric_live_conf *conf,
			 const struct fabric_live_result *r);

#endif
