/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/owes.h -- the duties of every device, independent of its claims:
 * where its answers go, how its packets are marked.
 *
 * A device that violates one fails most cases for one reason, which no single
 * finding names.  docs/dut-control.md lists the duties.
 */
#ifndef SUITE_DECL_OWES_H
#define SUITE_DECL_OWES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "suite/decl/decl.h"
#include "suite/verdict/record.h"

/* A duty: how often the device met it, and how often it did not. */
struct duty {
	size_t kept, broken;
	unsigned got; /* the last value that violated it */
};

struct owes {
	uint64_t strays; /* datagrams that the device sent to the tester's
			    source port */
	struct duty entropy, ect, dscp_data, dscp_control;
	const char *header; /* SES header of a single-packet send; NULL: none
			       seen */
	bool same_pdc, other_pdc; /* whether two messages in a row used the same
				     PDC, or two PDCs */
};

/* owes_take checks the record of one case. */
void owes_take(struct owes *o, const struct record *r, const struct decl *d);

/* owes_print appends one comment line for each duty and choice. */
void owes_print(const struct owes *o, const struct decl *d, struct text *t);

/*
 * owes_compare appends one line for each duty that the device violated.
 * Return: the number of lines.
 */
size_t owes_compare(const struct owes *o, const struct decl *d, struct text *t);

#endif
