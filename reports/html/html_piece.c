/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/html/html_piece.c -- appends texts, verdicts, ids and times to the
 * page.
 */
#include "reports/html/html_piece.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "reports/safe.h"

void html_text(struct html *h, const char *s)
{
	safe_xml(h->t, text_or(s, ""));
}

void html_verdict(struct html *h, const char *name)
{
	text_printf(h->t, "<span class=\"v %s\">%s</span>", name, name);
}

void html_req(struct html *h, enum req_id id, enum req_role role)
{
	const char *name = req_get(id)->id;

	text_printf(h->t, "<a href=\"#%s\">%s/%s</a>", name, name,
		    req_role_name(role));
}

void html_ms(struct html *h, vspan ns)
{
	const uint64_t us = ns > 0 ? (uint64_t)ns / 1000 : 0;

	if (us >= 1000000)
		text_printf(h->t, "%" PRIu64 ".%" PRIu64 " s", us / 1000000,
			    us / 100000 % 10);
	else
		text_printf(h->t, "%" PRIu64 ".%" PRIu64 " ms", us / 1000,
			    us / 100 % 10);
}

size_t html_family(const char *id)
{
	const char *dash = strrchr(id, '-');

	if (dash)
		return (size_t)(dash - id);
	return strlen(id);
}
