/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_ladder.c -- rung ladder: draws a flow of a capture.
 *
 * The capture is judged first, to find the flow and its violations.  Then the
 * packets of that flow become a record, which is drawn like the records of
 * runs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/serial.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/check_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/run/check_run.h"
#include "reports/ladder/ladder.h"
#include "reports/ladder/ladder_json.h"
#include "reports/ladder/ladder_svg.h"

#define WHO "rung ladder"

enum format { TEXT, SVG, JSON };

enum {
	WIDEST = 1000, /* most columns of the text */
	SHORT = 60,    /* packets; a longer flow is folded */
	ENDS = 6,      /* rows drawn at either end of a folded part */
	FIRST = 5000,  /* most packets of a flow that are read */
	/* most frames that are read before and after a given one */
	NEAR = 5000,
	FIRST_ALL = 100000, /* most packets with --all */
};

struct drawing {
	const char *path;
	struct check_run_conf check_run;
	struct ladder_opts opts;
	enum format format;
	enum cli_colour_when colour;
	bool all;
	/* the wanted flow, from 1, or frame; 0: the first finding's */
	uint64_t flow, frame;
	uint64_t around; /* packets to draw around each important one */

	struct check_run_result result;
	/* rung wrote the capture: interface 1 holds removed packets */
	bool ours;
	struct watch *watch;
	unsigned shard; /* the flow that is drawn */
	/* JUDGE_NO_FLOW: packets without a flow, between two addresses */
	uint32_t number;
	struct ip_addr pair[2];
	struct ip_addr left;
	uint32_t target; /* the frame by which the flow is found */
	uint64_t kept,
		/* packets left out: all, and those since the last one kept */
		left_out;
	struct record record;
};

static const struct option_row ladder_rows[] = {
	{0, "flow", "N", "the N-th flow, as 'rung check --flows' lists them",
	 OPTION_NUMBER(struct drawing, flow, 1, UINT32_MAX)},
	{0, "frame", "N",
	 "the flow of frame N, and the packets around that frame",
	 OPTION_NUMBER(struct drawing, frame, 1, UINT32_MAX)},
	{0, "around", "N",
	 "draw N packets around each important one (default 8)",
	 OPTION_NUMBER(struct drawing, around, 1, UINT32_MAX)},
	{0, "all", NULL, "draw every packet of a long flow",
	 OPTION_FLAG(struct drawing, all)},
	{0, "format", "F", "text (default), svg or json",
	 OPTION_CHOICE(struct drawing, format, "text svg json")},
	{0, "width", "N", "the columns of the text",
	 OPTION_NUMBER(struct drawing, opts.width, 1, UINT32_MAX)},
	{'v', "verbose", NULL, "print all fields",
	 OPTION_FLAG(struct drawing, opts.verbose)},
	OPTION_ROW_COLOUR(struct drawing, colour),
	OPTION_END};

static const struct option_group ladder_groups[] = {
	{NULL, ladder_rows, 0},
	{"As for 'rung check'", check_option_rows,
	 offsetof(struct drawing, check_run)},
	OPTION_GROUPS_END};

/* ---- The flow ---- */

/* Returns the frame by which the flow is found; 0 after a message. */
static uint32_t target(const struct drawing *d)
{
	const struct check_run_result *r = &d->result;

	if (d->frame)
		return (uint32_t)d->frame;
	if (d->flow && d->flow <= r->nflows)
		return r->flows[d->flow - 1].flow.first_frame;
	if (d->flow)
		fprintf(stderr, "%s: there are %zu flows\n", WHO, r->nflows);
	else if (r->nfindings)
		return r->findings[0].frame;
	else if (r->nflows)
		return r->flows[0].flow.first_frame;
	else
		fprintf(stderr, "%s: there is no flow\n", WHO);
	return 0;
}

static int cmd_ladder_open_watch(struct drawing *d)
{
	watch_free(d->watch);
	d->watch = NULL;
	if (watch_new(&d->watch, &d->check_run.watch))
		return cli_nomem(WHO);
	return 0;
}

/* Judges a frame, and returns the facts with the flow that it belongs to. */
static const struct judge_facts *cmd_ladder_push(struct drawing *d,
						 const struct capture_packet *p,
						 uint32_t number,
						 unsigned *ret_shard)
{
	const struct watch_frame f = {.p = p->p,
				      .len = p->len,
				      .orig = p->orig,
				      .link = p->link,
				      .at = p->at,
				      .number = number};
	struct finding none[1];
	const struct judge *j;

	watch_push(d->watch, &f, none, 1);
	j = watch_judge(d->watch, ret_shard);
	if (j)
		return judge_facts(j);
	return NULL;
}

/* Headers of other sizes are drawn with the sizes of the tables. */
static void cmd_ladder_make_usual(const struct drawing *d, struct dgram *g)
{
	const struct foreign *f = &d->check_run.watch.foreign;
	uint8_t usual[DGRAM_MAX];
	size_t n;

	if (!foreign_any(f) || g->len + FOREIGN_MORE > DGRAM_MAX)
		return;
	n = foreign_open(f, g->data, g->len, usual);
	if (!n)
		return;
	memcpy(g->data, usual, n);
	g->len = n;
}

/*
 * Reads the datagram of a frame.
 * Return: false if it belongs to no family.
 */
static bool cmd_ladder_read_frame(const struct drawing *d,
				  const struct capture_packet *p,
				  struct dgram *ret)
{
	struct frame_info info;
	enum family family;

	frame_parse(&d->check_run.watch.frame, p->link, p->p, p->len, ret,
		    &info);
	if (!frame_family(&info, &family))
		return false;
	ret->family = (uint8_t)family;
	if (family == MAIN_FAMILY) {
		cmd_ladder_make_usual(d, ret);
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
static bool cmd_ladder_pair_of(const struct drawing *d,
			       const struct capture_packet *p,
			       struct ip_addr *ret)
{
	struct dgram g;

	if (!cmd_ladder_read_frame(d, p, &g))
		return false;
	ret[0] = g.src;
	ret[1] = g.dst;
	return true;
}

static bool is_between(const struct drawing *d, const struct capture_packet *p)
{
	struct ip_addr ends[2];

	if (!cmd_ladder_pair_of(d, p, ends))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (ip_addr_equal(&ends[0], &d->pair[i]))
			return ip_addr_equal(&ends[1], &d->pair[!i]);
	return false;
}

static int cmd_ladder_find(struct drawing *d, const struct source *s,
			   uint32_t frame)
{
	struct source *again = source_again(s);
	const struct judge_facts *x = NULL;
	struct capture_packet p;
	uint32_t n = 0;
	int code = again ? cmd_ladder_open_watch(d) : cli_nomem(WHO);

	while (!code && n < frame && source_next(again, &p) > 0)
		x = cmd_ladder_push(d, &p, ++n, &d->shard);
	if (code) {
		source_close(again);
		return code;
	}
	if (n < frame || !x ||
	    (x->flow == JUDGE_NO_FLOW && !cmd_ladder_pair_of(d, &p, d->pair))) {
		fprintf(stderr, "%s: frame %" PRIu32 " belongs to no flow\n",
			WHO, frame);
		code = EXIT_NOTHING;
	} else {
		d->number = x->flow;
	}
	source_close(again);
	return code;
}

static bool cmd_ladder_belongs(const struct drawing *d,
			       const struct judge_facts *x, unsigned shard,
			       const struct capture_packet *p)
{
	if (!x || x->flow != d->number)
		return false;
	if (d->number == JUDGE_NO_FLOW)
		return is_between(d, p);
	return shard == d->shard;
}

/* ---- The record ---- */

/*
 * The judge saw the packet at its receiver's link, and all packets sent to it.
 */
static bool has_arrived(const struct drawing *d, const struct rec *e)
{
	const struct judge_conf *c = &d->check_run.watch.judge;

	return c->complete && !c->remote_vantage &&
	       ip_addr_equal(&e->dst, &c->here);
}

static const char *why_again(const struct judge_facts *x)
{
	if (x->cause == CAUSE_GAP)
		return "lost, as later PSNs arrived";
	return "lost, or its answer";
}

/*
 * Marks a packet that was retransmitted after a time-out: it or its answer was
 * lost, unless the capture at its receiver's link shows no answer.
 */
static void note_loss(struct drawing *d, const struct judge_facts *x)
{
	struct record *r = &d->record;

	if (!x->takes_psn || !x->frame || x->acked || x->net_dup ||
	    x->cause == CAUSE_NACK)
		return;
	for (size_t i = r->nrecs; i-- > 0;) {
		if (r->recs[i].frame != x->frame)
			continue;
		if (has_arrived(d, &r->recs[i])) {
			record_note(r, i, "not answered");
		} else if (r->recs[i].fate == FATE_CROSSED) {
			r->recs[i].fate = FATE_DROPPED;
			record_note(r, i, why_again(x));
		}
		return;
	}
}

/* |mask|: the bits of the family's PSNs. */
static void cmd_ladder_note_gap(struct drawing *d, const struct judge_facts *x,
				vtime at, uint32_t mask)
{
	const uint32_t from = (x->psn - x->skipped) & mask;
	const uint32_t to = (x->psn - 1) & mask;
	struct rec note = {.kind = REC_NOTE, .at = at};
	char text[96];

	if (!x->skipped)
		return;
	if (x->skipped == 1)
		snprintf(text, sizeof(text), "PSN %" PRIu32 " was not seen yet",
			 to);
	else
		snprintf(text, sizeof(text),
			 "PSNs %" PRIu32 " to %" PRIu32 " were not seen yet",
			 from, to);
	record_add(&d->record, &note, NULL, NULL, text);
}

/*
 * A flow may have millions of packets: only those near the given frame are
 * kept.
 */
static bool cmd_ladder_is_near(const struct drawing *d, uint32_t number)
{
	const uint32_t apart =
		number > d->target ? number - d->target : d->target - number;

	return d->kept < (d->all ? FIRST_ALL : FIRST) || apart <= NEAR;
}

static void note_left_out(struct drawing *d, vtime at)
{
	const struct rec note = {.kind = REC_NOTE, .at = at};
	char text[120];

	if (!d->left_out)
		return;
	snprintf(text, sizeof(text),
		 "%" PRIu64 " packets are left out here; --frame N draws those "
		 "around frame N",
		 d->left_out);
	record_add(&d->record, &note, NULL, NULL, text);
	d->left_out = 0;
}

static void add_packet(struct drawing *d, const struct capture_packet *p,
		       uint32_t number, const struct judge_facts *x)
{
	struct dgram g = {.len = 0};
	struct rec e = {.at = p->at, .left_at = p->at, .frame = number};
	const bool removed = d->ours && p->iface == 1;

	if (!cmd_ladder_is_near(d, number)) {
		d->left_out++;
		return;
	}
	note_left_out(d, p->at);
	d->kept++;
	cmd_ladder_read_frame(d, p, &g);
	if (!d->left.len)
		d->left = x->initiator == !x->from ? g.dst : g.src;
	if (ip_addr_equal(&g.src, &d->left))
		e.kind = REC_TX;
	else
		e.kind = REC_RX;
	if (removed)
		e.fate = FATE_DROPPED;
	else
		e.fate = FATE_CROSSED;
	cmd_ladder_note_gap(d, x, p->at, wire_families[g.family]->psn_mask);
	note_loss(d, x);
	record_add(&d->record, &e, &g, NULL, NULL);
}

/* The position at which the search for a frame ended. */
struct cmd_ladder_place {
	size_t at;
	uint32_t frame;
};

/*
 * Findings come in the order of frames, except those at the end.  So each
 * search continues where the one before ended.
 */
static bool is_recorded(const struct record *r, uint32_t frame,
			struct cmd_ladder_place *from)
{
	size_t i = frame < from->frame ? 0 : from->at;

	while (i < r->nrecs && r->recs[i].frame < frame)
		i++;
	*from = (struct cmd_ladder_place){i, frame};
	return i < r->nrecs && r->recs[i].frame == frame;
}

static void cmd_ladder_add_finding(struct drawing *d, const struct finding *f,
				   struct cmd_ladder_place *from)
{
	struct record *r = &d->record;
	struct rec_finding *x;

	if (!is_recorded(r, f->frame, from))
		return;
	if (r->nfindings == r->findings_size) {
		const size_t n = r->findings_size ? 2 * r->findings_size : 16;
		void *p = memory_realloc(r->findings, n * sizeof(*r->findings));

		if (!p) {
			r->failed_alloc = true;
			return;
		}
		r->findings = p;
		r->findings_size = n;
	}
	x = &r->findings[r->nfindings++];
	*x = (struct rec_finding){.req = f->req,
				  .role = f->role,
				  .kind = f->timing ? KIND_TIMING
						    : KIND_PROTOCOL,
				  .remark = !verdict_fails(f, false),
				  .frame = f->frame};
	snprintf(x->text, sizeof(x->text), "%s", f->text);
	snprintf(x->expected, sizeof(x->expected), "%s", f->expected);
	snprintf(x->actual, sizeof(x->actual), "%s", f->actual);
}

static int cmd_ladder_collect(struct drawing *d, const struct source *s)
{
	struct source *again = source_again(s);
	struct capture_packet p = {0};
	uint32_t n = 0;
	unsigned shard;
	struct cmd_ladder_place from = {0};
	int code = again ? cmd_ladder_open_watch(d) : cli_nomem(WHO);

	while (!code && source_next(again, &p) > 0) {
		const struct judge_facts *x =
			cmd_ladder_push(d, &p, ++n, &shard);

		if (cmd_ladder_belongs(d, x, shard, &p))
			add_packet(d, &p, n, x);
		if (d->record.failed_alloc)
			code = cli_nomem(WHO);
	}
	note_left_out(d, p.at);
	source_close(again);
	for (size_t i = 0; i < d->result.nfindings; i++)
		cmd_ladder_add_finding(d, &d->result.findings[i], &from);
	return code;
}

/* ---- Folding ---- */

static bool matters(const struct drawing *d, const struct rec *e)
{
	const struct record *r = &d->record;

	if (e->frame && (e->frame == d->frame || e->fate != FATE_CROSSED))
		return true;
	for (size_t i = 0; e->frame && i < r->nfindings; i++)
		if (r->findings[i].frame == e->frame)
			return true;
	return e->kind == REC_NOTE;
}

/* Folds the parts of a long flow that are far from its findings. */
static void fold(struct drawing *d)
{
	struct record *r = &d->record;
	size_t shown = 0; /* all records below are drawn */

	if (d->all || r->nrecs <= SHORT)
		return;
	for (size_t i = 0; i < r->nrecs; i++)
		r->recs[i].setup = i >= ENDS && i + ENDS < r->nrecs;
	for (size_t i = 0; i < r->nrecs; i++) {
		if (!matters(d, &r->recs[i]))
			continue;
		if (i > d->around && shown < i - d->around)
			shown = i - d->around;
		for (; shown < r->nrecs && shown <= i + d->around; shown++)
			r->recs[shown].setup = false;
	}
}

/* ---- The picture ---- */

static void title(struct drawing *d)
{
	struct record *r = &d->record;
	const struct rec *e = NULL;

	for (size_t i = 0; i < r->nrecs && !e; i++)
		if (r->recs[i].frame)
			e = &r->recs[i];
	snprintf(r->id, sizeof(r->id), "%s", d->path);
	if (e && e->kind == REC_TX) {
		r->tester = e->src;
		r->dut = e->dst;
	} else if (e) {
		r->tester = e->dst;
		r->dut = e->src;
	}
	if (r->nfindings)
		r->verdict = VERDICT_FAIL;
	else
		r->verdict = VERDICT_PASS;
	snprintf(r->reason, sizeof(r->reason), "%zu findings in this flow",
		 r->nfindings);
}

static int cmd_ladder_draw(struct drawing *d)
{
	char left[IP_ADDR_TEXT], right[IP_ADDR_TEXT];
	struct svg_opts svg = {.form = SVG_FILE};
	struct text t = {0};
	int code = 0;

	title(d);
	ip_addr_print(&d->record.tester, left);
	ip_addr_print(&d->record.dut, right);
	d->opts.tester = left;
	d->opts.dut = right;
	svg.ladder = d->opts;
	if (d->format == TEXT)
		ladder_print(&t, &d->record, &d->opts);
	else if (d->format == SVG)
		ladder_svg(&t, &d->record, &svg);
	else
		ladder_json(&t, &d->record, &d->opts);
	if (text_err(&t))
		code = cli_nomem(WHO);
	fwrite(text_cstr(&t), 1, t.len, stdout);
	text_free(&t);
	return code;
}

/* Draws the packets that were read, and reports that the rest is missing. */
static int cmd_ladder_reading_ended(const struct drawing *d)
{
	const int err = d->result.err;

	if (!err)
		return EXIT_PASSED;
	cli_remark(WHO, d->path, "%s", d->result.error);
	if (err == ERR_SHORT)
		return EXIT_INCONCLUSIVE;
	if (err == ERR_SYNTAX)
		return EXIT_USAGE;
	return EXIT_HARNESS;
}

static int draw_source(struct drawing *d, struct source *s)
{
	uint32_t frame;
	int code;

	code = source_keep(WHO, s); /* it is read three times */
	if (code)
		return code;
	code = check_run_begin(&d->check_run, s, &d->result);
	if (code)
		return code;
	if (d->result.err && !d->result.counts.packets) {
		cli_remark(WHO, d->path, "%s", d->result.error);
		return EXIT_USAGE;
	}
	frame = target(d);
	if (!frame)
		return EXIT_NOTHING;
	check_run_remarks(&d->check_run, d->path, &d->result);
	d->target = frame;
	d->ours = source_info(s)->ours;
	code = cmd_ladder_find(d, s, frame);
	if (!code)
		code = cmd_ladder_collect(d, s);
	if (!code) {
		fold(d);
		code = cmd_ladder_draw(d);
	}
	if (code)
		return code;
	return cmd_ladder_reading_ended(d);
}

static int ladder(struct drawing *d)
{
	struct source *s;
	int code = source_open(WHO, d->path, &s);

	if (code)
		return code;
	code = draw_source(d, s);
	source_close(s);
	check_run_free(&d->result);
	watch_free(d->watch);
	record_free(&d->record);
	return code;
}

/* ---- Options ---- */

/* Reads the command line.  Return: -1: continue; else an exit code. */
static int ladder_options(int argc, char **argv, struct drawing *d)
{
	struct operands files;
	int code = option_read(&command_ladder, argc, argv, d, &files);

	if (code >= 0)
		return code;
	if (files.n != 1)
		return cli_usage(WHO, "one capture is needed");
	if (d->opts.width > WIDEST)
		d->opts.width = WIDEST;
	d->opts.color = cli_use_colour(stdout, d->colour);
	d->path = files.at[0];
	return -1;
}

static int cmd_ladder(int argc, char **argv)
{
	struct drawing *d = memory_calloc(1, sizeof(*d));
	int code;

	if (!d)
		return cli_nomem(WHO);
	d->around = 8;
	d->opts.width = cli_width();
	check_run_conf_default(&d->check_run, WHO);
	d->check_run.max_findings = 100000;
	d->check_run.flows = true;
	d->check_run.watch.judge.minimal_facts = false;
	d->check_run.stop = cli_interrupts();
	code = ladder_options(argc, argv, d);
	if (code < 0)
		code = ladder(d);
	free(d);
	return code;
}

const struct command command_ladder = {
	.name = "ladder",
	.what = "draw a flow of a capture",
	.usage = "[OPTION...] FILE",
	.about =
		"Draws one flow of a capture (also gzip or zstd; - is standard "
		"input), by default the flow of the first finding.",
	.groups = ladder_groups,
	.run = cmd_ladder,
};
