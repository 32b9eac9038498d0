/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_svg.h -- draws the result of a fabric: completion times,
 * the flows' rates, goodput, repeated and trimmed packets, and the largest
 * queue, each beside the ideal.
 */
#ifndef CLI_FABRIC_FABRIC_SVG_H
#define CLI_FABRIC_FABRIC_SVG_H

#include "base/text.h"
#include "fabric/fabric.h"

/* fabric_svg appends an SVG document. */
void fabric_svg(struct text *t, const struct fabric_conf *conf,
		const struct fabric_result *r);

#endif
