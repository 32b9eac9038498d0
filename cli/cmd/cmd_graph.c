/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_graph.c -- rung graph: draws the PSNs of a flow over time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/capture/flow_pick.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/check_options.h"
#include "cli/option/option_read.h"
#include "reports/graph/graph_marks.h"
#include "reports/graph/graph_svg.h"
#include "wire/family.h"

#define WHO "rung graph"

struct graphing {
	struct flow_pick pick;
	bool live;
	struct graph graph;
	struct ip_addr ends[2]; /* by the facts' |from| */
};

static const struct option_row graph_rows[] = {
	{0, "flow", "N", "the N-th flow, as 'rung check --flows' lists them",
	 OPTION_NUMBER(struct graphing, pick.flow, 1, UINT32_MAX)},
	{0, "frame", "N", "the flow of frame N",
	 OPTION_NUMBER(struct graphing, pick.frame, 1, UINT32_MAX)},
	{0, "wire", NULL,
	 "label PSNs as on the wire (default: counted from the first one)",
	 OPTION_FLAG(struct graphing, live)},
	OPTION_END};

static const struct option_group graph_groups[] = {
	{NULL, graph_rows, 0},
	{"As for 'rung check'", check_option_rows,
	 offsetof(struct graphing, pick.check_run)},
	OPTION_GROUPS_END};

static int graph_packet(void *ctx, const struct flow_packet *p)
{
	struct graphing *gr = ctx;
	struct packet pkt;
	const struct graph_packet packet = {.pkt = &pkt,
					    .facts = p->facts,
					    .at = p->capture->at,
					    .frame = p->frame,
					    .removed = p->removed};
	struct dgram d = {.len = 0};

	flow_pick_dgram(&gr->pick, p, &d);
	packet_parse(d.family, &pkt, d.data, d.len);
	gr->graph.psn_mask = wire_families[d.family]->psn_mask;
	gr->ends[p->facts->from & 1] = d.src;
	gr->ends[!p->facts->from] = d.dst;
	graph_take(&gr->graph, &packet);
	if (gr->graph.failed_alloc)
		return cli_nomem(WHO);
	return 0;
}

static void graph_finding(struct graphing *gr, const struct rung_finding *f)
{
	if (req_fails((enum req_id)f->row, false))
		graph_find(&gr->graph, f->frame);
}

static int graph_draw(struct graphing *gr)
{
	char ends[2][IP_ADDR_TEXT];
	const struct graph_names names = {.title = gr->pick.path,
					  .side = {ends[0], ends[1]},
					  .live = gr->live};
	struct text t = {0};
	int code = 0;

	for (size_t i = 0; i < gr->pick.result.nfindings; i++)
		graph_finding(gr, &gr->pick.result.findings[i]);
	for (unsigned i = 0; i < 2; i++)
		ip_addr_print(&gr->ends[i], ends[i]);
	graph_svg(&t, &gr->graph, &names);
	if (text_err(&t) || gr->graph.failed_alloc)
		code = cli_nomem(WHO);
	else
		fwrite(text_cstr(&t), 1, t.len, stdout);
	text_free(&t);
	return code;
}

static int graph_flow(struct graphing *gr)
{
	int code = flow_pick_open(&gr->pick);

	if (!code)
		code = flow_pick_each(&gr->pick, graph_packet, gr);
	if (!code)
		code = graph_draw(gr);
	/* The packets that were read are drawn; the rest is missing. */
	if (!code)
		code = flow_pick_ended(&gr->pick);
	flow_pick_close(&gr->pick);
	graph_free(&gr->graph);
	return code;
}

static int cmd_graph(int argc, char **argv)
{
	struct graphing *gr = memory_calloc(1, sizeof(*gr));
	struct operands files;
	int code;

	if (!gr)
		return cli_nomem(WHO);
	flow_pick_default(&gr->pick, WHO);
	code = option_read(&command_graph, argc, argv, gr, &files);
	if (code < 0 && files.n != 1)
		code = cli_usage(WHO, "one capture is needed");
	if (code < 0) {
		gr->pick.path = files.at[0];
		code = graph_flow(gr);
	}
	free(gr);
	return code;
}

const struct command command_graph = {
	.name = "graph",
	.what = "draw the PSNs of a flow over time",
	.usage = "[OPTION...] FILE > GRAPH.svg",
	.about = "Draws the sequence graph of one flow of a capture (also gzip "
		 "or zstd; - is standard input) as SVG: which PSN was sent, "
		 "retransmitted, acknowledged and refused, and when. By "
		 "default the flow of the first finding.",
	.groups = graph_groups,
	.exits = "Exit codes: 0 drawn, 2 usage, or a file that is no capture "
		 "or is damaged, 3 the file ends too early; what it holds is "
		 "drawn, 4 there is no such flow, 5 harness error, 130 "
		 "interrupted.",
	.run = cmd_graph,
};
