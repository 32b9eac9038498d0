/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_words.c -- the words that stand for numbers on the control
 * channel and in post and report lines of cases.
 *
 * The words of control packets, atomic operations and their types are those of
 * wire/uet.
 */
#include "suite/dut/ctl/ctl_words.h"

#include "oracle/event.h"
#include "oracle/op.h"
#include "wire/field.h"

/* clang-format off */
const struct value_name ctl_headers[] = {
	{OP_HEADER_STD, "std"},
	{OP_HEADER_MEDIUM, "medium"},
	{OP_HEADER_SMALL, "small"},
	{0, NULL},
};

const struct value_name ctl_modes[] = {
	{OP_RUD, "rud"},
	{OP_ROD, "rod"},
	{OP_RUDI, "rudi"},
	{OP_UUD, "uud"},
	{0, NULL},
};

const struct value_name ctl_gtd[] = {
	{OP_GTD_AUTO, "auto"},
	{OP_GTD_NO, "no"},
	{OP_GTD_YES, "yes"},
	{0, NULL},
};

const struct value_name ctl_closes[] = {
	{OP_CLOSE_BOTH, "both"},
	{OP_CLOSE_CP, "cp"},
	{OP_CLOSE_ACK, "ack"},
	{0, NULL},
};

const struct value_name ctl_qp_types[] = {
	{QP_SRD, "srd"},
	{QP_UD, "ud"},
	{QP_RC, "rc"},
	{0, NULL},
};

const struct value_name ctl_qp_states[] = {
	{QP_RESET, "reset"},
	{QP_INIT, "init"},
	{QP_RTR, "rtr"},
	{QP_RTS, "rts"},
	{QP_SQD, "sqd"},
	{QP_SQE, "sqe"},
	{QP_ERR, "err"},
	{0, NULL},
};

const struct value_name ctl_wr_opcodes[] = {
	{WR_SEND, "send"},
	{WR_WRITE, "write"},
	{WR_READ, "read"},
	{WR_ATOMIC, "atomic"},
	{0, NULL},
};

#define SETTING_NAME(name) {SETTING_##name, #name},
const struct value_name ctl_settings[] = {
	ORC_SETTINGS(SETTING_NAME)
	{0, NULL},
};

const struct value_name ctl_events[] = {
	{EV_PDS_SES_RX_REQ, "pds_ses_rx_req"},
	{EV_PDS_SES_RX_RSP, "pds_ses_rx_rsp"},
	{EV_PDS_SES_RX_RET, "pds_ses_rx_ret"},
	{EV_PDS_SES_EAGER_SIZE, "pds_ses_eager_size"},
	{EV_PDS_PAUSE, "pds_pause"},
	{EV_PDS_SES_ERROR, "pds_ses_error"},
	{EV_COMPLETION, "completion"},
	{EV_RECV, "recv"},
	{EV_DROP, "drop"},
	{EV_PDC, "pdc"},
	{EV_UNRESPONSIVE, "unresponsive"},
	{0, NULL},
};

const struct value_name ctl_statuses[] = {
	{STATUS_OK, "ok"},
	{STATUS_REFUSED, "refused"},
	{STATUS_RETRIES, "retries"},
	{STATUS_FATAL, "fatal"},
	{STATUS_CLOSED, "closed"},
	{STATUS_LOCAL_LENGTH, "local_length"},
	{STATUS_LOCAL_QP_OP, "local_qp_operation"},
	{STATUS_LOCAL_PROTECTION, "local_protection"},
	{STATUS_FLUSHED, "flushed"},
	{STATUS_BAD_RESPONSE, "bad_response"},
	{STATUS_REMOTE_INVALID, "remote_invalid_request"},
	{STATUS_REMOTE_ACCESS, "remote_access"},
	{STATUS_REMOTE_OP, "remote_operation"},
	{STATUS_BAD_DEST_QP, "bad_dest_qp"},
	{STATUS_RNR, "rnr"},
	{STATUS_REMOTE_ABORT, "remote_abort"},
	{STATUS_TIMEOUT, "timeout"},
	{0, NULL},
};
/* clang-format on */

const char *ctl_status_name(enum orc_status status)
{
	const char *name = value_find(ctl_statuses, status);

	if (name)
		return name;
	return "unknown";
}

const char *ctl_qp_state_name(enum qp_state state)
{
	const char *name = value_find(ctl_qp_states, state);

	if (name)
		return name;
	return "unknown";
}

const char *ctl_setting_name(enum orc_setting setting)
{
	const char *name = value_find(ctl_settings, setting);

	if (name)
		return name;
	return "unknown";
}

const char *ctl_event_name(enum orc_event_kind kind)
{
	const char *name = value_find(ctl_events, kind);

	if (name)
		return name;
	return "unknown";
}
