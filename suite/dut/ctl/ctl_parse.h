/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_parse.h -- parses the messages of the control channel from
 * JSON lines.
 */
#ifndef SUITE_DUT_CTL_CTL_PARSE_H
#define SUITE_DUT_CTL_CTL_PARSE_H

#include "base/diag.h"
#include "oracle/event.h"
#include "suite/dut/ctl/ctl.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * ctl_parse_req reads a request, as a server does; ctl_parse_reply an answer or
 * an event, as a client does.
 *
 * A key that a verb does not take is refused in a request, and ignored in an
 * answer or event, which may come from a later version.
 *
 * Shape:  |line| is |len| bytes with or without its newline; any bytes.
 * Owner:  the reason of an event is kept in ret_ans->error and lives as long.
 * Errors: ERR_SYNTAX with |diag| filled: column, key and what was expected.
 *         ret->id is set even then if the id could be read.  ERR_SUPPORT for an
 *         event that this version does not know: skip it.  ERR_NOMEM.  |diag|
 *         has a text after each of these errors.
 */
int ctl_parse_req(struct ctl_req *ret, const char *line, size_t len,
		  struct diag *diag);
int ctl_parse_reply(enum ctl_kind *ret_kind, struct ctl_ans *ret_ans,
		    struct orc_event *ret_event, const char *line, size_t len,
		    struct diag *diag);

/* ctl_token_ok returns whether |line| shows the token: {"token":"..."}. */
bool ctl_token_ok(const char *line, size_t len, const char *token);

#endif
