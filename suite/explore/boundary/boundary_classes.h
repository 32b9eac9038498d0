/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/boundary/boundary_classes.h -- the classes of boundary values.
 */
#ifndef SUITE_EXPLORE_BOUNDARY_BOUNDARY_CLASSES_H
#define SUITE_EXPLORE_BOUNDARY_BOUNDARY_CLASSES_H

#include "suite/explore/script/script.h"

/* The source of the values of a class. */
enum boundary_source {
	BOUNDARY_WORDS,    /* a list */
	BOUNDARY_CODES,    /* the names of an enumeration */
	BOUNDARY_BITS,     /* the reserved bits of the transport's headers */
	BOUNDARY_SES_BITS, /* those of the headers behind them */
	BOUNDARY_CUTS,     /* each length of a packet that ends in a header */
};

struct boundary_class {
	const char *name; /* NULL ends the table */
	unsigned subjects;
	enum chair chair;
	enum boundary_source source;
	const char *const *words; /* ends with NULL */
	/* the packet, its SES header or NULL, and the field of the codes */
	const char *word, *ses, *field;
	struct draft_script script; /* {v} in its lines is the value */
};

extern const struct boundary_class boundary_classes[];

#endif
