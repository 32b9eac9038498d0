/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_ladder.c -- rung ladder: draws a flow of a capture.
 *
 * The packets of the flow become a record, which is drawn like the records of
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
#include "cli/capture/flow_pick.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/check_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
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
	struct flow_pick pick;
	struct ladder_opts opts;
	enum format format;
	enum cli_colour_when colour;
	bool all;
	uint64_t around; /* packets to draw around each important one */

	struct ip_addr left;
	vtime last_at; /* of the last packet of the flow */
	uint64_t kept,
		/* packets left out: all, and those since the last one kept */
		left_out;
	struct record record;
};

static const struct option_row ladder_rows[] = {
	{0, "flow", "N", "the N-th flow, as 'rung check --flows' lists them",
	 OPTION_NUMBER(struct drawing, pick.flow, 1, UINT32_MAX)},
	{0, "frame", "N",
	 "the flow of frame N, and the packets around that frame",
	 OPTION_NUMBER(struct drawing, pick.frame, 1, UINT32_MAX)},
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
	 offsetof(struct drawing, pick.check_run)},
	OPTION_GROUPS_END};

/* ---- The record ---- */

/*
 * The judge saw the packet at its receiver's link, and all packets sent to it.
 */
static bool has_arrived(const struct drawing *d, const struct rec *e)
{
	const struct judge_conf *c = &d->pick.check_run.watch.judge;

	return c->complete && !c->remote_vantage &&
	       ip_addr_equal(&e->dst, &c->here);
}

static const char *why_again(const struct rung_facts *x)
{
	if (x->cause == RUNG_GAP)
		return "lost, as later PSNs arrived";
	return "lost, or its answer";
}

/*
 * Marks a packet that was retransmitted after a time-out: it or its answer was
 * lost, unless the capture at its receiver's link shows no answer.
 */
static void note_loss(struct drawing *d, const struct rung_facts *x)
{
	struct record *r = &d->record;

	if (!x->takes_psn || !x->frame || x->acked || x->net_dup ||
	    x->cause == RUNG_NACK)
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
static void cmd_ladder_note_gap(struct drawing *d, const struct rung_facts *x,
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
	const uint32_t apart = number > d->pick.target
				       ? number - d->pick.target
				       : d->pick.target - number;

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

static int ladder_packet(void *ctx, const struct flow_packet *p)
{
	struct drawing *d = ctx;
	const struct rung_facts *x = p->facts;
	const vtime at = p->capture->at;
	struct dgram g = {.len = 0};
	struct rec e = {.at = at, .left_at = at, .frame = p->frame};

	d->last_at = at;
	if (!cmd_ladder_is_near(d, p->frame)) {
		d->left_out++;
		return 0;
	}
	note_left_out(d, at);
	d->kept++;
	flow_pick_dgram(&d->pick, p, &g);
	if (!d->left.len)
		d->left = x->initiator == !x->from ? g.dst : g.src;
	if (ip_addr_equal(&g.src, &d->left))
		e.kind = REC_TX;
	else
		e.kind = REC_RX;
	if (p->removed)
		e.fate = FATE_DROPPED;
	else
		e.fate = FATE_CROSSED;
	cmd_ladder_note_gap(d, x, at, wire_families[g.family]->psn_mask);
	note_loss(d, x);
	record_add(&d->record, &e, &g, NULL, NULL);
	if (d->record.failed_alloc)
		return cli_nomem(WHO);
	return 0;
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

static void cmd_ladder_add_finding(struct drawing *d,
				   const struct rung_finding *f,
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
	*x = (struct rec_finding){
		.req = (enum req_id)f->row,
		.role = (enum req_role)f->role,
		.kind = f->timing ? KIND_TIMING : KIND_PROTOCOL,
		.remark = !req_fails((enum req_id)f->row, false),
		.frame = f->frame};
	snprintf(x->text, sizeof(x->text), "%s", f->text);
	snprintf(x->expected, sizeof(x->expected), "%s", f->expected);
	snprintf(x->actual, sizeof(x->actual), "%s", f->actual);
}

static int cmd_ladder_collect(struct drawing *d)
{
	struct cmd_ladder_place from = {0};
	const int code = flow_pick_each(&d->pick, ladder_packet, d);

	note_left_out(d, d->last_at);
	for (size_t i = 0; i < d->pick.result.nfindings; i++)
		cmd_ladder_add_finding(d, &d->pick.result.findings[i], &from);
	return code;
}

/* ---- Folding ---- */

static bool matters(const struct drawing *d, const struct rec *e)
{
	const struct record *r = &d->record;

	if (e->frame && (e->frame == d->pick.frame || e->fate != FATE_CROSSED))
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
	snprintf(r->id, sizeof(r->id), "%s", d->pick.path);
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

static int ladder(struct drawing *d)
{
	int code = flow_pick_open(&d->pick);

	if (!code)
		code = cmd_ladder_collect(d);
	if (!code) {
		fold(d);
		code = cmd_ladder_draw(d);
	}
	/* The packets that were read are drawn; the rest is missing. */
	if (!code)
		code = flow_pick_ended(&d->pick);
	flow_pick_close(&d->pick);
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
	d->pick.path = files.at[0];
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
	flow_pick_default(&d->pick, WHO);
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
	.exits = "Exit codes: 0 drawn, 2 usage, or a file that is no capture "
		 "or is damaged, 3 the file ends too early; what it holds is "
		 "drawn, 4 there is no such flow, 5 harness error, 130 "
		 "interrupted.",
	.run = cmd_ladder,
};
