/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/fabric/fabric_print.c -- prints the result of a fabric.
 */
#include "cli/fabric/fabric_print.h"

#include <inttypes.h>

#include "reports/format/json.h"
#include "rung_version.h"

static const char *const kinds[] = {"leaf-spine", "rail", "dumbbell"};
static const char *const workloads[] = {"incast", "permutation", "all-to-all",
					"all-reduce"};
static const char *const policies[] = {"none", "nscc", "rccc"};
static const char *const choices[] = {"turn", "random", "feedback"};

static double fabric_us(vspan span)
{
	return (double)span / 1e3;
}

static void fabric_header(struct text *t, const struct fabric_conf *conf,
			  const struct fabric_result *r)
{
	const struct fabric_topology *top = &conf->topology;

	text_printf(t,
		    "%s: %u endpoints, %u leaves, %u spines, %u Mbit/s, base "
		    "RTT %.2f us, queue %u bytes%s\n",
		    kinds[top->kind], r->endpoints, top->leaves, top->spines,
		    top->rate, fabric_us(r->base_rtt), top->queue,
		    top->trim ? ", trimming" : "");
	text_printf(t,
		    "%s: %zu flows%s of %" PRIu64 " bytes, congestion control "
		    "%s, %u paths by %s, seed %" PRIu64 "\n\n",
		    workloads[conf->load.kind], r->flows,
		    conf->load.kind == FABRIC_ALL_REDUCE ? " of a vector" : "",
		    conf->load.bytes, policies[conf->endpoint.cc_policy],
		    conf->endpoint.spray, choices[conf->endpoint.path_choice],
		    conf->seed);
}

static void fabric_findings(struct text *t, const struct fabric_result *r)
{
	text_printf(t,
		    "judged        %u of %u endpoints, %" PRIu64 " packets: "
		    "%" PRIu64 " findings, %" PRIu64 " remarks\n",
		    r->judged, r->endpoints, r->judged_packets, r->findings,
		    r->remarks);
	for (uint64_t i = 0; i < r->findings && i < FABRIC_FINDINGS; i++)
		text_printf(t, "  FAIL %s/%s, packet %u: %s\n",
			    req_get(r->first[i].req)->id,
			    req_role_name(r->first[i].role), r->first[i].frame,
			    r->first[i].text);
}

void fabric_text(struct text *t, const struct fabric_conf *conf,
		 const struct fabric_result *r)
{
	fabric_header(t, conf, r);
	text_printf(t, "complete      %zu of %zu flows, %zu failed\n",
		    r->complete, r->flows, r->failed);
	text_printf(t,
		    "completion    mean %.2f us, p50 %.2f us, p99 %.2f us, max "
		    "%.2f us\n",
		    fabric_us(r->completion.mean), fabric_us(r->completion.p50),
		    fabric_us(r->completion.p99), fabric_us(r->completion.max));
	text_printf(t, "took          %.2f us; ideal %.2f us\n",
		    fabric_us(r->took), fabric_us(r->ideal));
	text_printf(t, "goodput       %.1f %% of the ideal\n",
		    100 * r->goodput);
	text_printf(t, "fairness      %.3f (Jain's index)\n", r->fairness);
	text_printf(t,
		    "packets       %" PRIu64 " sent, %" PRIu64
		    " retransmitted, %" PRIu64 " NACKs\n",
		    r->packets, r->retransmitted, r->nacks);
	text_printf(t,
		    "switches      %" PRIu64 " marked, %" PRIu64
		    " trimmed, %" PRIu64 " dropped, %" PRIu64
		    " lost by failures\n",
		    r->marked, r->trimmed, r->dropped, r->cut);
	text_printf(t, "queue         at most %u bytes\n", r->queue_max);
	fabric_findings(t, r);
}

static double fabric_repeated(const struct fabric_result *r)
{
	return r->packets ? 100 * (double)r->retransmitted / (double)r->packets
			  : 0;
}

unsigned fabric_missed(struct text *t, const struct fabric_bars *bars,
		       const struct fabric_result *r)
{
	unsigned n = 0;

	if (bars->goodput && 100 * r->goodput < bars->goodput) {
		text_printf(t, "missed        goodput: at least %u %%\n",
			    bars->goodput);
		n++;
	}
	if (bars->fairness && 100 * r->fairness < bars->fairness) {
		text_printf(t, "missed        fairness: at least %.2f\n",
			    bars->fairness / 100.0);
		n++;
	}
	if (bars->retransmitted && fabric_repeated(r) > bars->retransmitted) {
		text_printf(t,
			    "missed        retransmitted: %.1f of 100 packets, "
			    "at most %u\n",
			    fabric_repeated(r), bars->retransmitted);
		n++;
	}
	return n;
}

/* ---- JSON ---- */

static json_t *fabric_findings_json(const struct fabric_result *r)
{
	json_t *all = json_array();

	for (uint64_t i = 0; i < r->findings && i < FABRIC_FINDINGS; i++)
		json_array_append_new(
			all, json_pack("{s:s,s:s,s:I,s:s}", "requirement",
				       req_get(r->first[i].req)->id, "role",
				       req_role_name(r->first[i].role),
				       "packet", (json_int_t)r->first[i].frame,
				       "text", r->first[i].text));
	return all;
}

static json_t *fabric_conf_json(const struct fabric_conf *conf)
{
	const struct fabric_topology *t = &conf->topology;

	return json_pack(
		"{s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:b,s:I,s:I,s:b,"
		"s:I,s:I}",
		"kind", kinds[t->kind], "leaves", (json_int_t)t->leaves,
		"spines", (json_int_t)t->spines, "hosts", (json_int_t)t->hosts,
		"rate_mbps", (json_int_t)t->rate, "uplink_mbps",
		(json_int_t)t->uplink, "delay_ns", (json_int_t)t->delay,
		"jitter_ns", (json_int_t)t->jitter, "queue_bytes",
		(json_int_t)t->queue, "ecn", !t->no_ecn, "ecn_min_bytes",
		(json_int_t)t->ecn_min, "ecn_max_bytes", (json_int_t)t->ecn_max,
		"trim", t->trim, "loss_per_million", (json_int_t)t->loss,
		"failures", (json_int_t)t->nfailures);
}

static json_t *fabric_load_json(const struct fabric_conf *conf,
				const struct fabric_result *r)
{
	const struct orc_conf *e = &conf->endpoint;

	return json_pack("{s:s,s:s,s:I,s:I,s:I,s:s,s:I,s:s,s:I,s:s}", "family",
			 family_name(conf->load.family), "kind",
			 workloads[conf->load.kind], "flows",
			 (json_int_t)r->flows, "flow_bytes",
			 (json_int_t)conf->load.bytes, "message_bytes",
			 (json_int_t)conf->load.message, "policy",
			 policies[e->cc_policy], "paths", (json_int_t)e->spray,
			 "path_choice", choices[e->path_choice], "base_rtt_ns",
			 (json_int_t)r->base_rtt, "mode",
			 conf->load.mode == OP_ROD ? "rod" : "rud");
}

static json_t *fabric_flows_json(const struct fabric_result *r)
{
	return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:I}",
			 "complete", (json_int_t)r->complete, "failed",
			 (json_int_t)r->failed, "completion_mean_ns",
			 (json_int_t)r->completion.mean, "completion_p50_ns",
			 (json_int_t)r->completion.p50, "completion_p99_ns",
			 (json_int_t)r->completion.p99, "completion_max_ns",
			 (json_int_t)r->completion.max, "took_ns",
			 (json_int_t)r->took, "ideal_ns", (json_int_t)r->ideal,
			 "goodput", r->goodput, "fairness", r->fairness,
			 "payload_bytes", (json_int_t)r->payload);
}

static json_t *fabric_network_json(const struct fabric_result *r)
{
	return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "packets",
			 (json_int_t)r->packets, "retransmitted",
			 (json_int_t)r->retransmitted, "nacks",
			 (json_int_t)r->nacks, "marked", (json_int_t)r->marked,
			 "trimmed", (json_int_t)r->trimmed, "dropped",
			 (json_int_t)r->dropped, "lost_by_failures",
			 (json_int_t)r->cut, "queue_max_bytes",
			 (json_int_t)r->queue_max);
}

static json_t *fabric_percentiles_json(const struct fabric_result *r)
{
	json_t *all = json_array();

	for (unsigned i = 0; i < FABRIC_PERCENTILES; i++)
		json_array_append_new(all, json_integer(r->percentiles[i]));
	return all;
}

static json_t *fabric_series_json(const struct fabric_result *r)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < r->series.n; i++) {
		const struct series_sample *s = &r->series.v[i];

		json_array_append_new(
			all, json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "at_ns",
				       (json_int_t)s->at, "payload_bytes",
				       (json_int_t)s->payload, "retransmitted",
				       (json_int_t)s->retransmitted, "trimmed",
				       (json_int_t)s->trimmed, "dropped",
				       (json_int_t)s->dropped, "queue_bytes",
				       (json_int_t)s->queue));
	}
	return all;
}

static json_t *fabric_bars_json(const struct fabric_bars *bars,
				const struct fabric_result *r)
{
	struct text t = {0};
	const unsigned n = fabric_missed(&t, bars, r);

	text_free(&t);
	return json_pack("{s:I,s:f,s:I,s:I}", "goodput_percent",
			 (json_int_t)bars->goodput, "fairness",
			 bars->fairness / 100.0, "retransmitted_percent",
			 (json_int_t)bars->retransmitted, "missed",
			 (json_int_t)n);
}

json_t *fabric_json(const struct fabric_conf *conf,
		    const struct fabric_bars *bars,
		    const struct fabric_result *r)
{
	return json_pack(
		"{s:s,s:{s:s,s:s},s:o,s:I,s:o,s:o,s:o,s:o,s:{s:I,s:I,"
		"s:I,s:I,s:o},s:o,s:o,s:o}",
		"schema", "rung.fabric/1", "tool", "name", "rung", "version",
		RUNG_VERSION, "seed", json_u64(conf->seed), "endpoints",
		(json_int_t)r->endpoints, "topology", fabric_conf_json(conf),
		"workload", fabric_load_json(conf, r), "flows",
		fabric_flows_json(r), "network", fabric_network_json(r),
		"judged", "endpoints", (json_int_t)r->judged, "packets",
		(json_int_t)r->judged_packets, "findings",
		(json_int_t)r->findings, "remarks", (json_int_t)r->remarks,
		"first", fabric_findings_json(r), "bars",
		fabric_bars_json(bars, r), "completion_percentiles_ns",
		fabric_percentiles_json(r), "samples", fabric_series_json(r));
}

/* ---- Around a device ---- */

static double fabric_live_mbps(const struct fabric_result *r)
{
	if (!r->took)
		return 0;
	return (double)r->payload * 8e3 / (double)r->took;
}

void fabric_live_text(struct text *t, const struct fabric_live_conf *conf,
		      const struct fabric_live_result *live)
{
	const struct fabric_result *r = &live->r;

	text_printf(t,
		    "%u endpoints around %s%s%s\n%s: %zu flows of %" PRIu64
		    " bytes, seed %" PRIu64 "\n\n",
		    r->endpoints, conf->setup.dut.text, *live->name ? ", " : "",
		    live->name, workloads[conf->load.kind], r->flows,
		    conf->load.bytes, conf->seed);
	text_printf(t, "complete      %zu of %zu flows, %zu failed\n",
		    r->complete, r->flows, r->failed);
	text_printf(t,
		    "completion    mean %.2f ms, p50 %.2f ms, p99 %.2f ms, max "
		    "%.2f ms\n",
		    fabric_us(r->completion.mean) / 1e3,
		    fabric_us(r->completion.p50) / 1e3,
		    fabric_us(r->completion.p99) / 1e3,
		    fabric_us(r->completion.max) / 1e3);
	text_printf(t, "goodput       %.1f Mbit/s\n", fabric_live_mbps(r));
	text_printf(t, "fairness      %.3f (Jain's index)\n", r->fairness);
	text_printf(t,
		    "packets       %" PRIu64 " sent to it, %" PRIu64
		    " retransmitted, %" PRIu64 " NACKs; %" PRIu64
		    " lost on this machine\n",
		    r->packets, r->retransmitted, r->nacks, live->lost);
	fabric_findings(t, r);
	if (live->refused)
		text_printf(t, "refused       %" PRIu64 " writes: %s\n",
			    live->refused, live->why);
	if (*live->gone)
		text_printf(t, "gone          the control channel: %s\n",
			    live->gone);
	if (live->silent)
		text_puts(t, "silent        the device sent nothing for as "
			     "long as it may repeat\n");
	if (live->doubtful)
		text_puts(t, "doubtful      the judges may have missed packets "
			     "that this machine lost\n");
	if (live->busy)
		text_printf(
			t,
			"busy          packets waited up to %.1f ms on this "
			"machine, and the device %.1f ms for a processor: "
			"flows may have failed for want of one\n",
			fabric_us(live->late) / 1e3,
			fabric_us(live->starved) / 1e3);
}

json_t *fabric_live_json(const struct fabric_live_conf *conf,
			 const struct fabric_live_result *live)
{
	const struct fabric_result *r = &live->r;

	return json_pack(
		"{s:s,s:{s:s,s:s},s:o,s:{s:s,s:s,s:s,s:b,s:I},s:I,"
		"s:{s:s,s:I,s:s},"
		"s:{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:I,s:s,s:b},"
		"s:{s:I,s:I,s:I,s:I,s:I},s:{s:I,s:I,s:I,s:b,s:o}}",
		"schema", "rung.fabric-live/1", "tool", "name", "rung",
		"version", RUNG_VERSION, "seed", json_u64(conf->seed), "device",
		"spec", conf->setup.dut.text, "name", live->name, "gone",
		live->gone, "silent", live->silent, "starved_ns",
		(json_int_t)live->starved, "endpoints",
		(json_int_t)r->endpoints, "workload", "kind",
		workloads[conf->load.kind], "flow_bytes",
		(json_int_t)conf->load.bytes, "mode",
		conf->load.mode == OP_ROD ? "rod" : "rud", "flows", "flows",
		(json_int_t)r->flows, "complete", (json_int_t)r->complete,
		"failed", (json_int_t)r->failed, "completion_mean_ns",
		(json_int_t)r->completion.mean, "completion_p50_ns",
		(json_int_t)r->completion.p50, "completion_p99_ns",
		(json_int_t)r->completion.p99, "completion_max_ns",
		(json_int_t)r->completion.max, "took_ns", (json_int_t)r->took,
		"mbit_per_s", fabric_live_mbps(r), "fairness", r->fairness,
		"refused", (json_int_t)live->refused, "why", live->why, "busy",
		live->busy, "network", "packets", (json_int_t)r->packets,
		"retransmitted", (json_int_t)r->retransmitted, "nacks",
		(json_int_t)r->nacks, "lost_here", (json_int_t)live->lost,
		"late_ns", (json_int_t)live->late, "judged", "packets",
		(json_int_t)r->judged_packets, "findings",
		(json_int_t)r->findings, "remarks", (json_int_t)r->remarks,
		"doubtful", live->doubtful, "first", fabric_findings_json(r));
}
