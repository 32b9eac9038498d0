/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_words.c -- maps words of post, respond and report lines
 * to numbers.
 */
#include "suite/run/control/run_words.h"

#include <string.h>

#include "suite/dut/ctl/ctl_member.h"
#include "suite/dut/ctl/ctl_table.h"

bool run_word_value(const struct param *p, const struct value_name *names,
		    uint64_t *ret)
{
	return p->word && !value_parse(names, p->word, strlen(p->word), ret);
}

bool run_post_set(struct ctl_req *req, const char *key, uint64_t v)
{
	const struct ctl_key *k;

	if (strcmp(key, "message_id") == 0) /* the name of the field */
		key = "msg_id";
	k = ctl_req_key(ctl_req_verb(req), key);
	if (!k)
		return false;
	ctl_member_store(k, req, k->type == KEY_BOOL ? v != 0 : v);
	req->op.vb.with_imm |= strcmp(key, "imm") == 0;
	return true;
}
