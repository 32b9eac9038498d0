/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/control/run_configure.c -- executes the "configure" lines of a
 * case.
 */
#include "suite/run/control/run_configure.h"

#include <string.h>

#include "oracle/oracle.h"
#include "suite/decl/capability.h"
#include "suite/dut/ctl/ctl_words.h"
#include "suite/dut/dut.h"
#include "suite/run/control/run_request.h"
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
 * Returns true if a device without "configure" always behaves as configured:
 * its ACKs are ACK_CC.
 */
static bool claims_it(const struct runner *r, const struct param *p)
{
	return strcmp(p->key, "ack_type") == 0 &&
	       p->number.value == ORC_ACK_CC && !p->number.symbol &&
	       decl_claims(r->decl, "ack_cc");
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
		const char *why = cannot_have(r, p);
		uint64_t v = 0;

		if (why && claims_it(r, p))
			continue;
		if (why) {
			run_settle(r, REASON_UNCONFIGURABLE, "line %u: %s",
				   step->line, why);
			return RUN_STOP;
		}
		run_request_begin(r, OP_CONFIGURE);
		while (r->ctl.op.setting < SETTING_COUNT &&
		       strcmp(ctl_setting_name(r->ctl.op.setting), p->key) != 0)
			r->ctl.op.setting++;
		if (p->span.set)
			v = (uint64_t)scope_span(&r->scope, &p->span, NULL);
		else
			run_request_number(r, p, SPACE_NONE, &v);
		r->ctl.op.value = v;
		if (run_request(r, step) == RUN_STOP)
			return RUN_STOP;
		run_control_declare(r, r->ctl.op.setting, v);
	}
	return RUN_ON;
}
