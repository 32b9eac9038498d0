/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_verbs.c -- the verbs profile in a case: queue pairs,
 * address handles, work requests, and the comparison of their answers and
 * events.
 */
#include "suite/run/control/run_verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "base/word.h"
#include "suite/dut/ctl/ctl_words.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_over.h"
#include "suite/run/control/run_memory.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

/* Sets both ends of an RC connection, and both first PSNs. */
static void connection(struct runner *r, struct orc_op *op)
{
	op->vb.dest_qp = r->decl->wqe_qpn;
	op->vb.rq_psn = r->scope.pdc->tx_next & SERIAL24_MASK;
	op->vb.sq_psn = r->scope.pdc->rx_next & SERIAL24_MASK;
}

/* Sets what WRs and QPs need and the line omits. */
void verbs_defaults(struct runner *r, struct orc_op *op)
{
	if (suite_families[r->rec->family]->connected) {
		if (op->kind == OP_MODIFY_QP)
			connection(r, op);
		return;
	}
	op->vb.qkey = r->decl->srd_qkey;
	if (op->kind == OP_POST_SEND) {
		op->vb.dest_qp = r->decl->srd_qpn;
		op->key = 0;
	}
	if (op->kind == OP_MODIFY_QP)
		op->peer = (struct ip_addr){0};
}

bool verbs_has_handle(enum op_kind kind)
{
	return kind < OP_CREATE_QP || kind > OP_DESTROY_AH;
}

/* Binds the symbol to the number that the device gave to the new object. */
static bool run_verbs_bind(struct runner *r, const struct step *step,
			   const char *key, uint64_t v)
{
	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];

		if (strcmp(p->key, key) == 0 && p->number.symbol)
			return !scope_bind(&r->scope, p->number.symbol, v);
	}
	return true;
}

static enum flow_control run_verbs_made(struct runner *r,
					const struct step *step)
{
	const struct op_result *got = &r->answer.result;
	const bool qp = r->ctl.op.kind == OP_CREATE_QP;

	if (qp)
		r->scope.qpn = got->qpn;
	if (run_verbs_bind(r, step, qp ? "qpn" : "ah", qp ? got->qpn : got->ah))
		return RUN_ON;
	run_settle(r, REASON_CASE_WRONG, "line %u: too many symbols",
		   step->line);
	return RUN_STOP;
}

/* Reports a wrong answer of a verb; its item is post.WORD. */
static enum flow_control said_wrong(struct runner *r, const struct step *step,
				    const char *word, const char *want,
				    const char *got, const char *what)
{
	struct flaw flaw = {.step = step,
			    .kind = KIND_PROTOCOL,
			    .expected = want,
			    .actual = got};
	char text[200], item[BLAME_ITEM];
	bool must;

	snprintf(text, sizeof(text), "%.120s is %s instead of %s", what, got,
		 want);
	snprintf(item, sizeof(item), "post.%s", word);
	flaw.over = over_answer(r, item);
	must = run_event(r, &flaw, "post", word, text);
	r->rec->rungs_stepped += flaw.over != OVER_NOT;
	if (must && !flaw.over)
		return RUN_STOP;
	return RUN_ON;
}

static enum flow_control state_told(struct runner *r, const struct step *step)
{
	const char *want = ctl_qp_state_name(r->ctl.op.vb.state);
	const char *got = ctl_qp_state_name(r->answer.result.state);

	r->rec->rungs_expected++;
	if (strcmp(want, got) != 0) {
		return said_wrong(r, step, "state", want, got,
				  "the state of the QP");
	}
	r->rec->rungs_matched++;
	run_observed(r, step, false, true);
	return RUN_ON;
}

static enum flow_control refusal(struct runner *r, const struct step *step)
{
	r->rec->rungs_expected++;
	if (r->answer.ok) {
		return said_wrong(r, step, "refused", "refused", "ok",
				  step->source);
	}
	r->rec->rungs_matched++;
	run_observed(r, step, false, true);
	return RUN_ON;
}

/* Returns true if a QP starts again, or ends: a new one may have its number. */
static bool run_verbs_ends_qp(const struct orc_op *op)
{
	return op->kind == OP_DESTROY_QP ||
	       (op->kind == OP_MODIFY_QP && op->vb.state == QP_RESET);
}

/*
 * Makes the judges forget the connection of such a QP: its numbers begin anew,
 * which no packet shows.
 */
static void run_verbs_reset(struct runner *r)
{
	if (!run_verbs_ends_qp(&r->ctl.op) ||
	    !suite_families[r->rec->family]->connected)
		return;
	judge_reset(r->judge);
	if (!r->conf->trusts_tester)
		judge_reset(r->mirror);
}

static void run_verbs_note_rtr(struct scope *s, const struct orc_op *op)
{
	if (op->kind != OP_MODIFY_QP || op->vb.state != QP_RTR)
		return;
	s->rq_begun = true;
	s->rq_start = op->vb.rq_psn;
}

enum flow_control verbs_answered(struct runner *r, const struct step *step)
{
	const enum op_kind kind = r->ctl.op.kind;

	if (step->refused)
		return refusal(r, step);
	if (!r->answer.ok)
		return RUN_ON;
	run_verbs_reset(r);
	run_verbs_note_rtr(&r->scope, &r->ctl.op);
	if (kind == OP_CREATE_QP || kind == OP_CREATE_AH)
		return run_verbs_made(r, step);
	if (kind == OP_QUERY_QP && step->nreqs)
		return state_told(r, step);
	return RUN_ON;
}

/* Compares the line with the device's answer. */
static enum flow_control run_verbs_told(struct runner *r,
					const struct step *step,
					const char *word, const char *what,
					const char *want, const char *got)
{
	r->rec->rungs_expected++;
	if (strcmp(want, got) != 0)
		return said_wrong(r, step, word, want, got, what);
	r->rec->rungs_matched++;
	run_observed(r, step, false, true);
	return RUN_ON;
}

enum flow_control verbs_digest(struct runner *r, const struct step *step)
{
	char want[24], got[24];
	uint32_t digest;
	int err = memory_digest(r, step, &digest);

	if (err == ERR_VALUE) {
		run_settle(r, REASON_CASE_WRONG,
			   "%s:%u: the tester did not send so many packets",
			   step->file, step->line);
		return RUN_STOP;
	}
	if (err) {
		run_settle(r, REASON_MEMORY, "memory ran out");
		return RUN_STOP;
	}
	snprintf(want, sizeof(want), "0x%08x", (unsigned)digest);
	snprintf(got, sizeof(got), "0x%08x", (unsigned)r->answer.digest);
	return run_verbs_told(r, step, "digest", "the digest of the memory",
			      want, got);
}

/* Finds the value of a counter in the answer; false if there is none. */
static bool counter(const struct runner *r, const char *key, char *ret,
		    size_t size)
{
	const char *s = r->answer.stats;
	const size_t n = strlen(key);
	size_t digits;

	while ((s = strstr(s, key)) && (s[-1] != '"' || s[n] != '"'))
		s++;
	if (!s || s[n + 1] != ':')
		return false;
	digits = strspn(s + n + 2, "0123456789");
	snprintf(ret, size, "%.*s", (int)digits, s + n + 2);
	return true;
}

enum flow_control verbs_stats(struct runner *r, const struct step *step)
{
	char want[24], got[24];

	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];
		uint64_t v = 0;

		if (!counter(r, p->key, got, sizeof(got)))
			continue;
		scope_number(&r->scope, &p->number, SPACE_NONE, &v);
		snprintf(want, sizeof(want), "%" PRIu64, v);
		if (run_verbs_told(r, step, p->key, p->key, want, got) ==
		    RUN_STOP)
			return RUN_STOP;
	}
	return RUN_ON;
}

int verbs_event_fits(const struct orc_event *ev, const char *key, uint64_t v)
{
	if (word_same(key, "status"))
		return ev->status == v;
	if (word_same(key, "qpn"))
		return ev->qpn == v;
	if (word_same(key, "src_qp"))
		return ev->src_qp == v;
	if (word_same(key, "imm"))
		return ev->with_imm && ev->imm == v;
	if (word_same(key, "ah"))
		return ev->ah == v;
	return -1;
}
