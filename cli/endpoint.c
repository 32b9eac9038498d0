/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/endpoint.c -- makes the configuration of the reference endpoint from a
 * declaration, and the declaration for which the reference runs.
 *
 * On a real link the built-in declaration gets slower timers and wider
 * tolerances, so that the device is not blamed for a delay by the scheduler.
 */
#include "cli/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/file/file.h"
#include "oracle/setting.h"
#include "suite/decl/decl_check.h"
#include "suite/decl/decl_parse.h"
#include "suite/decl/decl_setting.h"
#include "suite/transport.h"

#define MPR_UNIT       128 /* PSNs */
#define LIVE_SCALE     8
#define LIVE_TOLERANCE (100 * VSPAN_MS)

void endpoint_conf(struct orc_conf *ret, const struct decl *d,
		   enum family family, struct ip_addr addr)
{
	orc_conf_default(ret);
	ret->family = family;
	ret->addr = addr;
	/* The declared MTU is that of the families that the device claims. */
	if (decl_speaks(d, family))
		ret->mtu = (uint16_t)d->mtu;
	ret->version = d->uet;
	ret->dscp_data = d->dscp_data;
	ret->dscp_control = d->dscp_control;
	ret->dscp_bulk = d->dscp_bulk;
	ret->dscp_trimmed = d->dscp_trimmed;
	ret->dscp_trimmed_lasthop = d->dscp_trimmed_lasthop;
	ret->crc = d->crc;
	if (d->crc_be)
		ret->crc_order = CRC_BE;
	else
		ret->crc_order = CRC_LE;
	ret->icrc = d->icrc;
	ret->max_ack_data = d->max_ack_data;
	ret->max_stored = d->stored;
	ret->mpr = (uint8_t)(d->mp_range / MPR_UNIT);
	if (ret->mpr)
		ret->default_mpr = ret->mpr;
	else
		ret->override_mpr_zero = d->mp_range;
	ret->rto_init = d->rto.value;
	ret->rto_max = d->rto_max.value;
	ret->close_idle = d->close_idle.value;
	ret->nack_retx_time = d->nack_time.value;
	ret->pds_clear_time = d->clear_time.value;
	ret->max_rto_retx = d->max_rto_retx;
	ret->max_nack_retx = d->max_nack_retx;
	ret->job_id = d->job_id;
	ret->pid_on_fep = d->pid_on_fep;
	ret->resource_index = d->resource_index;
	ret->ri_generation = d->ri_generation;
	ret->initiator = d->initiator;
	for (const struct decl_setting *c = d->settings; c; c = c->next)
		setting_set(ret, c->setting, c->value);
	if (suite_families[family]->endpoint)
		suite_families[family]->endpoint(ret, d);
}

/*
 * A shared machine may delay the reference by milliseconds.  So the reference
 * there has slow timers and wide tolerances, and is not blamed for the
 * scheduler.
 */
static void slow_down(struct decl *d)
{
	struct decl_time *const times[] = {&d->rto,          &d->nack_time,
					   &d->ack_time,     &d->clear_time,
					   &d->unresponsive, &d->path_time};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		times[i]->value *= LIVE_SCALE;
		times[i]->tolerance = LIVE_TOLERANCE;
	}
}

int endpoint_decl(const char *who, const char *path,
		  const struct variants *variants, bool live, struct decl **ret)
{
	const char *text = decl_reference;
	size_t len = strlen(decl_reference);
	struct diag diag = {0};
	struct arena a = {0};
	struct text changed = {0};
	int err = 0, code = 0;

	if (path)
		err = file_read(&a, path, &text, &len);
	if (err == ERR_SYS)
		diag_set(&diag, path, 0, 0, NULL, "%s", strerror(errno));
	if (!err && variants && (*variants->declares || *variants->without)) {
		variants_decl(variants, text, &changed);
		err = text_err(&changed);
		text = text_cstr(&changed);
		len = changed.len;
	}
	if (!err)
		err = decl_parse(ret, text_or(path, "(reference)"), text, len,
				 &diag);
	if (err)
		code = cli_bad_text(who, err, &diag);
	else if (!path && live)
		slow_down(*ret);
	text_free(&changed);
	arena_free(&a);
	return code;
}

void endpoint_fill_ids(struct decl *d)
{
	d->job_id = 0x9a3c51;
	d->pid_on_fep = 0xb07;
	d->resource_index = 0xd2e;
	d->ri_generation = 0xe5;
	d->initiator = 0xc0ffee01;
	d->memory_key = 0x9abcdef012345678;
	d->memory_offset = 0x8000000000010;
	d->rkey = 0x89abcdef;
	d->srd_qpn = 0x912345;
	d->srd_qkey = 0x81223344;
	d->wqe_qpn = 0x9f0e43;
}
