/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_run.c -- runs a case against a device of callbacks, for rung.h.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "lib/lib_device.h"
#include "lib/lib_finding.h"
#include "lib/rung.h"
#include "suite/decl/decl.h"
#include "suite/decl/decl_parse.h"
#include "suite/lang/builtin.h"
#include "suite/lang/case_parse.h"
#include "suite/run/run.h"

const char *rung_case(const char *id)
{
	const struct case_file *f;
	char name[200];

	snprintf(name, sizeof(name), "%s.lad", id);
	f = builtin_find(name);
	if (f)
		return f->text;
	return NULL;
}

static void lib_result(struct rung_result *ret, const struct record *rec)
{
	snprintf(ret->verdict, sizeof(ret->verdict), "%s",
		 verdict_name(rec->verdict));
	snprintf(ret->reason, sizeof(ret->reason), "%s", rec->reason);
	ret->expected = rec->rungs_expected;
	ret->matched = rec->rungs_matched;
	ret->nfindings = (unsigned)rec->nfindings;
	for (size_t i = 0; i < rec->nfindings && i < RUNG_FINDINGS; i++) {
		const struct rec_finding *f = &rec->findings[i];
		struct rung_finding *to = &ret->findings[i];

		lib_finding(to, f->req, f->role, f->frame);
		ip_addr_print(&rec->dut, to->side);
		snprintf(to->text, sizeof(to->text), "%s", f->text);
		snprintf(to->expected, sizeof(to->expected), "%s", f->expected);
		snprintf(to->actual, sizeof(to->actual), "%s", f->actual);
	}
}

static int lib_run(const struct rung_device *device, const struct test_case *c,
		   enum chair chair, const struct decl *decl, uint64_t seed,
		   struct rung_result *ret)
{
	const struct run_conf conf = {.decl = decl, .seed = seed};
	struct record rec = {0};
	struct runner *r;
	struct dut *dut;
	int err = lib_device_new(&dut, device, c->family);

	if (err)
		return err;
	err = runner_new(&r, dut, decl);
	if (!err) {
		err = run_case(r, c, chair, &conf, &rec);
		if (!err)
			lib_result(ret, &rec);
		record_free(&rec);
		runner_free(r);
	}
	dut->ops->free(dut);
	return err;
}

int rung_run(const struct rung_device *device, const char *text,
	     const char *chair, const char *declaration, uint64_t seed,
	     struct rung_result *ret)
{
	const struct case_source source = {.id = "case",
					   .path = "case",
					   .text = text,
					   .len = strlen(text)};
	const char *claims = declaration ? declaration : decl_reference;
	struct test_case *c = NULL;
	struct decl *decl = NULL;
	struct diag diag = {0};
	int err;

	memset(ret, 0, sizeof(*ret));
	err = case_parse(&c, &source, cases_builtin, NULL, &diag);
	if (!err)
		err = decl_parse(&decl, "declaration", claims, strlen(claims),
				 &diag);
	if (err)
		snprintf(ret->reason, sizeof(ret->reason), "%.40s:%u: %.255s",
			 diag.file, diag.line, diag.text);
	else if (strcmp(chair, "target") == 0)
		err = lib_run(device, c, CHAIR_TARGET, decl, seed, ret);
	else if (strcmp(chair, "initiator") == 0)
		err = lib_run(device, c, CHAIR_INITIATOR, decl, seed, ret);
	else
		err = RUNG_VALUE;
	if (decl)
		decl_free(decl);
	if (c)
		case_free(c);
	return err;
}
