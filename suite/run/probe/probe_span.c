/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_span.c -- rounds and prints the times that a probe
 * measured.
 */
#include "suite/run/probe/probe_span.h"

#include <inttypes.h>

#include "base/text.h"
#include "base/vtime.h"

vspan probe_round_span(vspan ns)
{
	vspan unit = 1;

	while (ns / unit >= 100)
		unit *= 10;
	return (ns + unit / 2) / unit * unit;
}

void probe_span_print(struct text *t, vspan span)
{
	const uint64_t us = (uint64_t)span / VSPAN_US;

	if (us % 1000)
		text_printf(t, "%" PRIu64 "us", us);
	else
		text_printf(t, "%" PRIu64 "ms", us / 1000);
}

vspan probe_whole_us(vspan ns)
{
	if (ns && ns < VSPAN_US)
		return VSPAN_US;
	return ns;
}

vspan probe_longer(vspan a, vspan b)
{
	if (a > b)
		return a;
	return b;
}
