/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_fabric.c -- rung fabric: many reference endpoints on a network of
 * switches, in virtual time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/fabric/fabric_file.h"
#include "cli/fabric/fabric_print.h"
#include "cli/file/file.h"
#include "cli/mutants.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "oracle/setting.h"
#include "oracle/uet/cc/cc_conf.h"

#define WHO               "rung fabric"
#define FABRIC_CREDIT_MAX 0xffffff /* of credit_init */
#define FABRIC_PATIENCE   2        /* s: a mutant may not return */

struct fabric_options {
	struct fabric_conf conf;
	struct fabric_result result;
	struct fabric_bars bars;
	const char *mutant;
	uint8_t workload, policy, paths, mode;
	bool has_policy, has_paths, json;
};

static int fabric_take_size(const char *who, const char *value,
			    const char *what, uint64_t *ret)
{
	if (fabric_file_size(value, ret) && *ret)
		return 0;
	return cli_usage(who,
			 "--%s takes a size such as 4096, 64k or 1M, not '%s'",
			 what, value);
}

static int fabric_take_bytes(const char *who, void *target, const char *value)
{
	struct fabric_options *o = target;

	return fabric_take_size(who, value, "bytes", &o->conf.load.bytes);
}

static int fabric_take_message(const char *who, void *target, const char *value)
{
	struct fabric_options *o = target;
	uint64_t n;
	int code = fabric_take_size(who, value, "message", &n);

	if (code)
		return code;
	if (n > FABRIC_MESSAGE_MAX)
		return cli_usage(who, "a message has at most 64 MiB");
	o->conf.load.message = (uint32_t)n;
	return 0;
}

/* Sets a setting of the endpoints: NAME=VALUE. */
static int fabric_take_set(const char *who, void *target, const char *value)
{
	struct fabric_options *o = target;
	const size_t len = strcspn(value, "=");
	char name[64];
	int err = ERR_SUPPORT;

	if (!value[len])
		return cli_usage(who, "--set takes NAME=VALUE, not '%s'",
				 value);
	if (len < sizeof(name)) {
		memcpy(name, value, len);
		name[len] = '\0';
		err = setting_put(&o->conf.endpoint, name, value + len + 1);
	}
	if (err == ERR_SUPPORT)
		return cli_usage(who, "the reference has no setting '%.*s'",
				 (int)len, value);
	if (err)
		return cli_usage(who, "'%s' is no value of '%s'",
				 value + len + 1, name);
	return 0;
}

static const struct option_row fabric_rows[] = {
	{0, "FILE", NULL,
	 "the topology as YAML (docs/fabric.md); default: a leaf-spine of 32 "
	 "endpoints, 4 leaves and 8 spines",
	 .kind = OPTION_KIND_OPERAND},
	{0, "workload", "W",
	 "incast: --fan endpoints send to the first one; permutation "
	 "(default): each sends to one other; all-to-all: each sends to the "
	 "--fan after it; all-reduce: a ring",
	 OPTION_CHOICE(struct fabric_options, workload,
		       "permutation incast all-to-all all-reduce")},
	{0, "fan", "N",
	 "senders of an incast, or receivers of each sender of an "
	 "all-to-all (default: all others)",
	 OPTION_NUMBER(struct fabric_options, conf.load.fan, 1,
		       FABRIC_ENDPOINTS_MAX)},
	{0, "bytes", "SIZE",
	 "bytes of a flow, or of the vector of an all-reduce (default 1M)",
	 OPTION_CALL(fabric_take_bytes)},
	{0, "message", "SIZE", "bytes of a write (default 64k)",
	 OPTION_CALL(fabric_take_message)},
	{0, "writes", "N", "writes of a flow at once (default 4)",
	 OPTION_NUMBER(struct fabric_options, conf.load.writes, 1, 1024)},
	{0, "mode", "MODE", "delivery mode: rud (default) or rod",
	 OPTION_CHOICE(struct fabric_options, mode, "rud rod")},
	{0, "cc", "POLICY", "congestion control: nscc (default), rccc or none",
	 OPTION_CHOICE(struct fabric_options, policy, "none nscc rccc"),
	 OPTION_GIVEN(struct fabric_options, has_policy)},
	{0, "spray", "N", "paths of a RUD source; 1: ECMP by flow (default 64)",
	 OPTION_NUMBER(struct fabric_options, conf.endpoint.spray, 1, 256)},
	{0, "paths", "CHOICE",
	 "how it chooses among them: feedback (default), turn or random",
	 OPTION_CHOICE(struct fabric_options, paths, "turn random feedback"),
	 OPTION_GIVEN(struct fabric_options, has_paths)},
	{0, "set", "NAME=VALUE",
	 "a setting of every endpoint, such as nscc_alpha=200",
	 OPTION_CALL(fabric_take_set)},
	OPTION_ROW_MUTANT(struct fabric_options, mutant),
	{0, "least-goodput", "PCT",
	 "fail if the goodput is below PCT % of the ideal",
	 OPTION_NUMBER(struct fabric_options, bars.goodput, 1, 100)},
	{0, "least-fairness", "PCT", "fail if Jain's index is below PCT / 100",
	 OPTION_NUMBER(struct fabric_options, bars.fairness, 1, 100)},
	{0, "most-retransmitted", "PCT",
	 "fail if more than PCT of 100 packets are retransmissions",
	 OPTION_NUMBER(struct fabric_options, bars.retransmitted, 1, 100)},
	OPTION_ROW_SEED(struct fabric_options, conf.seed),
	{0, "judge", "N", "judge the first N endpoints (default: all)",
	 OPTION_NUMBER(struct fabric_options, conf.judged, 0, UINT32_MAX)},
	{0, "until", "T", "end of the run in virtual time (default 10s)",
	 OPTION_TIME(struct fabric_options, conf.until)},
	OPTION_ROW_JSON(struct fabric_options, json),
	OPTION_END};

static const struct option_group fabric_groups[] = {{NULL, fabric_rows, 0},
						    OPTION_GROUPS_END};

/* Reads the topology.  Return: an exit code. */
static int fabric_read(struct fabric_options *o, const char *path)
{
	struct arena a = {0};
	struct diag diag = {.line = 0};
	const char *text;
	size_t len;
	int code = 0, err = file_read(&a, path, &text, &len);

	if (err == ERR_SYS) {
		cli_sys(WHO, path);
		code = EXIT_USAGE;
	} else if (err) {
		code = cli_nomem(WHO);
	} else {
		err = fabric_file_parse(&o->conf.topology, path, text, len,
					&diag);
		if (err)
			code = cli_bad_text(WHO, err, &diag);
	}
	arena_free(&a);
	return code;
}

static void fabric_choose(struct fabric_options *o)
{
	static const enum fabric_workload workloads[] = {
		FABRIC_PERMUTATION, FABRIC_INCAST, FABRIC_ALL_TO_ALL,
		FABRIC_ALL_REDUCE};
	struct orc_conf *e = &o->conf.endpoint;

	o->conf.load.kind = workloads[o->workload];
	o->conf.load.mode = o->mode ? OP_ROD : OP_RUD;
	if (o->has_policy)
		e->cc_policy = (enum orc_cc_policy)o->policy;
	if (o->has_paths)
		e->path_choice = (enum orc_path_choice)o->paths;
	if (e->cc_policy == ORC_POLICY_RCCC)
		e->cc = ORC_CC_CREDIT;
}

/* Sets the first credit of RCCC: what NSCC's first window is. */
static void fabric_credit(struct orc_conf *e)
{
	uint64_t units;

	if (e->cc_policy != ORC_POLICY_RCCC || e->credit_init ||
	    !e->credit_unit) /* fabric_run refuses a unit of 0 */
		return;
	units = (uint64_t)cc_conf_bytes(e, e->base_rtt) * e->nscc_max_window /
		100 / e->credit_unit;
	e->credit_init =
		units < FABRIC_CREDIT_MAX ? (uint32_t)units : FABRIC_CREDIT_MAX;
}

static int fabric_show(const struct fabric_options *o)
{
	struct text t = {0};

	if (o->json)
		return cli_put_json(
			WHO, fabric_json(&o->conf, &o->bars, &o->result));
	fabric_text(&t, &o->conf, &o->result);
	fabric_missed(&t, &o->bars, &o->result);
	return cli_put_text(WHO, &t);
}

static bool fabric_misses(const struct fabric_options *o)
{
	struct text t = {0};
	const unsigned n = fabric_missed(&t, &o->bars, &o->result);

	text_free(&t);
	return n;
}

static int fabric_verdict(const struct fabric_options *o)
{
	const struct fabric_result *r = &o->result;

	if (cli_interrupted())
		return EXIT_INTERRUPTED;
	if (r->findings || fabric_misses(o))
		return EXIT_FAILED;
	return r->complete == r->flows ? EXIT_PASSED : EXIT_INCONCLUSIVE;
}

/* Prints why a configuration is impossible.  Return: an exit code. */
static int fabric_refuse(const char *path, const char *why)
{
	if (!path)
		return cli_usage(WHO, "%s", why);
	cli_remark(WHO, path, "%s", why);
	return EXIT_USAGE;
}

static int fabric_start(struct fabric_options *o, const char *path)
{
	const char *why;
	int err, code = path ? fabric_read(o, path) : 0;

	if (code)
		return code;
	fabric_choose(o);
	why = fabric_check(&o->conf);
	if (why)
		return fabric_refuse(path, why);
	fabric_complete(&o->conf);
	if (o->conf.endpoint.base_rtt > CC_BASE_RTT_MAX)
		return fabric_refuse(path, "the base RTT must not exceed 1 s");
	fabric_credit(&o->conf.endpoint);
	o->conf.stop = cli_interrupts_within(FABRIC_PATIENCE);
	err = fabric_run(&o->conf, &o->result);
	if (err == ERR_VALUE)
		return cli_usage(WHO, "these settings do not go together");
	if (err == ERR_STATE) {
		fprintf(stderr,
			"%s: an endpoint loops: its deadline does not "
			"pass\n",
			WHO);
		return EXIT_HARNESS;
	}
	if (err)
		return cli_nomem(WHO);
	code = fabric_show(o);
	return code ? code : fabric_verdict(o);
}

static int cmd_fabric(int argc, char **argv)
{
	struct fabric_options *o = memory_calloc(1, sizeof(*o));
	struct operands files;
	int code;

	if (!o)
		return cli_nomem(WHO);
	fabric_default(&o->conf);
	code = option_read(&command_fabric, argc, argv, o, &files);
	if (code < 0 && files.n > 1)
		code = cli_usage(WHO, "one topology at a time");
	if (code < 0 && o->mutant) {
		code = mutant_load(WHO, o->mutant, &o->conf.api);
		if (!code)
			code = -1;
	}
	if (code < 0) {
		privilege_confine();
		code = fabric_start(o, files.n ? files.at[0] : NULL);
	}
	free(o);
	return code;
}

const struct command command_fabric = {
	.name = "fabric",
	.what = "run many reference endpoints on a network of switches",
	.usage = "[OPTION...] [FILE]",
	.about =
		"Runs reference endpoints of UET in virtual time on a network "
		"of switches with queues, ECN, trimming, ECMP by entropy value "
		"and failures, judges every packet at both ends, and prints "
		"completion times, goodput and fairness. The same options and "
		"seed give the same result.",
	.groups = fabric_groups,
	.exits = "Exit codes: 0 all flows are complete and there is no "
		 "finding, 1 at least one finding, or a bar is missed, 2 usage "
		 "or configuration, 3 "
		 "a flow failed or is not complete, 5 harness error, 130 "
		 "interrupted.",
	.run = cmd_fabric,
};
