/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/matrix_end.c -- makes the endpoints of a matrix, two at a time.
 */
#include "cli/matrix/matrix_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/option/dut_options.h"
#include "suite/decl/decl_check.h"
#include "suite/dut/dut_virtual.h"
#include "suite/transport.h"

#define MATRIX_REFERENCE "reference"
#define MATRIX_BENCH     "bench:"
#define MATRIX_ADDR      0x0a000001u /* 10.0.0.1 in virtual time */

/* ---- One endpoint ---- */

static int matrix_bench_read(const char *who, const char *benches,
			     struct matrix_end *e)
{
	struct bench *b = &e->bench.bench;
	int code;

	e->bench.path = benches;
	code = bench_run_read(who, &e->bench);
	if (!code)
		code = dut_options_take_dut(who, &e->setup, b->dut);
	if (!code && b->control)
		code = dut_options_take_control(who, &e->setup, b->control);
	e->setup.decl_path = b->decl;
	if (code)
		return code;
	if (e->setup.dut.virtual)
		return cli_usage(who,
				 "%s: virtual is no device of a bench: name "
				 "the variant itself",
				 e->name);
	if (b->trigger)
		return cli_usage(who,
				 "%s: a bench with 'trigger' has no "
				 "control channel",
				 e->name);
	if (!e->setup.dut.command && !b->control)
		return cli_usage(who, "%s: a matrix needs a control channel",
				 e->name);
	return 0;
}

int matrix_end_read(const char *who, const char *name, const char *benches,
		    bool live, struct matrix_end *ret)
{
	int code;

	ret->name = name;
	ret->setup.who = who;
	ret->variants = variants_none;
	if (strncmp(name, MATRIX_BENCH, strlen(MATRIX_BENCH)) == 0) {
		ret->bench.name = name + strlen(MATRIX_BENCH);
		code = matrix_bench_read(who, benches, ret);
	} else {
		if (strcmp(name, MATRIX_REFERENCE) != 0)
			ret->names = name;
		code = variants_load(who, ret->names, &ret->variants);
	}
	if (code)
		return code;
	return endpoint_decl(who, ret->setup.decl_path, &ret->variants, live,
			     &ret->decl);
}

void matrix_end_free(struct matrix_end *e)
{
	decl_free(e->decl);
	if (e->bench.name)
		bench_run_free(&e->bench);
}

bool matrix_end_live(const struct matrix_end *e)
{
	return e->bench.name && !e->setup.dut.virtual;
}

/* ---- Two of them ---- */

/* The numbers that two ends of a link must share. */
static const struct {
	const char *name;
	size_t at, size;
	bool uet; /* of UET only */
} matrix_shared[] = {
#define MATRIX_SHARED(name, uet)                                \
	{                                                       \
#name, offsetof(struct decl, name),             \
			sizeof(((struct decl *)0)->name), (uet) \
	}
	MATRIX_SHARED(mtu, false),
	MATRIX_SHARED(job_id, true),
	MATRIX_SHARED(pid_on_fep, true),
	MATRIX_SHARED(resource_index, true),
	MATRIX_SHARED(ri_generation, true),
	MATRIX_SHARED(initiator, true),
	MATRIX_SHARED(crc, true),
	MATRIX_SHARED(crc_be, true),
	MATRIX_SHARED(udp_port, true),
	MATRIX_SHARED(icrc, false),
	MATRIX_SHARED(dscp_trimmed, true),
	MATRIX_SHARED(dscp_trimmed_lasthop, true),
#undef MATRIX_SHARED
};

#define MATRIX_NSHARED (sizeof(matrix_shared) / sizeof(matrix_shared[0]))

/*
 * Gives |to| the numbers of |from|, where it has those of the reference,
 * |usual|, and so declares none of its own.
 */
static void matrix_adopt(struct decl *to, const struct decl *from,
			 const struct decl *usual)
{
	for (size_t i = 0; i < MATRIX_NSHARED; i++) {
		const size_t at = matrix_shared[i].at;
		const size_t size = matrix_shared[i].size;

		if (memcmp((char *)to + at, (const char *)usual + at, size) ==
		    0)
			memcpy((char *)to + at, (const char *)from + at, size);
	}
}

/* In virtual time the ends of a link are configured alike. */
static int matrix_adopt_both(const struct matrix_pair_conf *conf,
			     struct matrix_pair *p)
{
	struct decl *usual = NULL;
	const int code = endpoint_decl(conf->who, NULL, NULL, false, &usual);

	if (code)
		return code;
	matrix_adopt(p->decl[0], p->decl[1], usual);
	matrix_adopt(p->decl[1], p->decl[0], usual);
	decl_free(usual);
	return 0;
}

/* Says which number differs.  Return: true if one does. */
static bool matrix_differs(const struct matrix_pair_conf *conf,
			   struct matrix_pair *p)
{
	const bool uet = suite_families[conf->family]->has_pdcs;

	for (size_t i = 0; i < MATRIX_NSHARED; i++) {
		if (matrix_shared[i].uet && !uet)
			continue;
		if (memcmp((const char *)p->decl[0] + matrix_shared[i].at,
			   (const char *)p->decl[1] + matrix_shared[i].at,
			   matrix_shared[i].size) == 0)
			continue;
		snprintf(p->why, sizeof(p->why),
			 "the two ends have another %s: configure them alike",
			 matrix_shared[i].name);
		return true;
	}
	return false;
}

/* Returns the declaration file under which an end runs, or NULL. */
static const char *matrix_decl_path(const struct matrix_pair_conf *conf,
				    unsigned s)
{
	if (conf->end[s]->bench.name)
		return conf->end[s]->setup.decl_path;
	return conf->end[!s]->setup.decl_path;
}

static int matrix_declare(const struct matrix_pair_conf *conf,
			  struct matrix_pair *p)
{
	int code = 0;

	for (unsigned s = 0; s < 2 && !code; s++)
		code = endpoint_decl(conf->who, matrix_decl_path(conf, s),
				     &conf->end[s]->variants, conf->live,
				     &p->decl[s]);
	if (!code && !conf->live)
		code = matrix_adopt_both(conf, p);
	return code;
}

static int matrix_virtual(const struct matrix_pair_conf *conf, unsigned s,
			  struct matrix_pair *p)
{
	const struct variants *v = &conf->end[s]->variants;
	struct orc_conf orc;
	int code, err;

	endpoint_conf(&orc, p->decl[s], conf->family,
		      ip_addr_v4(MATRIX_ADDR + s));
	code = variants_conf(conf->who, v, &orc);
	if (code)
		return code;
	err = dut_virtual_new(&p->dut[s], v->api, &orc,
			      ip_addr_v4(MATRIX_ADDR + !s), 0);
	if (err == ERR_NOMEM)
		return cli_nomem(conf->who);
	if (err)
		snprintf(p->why, sizeof(p->why),
			 "%s cannot be configured like the other end",
			 conf->end[s]->name);
	return 0;
}

/* The reference and its variants become programs. */
static int matrix_live(const struct matrix_pair_conf *conf, unsigned s,
		       struct matrix_pair *p)
{
	const struct matrix_end *e = conf->end[s];
	struct dut_setup_conf setup = e->setup;

	setup.decl = p->decl[s];
	setup.stop = conf->stop;
	setup.decl_path = matrix_decl_path(conf, s);
	if (!e->bench.name) {
		setup.mutant = e->names;
		setup.dut.ref = true;
		snprintf(setup.dut.text, sizeof(setup.dut.text), "%s", e->name);
	}
	return dut_setup_new(&setup, setup.dut.linked ? 0 : s, conf->family,
			     &p->dut[s]);
}

static bool matrix_one_device(const struct matrix_pair_conf *conf)
{
	return conf->end[0] == conf->end[1] && conf->end[0]->bench.name &&
	       !dut_setup_many(&conf->end[0]->setup.dut);
}

int matrix_pair_open(const struct matrix_pair_conf *conf,
		     struct matrix_pair *ret)
{
	const struct pairing_conf none = {.family = conf->family};
	struct pairing_conf pairing = none;
	int code;

	*ret = (struct matrix_pair){.pairing = NULL};
	code = matrix_declare(conf, ret);
	if (code)
		return code;
	if (matrix_one_device(conf))
		snprintf(ret->why, sizeof(ret->why),
			 "one device cannot be both ends");
	if (*ret->why || matrix_differs(conf, ret))
		return 0;
	for (unsigned s = 0; s < 2 && !code && !*ret->why; s++) {
		code = conf->live ? matrix_live(conf, s, ret)
				  : matrix_virtual(conf, s, ret);
		pairing.dut[s] = ret->dut[s];
		pairing.decl[s] = ret->decl[s];
	}
	if (code || *ret->why)
		return code;
	pairing.seed = conf->seed;
	pairing.stop = conf->stop;
	if (pairing_new(&ret->pairing, &pairing))
		return cli_nomem(conf->who);
	return 0;
}

void matrix_pair_close(struct matrix_pair *p)
{
	pairing_free(p->pairing);
	for (unsigned s = 0; s < 2; s++) {
		dut_setup_free(p->dut[s]);
		decl_free(p->decl[s]);
	}
	*p = (struct matrix_pair){.pairing = NULL};
}
