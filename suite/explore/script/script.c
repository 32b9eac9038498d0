/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/script/script.c -- fills the places of a script.
 */
#include "suite/explore/script/script.h"

#include <stdlib.h>
#include <string.h>

#define SCRIPT_CHOICES 10
#define SCRIPT_WORD    48 /* a need or a rule */

struct script_run {
	struct draft *d;
	const struct draft_script *s;
	uint32_t choice[SCRIPT_CHOICES];
};

/* Returns the signed number behind a name: "+2", "-1" or nothing. */
static int script_offset(const char *s, size_t len)
{
	const bool sign = len && (*s == '+' || *s == '-');
	int v = 0;

	for (size_t i = sign; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		v = 10 * v + (s[i] - '0');
	return sign && *s == '-' ? -v : v;
}

static uint32_t script_psn(const struct script_run *r, int k)
{
	const enum family family = draft_family(r->d->subject);

	return (r->d->psn + (uint32_t)k) & wire_families[family]->psn_mask;
}

static void script_number(const struct script_run *r, char name, int k,
			  struct text *t)
{
	const uint32_t psn = script_psn(r, k);

	switch (name) {
	case 'p':
		text_u64(t, psn);
		break;
	case 'b':
		text_printf(t, "00 %02x %02x %02x", psn >> 16 & 255,
			    psn >> 8 & 255, psn & 255);
		break;
	case 'r':
		text_u64(t, r->d->ret + (uint32_t)k);
		break;
	case 'm':
		text_u64(t, r->d->mid + (unsigned)k);
		break;
	case 'l':
		text_u64(t, 64 + r->d->mid + (unsigned)k);
		break;
	case 'o':
		text_u64(t, r->d->op + (unsigned)k);
		break;
	default:
		text_u64(t, r->d->sym);
	}
}

/* Returns word number |n| of a list "a/b/c". */
static const char *script_nth(const char *s, size_t len, uint32_t n,
			      size_t *ret_len)
{
	const char *end = s + len, *next = memchr(s, '/', len);

	for (; n && next; n--) {
		s = next + 1;
		next = memchr(s, '/', (size_t)(end - s));
	}
	*ret_len = (size_t)((next ? next : end) - s);
	return s;
}

/* Appends that word. */
static void script_word(const char *s, size_t len, uint32_t n, struct text *t)
{
	size_t size;
	const char *word = script_nth(s, len, n, &size);

	text_add(t, word, size);
}

/* Draws from a list or a range, and appends what was drawn. */
static uint32_t script_draw(struct script_run *r, const char *s, size_t len,
			    struct text *t)
{
	const char *dot = memchr(s, '.', len), *word;
	uint32_t n = 1, drawn;
	size_t size;

	if (dot) {
		const uint32_t low = (uint32_t)strtoul(s, NULL, 10);

		const uint32_t high = (uint32_t)strtoul(dot + 2, NULL, 10);

		drawn = low + draft_draw(r->d, high - low + 1);
		text_u64(t, drawn);
		return drawn;
	}
	for (size_t i = 0; i < len; i++)
		n += s[i] == '/';
	drawn = draft_draw(r->d, n);
	word = script_nth(s, len, drawn, &size);
	text_add(t, word, size);
	if (n <= DRAFT_CLASSES)
		draft_names(r->d, word, size);
	return drawn;
}

/* Appends the value of one placeholder; |s| is the text between its braces. */
static void script_place(struct script_run *r, const char *s, size_t len,
			 struct text *t)
{
	const unsigned n =
		s[0] >= '1' && s[0] <= '9' ? (unsigned)(s[0] - '0') : 0;

	if (s[0] == ':')
		script_draw(r, s + 1, len - 1, t);
	else if (n && len > 1 && s[1] == ':')
		r->choice[n] = script_draw(r, s + 2, len - 2, t);
	else if (n && len > 1 && s[1] == '=')
		script_word(s + 2, len - 2, r->choice[n], t);
	else if (n)
		text_u64(t, r->choice[n] +
				    (uint32_t)script_offset(s + 1, len - 1));
	else if (len == 4 && memcmp(s, "mode", 4) == 0)
		text_puts(t, r->d->subject == DRAFT_ROD ? " mode=rod" : "");
	else if (len == 1 && s[0] == 'q')
		text_puts(t,
			  r->d->subject == DRAFT_ROD ? "rod_req" : "rud_req");
	else
		script_number(r, s[0], script_offset(s + 1, len - 1), t);
}

/* Returns true if a line demands something of the device. */
static bool script_checks(const char *s, size_t len)
{
#define CHECKING(word)                  \
	{                               \
		word, sizeof(word) - 1, \
	}
	static const struct {
		const char *s;
		size_t len;
	} words[] = {CHECKING("<"),
		     CHECKING("never "),
		     CHECKING("delivered "),
		     CHECKING("received "),
		     CHECKING("completed "),
		     CHECKING("failed"),
		     CHECKING("responded"),
		     CHECKING("error "),
		     CHECKING("unresponsive "),
		     CHECKING("paused"),
		     CHECKING("resumed"),
		     CHECKING("eager "),
		     CHECKING("post query"),
		     CHECKING("post mem_digest"),
		     CHECKING("post stats")};
#undef CHECKING
	const char *last;

	while (len && *s == ' ')
		s++, len--;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (len >= words[i].len && *s == *words[i].s &&
		    memcmp(s, words[i].s, words[i].len) == 0)
			return s[len - 1] != ']';
	last = len > 8 ? s + len - 8 : s;
	return len > 8 && memcmp(last, " refused", 8) == 0;
}

static void script_ids(const struct script_run *r, struct text *t)
{
	text_puts(t, "  [");
	text_puts(t, r->s->ids);
	text_puts(t, "]");
}

static void script_line(struct script_run *r, const char *s, size_t len,
			struct text *t)
{
	const size_t begin = t->len;
	const char *end = s + len;

	text_puts(t, "  ");
	while (s < end) {
		const char *open = memchr(s, '{', (size_t)(end - s)), *close;

		/* a block of the language opens with a brace at its end */
		if (!open || open + 1 == end) {
			text_add(t, s, (size_t)(end - s));
			break;
		}
		close = memchr(open, '}', (size_t)(end - open));
		text_add(t, s, (size_t)(open - s));
		script_place(r, open + 1, (size_t)(close - open - 1), t);
		s = close + 1;
	}
	if (script_checks(text_cstr(t) + begin, t->len - begin))
		script_ids(r, t);
	text_puts(t, "\n");
}

/* Calls |take| with each word of a list. */
static void script_words(struct draft *d, const char *list,
			 void (*take)(struct draft *d, const char *word))
{
	for (const char *s = list; s && *s; s += *s == ' ') {
		const size_t len = strcspn(s, " ");
		char word[SCRIPT_WORD];

		if (len < sizeof(word)) {
			memcpy(word, s, len);
			word[len] = 0;
			take(d, word);
		}
		s += len;
	}
}

void script_write(struct draft *d, const struct draft_script *s)
{
	struct script_run r = {.d = d, .s = s};

	script_words(d, s->needs, draft_need);
	script_words(d, s->violates, draft_violates);
	for (const char *line = s->lines; *line;) {
		size_t len = strcspn(line, "\n");
		const bool first = line[0] == '?';

		if (!first)
			script_line(&r, line, len, &d->body);
		else if (d->nmoves <= 1 && !d->began)
			script_line(&r, line + 1, len - 1, &d->body);
		line += len + (line[len] == '\n');
	}
	d->psn += s->psns;
	d->mid += s->mids;
	d->op += s->ops;
	d->ret += s->rets;
	d->sym++;
	d->mixed |= (s->flags & SCRIPT_MIXED) != 0;
	d->whole_memory |= (s->flags & SCRIPT_LONG) != 0;
	if (s->flags & SCRIPT_OVER)
		d->over = d->no_close = true;
}

bool script_opens(const struct draft_script *s)
{
	return strstr(s->lines, " syn pdc=w") != NULL;
}

bool script_fits(const struct draft_script *s, enum draft_subject subject)
{
	if (s->flags & SCRIPT_ROD)
		return subject == DRAFT_ROD;
	return !(s->flags & SCRIPT_RUD) || subject == DRAFT_RUD;
}
