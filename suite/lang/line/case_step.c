/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_step.c -- parses a line below a chair into a step; a
 * group becomes one step that contains others.
 *
 * Each kind of line has a row in lines[] and a function.
 */
#include "suite/lang/line/case_step.h"

#include <string.h>

#include "base/err.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_row.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/line/case_impair.h"
#include "suite/lang/line/case_modifier.h"
#include "suite/lang/line/case_param.h"
#include "suite/lang/line/case_reqs.h"
#include "suite/lang/line/case_words.h"
#include "suite/lang/line/line_cache.h"
#include "suite/lang/line/line_kind.h"
#include "suite/lang/line/line_template.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/case_rung.h"
#include "suite/lang/rung/rung_word.h"

#define ANY_MAX   64 /* lines of an "any" at most */
#define ACKED_MAX 64 /* PSNs of an "acked" at most */

static int parse_send(struct parse *p, struct step *s)
{
	s->to_dut = true;
	return parse_rung(p, RUNG_SEND, &s->rung);
}

/* Parses "333..336" or "333" after "acked". */
static int parse_acked(struct parse *p, struct step *s)
{
	struct word w, hi;
	int err;

	s->kind = STEP_ACKED;
	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected PSNs: acked 333..336");
	lex_range(w, &w, &hi);
	err = parse_number(p, w, NULL, true, false, &s->acked_lo);
	if (!err)
		err = parse_number(p, hi, NULL, true, false, &s->acked_hi);
	if (!err && !s->acked_lo.symbol && !s->acked_hi.symbol &&
	    s->acked_hi.value - s->acked_lo.value >= ACKED_MAX)
		return lex_error(p->lex, w.s,
				 "expected PSNs, 1 to %d of them: acked "
				 "333..336",
				 ACKED_MAX);
	return err;
}

static int parse_expect(struct parse *p, struct step *s)
{
	if (lex_take(p->lex, "acked"))
		return parse_acked(p, s);
	return parse_rung(p, RUNG_EXPECT, &s->rung);
}

static int parse_never(struct parse *p, struct step *s)
{
	if (!lex_take(p->lex, "<"))
		return lex_error(p->lex, NULL,
				 "expected '<' and a packet after 'never'");
	s->never_end = NEVER_CASE;
	return parse_rung(p, RUNG_MATCH, &s->rung);
}

static int parse_wait(struct parse *p, struct step *s)
{
	return lex_span(p->lex, &s->span);
}

static bool is_symbol(struct word w)
{
	if (w.len < 2 || w.len > 41 || w.s[0] != '$')
		return false;
	for (size_t i = 1; i < w.len; i++) {
		const char c = w.s[i];
		const bool letter = (c >= 'a' && c <= 'z') ||
				    (c >= 'A' && c <= 'Z') || c == '_';

		if (!letter && (i == 1 || c < '0' || c > '9'))
			return false;
	}
	return true;
}

static int parse_let(struct parse *p, struct step *s)
{
	struct word name, value;
	int err;

	if (!lex_word(p->lex, &name) || !is_symbol(name) ||
	    !lex_take(p->lex, "=") || !lex_word(p->lex, &value))
		return lex_error(p->lex, name.s, "expected let $x = $p+1");
	err = parse_number(p, value, NULL, false, false, &s->value);
	if (err)
		return err;
	s->value.absolute = !s->value.symbol;
	s->symbol = lex_copy(p->lex, (struct word){name.s + 1, name.len - 1});
	if (!s->symbol)
		return ERR_NOMEM;
	if (decl_has_number(s->symbol))
		return lex_error(p->lex, name.s,
				 "'$%s' is a number of the declaration",
				 s->symbol);
	return parse_bind(p, s->symbol);
}

static int parse_base(struct parse *p, struct step *s)
{
	struct word w;

	if (lex_peek(p->lex, &w) && parse_is_pdc(w)) {
		int err;

		lex_word(p->lex, &w);
		err = parse_pdc(p, w, &s->pdc);
		if (err)
			return err;
	}
	while (lex_word(p->lex, &w)) {
		const bool fwd = w.len > 4 && !memcmp(w.s, "fwd=", 4);
		struct word n = {w.s + 4, w.len - 4};
		uint64_t v;

		if ((!fwd && (w.len <= 4 || memcmp(w.s, "ret=", 4))) ||
		    lex_u64(n, UINT32_MAX, &v) ||
		    (fwd ? s->base_fwd_set : s->base_ret_set))
			return lex_error(p->lex, w.s,
					 "expected base fwd=N ret=N, 32 bits, "
					 "one or both");
		if (fwd) {
			s->base_fwd_set = true;
			s->base_fwd = (uint32_t)v;
		} else {
			s->base_ret_set = true;
			s->base_ret = (uint32_t)v;
		}
	}
	if (!s->base_fwd_set && !s->base_ret_set)
		return lex_error(p->lex, w.s, "expected fwd=N or ret=N");
	return 0;
}

static int open_brace(struct parse *p)
{
	if (!lex_take(p->lex, "{"))
		return lex_error(p->lex, NULL, "expected '{'");
	if (p->groups == GROUP_DEPTH)
		return lex_error(p->lex, p->lex->p - 1,
				 "groups in groups, deeper than %d",
				 GROUP_DEPTH);
	return lex_done(p->lex);
}

/* Reads the next line of a group: returns 1, 0 after '}', or an error. */
static int group_line(struct parse *p, const struct step *group)
{
	struct word w;
	int more = lex_line(p->lex);

	if (more < 0)
		return more;
	if (!more || (lex_peek(p->lex, &w) && word_is(w, "chair")))
		return lex_error(p->lex, NULL,
				 "the group of line %u is not closed by '}'",
				 group->line);
	if (!lex_take(p->lex, "}"))
		return 1;
	return lex_done(p->lex);
}

static bool may_stand_in_any(const struct step *s)
{
	return s && (s->kind == STEP_EXPECT || s->kind == STEP_REPORT);
}

static int parse_any(struct parse *p, struct step *s)
{
	const struct step **steps = NULL;
	size_t n = 0;
	int more;

	while ((more = group_line(p, s)) > 0) {
		struct step_list list = {0};
		const char *start = p->lex->p;
		int err = parse_line(p, &list);

		if (err)
			return err;
		if (!may_stand_in_any(list.first) || list.first->next)
			return lex_error(p->lex, start,
					 "the 'any' of line %u takes '<' lines "
					 "with a packet, and single reports; "
					 "'}' ends it",
					 s->line);
		if (n == ANY_MAX)
			return lex_error(p->lex, start,
					 "more than %d lines in 'any'",
					 ANY_MAX);
		steps = parse_grow(p, steps, n, sizeof(*steps));
		if (!steps)
			return ERR_NOMEM;
		steps[n++] = list.first;
	}
	s->groups = steps;
	s->ngroups = n;
	if (!more && n < 2)
		return lex_error(p->lex, p->lex->source,
				 "'any' of line %u needs two lines or more",
				 s->line);
	return more;
}

/* Ends the current alternative and adds it to the group. */
static int end_alternative(struct parse *p, struct step *s,
			   const struct step ***alts, struct step_list *list)
{
	if (!list->first || list->first->kind != STEP_EXPECT)
		return lex_error(p->lex, p->lex->source,
				 "an alternative begins with a '<' line and "
				 "its packet");
	*alts = parse_grow(p, *alts, s->ngroups, sizeof(**alts));
	if (!*alts)
		return ERR_NOMEM;
	(*alts)[s->ngroups++] = list->first;
	s->groups = *alts;
	*list = (struct step_list){0};
	return 0;
}

static int case_step_one_line(struct parse *p, struct step *s,
			      const struct step ***alts, struct step_list *list)
{
	int err;

	if (!lex_take(p->lex, "or"))
		return parse_line(p, list);
	err = lex_done(p->lex);
	if (err)
		return err;
	return end_alternative(p, s, alts, list);
}

static int parse_one(struct parse *p, struct step *s)
{
	const struct step **alts = NULL;
	struct step_list list = {0};
	int more, err = 0;

	while (!err && (more = group_line(p, s)) > 0)
		err = case_step_one_line(p, s, &alts, &list);
	if (!err)
		err = more < 0 ? more : end_alternative(p, s, &alts, &list);
	if (!err && s->ngroups < 2)
		return lex_error(p->lex, p->lex->source,
				 "'one' of line %u needs an 'or'", s->line);
	return err;
}

static int parse_spray(struct parse *p, struct step *s)
{
	return lex_count(p->lex, "the number of paths", 1, CASE_PATHS,
			 &s->count);
}

static bool check_op_of(struct word w, enum check_op *ret)
{
	for (size_t i = 0; check_words[i]; i++)
		if (word_is(w, check_words[i])) {
			*ret = (enum check_op)i;
			return true;
		}
	return false;
}

/* Parses "check $b < $a", perhaps with "else na". */
static int parse_check(struct parse *p, struct step *s)
{
	struct word left, op, right;
	int err;

	if (!lex_word(p->lex, &left) || !lex_word(p->lex, &op) ||
	    !check_op_of(op, &s->check) || !lex_word(p->lex, &right))
		return lex_error(p->lex, left.s,
				 "expected check $b < $a, with "
				 "<, <=, =, !=, >= or >");
	err = parse_number(p, left, NULL, false, false, &s->left);
	if (!err)
		err = parse_number(p, right, NULL, false, false, &s->value);
	if (err || !lex_take(p->lex, "else"))
		return err;
	s->optional = true;
	if (lex_take(p->lex, "na"))
		return 0;
	return lex_error(p->lex, NULL, "expected 'else na'");
}

/* The symbols of "each packet of": the place of the packet in its message. */
static const char *const each_symbols[] = {"at",  "piece", "index", "som",
					   "eom", "whole", NULL};

static bool may_stand_in_each(const struct step *s)
{
	switch (s->kind) {
	case STEP_SEND:
	case STEP_EXPECT:
	case STEP_ANY_ORDER:
	case STEP_ONE_OF:
	case STEP_WAIT:
		return true;
	default:
		return false;
	}
}

/* Parses the lines of "each packet of N {". */
static int each_lines(struct parse *p, struct step *s, struct step_list *list)
{
	int more;

	while ((more = group_line(p, s)) > 0) {
		const struct step *before = list->last;
		const char *start = p->lex->p;
		int err = parse_line(p, list);

		if (err)
			return err;
		if (list->last != before && !may_stand_in_each(list->last))
			return lex_error(p->lex, start,
					 "in 'each' stand '>' and '<' lines "
					 "with a packet, groups and 'wait'");
	}
	if (!more && !list->first)
		return lex_error(p->lex, p->lex->source,
				 "'each' of line %u has no lines", s->line);
	return more;
}

static int bind_each(struct parse *p, const char *name)
{
	if (!p->loose && parse_is_bound(p, name))
		return lex_error(p->lex, p->lex->source,
				 "'each' gives $%s a value: it has one already",
				 name);
	return parse_bind(p, name);
}

/*
 * Parses a group that is repeated for each packet of a message.  The symbols
 * that its lines bind are its own.
 */
static int parse_each(struct parse *p, struct step *s)
{
	const struct symbol *const outer = p->symbols;
	const struct step **groups;
	struct step_list list = {0};
	int err = 0;

	for (size_t i = 0; each_symbols[i] && !err; i++)
		err = bind_each(p, each_symbols[i]);
	p->each++;
	if (!err)
		err = each_lines(p, s, &list);
	p->each--;
	p->symbols = outer;
	if (err)
		return err;
	groups = parse_grow(p, NULL, 0, sizeof(*groups));
	if (!groups)
		return ERR_NOMEM;
	groups[0] = list.first;
	s->groups = groups;
	s->ngroups = 1;
	return 0;
}

/* Parses "packet of N" behind "each". */
static int parse_each_head(struct parse *p, struct step *s)
{
	struct word w;

	if (p->each)
		return lex_error(p->lex, p->lex->source,
				 "'each' does not stand in 'each'");
	if (!lex_take(p->lex, "packet") || !lex_take(p->lex, "of") ||
	    !lex_word(p->lex, &w))
		return lex_error(p->lex, NULL, "expected each packet of N {");
	return parse_number(p, w, NULL, false, false, &s->value);
}

/* clang-format off */
static const struct line_kind lines[] = {
	{">",         parse_send,    STEP_SEND,      MOD_SEND, false, 0},
	{"<",         parse_expect,  STEP_EXPECT,    MOD_EXPECT, true, 0},
	{"never",     parse_never,   STEP_NEVER,     MOD_FOR | MOD_UNTIL, true, 0},
	{"any",       parse_any,     STEP_ANY_ORDER, 0, false, 0},
	{"one",       parse_one,     STEP_ONE_OF,    0, false, 0},
	{"each",      parse_each,    STEP_EACH,      0, false, 0},
	{"drop",      parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_DROP},
	{"duplicate", parse_impair,  STEP_IMPAIR,    0, false,
	 IMPAIR_DUPLICATE},
	{"delay",     parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_DELAY},
	{"hold",      parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_HOLD},
	{"reorder",   parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_REORDER},
	{"corrupt",   parse_impair,  STEP_IMPAIR,    MOD_CRC, false,
	 IMPAIR_CORRUPT},
	{"mark_ce",   parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_MARK_CE},
	{"trim",      parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_TRIM},
	{"rewrite",   parse_impair,  STEP_IMPAIR,    MOD_CRC, false,
	 IMPAIR_REWRITE},
	{"inject",    parse_impair,  STEP_IMPAIR,    0, false, IMPAIR_INJECT},
	{"post",      parse_post,    STEP_POST,      0, false, 0},
	{"configure", parse_configure, STEP_CONFIGURE, 0, false, 0},
	{"respond",   parse_respond, STEP_RESPOND,   0, false, 0},
	{"delivered", parse_report,  STEP_REPORT,    0, true, REPORT_DELIVERED},
	{"received",  parse_report,  STEP_REPORT,    0, true, REPORT_RECEIVED},
	{"returned",  parse_report,  STEP_REPORT,    0, true, REPORT_RETURNED},
	{"responded", parse_report,  STEP_REPORT,    0, true, REPORT_RESPONDED},
	{"completed", parse_report,  STEP_REPORT,    0, true, REPORT_COMPLETED},
	{"failed",    parse_report,  STEP_REPORT,    0, true, REPORT_FAILED},
	{"error",     parse_report,  STEP_REPORT,    0, true, REPORT_ERROR},
	{"paused",    parse_report,  STEP_REPORT,    0, true, REPORT_PAUSED},
	{"resumed",   parse_report,  STEP_REPORT,    0, true, REPORT_RESUMED},
	{"eager",     parse_report,  STEP_REPORT,    0, true, REPORT_EAGER},
	{"unresponsive", parse_report, STEP_REPORT, 0, true,
	 REPORT_UNRESPONSIVE},
	{"wait",      parse_wait,    STEP_WAIT,      0, false, 0},
	{"let",       parse_let,     STEP_LET,       0, false, 0},
	{"base",      parse_base,    STEP_BASE,      0, false, 0},
	{"spray",     parse_spray,   STEP_SPRAY,     0, false, 0},
	{"check",     parse_check,   STEP_CHECK,     0, true, 0},
};

/* clang-format on */

#define LINES (sizeof(lines) / sizeof(lines[0]))

const char *parse_line_word(size_t n)
{
	if (n < LINES)
		return lines[n].word;
	return NULL;
}

static int no_line(struct parse *p, struct word w)
{
	struct near n;

	near_init(&n, w);
	for (size_t i = 0; i < LINES; i++)
		near_offer(&n, lines[i].word);
	near_offer(&n, "use");
	if (word_is(w, "}") || word_is(w, "or"))
		return lex_error(p->lex, w.s, "'%.*s' without a group",
				 WORD(w));
	if (w.len > 1 && (w.s[0] == '<' || w.s[0] == '>'))
		return lex_error(p->lex, w.s + 1,
				 "put a blank after the arrow");
	return lex_error(
		p->lex, w.s,
		"'%.*s' begins no line: expected >, <, never, any, "
		"one, each, post, respond, delivered, drop, wait, ...%s",
		WORD(w), near_hint(&n));
}

void case_step_append(struct step_list *list, struct step *s)
{
	if (list->last)
		list->last->next = s;
	else
		list->first = s;
	list->last = s;
}

static struct step *new_step(struct parse *p, const struct line_kind *k,
			     const char *source)
{
	struct step *s = arena_alloc(p->arena, sizeof(*s));

	if (!s)
		return NULL;
	s->kind = k->kind;
	s->file = p->lex->file;
	s->line = p->lex->line;
	s->source = source;
	s->need = p->need;
	s->min = s->max = 1;
	if (k->kind == STEP_IMPAIR)
		s->action = (enum impair_action)k->which;
	if (k->kind == STEP_REPORT)
		s->report = (enum report_kind)k->which;
	return s;
}

static int parse_step(struct parse *p, const struct line_kind *k,
		      struct step *s)
{
	const bool group = k->kind == STEP_ANY_ORDER ||
			   k->kind == STEP_ONE_OF || k->kind == STEP_EACH;
	int err = 0;

	if (group) {
		if (k->kind == STEP_EACH)
			err = parse_each_head(p, s);
		if (!err)
			err = open_brace(p);
		if (err)
			return err;
		p->groups++;
		err = k->parse(p, s);
		if (!err)
			p->groups--;
		return err;
	}
	err = k->parse(p, s);
	if (err)
		return err;
	return parse_modifiers(p, k, s);
}

/* Parses "delivered message_id=1 once, message_id=2 once" to one step each. */
static int parse_items(struct parse *p, const struct line_kind *k,
		       struct step *first, struct step_list *list)
{
	const char *eol = p->lex->eol;
	struct step *s = first;

	for (;;) {
		const char *at = p->lex->p;
		const char *comma = memchr(at, ',', (size_t)(eol - at));
		int err;

		p->lex->eol = comma ? comma : eol;
		err = k->parse(p, s);
		p->lex->eol = eol;
		if (err)
			return err;
		if (!s->pdc)
			s->pdc = first->pdc;
		case_step_append(list, s);
		if (!comma)
			return 0;
		p->lex->p = comma + 1;
		s = new_step(p, k, first->source);
		if (!s)
			return ERR_NOMEM;
		s->reqs = first->reqs;
		s->nreqs = first->nreqs;
	}
}

static const struct line_kind *line_named(struct word w)
{
	for (size_t i = 0; i < LINES; i++)
		if (word_is(w, lines[i].word))
			return &lines[i];
	return NULL;
}

static int parse_use_line(struct parse *p, struct step_list *list)
{
	struct word name;
	int err;

	if (!lex_word(p->lex, &name))
		return lex_error(p->lex, name.s,
				 "expected the name of a fragment");
	err = lex_done(p->lex);
	if (err)
		return err;
	return p->use(p, name, list);
}

/*
 * Parses "needs close.target": the rest of the fragment is skipped without that
 * capability.
 */
static int parse_need_line(struct parse *p)
{
	struct word w;

	if (!lex_word(p->lex, &w) || !decl_capability(w.s, w.len))
		return lex_error(p->lex, w.s, "expected a capability");
	p->need = lex_copy(p->lex, w);
	if (p->need)
		return lex_done(p->lex);
	return ERR_NOMEM;
}

/* Parses a line that the cache does not have. */
static int parse_new_line(struct parse *p, struct word whole,
			  struct step_list *list)
{
	struct lex *l = p->lex;
	struct word w;
	const char *source = lex_copy(l, whole);
	const struct line_kind *k;
	struct step *s;
	int err;

	lex_word(l, &w);
	if (word_is(w, "use"))
		return parse_use_line(p, list);
	if (word_is(w, "needs"))
		return parse_need_line(p);
	k = line_named(w);
	if (!k)
		return no_line(p, w);
	s = new_step(p, k, source);
	if (!s || !source)
		return ERR_NOMEM;
	err = take_reqs(p, k, s);
	if (err)
		return err;
	p->expecting += k->expecting && s->nreqs;
	if (k->kind == STEP_REPORT) {
		err = check_reqs(p, k, s);
		if (err)
			return err;
		return parse_items(p, k, s, list);
	}
	err = parse_step(p, k, s);
	if (!err)
		err = check_reqs(p, k, s);
	if (!err)
		case_step_append(list, s);
	return err;
}

/* Parses a line, and makes its step a template if it has one. */
static int parse_template(struct parse *p, struct line_templates *t,
			  const struct line_form *form, struct step_list *list)
{
	const struct step *const before = list->last;
	const unsigned expecting = p->expecting;
	const struct step *first;
	struct number_places places;
	int err;

	places.n = 0;
	places.full = false;
	p->places = &places;
	err = parse_new_line(p, form->text, list);
	p->places = NULL;
	first = before ? before->next : list->first;
	if (err || !first || first != list->last)
		return err;
	return line_template_keep(t, p, form, &places, p->expecting - expecting,
				  first);
}

/* Parses a line that the cache is to keep; by a template, if there is one. */
static int parse_kept_line(struct parse *p, struct word whole,
			   struct step_list *list)
{
	struct line_templates *t = line_cache_templates(p->lines);
	struct line_form form;
	int err;

	if (!line_form_read(whole, &form))
		return parse_new_line(p, whole, list);
	err = line_template_take(t, p, &form, list);
	if (err)
		return err < 0 ? err : 0;
	return parse_template(p, t, &form, list);
}

int parse_line(struct parse *p, struct step_list *list)
{
	const struct lex *l = p->lex;
	const struct word whole = {l->p, (size_t)(l->eol - l->p)};
	const struct step *const before = list->last;
	struct line_entry *e;
	int err = line_cache_take(p, whole, list);

	if (err)
		return err < 0 ? err : 0;
	e = line_cache_begin(p, whole);
	if (!e)
		return parse_new_line(p, whole, list);
	err = parse_kept_line(p, whole, list);
	return line_cache_end(p, e, err, before, list);
}
