/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_configure.c -- executes the "configure" lines of a
 * case.
 */
#include "suite/run/control/run_configure.h"

#include <inttypes.h>
#include <string.h>

#include "base/word.h"
#include "oracle/oracle.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_setting.h"
#include "suite/dut/ctl/ctl_words.h"
#include "suite/dut/dut.h"
#include "suite/run/control/run_request.h"
#include "suite/run/link/run_start.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope_span.h"
#include "suite/verdict/space.h"
#include "wire/uet/uet_pds.h"

/* Passes the setting on to the judge. */
static void run_control_declare(struct runner *r, enum orc_setting setting,
				uint64_t v)
{
	struct judge_conf *conf = &r->declared;

	switch (setting) {
	case SETTING_rto_init:
		conf->rto_init = (vspan)v;
		conf->rto_tolerance = run_rto_tolerance(r->decl, (vspan)v);
		break;
	case SETTING_rto_max:
		conf->rto_max = (vspan)v;
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
	case SETTING_dscp_bulk:
		conf->dscp_bulk = (uint8_t)v;
		break;
	case SETTING_cc:
		conf->credit = v == ORC_CC_CREDIT;
		break;
	case SETTING_credit_unit:
		conf->credit_unit = (uint32_t)v;
		break;
	case SETTING_credit_init:
		conf->credit_init = (uint32_t)v;
		conf->credit_init_known = true;
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
	case SETTING_cc_policy:
		r->window_moves &= v != ORC_POLICY_NONE;
		return;
	default:
		return;
	}
	judge_declare(r->judge, conf);
}

/*
 * Returns true if a device without "configure" is as configured anyway, as its
 * declaration says.
 */
static bool is_so_declared(const struct runner *r, enum orc_setting setting,
			   uint64_t v)
{
	uint64_t declared;

	if (setting == SETTING_native)
		return r->dut->link.native == (v != 0);
	return decl_setting_find(r->decl, setting, &declared) && declared == v;
}

/*
 * Returns true for a setting that the tester brings about by its packets: the
 * encapsulation of a target that answers in kind, and the first PSN of a PDC.
 */
static bool is_provoked(struct runner *r, enum orc_setting setting, uint64_t v)
{
	if (setting == SETTING_native && r->dut->frames &&
	    r->rec->chair == CHAIR_TARGET &&
	    decl_claims(r->decl, "native.both")) {
		run_control_declare(r, setting, v);
		return true;
	}
	if (setting != SETTING_start_psn ||
	    !decl_claims(r->decl, "new_start_psn") || r->dut->bridged)
		return false;
	start_want(r, (uint32_t)v);
	return true;
}

/*
 * Returns true for a setting that only makes the window of a case small.  A
 * device that claims a window of its own keeps its rate and its law: the check
 * lines of such a case compare its flights with each other.  A case that
 * configures the largest window counts on its number.
 */
static bool is_of_own_law(const struct runner *r, const struct step *step,
			  enum orc_setting setting)
{
	const bool target = r->rec->chair == CHAIR_TARGET;

	if (!decl_claims(r->decl, target ? "window.return" : "window"))
		return false;
	for (size_t i = 0; i < step->nparams; i++)
		if (strcmp(step->params[i].key, "nscc_max_window") == 0)
			return false;
	return setting == SETTING_cc_policy || setting == SETTING_link_rate ||
	       setting == SETTING_base_rtt || setting == SETTING_nscc_qa_gate;
}

/* Returns why a setting is not available here, or NULL. */
static const char *cannot_have(const struct runner *r, const struct param *p)
{
	if (!r->dut->control || !dut_has_verb(r->dut, "configure"))
		return "the device cannot be configured";
	if (strcmp(p->key, "native") == 0 && !r->dut->frames)
		return "this link has UDP sockets at both ends";
	return NULL;
}

static enum orc_setting setting_of(const struct param *p)
{
	uint64_t setting;

	if (value_parse(ctl_settings, p->key, strlen(p->key), &setting))
		return SETTING_COUNT;
	return (enum orc_setting)setting;
}

/*
 * Executes a configure line.  A choice that the specification leaves open is
 * configured in the reference only.
 */
enum flow_control control_configure(struct runner *r, const struct step *step)
{
	if (order_await(r) == RUN_STOP)
		return RUN_STOP;
	for (size_t i = 0; i < step->nparams; i++) {
		const struct param *p = &step->params[i];
		const enum orc_setting setting = setting_of(p);
		const char *why = cannot_have(r, p);
		uint64_t v = 0;

		if (p->span.set)
			v = (uint64_t)scope_span(&r->scope, &p->span, NULL);
		else
			run_request_number(r, p, SPACE_NONE, &v);
		if (why && is_so_declared(r, setting, v)) {
			run_control_declare(r, setting, v);
			continue;
		}
		if (why && (is_provoked(r, setting, v) ||
			    is_of_own_law(r, step, setting)))
			continue;
		if (why) {
			run_settle(r, REASON_UNCONFIGURABLE,
				   "line %u: %s (%s=%" PRIu64 ")", step->line,
				   why, p->key, v);
			return RUN_STOP;
		}
		run_request_begin(r, OP_CONFIGURE);
		r->ctl.op.setting = setting;
		r->ctl.op.value = v;
		if (run_request(r, step) == RUN_STOP)
			return RUN_STOP;
		run_control_declare(r, setting, v);
	}
	return RUN_ON;
}
