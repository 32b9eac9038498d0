/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_setting.h -- the "setting" lines of a declaration: how a
 * device has made the choices that the specification leaves open.
 *
 *	setting ack_gen_trigger=4096 max_bitmaps=1 close_req_time=20ms
 *
 * A "configure" line of a case that asks for such a choice needs no verb of the
 * control channel.
 */
#ifndef SUITE_DECL_DECL_SETTING_H
#define SUITE_DECL_DECL_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "oracle/op.h"
#include "suite/lang/lex/case_lex.h"

struct decl;

struct decl_setting {
	enum orc_setting setting;
	uint64_t value; /* times in ns */
	struct decl_setting *next;
};

/*
 * decl_setting_read parses the rest of a line after "setting", and appends to
 * |d|.
 *
 * Errors: ERR_SYNTAX with the lexer's diag filled; ERR_NOMEM.
 * Owner:  the arena of |d|.
 */
int decl_setting_read(struct lex *lex, struct decl *d);

/* decl_settings_print appends the line; nothing if there are no settings. */
void decl_settings_print(struct text *t, const struct decl *d);

/*
 * decl_setting_find stores the value that the device is declared to have: by a
 * "setting" line, or by another line that says the same, such as "limit
 * max_rto_retx".
 * Return: false if the declaration does not say.
 */
bool decl_setting_find(const struct decl *d, enum orc_setting setting,
		       uint64_t *ret);

#endif
