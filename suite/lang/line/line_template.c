/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/line_template.c -- the form of a line, and the steps that are
 * templates for other lines of the form.
 *
 * The parser gives each number that it reads its place in the line.  Each
 * struct number keeps that place when it is copied (case.h), so a template can
 * list which members of the step hold the numbers of the form.  Some numbers
 * get into a step without a struct number, such as the 3 of "x 3".  They are no
 * numbers of a form: two lines with different ones have different forms.
 */
#include "suite/lang/line/line_template.h"

#include <string.h>

#include "base/err.h"
#include "base/pattern.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/line/case_step.h"
#include "suite/lang/rung/rung_body.h"

#define TEMPLATE_USES 24

/* The part of a step in which a number stands. */
enum use_kind {
	USE_PDS,
	USE_SES,
	USE_PARAM,
	USE_DATA_LEN,
	USE_DATA_AT,
};

struct number_use {
	uint8_t kind; /* enum use_kind */
	uint8_t term; /* of the rung; for USE_PARAM the parameter */
	uint8_t range;
	bool hi;
	uint8_t number; /* of the form */
};

struct line_template {
	const struct line_template *next; /* with the same slot */
	struct line_form form;
	enum chair chair;
	struct number_place places[LINE_NUMBERS]; /* in the parser's order */
	uint8_t number_of[LINE_NUMBERS];          /* of the form, by place */
	struct number_use uses[TEMPLATE_USES];
	unsigned nuses, expecting;
	const struct step *step;
};

/* ---- Forms ---- */

static bool line_template_digits(struct word w, const char *more)
{
	for (size_t i = 0; i < w.len; i++)
		if ((w.s[i] < '0' || w.s[i] > '9') &&
		    (!w.s[i] || !strchr(more, w.s[i])))
			return false;
	return w.len != 0;
}

/*
 * Returns the class of a number, which decides how it is parsed: 'n' of digits,
 * 'm' with "mtu", 's' a symbol; 0: it is none.
 */
static char number_class(struct word w)
{
	size_t i = 0;

	if (!w.len)
		return 0;
	if (w.s[0] == '$')
		return 's';
	if (line_template_digits(w, ""))
		return 'n';
	if (w.len > 2 && w.s[0] == '0' && w.s[1] == 'x')
		return 'n';
	while (i < w.len && w.s[i] >= '0' && w.s[i] <= '9')
		i++;
	if (w.len - i < 3 || memcmp(w.s + i, "mtu", 3) != 0)
		return 0;
	w = (struct word){w.s + i + 3, w.len - i - 3};
	return !w.len || line_template_digits(w, "+-") ? 'm' : 0;
}

/* Returns the end of the value that begins at |s|, and its class. */
static const char *line_value(const char *s, const char *end, char *ret_class)
{
	struct word w = {s, 0};

	while (s < end && *s != ' ' && *s != '|')
		s++;
	w.len = (size_t)(s - w.s);
	*ret_class = number_class(w);
	return s;
}

/* Returns true if a value begins behind |s|, as in "psn=", "3|" and "data ". */
static bool line_value_begins(const char *text, const char *s)
{
	static const char data[] = "| data";

	if (*s == '=')
		return true;
	if (*s == '|')
		return s > text && s[-1] != ' ';
	return *s == ' ' && (size_t)(s - text) >= sizeof(data) - 1 &&
	       !memcmp(s - (sizeof(data) - 1), data, sizeof(data) - 1);
}

/* Hashes the text from |from| to |to|. */
static uint64_t line_form_mix(uint64_t hash, const char *from, const char *to)
{
	uint64_t part;

	for (; to - from >= (ptrdiff_t)sizeof(part); from += sizeof(part)) {
		memcpy(&part, from, sizeof(part));
		hash = pattern_mix(hash ^ part);
	}
	for (part = 1; from < to; from++)
		part = part << 8 | (uint8_t)*from;
	return pattern_mix(hash ^ part);
}

bool line_form_read(struct word text, struct line_form *ret)
{
	const char *end = text.s + text.len, *from = text.s;
	unsigned symbols = 0;
	uint64_t hash = 0;

	ret->text = text;
	ret->n = 0;
	for (const char *s = text.s; s < end;) {
		const char *value = s + 1;
		char class;

		if (!line_value_begins(text.s, s++))
			continue;
		s = line_value(value, end, &class);
		if (!class)
			continue;
		if (ret->n == LINE_NUMBERS)
			return false;
		symbols += class == 's';
		hash = line_form_mix(hash, from, value) + (uint8_t) class;
		ret->classes[ret->n] = class;
		ret->numbers[ret->n++] =
			(struct word){value, (size_t)(s - value)};
		from = s;
	}
	/* Each '$' must begin a number that was found above. */
	for (const char *s = text.s; (s = memchr(s, '$', (size_t)(end - s)));
	     s++)
		symbols--;
	ret->hash = (uint32_t)line_form_mix(hash, from, end);
	return ret->n && !symbols;
}

/* Returns whether two lines are equal but for their numbers. */
static bool line_form_same(const struct line_form *a, const struct line_form *b)
{
	const char *s = a->text.s, *t = b->text.s;

	if (a->hash != b->hash || a->n != b->n ||
	    memcmp(a->classes, b->classes, a->n) != 0)
		return false;
	for (unsigned i = 0; i <= a->n; i++) {
		const char *e =
			i < a->n ? a->numbers[i].s : a->text.s + a->text.len;
		const char *f =
			i < a->n ? b->numbers[i].s : b->text.s + b->text.len;

		if (e - s != f - t || memcmp(s, t, (size_t)(e - s)) != 0)
			return false;
		if (i == a->n)
			break;
		s = e + a->numbers[i].len;
		t = f + b->numbers[i].len;
	}
	return true;
}

static const struct line_template *
line_template_find(const struct line_templates *t, const struct line_form *form,
		   enum chair chair)
{
	const struct line_template *i = t->slots[form->hash % LINE_TEMPLATES];

	while (i && (i->chair != chair || !line_form_same(&i->form, form)))
		i = i->next;
	return i;
}

/* ---- Filling a template ---- */

/* A step that is made of a template: what it has copied so far. */
struct line_fill {
	struct parse *p;
	const struct line_template *t;
	struct step *s;
	struct term *terms[2]; /* of the PDS and the SES words */
	struct param *params;
	const struct number_use *last; /* whose ranges were copied */
	struct range *ranges;
};

static struct term *fill_terms(struct line_fill *f, bool ses)
{
	struct rung *r = &f->s->rung;

	if (f->terms[ses])
		return f->terms[ses];
	f->terms[ses] =
		parse_copy(f->p, ses ? r->ses_terms : r->pds,
			   ses ? r->nses : r->npds, sizeof(struct term));
	if (ses)
		r->ses_terms = f->terms[ses];
	else
		r->pds = f->terms[ses];
	return f->terms[ses];
}

static struct number *fill_term(struct line_fill *f, const struct number_use *u)
{
	struct term *t = fill_terms(f, u->kind == USE_SES);

	if (!t)
		return NULL;
	t += u->term;
	if (!f->last || f->last->kind != u->kind || f->last->term != u->term) {
		f->last = u;
		t->ranges = f->ranges = parse_copy(f->p, t->ranges, t->nranges,
						   sizeof(struct range));
	}
	if (!f->ranges)
		return NULL;
	return u->hi ? &f->ranges[u->range].hi : &f->ranges[u->range].lo;
}

static struct number *fill_param(struct line_fill *f,
				 const struct number_use *u)
{
	if (!f->params)
		f->s->params = f->params =
			parse_copy(f->p, f->s->params, f->s->nparams,
				   sizeof(struct param));
	return f->params ? &f->params[u->term].number : NULL;
}

/* Returns the place of a number in the step, copied; NULL without memory. */
static struct number *fill_place(struct line_fill *f,
				 const struct number_use *u)
{
	switch ((enum use_kind)u->kind) {
	case USE_PDS:
	case USE_SES:
		return fill_term(f, u);
	case USE_PARAM:
		return fill_param(f, u);
	case USE_DATA_LEN:
		return &f->s->rung.data_len;
	case USE_DATA_AT:
		break;
	}
	return &f->s->rung.data_at;
}

/* Reads the numbers of a line in the parser's order; ERR_SYNTAX: one is bad. */
static int line_template_numbers(struct parse *p, const struct line_template *t,
				 const struct line_form *form,
				 struct number ret[LINE_NUMBERS])
{
	const struct symbol *const bound = p->symbols;
	struct diag *const diag = p->lex->diag;
	struct diag ignored;
	int err = 0;

	ignored.text[0] = 0;
	p->lex->diag = &ignored;
	for (unsigned i = 0; i < form->n && !err; i++) {
		const struct number_place *at = &t->places[i];
		const unsigned n = t->number_of[i];

		err = parse_number(p, form->numbers[n], at->field, at->psn,
				   at->binds, &ret[n]);
	}
	p->lex->diag = diag;
	if (err)
		p->symbols = bound;
	return err;
}

static int line_template_fill(struct line_fill *f,
			      const struct number numbers[LINE_NUMBERS])
{
	for (unsigned i = 0; i < f->t->nuses; i++) {
		const struct number_use *u = &f->t->uses[i];
		struct number *n = fill_place(f, u);
		bool absolute;

		if (!n)
			return ERR_NOMEM;
		absolute = n->absolute;
		*n = numbers[u->number];
		n->absolute = absolute;
	}
	return 0;
}

int line_template_take(const struct line_templates *t, struct parse *p,
		       const struct line_form *form, struct step_list *list)
{
	const struct symbol *const bound = p->symbols;
	struct number numbers[LINE_NUMBERS];
	struct line_fill f = {.p = p};
	int err;

	f.t = line_template_find(t, form, p->chair);
	if (!f.t)
		return 0;
	err = line_template_numbers(p, f.t, form, numbers);
	if (err)
		return err == ERR_NOMEM ? err : 0;
	f.s = parse_copy(p, f.t->step, 1, sizeof(*f.s));
	if (!f.s)
		return ERR_NOMEM;
	err = line_template_fill(&f, numbers);
	if (err)
		return err;
	if (!rung_data_fits(&f.s->rung)) {
		p->symbols = bound;
		return 0;
	}
	f.s->file = p->lex->file;
	f.s->line = p->lex->line;
	f.s->need = p->need;
	f.s->next = NULL;
	f.s->source = lex_copy(p->lex, form->text);
	if (!f.s->source)
		return ERR_NOMEM;
	p->expecting += f.t->expecting;
	case_step_append(list, f.s);
	return 1;
}

/* ---- Making a template ---- */

/* Maps the numbers that the parser read to those of the form. */
static bool line_template_places(struct line_template *t,
				 const struct number_places *places,
				 uint8_t number[PLACES_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < places->n; i++) {
		unsigned k = 0;

		number[i] = LINE_NUMBERS;
		while (k < t->form.n &&
		       (places->at[i].text != t->form.numbers[k].s ||
			places->at[i].len != t->form.numbers[k].len))
			k++;
		if (k == t->form.n)
			continue;
		if (n == t->form.n)
			return false;
		number[i] = t->number_of[n] = (uint8_t)k;
		t->places[n++] = places->at[i];
	}
	return n == t->form.n;
}

/* The numbers of a form that a step has been searched for. */
struct line_search {
	struct line_template *t;
	const uint8_t *number; /* of the form, by number of the parser */
	unsigned found;        /* bits: numbers of the form */
	bool full;
};

static void line_search_number(struct line_search *s, const struct number *n,
			       struct number_use use)
{
	if (!n->place || s->number[n->place - 1] == LINE_NUMBERS)
		return;
	s->full |= s->t->nuses == TEMPLATE_USES;
	if (s->full)
		return;
	use.number = s->number[n->place - 1];
	s->found |= 1u << use.number;
	s->t->uses[s->t->nuses++] = use;
}

static void line_search_terms(struct line_search *s, enum use_kind kind,
			      const struct term *terms, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < terms[i].nranges; k++) {
			const struct range *r = &terms[i].ranges[k];
			struct number_use use = {.kind = (uint8_t)kind,
						 .term = (uint8_t)i,
						 .range = (uint8_t)k};

			line_search_number(s, &r->lo, use);
			use.hi = true;
			line_search_number(s, &r->hi, use);
		}
}

/* Lists the members of a step that hold the numbers of the form. */
static bool line_template_uses(struct line_template *t, const struct step *step,
			       const uint8_t number[PLACES_MAX])
{
	const struct rung *r = &step->rung;
	struct line_search s = {.t = t, .number = number};

	line_search_terms(&s, USE_PDS, r->pds, r->npds);
	line_search_terms(&s, USE_SES, r->ses_terms, r->nses);
	line_search_number(&s, &r->data_len,
			   (struct number_use){.kind = USE_DATA_LEN});
	line_search_number(&s, &r->data_at,
			   (struct number_use){.kind = USE_DATA_AT});
	for (size_t i = 0; i < step->nparams; i++)
		line_search_number(&s, &step->params[i].number,
				   (struct number_use){.kind = USE_PARAM,
						       .term = (uint8_t)i});
	return !s.full && s.found == (1u << t->form.n) - 1;
}

/* Returns true for a kind of step that keeps no number elsewhere. */
static bool line_template_serves(const struct step *s)
{
	return s->kind == STEP_SEND || s->kind == STEP_EXPECT ||
	       s->kind == STEP_NEVER || s->kind == STEP_POST ||
	       s->kind == STEP_REPORT;
}

/* Moves the words of a form to a copy of its text. */
static bool line_template_text(struct line_template *t, struct parse *p)
{
	const char *old = t->form.text.s;
	const char *s = lex_copy(p->lex, t->form.text);

	if (!s)
		return false;
	t->form.text.s = s;
	for (unsigned i = 0; i < t->form.n; i++)
		t->form.numbers[i].s = s + (t->form.numbers[i].s - old);
	return true;
}

int line_template_keep(struct line_templates *ts, struct parse *p,
		       const struct line_form *form,
		       const struct number_places *places, unsigned expecting,
		       const struct step *s)
{
	struct line_template t = {.form = *form,
				  .chair = p->chair,
				  .expecting = expecting,
				  .step = s};
	struct line_template *kept, **slot;
	uint8_t number[PLACES_MAX];

	if (places->full || !line_template_serves(s) ||
	    !line_template_places(&t, places, number) ||
	    !line_template_uses(&t, s, number))
		return 0;
	if (!line_template_text(&t, p))
		return ERR_NOMEM;
	slot = &ts->slots[form->hash % LINE_TEMPLATES];
	t.next = *slot;
	kept = parse_copy(p, &t, 1, sizeof(t));
	if (!kept)
		return ERR_NOMEM;
	*slot = kept;
	return 0;
}
