/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/dut_setup.c -- sets up a device under test: in virtual time, on
 * loopback, or at a port that the user gave.
 *
 * On loopback it tries up to 32 address pairs until one is free.  Each attempt
 * opens the port and starts the command with its addresses filled in.  The
 * set-up raises the capabilities of the thread and drops them at its end.
 */
#include "cli/run/dut_setup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/isolated/dut_isolated.h"
#include "cli/privilege.h"
#include "suite/decl/capability.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_live.h"
#include "suite/dut/dut_virtual.h"
#include "suite/transport.h"
#include "wire/field.h"

#define VIRTUAL_DELAY (10 * VSPAN_US) /* delay in one direction */

/* Addresses of a pair in this process, not visible outside. */
#define TESTER_VIRTUAL 0x0a000001u /* 10.0.0.1 */
#define DUT_VIRTUAL    0x0a000002u

#define TRIES 32 /* number of address pairs to try */

/* fd00::a00:1 for 10.0.0.1: an IPv4 address as a unique local address. */
static struct ip_addr ip6_of(uint32_t v4)
{
	struct ip_addr a = {.len = 16, .b = {0xfd}};

	for (unsigned i = 0; i < 4; i++)
		a.b[12 + i] = (uint8_t)(v4 >> (24 - 8 * i));
	return a;
}

/*
 * Makes the endpoint the device: a mutant in a process of its own, since it may
 * crash or loop.
 */
static int dut_setup_endpoint(const struct dut_setup_conf *conf,
			      const struct orc_conf *orc,
			      const struct ip_addr *tester, struct dut **ret)
{
	const struct orc_api *api = conf->variants->api;
	char why[DUT_ISOLATED_WHY] = "";
	int err;

	if (conf->variants->mutant)
		err = dut_isolated_new(ret, api, orc, *tester, VIRTUAL_DELAY,
				       why);
	else
		err = dut_virtual_new(ret, api, orc, *tester, VIRTUAL_DELAY);
	if (!err)
		return 0;
	if (err == ERR_NOMEM)
		return cli_nomem(conf->who);
	if (err == ERR_SYS)
		return cli_sys(conf->who, "the process of the mutant");
	if (err == ERR_CLOSED) {
		fprintf(stderr, "%s: --mutant %s: %s\n", conf->who,
			conf->mutant, why);
		return EXIT_HARNESS;
	}
	fprintf(stderr, "%s: the reference does not support this declaration\n",
		conf->who);
	return EXIT_USAGE;
}

static int dut_setup_virtual(const struct dut_setup_conf *conf,
			     enum family family, struct dut **ret)
{
	const bool ip6 = conf->dut.ip6;
	const struct ip_addr tester =
		ip6 ? ip6_of(TESTER_VIRTUAL) : ip_addr_v4(TESTER_VIRTUAL);
	struct orc_conf orc;
	int err;

	endpoint_conf(&orc, conf->decl, family,
		      ip6 ? ip6_of(DUT_VIRTUAL) : ip_addr_v4(DUT_VIRTUAL));
	orc.native = conf->dut.native;
	if (conf->dut.crc && !family_has_icrc(family)) {
		orc.crc = true;
		if (conf->dut.crc_be)
			orc.crc_order = CRC_BE;
		else
			orc.crc_order = CRC_LE;
	}
	err = variants_conf(conf->who, conf->variants, &orc);
	if (err)
		return err;
	return dut_setup_endpoint(conf, &orc, &tester, ret);
}

/*
 * Pair |try| of a worker: 127.a.b.c with c odd for the tester and the next
 * number for the device; a.b is spread by the process id.
 */
static void pair(unsigned worker, unsigned try, struct dut_live_conf *ret)
{
	struct rng rng = {((uint64_t)getpid() << 8) + try};
	uint32_t spread = rng_below(&rng, 254 * 256);
	uint32_t tester = 127u << 24 | (1 + spread / 256) << 16 |
			  (spread % 256) << 8 | (2 * worker + 1);

	ret->port.addr = ip_addr_v4(tester);
	ret->peer = ip_addr_v4(tester + 1);
}

/* Adds |by| to the address. */
static void dut_setup_advance(struct ip_addr *a, uint32_t by)
{
	const unsigned at = (a->len - 4u) * 8u;

	bits_put(a->b, at, 32, (uint32_t)bits_get(a->b, at, 32) + by);
}

/*
 * Gives each worker a pair of addresses that follows the configured one, if the
 * command takes its address as a parameter.
 */
static void own_pair(unsigned worker, struct dut_live_conf *ret)
{
	dut_setup_advance(&ret->port.addr, 2 * worker);
	dut_setup_advance(&ret->peer, 2 * worker);
}

bool dut_setup_many(const struct dut_spec *dut)
{
	if (dut->linked && dut->at.conf.kind == PORT_XDP)
		return false; /* a queue can serve only one port */
	return !dut->linked || (dut->command && strstr(dut->command, "{dut}"));
}

/* Expands {dut}, {tester} and {family} in a command. */
static void command_expand(struct text *t, const char *command,
			   const struct dut_live_conf *live)
{
	char dut[IP_ADDR_TEXT], tester[IP_ADDR_TEXT];

	ip_addr_print(&live->peer, dut);
	ip_addr_print(&live->port.addr, tester);
	while (*command) {
		size_t plain = strcspn(command, "{");

		text_add(t, command, plain);
		command += plain;
		if (strncmp(command, "{dut}", 5) == 0) {
			text_puts(t, dut);
			command += 5;
		} else if (strncmp(command, "{tester}", 8) == 0) {
			text_puts(t, tester);
			command += 8;
		} else if (strncmp(command, "{family}", 8) == 0) {
			text_puts(t, family_name(live->port.family));
			command += 8;
		} else if (*command) {
			text_add(t, command++, 1);
		}
	}
}

/* The arguments of the child that "--dut ref" starts. */
struct ref_args {
	char self[PATH_MAX], udp[IP_ADDR_TEXT + 8];
	const char *argv[14];
};

static int ref_args(const struct dut_setup_conf *conf,
		    struct dut_live_conf *live, struct ref_args *a)
{
	ssize_t len = readlink("/proc/self/exe", a->self, sizeof(a->self) - 1);
	size_t n = 0;

	if (len < 0)
		return ERR_SYS;
	a->self[len] = 0;
	ip_addr_print(&live->peer, a->udp);
	a->argv[n++] = a->self;
	a->argv[n++] = "serve";
	a->argv[n++] = "--udp";
	a->argv[n++] = a->udp;
	a->argv[n++] = "--control";
	a->argv[n++] = "stdio";
	if (live->port.family != MAIN_FAMILY) {
		a->argv[n++] = "--family";
		a->argv[n++] = family_name(live->port.family);
	}
	if (conf->decl_path) {
		a->argv[n++] = "--decl";
		a->argv[n++] = conf->decl_path;
	}
	if (conf->mutant) {
		a->argv[n++] = "--mutant";
		a->argv[n++] = conf->mutant;
	}
	a->argv[n] = NULL;
	live->control = DUT_CONTROL_CHILD;
	live->argv = a->argv;
	return 0;
}

/* Makes one attempt with the addresses that are set. */
static int try_live(const struct dut_setup_conf *conf,
		    struct dut_live_conf *live, struct dut **ret, char *why)
{
	struct ref_args args;
	struct text command = {0};
	int err;

	if (conf->dut.ref && ref_args(conf, live, &args)) {
		chan_errno(why, "/proc/self/exe");
		return ERR_SYS;
	}
	if (conf->dut.command) {
		command_expand(&command, conf->dut.command, live);
		live->control = DUT_CONTROL_SHELL;
		live->command = text_cstr(&command);
	}
	if (command.failed)
		err = ERR_NOMEM;
	else
		err = dut_live_new(ret, live, why);
	text_free(&command);
	return err;
}

static int dut_setup_told(const struct dut_setup_conf *conf, int err,
			  const char *why)
{
	if (err == ERR_NOMEM)
		return cli_nomem(conf->who);
	if (conf->stop && *conf->stop) /* Ctrl-C ends a program of exec: too */
		return EXIT_INTERRUPTED;
	fprintf(stderr, "%s: --dut %s: %s\n", conf->who, conf->dut.text, why);
	if (err == ERR_VALUE)
		return EXIT_USAGE;
	return EXIT_HARNESS;
}

/* Chooses a pair of loopback addresses, or another one if it is in use. */
static int dut_setup_loopback(const struct dut_setup_conf *conf,
			      unsigned worker, struct dut_live_conf *live,
			      struct dut **ret)
{
	char why[CHAN_WHY] = "";
	int err = ERR_SYS;

	for (unsigned try = 0; try < TRIES; try++) {
		pair(worker, try, live);
		err = try_live(conf, live, ret, why);
		if (!err)
			return 0;
		if (!strstr(why, "in use"))
			break;
	}
	return dut_setup_told(conf, err, why);
}

static void dut_setup_live_control(const struct control_spec *c,
				   struct dut_live_conf *live)
{
	static const enum dut_control kinds[] = {
		[CONTROL_NONE] = DUT_CONTROL_NONE,
		/* the command has its own channel */
		[CONTROL_STDIO] = DUT_CONTROL_NONE,
		[CONTROL_UNIX] = DUT_CONTROL_UNIX,
		[CONTROL_TCP] = DUT_CONTROL_TCP,
	};

	live->control = kinds[c->kind];
	live->path = c->path;
	live->host = c->host;
	live->tcp_port = c->port;
	live->token = spec_token(c);
}

/* A device may claim a family only for its verbs, without visible packets. */
static bool has_family(const struct decl *decl, enum family family)
{
	const char *verbs = suite_families[family]->verbs_claim;

	return decl_claims(decl, family_name(family)) ||
	       (verbs && decl_claims(decl, verbs));
}

static bool has_other_family(const struct decl *decl)
{
	for (unsigned f = 0; f < wire_nfamilies; f++)
		if (f != MAIN_FAMILY && has_family(decl, (enum family)f))
			return true;
	return false;
}

enum family dut_setup_family(const struct decl *decl,
			     const struct test_case *test_case)
{
	if (has_family(decl, test_case->family))
		return test_case->family;
	return MAIN_FAMILY;
}

/*
 * Returns true if the port may be opened again: for a device that is started
 * again, or for a family with another port.
 */
static bool opens_again(const struct dut_setup_conf *conf)
{
	return conf->dut.command || conf->dut.ref ||
	       has_other_family(conf->decl);
}

static unsigned ports_of(const struct dut_setup_conf *conf)
{
	unsigned ports = PRIVILEGE_PORT(
		conf->dut.linked ? conf->dut.at.conf.kind : PORT_UDP);

	if (conf->dut.virtual)
		return 0;
	if (conf->bridged)
		ports |= PRIVILEGE_PORT(conf->behind.conf.kind);
	return ports;
}

static void dut_setup_settle(const struct dut_setup_conf *conf)
{
	unsigned flags = conf->keeps;

	if (opens_again(conf))
		flags |= PRIVILEGE_AGAIN;
	if (conf->control.kind == CONTROL_UNIX)
		flags |= PRIVILEGE_UNIX;
	if (conf->privileged && (conf->dut.command || conf->trigger))
		flags |= PRIVILEGE_KILL;
	privilege_settle(ports_of(conf), flags);
}

/* Returns true if a word of |n| characters is in |list|. */
static bool dut_setup_listed(const char *list, const char *word, size_t n)
{
	for (const char *p = list; *p;) {
		const size_t len = strcspn(p, ",");

		if (len == n && memcmp(p, word, n) == 0)
			return true;
		p += len + (p[len] == ',');
	}
	return false;
}

/* Removes verbs from the device's hello, as if the device lacked them. */
static void withhold(struct dut *dut, const char *without)
{
	char *to = dut->verbs;

	if (dut_setup_listed(without, "control", strlen("control"))) {
		dut->withheld = dut->control && dut_has_verb(dut, "expose");
		dut->control = false;
		dut->verbs[0] = 0;
		return;
	}
	for (const char *p = dut->verbs; *p;) {
		const size_t len = strcspn(p, " ");
		const size_t whole = len + (p[len] == ' ');

		if (!dut_setup_listed(without, p, len)) {
			memmove(to, p, whole);
			to += whole;
		}
		p += whole;
	}
	*to = 0;
}

static int dut_setup_any(const struct dut_setup_conf *conf, unsigned worker,
			 enum family family, struct dut **ret)
{
	struct dut_live_conf live = {
		.port = conf->dut.at.conf,
		.native = conf->dut.at.native,
		.trigger = conf->trigger,
		.other = conf->behind.peer,
		.crc = conf->decl->crc || family_has_icrc(family),
		.crc_order = conf->decl->crc_be ? CRC_BE : CRC_LE,
		.icrc = conf->decl->icrc,
		.foreign = conf->foreign,
		.privileged = conf->privileged,
		.stop = conf->stop,
	};
	char why[CHAN_WHY] = "";
	struct port_conf behind;
	int err;

	if (conf->dut.virtual)
		return dut_setup_virtual(conf, family, ret);
	live.port.family = family;
	behind = conf->behind.conf;
	behind.family = family;
	if (!behind.udp_port && family == MAIN_FAMILY)
		behind.udp_port = conf->decl->udp_port;
	if (conf->bridged)
		live.behind = &behind;
	if (!live.port.udp_port && family == MAIN_FAMILY)
		live.port.udp_port = conf->decl->udp_port;
	dut_setup_live_control(&conf->control, &live);
	if (!conf->dut.linked)
		return dut_setup_loopback(conf, worker, &live, ret);
	live.peer = conf->dut.at.peer;
	own_pair(worker, &live);
	err = try_live(conf, &live, ret, why);
	if (err)
		return dut_setup_told(conf, err, why);
	return 0;
}

int dut_setup_new(const struct dut_setup_conf *conf, unsigned worker,
		  enum family family, struct dut **ret)
{
	int code;

	privilege_raise();
	code = dut_setup_any(conf, worker, family, ret);
	dut_setup_settle(conf);
	if (code)
		return code;
	(*ret)->reference =
		(conf->dut.virtual || conf->dut.ref) && !conf->mutant;
	if (conf->without)
		withhold(*ret, conf->without);
	return 0;
}

void dut_setup_free(struct dut *dut)
{
	if (!dut)
		return;
	privilege_raise();
	dut->ops->free(dut);
}
