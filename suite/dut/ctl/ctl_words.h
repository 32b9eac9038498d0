/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_words.h -- the words that stand for numbers on the control
 * channel and in post and report lines of cases.
 */
#ifndef SUITE_DUT_CTL_CTL_WORDS_H
#define SUITE_DUT_CTL_CTL_WORDS_H

#include "oracle/event.h"
#include "oracle/op.h"
#include "wire/field.h"

/* Each list ends with a NULL name. */
extern const struct value_name ctl_headers[];    /* enum op_header */
extern const struct value_name ctl_modes[];      /* enum op_mode */
extern const struct value_name ctl_gtd[];        /* enum op_gtd */
extern const struct value_name ctl_closes[];     /* enum op_close */
extern const struct value_name ctl_qp_types[];   /* enum qp_type */
extern const struct value_name ctl_qp_states[];  /* enum qp_state */
extern const struct value_name ctl_wr_opcodes[]; /* enum wr_opcode */
extern const struct value_name ctl_settings[];   /* enum orc_setting */
extern const struct value_name ctl_events[];     /* enum orc_event_kind */
extern const struct value_name ctl_statuses[];   /* enum orc_status */

/* These return the word of a number, or "unknown". */
const char *ctl_status_name(enum orc_status status);
const char *ctl_qp_state_name(enum qp_state state);
const char *ctl_setting_name(enum orc_setting setting);
const char *ctl_event_name(enum orc_event_kind kind);

#endif
