/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_make.c -- drafts a case from choices: the subject, the
 * opening and the moves.
 */
#include "suite/explore/draft_make.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "suite/explore/boundary/boundary.h"
#include "suite/explore/script/script.h"

#define DRAFT_BOUNDARY 64 /* of so many drafts one tries a boundary value */

/* ---- Openings and moves, by number ---- */

static unsigned draft_count_moves(const struct draft_move *m)
{
	unsigned n = 0;

	while (m[n].weight)
		n++;
	return n;
}

static unsigned draft_count_scripts(const struct draft_script *s)
{
	unsigned n = 0;

	while (s && s[n].weight)
		n++;
	return n;
}

void draft_options(enum draft_subject s, enum chair chair, unsigned *ret_opens,
		   unsigned *ret_moves)
{
	const struct draft_kind *k = draft_kind_of(s, chair);

	*ret_opens = 1 + draft_count_scripts(k->firsts);
	*ret_moves =
		draft_count_moves(k->moves) + draft_count_scripts(k->scripts);
}

const char *draft_option_title(enum draft_subject s, enum chair chair,
			       bool open, unsigned option)
{
	const struct draft_kind *k = draft_kind_of(s, chair);
	const unsigned functions = draft_count_moves(k->moves);

	if (open)
		return option ? k->firsts[option - 1].title : NULL;
	if (option < functions)
		return k->moves[option].title;
	return k->scripts[option - functions].title;
}

void draft_title(const struct draft *d, char ret[DRAFT_TITLE])
{
	const char *title;

	if (d->boundary) {
		char value[BOUNDARY_TEXT];

		boundary_name(d->subject, d->chair, d->value, &title, value);
		snprintf(ret, DRAFT_TITLE, "A boundary value: %s %s", title,
			 value);
		return;
	}
	if (d->nmoves)
		title = draft_option_title(d->subject, d->chair, false,
					   d->move_option[d->nmoves - 1]);
	else
		title = draft_option_title(d->subject, d->chair, true,
					   d->open_option);
	snprintf(ret, DRAFT_TITLE, "%s", text_or(title, "An opening alone"));
}

bool draft_option_fits(enum draft_subject s, enum chair chair, bool open,
		       unsigned option)
{
	const struct draft_kind *k = draft_kind_of(s, chair);
	const unsigned functions = draft_count_moves(k->moves);

	if (open)
		return !option || script_fits(&k->firsts[option - 1], s);
	return option < functions ||
	       script_fits(&k->scripts[option - functions], s);
}

/* Appends the values of a slot that are not the simplest: " (mtu, 0)". */
static size_t draft_members_values(const struct draft *d, unsigned slot,
				   char *ret, size_t size)
{
	char name[48];
	size_t n = 0;

	for (size_t i = 0; i < d->nvalues && n < size; i++) {
		if (d->values[i].slot != slot || !d->values[i].class)
			continue;
		draft_value_name(&d->values[i], name);
		n += (size_t)snprintf(ret + n, size - n, "%s%s",
				      n ? ", " : " (", name);
	}
	if (n && n < size)
		n += (size_t)snprintf(ret + n, size - n, ")");
	return n;
}

void draft_members(const struct draft *d, char *ret, size_t size)
{
	const char *title;
	size_t n;

	if (d->boundary) {
		const char *class;
		char name[64];

		boundary_name(d->subject, d->chair, d->value, &class, name);
		snprintf(ret, size, "%s %s", class, name);
		return;
	}
	title = draft_option_title(d->subject, d->chair, true, d->open_option);
	n = (size_t)snprintf(ret, size, "%s", text_or(title, DRAFT_DEFAULT));
	for (unsigned i = 0; i <= d->nmoves && n < size; i++) {
		if (i)
			n += (size_t)snprintf(
				ret + n, size - n, "; %s",
				draft_option_title(d->subject, d->chair, false,
						   d->move_option[i - 1]));
		if (n < size)
			n += draft_members_values(d, i, ret + n, size - n);
	}
}

/* Draws from 0 to n-1; the plan, if there is one, wants |want|. */
static uint32_t draft_site(struct draft *d, uint32_t n, uint32_t want)
{
	return d->plan ? choose_as(d->c, n, want) : choose(d->c, n);
}

/* Draws a member of a mask that is not 0; the plan wants |want|. */
static unsigned draft_pick(struct draft *d, unsigned mask, unsigned want)
{
	const unsigned below = mask & ((1u << want) - 1);
	unsigned n = draft_site(d, (uint32_t)__builtin_popcount(mask),
				(uint32_t)__builtin_popcount(below));
	unsigned i = 0;

	for (; !(mask >> i & 1) || n; i++)
		n -= mask >> i & 1;
	return i;
}

/* Returns the number of the function that is drawn by weight. */
static unsigned draft_choose(struct draft *d, const struct draft_move *moves,
			     unsigned want)
{
	unsigned all = 0, before = 0, n, i = 0;

	for (unsigned k = 0; moves[k].weight; k++) {
		before += k < want ? moves[k].weight : 0;
		all += moves[k].weight;
	}
	n = draft_site(d, all, before);
	while (n >= moves[i].weight)
		n -= moves[i++].weight;
	return i;
}

/* The same of scripts. */
static unsigned draft_choose_script(struct draft *d,
				    const struct draft_script *scripts,
				    unsigned want)
{
	unsigned all = 0, before = 0, n, i = 0;

	for (unsigned k = 0; scripts[k].weight; k++) {
		before += k < want ? scripts[k].weight : 0;
		all += scripts[k].weight;
	}
	n = draft_site(d, all, before);
	while (n >= scripts[i].weight)
		n -= scripts[i++].weight;
	return i;
}

/* The first choice of a move says whether there is one: 0 ends the case. */
static bool draft_goes_on(struct draft *d)
{
	const bool wanted = d->plan && d->nmoves < d->plan->n;

	if (d->over || d->nmoves == DRAFT_MOVES)
		return false;
	return draft_site(d, 8, wanted) != 0 || (d->nmoves == 0 && !d->began);
}

/* The tester's packets take several paths, where their order is free. */
static void draft_spray(struct draft *d)
{
	const bool free = d->subject == DRAFT_RUD || d->subject == DRAFT_RUDI ||
			  d->subject == DRAFT_UUD;
	const uint32_t planned = draft_wants(d, DRAFT_PLACE_SPRAY) > 0 ? 5 : 0;

	if (!free || d->chair != CHAIR_TARGET)
		return;
	if (draft_site(d, 6, planned) != 5)
		return;
	draft_line(d, "spray 4");
	draft_drew(d, DRAFT_PLACE_SPRAY, 2, 1);
	draft_names(d, "spray 4", strlen("spray 4"));
}

/* A rule of the network for all packets of the tester, and its capability. */
static const struct {
	const char *rule, *need;
} draft_wraps_of[] = {{"mark_ce > any", "ecn"},
		      {"rewrite padding=18 > any", NULL},
		      {"rewrite ext=hop_by_hop > any", "ipv6.ext"},
		      {"rewrite ext=dest_options > any", "ipv6.ext"},
		      {"rewrite ext=both > any", "ipv6.ext"},
		      {"rewrite ext=fragment > any", "ipv6.fragment"}};

/* The first rule that acts on a packet decides: a line has one of its own. */
static bool draft_has_rules(const char *body)
{
	static const char *const words[] = {
		"mark_ce", "rewrite", "trim ",   "corrupt",      "duplicate",
		"drop ",   "delay ",  "reorder", "inject",       "hold ",
		" crc ",   "crc=",    " cut ",   "next_hdr=none"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(body, words[i]))
			return true;
	return false;
}

/* Returns whether a line or a fragment of the case sends a packet. */
static bool draft_sends(const char *body)
{
	return strstr(body, "  > ") || strstr(body, "  use ");
}

/*
 * A rule that finds no packet leaves the case without a verdict.  A mark may
 * release an ACK for which no line waits yet.
 */
static bool draft_bears(const char *body, const char *rule)
{
	if (!draft_sends(body))
		return false;
	return strncmp(rule, "mark_ce", 7) != 0 || !strstr(body, "never < ack");
}

/*
 * The network marks the tester's packets, or puts more into their frames; |k|
 * was drawn.
 */
static void draft_wraps(struct draft *d, uint32_t k)
{
	const size_t n = sizeof(draft_wraps_of) / sizeof(draft_wraps_of[0]);
	struct text lines = d->body;
	size_t more;

	if (draft_family(d->subject) != FAMILY_UET || !k || k > n ||
	    draft_has_rules(text_cstr(&lines)) ||
	    !draft_bears(text_cstr(&lines), draft_wraps_of[k - 1].rule))
		return;
	if (draft_wraps_of[k - 1].need)
		draft_need(d, draft_wraps_of[k - 1].need);
	d->body = (struct text){0};
	draft_line(d, "%s", draft_wraps_of[k - 1].rule);
	d->slot = 0;
	draft_drew(d, DRAFT_PLACE_MARK, (unsigned)n + 1, k);
	draft_names(d, draft_wraps_of[k - 1].rule,
		    strlen(draft_wraps_of[k - 1].rule));
	more = d->body.len;
	text_add(&d->body, text_cstr(&lines), lines.len);
	text_free(&lines);
	for (size_t i = 0; i <= d->nmoves; i++)
		d->text_at[i] += more;
}

/* Opens the case, by default or with a script that begins cases. */
static void draft_open(struct draft *d, const struct draft_kind *k)
{
	const unsigned want = d->plan ? d->plan->open : 0;
	const struct draft_script *s = NULL;
	unsigned i;

	draft_spray(d);
	if (k->firsts && draft_site(d, 4, want ? 3 : 0) == 3) {
		i = draft_choose_script(d, k->firsts, want ? want - 1 : 0);
		if (script_fits(&k->firsts[i], d->subject)) {
			s = &k->firsts[i];
			d->open_option = i + 1;
		}
	}
	if (s)
		d->setting = s->setting;
	if (k->open && (!s || !(s->flags & SCRIPT_BARE)))
		k->open(d);
	if (s)
		script_write(d, s);
	d->began = s != NULL;
}

/* A move is a function, or a script. */
static void draft_moves(struct draft *d, const struct draft_kind *k)
{
	const unsigned functions = draft_count_moves(k->moves);
	const unsigned at = (unsigned)d->nmoves - 1;
	const unsigned want =
		d->plan && at < d->plan->n ? d->plan->moves[at] : 0;
	const bool script = want >= functions;
	unsigned i;

	if (k->scripts && draft_site(d, 2, script)) {
		i = draft_choose_script(d, k->scripts,
					script ? want - functions : 0);
		if (script_fits(&k->scripts[i], d->subject) &&
		    !(d->start_set && script_opens(&k->scripts[i]))) {
			d->move_option[at] = functions + i;
			script_write(d, &k->scripts[i]);
			return;
		}
	}
	i = draft_choose(d, k->moves, script ? 0 : want);
	d->move_option[at] = i;
	k->moves[i].write(d);
}

/* boundary_count(), which builds packets, once for all drafts and threads. */
static unsigned draft_boundaries(enum draft_subject s, enum chair chair)
{
	static _Atomic unsigned known[DRAFT_SUBJECTS][CHAIR_COUNT]; /* + 1 */
	unsigned n =
		atomic_load_explicit(&known[s][chair], memory_order_relaxed);

	if (!n) {
		n = boundary_count(s, chair) + 1;
		atomic_store_explicit(&known[s][chair], n,
				      memory_order_relaxed);
	}
	return n - 1;
}

/* Few drafts try a boundary value.  Return: this one does. */
static bool draft_boundary(struct draft *d)
{
	const unsigned n = draft_boundaries(d->subject, d->chair);
	const bool wanted = d->plan && d->plan->boundary;

	if (!n ||
	    draft_site(d, DRAFT_BOUNDARY, wanted ? DRAFT_BOUNDARY - 1 : 0) !=
		    DRAFT_BOUNDARY - 1)
		return false;
	d->boundary = true;
	d->slot = DRAFT_NO_SLOT;
	d->value = draft_site(d, n, wanted ? d->plan->value : 0);
	boundary_write(d, d->value);
	return true;
}

void draft_make(struct draft *d, unsigned subjects, unsigned chairs)
{
	const struct draft_kind *k;
	uint32_t wrap;
	int mark;

	d->subject = (enum draft_subject)draft_pick(
		d, subjects, d->plan ? d->plan->subject : 0);
	d->chair =
		(enum chair)draft_pick(d, chairs, d->plan ? d->plan->chair : 0);
	d->psn = DRAFT_FWD;
	d->ret = DRAFT_RET;
	d->mid = 1;
	k = draft_kind_of(d->subject, d->chair);
	mark = draft_wants(d, DRAFT_PLACE_MARK);
	wrap = draft_site(d, 48, mark > 0 ? (uint32_t)mark : 0);
	if (!draft_boundary(d))
		draft_open(d, k);
	for (;;) {
		d->move_at[d->nmoves] = d->c->at;
		d->text_at[d->nmoves] = d->body.len;
		if (!draft_goes_on(d))
			break;
		d->slot = (uint8_t)++d->nmoves;
		d->places = 0;
		draft_moves(d, k);
	}
	d->slot = DRAFT_NO_SLOT;
	d->close_at = d->c->at;
	/* most end as a case does; what is reduced has no closing lines */
	if (k->close && !d->no_close && draft_site(d, 4, 1) != 0)
		k->close(d);
	draft_wraps(d, wrap);
	d->used = d->c->at;
}
