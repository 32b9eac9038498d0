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
#include "cli/fabric/fabric_live.h"
#include "cli/fabric/fabric_print.h"
#include "cli/fabric/fabric_svg.h"
#include "cli/file/file.h"
#include "cli/file/large.h"
#include "cli/isolated/run_isolated.h"
#include "cli/mutants.h"
#include "cli/option/dut_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "oracle/setting.h"
#include "oracle/uet/cc/cc_conf.h"

#define WHO               "rung fabric"
#define FABRIC_CREDIT_MAX 0xffffff /* of credit_init */
#define FABRIC_PATIENCE   2        /* s: a mutant may not return */

/* Credit counts these bytes at least beyond the payload: UDP, PDS and SES. */
#define FABRIC_HEADERS   64
#define FABRIC_SETS      64
#define FABRIC_LIVE_TIME (60 * VSPAN_S)

struct fabric_options {
	struct fabric_conf conf;
	struct fabric_result result;
	struct fabric_bars bars;
	struct fabric_live_conf live;
	struct fabric_live_result live_result;
	const char *sets[FABRIC_SETS]; /* the arguments of --set */
	size_t nsets;
	uint8_t workload, policy, paths, mode, family;
	bool has_workload, has_policy, has_paths, has_spray, has_rto, has_until,
		has_endpoints;
	bool is_live, json;
	const char *svg;
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

static const char rto_wrong[] = "the RTO (--rto) must be at most rto_max";

static bool fabric_rto_fits(const struct orc_conf *conf)
{
	return conf->rto_init <= conf->rto_max;
}

/* Sets a setting of an endpoint: NAME=VALUE. */
static int fabric_set(const char *who, struct orc_conf *conf, const char *value)
{
	const size_t len = strcspn(value, "=");
	struct text expected = {0};
	int err = ERR_SUPPORT;
	char name[64];

	if (!value[len])
		return cli_usage(who, "--set takes NAME=VALUE, not '%s'",
				 value);
	if (len < sizeof(name)) {
		memcpy(name, value, len);
		name[len] = '\0';
		err = setting_put(conf, name, value + len + 1);
	}
	if (err == ERR_SUPPORT)
		return cli_usage(who, "the reference has no setting '%.*s'",
				 (int)len, value);
	if (!err)
		return 0;
	setting_expects(&expected, name);
	err = cli_usage(who, "'%s' is no value of '%s'; expected %s",
			value + len + 1, name, text_cstr(&expected));
	text_free(&expected);
	return err;
}

static int fabric_take_set(const char *who, void *target, const char *value)
{
	struct fabric_options *o = target;

	if (o->nsets == FABRIC_SETS)
		return cli_usage(who, "--set stands more than %d times",
				 FABRIC_SETS);
	o->sets[o->nsets++] = value;
	return fabric_set(who, &o->conf.endpoint, value);
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
		       "permutation incast all-to-all all-reduce"),
	 OPTION_GIVEN(struct fabric_options, has_workload)},
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
	{0, "writes", "N", "outstanding writes of a flow (default 4)",
	 OPTION_NUMBER(struct fabric_options, conf.load.writes, 1, 1024)},
	{0, "family", "F",
	 "the transport: uet (default) or srd, whose messages are one packet "
	 "each, without congestion control",
	 OPTION_CHOICE(struct fabric_options, family, "uet srd")},
	{0, "mode", "MODE", "delivery mode: rud (default) or rod",
	 OPTION_CHOICE(struct fabric_options, mode, "rud rod")},
	{0, "cc", "POLICY", "congestion control: nscc (default), rccc or none",
	 OPTION_CHOICE(struct fabric_options, policy, "none nscc rccc"),
	 OPTION_GIVEN(struct fabric_options, has_policy)},
	{0, "spray", "N", "paths of a RUD source; 1: ECMP by flow (default 64)",
	 OPTION_NUMBER(struct fabric_options, conf.endpoint.spray, 1, 256),
	 OPTION_GIVEN(struct fabric_options, has_spray)},
	{0, "paths", "CHOICE",
	 "how a source chooses among its paths: feedback (default), turn or "
	 "random",
	 OPTION_CHOICE(struct fabric_options, paths, "turn random feedback"),
	 OPTION_GIVEN(struct fabric_options, has_paths)},
	{0, "rto", "T",
	 "RTO_Init_Time of every endpoint, doubled by each time-out of a "
	 "packet (default 1ms; with --live that of the declaration)",
	 OPTION_TIME(struct fabric_options, conf.endpoint.rto_init),
	 OPTION_GIVEN(struct fabric_options, has_rto)},
	{0, "set", "NAME=VALUE",
	 "a setting of every endpoint, such as nscc_alpha=200",
	 OPTION_CALL(fabric_take_set)},
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
	{0, "until", "T",
	 "end of the run (default 10s of virtual time; with --live 60s)",
	 OPTION_TIME(struct fabric_options, conf.until),
	 OPTION_GIVEN(struct fabric_options, has_until)},
	OPTION_ROW_STRICT(struct fabric_options, conf.strict),
	{0, "svg", "FILE",
	 "draw completion times, rates, goodput, retransmissions and queues, "
	 "as SVG",
	 OPTION_FILE(struct fabric_options, svg)},
	OPTION_ROW_JSON(struct fabric_options, json),
	OPTION_END};

static const struct option_row live_rows[] = {
	{0, "live", NULL,
	 "put reference endpoints around one device in real time: they write "
	 "to it (incast), and it writes to them as well (all-to-all, the "
	 "default)",
	 OPTION_FLAG(struct fabric_options, is_live)},
	{0, "endpoints", "N",
	 "reference endpoints (default 8); they take the addresses after the "
	 "tester's",
	 OPTION_NUMBER(struct fabric_options, live.endpoints, 1,
		       FABRIC_LIVE_MAX),
	 OPTION_GIVEN(struct fabric_options, has_endpoints)},
	OPTION_END};

static const struct option_group fabric_groups[] = {
	{NULL, fabric_rows, 0},
	{"Around a device", live_rows, 0},
	{"The device, and bugs in the endpoints", dut_rows,
	 offsetof(struct fabric_options, live.setup)},
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
	o->conf.load.family = o->family ? FAMILY_SRD : FAMILY_UET;
	e->srd_paths = e->spray;
	if (o->has_policy)
		e->cc_policy = (enum orc_cc_policy)o->policy;
	if (o->has_paths)
		e->path_choice = (enum orc_path_choice)o->paths;
	if (e->cc_policy == ORC_POLICY_RCCC)
		e->cc = ORC_CC_CREDIT;
}

/*
 * Sets the first credit of RCCC: what NSCC's first window is, and a packet at
 * least.  Without credit for a packet no source could ever send.
 *
 * Return: false if a given credit is less than a packet.
 */
static bool fabric_credit(struct orc_conf *e)
{
	const uint64_t packet = e->mtu + FABRIC_HEADERS;
	uint64_t units;

	if (e->cc_policy != ORC_POLICY_RCCC ||
	    !e->credit_unit) /* fabric_run refuses a unit of 0 */
		return true;
	if (e->credit_init)
		return (uint64_t)e->credit_init * e->credit_unit >= packet;
	units = (uint64_t)cc_conf_bytes(e, e->base_rtt) * e->nscc_max_window /
		100 / e->credit_unit;
	if (units * e->credit_unit < 2 * packet)
		units = 2 * packet / e->credit_unit + 1;
	e->credit_init =
		units < FABRIC_CREDIT_MAX ? (uint32_t)units : FABRIC_CREDIT_MAX;
	return true;
}

static int fabric_draw(const struct fabric_options *o)
{
	struct text t = {0};
	int code;

	fabric_svg(&t, &o->conf, &o->result);
	code = cli_write(WHO, o->svg, &t);
	text_free(&t);
	return code;
}

static int fabric_show(const struct fabric_options *o)
{
	struct text t = {0};
	const int code = o->svg ? fabric_draw(o) : 0;

	if (code)
		return code;
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
	if (!fabric_credit(&o->conf.endpoint))
		return fabric_refuse(
			NULL, "the first credit (credit_init x credit_unit) "
			      "is less than a packet");
	if (!fabric_rto_fits(&o->conf.endpoint))
		return cli_usage(WHO, "%s", rto_wrong);
	code = cli_can_write(WHO, o->svg);
	if (code)
		return code;
	o->conf.stop = cli_interrupts_within(FABRIC_PATIENCE);
	large_heap((size_t)fabric_endpoints(&o->conf.topology) *
		   FABRIC_ENDPOINT_BYTES);
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

/* ---- Around a device ---- */

/* Changes what a device's declaration says about an endpoint. */
static int fabric_adjust(void *ctx, struct orc_conf *conf)
{
	const struct fabric_options *o = ctx;
	int code = 0;

	if (o->has_policy)
		conf->cc_policy = (enum orc_cc_policy)o->policy;
	if (conf->cc_policy == ORC_POLICY_RCCC)
		conf->cc = ORC_CC_CREDIT;
	if (o->has_paths)
		conf->path_choice = (enum orc_path_choice)o->paths;
	if (o->has_spray)
		conf->spray = o->conf.endpoint.spray;
	if (o->has_rto)
		conf->rto_init = o->conf.endpoint.rto_init;
	for (size_t i = 0; i < o->nsets && !code; i++)
		code = fabric_set(WHO, conf, o->sets[i]);
	if (!code && !fabric_rto_fits(conf))
		code = cli_usage(WHO, "%s", rto_wrong);
	return code;
}

/* Return: -1, or an exit code after a message. */
static int fabric_live_check(struct fabric_options *o, size_t nfiles)
{
	const struct dut_spec *dut = &o->live.setup.dut;

	if (o->svg)
		return cli_usage(WHO, "--svg cannot draw a run with --live");
	if (o->family)
		return cli_usage(WHO, "--live speaks UET alone");
	if (nfiles)
		return cli_usage(WHO, "--live uses the real network: it takes "
				      "no topology");
	if (dut->virtual)
		return cli_usage(WHO, "--live needs a device in real time");
	if (dut->linked && dut->at.conf.kind == PORT_XDP)
		return cli_usage(WHO, "--live needs a port for each endpoint, "
				      "and xdp: has one");
	if (o->has_workload && o->conf.load.kind != FABRIC_INCAST &&
	    o->conf.load.kind != FABRIC_ALL_TO_ALL)
		return cli_usage(WHO, "--live has the workloads incast and "
				      "all-to-all");
	if (!o->has_workload)
		o->conf.load.kind = FABRIC_ALL_TO_ALL;
	if (!dut->linked && !dut->command) {
		o->live.setup.dut.ref = true;
		snprintf(o->live.setup.dut.text, sizeof(o->live.setup.dut.text),
			 "ref");
	}
	return dut_options_check(WHO, &o->live.setup);
}

static int fabric_live_show(const struct fabric_options *o)
{
	struct text t = {0};

	if (o->json)
		return cli_put_json(
			WHO, fabric_live_json(&o->live, &o->live_result));
	fabric_live_text(&t, &o->live, &o->live_result);
	return cli_put_text(WHO, &t);
}

static int fabric_live_verdict(const struct fabric_live_result *r)
{
	if (cli_interrupted())
		return EXIT_INTERRUPTED;
	if (*r->gone || (r->r.findings && !r->doubtful))
		return EXIT_FAILED;
	if (r->doubtful || r->r.complete < r->r.flows)
		return EXIT_INCONCLUSIVE;
	return EXIT_PASSED;
}

static int fabric_live(struct fabric_options *o, size_t nfiles)
{
	int code;

	fabric_choose(o);
	code = fabric_live_check(o, nfiles);
	if (code >= 0)
		return code;
	o->live.load = o->conf.load;
	o->live.seed = o->conf.seed;
	o->live.strict = o->conf.strict;
	o->live.until = o->has_until ? o->conf.until : FABRIC_LIVE_TIME;
	o->live.setup.stop = cli_interrupts();
	o->live.adjust = fabric_adjust;
	o->live.ctx = o;
	code = fabric_live_run(&o->live, &o->live_result);
	if (code)
		return cli_interrupted() ? EXIT_INTERRUPTED : code;
	code = fabric_live_show(o);
	return code ? code : fabric_live_verdict(&o->live_result);
}

/* ---- The command ---- */

static bool fabric_names_device(const struct dut_setup_conf *s)
{
	return *s->dut.text || s->control_text || s->decl_path || s->sizes ||
	       s->privileged;
}

static int fabric_virtual(struct fabric_options *o, const char *path)
{
	const char *mutant = o->live.setup.mutant;
	int code;

	if (fabric_names_device(&o->live.setup))
		return cli_usage(WHO, "options of a device go with --live");
	if (o->has_endpoints)
		return cli_usage(WHO,
				 "--endpoints goes with --live; without it "
				 "the topology has the number of "
				 "endpoints");
	code = mutant ? mutant_load(WHO, mutant, &o->conf.api) : 0;
	if (code)
		return code;
	privilege_confine();
	code = mutant ? run_isolated(WHO, mutant) : RUN_ISOLATED_GOES_ON;
	if (code == RUN_ISOLATED_GOES_ON)
		code = fabric_start(o, path);
	return code;
}

static int cmd_fabric(int argc, char **argv)
{
	struct fabric_options *o = memory_calloc(1, sizeof(*o));
	struct operands files;
	int code;

	if (!o)
		return cli_nomem(WHO);
	fabric_default(&o->conf);
	o->live.who = o->live.setup.who = WHO;
	o->live.endpoints = 8;
	code = option_read(&command_fabric, argc, argv, o, &files);
	if (code < 0 && files.n > 1)
		code = cli_usage(WHO, "only one topology");
	if (code < 0 && o->is_live)
		code = fabric_live(o, files.n);
	else if (code < 0)
		code = fabric_virtual(o, files.n ? files.at[0] : NULL);
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
		"seed give the same result.\n\n"
		"With --live up to 64 reference endpoints on this machine "
		"exchange writes with one device in real time, and judge every "
		"packet that it sends.",
	.groups = fabric_groups,
	.exits = "Exit codes: 0 all flows are complete and there is no "
		 "finding, 1 at least one finding, a limit of --least-goodput, "
		 "--least-fairness or --most-retransmitted is not met, the "
		 "control channel of the device ended, or a mutant crashed, "
		 "2 usage or configuration, 3 a flow failed or is not "
		 "complete, 5 harness "
		 "error, 130 interrupted.",
	.run = cmd_fabric,
};
