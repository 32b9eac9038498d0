/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/line/case_modifier.c -- parses the modifiers of a line: within,
 * after, lost, exact, x, until and others.
 */
#include "suite/lang/line/case_modifier.h"

#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
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
		{"via", MOD_VIA},
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
	if (!err && (seen & MOD_FOR) && (seen & MOD_UNTIL))
		return lex_error(p->lex, p->lex->p,
				 "'for' and 'until' exclude each other");
	return err;
}
