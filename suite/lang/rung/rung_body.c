/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/rung/rung_body.c -- parses the body of a packet: data and bytes.
 */
#include "suite/lang/rung/rung_body.h"

#include <string.h>

#include "base/err.h"
#include "suite/lang/case.h"
#include "suite/lang/lex/case_lex.h"
#include "suite/lang/lex/case_number.h"
#include "suite/lang/lex/parse_array.h"
#include "suite/lang/parse_state.h"
#include "suite/lang/rung/rung_word.h"
#include "wire/ib/ib.h"
#include "wire/uet/uet_pds.h"

#define BYTES_MAX 4096
#define DATA_MAX  65535

const char *const body_words[] = {"data", "bytes", "same", NULL};

int parse_bytes(struct parse *p, struct rung *ret)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[BYTES_MAX];
	size_t n = 0;
	struct word w;

	while (lex_peek(p->lex, &w) && !parse_modifier(w)) {
		const char *hi = NULL, *lo = NULL;

		lex_word(p->lex, &w);
		if (w.len == 2) {
			hi = memchr(digits, w.s[0] | 0x20, 16);
			lo = memchr(digits, w.s[1] | 0x20, 16);
		}
		if (!hi || !lo)
			return lex_error(p->lex, w.s,
					 "expected bytes as two hex digits "
					 "each, not '%.*s'",
					 WORD(w));
		if (n == BYTES_MAX)
			return lex_error(p->lex, w.s, "more than %d bytes",
					 BYTES_MAX);
		bytes[n++] = (uint8_t)((hi - digits) << 4 | (lo - digits));
	}
	if (!n)
		return lex_error(p->lex, NULL, "expected bytes: 0a 0b ...");
	ret->bytes = parse_copy(p, bytes, n, 1);
	ret->nbytes = n;
	if (ret->bytes)
		return 0;
	return ERR_NOMEM;
}

/*
 * Parses the source of the payload, a post and an offset in it: "of 4 at 1mtu".
 */
static int parse_data_source(struct parse *p, struct rung *ret)
{
	struct word w;
	uint64_t op;

	if (!lex_take(p->lex, "of"))
		return 0;
	if (!lex_word(p->lex, &w) || lex_u64(w, UINT16_MAX, &op) || !op)
		return lex_error(p->lex, w.s, "expected which post, of N");
	ret->data_op = (uint16_t)op;
	if (!lex_take(p->lex, "at"))
		return 0;
	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected an offset, at N");
	return parse_number(p, w, NULL, false, false, &ret->data_at);
}

bool rung_data_fits(const struct rung *r)
{
	const struct number *n = &r->data_len;

	return n->symbol || n->mtus || n->value <= DATA_MAX;
}

static int parse_data(struct parse *p, enum rung_use use, struct rung *ret)
{
	struct word w;
	int err;

	if (!lex_word(p->lex, &w))
		return lex_error(p->lex, w.s, "expected a length after 'data'");
	if (word_is(w, "*")) {
		if (use == RUNG_SEND)
			return lex_error(p->lex, w.s,
					 "what is sent has one length: "
					 "data N");
		return 0;
	}
	err = parse_number(p, w, NULL, false, use == RUNG_EXPECT,
			   &ret->data_len);
	if (err)
		return err;
	if (!rung_data_fits(ret))
		return lex_error(p->lex, w.s, "data is at most %d bytes",
				 DATA_MAX);
	ret->body = BODY_DATA;
	if (use == RUNG_EXPECT)
		return parse_data_source(p, ret);
	return 0;
}

int parse_body(struct parse *p, enum rung_use use, struct word w,
	       struct rung *ret)
{
	if (word_is(w, "data"))
		return parse_data(p, use, ret);
	if (word_is(w, "bytes")) {
		ret->body = BODY_BYTES;
		return parse_bytes(p, ret);
	}
	if (ret->ses)
		return lex_error(p->lex, w.s,
				 "'same' stands for the SES headers and the "
				 "payload: leave '%s' out",
				 ret->ses);
	ret->body = BODY_SAME;
	return 0;
}
