/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/case_parse.h"
#include "suite/craft.h"
#include "suite/run_priv.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

/* After a limit has passed, how long to wait for what is merely late. */
#define LATE_FACTOR 4

/* How long a control request may take to be answered. */
#define ANSWER_TIME (2 * VSPAN_S)

static bool number_of(struct runner *r, const struct param *p,
		      enum psn_space space, uint64_t *ret)
{
	return !p->word && scope_number(&r->scope, &p->number, space, ret);
}

/* Forward PSNs in what a request came to, return PSNs in return data. */
static enum psn_space report_space(enum report_kind kind)
{
	return kind == REPORT_RETURNED ? SPACE_RETURN : SPACE_FORWARD;
}

/* A PSN of the PDC that the line names. */
static bool psn_of(struct runner *r, const struct step *step,
		   const struct param *p, uint64_t *ret)
{
	return scope_number_of(&r->scope, step->pdc, &p->number,
			       report_space(step->report), ret);
}

/* Whether an event is about the PDC that the line names, by the DUT's PDCID. */
static bool of_pdc(struct runner *r, const struct step *step,
		   const struct orc_event *ev)
{
	const struct scope_pdc *pdc;

	if (!step->pdc)
		return true;
	pdc = scope_named(&r->scope, step->pdc);
	return pdc && pdc->dpdcid == ev->orig_pdcid;
}

static bool is_unsupported(const struct runner *r)
{
	return strcmp(r->answer.error, "unsupported") == 0;
}

/*
 * A command needs a while to start an operation; limits count from then.  Two
 * operations that a case wants at once come apart: that is the tester's fault.
 */
static void started(struct runner *r, vtime asked, const struct step *before)
{
	const vtime now = r->dut->ops->now(r->dut);
	const bool two = before && before->kind == STEP_POST;

	r->last_at = now;
	if (!two ||
	    now - asked <= run_rto_tolerance(r->decl, r->decl->rto.value))
		return;
	r->rec->late = true;
	if (now - asked > r->rec->jitter)
		r->rec->jitter = now - asked;
}

/* Sends r->ctl and waits for its answer. */
static enum flow_control request(struct runner *r, const struct step *step)
{
	struct rec rec = {
		.kind = REC_CONTROL, .line = step->line, .setup = r->setup};
	vtime now = r->dut->ops->now(r->dut);
	const struct step *before;
	int err;

	r->ctl.id = ++r->ctl_id;
	r->ctl_answered = false;
	rec.at = now;
	text_clear(&r->line);
	ctl_req_print(&r->line, &r->ctl);
	record_add(r->rec, &rec, NULL, NULL, text_cstr(&r->line));
	before = r->stimulus;
	r->stimulus = step;
	r->last_at = now;
	r->held = false;
	err = r->dut->ops->control(r->dut, &r->ctl);
	r->awake_at = r->dut->ops->now(r->dut); /* it may wait for a program */
	while (!err && !r->ctl_answered && link_pump(r, now + ANSWER_TIME))
		;
	if (r->dut->triggered)
		started(r, now, before);
	if (r->stopped)
		return RUN_STOP;
	if (err == ERR_SUPPORT) {
		run_settle(r, REASON_NO_CONTROL, "there is no control channel");
	} else if (err || r->gone) {
		r->gone = true;
		run_settle(r, r->spoke ? REASON_CONTROL_CLOSED : REASON_GONE,
			   "the control channel closed at line %u%s%s",
			   step->line, r->gone_text[0] ? ": " : "",
			   r->gone_text);
	} else if (!r->ctl_answered) {
		run_settle(r, REASON_CONTROL_SILENT,
			   "line %u: the control channel did not answer",
			   step->line);
	} else if (!r->answer.ok && !step->optional &&
		   !(step->refused && !is_unsupported(r))) {
		const bool na = is_unsupported(r);

		run_settle(r, na ? REASON_UNSUPPORTED : REASON_REFUSED,
			   "line %u: the device %s \"%s\"%s%s", step->line,
			   na ? "does not support" : "refused", r->ctl.name,
			   na ? "" : ": ", na ? "" : r->answer.error);
	}
	return r->stopped ? RUN_STOP : RUN_ON;
}

/* Clears the request but for its packet buffer, which has its length. */
static void begin(struct runner *r, enum op_kind kind)
{
	struct orc_op *op = &r->ctl.op;

	r->ctl.verb = CTL_OP;
	snprintf(r->ctl.name, sizeof(r->ctl.name), "%s", ctl_verb_name(kind));
	memset(op, 0, sizeof(*op));
	op->kind = kind;
	op->peer = r->dut->tester;
	op->pds.pkt = r->ctl.pkt;
}

static bool needs(const struct kase *c, const char *capability)
{
	for (size_t i = 0; i < c->nneeds; i++)
		if (strcmp(c->needs[i], capability) == 0)
			return true;
	return false;
}

static enum flow_control expose(struct runner *r, uint64_t key)
{
	static const struct step step = {.source = "expose"};

	begin(r, OP_EXPOSE);
	r->ctl.op.key = key;
	r->ctl.op.len = r->decl->memory_len;
	return request(r, &step);
}

/*
 * Reads and writes go to the memory that the declaration names; a small header
 * has no key (uet.md 5.3), so what it reaches is exposed under key 0.
 */
enum flow_control control_prepare(struct runner *r)
{
	const struct kase *c = r->kase;
	bool small = needs(c, "read.small");
	bool keyed = small || needs(c, "read") || needs(c, "write") ||
		     needs(c, "read.medium") || needs(c, "atomic");

	if (r->rec->chair != CHAIR_TARGET || !r->dut->control ||
	    !dut_has_verb(r->dut, "expose"))
		return RUN_ON;
	if (keyed && expose(r, r->decl->memory_key) == RUN_STOP)
		return RUN_STOP;
	return small ? expose(r, 0) : RUN_ON;
}

static bool op_find(const char *verb, enum op_kind *ret)
{
	for (int k = OP_SEND; k <= OP_POST_SEND; k++) {
		if (strcmp(ctl_verb_name((enum op_kind)k), verb) == 0) {
			*ret = (enum op_kind)k;
			return true;
		}
	}
	return false;
}

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

static bool word_value(const struct param *p, const struct value_name *names,
		       uint64_t *ret)
{
	return p->word && !value_parse(names, p->word, strlen(p->word), ret);
}

static bool post_word(struct orc_op *op, const struct param *p)
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
	if (strcmp(p->key, "cp") == 0 && word_value(p, pds_ctl_types, &v)) {
		op->cp.ctl_type = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "ses_nack") == 0 &&
	    word_value(p, pds_nack_codes, &v)) {
		op->pds.ses_nack = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "amo") == 0 && word_value(p, amo_opcodes, &v)) {
		op->amo.opcode = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "datatype") == 0 &&
	    word_value(p, amo_datatypes, &v)) {
		op->amo.datatype = (uint8_t)v;
		return true;
	}
	return false;
}

/* The parameters of the PDS profile that are plain numbers. */
static bool post_pds(struct orc_op *op, const char *key, uint64_t v)
{
	struct pds_op *p = &op->pds;

	if (strcmp(key, "som") == 0)
		p->som = v != 0;
	else if (strcmp(key, "eom") == 0)
		p->eom = v != 0;
	else if (strcmp(key, "lock_pdc") == 0)
		p->lock_pdc = v != 0;
	else if (strcmp(key, "rsv_pdc") == 0)
		p->rsv_pdc = v != 0;
	else if (strcmp(key, "gtd_del") == 0)
		p->gtd_del = v != 0;
	else if (strcmp(key, "ses_nack") == 0)
		p->ses_nack = (uint8_t)v;
	else if (strcmp(key, "tc") == 0)
		p->tc = (uint8_t)v;
	else if (strcmp(key, "eager_id") == 0)
		p->eager_id = (uint16_t)v;
	else if (strcmp(key, "rod_context") == 0)
		p->rod_context = (uint16_t)v;
	else if (strcmp(key, "tss_context") == 0)
		p->tss_context = (uint16_t)v;
	else if (strcmp(key, "rsv_pdc_context") == 0)
		p->rsv_pdc_context = (uint16_t)v;
	else if (strcmp(key, "rsv_ccc_context") == 0)
		p->rsv_ccc_context = (uint16_t)v;
	else if (strcmp(key, "payload") == 0)
		op->cp.payload = (uint32_t)v;
	else
		return false;
	return true;
}

static bool post_amo(struct op_amo *amo, const char *key, uint64_t v)
{
	if (strcmp(key, "amo") == 0)
		amo->opcode = (uint8_t)v;
	else if (strcmp(key, "datatype") == 0)
		amo->datatype = (uint8_t)v;
	else if (strcmp(key, "operand") == 0)
		amo->operand = v;
	else if (strcmp(key, "compare") == 0)
		amo->compare = v;
	else if (strcmp(key, "fetch") == 0)
		amo->fetch = v != 0;
	else
		return false;
	return true;
}

/* The newest packet that reached the DUT's SES under a PSN; NULL: none did. */
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

/* A PSN of the DUT's own as a source; or that of the packet it answers. */
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

/* Its symbols get their values from the answer. */
static bool makes(enum op_kind kind)
{
	return kind == OP_CREATE_QP || kind == OP_CREATE_AH;
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
	if (p->word)
		return post_word(op, p) ||
		       verbs_param(op, p->key, p->number.value);
	if (strcmp(p->key, "psn") == 0)
		return post_psn(r, p);
	if (!number_of(r, p, SPACE_NONE, &v))
		return makes(op->kind);
	if (strcmp(p->key, "len") == 0)
		op->len = (uint32_t)v;
	else if (strcmp(p->key, "count") == 0)
		op->count = (uint32_t)v;
	else if (strcmp(p->key, "message_id") == 0)
		op->message_id = (uint16_t)v;
	else if (strcmp(p->key, "offset") == 0)
		op->offset = v;
	else if (strcmp(p->key, "key") == 0)
		op->key = v;
	else
		return post_amo(&op->amo, p->key, v) ||
		       verbs_param(op, p->key, v) || post_pds(op, p->key, v);
	return true;
}

/* The SES side of a packet that the PDS profile hands over. */
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
		run_settle(r, REASON_CASE_WRONG, "%s:%u: %s", step->file,
			   step->line, why);
		return false;
	}
	packet_parse(&pkt, r->out.data, r->out.len);
	packet_value(&pkt, "next_hdr", &next_hdr);
	at = pkt.nses < pkt.nsec ? pkt.sec[pkt.nses].at : pkt.payload;
	ctl->op.pds.next_hdr = (uint8_t)next_hdr;
	ctl->op.pds.pkt_len = (uint16_t)(r->out.len - at);
	memcpy(ctl->pkt, r->out.data + at, r->out.len - at);
	return true;
}

/*
 * The device starts again, in the middle of a case: it has forgotten everything
 * but what it declares.
 */
static enum flow_control restart(struct runner *r, const struct step *step)
{
	if (!r->dut->control && !r->dut->triggered) {
		run_settle(r, REASON_NO_CONTROL, "needs a control channel");
		return RUN_STOP;
	}
	begin(r, OP_SEND);
	r->ctl.verb = CTL_RESET;
	snprintf(r->ctl.name, sizeof(r->ctl.name), "reset");
	r->ctl.seed = r->rec->seed + ++r->restarts;
	return request(r, step) == RUN_STOP ? RUN_STOP : control_prepare(r);
}

/* Asks for what the line compares: memory, or counters. */
static enum flow_control look(struct runner *r, const struct step *step)
{
	const bool stats = strcmp(step->verb, "stats") == 0;

	if (!r->dut->control) {
		run_settle(r, REASON_NO_CONTROL, "needs a control channel");
		return RUN_STOP;
	}
	begin(r, OP_SEND);
	r->ctl.verb = stats ? CTL_STATS : CTL_MEM_DIGEST;
	snprintf(r->ctl.name, sizeof(r->ctl.name), "%s", step->verb);
	r->ctl.key = 0;
	for (size_t i = 0; i < step->nparams; i++)
		if (strcmp(step->params[i].key, "key") == 0)
			number_of(r, &step->params[i], SPACE_NONE, &r->ctl.key);
	if (request(r, step) == RUN_STOP)
		return RUN_STOP;
	return stats ? verbs_stats(r, step) : verbs_digest(r, step);
}

static bool looks(const struct step *step)
{
	return strcmp(step->verb, "mem_digest") == 0 ||
	       strcmp(step->verb, "stats") == 0;
}

enum flow_control control_post(struct runner *r, const struct step *step)
{
	enum op_kind kind;

	if (strcmp(step->verb, "reset") == 0)
		return restart(r, step);
	if (looks(step))
		return look(r, step);
	if (!op_find(step->verb, &kind)) {
		run_settle(r, REASON_CASE_WRONG, "line %u: no operation \"%s\"",
			   step->line, step->verb);
		return RUN_STOP;
	}
	/* Between two endpoints somebody else sees to it. */
	if (!r->dut->control && !r->dut->triggered && r->dut->bridged) {
		r->by_hand = true;
		return RUN_ON;
	}
	if (!r->dut->control && !r->dut->triggered) {
		run_settle(r, REASON_NO_CONTROL, "needs a control channel");
		return RUN_STOP;
	}
	begin(r, kind);
	scope_turn(&r->scope, NULL);
	r->ctl.op.pds.return_data = kind == OP_SES_PDS_TX_RET;
	if (verbs_has_handle(kind))
		r->ctl.op.handle =
			r->setup ? RUN_SETUP_OP + ++r->setup_op : ++r->op;
	r->ctl.op.key = r->decl->memory_key;
	verbs_defaults(r, &r->ctl.op);
	for (size_t i = 0; i < step->nparams; i++) {
		if (post_param(r, &step->params[i]))
			continue;
		run_settle(r, REASON_CASE_WRONG, "line %u: post cannot use %s",
			   step->line, step->params[i].key);
		return RUN_STOP;
	}
	if (!post_packet(r, step) || request(r, step) == RUN_STOP)
		return RUN_STOP;
	return verbs_answered(r, step);
}

/* The judge must know what the device was told to do. */
static void declare(struct runner *r, enum orc_setting setting, uint64_t v)
{
	struct judge_conf *conf = &r->declared;

	switch (setting) {
	case SETTING_rto_init:
		conf->rto_init = (vspan)v;
		conf->rto_tolerance = run_rto_tolerance(r->decl, (vspan)v);
		break;
	case SETTING_max_rto_retx:
		conf->max_rto_retx = (unsigned)v;
		break;
	case SETTING_nack_retx_time:
		conf->nack_retx_time = (vspan)v;
		break;
	case SETTING_max_nack_retx:
		conf->max_nack_retx = (unsigned)v;
		break;
	case SETTING_max_ack_data:
		conf->max_ack_data = (uint32_t)v;
		break;
	case SETTING_default_mpr:
		conf->mp_range = (uint32_t)v * JUDGE_MPR_UNIT;
		break;
	case SETTING_version:
		conf->version = (enum uet_version)v;
		break;
	case SETTING_crc:
		r->dut->link.crc = v;
		conf->no_crc = !v;
		break;
	case SETTING_crc_order:
		r->dut->link.crc_order = (enum crc_order)v;
		return;
	case SETTING_icrc:
		r->dut->link.icrc = (enum icrc_mode)v;
		return;
	case SETTING_native:
		r->dut->link.native = v;
		return;
	default:
		return;
	}
	judge_declare(r->judge, conf);
}

/*
 * Whether a device that cannot be configured is like that by nature: its ACKs
 * are ACK_CC.
 */
static bool claims_it(const struct runner *r, const struct param *p)
{
	return strcmp(p->key, "ack_type") == 0 &&
	       p->number.value == ORC_ACK_CC && !p->number.symbol &&
	       decl_claims(r->decl, "ack_cc");
}

/* Why a setting cannot be had here, or NULL. */
static const char *cannot_have(const struct runner *r, const struct param *p)
{
	if (!r->dut->control || !dut_has_verb(r->dut, "configure"))
		return "the device cannot be configured";
	if (strcmp(p->key, "native") == 0 && !r->dut->frames)
		return "this link has UDP sockets at both ends";
	return NULL;
}

/* What only the reference has: a choice that the specification leaves open. */
enum flow_control control_configure(struct runner *r, const struct step *step)
{
	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];
		const char *why = cannot_have(r, p);
		uint64_t v = 0;

		if (why && claims_it(r, p))
			continue;
		if (why) {
			run_settle(r, REASON_UNCONFIGURABLE, "line %u: %s",
				   step->line, why);
			return RUN_STOP;
		}
		begin(r, OP_CONFIGURE);
		while (r->ctl.op.setting < SETTING_COUNT &&
		       strcmp(ctl_setting_name(r->ctl.op.setting), p->key) != 0)
			r->ctl.op.setting++;
		number_of(r, p, SPACE_NONE, &v);
		r->ctl.op.value = v;
		if (request(r, step) == RUN_STOP)
			return RUN_STOP;
		declare(r, r->ctl.op.setting, v);
	}
	return RUN_ON;
}

static bool policy_param(struct runner *r, const struct param *p,
			 struct ses_policy *policy)
{
	uint64_t v = 0;

	if (strcmp(p->key, "delay") == 0 && p->span.set) {
		policy->delay = scope_span(&r->scope, &p->span, NULL);
		return true;
	}
	if (strcmp(p->key, "return_code") == 0 &&
	    (word_value(p, ses_return_codes, &v) ||
	     number_of(r, p, SPACE_NONE, &v))) {
		policy->return_code = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "nack") == 0 && (word_value(p, pds_nack_codes, &v) ||
					    number_of(r, p, SPACE_NONE, &v))) {
		policy->nack_code = (uint8_t)v;
		return true;
	}
	if (strcmp(p->key, "times") == 0 && number_of(r, p, SPACE_NONE, &v)) {
		policy->count = (uint32_t)v;
		return true;
	}
	return false;
}

static bool policy_of(struct runner *r, const struct step *step,
		      struct ses_policy *policy)
{
	if (strcmp(step->verb, "gtd") == 0)
		policy->gtd = OP_GTD_YES;
	else if (strcmp(step->verb, "ok") == 0)
		policy->gtd = OP_GTD_NO;
	else if (strcmp(step->verb, "manual") == 0)
		policy->manual = true;
	for (size_t i = 0; i < step->nparams; i++) {
		if (policy_param(r, &step->params[i], policy))
			continue;
		run_settle(r, REASON_CASE_WRONG,
			   "line %u: respond cannot use %s", step->line,
			   step->params[i].key);
		return false;
	}
	return true;
}

/*
 * Without the verb, a declared natural cause goes into the next requests: a key
 * that the device refuses, an index where nothing matches.
 */
static enum flow_control natural_cause(struct runner *r,
				       const struct step *step,
				       const struct ses_policy *policy)
{
	const struct decl_cause *cause = NULL;

	if (!policy->nack_code && !policy->delay && !policy->manual) {
		if (policy->gtd == OP_GTD_YES)
			cause = &r->decl->gtd_cause;
		else if (policy->return_code > RC_OK)
			cause = &r->decl->error_cause;
	}
	if (policy->gtd != OP_GTD_NO && (!cause || !cause->fields)) {
		run_settle(r, REASON_NO_CAUSE,
			   "line %u: nothing makes this device answer so: it "
			   "has no ses_policy and declares no cause",
			   step->line);
		return RUN_STOP;
	}
	r->scope.causes = true;
	r->scope.cause = cause;
	r->scope.cause_times = policy->count;
	return RUN_ON;
}

enum flow_control control_respond(struct runner *r, const struct step *step)
{
	struct ses_policy policy = {0};

	bool plain = strcmp(step->verb, "default") == 0 && !step->nparams;

	if (!policy_of(r, step, &policy))
		return RUN_STOP;
	if (plain && !dut_has_verb(r->dut, "ses_policy")) {
		r->scope.cause = NULL;
		return RUN_ON;
	}
	if (!r->dut->control || !dut_has_verb(r->dut, "ses_policy"))
		return natural_cause(r, step, &policy);
	begin(r, OP_SES_POLICY);
	r->ctl.op.policy = policy;
	return request(r, step);
}

static enum orc_event_kind event_kind(enum report_kind kind)
{
	switch (kind) {
	case REPORT_DELIVERED:
		return EV_PDS_SES_RX_REQ;
	case REPORT_RECEIVED:
		return EV_RECV;
	case REPORT_RETURNED:
		return EV_PDS_SES_RX_RET;
	case REPORT_RESPONDED:
		return EV_PDS_SES_RX_RSP;
	case REPORT_ERROR:
		return EV_PDS_SES_ERROR;
	case REPORT_PAUSED:
	case REPORT_RESUMED:
		return EV_PDS_PAUSE;
	case REPORT_EAGER:
		return EV_PDS_SES_EAGER_SIZE;
	case REPORT_UNRESPONSIVE:
		return EV_UNRESPONSIVE;
	case REPORT_COMPLETED:
	case REPORT_FAILED:
		break;
	}
	return EV_COMPLETION;
}

/* A message whose header has no id goes by the PSN of its request. */
static bool message_fits(struct runner *r, const struct param *p, uint64_t id,
			 const struct orc_event *ev)
{
	uint32_t psn;

	if (ev->message_id != id)
		return false;
	return !p->number.symbol || !ev->orig_psn ||
	       !scope_unnamed(&r->scope, p->number.symbol, &psn) ||
	       ev->orig_psn == psn;
}

static bool param_fits(struct runner *r, const struct step *step,
		       const struct param *p, const struct orc_event *ev)
{
	uint64_t v = 0;

	if (strcmp(p->key, "return_code") == 0 &&
	    word_value(p, ses_return_codes, &v))
		return ev->return_code == v;
	if (strcmp(p->key, "nack_code") == 0 &&
	    word_value(p, pds_nack_codes, &v))
		return ev->nack_code == v;
	if (strcmp(p->key, "psn") == 0)
		return psn_of(r, step, p, &v) && ev->orig_psn == (uint32_t)v;
	if (p->word)
		return verbs_event_fits(ev, p->key, p->number.value) == 1;
	if (!number_of(r, p, SPACE_NONE, &v))
		return false;
	if (verbs_event_fits(ev, p->key, v) >= 0)
		return verbs_event_fits(ev, p->key, v);
	if (strcmp(p->key, "pkt_id") == 0)
		return ev->orig_psn == (uint32_t)v;
	if (strcmp(p->key, "message_id") == 0)
		return message_fits(r, p, (uint16_t)v, ev);
	if (strcmp(p->key, "op") == 0)
		return ev->handle == v;
	if (strcmp(p->key, "len") == 0)
		return ev->len == v;
	if (strcmp(p->key, "return_code") == 0)
		return ev->return_code == v;
	if (strcmp(p->key, "eager_id") == 0)
		return ev->eager_id == v;
	if (strcmp(p->key, "eager_size") == 0)
		return ev->eager_size == v;
	return strcmp(p->key, "rudi") == 0; /* pause_fits has looked */
}

/* pdc_pause, or rudi_pause if the line says rudi=1, begins or ends. */
static bool pause_fits(const struct step *step, const struct orc_event *ev)
{
	bool pause = ev->pdc_pause;

	for (size_t i = 0; i < step->nparams; i++)
		if (strcmp(step->params[i].key, "rudi") == 0 &&
		    step->params[i].number.value)
			pause = ev->rudi_pause;
	return pause == (step->report == REPORT_PAUSED);
}

static bool says_status(const struct step *step)
{
	for (size_t i = 0; i < step->nparams; i++)
		if (strcmp(step->params[i].key, "status") == 0)
			return true;
	return false;
}

/* What an adapter without the PDS profile need not know of a message. */
static bool untold(const struct runner *r, const struct param *p,
		   const struct orc_event *ev)
{
	if ((ev->kind != EV_RECV && ev->kind != EV_COMPLETION) ||
	    dut_has_verb(r->dut, "ses_pds_tx_req"))
		return false;
	return (!ev->message_id && strcmp(p->key, "message_id") == 0) ||
	       (!ev->return_code && strcmp(p->key, "return_code") == 0);
}

/* |sure|: what is not told does not fit. */
static bool event_fits(struct runner *r, const struct step *step,
		       const struct orc_event *ev, bool sure)
{
	if (ev->kind != event_kind(step->report))
		return false;
	if (ev->kind == EV_COMPLETION &&
	    ((ev->status == STATUS_OK) != (step->report == REPORT_COMPLETED)))
		return false;
	if (ev->kind == EV_COMPLETION && ev->handle > RUN_SETUP_OP)
		return false;
	if (ev->kind == EV_RECV && ev->status != STATUS_OK &&
	    !says_status(step))
		return false;
	if (ev->kind == EV_PDS_PAUSE && !pause_fits(step, ev))
		return false;
	for (size_t i = 0; i < step->nparams; i++)
		if (!param_fits(r, step, &step->params[i], ev) &&
		    (sure || !untold(r, &step->params[i], ev)))
			return false;
	return of_pdc(r, step, ev);
}

static uint32_t count(struct runner *r, const struct step *step, bool sure)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->nevents; i++)
		n += event_fits(r, step, &r->events[i], sure);
	return n;
}

/* The key in which alone an event is not what the line says, or NULL. */
static const char *only_key(struct runner *r, const struct step *step,
			    const struct orc_event *ev)
{
	const char *key = NULL;

	if (ev->kind != event_kind(step->report) || !of_pdc(r, step, ev))
		return NULL;
	for (size_t i = 0; i < step->nparams; i++) {
		if (param_fits(r, step, &step->params[i], ev))
			continue;
		if (key)
			return NULL;
		key = step->params[i].key;
	}
	return key;
}

/* What a report line found: too many, or one that differs, or none. */
static const char *report_word(struct runner *r, const struct step *step,
			       uint32_t n)
{
	if (n)
		return "count";
	for (size_t i = 0; step->nparams > 1 && i < r->nevents; i++) {
		const char *key = only_key(r, step, &r->events[i]);

		if (key && strcmp(key, step->params[0].key) != 0)
			return key;
	}
	return "missing";
}

/* The length of a line of a case without the ids at its end. */
static int words_of(const char *source)
{
	const char *ids = strrchr(source, '[');
	int n = (int)(ids ? (size_t)(ids - source) : strlen(source));

	while (n > 0 && source[n - 1] == ' ')
		n--;
	return n < 90 ? n : 90;
}

/* Return: a must is broken, and the case does not go on behind it. */
static bool report_failed(struct runner *r, const struct step *step, uint32_t n)
{
	const char *class = report_words[step->report];
	const char *word = report_word(r, step, n);
	struct flaw flaw = {.step = step,
			    .kind = KIND_PROTOCOL,
			    .expected = "",
			    .actual = ""};
	char want[48], text[240], item[BLAME_ITEM];

	snprintf(item, sizeof(item), "%s.%s", class, word);
	flaw.over = over_report(r, step, item);
	if (step->min == step->max)
		snprintf(want, sizeof(want), "%u", step->min);
	else
		snprintf(want, sizeof(want), "%u to %u", step->min, step->max);
	snprintf(text, sizeof(text),
		 "\"%.*s\": seen %u times instead of %s after \"%.60s\"",
		 words_of(step->source), step->source, n, want,
		 run_stimulus(r));
	r->rec->rungs_stepped += flaw.over;
	return run_event(r, &flaw, class, word, text) && !flaw.over;
}

/* Whether a packet of the tester's is what a key of a report names. */
static bool names_packet(struct runner *r, const struct step *step,
			 const struct param *p, const struct scope_psn *psn)
{
	struct packet pkt;
	uint64_t v = 0, id;

	if (strcmp(p->key, "psn") == 0)
		return psn_of(r, step, p, &v) && v == psn->psn;
	if (!number_of(r, p, SPACE_NONE, &v))
		return true;
	if (strcmp(p->key, "pkt_id") == 0)
		return v == psn->psn;
	if (strcmp(p->key, "message_id") != 0)
		return true;
	record_packet(r->rec, &r->rec->recs[psn->first], &pkt);
	return packet_value(&pkt, "message_id", &id) && id == v;
}

/* A device refuses what carries a cause: of that the SES may not hear. */
static bool concerns_cause(struct runner *r, const struct step *step)
{
	for (size_t i = 0; i < r->scope.npsns; i++) {
		const struct scope_psn *p = &r->scope.psns[i];
		bool named = p->cause != NULL;

		for (size_t k = 0; named && k < step->nparams; k++)
			named = names_packet(r, step, &step->params[k], p);
		if (named)
			return true;
	}
	return false;
}

/* Without the channel, or with a minimum adapter, a half is not observed. */
static bool observable(struct runner *r, const struct step *step)
{
	if (!r->dut->control || concerns_cause(r, step))
		return false;
	switch (step->report) {
	case REPORT_COMPLETED:
	case REPORT_FAILED:
	case REPORT_RECEIVED:
	case REPORT_UNRESPONSIVE:
		return true;
	default:
		return dut_has_verb(r->dut, "ses_pds_tx_req");
	}
}

/*
 * What a live device tells late, it may have had no processor for: that is a
 * matter of time.  Return: whether it came after all.
 */
static bool report_late(struct runner *r, const struct step *step, vtime due,
			vspan patience)
{
	const vtime hard = due + LATE_FACTOR * patience;
	char text[160];
	vspan late;

	if (r->dut->virtual)
		return false;
	while (count(r, step, false) < step->min && link_pump(r, hard))
		;
	if (r->stopped || count(r, step, false) < step->min)
		return false;
	late = r->ev.at - due;
	if (late <= 0) /* it waited for the tester */
		return true;
	if (late > r->rec->overdue)
		r->rec->overdue = late;
	snprintf(text, sizeof(text), "\"%.90s\": told %.3f ms late",
		 step->source, (double)late / 1e6);
	run_event(r,
		  &(struct flaw){.step = step,
				 .kind = KIND_TIMING,
				 .expected = "",
				 .actual = ""},
		  report_words[step->report], "late", text);
	return true;
}

enum flow_control control_report(struct runner *r, const struct step *step)
{
	const struct span due = {true, SPAN_ACK_TIME, 1000, 0};
	const struct span *within = step->within.set ? &step->within : &due;
	vspan tolerance;
	const vspan limit = scope_span_late(&r->scope, within, &tolerance);
	vtime until = r->dut->ops->now(r->dut) + limit + tolerance;

	if (!observable(r, step))
		return RUN_ON;
	r->rec->rungs_expected++;
	while (count(r, step, false) < step->min && link_pump(r, until))
		;
	if (!r->stopped && count(r, step, false) < step->min &&
	    report_late(r, step, until, limit + tolerance))
		return r->stopped ? RUN_STOP : RUN_ON;
	if (r->stopped)
		return RUN_STOP;
	if (count(r, step, false) < step->min) {
		if (report_failed(r, step, count(r, step, false)))
			return RUN_STOP;
	} else if (r->nchecks == RUN_CHECKS) {
		run_settle(r, REASON_CASE_WRONG, "line %u: too many reports",
			   step->line);
		return RUN_STOP;
	} else {
		r->checks[r->nchecks].step = step;
		r->checks[r->nchecks++].hand = r->scope.hand;
	}
	return RUN_ON;
}

/* The ROD PDC on which a packet reached the DUT's SES; NULL: none. */
static struct scope_pdc *ordered_pdc(struct runner *r,
				     const struct orc_event *ev)
{
	if (ev->kind != EV_PDS_SES_RX_REQ && ev->kind != EV_PDS_SES_RX_RET)
		return NULL;
	for (uint8_t i = r->scope.npdcs; i-- > 0;)
		if (r->scope.pdcs[i].dpdcid == ev->orig_pdcid)
			return r->scope.pdcs[i].rod ? &r->scope.pdcs[i] : NULL;
	return NULL;
}

/* "exactly once, in the order in which the source SES handed it over" */
void control_event(struct runner *r, const struct orc_event *ev)
{
	static const struct req_ref ref = {.id = REQ_MODE_ROD_1,
					   .role = REQ_DST};
	static const struct step line = {
		.kind = STEP_REPORT, .reqs = &ref, .nreqs = 1};
	const struct flaw flaw = {.step = &line,
				  .kind = KIND_PROTOCOL,
				  .expected = "",
				  .actual = ""};
	char text[160];
	struct scope_pdc *pdc = ordered_pdc(r, ev);
	const uint32_t last = pdc ? pdc->up_psn : 0;
	const bool any = pdc && pdc->up_any;

	if (!pdc || !ev->orig_psn)
		return;
	pdc->up_any = true;
	pdc->up_psn = ev->orig_psn;
	if (!any || serial_after(ev->orig_psn, last)) {
		run_observed(r, &line, false, true);
		return;
	}
	snprintf(text, sizeof(text),
		 "PSN %" PRIu32 " reaches the SES after PSN %" PRIu32
		 " of the same ROD PDC",
		 ev->orig_psn, last);
	run_event(r, &flaw, "delivered", "order", text);
}

void control_checks(struct runner *r)
{
	for (size_t i = 0; i < r->nchecks; i++) {
		const struct step *step = r->checks[i].step;
		uint32_t n;

		r->scope.hand = r->checks[i].hand;
		n = count(r, step, true);

		if (n > step->max) {
			report_failed(r, step, n);
			continue;
		}
		if (r->stopped) /* there might have been more */
			continue;
		r->rec->rungs_matched++;
		run_observed(r, step, false, true);
	}
}
