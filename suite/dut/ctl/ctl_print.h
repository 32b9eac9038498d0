/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_print.h -- prints the messages of the control channel as
 * JSON lines.
 */
#ifndef SUITE_DUT_CTL_CTL_PRINT_H
#define SUITE_DUT_CTL_CTL_PRINT_H

#include "base/text.h"
#include "oracle/event.h"
#include "suite/dut/ctl/ctl.h"

/*
 * ctl_req_print, ctl_ans_print and ctl_event_print append one line, newline
 * included.
 */
void ctl_req_print(struct text *t, const struct ctl_req *r);
void ctl_ans_print(struct text *t, const struct ctl_ans *a);
void ctl_event_print(struct text *t, const struct orc_event *ev);

/*
 * ctl_token_print appends the line that opens a channel over TCP,
 * {"token":"..."}.
 */
void ctl_token_print(struct text *t, const char *token);

#endif
