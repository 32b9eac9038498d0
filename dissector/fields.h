/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/fields.h -- Wireshark fields made of the wire tables.
 *
 * Every row of every table is a field "uet.WORD", WORD being the word of the
 * case language: uet.psn == 333.  Headers that share a word share the filter.
 */
#ifndef DISSECTOR_FIELDS_H
#define DISSECTOR_FIELDS_H

#include "dissector/compat.h"
#include "wire/packet.h"

/* fields_register registers the rows of the tables; once, at the start. */
void fields_register(int proto);

/*
 * fields_register_more does so for other headers, each once; the filters begin
 * with |prefix|, "srd".  After fields_register.
 */
void fields_register_more(int proto, const char *prefix,
			  const struct header *const *headers, size_t n);

/*
 * fields_header adds a header as a subtree: the bytes from |at| of |tvb|.
 * Return: the subtree.
 */
proto_tree *fields_header(proto_tree *tree, tvbuff_t *tvb,
			  const struct header *h, int at);

/*
 * fields_strange calls back for each row of a header that nobody expects:
 * reserved bits that are not 0, values without a name.
 */
void fields_strange(const struct header *h, const uint8_t *p,
		    void (*found)(void *arg, const struct field *f,
				  uint64_t value),
		    void *arg);

#endif
