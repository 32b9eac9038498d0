/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_ladder.c -- rung ladder: a flow of a capture as a picture.
 *
 * The capture is judged first, to find the flow and what is wrong in it; then
 * the packets of that flow become a record, and the ladders of records draw it.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/serial.h"
#include "cli/cli.h"
#include "cli/jury.h"
#include "reports/ladder.h"
#include "reports/ladder_json.h"
#include "reports/ladder_svg.h"

#define WHO "rung ladder"

enum format { TEXT, SVG, JSON };

enum {
	SHORT = 60, /* packets; a flow that is longer is folded */
	ENDS = 6,   /* rows that are drawn at either end of a long one */
};

struct drawing {
	const char *path;
	struct jury_conf jury;
	struct ladder_opts opts;
	enum format format;
	bool all;
	uint64_t flow, frame; /* which, from 1; 0: the first finding's */
	uint64_t around;      /* packets around what matters */

	struct jury_result result;
	bool ours; /* rung wrote it: interface 1 is what was removed */
	struct watch *watch;
	unsigned shard;  /* the flow that is drawn */
	uint32_t number; /* JUDGE_NO_FLOW: what has none, between two: */
	struct ip_addr pair[2];
	struct ip_addr left;
	struct record record;
};

static void help(void)
{
	puts("Usage: rung ladder [OPTION...] FILE\n\n"
	     "Draws one flow of a capture (also gzip or zstd; - is standard "
	     "input), by default\n"
	     "that of the first finding.\n\n"
	     "      --flow N         the N-th flow, as 'rung check --flows' "
	     "lists them\n"
	     "      --frame N        the flow of frame N, and what is around "
	     "it\n"
	     "      --around N       so many packets around what matters "
	     "(default 8)\n"
	     "      --all            every packet of a long flow\n"
	     "      --format F       text (default), svg or json\n"
	     "      --width N        columns of the text\n"
	     "      --whole, --at ADDR, --decl FILE, --udp-port N, --trimmed "
	     "N\n"
	     "                       as for 'rung check'\n"
	     "  -v, --verbose        all fields\n"
	     "      --color WHEN     auto (default), always or never\n"
	     "  -h, --help           this text");
}

/* ---- Which flow ---- */

/* The frame by which the flow is found; 0 after a message. */
static uint32_t target(const struct drawing *d)
{
	const struct jury_result *r = &d->result;

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

static int open_watch(struct drawing *d)
{
	watch_free(d->watch);
	d->watch = NULL;
	return watch_new(&d->watch, &d->jury.watch) ? cli_nomem(WHO) : 0;
}

/* Pushes a frame; the flow that it belongs to. */
static const struct judge_facts *push(struct drawing *d,
				      const struct capture_packet *p,
				      uint32_t number, unsigned *ret_shard)
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
	return j ? judge_facts(j) : NULL;
}

/* The datagram of a frame, of whatever family; false: it is of none. */
static bool read_frame(const struct drawing *d, const struct capture_packet *p,
		       struct dgram *ret)
{
	struct frame_info info;
	enum family family;

	frame_parse(&d->jury.watch.frame, p->link, p->p, p->len, ret, &info);
	if (!frame_family(&info, &family))
		return false;
	ret->family = (uint8_t)family;
	if (family == FAMILY_UET)
		return true;
	if (info.len < CRC_LEN || info.len > DGRAM_MAX)
		return false;
	ret->len = info.len - (info.ip_cut ? 0 : CRC_LEN);
	memcpy(ret->data, p->p + info.at, ret->len);
	return true;
}

/* RUDI, datagrams, and what nobody can place: all of it between two hosts. */
static bool pair_of(const struct drawing *d, const struct capture_packet *p,
		    struct ip_addr *ret)
{
	struct dgram g;

	if (!read_frame(d, p, &g))
		return false;
	ret[0] = g.src;
	ret[1] = g.dst;
	return true;
}

static bool is_between(const struct drawing *d, const struct capture_packet *p)
{
	struct ip_addr ends[2];

	if (!pair_of(d, p, ends))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (ip_addr_equal(&ends[0], &d->pair[i]))
			return ip_addr_equal(&ends[1], &d->pair[!i]);
	return false;
}

static int find(struct drawing *d, const struct source *s, uint32_t frame)
{
	struct source *again = source_again(s);
	const struct judge_facts *x = NULL;
	struct capture_packet p;
	uint32_t n = 0;
	int code = again ? open_watch(d) : cli_nomem(WHO);

	while (!code && n < frame && source_next(again, &p) > 0)
		x = push(d, &p, ++n, &d->shard);
	if (code) {
		source_close(again);
		return code;
	}
	if (n < frame || !x ||
	    (x->flow == JUDGE_NO_FLOW && !pair_of(d, &p, d->pair))) {
		fprintf(stderr, "%s: frame %" PRIu32 " belongs to no flow\n",
			WHO, frame);
		code = EXIT_NOTHING;
	} else {
		d->number = x->flow;
	}
	source_close(again);
	return code;
}

static bool belongs(const struct drawing *d, const struct judge_facts *x,
		    unsigned shard, const struct capture_packet *p)
{
	if (!x || x->flow != d->number)
		return false;
	return d->number == JUDGE_NO_FLOW ? is_between(d, p)
					  : shard == d->shard;
}

/* ---- The record ---- */

/* The packet was seen where it arrived, and everything that was sent there. */
static bool has_arrived(const struct drawing *d, const struct rec *e)
{
	const struct judge_conf *c = &d->jury.watch.judge;

	return c->whole && !c->afar && ip_addr_equal(&e->dst, &c->here);
}

static const char *why_again(const struct judge_facts *x)
{
	return x->cause == CAUSE_GAP ? "lost, as later PSNs arrived"
				     : "lost, or its answer";
}

/* Sent again for want of an answer: it was lost, or its answer, unless the link
 * of its receiver shows that there was none. */
static void note_loss(struct drawing *d, const struct judge_facts *x)
{
	struct record *r = &d->record;

	if (!x->takes_psn || !x->frame || x->acked || x->twin ||
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

/* |mask| is that of the family's PSNs. */
static void note_gap(struct drawing *d, const struct judge_facts *x, vtime at,
		     uint32_t mask)
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

static void add_packet(struct drawing *d, const struct capture_packet *p,
		       uint32_t number, const struct judge_facts *x)
{
	struct dgram g = {.len = 0};
	struct rec e = {.at = p->at, .left_at = p->at, .frame = number};
	const bool removed = d->ours && p->iface == 1;

	read_frame(d, p, &g);
	if (!d->left.len)
		d->left = x->initiator == !x->from ? g.dst : g.src;
	e.kind = ip_addr_equal(&g.src, &d->left) ? REC_TX : REC_RX;
	e.fate = removed ? FATE_DROPPED : FATE_CROSSED;
	note_gap(d, x, p->at,
		 g.family == FAMILY_UET ? UINT32_MAX : SERIAL24_MASK);
	note_loss(d, x);
	record_add(&d->record, &e, &g, NULL, NULL);
}

static void add_finding(struct drawing *d, const struct finding *f)
{
	struct record *r = &d->record;
	struct rec_finding *x;
	size_t i = 0;

	while (i < r->nrecs && r->recs[i].frame != f->frame)
		i++;
	if (i == r->nrecs)
		return;
	if (r->nfindings == r->findings_size) {
		const size_t n = r->findings_size ? 2 * r->findings_size : 16;
		void *p = realloc(r->findings, n * sizeof(*r->findings));

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

static int collect(struct drawing *d, const struct source *s)
{
	struct source *again = source_again(s);
	struct capture_packet p;
	uint32_t n = 0;
	unsigned shard;
	int code = again ? open_watch(d) : cli_nomem(WHO);

	while (!code && source_next(again, &p) > 0) {
		const struct judge_facts *x = push(d, &p, ++n, &shard);

		if (belongs(d, x, shard, &p))
			add_packet(d, &p, n, x);
		if (d->record.failed_alloc)
			code = cli_nomem(WHO);
	}
	source_close(again);
	for (size_t i = 0; i < d->result.nfindings; i++)
		add_finding(d, &d->result.findings[i]);
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

/* Of a long flow what is far from all that matters is left out. */
static void fold(struct drawing *d)
{
	struct record *r = &d->record;
	size_t shown = 0; /* all below are */

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
	r->verdict = r->nfindings ? VERDICT_FAIL : VERDICT_PASS;
	snprintf(r->reason, sizeof(r->reason), "%zu findings in this flow",
		 r->nfindings);
}

static int draw(struct drawing *d)
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

static int draw_source(struct drawing *d, struct source *s)
{
	uint32_t frame;
	int code;

	code = source_keep(WHO, s); /* it is read three times */
	if (code)
		return code;
	code = jury_sit(&d->jury, s, &d->result);
	if (code)
		return code;
	if (d->result.err && !d->result.counts.packets) {
		fprintf(stderr, "%s: %s: %s\n", WHO, d->path, d->result.error);
		return EXIT_USAGE;
	}
	frame = target(d);
	if (!frame)
		return EXIT_NOTHING;
	d->ours = source_info(s)->ours;
	code = find(d, s, frame);
	if (!code)
		code = collect(d, s);
	if (!code) {
		fold(d);
		code = draw(d);
	}
	return code;
}

static int ladder(struct drawing *d)
{
	struct source *s;
	int code = source_open(WHO, d->path, &s);

	if (code)
		return code;
	code = draw_source(d, s);
	source_close(s);
	jury_free(&d->result);
	watch_free(d->watch);
	record_free(&d->record);
	return code;
}

/* ---- Options ---- */

static unsigned terminal_width(void)
{
	struct winsize w;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w))
		return w.ws_col;
	return 0;
}

enum {
	OPT_FLOW = 256,
	OPT_FRAME,
	OPT_AROUND,
	OPT_ALL,
	OPT_FORMAT,
	OPT_WIDTH,
	OPT_WHOLE,
	OPT_AT,
	OPT_DECL,
	OPT_TRIMMED,
	OPT_UDP_PORT,
	OPT_COLOR,
};

static const struct option longs[] = {
	{"flow", required_argument, NULL, OPT_FLOW},
	{"frame", required_argument, NULL, OPT_FRAME},
	{"around", required_argument, NULL, OPT_AROUND},
	{"all", no_argument, NULL, OPT_ALL},
	{"format", required_argument, NULL, OPT_FORMAT},
	{"width", required_argument, NULL, OPT_WIDTH},
	{"whole", no_argument, NULL, OPT_WHOLE},
	{"at", required_argument, NULL, OPT_AT},
	{"decl", required_argument, NULL, OPT_DECL},
	{"trimmed", required_argument, NULL, OPT_TRIMMED},
	{"udp-port", required_argument, NULL, OPT_UDP_PORT},
	{"verbose", no_argument, NULL, 'v'},
	{"color", required_argument, NULL, OPT_COLOR},
	{"colour", required_argument, NULL, OPT_COLOR},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static int number_option(struct drawing *d, int o)
{
	uint64_t n;

	if (!cli_number(optarg, o == OPT_UDP_PORT ? UINT16_MAX : UINT32_MAX,
			&n) ||
	    !n)
		return cli_usage(WHO, "'%s' is no number from 1", optarg);
	if (o == OPT_FLOW)
		d->flow = n;
	else if (o == OPT_FRAME)
		d->frame = n;
	else if (o == OPT_AROUND)
		d->around = n;
	else if (o == OPT_WIDTH)
		d->opts.width = n < 1000 ? (unsigned)n : 1000;
	else
		d->jury.watch.frame.udp_port = (uint16_t)n;
	return 0;
}

static int format_option(struct drawing *d)
{
	static const char *const names[] = {"text", "svg", "json"};

	for (int i = 0; i < 3; i++)
		if (strcmp(optarg, names[i]) == 0) {
			d->format = (enum format)i;
			return 0;
		}
	return cli_usage(WHO, "--format is text, svg or json");
}

/* Return: -1 go on, else an exit code. */
static int options(int argc, char **argv, struct drawing *d)
{
	const char *colour = "auto";
	int o, code = 0;

	while (!code && (o = getopt_long(argc, argv, "hv", longs, NULL)) != -1)
		switch (o) {
		case OPT_WHOLE:
			d->jury.watch.judge.whole = true;
			break;
		case OPT_AT:
			code = jury_at(&d->jury, optarg);
			break;
		case OPT_DECL:
			code = jury_decl(&d->jury, optarg);
			break;
		case OPT_TRIMMED:
			code = jury_trimmed(&d->jury, optarg);
			break;
		case OPT_ALL:
			d->all = true;
			break;
		case OPT_FORMAT:
			code = format_option(d);
			break;
		case OPT_COLOR:
			colour = optarg;
			break;
		case 'v':
			d->opts.verbose = true;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		case '?':
			return cli_try(WHO);
		default:
			code = number_option(d, o);
		}
	if (code)
		return code;
	if (!cli_colour_word(colour))
		return cli_usage(WHO, "--color is auto, always or never");
	if (optind + 1 != argc)
		return cli_usage(WHO, "one capture is needed");
	d->opts.color = cli_colour(stdout, colour);
	d->path = argv[optind];
	return -1;
}

int cmd_ladder(int argc, char **argv)
{
	struct drawing *d = calloc(1, sizeof(*d));
	int code;

	if (!d)
		return cli_nomem(WHO);
	d->around = 8;
	d->opts.width = terminal_width();
	jury_conf_default(&d->jury, WHO);
	d->jury.max_findings = 100000;
	d->jury.flows = true;
	d->jury.watch.judge.brief = false;
	d->jury.stop = cli_interrupts();
	code = options(argc, argv, d);
	if (code < 0)
		code = ladder(d);
	free(d);
	return code;
}
