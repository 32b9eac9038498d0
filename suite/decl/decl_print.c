/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_print.c -- prints declarations so that they parse back.
 */
#include "suite/decl/decl_print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_codes.h"
#include "suite/decl/decl_row.h"
#include "suite/decl/decl_setting.h"
#include "suite/decl/derived.h"
#include "suite/decl/deviation.h"
#include "suite/decl/profile.h"
#include "suite/lang/lex/case_lex.h"
#include "wire/packet.h"

static void ns_print(struct text *t, vspan ns)
{
	const struct span s = {.set = true, .ns = ns};

	span_print(t, &s);
}

static void row_print(struct text *t, const struct decl *d,
		      const struct decl_row *r)
{
	const uint64_t v = row_get(d, r);

	if (!row_is_given(d, r))
		text_puts(t, "# by default: ");
	text_printf(t, "%s %s ", r->group, r->name);
	if (r->kind == ROW_TIME) {
		const struct decl_time *time =
			(const void *)((const char *)d + r->at);

		ns_print(t, time->value);
		text_puts(t, " tolerance ");
		ns_print(t, time->tolerance);
	} else if (r->hex)
		text_printf(t, "0x%" PRIx64, v);
	else
		text_printf(t, "%" PRIu64, v);
	text_puts(t, "\n");
}

static void codes_print(struct text *t, uint64_t codes)
{
	const char *bar = "";

	text_puts(t, " return_code=");
	for (unsigned i = 0; i < 64; i++) {
		const char *name = value_find(ses_return_codes, i);

		if (!(codes >> i & 1))
			continue;
		text_puts(t, bar);
		if (name)
			text_puts(t, name);
		else
			text_printf(t, "0x%x", i);
		bar = "|";
	}
}

static void cause_print(struct text *t, const char *word,
			const struct decl_cause *c, uint64_t codes)
{
	if (!c->fields)
		return;
	text_printf(t, "cause %s", word);
	for (const struct decl_field *f = c->fields; f; f = f->next)
		text_printf(t, " %s=0x%" PRIx64, f->field, f->value);
	if (c->codes != codes)
		codes_print(t, c->codes);
	if (c->packets != CAUSE_ALL)
		text_printf(t, " packets=%s", decl_cause_packets(c->packets));
	text_puts(t, "\n");
}

void decl_print(struct text *t, const struct decl *d)
{
	text_printf(t, "name %s\nversion %s\n", d->name, d->version);
	if (d->release)
		text_printf(t, "release %s\n", d->release);
	if (d->profile)
		text_printf(t, "profile %s\n", d->profile->name);
	if (d->nclaims) {
		text_puts(t, "claims");
		for (size_t i = 0; i < d->nclaims; i++)
			text_printf(t, " %s", d->claims[i]);
		text_puts(t, "\n");
	}
	for (size_t i = 0; i < DECL_ROWS; i++)
		row_print(t, d, &decl_rows[i]);
	text_printf(t, "crc %s\nport %u\n",
		    !d->crc     ? "none"
		    : d->crc_be ? "big"
				: "little",
		    (unsigned)d->udp_port);
	if (d->icrc != ICRC_SOCK)
		text_printf(t, "icrc %s\n", decl_icrc_name(d->icrc));
	cause_print(t, "gtd", &d->gtd_cause, ALL_CODES);
	cause_print(t, "error", &d->error_cause, ERROR_CODES);
	cause_print(t, "delay", &d->delay_cause, 0);
	cause_print(t, "defer", &d->defer_cause, 0);
	decl_settings_print(t, d);
	for (const struct deviation *v = d->deviations; v; v = v->next)
		deviation_print(t, v);
}
