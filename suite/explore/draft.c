/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft.c -- the text of a drafted case: its subject, its lines
 * and the head of the file.
 */
#include "suite/explore/draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "suite/lang/chair.h"

static const struct {
	const char *name;
	enum family family;
	const char *covers; /* of a case without a finding */
	const struct draft_kind *kinds[CHAIR_COUNT];
} subjects_of[DRAFT_SUBJECTS] = {
	[DRAFT_RUD] = {"rud",
		       FAMILY_UET,
		       "MODE-RUD-1",
		       {&draft_target, &draft_initiator}},
	[DRAFT_ROD] = {"rod",
		       FAMILY_UET,
		       "MODE-ROD-1",
		       {&draft_target, &draft_initiator}},
	[DRAFT_RUDI] = {"rudi",
			FAMILY_UET,
			"MODE-RUDI-1",
			{&draft_rudi_target, &draft_rudi_initiator}},
	[DRAFT_UUD] = {"uud",
		       FAMILY_UET,
		       "MODE-UUD-1",
		       {&draft_uud_target, &draft_uud_initiator}},
	[DRAFT_SRD] = {"srd",
		       FAMILY_SRD,
		       "SRD-03",
		       {&draft_srd_target, &draft_srd_initiator}},
	[DRAFT_WQE] = {"wqe",
		       FAMILY_WQE,
		       "WQE-21",
		       {&draft_wqe_target, &draft_wqe_initiator}},
	[DRAFT_ROCE] = {"roce",
			FAMILY_ROCE,
			"ROCE-09",
			{&draft_roce_target, &draft_roce_initiator}},
};

const char *draft_subject_name(enum draft_subject s)
{
	return subjects_of[s].name;
}

enum family draft_family(enum draft_subject s)
{
	return subjects_of[s].family;
}

const struct draft_kind *draft_kind_of(enum draft_subject s, enum chair c)
{
	return subjects_of[s].kinds[c];
}

void draft_line(struct draft *d, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	text_puts(&d->body, "  ");
	text_puts(&d->body, line);
	text_puts(&d->body, "\n");
}

void draft_need(struct draft *d, const char *word)
{
	for (size_t i = 0; i < d->nneeds; i++)
		if (strcmp(d->needs[i], word) == 0)
			return;
	if (d->nneeds < DRAFT_NEEDS)
		snprintf(d->needs[d->nneeds++], sizeof(d->needs[0]), "%s",
			 word);
}

void draft_violates(struct draft *d, const char *rule)
{
	for (size_t i = 0; i < d->nviolates; i++)
		if (strcmp(d->violates[i], rule) == 0)
			return;
	if (d->nviolates < DRAFT_VIOLATES)
		snprintf(d->violates[d->nviolates++], sizeof(d->violates[0]),
			 "%s", rule);
}

void draft_violates_told(struct draft *d)
{
	draft_violates(d, d->subject == DRAFT_ROD ? "MODE-ROD-3s/src"
						  : "MODE-RUD-3/src");
}

void draft_keep(struct draft *d, uint32_t psn, unsigned mid)
{
	if (d->nsent < DRAFT_SENT)
		d->sent[d->nsent++] = (struct draft_sent){psn, mid};
}

int draft_wants(const struct draft *d, unsigned place)
{
	for (unsigned i = 0; d->plan && i < d->plan->nwants; i++) {
		const struct draft_want *w = &d->plan->wants[i];

		if (w->slot == d->slot && w->place == place)
			return w->class;
	}
	return -1;
}

void draft_drew(struct draft *d, unsigned place, unsigned classes,
		unsigned class)
{
	if (d->slot == DRAFT_NO_SLOT || d->nvalues == DRAFT_VALUES ||
	    place >= DRAFT_PLACES)
		return;
	d->values[d->nvalues++] = (struct draft_value){
		.slot = d->slot,
		.place = (uint8_t)place,
		.classes = (uint8_t)classes,
		.class = (uint8_t) class,
	};
}

void draft_names(struct draft *d, const char *word, size_t len)
{
	struct draft_value *v;

	if (d->slot == DRAFT_NO_SLOT || !d->nvalues)
		return;
	v = &d->values[d->nvalues - 1];
	v->word = word;
	v->len = (uint8_t)len;
}

/* Returns a number of a class of |n| numbers. */
static uint32_t draft_of_class(struct draft *d, uint32_t n, unsigned class)
{
	if (n <= DRAFT_CLASSES || !class)
		return class;
	return class == 1 ? 1 + rng_below(&d->c->rng, n - 2) : n - 1;
}

uint32_t draft_draw(struct draft *d, uint32_t n)
{
	static const char *const words[] = {"least", "between", "greatest"};
	const unsigned place = d->places++;
	const int want = draft_wants(d, place);
	unsigned class;
	uint32_t v;

	v = want < 0 ? choose(d->c, n)
		     : choose_as(d->c, n, draft_of_class(d, n, (unsigned)want));
	if (n <= DRAFT_CLASSES) {
		draft_drew(d, place, n, v);
		return v;
	}
	class = v == 0 ? 0 : v < n - 1 ? 1 : 2;
	draft_drew(d, place, 3, class);
	draft_names(d, words[class], strlen(words[class]));
	return v;
}

/* Returns the first of the words that are equal to number |v|. */
static unsigned draft_first(const char *const *words, unsigned v)
{
	for (unsigned i = 0; i < v; i++)
		if (words[i] == words[v] ||
		    (words[i] && words[v] && strcmp(words[i], words[v]) == 0))
			return i;
	return v;
}

const char *draft_word(struct draft *d, const char *const *words, unsigned n)
{
	const size_t before = d->nvalues;
	const unsigned v = draft_draw(d, n);
	const char *name = words[v] ? words[v] : "none";

	if (d->nvalues > before) {
		d->values[before].class = (uint8_t)draft_first(words, v);
		draft_names(d, name, strlen(name));
	}
	return words[v];
}

const char *draft_setting(struct draft *d, const char *const *words, unsigned n)
{
	const size_t before = d->nvalues;
	const char *s = draft_word(d, words, n);

	if (!d->setting)
		return s;
	d->nvalues = before; /* it has no effect */
	return d->setting;
}

void draft_value_name(const struct draft_value *v, char ret[48])
{
	if (v->word)
		snprintf(ret, 48, "%.*s", v->len, v->word);
	else
		snprintf(ret, 48, "draw %u = %u", v->place + 1u, v->class);
}

const char *draft_size(struct draft *d)
{
	static const char *const sizes[] = {"64", "8",  "1",   "mtu", "mtu-1",
					    "16", "17", "255", "257"};

	return draft_word(d, sizes, sizeof(sizes) / sizeof(sizes[0]));
}

/* Returns true if a word stands between |from| and |end|. */
static bool draft_has(const char *from, const char *end, const char *word)
{
	const char *at = strstr(from, word);

	return at && at < end;
}

bool draft_waits(const struct draft *d, size_t move)
{
	static const char *const words[] = {
		"rto",     "_time",    "wait",    "unresponsive",
		" after ", "optional", "rtx_ind", "failed"};
	const char *body = text_cstr(&d->body);
	const char *from = body, *end = body + d->text_at[0];

	if (move < d->nmoves) {
		from = body + d->text_at[move];
		end = body + d->text_at[move + 1];
	} else if (move > d->nmoves) {
		from = body + d->text_at[d->nmoves];
		end = body + d->body.len;
	}
	if (d->chair == CHAIR_INITIATOR && draft_has(from, end, "use open"))
		return true; /* the fragment waits ack_time */
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (draft_has(from, end, words[i]))
			return true;
	return false;
}

void draft_free(struct draft *d)
{
	text_free(&d->body);
}

/* Joins words into head lines of at most 100 columns. */
static void draft_words(struct text *t, const char *key, size_t n,
			const char *(*word)(const struct draft *d, size_t i),
			const struct draft *d)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++) {
		const char *w = word(d, i);

		if (width && width + strlen(w) + 1 > 90) {
			text_puts(t, "\n");
			width = 0;
		}
		if (!width) {
			text_printf(t, "%-8s", key);
			width = 8;
		}
		text_printf(t, " %s", w);
		width += strlen(w) + 1;
	}
	if (n)
		text_puts(t, "\n");
}

static const char *draft_need_at(const struct draft *d, size_t i)
{
	return d->needs[i];
}

static const char *draft_violates_at(const struct draft *d, size_t i)
{
	return d->violates[i];
}

void draft_text(const struct draft *d, const struct draft_head *head,
		struct text *t)
{
	text_puts(t, "# SPDX-License-Identifier: BSD-2-Clause\n");
	text_printf(t, "title    %.80s\n", head->title);
	if (head->ref && *head->ref)
		text_printf(t, "ref      %.80s\n", head->ref);
	if (draft_family(d->subject) != MAIN_FAMILY)
		text_printf(t, "family   %s\n",
			    family_name(draft_family(d->subject)));
	text_printf(t, "covers   %s\n",
		    head->covers == REQ_NONE ? subjects_of[d->subject].covers
					     : req_get(head->covers)->id);
	draft_words(t, "needs", d->nneeds, draft_need_at, d);
	draft_words(t, "violates", d->nviolates, draft_violates_at, d);
	text_printf(t, "\nchair %s\n", chair_name(d->chair));
	text_add(t, text_cstr(&d->body), d->body.len);
}
