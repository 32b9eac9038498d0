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

#define DRAFT_COLUMNS 100 /* of a file that is written for a reader */
#define DRAFT_KEY     9   /* columns before the value of a head line */

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

/* Appends a byte as two hexadecimal digits. */
static void draft_byte(struct text *t, unsigned v)
{
	static const char digits[] = "0123456789abcdef";

	text_fill(t, digits[v >> 4 & 15], 1);
	text_fill(t, digits[v & 15], 1);
}

/*
 * Appends as printf does, which takes twice as long.  Return: false: the format
 * has more than %s, %u and %02x, as few lines do.
 */
static bool draft_print(struct text *t, const char *fmt, va_list ap)
{
	const char *next;

	for (; (next = strchr(fmt, '%')); fmt = next + 1) {
		text_add(t, fmt, (size_t)(next - fmt));
		if (*++next == 's') {
			text_puts(t, va_arg(ap, const char *));
		} else if (*next == 'u') {
			text_u64(t, va_arg(ap, unsigned));
		} else if (strncmp(next, "02x", 3) == 0) {
			draft_byte(t, va_arg(ap, unsigned));
			next += 2;
		} else {
			return false;
		}
	}
	text_puts(t, fmt);
	return true;
}

void draft_line(struct draft *d, const char *fmt, ...)
{
	char line[256];
	size_t begin;
	va_list ap;
	bool plain;

	text_add(&d->body, "  ", 2);
	begin = d->body.len;
	va_start(ap, fmt);
	plain = draft_print(&d->body, fmt, ap);
	va_end(ap);
	if (!plain) {
		d->body.len = begin;
		va_start(ap, fmt);
		vsnprintf(line, sizeof(line), fmt, ap);
		va_end(ap);
		text_puts(&d->body, line);
	}
	text_add(&d->body, "\n", 1);
}

/* Copies a word to a row of |size| bytes, without what has no room. */
static void draft_copy(char *to, size_t size, const char *word)
{
	const size_t len = strlen(word);
	const size_t n = len < size ? len : size - 1;

	memcpy(to, word, n);
	to[n] = 0;
}

void draft_need(struct draft *d, const char *word)
{
	for (size_t i = 0; i < d->nneeds; i++)
		if (strcmp(d->needs[i], word) == 0)
			return;
	if (d->nneeds < DRAFT_NEEDS)
		draft_copy(d->needs[d->nneeds++], sizeof(d->needs[0]), word);
}

void draft_violates(struct draft *d, const char *rule)
{
	for (size_t i = 0; i < d->nviolates; i++)
		if (strcmp(d->violates[i], rule) == 0)
			return;
	if (d->nviolates < DRAFT_VIOLATES)
		draft_copy(d->violates[d->nviolates++], sizeof(d->violates[0]),
			   rule);
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

/*
 * Finds a word of a "configure" line by its first |len| bytes; NULL: there is
 * none.
 */
static const char *draft_configured(const struct draft *d, const char *word,
				    size_t len)
{
	static const char verb[] = "  configure ";
	const char *body = text_cstr(&d->body);

	for (const char *line = body; *line;) {
		const char *end = line + strcspn(line, "\n");

		if (strncmp(line, verb, strlen(verb)) == 0)
			for (const char *at = line; at < end; at++)
				if (at[0] == ' ' &&
				    strncmp(at + 1, word, len) == 0)
					return at + 1;
		line = *end ? end + 1 : end;
	}
	return NULL;
}

bool draft_configures(const struct draft *d, const char *word)
{
	const size_t len = strlen(word);
	const char *at = draft_configured(d, word, len);

	return at && strchr(" \n", at[len]);
}

bool draft_setting_of(const struct draft *d, const char *key, char *ret,
		      size_t size)
{
	char start[48];
	const char *at;
	size_t len;

	snprintf(start, sizeof(start), "%.40s=", key);
	at = draft_configured(d, start, strlen(start));
	len = at ? strcspn(at, " \n") : 0;
	if (!len || len >= size)
		return false;
	memcpy(ret, at, len);
	ret[len] = 0;
	return true;
}

void draft_free(struct draft *d)
{
	text_free(&d->body);
}

/* Writes the word of a head line, and blanks up to the column of its value. */
static void draft_key(struct text *t, const char *key)
{
	const size_t len = strlen(key);

	text_add(t, key, len);
	text_fill(t, ' ', len < DRAFT_KEY ? DRAFT_KEY - len : 1);
}

/* Writes a head line, of at most 100 columns. */
static void draft_head_line(struct text *t, const char *key, const char *value)
{
	const size_t len = strlen(value), most = DRAFT_COLUMNS - DRAFT_KEY;

	draft_key(t, key);
	text_add(t, value, len < most ? len : most);
	text_add(t, "\n", 1);
}

/* Joins words into head lines of at most 100 columns. */
static void draft_words(struct text *t, const char *key, size_t n,
			const char *(*word)(const struct draft *d, size_t i),
			const struct draft *d)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++) {
		const char *w = word(d, i);
		const size_t len = strlen(w);

		if (width && width + len + 1 > 90) {
			text_puts(t, "\n");
			width = 0;
		}
		if (width)
			text_add(t, " ", 1);
		else
			draft_key(t, key);
		text_add(t, w, len);
		width += (width ? 0 : 8) + len + 1;
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

static void draft_writes_head(const struct draft *d,
			      const struct draft_head *head, struct text *t)
{
	text_puts(t, "# SPDX-License-Identifier: BSD-2-Clause\n");
	draft_head_line(t, "title", head->title);
	if (head->ref && *head->ref)
		draft_head_line(t, "ref", head->ref);
	if (draft_family(d->subject) != MAIN_FAMILY)
		draft_head_line(t, "family",
				family_name(draft_family(d->subject)));
	draft_head_line(t, "covers",
			head->covers == REQ_NONE
				? subjects_of[d->subject].covers
				: req_get(head->covers)->id);
	draft_words(t, "needs", d->nneeds, draft_need_at, d);
	draft_words(t, "violates", d->nviolates, draft_violates_at, d);
	text_puts(t, "\nchair ");
	text_puts(t, chair_name(d->chair));
	text_puts(t, "\n");
}

void draft_text(const struct draft *d, const struct draft_head *head,
		struct text *t)
{
	draft_writes_head(d, head, t);
	text_add(t, text_cstr(&d->body), d->body.len);
}

/*
 * Returns where a line is broken that is longer than |columns|: before a header
 * or a list of requirements, else at a blank; |len|: nowhere.
 */
static size_t draft_break(const char *line, size_t len, size_t columns)
{
	size_t blank = len;

	for (size_t i = columns; i > columns / 4; i--) {
		if (line[i] != ' ')
			continue;
		if (line[i + 1] == '|' ||
		    (line[i + 1] == '[' && line[i - 1] == ' '))
			return i;
		if (blank == len && line[i - 1] != '|' && line[i - 1] != ' ')
			blank = i;
	}
	return blank;
}

/* Writes a line; what continues it is indented further, as in any case. */
static void draft_writes_line(struct text *t, const char *line, size_t len)
{
	const size_t indent = strspn(line, " ");
	size_t columns = DRAFT_COLUMNS;

	while (len > columns) {
		const size_t at = draft_break(line, len, columns);
		size_t end = at;

		if (at == len)
			break;
		while (line[end - 1] == ' ')
			end--;
		text_add(t, line, end);
		line += at + 1;
		len -= at + 1;
		text_puts(t, "\n");
		text_fill(t, ' ', indent + 3);
		if (*line != '|' && *line != '[')
			text_puts(t, "... ");
		/* the text is shorter by what was written before it */
		columns = DRAFT_COLUMNS - indent - 7;
	}
	text_add(t, line, len);
	text_puts(t, "\n");
}

/* Writes the lines from |at| to |end| of the body below their title. */
static void draft_writes_part(const struct draft *d, const char *title,
			      size_t at, size_t end, struct text *t)
{
	const char *body = text_cstr(&d->body);

	if (at == end)
		return;
	if (title) {
		text_puts(t, "  # ");
		text_puts(t, title);
		text_puts(t, "\n");
	}
	while (at < end) {
		const size_t len = strcspn(body + at, "\n");

		draft_writes_line(t, body + at, len);
		at += len + 1;
	}
}

void draft_text_read(const struct draft *d, const struct draft_head *head,
		     struct text *t)
{
	draft_writes_head(d, head, t);
	draft_writes_part(
		d,
		draft_option_title(d->subject, d->chair, true, d->open_option),
		0, d->text_at[0], t);
	for (size_t i = 0; i < d->nmoves; i++)
		draft_writes_part(d,
				  draft_option_title(d->subject, d->chair,
						     false, d->move_option[i]),
				  d->text_at[i], d->text_at[i + 1], t);
	draft_writes_part(d, NULL, d->text_at[d->nmoves], d->body.len, t);
}
