/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/deviation.c -- known deviations of a device: read, printed and
 * looked up.
 */
#include "suite/decl/deviation.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "wire/registry.h"

/*
 * Items that are not fields (judge/governs.def), keys of reports, and answers
 * of verbs.
 */
static const char *const events[] = {
	"missing",      "resend",     "type",      "forbidden",    "late",
	"early",        "malformed",  "data",      "same",         "header",
	"count",        "order",      "status",    "op",           "len",
	"eager_id",     "eager_size", "nack_code", "entropy",      "dscp",
	"ecn",          "no_df",      "udp_dport", "udp_checksum", "ip_proto",
	"crc",          "state",      "refused",   "answer",       "digest",
	"cache_bytes",  "cache_peak", "bitmaps",   "bitmap_bits",  "bitmap_set",
	"bitmap_first", NULL,
};

/* ---- Words ---- */

static bool deviation_is_word(struct word w)
{
	for (size_t i = 0; i < w.len; i++)
		if (!islower((unsigned char)w.s[i]) &&
		    !isdigit((unsigned char)w.s[i]) && w.s[i] != '_')
			return false;
	return w.len > 0;
}

static bool is_event(struct word w)
{
	for (size_t i = 0; events[i]; i++)
		if (word_is(w, events[i]))
			return true;
	return false;
}

/* Walks the tables of all families. */
static const struct header *header_at(size_t i)
{
	if (i < wire_nheaders)
		return wire_headers[i];
	i -= wire_nheaders;
	if (i < wire_nib_headers)
		return wire_ib_headers[i];
	return NULL;
}

static const struct field *deviation_field_in(const struct header *h,
					      struct word w)
{
	for (size_t i = 0; i < h->nfields; i++)
		if (word_is(w, h->fields[i].name))
			return &h->fields[i];
	return NULL;
}

static bool has_derived(const struct header *h, struct word w)
{
	for (size_t i = 0; i < h->nderived; i++)
		if (word_is(w, h->derived[i].name))
			return true;
	return word_is(w, "sack_psn");
}

static bool is_field(struct word w)
{
	for (size_t i = 0; header_at(i); i++)
		if (deviation_field_in(header_at(i), w) ||
		    has_derived(header_at(i), w))
			return true;
	return false;
}

/* A number, or a value name of a field of that name. */
static bool deviation_value_of(struct word name, struct word v, uint64_t *ret)
{
	if (!lex_u64(v, UINT64_MAX, ret))
		return true;
	for (size_t i = 0; header_at(i); i++) {
		const struct field *f = deviation_field_in(header_at(i), name);

		if (f && f->names && !value_parse(f->names, v.s, v.len, ret))
			return true;
	}
	return false;
}

/* ---- Reading ---- */

static int deviation_no_row(struct lex *lex, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (int id = 0; id < REQ_COUNT; id++)
		near_offer(&n, req_get((enum req_id)id)->id);
	return lex_error(lex, w.s, "no requirement '%.*s' in such a role%s",
			 WORD(w), near_hint(&n));
}

static int no_item(struct lex *lex, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (size_t i = 0; events[i]; i++)
		near_offer(&n, events[i]);
	for (size_t i = 0; header_at(i); i++)
		for (size_t j = 0; j < header_at(i)->nfields; j++)
			near_offer(&n, header_at(i)->fields[j].name);
	return lex_error(lex, w.s,
			 "no field or event '%.*s': expected retx=0, ack.retx "
			 "or ack.missing%s",
			 WORD(w), near_hint(&n));
}

/* "ack.retx=0", "retx=0", "ack.missing" */
static int read_item(struct lex *lex, struct deviation *d)
{
	struct word w, class = {NULL, 0}, value = {NULL, 0};
	const char *eq, *dot;

	if (!lex_word(lex, &w))
		return lex_error(lex, w.s,
				 "expected what deviates: retx=0, "
				 "ack.retx or ack.missing");
	eq = memchr(w.s, '=', w.len);
	if (eq) {
		value = (struct word){eq + 1, (size_t)(w.s + w.len - eq - 1)};
		w.len = (size_t)(eq - w.s);
	}
	dot = memchr(w.s, '.', w.len);
	if (dot) {
		class = (struct word){w.s, (size_t)(dot - w.s)};
		w = (struct word){dot + 1, w.len - class.len - 1};
	}
	if ((dot && !deviation_is_word(class)) || !deviation_is_word(w) ||
	    (!is_field(w) && (eq || !is_event(w))))
		return no_item(lex, w);
	if (eq && !deviation_value_of(w, value, &d->number))
		return lex_error(lex, value.s, "'%.*s' is no value of '%.*s'",
				 WORD(value), WORD(w));
	if (!eq && !dot)
		return lex_error(lex, w.s,
				 "expected %.*s=VALUE, or the kind of "
				 "packet: ack.%.*s",
				 WORD(w), WORD(w));
	if (dot)
		d->class = lex_copy(lex, class);
	else
		d->class = NULL;
	d->word = lex_copy(lex, w);
	if (eq)
		d->value = lex_copy(lex, value);
	else
		d->value = NULL;
	if (d->word && (!dot || d->class) && (!eq || d->value))
		return 0;
	return ERR_NOMEM;
}

/* "ticket 17", in quotes */
static int deviation_read_text(struct lex *lex, struct deviation *d)
{
	struct word w = lex_rest(lex);

	while (w.len && strchr(" \t\r", w.s[w.len - 1]))
		w.len--;
	d->text = "";
	if (!w.len)
		return 0;
	if (w.len < 2 || w.s[0] != '"' || w.s[w.len - 1] != '"' ||
	    memchr(w.s + 1, '"', w.len - 2))
		return lex_error(lex, w.s,
				 "expected one text in quotes; a # behind a "
				 "blank begins a comment");
	d->text = lex_copy(lex, (struct word){w.s + 1, w.len - 2});
	if (d->text)
		return 0;
	return ERR_NOMEM;
}

int deviation_read(struct lex *lex, struct deviation **ret)
{
	struct deviation *d = arena_alloc(lex->arena, sizeof(*d));
	struct word w;
	int err;

	if (!d)
		return ERR_NOMEM;
	if (!lex_word(lex, &w))
		return lex_error(lex, w.s, "expected a requirement");
	d->req = req_find(w.s, w.len, &d->role);
	if (d->req == REQ_NONE)
		return deviation_no_row(lex, w);
	err = read_item(lex, d);
	if (!err)
		err = deviation_read_text(lex, d);
	if (!err)
		*ret = d;
	return err;
}

/* ---- Printing ---- */

void deviation_item(struct text *t, const struct deviation *d)
{
	text_printf(t, "%s%s%s%s%s", text_or(d->class, ""), d->class ? "." : "",
		    d->word, d->value ? "=" : "", d->value ? d->value : "");
}

void deviation_print(struct text *t, const struct deviation *d)
{
	text_printf(t, "deviates %s", req_get(d->req)->id);
	if (d->role != req_get(d->req)->role)
		text_printf(t, "/%s", req_role_name(d->role));
	text_puts(t, " ");
	deviation_item(t, d);
	if (*d->text)
		text_printf(t, " \"%s\"", d->text);
	text_puts(t, "\n");
}

/* ---- Looking up ---- */

bool deviation_is(const struct deviation *d, const char *item,
		  const uint64_t *value)
{
	const char *dot = strchr(item, '.');

	if (!dot || strcmp(dot + 1, d->word) != 0)
		return false;
	if (d->class && (strlen(d->class) != (size_t)(dot - item) ||
			 memcmp(d->class, item, strlen(d->class)) != 0))
		return false;
	return !d->value || (value && *value == d->number);
}

const struct deviation *deviation_find(const struct deviation *first,
				       const char *item, const uint64_t *value)
{
	for (const struct deviation *d = first; d; d = d->next)
		if (deviation_is(d, item, value))
			return d;
	return NULL;
}
