/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_word.c -- recognizes the words that end a rung or belong
 * to its line: modifiers and the name of a PDC.
 */
#include "suite/lang/rung/rung_word.h"

#include <string.h>

#include "base/err.h"
#include "base/word.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/line/case_which.h"
#include "suite/lang/parse_state.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"

const char *const modifier_words[] = {
	"within", "after", "lost", "exact", "optional", "x",    "cut", "crc",
	"until",  "for",   "on",   "via",   "flight",   "each", NULL};

const char *list_find(const char *const *list, struct word w)
{
	for (; *list; list++)
		if (word_is(w, *list))
			return *list;
	return NULL;
}

bool parse_modifier(struct word w)
{
	return list_find(modifier_words, w) || parse_is_which(w);
}

/* The types by place: neither first nor last, last, first, both. */
#define PLACED(word)                                                 \
	{                                                            \
		word,                                                \
		{                                                    \
			word "_middle", word "_last", word "_first", \
				word "_only"                         \
		}                                                    \
	}

static const struct {
	const char *word, *types[4];
} placed_words[] = {
	PLACED("wqe_send"), PLACED("wqe_write"), PLACED("wqe_read_resp"),
	PLACED("rc_send"),  PLACED("rc_write"),  PLACED("rc_read_resp"),
};

#define PLACED_WORDS (sizeof(placed_words) / sizeof(placed_words[0]))

const char *rung_place_word(struct word w)
{
	for (size_t i = 0; i < PLACED_WORDS; i++)
		if (word_is(w, placed_words[i].word))
			return placed_words[i].word;
	return NULL;
}

const char *rung_type_at(const char *type, bool first, bool last)
{
	for (size_t i = 0; type && i < PLACED_WORDS; i++)
		if (word_same(type, placed_words[i].word))
			return placed_words[i].types[2 * first + last];
	return type;
}

bool parse_is_pdc(struct word w)
{
	return w.len >= 4 &&
	       (!memcmp(w.s, "pdc=", 4) || !memcmp(w.s, "ctx=", 4));
}

static bool is_pdc_name(struct word w)
{
	for (size_t i = 0; i < w.len; i++) {
		const bool letter = w.s[i] >= 'a' && w.s[i] <= 'z';

		if (!letter && (!i || w.s[i] < '0' || w.s[i] > '9'))
			return false;
	}
	return w.len > 0 && w.len <= PDC_NAME_MAX;
}

int parse_pdc(struct parse *p, struct word w, const char **ret)
{
	const struct word name = {w.s + 4, w.len - 4};

	if (*ret)
		return lex_error(p->lex, w.s, "'pdc' is given twice");
	if (!is_pdc_name(name))
		return lex_error(p->lex, name.s,
				 "expected the name of a PDC: a, b, other2");
	*ret = lex_copy(p->lex, name);
	if (*ret)
		return 0;
	return ERR_NOMEM;
}
