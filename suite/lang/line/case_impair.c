/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_impair.c -- parses an impairment line: the action, the
 * packet, and which of the matching packets.
 *
 *	corrupt psn=7 > rud_req psn=333 nth=2 dscp=46
 *	\_ action __/ \_ packet _____/ \_ which ___/
 */
#include "suite/lang/line/case_impair.h"

#include <string.h>

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/line/case_which.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/case_rung.h"
#include "suite/lang/rung/rung_term.h"
#include "wire/dgram.h"

#define REWRITES_MAX 8 /* fields on one line at most */
#define BITS_MAX     64
#define PADDING_MAX  255

static const struct value_name ecn_names[] = {
	{ECN_NOT_ECT, "not_ect"}, {ECN_ECT1, "ect1"}, {ECN_ECT0, "ect0"},
	{ECN_CE, "ce"},           {0, NULL},
};

/* "3", "3..5" */
static int parse_nth(struct parse *p, struct word w, struct step *s)
{
	const char *dots = memchr(w.s, '.', w.len);
	struct word to = {w.s + w.len, 0};
	uint64_t v = 0, last = 0;
	int err;

	if (dots) {
		to.s = dots + 1;
		to.len = (size_t)(w.s + w.len - to.s);
		w.len = (size_t)(dots - w.s);
		if (!to.len || *to.s != '.')
			err = ERR_VALUE;
		else
			err = 0;
		to.s++;
		to.len -= !err;
		if (!err)
			err = lex_u64(to, UINT32_MAX, &last);
		if (err || !last)
			return lex_error(p->lex, dots,
					 "expected nth=2..5, the later one "
					 "behind the dots");
	}
	if (lex_u64(w, UINT32_MAX, &v) || !v || (dots && last <= v))
		return lex_error(p->lex, w.s,
				 "expected nth=1, nth=2, ... or "
				 "nth=2..5");
	s->nth = (uint32_t)v;
	s->nth_to = (uint32_t)last;
	return 0;
}

static int case_impair_parse_addr(struct parse *p, struct word w,
				  struct ip_addr *ret)
{
	if (!ip_addr_parse(ret, w.s, w.len))
		return 0;
	return lex_error(p->lex, w.s, "expected an IP address");
}

static int parse_ecn(struct parse *p, struct word w, struct outer *ret)
{
	uint64_t v;

	if (value_parse(ecn_names, w.s, w.len, &v) && (lex_u64(w, ECN_CE, &v)))
		return lex_error(p->lex, w.s,
				 "expected not_ect, ect0, ect1, "
				 "ce or 0 to 3");
	ret->ecn_set = true;
	ret->ecn = (uint8_t)v;
	return 0;
}

static int parse_outer_number(struct parse *p, enum which k, struct word w,
			      struct outer *ret)
{
	const uint64_t max = k == DSCP ? 63 : UINT16_MAX;
	uint64_t v;

	if (lex_u64(w, max, &v))
		return lex_error(p->lex, w.s, "expected 0 to %u",
				 (unsigned)max);
	if (k == DSCP) {
		ret->dscp_set = true;
		ret->dscp = (uint8_t)v;
	} else {
		ret->entropy_set = true;
		ret->entropy = (uint16_t)v;
	}
	return 0;
}

static int parse_outer(struct parse *p, enum which k, struct word w,
		       struct outer *ret)
{
	if (k == SRC)
		return case_impair_parse_addr(p, w, &ret->src);
	if (k == DST)
		return case_impair_parse_addr(p, w, &ret->dst);
	if (k == ECN)
		return parse_ecn(p, w, ret);
	return parse_outer_number(p, k, w, ret);
}

static int parse_every(struct parse *p, struct word w, struct step *s)
{
	uint64_t v;

	if (lex_u64(w, UINT32_MAX, &v) || v < 2)
		return lex_error(p->lex, w.s, "expected every=2, every=3, ...");
	s->every = (uint32_t)v;
	return 0;
}

/* Parses the words after the packet: "nth=2 dscp=46 crc wrong". */
static int parse_which(struct parse *p, struct step *s)
{
	unsigned seen = 0;
	struct word w, value;
	int err = 0;

	while (!err && lex_peek(p->lex, &w)) {
		const enum which k = which_of(w, &value);

		if (k == WHICH_COUNT)
			break;
		lex_word(p->lex, &w);
		if (seen & 1u << k)
			return lex_error(p->lex, w.s, "'%.*s' is given twice",
					 (int)strlen(parse_which_word(k)) - 1,
					 parse_which_word(k));
		seen |= 1u << k;
		if (k == NTH)
			err = parse_nth(p, value, s);
		else if (k == EVERY)
			err = parse_every(p, value, s);
		else
			err = parse_outer(p, k, value, &s->outer);
	}
	if (!err && s->nth && s->every)
		return lex_error(p->lex, w.s,
				 "'nth' and 'every' exclude each other");
	return err;
}

static int parse_arrow(struct parse *p, bool *ret_to_dut)
{
	if (lex_take(p->lex, ">"))
		*ret_to_dut = true;
	else if (lex_take(p->lex, "<"))
		*ret_to_dut = false;
	else
		return lex_error(p->lex, NULL,
				 "expected '>' or '<' and a packet");
	return 0;
}

/* "16 last_hop udp_kept" */
static int parse_trim(struct parse *p, struct step *s)
{
	int err = lex_count(p->lex, "the bytes to keep", 0, 65535, &s->count);

	s->last_hop = !err && lex_take(p->lex, "last_hop");
	s->udp_kept = !err && lex_take(p->lex, "udp_kept");
	return err;
}

static bool is_arrow(struct word w)
{
	return word_is(w, ">") || word_is(w, "<");
}

/* "bits=37" or "bits=37..40", counted from the first bit of the PDS header */
static int parse_bits(struct parse *p, struct word w, struct step *s)
{
	const char *dots = memchr(w.s, '.', w.len);
	struct word lo = {w.s, dots ? (size_t)(dots - w.s) : w.len}, hi = lo;
	uint64_t first, last;

	if (dots && dots + 1 < w.s + w.len)
		hi = (struct word){dots + 2, (size_t)(w.s + w.len - dots - 2)};
	if (lex_u64(lo, DGRAM_MAX * 8 - 1, &first) ||
	    lex_u64(hi, DGRAM_MAX * 8 - 1, &last) || last < first ||
	    last - first >= BITS_MAX ||
	    (dots && (hi.s == lo.s || dots[1] != '.')))
		return lex_error(p->lex, w.s,
				 "expected bits to flip, %d at most: bits=37 "
				 "or bits=37..40",
				 BITS_MAX);
	s->bit = (uint32_t)first;
	s->nbits = (uint32_t)(last - first) + 1;
	return 0;
}

/* The fields of corrupt and rewrite, which precede the arrow. */
struct case_impair_fields {
	struct word at[REWRITES_MAX];
	size_t n;
};

static int parse_corrupted(struct parse *p, struct step *s,
			   struct case_impair_fields *ret)
{
	struct word w;

	if (!lex_word(p->lex, &w) || is_arrow(w))
		return lex_error(p->lex, w.s,
				 "expected field=value, a field or bits=37 to "
				 "corrupt");
	if (w.len > 5 && !memcmp(w.s, "bits=", 5))
		return parse_bits(p, (struct word){w.s + 5, w.len - 5}, s);
	ret->at[ret->n++] = w;
	return 0;
}

/*
 * Parses "udp_checksum=7" or "padding=18", for which 0 means the normal value.
 * Returns false if |w| is neither.
 */
static bool rewrites_frame(struct parse *p, struct word w, struct outer *o,
			   int *ret_err)
{
	const bool sum = w.len > 13 && !memcmp(w.s, "udp_checksum=", 13);
	const size_t n = sum ? 13 : 8;
	uint64_t v = 0;

	if (!sum && (w.len <= 8 || memcmp(w.s, "padding=", 8) != 0))
		return false;
	*ret_err = lex_u64((struct word){w.s + n, w.len - n},
			   sum ? UINT16_MAX : PADDING_MAX, &v);
	if (*ret_err || !v)
		*ret_err = lex_error(p->lex, w.s, "expected 1 to %u",
				     sum ? UINT16_MAX : PADDING_MAX);
	else if (sum)
		o->checksum = (uint16_t)v;
	else
		o->padding = (uint8_t)v;
	return true;
}

static const struct value_name ext_names[] = {
	{DGRAM_EXT_HOP_BY_HOP, "hop_by_hop"},
	{DGRAM_EXT_DEST_OPTIONS, "dest_options"},
	{DGRAM_EXT_BOTH, "both"},
	{DGRAM_EXT_FRAGMENT, "fragment"},
	{0, NULL},
};

/*
 * Parses "ext=hop_by_hop", the extension headers to add.  Returns false if |w|
 * is another word.
 */
static bool rewrites_ext(struct parse *p, struct word w, struct outer *o,
			 int *ret_err)
{
	uint64_t v;

	if (w.len < 4 || memcmp(w.s, "ext=", 4) != 0)
		return false;
	if (value_parse(ext_names, w.s + 4, w.len - 4, &v))
		*ret_err = lex_error(p->lex, w.s + 4,
				     "expected hop_by_hop, dest_options, both "
				     "or fragment");
	else
		o->ext = (uint8_t)v;
	return true;
}

static int parse_rewritten(struct parse *p, struct step *s,
			   struct case_impair_fields *ret)
{
	struct word w, value;
	int err = 0;

	while (!err && lex_peek(p->lex, &w) && !is_arrow(w)) {
		const enum which k = which_of(w, &value);

		lex_word(p->lex, &w);
		if (k == NTH || k == EVERY || !memchr(w.s, '=', w.len))
			return lex_error(p->lex, w.s, "expected field=value");
		if (k != WHICH_COUNT) {
			err = parse_outer(p, k, value, &s->rewrite);
			continue;
		}
		if (rewrites_frame(p, w, &s->rewrite, &err) ||
		    rewrites_ext(p, w, &s->rewrite, &err))
			continue;
		if (ret->n == REWRITES_MAX)
			return lex_error(p->lex, w.s, "more than %d fields",
					 REWRITES_MAX);
		ret->at[ret->n++] = w;
	}
	if (!err && !ret->n && !outer_any(&s->rewrite))
		return lex_error(p->lex, NULL,
				 "expected field=value to rewrite");
	return err;
}

/* Parses the words between the action and the arrow. */
static int parse_amount(struct parse *p, struct step *s,
			struct case_impair_fields *ret)
{
	struct word w;

	s->count = s->action == IMPAIR_DUPLICATE;
	switch (s->action) {
	case IMPAIR_DUPLICATE:
		if (lex_peek(p->lex, &w) && word_is_number(w))
			return lex_count(p->lex, "how many copies more", 1,
					 1000, &s->count);
		return 0;
	case IMPAIR_TRIM:
		return parse_trim(p, s);
	case IMPAIR_DELAY:
		return lex_span(p->lex, &s->span);
	case IMPAIR_CORRUPT:
		return parse_corrupted(p, s, ret);
	case IMPAIR_REWRITE:
		return parse_rewritten(p, s, ret);
	default:
		return 0;
	}
}

static int parse_fields(struct parse *p, const struct case_impair_fields *f,
			struct step *s)
{
	struct term *t = arena_alloc(p->arena, (f->n + 1) * sizeof(*t));
	int err = t ? 0 : ERR_NOMEM;

	for (size_t i = 0; i < f->n && !err; i++)
		err = parse_corrupt(p, &s->rung, f->at[i], &t[i]);
	s->corrupt = t;
	s->ncorrupt = f->n;
	return err;
}

/* Parses "until < ack" after the held packet; a delay need not have it. */
static int case_impair_parse_until(struct parse *p, struct step *s)
{
	int err;

	s->until_set = lex_take(p->lex, "until");
	if (!s->until_set && s->action == IMPAIR_DELAY)
		return 0;
	if (!s->until_set)
		return lex_error(p->lex, NULL,
				 "expected 'until' and the packet that frees "
				 "it");
	err = parse_arrow(p, &s->until_to_dut);
	if (err)
		return err;
	return parse_rung(p, RUNG_MATCH, &s->until);
}

/* Parses "< nack rod_ooo on", which precedes the triggering packet. */
static int parse_injected(struct parse *p, struct step *s)
{
	int err = parse_arrow(p, &s->until_to_dut);

	if (!err)
		err = parse_rung(p, RUNG_SEND, &s->until);
	if (err || lex_take(p->lex, "on"))
		return err;
	return lex_error(p->lex, NULL,
			 "expected 'on' and the packet that sets it off");
}

int parse_impair(struct parse *p, struct step *s)
{
	struct case_impair_fields fields = {.n = 0};
	int err = s->action == IMPAIR_INJECT ? parse_injected(p, s)
					     : parse_amount(p, s, &fields);

	if (!err)
		err = parse_arrow(p, &s->to_dut);
	if (!err)
		err = parse_rung(p, RUNG_MATCH, &s->rung);
	if (!err)
		err = parse_which(p, s);
	if (!err && (s->action == IMPAIR_HOLD || s->action == IMPAIR_DELAY))
		err = case_impair_parse_until(p, s);
	if (!err && fields.n)
		err = parse_fields(p, &fields, s);
	return err;
}

bool outer_any(const struct outer *o)
{
	return o->src.len || o->dst.len || o->entropy_set || o->dscp_set ||
	       o->ecn_set || o->checksum || o->padding || o->ext;
}

static void addr_print(struct text *t, const char *name,
		       const struct ip_addr *a)
{
	char buf[IP_ADDR_TEXT];

	if (!a->len)
		return;
	ip_addr_print(a, buf);
	text_printf(t, " %s%s", name, buf);
}

void outer_print(struct text *t, const struct outer *o)
{
	addr_print(t, parse_which_word(SRC), &o->src);
	addr_print(t, parse_which_word(DST), &o->dst);
	if (o->entropy_set)
		text_printf(t, " entropy=%u", o->entropy);
	if (o->dscp_set)
		text_printf(t, " dscp=%u", o->dscp);
	if (o->ecn_set)
		text_printf(t, " ecn=%s", value_find(ecn_names, o->ecn));
	if (o->checksum)
		text_printf(t, " udp_checksum=0x%04x", o->checksum);
	if (o->padding)
		text_printf(t, " padding=%u", o->padding);
	if (o->ext)
		text_printf(t, " ext=%s", value_find(ext_names, o->ext));
}
