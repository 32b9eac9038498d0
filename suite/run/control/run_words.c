/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_words.c -- the words that post, respond and report
 * lines have for numbers.
 */
#include "suite/run/control/run_words.h"

#include <string.h>

#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

static const char *const header_words[] = {
	[OP_HEADER_STD] = "std",
	[OP_HEADER_MEDIUM] = "medium",
	[OP_HEADER_SMALL] = "small",
};

static const char *const mode_words[OP_MODES] = {
	[OP_RUD] = "rud",
	[OP_ROD] = "rod",
	[OP_RUDI] = "rudi",
	[OP_UUD] = "uud",
};

static const char *const close_words[] = {
	[OP_CLOSE_BOTH] = "both",
	[OP_CLOSE_CP] = "cp",
	[OP_CLOSE_ACK] = "ack",
};

/* The place of a word in its list, or -1. */
static int word_index(const char *const *words, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

bool run_word_value(const struct param *p, const struct value_name *names,
		    uint64_t *ret)
{
	return p->word && !value_parse(names, p->word, strlen(p->word), ret);
}

bool run_post_word(struct orc_op *op, const struct param *p)
{
	uint64_t v = 0;
	int i;

	if (strcmp(p->key, "header") == 0) {
		i = word_index(header_words, OP_HEADER_SMALL + 1, p->word);
		op->header = (enum op_header)i;
		return i >= 0;
	}
	if (strcmp(p->key, "mode") == 0) {
		i = word_index(mode_words, OP_MODES, p->word);
		op->mode = (enum op_mode)i;
		return i >= 0;
	}
	if (strcmp(p->key, "by") == 0) {
		i = word_index(close_words, OP_CLOSE_ACK + 1, p->word);
		op->close = (enum op_close)i;
		return i >= 0;
	}
	if (strcmp(p->key, "cp") == 0 && run_word_value(p, pds_ctl_types, &v)) {
		op->cp.ctl_type = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "ses_nack") == 0 &&
	    run_word_value(p, pds_nack_codes, &v)) {
		op->pds.ses_nack = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "amo") == 0 && run_word_value(p, amo_opcodes, &v)) {
		op->amo.opcode = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "datatype") == 0 &&
	    run_word_value(p, amo_datatypes, &v)) {
		op->amo.datatype = (uint8_t)v;
		return true;
	}
	return false;
}
