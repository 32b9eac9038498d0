/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_setting.c -- the "setting" lines of a declaration: read,
 * printed and looked up.
 */
#include "suite/decl/decl_setting.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "oracle/oracle.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_row.h"
#include "suite/dut/ctl/ctl_words.h"

#define MPR_UNIT 128 /* PSNs per unit of the MPR field */

/*
 * Settings that another line says: the line, and the row of decl_rows whose
 * number is the value; NULL: decl_setting_derived() makes it.
 */
static const struct {
	enum orc_setting setting;
	const char *line, *row;
} own_lines[] = {
	{SETTING_rto_init, "timer rto", "rto"},
	{SETTING_rto_max, "timer rto_max", "rto_max"},
	{SETTING_nack_retx_time, "timer nack_time", "nack_time"},
	{SETTING_pds_clear_time, "timer clear_time", "clear_time"},
	{SETTING_close_idle, "timer close_idle", "close_idle"},
	{SETTING_max_rto_retx, "limit max_rto_retx", "max_rto_retx"},
	{SETTING_max_nack_retx, "limit max_nack_retx", "max_nack_retx"},
	{SETTING_max_ack_data, "size max_ack_data", "max_ack_data"},
	{SETTING_default_mpr, "size mp_range", NULL},
	{SETTING_version, "version", NULL},
	{SETTING_crc, "crc", NULL},
	{SETTING_crc_order, "crc", NULL},
	{SETTING_icrc, "icrc", NULL},
	{SETTING_native, "the port of --dut", NULL},
};

#define OWN_LINES (sizeof(own_lines) / sizeof(own_lines[0]))

static bool decl_setting_derived(const struct decl *d, enum orc_setting setting,
				 uint64_t *ret)
{
	switch (setting) {
	case SETTING_default_mpr:
		*ret = d->mp_range / MPR_UNIT;
		return d->mp_range % MPR_UNIT == 0;
	case SETTING_version:
		*ret = d->uet;
		return true;
	case SETTING_crc:
		*ret = d->crc;
		return true;
	case SETTING_crc_order:
		*ret = d->crc_be;
		return d->crc;
	case SETTING_icrc:
		*ret = d->icrc;
		return true;
	default:
		return false;
	}
}

static uint64_t decl_setting_of_row(const struct decl *d, const char *name)
{
	const struct decl_row *r = &decl_rows[decl_row_index(name)];
	const struct decl_time *t = (const void *)((const char *)d + r->at);

	if (r->kind == ROW_TIME)
		return (uint64_t)t->value;
	return row_get(d, r);
}

/* Stores what another line says of the setting. */
static bool decl_setting_by_line(const struct decl *d, enum orc_setting setting,
				 uint64_t *ret)
{
	for (size_t i = 0; i < OWN_LINES; i++)
		if (own_lines[i].setting == setting && own_lines[i].row) {
			*ret = decl_setting_of_row(d, own_lines[i].row);
			return true;
		}
	return decl_setting_derived(d, setting, ret);
}

static const struct decl_setting *decl_setting_given(const struct decl *d,
						     enum orc_setting setting)
{
	for (const struct decl_setting *c = d->settings; c; c = c->next)
		if (c->setting == setting)
			return c;
	return NULL;
}

bool decl_setting_find(const struct decl *d, enum orc_setting setting,
		       uint64_t *ret)
{
	const struct decl_setting *c = decl_setting_given(d, setting);

	if (c) {
		*ret = c->value;
		return true;
	}
	if (setting == SETTING_ack_type && decl_claims(d, "ack_cc")) {
		*ret = ORC_ACK_CC;
		return true;
	}
	return decl_setting_by_line(d, setting, ret);
}

static int no_setting(struct lex *lex, struct word name)
{
	struct near n;

	near_init(&n, name);
	for (const struct value_name *v = ctl_settings; v->name; v++)
		near_offer(&n, v->name);
	return lex_error(lex, name.s, "no setting '%.*s'%s", WORD(name),
			 near_hint(&n));
}

/* Refuses a setting that another line of the declaration says. */
static int refuse_own_line(struct lex *lex, struct word name,
			   enum orc_setting setting)
{
	for (size_t i = 0; i < OWN_LINES; i++)
		if (own_lines[i].setting == setting)
			return lex_error(lex, name.s,
					 "'%.*s' is said by another line: %s",
					 WORD(name), own_lines[i].line);
	return 0;
}

static int decl_setting_value(struct lex *lex, struct word w, uint64_t *ret)
{
	struct span s;

	if (!lex_u64(w, UINT64_MAX, ret))
		return 0;
	if (!word_span(w, &s) || s.unit != SPAN_NS)
		return lex_error(lex, w.s,
				 "expected a number, or a time in one word: "
				 "5ms, 200us");
	*ret = (uint64_t)s.ns;
	return 0;
}

static int decl_setting_add(struct lex *lex, struct decl *d, struct word name,
			    struct word value)
{
	struct decl_setting *c, **end = &d->settings;
	uint64_t setting;
	int err;

	if (value_parse(ctl_settings, name.s, name.len, &setting))
		return no_setting(lex, name);
	err = refuse_own_line(lex, name, (enum orc_setting)setting);
	if (err)
		return err;
	if (decl_setting_given(d, (enum orc_setting)setting))
		return lex_error(lex, name.s, "'%.*s' is given twice",
				 WORD(name));
	c = arena_alloc(&d->arena, sizeof(*c));
	if (!c)
		return ERR_NOMEM;
	c->setting = (enum orc_setting)setting;
	c->next = NULL;
	while (*end)
		end = &(*end)->next;
	*end = c;
	return decl_setting_value(lex, value, &c->value);
}

int decl_setting_read(struct lex *lex, struct decl *d)
{
	struct word w;
	int err = 0;

	if (!lex_peek(lex, &w))
		return lex_error(lex, w.s, "expected setting=value");
	while (!err && lex_word(lex, &w)) {
		const char *eq = memchr(w.s, '=', w.len);
		struct word name = {w.s, 0}, value = {w.s, 0};

		if (!eq)
			return lex_error(lex, w.s, "expected setting=value");
		name.len = (size_t)(eq - w.s);
		value.s = eq + 1;
		value.len = w.len - name.len - 1;
		err = decl_setting_add(lex, d, name, value);
	}
	return err;
}

void decl_settings_print(struct text *t, const struct decl *d)
{
	if (!d->settings)
		return;
	text_puts(t, "setting");
	for (const struct decl_setting *c = d->settings; c; c = c->next)
		text_printf(t, " %s=%" PRIu64, ctl_setting_name(c->setting),
			    c->value);
	text_puts(t, "\n");
}
