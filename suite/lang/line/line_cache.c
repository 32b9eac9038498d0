/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/line_cache.c -- a hash table from the text of a line to its
 * steps.
 *
 * The steps of a line depend on its text and its chair alone.  Its symbols only
 * have to be bound: the table keeps which of them the line itself binds.
 * Groups, "flight" and lines in "each" depend on other lines, and are parsed
 * anew.  A line that uses a fragment is kept with the fragment's steps, and a
 * line that differs from another in numbers has its step by a template.
 *
 * A case that is parsed with a cache lends the steps' rungs, ids and texts from
 * it.  No line is evicted alone: a full table takes no more lines until its
 * owner clears it.
 */
#include "suite/lang/line/line_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "suite/lang/case_parse.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/line/case_step.h"

#define CACHE_SLOTS  65536 /* a power of two */
#define CACHE_LINES  32768
#define CACHE_AHEAD  64 /* lines that are loaded before they are parsed */
#define CACHE_BLOCK  64
#define CACHE_BLOCKS ((sizeof(struct step) + CACHE_BLOCK - 1) / CACHE_BLOCK)

/*
 * A step without its blocks of zeros.  Most of a step is zero, and a cache of
 * whole steps would not fit into that of the processor.
 */
struct line_step {
	const struct line_step *next;
	uint32_t present; /* bit n: block n of the step is in |blocks| */
	unsigned char blocks[];
};

_Static_assert(CACHE_BLOCKS <= 32,
	       "line_step.present has a bit for each block");

struct line_entry {
	struct word text;
	enum chair chair;
	uint32_t hash;
	const struct line_step *first;
	unsigned expecting; /* what the line adds to that of the parser */
	bool uses;          /* "use NAME": its steps are those of a fragment */
	struct symbol_names symbols;
	bool binds[NAMED_MAX];

	/* the parser's, while the line is parsed */
	struct arena *arena;
	const struct symbol *bound;
	struct symbol_names *names;
};

/* The hash stands beside the pointer, so that other lines are not read. */
struct line_slot {
	uint32_t hash;
	struct line_entry *e; /* NULL: free */
};

struct line_cache {
	struct arena arena;
	size_t n;
	struct line_slot slots[CACHE_SLOTS];
	struct line_templates templates;
	/* The hashes of the lines ahead, in their order in the text. */
	struct {
		struct word text;
		uint32_t hash;
	} ahead[CACHE_AHEAD];
	unsigned nahead, at;
};

int line_cache_new(struct line_cache **ret)
{
	*ret = memory_calloc(1, sizeof(**ret));
	return *ret ? 0 : ERR_NOMEM;
}

void line_cache_free(struct line_cache *c)
{
	if (!c)
		return;
	arena_free(&c->arena);
	free(c);
}

bool line_cache_full(const struct line_cache *c)
{
	return c->n >= CACHE_LINES;
}

void line_cache_clear(struct line_cache *c)
{
	arena_free(&c->arena);
	memset(c, 0, sizeof(*c));
}

struct line_templates *line_cache_templates(struct line_cache *c)
{
	return &c->templates;
}

/* Returns a hash of the text and the chair, eight characters at a time. */
static uint32_t line_hash(struct word text, enum chair chair)
{
	uint64_t hash = text.len * 2 + (uint64_t)chair, part;
	size_t i = 0;

	for (; text.len - i >= sizeof(part); i += sizeof(part)) {
		memcpy(&part, text.s + i, sizeof(part));
		hash = pattern_mix(hash ^ part);
	}
	for (part = 0; i < text.len; i++)
		part = part << 8 | (uint8_t)text.s[i];
	return (uint32_t)pattern_mix(hash ^ part);
}

/* Returns false if a symbol has no value yet that the line does not bind. */
static bool line_symbols_fit(const struct parse *p, const struct line_entry *e)
{
	for (unsigned i = 0; i < e->symbols.n; i++)
		if (!e->binds[i] && !parse_is_bound(p, e->symbols.name[i]))
			return false;
	return true;
}

static bool line_is_kept_at(const struct line_slot *s, const struct parse *p,
			    struct word text, uint32_t hash)
{
	return s->hash == hash && s->e->chair == p->chair &&
	       s->e->text.len == text.len &&
	       !memcmp(s->e->text.s, text.s, text.len) &&
	       line_symbols_fit(p, s->e);
}

/*
 * Returns the slot of a line, or the free slot where it belongs.  A line that
 * was parsed when its symbols had values is kept once more when it binds them.
 */
static struct line_slot *line_find(const struct parse *p, struct word text,
				   uint32_t hash)
{
	for (uint32_t i = hash;; i++) {
		struct line_slot *s = &p->lines->slots[i % CACHE_SLOTS];

		if (!s->e || line_is_kept_at(s, p, text, hash))
			return s;
	}
}

static int line_bind(struct parse *p, const struct line_entry *e)
{
	int err = 0;

	for (unsigned i = 0; i < e->symbols.n && !err; i++)
		if (e->binds[i] && !parse_is_bound(p, e->symbols.name[i]))
			err = parse_bind(p, e->symbols.name[i]);
	return err;
}

/* Returns the length of block |n| of a step. */
static size_t line_block_len(unsigned n)
{
	const size_t left = sizeof(struct step) - n * CACHE_BLOCK;

	return left < CACHE_BLOCK ? left : CACHE_BLOCK;
}

static void line_unpack(const struct line_step *from, struct step *zeroed)
{
	const unsigned char *block = from->blocks;

	for (uint32_t left = from->present; left; left &= left - 1) {
		const unsigned n = (unsigned)__builtin_ctz(left);

		memcpy((unsigned char *)zeroed + n * CACHE_BLOCK, block,
		       line_block_len(n));
		block += CACHE_BLOCK;
	}
}

/* Returns the blocks of a step that are not zero. */
static uint32_t line_present(const struct step *s)
{
	static const unsigned char zeros[CACHE_BLOCK];
	uint32_t present = 0;

	for (unsigned n = 0; n < CACHE_BLOCKS; n++)
		if (memcmp((const unsigned char *)s + n * CACHE_BLOCK, zeros,
			   line_block_len(n)) != 0)
			present |= 1u << n;
	return present;
}

static struct line_step *line_pack(struct arena *a, const struct step *s)
{
	const uint32_t present = line_present(s);
	const size_t n = (size_t)__builtin_popcount(present);
	struct line_step *to = arena_alloc(a, sizeof(*to) + n * CACHE_BLOCK);
	unsigned char *block;

	if (!to)
		return NULL;
	to->present = present;
	block = to->blocks;
	for (unsigned i = 0; i < CACHE_BLOCKS; i++) {
		if (!(present >> i & 1))
			continue;
		memcpy(block, (const unsigned char *)s + i * CACHE_BLOCK,
		       line_block_len(i));
		block += CACHE_BLOCK;
	}
	return to;
}

/* Keeps the steps behind |from|, in their order. */
static int line_keep(struct arena *a, const struct step *from,
		     const struct line_step **ret)
{
	for (; from; from = from->next) {
		struct line_step *s = line_pack(a, from);

		if (!s)
			return ERR_NOMEM;
		*ret = s;
		ret = &s->next;
	}
	return 0;
}

/*
 * Appends the steps of a line, with the place of the current line unless a
 * fragment has them.
 */
static int line_append(struct parse *p, const struct line_entry *e,
		       struct step_list *list)
{
	for (const struct line_step *from = e->first; from; from = from->next) {
		struct step *s = arena_alloc(p->arena, sizeof(*s));

		if (!s)
			return ERR_NOMEM;
		line_unpack(from, s);
		if (!e->uses) {
			s->file = p->lex->file;
			s->line = p->lex->line;
			s->need = p->need;
		}
		s->next = NULL;
		case_step_append(list, s);
	}
	return 0;
}

/* Takes the text of the next line; false at the end. */
static bool line_take_text(const char **at, const char *end, struct word *ret)
{
	const char *s = *at, *nl;

	while (s < end && (*s == ' ' || *s == '\n'))
		s++;
	if (s == end)
		return false;
	nl = memchr(s, '\n', (size_t)(end - s));
	*at = nl ? nl : end;
	*ret = (struct word){s, (size_t)(*at - s)};
	return true;
}

/* Loads the blocks behind |p|; NULL: none. */
static void line_load(const void *p, unsigned blocks)
{
	const char *s = p;

	for (unsigned i = 0; s && i < blocks; i++)
		__builtin_prefetch(s + (size_t)i * CACHE_BLOCK);
}

void line_cache_prefetch(struct line_cache *c, const char *from,
			 const char *end, enum chair chair)
{
	struct word text;
	unsigned n = 0;

	for (; n < CACHE_AHEAD && line_take_text(&from, end, &text); n++) {
		c->ahead[n].text = text;
		c->ahead[n].hash = line_hash(text, chair);
		__builtin_prefetch(&c->slots[c->ahead[n].hash % CACHE_SLOTS]);
	}
	c->nahead = n;
	c->at = 0;
	for (unsigned i = 0; i < n; i++)
		line_load(c->slots[c->ahead[i].hash % CACHE_SLOTS].e, 6);
	for (unsigned i = 0; i < n; i++) {
		const struct line_entry *e =
			c->slots[c->ahead[i].hash % CACHE_SLOTS].e;

		if (e)
			line_load(e->first, 8);
	}
}

/*
 * Returns the hash of a line.  line_cache_prefetch() computed those of the
 * case's own lines, which are sought in their order.
 */
static uint32_t line_hash_known(struct line_cache *c, struct word text,
				enum chair chair)
{
	const uintptr_t s = (uintptr_t)text.s;

	if (!c->nahead || s < (uintptr_t)c->ahead[0].text.s ||
	    s > (uintptr_t)c->ahead[c->nahead - 1].text.s)
		return line_hash(text, chair);
	while (s > (uintptr_t)c->ahead[c->at].text.s)
		c->at++;
	if (c->ahead[c->at].text.s != text.s ||
	    c->ahead[c->at].text.len != text.len)
		return line_hash(text, chair);
	return c->ahead[c->at].hash;
}

/*
 * Returns the cache's entry of a line, or NULL if the line must be parsed: a
 * fragment in a fragment may need the capability of the outer one.
 */
static const struct line_entry *line_kept(const struct parse *p,
					  struct word text)
{
	const struct line_entry *e =
		line_find(p, text, line_hash_known(p->lines, text, p->chair))
			->e;

	return e && !(e->uses && p->uses) ? e : NULL;
}

/* Appends what the cache has of a line.  Return: as line_cache_take(). */
static int line_take(struct parse *p, const struct line_entry *e,
		     struct step_list *list)
{
	int err = line_bind(p, e);

	if (!err)
		err = line_append(p, e, list);
	p->expecting += e->expecting;
	return err ? err : 1;
}

int line_cache_take(struct parse *p, struct word text, struct step_list *list)
{
	const struct line_entry *e;

	if (!p->lines || p->each)
		return 0;
	e = line_kept(p, text);
	return e ? line_take(p, e, list) : 0;
}

int line_cache_take_next(struct parse *p, struct step_list *list)
{
	const struct line_entry *e;
	struct word text;

	if (!p->lines || p->each || p->errors || !lex_plain_line(p->lex, &text))
		return 0;
	e = line_kept(p, text);
	if (!e)
		return 0;
	lex_pass_line(p->lex, text);
	return line_take(p, e, list);
}

/* Lists the symbols of a line; false: there are too many. */
static bool line_list_symbols(struct line_entry *e)
{
	const char *s = e->text.s, *end = s + e->text.len;

	while ((s = memchr(s, '$', (size_t)(end - s)))) {
		struct word w = {++s, 0};

		while (s + w.len < end &&
		       parse_is_symbol_name((struct word){s, w.len + 1}))
			w.len++;
		if (!w.len || e->symbols.n == NAMED_MAX)
			return false;
		memcpy(e->symbols.name[e->symbols.n++], w.s, w.len);
	}
	return true;
}

/* Returns true for a line whose steps depend on its text and chair alone. */
static bool line_stands_alone(struct word text)
{
	static const char *const words[] = {"needs", "any", "one",
					    "each",  "or",  "}"};
	static const char flight[] = " flight ";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const size_t len = strlen(words[i]);

		if (text.len >= len && !memcmp(text.s, words[i], len) &&
		    (text.len == len || text.s[len] == ' '))
			return false;
	}
	for (size_t i = 0; i + sizeof(flight) - 1 <= text.len; i++)
		if (!memcmp(text.s + i, flight, sizeof(flight) - 1))
			return false;
	return true;
}

static bool line_uses(struct word text)
{
	return text.len > 4 && memcmp(text.s, "use ", 4) == 0;
}

struct line_entry *line_cache_begin(struct parse *p, struct word text)
{
	struct line_cache *c = p->lines;
	struct line_entry *e;

	if (!c || p->each || p->loose || c->n >= CACHE_LINES ||
	    !line_stands_alone(text) || (p->uses && line_uses(text)))
		return NULL;
	e = arena_alloc(&c->arena, sizeof(*e));
	if (!e)
		return NULL;
	e->text.s = arena_strndup(&c->arena, text.s, text.len);
	e->text.len = text.len;
	if (!e->text.s || !line_list_symbols(e))
		return NULL;
	e->uses = line_uses(text);
	e->names = p->names;
	if (e->uses)
		p->names = &e->symbols;
	e->chair = p->chair;
	e->hash = line_hash_known(c, text, p->chair);
	e->expecting = p->expecting;
	e->arena = p->arena;
	e->bound = p->symbols;
	p->arena = p->lex->arena = &c->arena;
	return e;
}

/* Marks the symbols that the parser bound for this line. */
static void line_mark_bound(const struct parse *p, struct line_entry *e)
{
	for (const struct symbol *s = p->symbols; s != e->bound; s = s->next)
		for (unsigned i = 0; i < e->symbols.n; i++)
			e->binds[i] |= !strcmp(s->name, e->symbols.name[i]);
}

/* Puts a line into the table, behind those with other symbols. */
static void line_put(struct line_cache *c, struct line_entry *e)
{
	const uint32_t hash = e->hash;
	uint32_t i = hash;

	while (c->slots[i % CACHE_SLOTS].e)
		i++;
	c->slots[i % CACHE_SLOTS] = (struct line_slot){hash, e};
	c->n++;
}

int line_cache_end(struct parse *p, struct line_entry *e, int err,
		   const struct step *before, const struct step_list *list)
{
	if (!e)
		return err;
	if (!err) {
		line_mark_bound(p, e);
		err = line_keep(&p->lines->arena,
				before ? before->next : list->first, &e->first);
	}
	p->arena = p->lex->arena = e->arena;
	p->names = e->names;
	if (err || e->symbols.full)
		return err;
	e->expecting = p->expecting - e->expecting;
	line_put(p->lines, e);
	return 0;
}
