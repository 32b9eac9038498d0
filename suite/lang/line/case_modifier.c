/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_modifier.c -- parses the modifiers of a line: within,
 * after, lost, exact, x, until and others.
 */
#include "suite/lang/line/case_modifier.h"

#include "suite/decl/decl_row.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/line/case_param.h"
#include "suite/lang/line/case_which.h"
#include "suite/lang/line/line_kind.h"
#include "suite/lang/parse_state.h"

static int case_step_parse_until(struct parse *p, struct step *s)
{
	s->never_end = NEVER_UNTIL;
	if (lex_take(p->lex, "next"))
		return 0;
	return lex_error(p->lex, NULL, "expected 'until next'");
}

/* "via 3": path 3, kept as 4, so that 0 says that the line names no path. */
static int parse_via(struct parse *p, struct step *s)
{
	int err = lex_count(p->lex, "the number of a path", 0, CASE_PATHS - 1,
			    &s->via);

	s->via++;
	return err;
}

static int parse_for(struct parse *p, struct step *s)
{
	s->never_end = NEVER_FOR;
	return lex_span(p->lex, &s->span);
}

/* Binds a symbol, unless an earlier line did: each flight has new values. */
static int bind_again(struct parse *p, const char *name)
{
	return parse_is_bound(p, name) ? 0 : parse_bind(p, name);
}

/*
 * "flight $n": all packets that come until the device is silent.  The line also
 * gives $first, $last and $on_path their values; the others have one in a line
 * with "each".
 */
static int parse_flight(struct parse *p, struct step *s)
{
	static const char *const of_flight[] = {"first",  "last", "on_path",
						"newest", "psn",  "gapless",
						"message"};
	struct number n;
	struct word w;
	int err;

	if (!lex_word(p->lex, &w) || w.s[0] != '$')
		return lex_error(p->lex, w.s,
				 "expected a symbol: flight $n for 0.3 rto");
	err = parse_number(p, w, NULL, false, true, &n);
	if (!err && (n.value || n.mtus || decl_has_number(n.symbol)))
		return lex_error(p->lex, w.s, "'flight' gives $%s a value",
				 n.symbol);
	if (err)
		return err;
	s->symbol = n.symbol;
	s->max = UINT32_MAX;
	for (size_t i = 0; i < sizeof(of_flight) / sizeof(of_flight[0]); i++) {
		err = bind_again(p, of_flight[i]);
		if (err)
			return err;
	}
	return 0;
}

/* "each", "each on path" or "each off path". */
static int parse_flight_part(struct parse *p, struct step *s)
{
	s->flight = FLIGHT_EACH;
	if (lex_take(p->lex, "on"))
		s->flight = FLIGHT_ON_PATH;
	else if (lex_take(p->lex, "off"))
		s->flight = FLIGHT_OFF_PATH;
	else
		return 0;
	if (lex_take(p->lex, "path"))
		return 0;
	return lex_error(p->lex, NULL, "expected 'path'");
}

static int parse_trailer(struct parse *p, struct step *s)
{
	if (lex_take(p->lex, "none"))
		s->trailer = TRAILER_NONE;
	else if (lex_take(p->lex, "wrong"))
		s->trailer = TRAILER_WRONG;
	else if (lex_take(p->lex, "swapped"))
		s->trailer = TRAILER_SWAPPED;
	else
		return lex_error(p->lex, NULL,
				 "expected 'crc none', 'crc wrong' or "
				 "'crc swapped'");
	return 0;
}

static int apply_modifier(struct parse *p, unsigned mod, struct step *s)
{
	switch (mod) {
	case MOD_WITHIN:
		return lex_span(p->lex, &s->within);
	case MOD_AFTER:
		return lex_span(p->lex, &s->after);
	case MOD_LOST:
		s->lost = true;
		return 0;
	case MOD_EXACT:
		s->exact = true;
		return 0;
	case MOD_OPTIONAL:
		s->optional = true;
		return 0;
	case MOD_TIMES:
		return parse_times(p, 1, s);
	case MOD_CUT:
		return lex_count(p->lex, "the bytes to send", 1, 65535,
				 &s->cut);
	case MOD_CRC:
		return parse_trailer(p, s);
	case MOD_VIA:
		return parse_via(p, s);
	case MOD_FLIGHT:
		return parse_flight(p, s);
	case MOD_EACH:
		return parse_flight_part(p, s);
	case MOD_UNTIL:
		return case_step_parse_until(p, s);
	default:
		return parse_for(p, s);
	}
}

static unsigned modifier_of(struct word w)
{
	static const struct {
		const char *word;
		unsigned mod;
	} mods[] = {
		{"within", MOD_WITHIN},     {"after", MOD_AFTER},
		{"lost", MOD_LOST},         {"exact", MOD_EXACT},
		{"optional", MOD_OPTIONAL}, {"x", MOD_TIMES},
		{"cut", MOD_CUT},           {"until", MOD_UNTIL},
		{"for", MOD_FOR},           {"crc", MOD_CRC},
		{"via", MOD_VIA},           {"flight", MOD_FLIGHT},
		{"each", MOD_EACH},
	};

	for (size_t i = 0; i < sizeof(mods) / sizeof(mods[0]); i++)
		if (word_is(w, mods[i].word))
			return mods[i].mod;
	if (parse_is_which(w))
		return MOD_WHICH;
	return 0;
}

int parse_modifiers(struct parse *p, const struct line_kind *k, struct step *s)
{
	unsigned seen = 0;
	struct word w;
	int err = 0;

	while (!err && lex_word(p->lex, &w)) {
		unsigned mod = modifier_of(w);

		if (!mod)
			return lex_error(p->lex, w.s,
					 "'%.*s' is not expected here",
					 WORD(w));
		if (!(mod & k->mods))
			return lex_error(p->lex, w.s,
					 "'%.*s' has no meaning on a '%s' line",
					 WORD(w), k->word);
		if (mod & seen)
			return lex_error(p->lex, w.s, "'%.*s' is given twice",
					 WORD(w));
		seen |= mod;
		err = apply_modifier(p, mod, s);
	}
	if (!err && (seen & MOD_FLIGHT) && (seen & (MOD_TIMES | MOD_LOST)))
		return lex_error(p->lex, p->lex->p,
				 "'flight' excludes 'x' and 'lost'");
	if (!err && s->kind == STEP_EXPECT &&
	    !(seen & MOD_FLIGHT) != !(seen & MOD_FOR))
		return lex_error(p->lex, p->lex->p,
				 "'flight $n' and 'for' belong together on a "
				 "'<' line");
	if (!err && (seen & MOD_FOR) && (seen & MOD_UNTIL))
		return lex_error(p->lex, p->lex->p,
				 "'for' and 'until' exclude each other");
	return err;
}
