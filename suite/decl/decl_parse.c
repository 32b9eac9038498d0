/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_parse.c -- parses declarations, line by line.
 */
#include "suite/decl/decl_parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_check.h"
#include "suite/decl/decl_codes.h"
#include "suite/decl/decl_row.h"
#include "suite/decl/decl_setting.h"
#include "suite/decl/derived.h"
#include "suite/decl/deviation.h"
#include "suite/decl/profile.h"
#include "suite/lang/lex/case_lex.h"
#include "wire/packet.h"

/* The state of a reader of declarations. */
struct decl_reader {
	struct lex lex;
	struct decl *d;
	struct decl_place
		places[DECL_ROWS]; /* the places of the rows' values */
	const struct deviation **tail;
};

const struct decl decl_defaults = {
	.version = "1.0.1",
	.uet = UET_1_0_1,
	.dscp_control = 46,
	.dscp_trimmed = 26,
	.dscp_trimmed_lasthop = 28,
	.job_id = 0x1,
	.pid_on_fep = 0x1,
	.resource_index = 0x1,
	.memory_key = 0x1000,
	.memory_len = 65536,
	.max_message = 65536,
	.mtu = 1024,
	.max_ack_data = 16,
	.mp_range = 1024,
	.in_flight = DECL_IN_FLIGHT_MAX,
	.stored = 64,
	.eager = 64,
	.udp_port = 4793,
	.srd_qpn = 0x34,
	.srd_qkey = 0x11223344,
	.wqe_qpn = 0x43,
	.wqe_ooo = 64,
	.wqe_cache = 4u << 20,
	.unresponsive = {200 * VSPAN_MS, 50 * VSPAN_MS},
	.rto = {5 * VSPAN_MS, 2 * VSPAN_MS},
	.rto_max = {8 * VSPAN_S, 0},
	.nack_time = {1 * VSPAN_MS, 1 * VSPAN_MS},
	.ack_time = {2 * VSPAN_MS, 2 * VSPAN_MS},
	.clear_time = {1 * VSPAN_MS, 4 * VSPAN_MS},
	.max_rto_retx = 5,
	.max_nack_retx = 5,
	.tag = 0xfedcba9876543210,
	.gtd_cause = {.codes = ALL_CODES},
	.error_cause = {.codes = ERROR_CODES},
};

/* Returns the word of a capability, or the name of a family; or NULL. */
static const char *capability_named(struct word w)
{
	enum family family;

	for (const struct capability *c = decl_capabilities; c->word; c++)
		if (word_is(w, c->word))
			return c->word;
	if (!family_find(w.s, w.len, &family) && family != MAIN_FAMILY)
		return family_name(family);
	return NULL;
}

/* ---- Numbers ---- */

static int read_ns(struct decl_reader *rd, const char *what, vspan *ret)
{
	struct span s;
	struct word w;

	if (!lex_word(&rd->lex, &w) || !word_span(w, &s) || s.unit != SPAN_NS)
		return lex_error(&rd->lex, w.s,
				 "expected %s as a time in one word: 5ms, "
				 "200us",
				 what);
	*ret = s.ns;
	return 0;
}

static void range_print(struct text *t, const struct decl_row *r)
{
	const struct span least = {.set = true, .ns = (vspan)r->min};
	const struct span most = {.set = true, .ns = (vspan)r->max};

	span_print(t, &least);
	text_puts(t, "..");
	span_print(t, &most);
}

static int time_range(struct decl_reader *rd, const struct decl_row *r,
		      const char *at)
{
	struct text t = {0};
	int err;

	range_print(&t, r);
	err = lex_error(&rd->lex, at, "expected %s", text_cstr(&t));
	text_free(&t);
	return err;
}

/* "5ms tolerance 2ms" */
static int read_time(struct decl_reader *rd, const struct decl_row *r,
		     struct decl_time *ret)
{
	struct word w = {rd->lex.p, 0};
	int err;

	lex_peek(&rd->lex, &w);
	err = read_ns(rd, "the declared value", &ret->value);
	if (!err && (ret->value < (vspan)r->min || ret->value > (vspan)r->max))
		return time_range(rd, r, w.s);
	ret->tolerance = 0;
	if (!err && lex_take(&rd->lex, "tolerance"))
		err = read_ns(rd, "the tolerance", &ret->tolerance);
	return err;
}

static int decl_read_number(struct decl_reader *rd, const struct decl_row *r)
{
	struct word w;
	uint64_t v;

	if (!lex_word(&rd->lex, &w))
		return lex_error(&rd->lex, w.s, "expected the value of %s",
				 r->name);
	if (lex_u64(w, r->max, &v) || v < r->min)
		return lex_error(&rd->lex, w.s,
				 r->hex ? "expected 0x%" PRIx64 "..0x%" PRIx64
					  ", not '%.*s'"
					: "expected %" PRIu64 "..%" PRIu64
					  ", not '%.*s'",
				 r->min, r->max, WORD(w));
	row_set(rd->d, r, v);
	return 0;
}

static int decl_no_row(struct decl_reader *rd, struct word group,
		       struct word name)
{
	struct near n;

	near_init(&n, name);
	for (size_t i = 0; i < DECL_ROWS; i++)
		if (word_is(group, decl_rows[i].group))
			near_offer(&n, decl_rows[i].name);
	return lex_error(&rd->lex, name.s, "no %.*s '%.*s'%s", WORD(group),
			 WORD(name), near_hint(&n));
}

/* Returns the place of the next word of the line. */
static struct decl_place value_place(struct decl_reader *rd)
{
	struct word w = {rd->lex.p, 0};

	lex_peek(&rd->lex, &w);
	return (struct decl_place){
		.line = rd->lex.line,
		.col = (unsigned)(w.s - rd->lex.source) + 1,
		.source = rd->lex.source,
	};
}

static int read_row(struct decl_reader *rd, struct word group)
{
	struct word name;

	lex_word(&rd->lex, &name);
	for (size_t i = 0; i < DECL_ROWS; i++) {
		const struct decl_row *r = &decl_rows[i];

		if (!word_is(group, r->group) || !word_is(name, r->name))
			continue;
		if (rd->places[i].line)
			return lex_error(&rd->lex, name.s,
					 "'%s' is given twice", r->name);
		rd->places[i] = value_place(rd);
		rd->d->given |= UINT64_C(1) << i;
		if (r->kind == ROW_TIME)
			return read_time(rd, r, row_at(rd->d, r));
		return decl_read_number(rd, r);
	}
	return decl_no_row(rd, group, name);
}

/* ---- The other keys ---- */

static int decl_read_text(struct decl_reader *rd, const char **ret)
{
	struct word w = lex_rest(&rd->lex);

	if (!w.len)
		return lex_error(&rd->lex, w.s, "expected a text");
	*ret = lex_copy(&rd->lex, w);
	if (*ret)
		return 0;
	return ERR_NOMEM;
}

static int read_name(struct decl_reader *rd)
{
	if (rd->d->name)
		return lex_error(&rd->lex, NULL, "'name' is given twice");
	return decl_read_text(rd, &rd->d->name);
}

static int read_release(struct decl_reader *rd)
{
	if (rd->d->release)
		return lex_error(&rd->lex, NULL, "'release' is given twice");
	return decl_read_text(rd, &rd->d->release);
}

static const struct value_name versions[] = {
	{UET_1_0_1, "1.0.1"},
	{UET_1_0_2, "1.0.2"},
	{UET_1_0_3, "1.0.3"},
	{0, NULL},
};

static int read_version(struct decl_reader *rd)
{
	struct word w;
	uint64_t v;

	lex_word(&rd->lex, &w);
	if (value_parse(versions, w.s, w.len, &v))
		return lex_error(&rd->lex, w.s,
				 "expected 1.0.1, 1.0.2 or 1.0.3");
	rd->d->version = value_find(versions, v);
	rd->d->uet = (enum uet_version)v;
	return 0;
}

static int no_profile(struct decl_reader *rd, struct word w)
{
	struct text names = {0};
	int err;

	profile_list(&names);
	err = lex_error(&rd->lex, w.s, "expected a profile: %s",
			text_cstr(&names));
	text_free(&names);
	return err;
}

static int read_profile(struct decl_reader *rd)
{
	struct word w;

	if (rd->d->profile)
		return lex_error(&rd->lex, NULL, "'profile' is given twice");
	lex_word(&rd->lex, &w);
	rd->d->profile = profile_find(w.s, w.len);
	if (!rd->d->profile)
		return no_profile(rd, w);
	return 0;
}

static int no_claim(struct decl_reader *rd, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (const struct capability *c = decl_capabilities; c->word; c++)
		near_offer(&n, c->word);
	return lex_error(&rd->lex, w.s, "no capability '%.*s'%s", WORD(w),
			 near_hint(&n));
}

static int add_claim(struct decl_reader *rd, struct word w)
{
	const char *word = capability_named(w), **more;
	struct decl *d = rd->d;

	if (!word)
		return no_claim(rd, w);
	if (decl_derived(word))
		return lex_error(&rd->lex, w.s,
				 "'%s' is not claimed: it follows from '%s'",
				 word, derived_find(word)->line);
	if (decl_claims(d, word))
		return 0;
	more = arena_alloc(&d->arena, (d->nclaims + 1) * sizeof(*more));
	if (!more)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->nclaims; i++)
		more[i] = d->claims[i];
	more[d->nclaims++] = word;
	d->claims = more;
	return 0;
}

static int read_claims(struct decl_reader *rd)
{
	struct word w;
	int err = 0;

	if (!lex_peek(&rd->lex, &w))
		return lex_error(&rd->lex, w.s, "expected capabilities");
	while (!err && lex_word(&rd->lex, &w))
		err = add_claim(rd, w);
	return err;
}

static int read_crc(struct decl_reader *rd)
{
	struct word w;

	lex_word(&rd->lex, &w);
	if (!word_is(w, "none") && !word_is(w, "little") && !word_is(w, "big"))
		return lex_error(&rd->lex, w.s, "expected none, little or big");
	rd->d->crc = !word_is(w, "none");
	rd->d->crc_be = word_is(w, "big");
	return 0;
}

static int read_icrc(struct decl_reader *rd)
{
	struct word w;

	lex_word(&rd->lex, &w);
	for (unsigned i = ICRC_SOCK; i <= ICRC_OFF; i++) {
		if (!word_is(w, decl_icrc_name((enum icrc_mode)i)))
			continue;
		rd->d->icrc = (enum icrc_mode)i;
		return 0;
	}
	return lex_error(&rd->lex, w.s, "expected sock, strict or off");
}

static int decl_read_port(struct decl_reader *rd)
{
	uint32_t v;
	int err = lex_count(&rd->lex, "the UDP port", 1, 65535, &v);

	if (!err)
		rd->d->udp_port = (uint16_t)v;
	return err;
}

static int cause_value(struct decl_reader *rd, struct word w, const char *eq,
		       const struct field *f, uint64_t *ret)
{
	struct word v = {eq + 1, (size_t)(w.s + w.len - eq - 1)};

	if (lex_u64(v, UINT64_MAX, ret) &&
	    (!f->names || value_parse(f->names, v.s, v.len, ret)))
		return lex_error(&rd->lex, v.s, "expected a value of '%s'",
				 f->name);
	if (!field_fits(f, *ret))
		return lex_error(&rd->lex, v.s, "'%.*s' does not fit '%s'",
				 WORD(v), f->name);
	return 0;
}

/* "resource_index=0x3ff": a field of a standard request. */
static int add_field(struct decl_reader *rd, struct word w,
		     struct decl_field ***tail)
{
	const char *eq = memchr(w.s, '=', w.len);
	const struct field *f = NULL;
	struct decl_field *c;
	int err;

	if (!eq)
		return lex_error(&rd->lex, w.s, "expected field=value");
	if (!packet_layout_has("rud_req", "std", true, w.s, (size_t)(eq - w.s),
			       &f) ||
	    !f)
		return lex_error(&rd->lex, w.s,
				 "a standard request has no field '%.*s'",
				 (int)(eq - w.s), w.s);
	c = arena_alloc(&rd->d->arena, sizeof(*c));
	if (!c)
		return ERR_NOMEM;
	err = cause_value(rd, w, eq, f, &c->value);
	if (err)
		return err;
	c->field = f->name;
	**tail = c;
	*tail = &c->next;
	return 0;
}

/* "no_match|perm_violation": the return codes that the answer may have. */
static int read_codes(struct decl_reader *rd, struct word w, uint64_t *ret)
{
	const char *end = w.s + w.len, *bar;
	uint64_t codes = 0, v;

	for (const char *s = w.s; s <= end; s = bar + 1) {
		struct word one;

		bar = memchr(s, '|', (size_t)(end - s));
		if (!bar)
			bar = end;
		one = (struct word){s, (size_t)(bar - s)};
		if ((lex_u64(one, UINT64_MAX, &v) &&
		     value_parse(ses_return_codes, one.s, one.len, &v)) ||
		    v > 0x3f)
			return lex_error(&rd->lex, s,
					 "expected return codes: "
					 "return_code=no_match|bad_index");
		codes |= CODE_BIT(v);
	}
	*ret = codes;
	return 0;
}

/*
 * Takes the value after '=' if the word begins with |key|.  Returns false if it
 * does not.
 */
static bool decl_value_of(struct word w, const char *key, struct word *ret)
{
	const size_t n = strlen(key);

	if (w.len <= n || memcmp(w.s, key, n) || w.s[n] != '=')
		return false;
	*ret = (struct word){w.s + n + 1, w.len - n - 1};
	return true;
}

static int read_packets(struct decl_reader *rd, struct word w,
			enum cause_packets *ret)
{
	for (unsigned i = CAUSE_ALL; i <= CAUSE_SINGLE; i++) {
		if (!word_is(w, decl_cause_packets((enum cause_packets)i)))
			continue;
		*ret = (enum cause_packets)i;
		return 0;
	}
	return lex_error(&rd->lex, w.s,
			 "expected packets=all, first, any or single");
}

static int read_cause(struct decl_reader *rd)
{
	struct decl_cause *to = &rd->d->gtd_cause;
	struct decl_field *first = NULL, **tail = &first;
	struct word kind, w, v;
	int err = 0;

	lex_peek(&rd->lex, &kind);
	if (lex_take(&rd->lex, "error"))
		to = &rd->d->error_cause;
	else if (lex_take(&rd->lex, "delay"))
		to = &rd->d->delay_cause;
	else if (lex_take(&rd->lex, "defer"))
		to = &rd->d->defer_cause;
	else if (!lex_take(&rd->lex, "gtd"))
		return lex_error(&rd->lex, NULL,
				 "expected gtd, error, delay or defer");
	if (to->fields)
		return lex_error(&rd->lex, kind.s,
				 "'cause %.*s' is given twice", WORD(kind));
	while (!err && lex_word(&rd->lex, &w)) {
		if (to != &rd->d->delay_cause && to != &rd->d->defer_cause &&
		    decl_value_of(w, "return_code", &v))
			err = read_codes(rd, v, &to->codes);
		else if (decl_value_of(w, "packets", &v))
			err = read_packets(rd, v, &to->packets);
		else
			err = add_field(rd, w, &tail);
	}
	if (!err && !first)
		return lex_error(&rd->lex, w.s, "expected field=value");
	to->fields = first;
	return err;
}

static int read_deviation(struct decl_reader *rd)
{
	struct deviation *d;
	int err = deviation_read(&rd->lex, &d);

	if (err)
		return err;
	*rd->tail = d;
	rd->tail = &d->next;
	return 0;
}

static int decl_read_settings(struct decl_reader *rd)
{
	return decl_setting_read(&rd->lex, rd->d);
}

/* ---- Lines ---- */

static const struct decl_key {
	const char *word;
	int (*read)(struct decl_reader
			    *rd); /* NULL: the key names a group of rows */
} keys[] = {
	{"name", read_name},
	{"release", read_release},
	{"version", read_version},
	{"profile", read_profile},
	{"claims", read_claims},
	{"id", NULL},
	{"size", NULL},
	{"limit", NULL},
	{"dscp", NULL},
	{"timer", NULL},
	{"crc", read_crc},
	{"port", decl_read_port},
	{"cause", read_cause},
	{"icrc", read_icrc},
	{"setting", decl_read_settings},
	{"deviates", read_deviation},
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static int decl_no_key(struct decl_reader *rd, struct word w, struct near *n)
{
	struct text t = {0};
	int err;

	for (size_t i = 0; i < KEYS; i++)
		text_printf(&t, "%s%s",
			    text_between(t.len, i + 1 < KEYS ? ", " : " or "),
			    keys[i].word);
	err = lex_error(&rd->lex, w.s, "no key '%.*s': expected %s%s", WORD(w),
			text_cstr(&t), near_hint(n));
	text_free(&t);
	return err;
}

static int decl_read_line(struct decl_reader *rd)
{
	struct near n;
	struct word w;

	lex_word(&rd->lex, &w);
	near_init(&n, w);
	for (size_t i = 0; i < KEYS; i++) {
		int err;

		near_offer(&n, keys[i].word);
		if (!word_is(w, keys[i].word))
			continue;
		err = keys[i].read ? keys[i].read(rd) : read_row(rd, w);
		if (err)
			return err;
		return lex_done(&rd->lex);
	}
	return decl_no_key(rd, w, &n);
}

static int decl_read_all(struct decl_reader *rd)
{
	int more, err = 0;

	while (!err && (more = lex_line(&rd->lex)) > 0)
		err = decl_read_line(rd);
	if (err || more < 0)
		return err ? err : more;
	if (!rd->d->name)
		return diag_set(rd->lex.diag, rd->lex.file,
				rd->lex.line ? rd->lex.line : 1, 1,
				rd->lex.source,
				"the declaration ends without a 'name' line");
	return decl_check(rd->d, rd->places, rd->lex.file, rd->lex.diag);
}

int decl_parse(struct decl **ret, const char *path, const char *text,
	       size_t len, struct diag *diag)
{
	struct decl *d = memory_alloc(sizeof(*d));
	struct decl_reader rd = {.d = d};
	const char *copy;
	int err = ERR_NOMEM;

	if (!d)
		return ERR_NOMEM;
	*d = decl_defaults;
	rd.tail = &d->deviations;
	copy = arena_strndup(&d->arena, text, len);
	if (copy) {
		lex_open(&rd.lex, &d->arena, diag, path, copy, len);
		err = decl_read_all(&rd);
	}
	if (err) {
		decl_free(d);
		return err;
	}
	*ret = d;
	return 0;
}
