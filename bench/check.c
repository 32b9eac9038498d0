/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/check.c -- measures how fast a capture is judged, compared with
 * programs that only read it.
 *
 * A capture is generated: flows interleaved at random, each a PDC that is
 * opened, sends single-packet messages that are acknowledged, and violates no
 * rule.  A bare loop over libpcap reads the file, and rung judges it with one
 * thread and with two, in turns, several times over; the best of each counts.
 * tshark summarises it too, if it is installed.  Then the number of flows
 * grows, while each has 20 packets on average, so that not only their beginning
 * is measured.  Each capture is judged once before it is measured, so that the
 * file is in memory, and the memory of the flows is touched shortly before: a
 * virtual machine returns unused memory to its host and asks for it again page
 * by page.  Times are of this machine in this run; compare them with each
 * other.
 *
 * bench_check make FILE FLOWS PACKETS writes such a capture and measures
 * nothing, for bench/flows.py.
 *
 * BENCH_PACKETS is the size of the capture (default 300000); the bar is
 * measured with 5000000 and more.  From there on captures of many flows are
 * larger, up to 20000000 packets, and need 2.2 GB in /tmp and about as much
 * memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include "base/rng.h"
#include "base/text.h"
#include "bench/bench.h"
#include "cli/cli.h"
#include "cli/run/check_run.h"
#include "wire/frame/frame_build.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

enum {
	FLOWS = 1000,
	TURNS = 3,
	HOSTS = 256,
	FRAME = 256,
	PAYLOAD = 16,
	EACH = 20,         /* packets of a flow, with many flows */
	ROOM = 2048,       /* bytes reserved for a flow, an upper bound */
	IN_FULL = 5000000, /* packets of a full measurement */
};

/* One flow of the generator. */
struct gen {
	uint32_t psn; /* PSN of the next packet */
	bool opened, waits;
};

static const volatile bool never;

static void check_must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

static size_t check_put_request(const struct gen *g, uint16_t id, uint8_t *p)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .next_hdr = PDS_NEXT_REQUEST_STD,
				    .ar = 1,
				    .clear_psn_offset = -1,
				    .psn = g->psn,
				    .spdcid = id,
				    .dpdcid = id};
	const struct pds_req_syn syn = {.type = PDS_RUD_REQ,
					.next_hdr = PDS_NEXT_REQUEST_STD,
					.ar = 1,
					.syn = 1,
					.clear_psn_offset = -1,
					.psn = g->psn,
					.spdcid = id};
	const struct ses_std_som ses = {.opcode = SES_SEND,
					.message_id = (uint16_t)(g->psn | 1),
					.som = 1,
					.eom = 1,
					.job_id = 7,
					.request_length = PAYLOAD};

	if (g->opened)
		pds_req_put(&req, p);
	else
		pds_req_syn_put(&syn, p);
	ses_std_som_put(&ses, p + pds_req_len);
	memset(p + pds_req_len + ses_std_som_len, 0x5a, PAYLOAD);
	return pds_req_len + ses_std_som_len + PAYLOAD;
}

static size_t check_put_ack(const struct gen *g, uint16_t id, uint8_t *p)
{
	const struct pds_ack ack = {.type = PDS_ACK,
				    .next_hdr = PDS_NEXT_RESPONSE,
				    .cack_psn = g->psn,
				    .spdcid = id,
				    .dpdcid = id};
	const struct ses_response ses = {.opcode = SES_RESPONSE,
					 .return_code = RC_OK,
					 .message_id = (uint16_t)(g->psn | 1),
					 .job_id = 7};

	pds_ack_put(&ack, p);
	ses_response_put(&ses, p + pds_ack_len);
	return pds_ack_len + ses_response_len;
}

/* Chooses a flow's hosts: many pairs, each with many PDCIDs. */
static void check_ends(uint32_t flow, struct dgram *d, uint16_t *ret_id)
{
	const uint32_t pair = flow % 4096;

	d->src = ip_addr_v4(0x0a000000 + pair % HOSTS);
	d->dst = ip_addr_v4(0x0a010000 + pair / HOSTS);
	*ret_id = (uint16_t)(1 + flow / 4096);
}

static size_t next_frame(struct gen *g, uint32_t flow, uint8_t *frame)
{
	struct dgram d;
	struct ip_addr src;
	uint16_t id;
	int n;

	memset(&d, 0, offsetof(struct dgram, data) + FRAME);
	check_ends(flow, &d, &id);
	d.entropy = (uint16_t)(flow | 0x8000);
	if (!g->waits) {
		d.len = check_put_request(g, id, d.data);
	} else {
		src = d.src;
		d.src = d.dst;
		d.dst = src;
		d.len = check_put_ack(g, id, d.data);
		g->opened = true;
		g->psn++;
	}
	g->waits = !g->waits;
	n = frame_build(NULL, FRAME_ETHERNET, &d, frame, FRAME);
	check_must(n > 0, "frame_build");
	return (size_t)n;
}

static void check_generate(FILE *f, uint32_t flows, uint64_t packets)
{
	static const uint32_t head[] = {0xa1b23c4d, 4u << 16 | 2,  0, 0,
					65535,      FRAME_ETHERNET};
	struct gen *g = calloc(flows, sizeof(*g));
	struct rng rng = {flows};
	uint8_t frame[FRAME];

	check_must(g, "calloc");
	rewind(f);
	check_must(!ftruncate(fileno(f), 0), "ftruncate");
	fwrite(head, sizeof(head), 1, f);
	for (uint32_t i = 0; i < flows; i++)
		g[i].psn = (uint32_t)rng_next(&rng);
	for (uint64_t i = 0; i < packets; i++) {
		const uint32_t k = rng_below(&rng, flows);
		const size_t n = next_frame(&g[k], k, frame);
		const uint64_t at = 1000000000ull + i * 200;
		const uint32_t rec[] = {(uint32_t)(at / 1000000000),
					(uint32_t)(at % 1000000000),
					(uint32_t)n, (uint32_t)n};

		fwrite(rec, sizeof(rec), 1, f);
		fwrite(frame, n, 1, f);
	}
	check_must(!fflush(f), "writing the capture");
	free(g);
}

static double by_libpcap(const char *path, uint64_t packets)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_open_offline(path, error);
	const double start = bench_now();
	const unsigned char *bytes;
	struct pcap_pkthdr *h;
	uint64_t n = 0;

	check_must(p, error);
	while (pcap_next_ex(p, &h, &bytes) == 1) {
		bench_keep(bytes[0]);
		n++;
	}
	pcap_close(p);
	check_must(n == packets, "libpcap");
	return bench_now() - start;
}

static void check_conf_of(struct check_run_conf *conf, unsigned check_workers,
			  uint32_t flows)
{
	struct judge_conf *j = &conf->watch.judge;

	*conf = (struct check_run_conf){
		.who = "bench",
		.check_workers = check_workers,
		.max_findings = 10,
		.stop = &never,
		.watch = {.max_flows = 2 * (size_t)flows, .copies = true}};
	judge_conf_default(j);
	j->midstream = j->remote_vantage = j->complete = j->shared_counters =
		j->minimal_facts = true;
	j->window = 16;
	j->idle = 60 * VSPAN_S;
	j->rto_init = 10 * VSPAN_MS;
}

static double judged(const char *path, unsigned check_workers, uint32_t flows,
		     uint64_t packets)
{
	static struct check_run_result r;
	struct check_run_conf conf;
	struct source *s;
	double start;

	check_conf_of(&conf, check_workers, flows);
	start = bench_now();
	check_must(!source_open("bench", path, &s), "source_open");
	check_must(!check_run_begin(&conf, s, &r), "jury_sit");
	start = bench_now() - start;
	check_must(r.counts.packets == packets && !r.sum.fails &&
			   r.sum.flows_complete == r.counts.flows,
		   "the capture is not judged as it should be");
	check_run_free(&r);
	source_close(s);
	return start;
}

/* Return: seconds; below 0 if tshark is not installed. */
static double by_tshark(const char *path)
{
	const double start = bench_now();
	char command[256];

	if (system("command -v tshark >/dev/null 2>&1"))
		return -1;
	snprintf(command, sizeof(command),
		 "tshark -n -q -z io,stat,0 -r %s >/dev/null 2>&1", path);
	if (system(command))
		return -1;
	return bench_now() - start;
}

static void rate(const char *name, double seconds, uint64_t packets)
{
	if (seconds < 0)
		printf("\"%s\": null, ", name);
	else
		printf("\"%s\": %.0f, ", name, (double)packets / seconds);
}

static void best(double *ret, double seconds)
{
	if (*ret <= 0 || seconds < *ret)
		*ret = seconds;
}

/* Touches so much memory that the machine has it at hand. */
static void check_use(size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	check_must(p != MAP_FAILED, "mmap");
	madvise(p, bytes, MADV_HUGEPAGE);
	for (size_t at = 0; at < bytes; at += page)
		p[at] = 1;
	munmap(p, bytes);
}

/* Returns nanoseconds per packet. */
static double cost(FILE *f, const char *path, uint32_t flows, uint64_t packets)
{
	double seconds = 0;

	check_generate(f, flows, packets);
	judged(path, 1, flows, packets);
	for (unsigned i = 0; i < TURNS; i++) {
		check_use((size_t)flows * ROOM);
		best(&seconds, judged(path, 1, flows, packets));
	}
	return seconds * 1e9 / (double)packets;
}

static void by_flows(FILE *f, const char *path, uint64_t packets)
{
	static const uint32_t counts[] = {1,     10,     100,    1000,
					  10000, 100000, 1000000};

	printf("\"ns_per_packet\": {");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const uint64_t least = (uint64_t)counts[i] * EACH;
		const bool enough = packets >= least;

		if (!enough && packets < IN_FULL)
			break;
		printf("%s\"%" PRIu32 "\": %.0f", text_between(i, ", "),
		       counts[i],
		       cost(f, path, counts[i], enough ? packets : least));
		fflush(stdout);
	}
	printf("}");
}

/* Writes the capture that the arguments name. */
static int check_make(char **argv)
{
	const uint32_t flows = (uint32_t)strtoul(argv[1], NULL, 0);
	FILE *f = fopen(argv[0], "w+be");

	check_must(f && flows, argv[0]);
	check_generate(f, flows, strtoull(argv[2], NULL, 0));
	check_must(!fclose(f), argv[0]);
	return 0;
}

static int check_measure(void)
{
	const char *env = getenv("BENCH_PACKETS");
	const uint64_t packets = env ? strtoull(env, NULL, 0) : 300000;
	char path[] = "/tmp/rung-bench-XXXXXX";
	const int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w+b");
	double one = 0, two = 0, loop = 0;

	check_must(f && packets >= 2 * FLOWS, "BENCH_PACKETS or a file");
	check_generate(f, FLOWS, packets);
	for (unsigned i = 0; i < TURNS; i++) {
		best(&one, judged(path, 1, FLOWS, packets));
		best(&two, judged(path, 2, FLOWS, packets));
		best(&loop, by_libpcap(path, packets));
	}
	printf("{\"packets\": %" PRIu64 ", \"flows\": %d, ", packets, FLOWS);
	rate("judged_per_s", one, packets);
	rate("judged_2_threads_per_s", two, packets);
	rate("libpcap_loop_per_s", loop, packets);
	rate("tshark_per_s", by_tshark(path), packets);
	printf("\"flow_bytes\": %zu, ", judge_flow_bytes());
	by_flows(f, path, packets);
	printf("}\n");
	fclose(f);
	unlink(path);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "make") == 0)
		return check_make(argv + 2);
	return check_measure();
}
