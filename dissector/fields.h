/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/fields.h -- makes Wireshark fields from the wire tables.
 *
 * Every row of every table is a field "FAMILY.WORD", WORD being the word of the
 * case language: uet.psn == 333.  Headers that share a word share the filter. A
 * header of several families is registered for each of them.
 */
#ifndef DISSECTOR_FIELDS_H
#define DISSECTOR_FIELDS_H

#include "dissector/compat.h"
#include "wire/family.h"
#include "wire/packet.h"

/*
 * fields_register registers UET's rows of the tables; called once, at start-up.
 */
void fields_register(int proto);

/* fields_register_more registers the headers of another family. */
void fields_register_more(int proto, enum family family,
			  const struct header *const *headers, size_t n);

/* A field that is not a row of a table. */
#define FIELDS_MORE(word, type, display, kind, text) \
	((header_field_info){word, NULL, type, display, kind, 0, text, HFILL})
#define FIELDS_TEXT(word, text) \
	FIELDS_MORE(word, FT_STRING, BASE_NONE, NULL, text)

/* fields_add registers such a field as "FAMILY.WORD". */
void fields_add(int proto, enum family family, int *hf, header_field_info what);

/*
 * fields_header adds a header as a subtree: the bytes from |at| of |tvb|.
 *
 * Return: the subtree, or NULL if the family does not have that header.
 */
proto_tree *fields_header(enum family family, proto_tree *tree, tvbuff_t *tvb,
			  const struct header *h, int at);

/*
 * fields_strange calls |found| for each row with an unexpected value: reserved
 * bits that are not 0, values without a name.
 */
void fields_strange(const struct header *h, const uint8_t *p,
		    void (*found)(void *arg, const struct field *f,
				  uint64_t value),
		    void *arg);

#endif
