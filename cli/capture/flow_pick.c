/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/capture/flow_pick.c -- finds the flow by a first pass of the judge, and
 * its packets by further ones.
 */
#include "cli/capture/flow_pick.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "lib/lib_inside.h"

/* Returns the frame by which the flow is found; 0 after a message. */
static uint32_t flow_pick_target(const struct flow_pick *f)
{
	const struct check_run_result *r = &f->result;

	if (f->frame)
		return (uint32_t)f->frame;
	if (f->flow && f->flow <= r->nflows)
		return r->flows[f->flow - 1].first_frame;
	if (!f->flow && r->nfindings)
		return r->findings[0].frame;
	if (!f->flow && r->nflows)
		return r->flows[0].first_frame;
	if (r->nflows)
		fprintf(stderr,
			"%s: there is no flow %" PRIu64 ": the capture has "
			"flows 1 to %zu\n",
			f->check_run.who, f->flow, r->nflows);
	else
		cli_remark(f->check_run.who, f->path,
			   "there is no flow; 'rung check' says what was not "
			   "read");
	return 0;
}

static int flow_pick_open_watch(struct flow_pick *f)
{
	rung_watch_free(f->watch);
	f->watch = NULL;
	if (lib_watch_new(&f->watch, &f->check_run.watch))
		return cli_nomem(f->check_run.who);
	return 0;
}

/* The findings were taken in the first pass. */
static void flow_pick_found(void *arg, const struct rung_finding *f)
{
	(void)arg;
	(void)f;
}

/*
 * Judges a frame, and writes the facts with the flow that it belongs to.
 * Return: false if it holds no packet.
 */
static bool flow_pick_push(struct flow_pick *f, const struct capture_packet *p,
			   uint32_t number, struct rung_facts *ret)
{
	const struct rung_frame frame = {.bytes = p->p,
					 .len = p->len,
					 .link = p->link,
					 .at_ns = (uint64_t)p->at};

	rung_watch_push(f->watch, &frame, 1, number, flow_pick_found, NULL);
	return !rung_watch_facts(f->watch, ret);
}

/* Headers of other sizes are drawn with the sizes of the tables. */
static void flow_pick_make_usual(const struct flow_pick *f, struct dgram *g)
{
	const struct foreign *sizes = &f->check_run.watch.foreign;
	uint8_t usual[DGRAM_MAX];
	size_t n;

	if (!foreign_any(sizes) || g->len + FOREIGN_MORE > DGRAM_MAX)
		return;
	n = foreign_open(sizes, g->data, g->len, usual);
	if (!n)
		return;
	memcpy(g->data, usual, n);
	g->len = n;
}

/*
 * Reads the datagram of a frame.
 * Return: false if it belongs to no family.
 */
static bool flow_pick_read_frame(const struct flow_pick *f,
				 const struct capture_packet *p,
				 struct dgram *ret)
{
	struct frame_info info;
	enum family family;

	frame_parse(&f->check_run.watch.frame, p->link, p->p, p->len, ret,
		    &info);
	if (!frame_family(&info, &family))
		return false;
	ret->family = (uint8_t)family;
	if (family == MAIN_FAMILY) {
		flow_pick_make_usual(f, ret);
		return true;
	}
	if (info.len < CRC_LEN || info.len > DGRAM_MAX)
		return false;
	ret->len = info.len - (info.ip_cut ? 0 : CRC_LEN);
	memcpy(ret->data, p->p + info.at, ret->len);
	return true;
}

/*
 * Selects packets without a flow: all between two hosts (RUDI, datagrams,
 * unmatched packets).
 */
static bool flow_pick_pair_of(const struct flow_pick *f,
			      const struct capture_packet *p,
			      struct ip_addr *ret)
{
	struct dgram g;

	if (!flow_pick_read_frame(f, p, &g))
		return false;
	ret[0] = g.src;
	ret[1] = g.dst;
	return true;
}

static bool flow_pick_is_between(const struct flow_pick *f,
				 const struct capture_packet *p)
{
	struct ip_addr ends[2];

	if (!flow_pick_pair_of(f, p, ends))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (ip_addr_equal(&ends[0], &f->pair[i]))
			return ip_addr_equal(&ends[1], &f->pair[!i]);
	return false;
}

/* Finds the number of the flow that a frame belongs to. */
static int flow_pick_find(struct flow_pick *f)
{
	const uint32_t frame = f->target;
	struct source *again = source_again(f->source);
	struct rung_facts x;
	struct capture_packet p;
	uint32_t n = 0;
	bool has = false;
	int code =
		again ? flow_pick_open_watch(f) : cli_nomem(f->check_run.who);

	while (!code && n < frame && source_next(again, &p) > 0)
		has = flow_pick_push(f, &p, ++n, &x);
	if (code) {
		source_close(again);
		return code;
	}
	if (n < frame || !has ||
	    (x.flow == RUNG_NO_FLOW && !flow_pick_pair_of(f, &p, f->pair))) {
		fprintf(stderr, "%s: frame %" PRIu32 " belongs to no flow\n",
			f->check_run.who, frame);
		code = EXIT_NOTHING;
	} else {
		f->number = x.flow;
	}
	source_close(again);
	return code;
}

static bool flow_pick_belongs(const struct flow_pick *f,
			      const struct rung_facts *x,
			      const struct capture_packet *p)
{
	if (x->flow != f->number)
		return false;
	return f->number != RUNG_NO_FLOW || flow_pick_is_between(f, p);
}

void flow_pick_default(struct flow_pick *f, const char *who)
{
	check_run_conf_default(&f->check_run, who);
	f->check_run.max_findings = 100000;
	f->check_run.flows = true;
	f->check_run.watch.judge.minimal_facts = false;
	f->check_run.stop = cli_interrupts();
}

int flow_pick_open(struct flow_pick *f)
{
	int code;

	if (f->flow && f->frame)
		return cli_usage(f->check_run.who,
				 "--flow and --frame exclude each other");
	code = source_open(f->check_run.who, f->path, &f->source);
	if (!code) /* it is read three times */
		code = source_keep(f->check_run.who, f->path, f->source);
	if (!code)
		code = check_run_begin(&f->check_run, f->source, &f->result);
	if (code)
		return code;
	if (f->result.err && !f->result.counts.packets) {
		cli_remark(f->check_run.who, f->path, "%s", f->result.error);
		return EXIT_USAGE;
	}
	f->target = flow_pick_target(f);
	if (!f->target)
		return EXIT_NOTHING;
	check_run_remarks(&f->check_run, f->path, &f->result);
	return flow_pick_find(f);
}

void flow_pick_close(struct flow_pick *f)
{
	source_close(f->source);
	check_run_free(&f->result);
	rung_watch_free(f->watch);
}

int flow_pick_each(struct flow_pick *f,
		   int (*see)(void *ctx, const struct flow_packet *p),
		   void *ctx)
{
	struct source *again = source_again(f->source);
	struct capture_packet p = {0};
	struct rung_facts facts;
	struct flow_packet x = {.capture = &p, .facts = &facts};
	bool has;
	int code =
		again ? flow_pick_open_watch(f) : cli_nomem(f->check_run.who);

	while (!code && source_next(again, &p) > 0) {
		has = flow_pick_push(f, &p, ++x.frame, &facts);
		/* rung writes the removed packets of a run there */
		x.removed = source_info(again)->ours && p.iface == 1;
		if (has && flow_pick_belongs(f, &facts, &p))
			code = see(ctx, &x);
	}
	source_close(again);
	return code;
}

void flow_pick_dgram(const struct flow_pick *f, const struct flow_packet *p,
		     struct dgram *ret)
{
	flow_pick_read_frame(f, p->capture, ret);
}

int flow_pick_ended(const struct flow_pick *f)
{
	const int err = f->result.err;

	if (!err)
		return EXIT_PASSED;
	cli_remark(f->check_run.who, f->path, "%s", f->result.error);
	if (err == ERR_SHORT)
		return EXIT_INCONCLUSIVE;
	if (err == ERR_SYNTAX)
		return EXIT_USAGE;
	return EXIT_HARNESS;
}
