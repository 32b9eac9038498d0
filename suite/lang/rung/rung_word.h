/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_word.h -- the words that end a rung or belong to its
 * line.
 */
#ifndef SUITE_LANG_RUNG_RUNG_WORD_H
#define SUITE_LANG_RUNG_RUNG_WORD_H

#include "suite/lang/parse_state.h"

#define PDC_NAME_MAX 15

/* list_find returns the word of a list that equals |w|, or NULL. */
const char *list_find(const char *const *list, struct word w);

/*
 * parse_is_pdc returns whether a word is "pdc=..."; parse_pdc parses its name.
 */
bool parse_is_pdc(struct word w);
int parse_pdc(struct parse *p, struct word w, const char **ret);

/* parse_modifier returns whether a word begins the modifiers of a line. */
bool parse_modifier(struct word w);

/*
 * rung_place_word returns the word of packets that get their type from their
 * place in a message, "wqe_write"; NULL if |w| is none.
 */
const char *rung_place_word(struct word w);

/*
 * rung_type_at returns the type of such a packet, "wqe_write_first", or |type|
 * itself.
 */
const char *rung_type_at(const char *type, bool first, bool last);

/* The words of modifiers; ends with NULL. */
extern const char *const modifier_words[];

#endif
