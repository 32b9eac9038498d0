/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_json.h -- print and parse the messages of the control
 * channel as JSON lines.
 */
#ifndef SUITE_DUT_CTL_CTL_JSON_H
#define SUITE_DUT_CTL_CTL_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/text.h"
#include "oracle/event.h"
#include "oracle/op.h"
#include "suite/dut/ctl/ctl.h"

/*
 * ctl_req_print, ctl_ans_print and ctl_event_print append one line, newline
 * included.
 */
void ctl_req_print(struct text *t, const struct ctl_req *r);
void ctl_ans_print(struct text *t, const struct ctl_ans *a);
void ctl_event_print(struct text *t, const struct orc_event *ev);

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
 *         For a request whose id could be read, ret->id is set even then.
 *         ERR_SUPPORT for an event that this version does not know: skip it.
 *         ERR_NOMEM.  In all three |diag| has a text.
 */
int ctl_parse_req(struct ctl_req *ret, const char *line, size_t len,
		  struct diag *diag);
int ctl_parse_reply(enum ctl_kind *ret_kind, struct ctl_ans *ret_ans,
		    struct orc_event *ret_event, const char *line, size_t len,
		    struct diag *diag);

/*
 * ctl_token_print appends the line that opens a channel over TCP,
 * {"token":"..."}; ctl_token_ok says whether |line| is that line.
 */
void ctl_token_print(struct text *t, const char *token);
bool ctl_token_ok(const char *line, size_t len, const char *token);

/* ctl_verbs are all verbs of this version, separated by spaces. */
const char *ctl_verbs(void);

/* ctl_setting_name is the word of a setting: "start_psn", "ack_type", ... */
const char *ctl_setting_name(enum orc_setting setting);

/* ctl_status_name is the word of a completion: "ok", "rnr", ... */
const char *ctl_status_name(enum orc_status status);

/* ctl_qp_state_name is "reset", "init", "rtr", ... */
const char *ctl_qp_state_name(enum qp_state state);

/* ctl_event_name is the word of an event: "pds_ses_rx_req", "completion", ...
 */
const char *ctl_event_name(enum orc_event_kind kind);

/* ctl_verb_name is the word of an operation: "send", "ses_policy", ... */
const char *ctl_verb_name(enum op_kind kind);

#endif
