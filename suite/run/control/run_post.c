/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_post.c -- executes the "post" lines of a case:
 * operations, packets of a raw SES, restart, and counters.
 *
 * A line is translated into a struct orc_op, which is sent to the device as a
 * control request.  Words ("rud", "ok") become numbers here.
 */
#include "suite/run/control/run_post.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/craft/craft.h"
#include "suite/decl/decl_setting.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_table.h"
#include "suite/lang/case.h"
#include "suite/run/content/content.h"
#include "suite/run/control/run_request.h"
#include "suite/run/control/run_verbs.h"
#include "suite/run/control/run_words.h"
#include "suite/run/link/run_order.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_make.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

static bool op_find(const char *verb, enum op_kind *ret)
{
	const struct ctl_verb_row *row = ctl_verb_find(verb);

	if (!row || row->verb != CTL_OP)
		return false;
	*ret = row->op;
	return true;
}

/*
 * Returns the newest packet with that PSN that reached the DUT's SES, or NULL.
 */
static const struct orc_event *handed_up(const struct runner *r, uint32_t psn)
{
	for (size_t i = r->nevents; i-- > 0;) {
		const struct orc_event *ev = &r->events[i];

		if (ev->orig_psn == psn && (ev->kind == EV_PDS_SES_RX_REQ ||
					    ev->kind == EV_PDS_SES_RX_RET))
			return ev;
	}
	return NULL;
}

/*
 * Evaluates a PSN: one of the DUT as a source, or that of the packet that it
 * answers.
 */
static bool post_psn(struct runner *r, const struct param *p)
{
	const bool target = r->rec->chair == CHAIR_TARGET;
	struct orc_op *op = &r->ctl.op;
	const bool own = op->kind == OP_SEND_CP;
	const struct orc_event *ev;
	uint64_t v = 0;

	if (!scope_number(&r->scope, &p->number,
			  target == own ? SPACE_RETURN : SPACE_FORWARD, &v))
		return false;
	op->cp.psn = (uint32_t)v;
	op->pds.orig_psn = (uint32_t)v;
	if (own)
		return true;
	ev = handed_up(r, (uint32_t)v);
	if (!ev)
		return false;
	op->pds.rx_pkt_handle = ev->handle;
	op->pds.orig_pdcid = ev->orig_pdcid;
	return true;
}

/*
 * Returns true for a verb that creates an object; the answer binds the line's
 * symbols.
 */
static bool makes(enum op_kind kind)
{
	return kind == OP_CREATE_QP || kind == OP_CREATE_AH;
}

/*
 * Reads an expected key of the answer: the number of the new object, or the
 * state.
 */
static bool post_expected(struct orc_op *op, const char *key, uint64_t v)
{
	if (op->kind == OP_QUERY_QP && strcmp(key, "state") == 0) {
		op->vb.state = (enum qp_state)v;
		return true;
	}
	return makes(op->kind);
}

static bool post_param(struct runner *r, const struct param *p)
{
	struct orc_op *op = &r->ctl.op;
	uint64_t v = 0;

	if (strcmp(p->key, "peer") == 0) {
		if (p->number.value)
			op->peer = r->dut->peer;
		return op->kind == OP_CREATE_AH;
	}
	if (strcmp(p->key, "psn") == 0)
		return post_psn(r, p);
	if (p->word)
		v = p->number.value;
	else if (!run_request_number(r, p, SPACE_NONE, &v))
		return makes(op->kind);
	return run_post_set(&r->ctl, p->key, v) || post_expected(op, p->key, v);
}

/* Parses the SES side of the packet of a PDS profile verb. */
static bool post_packet(struct runner *r, const struct step *step)
{
	struct ctl_req *ctl = &r->ctl;
	struct packet pkt;
	uint64_t next_hdr = 0;
	char why[160];
	size_t at;

	if (!step->rung.type)
		return true;
	if (craft_rung(&r->scope, step, &r->out, why, sizeof(why))) {
		run_diverged(r, REASON_CASE_WRONG, "%s:%u: %s", step->file,
			     step->line, why);
		return false;
	}
	uet_packet_parse(&pkt, r->out.data, r->out.len);
	packet_value(&pkt, "next_hdr", &next_hdr);
	if (pkt.nses < pkt.nsec)
		at = pkt.sec[pkt.nses].at;
	else
		at = pkt.payload;
	ctl->op.pds.next_hdr = (uint8_t)next_hdr;
	ctl->op.pds.pkt_len = (uint16_t)(r->out.len - at);
	memcpy(ctl->pkt, r->out.data + at, r->out.len - at);
	return true;
}

/* Restarts the device within a case: it loses all state but its declaration. */
static enum flow_control run_control_restart(struct runner *r,
					     const struct step *step)
{
	if (!r->dut->control && !r->dut->triggered) {
		run_settle(r, REASON_NO_CONTROL, "needs a control channel");
		return RUN_STOP;
	}
	run_request_begin(r, OP_SEND);
	r->ctl.verb = CTL_RESET;
	snprintf(r->ctl.name, sizeof(r->ctl.name), "reset");
	r->ctl.seed = r->rec->seed + ++r->restarts;
	r->scope.data_seed = r->ctl.seed;
	content_restarted(r);
	if (run_request(r, step) == RUN_STOP)
		return RUN_STOP;
	return control_prepare(r);
}

/* Queries the memory or the counters that the line compares. */
static enum flow_control run_control_look(struct runner *r,
					  const struct step *step)
{
	const bool stats = strcmp(step->verb, "stats") == 0;

	if (!r->dut->control) {
		run_settle(r, REASON_NO_CONTROL, "needs a control channel");
		return RUN_STOP;
	}
	run_request_begin(r, OP_SEND);
	if (stats)
		r->ctl.verb = CTL_STATS;
	else
		r->ctl.verb = CTL_MEM_DIGEST;
	snprintf(r->ctl.name, sizeof(r->ctl.name), "%s", step->verb);
	r->ctl.key = 0;
	for (size_t i = 0; i < step->nparams; i++)
		if (strcmp(step->params[i].key, "key") == 0)
			run_request_number(r, &step->params[i], SPACE_NONE,
					   &r->ctl.key);
	if (run_request(r, step) == RUN_STOP)
		return RUN_STOP;
	if (stats)
		return verbs_stats(r, step);
	return verbs_digest(r, step);
}

static bool looks(const struct step *step)
{
	return strcmp(step->verb, "mem_digest") == 0 ||
	       strcmp(step->verb, "stats") == 0;
}

/*
 * Sets the declared memory, or the tester's own under the same key; messages
 * have none.
 */
static void run_memory_default(const struct runner *r, struct orc_op *op)
{
	if (op->kind == OP_SEND || op->kind == OP_POST_RECV)
		return;
	if (suite_families[r->rec->family]->connected)
		op->key = r->decl->rkey;
	else
		op->key = r->decl->memory_key;
	if (op->kind == OP_EXPOSE)
		op->offset = r->decl->memory_offset;
}

/*
 * Returns true for a receive that a device without a control channel has
 * posted anyway: for any send, and for tagged sends as its declaration says
 * ("id tag").
 */
static bool is_kept_posted(const struct runner *r, const struct step *step)
{
	bool tagged = false, known = false;
	uint64_t v;

	if (r->dut->control || strcmp(step->verb, "post_recv") != 0)
		return false;
	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];

		if (!scope_number(&r->scope, &p->number, SPACE_NONE, &v))
			continue;
		tagged |= strcmp(p->key, "tagged") == 0 && v;
		known |= strcmp(p->key, "tag") == 0 && v - r->decl->tag <= 1;
	}
	return !tagged || (known && decl_given(r->decl, "tag"));
}

/* Returns true if a target asks for a close in the way that a case needs. */
static bool asks_so(const struct runner *r, uint64_t how)
{
	uint64_t in_acks = 0;

	decl_setting_find(r->decl, SETTING_ask_close_ack, &in_acks);
	return how == OP_CLOSE_CP || (how == OP_CLOSE_BOTH && in_acks);
}

/*
 * Returns the setting by which a device without a control channel does of its
 * own what an operation asks for; SETTING_COUNT: it does not.
 */
static enum orc_setting own_accord(const struct runner *r,
				   const struct step *step, enum op_kind kind)
{
	uint64_t how = OP_CLOSE_BOTH, cp = 0;

	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];

		if (strcmp(p->key, "by") == 0)
			how = p->number.value;
		if (strcmp(p->key, "cp") == 0)
			cp = p->number.value;
	}
	if (r->rec->chair != CHAIR_TARGET)
		return SETTING_COUNT;
	if (kind == OP_ASK_CLOSE && asks_so(r, how))
		return SETTING_ask_close_idle;
	if (kind == OP_SEND_CP && cp == PDS_CP_CLEAR_REQUEST)
		return SETTING_ask_clear_time;
	return SETTING_COUNT;
}

/* The limit of the next line counts from then. */
static void own_accord_await(struct runner *r, vspan span, vspan tolerance)
{
	r->last_at = r->dut->ops->now(r->dut) + span + tolerance;
}

/*
 * Returns true for the receive of a send that a device without a control
 * channel defers: it posts it of its own ("cause defer").
 */
static bool posts_receive(struct runner *r, const struct step *step)
{
	const struct decl_time late = decl_ses_time(r->decl);

	if (r->dut->control || strcmp(step->verb, "post_recv") != 0 ||
	    r->scope.cause != &r->decl->defer_cause)
		return false;
	own_accord_await(r, late.value, late.tolerance);
	return true;
}

/*
 * Waits for what the device does of its own.
 * Return: false if it does not.
 */
static bool awaits_own_accord(struct runner *r, const struct step *step,
			      enum op_kind kind)
{
	const enum orc_setting setting = own_accord(r, step, kind);
	uint64_t span;

	if (setting == SETTING_COUNT ||
	    !decl_setting_find(r->decl, setting, &span) || !span)
		return false;
	r->asks_close = setting == SETTING_ask_close_idle;
	own_accord_await(r, (vspan)span, r->decl->rto.tolerance);
	return true;
}

enum flow_control control_post(struct runner *r, const struct step *step)
{
	enum op_kind kind;

	if (order_await(r) == RUN_STOP)
		return RUN_STOP;
	if (strcmp(step->verb, "reset") == 0)
		return run_control_restart(r, step);
	if (looks(step))
		return run_control_look(r, step);
	if (!op_find(step->verb, &kind)) {
		run_settle(r, REASON_CASE_WRONG, "line %u: no operation \"%s\"",
			   step->line, step->verb);
		return RUN_STOP;
	}
	/* between two endpoints another program controls the device */
	if (!r->dut->control && !r->dut->triggered && r->dut->bridged) {
		r->by_hand = true;
		return RUN_ON;
	}
	if (posts_receive(r, step) || is_kept_posted(r, step))
		return RUN_ON;
	if (!r->dut->control && awaits_own_accord(r, step, kind))
		return RUN_ON;
	if (!r->dut->control && !r->dut->triggered) {
		run_settle(r, REASON_NO_CONTROL, "needs a control channel");
		return RUN_STOP;
	}
	run_request_begin(r, kind);
	scope_turn(&r->scope, NULL);
	r->ctl.op.pds.return_data = kind == OP_SES_PDS_TX_RET;
	if (verbs_has_handle(kind))
		r->ctl.op.handle =
			r->setup ? RUN_SETUP_OP + ++r->setup_op : ++r->op;
	run_memory_default(r, &r->ctl.op);
	verbs_defaults(r, &r->ctl.op);
	for (size_t i = 0; i < step->nparams; i++) {
		if (post_param(r, &step->params[i]))
			continue;
		run_diverged(r, REASON_CASE_WRONG,
			     "line %u: post cannot use %s", step->line,
			     step->params[i].key);
		return RUN_STOP;
	}
	if (!post_packet(r, step))
		return RUN_STOP;
	if (kind == OP_EXPOSE) {
		r->exposed = r->ctl.op.len;
		content_exposed(r, r->ctl.op.key, r->ctl.op.offset,
				r->ctl.op.len);
	}
	content_posted(r, &r->ctl.op);
	order_posted(r, &r->ctl.op); /* noted first, since it may complete
					before the answer arrives */
	if (run_request(r, step) == RUN_STOP)
		return RUN_STOP;
	if (!r->answer.ok) {
		order_refused(r, &r->ctl.op);
		if (step->optional && r->nrefused < RUN_REFUSED)
			r->refused[r->nrefused++] = r->ctl.op.handle;
	}
	return verbs_answered(r, step);
}
