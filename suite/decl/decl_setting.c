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
#include "oracle/setting.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_row.h"
#include "suite/dut/ctl/ctl_words.h"

#define MPR_UNIT 128 /* PSNs per unit of the MPR field */

/*
 * Indexed by setting.  |line| declares the setting; NULL if no other line does.
 * |row| is the row of decl_rows whose number is the value; NULL if
 * decl_setting_derived() makes the value.
 */
static const struct {
	const char *line, *row;
} own_lines[] = {
	[SETTING_rto_init] = {"timer rto", "rto"},
	[SETTING_rto_max] = {"timer rto_max", "rto_max"},
	[SETTING_nack_retx_time] = {"timer nack_time", "nack_time"},
	[SETTING_pds_clear_time] = {"timer clear_time", "clear_time"},
	[SETTING_close_idle] = {"timer close_idle", "close_idle"},
	[SETTING_max_rto_retx] = {"limit max_rto_retx", "max_rto_retx"},
	[SETTING_max_nack_retx] = {"limit max_nack_retx", "max_nack_retx"},
	[SETTING_max_ack_data] = {"size max_ack_data", "max_ack_data"},
	[SETTING_max_stored] = {"size stored", "stored"},
	[SETTING_wqe_max_len] = {"size max_message", "max_message"},
	[SETTING_wqe_cache_max] = {"size wqe_cache", "wqe_cache"},
	[SETTING_wqe_max_ooo] = {"size wqe_ooo", "wqe_ooo"},
	[SETTING_srd_unresponsive] = {"timer unresponsive", "unresponsive"},
	[SETTING_mpr] = {"size mp_range", NULL},
	[SETTING_override_mpr_zero] = {"size mp_range", NULL},
	[SETTING_dscp_bulk] = {"dscp bulk", "bulk"},
	[SETTING_default_mpr] = {"size mp_range", NULL},
	[SETTING_version] = {"version", NULL},
	[SETTING_crc] = {"crc", NULL},
	[SETTING_crc_order] = {"crc", NULL},
	[SETTING_icrc] = {"icrc", NULL},
	[SETTING_native] = {"the port of --dut", NULL},
};

#define OWN_LINES (sizeof(own_lines) / sizeof(own_lines[0]))

/* Ranges that the specification gives; others are those of the member. */
static const struct {
	enum orc_setting setting;
	uint64_t least, most;
	const char *why;
} ranges[] = {
	{SETTING_ack_gen_trigger, 0, 32768,
	 "ACK_Gen_Trigger is 32 KiB at most (uet.md 9)"},
	{SETTING_ack_gen_min_pkt_add, 0, 2048,
	 "ACK_Gen_Min_Pkt_Add is 2 KiB at most (uet.md 9)"},
	{SETTING_psn_range, 16, 1u << 31,
	 "a PDC has 16 to 2^31 PSNs (uet.md 6.2)"},
	{SETTING_infer_loss, 0, INT16_MAX, "it counts up to 32767 PSNs"},
	{SETTING_sack_retx, 0, INT16_MAX, "it counts up to 32767 PSNs"},
	{SETTING_credit_init, 0, 0x7fffff,
	 "credit counts modulo 2^24 (uet.md 3.5)"},
	{SETTING_rcv_cwnd_pend, 0, 127,
	 "rcv_cwnd_pend has 7 bits (uet.md 3.5)"},
	{SETTING_default_rc, 0, 63, "a return code has 6 bits (uet.md 5.8)"},
	{SETTING_defer_rc, 0, 63, "a return code has 6 bits (uet.md 5.8)"},
	{SETTING_spray, 1, 256, "1 to 256 paths"},
	{SETTING_max_pdcs, 1, 65535, "a PDCID has 16 bits and is not 0"},
	{SETTING_max_rudi, 1, UINT32_MAX, "at least one request"},
	{SETTING_srd_window, 1024, 1u << 22,
	 "W is 1024 at least (srd_wqe.md A.4.4)"},
	{SETTING_srd_paths, 1, 256, "Path is 0 to 255 (srd_wqe.md A.4.2)"},
	{SETTING_srd_max_ctx, 1, UINT32_MAX, "at least one context"},
	{SETTING_srd_rtt_weight, 1, 1024, "1 to 1024"},
	{SETTING_srd_dev_weight, 1, 1024, "1 to 1024"},
	{SETTING_wqe_window, 1, (1u << 23) - 1,
	 "a PSN ahead is less than 2^23 away (srd_wqe.md B.6)"},
	{SETTING_wqe_ind_psns, 0, 64,
	 "an indication names 1 to 64 PSNs (srd_wqe.md B.4.3)"},
	{SETTING_wqe_rnr_code, 0, 31, "a timer code has 5 bits"},
};

#define RANGES (sizeof(ranges) / sizeof(ranges[0]))

static bool decl_setting_derived(const struct decl *d, enum orc_setting setting,
				 uint64_t *ret)
{
	switch (setting) {
	case SETTING_override_mpr_zero:
		*ret = d->mp_range;
		return d->mp_range < MPR_UNIT;
	case SETTING_mpr:
	case SETTING_default_mpr:
		*ret = d->mp_range / MPR_UNIT;
		return d->mp_range % MPR_UNIT == 0 || d->mp_range < MPR_UNIT;
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

/*
 * Stores what another line says of the setting.  A size that the text does not
 * give is a default, which the device may exceed.
 */
static bool decl_setting_by_line(const struct decl *d, enum orc_setting setting,
				 uint64_t *ret)
{
	const char *row = setting < OWN_LINES ? own_lines[setting].row : NULL;

	if (!row)
		return decl_setting_derived(d, setting, ret);
	*ret = decl_setting_of_row(d, row);
	return decl_given(d, row) ||
	       strncmp(own_lines[setting].line, "size ", 5) != 0;
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
	if (setting >= OWN_LINES || !own_lines[setting].line)
		return 0;
	return lex_error(lex, name.s, "'%.*s' is said by another line: %s",
			 WORD(name), own_lines[setting].line);
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

/* Refuses a value that the setting cannot have. */
static int refuse_setting_value(struct lex *lex, struct word w,
				const struct decl_setting *c)
{
	struct orc_conf conf;

	for (size_t i = 0; i < RANGES; i++)
		if (ranges[i].setting == c->setting &&
		    (c->value < ranges[i].least || c->value > ranges[i].most))
			return lex_error(lex, w.s, "%s", ranges[i].why);
	orc_conf_default(&conf);
	if (setting_set(&conf, c->setting, c->value))
		return lex_error(lex, w.s, "'%s' cannot have this value",
				 ctl_setting_name(c->setting));
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
	err = decl_setting_value(lex, value, &c->value);
	return err ? err : refuse_setting_value(lex, value, c);
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
