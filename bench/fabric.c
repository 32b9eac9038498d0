/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/fabric.c -- measures what a packet costs in a fabric of 2 to 10,000
 * endpoints, with every monitor and without judges: ns of processor time for
 * each packet that an endpoint sends, data and ACKs.
 *
 * Each endpoint writes to one other, all at once; those of the largest fabric
 * have 16 PDCs to others and 16 from others, and each of their writes is one
 * packet.  Two endpoints at one switch have 2 links between them, and
 * everything stays in the cache; they write once as all others do, and once as
 * those of the largest fabric.  Two endpoints at two leaves have 4 links and 16
 * spines between them, as most of the others; the memory of those is larger
 * than the cache.  The best of several runs counts, since disturbances only add
 * time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pattern.h"
#include "bench/bench.h"
#include "cli/file/large.h"
#include "fabric/fabric.h"

#define RUNS 3
#define MTU  4096

/*
 * Endpoints, and how many bytes each writes to one other, or to each of |fan|
 * others in writes of a packet.  To make 10,000 endpoints and their PDCs costs
 * as much as many packets: what flows of |less| bytes take is not counted.
 */
static const struct {
	uint32_t leaves, spines, hosts;
	uint64_t bytes, less;
	uint32_t fan;
} sizes[] = {
	{1, 1, 2, 64 << 20, 0, 0},     {1, 1, 2, 64 << 20, 0, 1},
	{2, 16, 1, 64 << 20, 0, 0},    {8, 8, 16, 2 << 20, 0, 0},
	{20, 16, 50, 256 << 10, 0, 0}, {100, 32, 100, 32 << 10, 8 << 10, 16}};

#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

struct measured {
	double seconds; /* negative if the run failed */
	uint64_t packets, events;
};

static void fabric_of_size(struct fabric_conf *conf, unsigned size,
			   uint64_t bytes)
{
	fabric_default(conf);
	conf->topology.leaves = sizes[size].leaves;
	conf->topology.spines = sizes[size].spines;
	conf->topology.hosts = sizes[size].hosts;
	conf->load.bytes = bytes;
	if (sizes[size].fan) {
		conf->load.kind = FABRIC_ALL_TO_ALL;
		conf->load.fan = sizes[size].fan;
		conf->load.message = MTU;
		conf->load.writes = 2;
	}
}

static struct measured fabric_once(unsigned size, uint64_t bytes, bool judged)
{
	static struct fabric_result r;
	struct fabric_conf conf;
	double began;
	int err;

	fabric_of_size(&conf, size, bytes);
	conf.judged = judged ? UINT32_MAX : 0;
	fabric_complete(&conf);
	began = bench_cpu();
	large_heap((size_t)fabric_endpoints(&conf.topology) *
		   FABRIC_ENDPOINT_BYTES);
	err = fabric_run(&conf, &r);
	if (err || r.complete != r.flows || r.findings)
		return (struct measured){-1, 0, 0};
	return (struct measured){bench_cpu() - began, r.packets, r.events};
}

/*
 * Measures in a process of its own, as "rung fabric" is one: memory that an
 * earlier run has used costs no page faults.
 */
static struct measured fabric_alone(unsigned size, uint64_t bytes, bool judged)
{
	struct measured m = {-1, 0, 0};
	int end[2];
	pid_t pid;

	if (pipe(end))
		return m;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		m = fabric_once(size, bytes, judged);
		_exit(write(end[1], &m, sizeof(m)) != sizeof(m));
	}
	close(end[1]);
	if (pid < 0 || read(end[0], &m, sizeof(m)) != sizeof(m))
		m.seconds = -1;
	close(end[0]);
	waitpid(pid, NULL, 0);
	return m;
}

static struct measured fabric_best(unsigned size, uint64_t bytes, bool judged)
{
	struct measured best = fabric_alone(size, bytes, judged);

	for (unsigned i = 1; i < RUNS && best.seconds > 0; i++) {
		const struct measured m = fabric_alone(size, bytes, judged);

		if (m.seconds < best.seconds)
			best = m;
	}
	return best;
}

/* Measures what the flows of a fabric take beyond the shorter ones. */
static struct measured fabric_beyond(unsigned size, bool judged)
{
	const struct measured all =
		fabric_best(size, sizes[size].bytes, judged);
	struct measured less;

	if (all.seconds < 0 || !sizes[size].less)
		return all;
	less = fabric_best(size, sizes[size].less, judged);
	if (less.seconds < 0)
		return less;
	return (struct measured){all.seconds - less.seconds,
				 all.packets - less.packets,
				 all.events - less.events};
}

static double fabric_ns(const struct measured *m)
{
	return m->seconds * 1e9 / (double)m->packets;
}

/* Returns the ns in which a source writes the payload of a full packet. */
static double fabric_payload(void)
{
	static uint8_t bytes[MTU];
	const double limit = bench_seconds() / 10, start = bench_cpu();
	uint64_t n = 0;

	while (bench_cpu() - start < limit)
		for (unsigned i = 0; i < 1000; i++, n++) {
			pattern_fill(bytes, 1, n, 0, MTU);
			bench_keep(bytes[0]);
		}
	return (bench_cpu() - start) * 1e9 / (double)n;
}

int main(void)
{
	printf("{\"payload_ns\": %.1f, \"fabrics\": [", fabric_payload());
	for (unsigned i = 0; i < NSIZES; i++) {
		const struct measured bare = fabric_beyond(i, false);
		const struct measured all = fabric_beyond(i, true);
		struct fabric_conf conf;

		if (bare.seconds < 0 || all.seconds < 0) {
			fprintf(stderr, "bench_fabric: a run failed\n");
			return 1;
		}
		fabric_of_size(&conf, i, sizes[i].bytes);
		printf("%s\n  {\"endpoints\": %" PRIu32 ", \"leaves\": %" PRIu32
		       ", \"message\": %" PRIu32
		       ", \"ns_per_packet\": %.0f, \"ns_without_judges\": %.0f,"
		       " \"events_per_packet\": %.2f}",
		       i ? "," : "", sizes[i].leaves * sizes[i].hosts,
		       sizes[i].leaves, conf.load.message, fabric_ns(&all),
		       fabric_ns(&bare),
		       (double)all.events / (double)all.packets);
	}
	puts("]}");
	return 0;
}
