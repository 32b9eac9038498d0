/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judges a capture, a pcap file in the byte order of this machine with times in
 * microseconds, and prints findings and flows.
 *
 *	cc capture.c $(pkg-config --cflags --libs librung)
 */
#include <inttypes.h>
#include <stdio.h>

#include <rung.h>

static void finding(void *arg, const struct rung_finding *f)
{
	unsigned *n = arg;

	++*n;
	printf("frame %" PRIu32 ": %s by %s: %s\n", f->frame, f->requirement,
	       f->side, f->text);
}

static void flow(void *arg, const struct rung_flow *f)
{
	const struct rung_side_stats *a = &f->sides[0], *b = &f->sides[1];
	const int64_t rtt = rung_flow_rtt(f, 500);

	(void)arg;
	printf("%s flow from frame %" PRIu32 ": %" PRIu32 " and %" PRIu32
	       " packets, %" PRIu32 " and %" PRIu32 " NACKs",
	       f->mode, f->first_frame, a->packets, b->packets, a->nacks,
	       b->nacks);
	if (rtt >= 0)
		printf(", half of the answers within %" PRId64 " us",
		       rtt / 1000);
	printf("\n");
}

int main(int argc, char **argv)
{
	static unsigned char bytes[65536];
	uint32_t head[6], packet[4]; /* the headers of file and packet */
	struct rung_frame f = {.bytes = bytes};
	struct rung_watch *w;
	struct rung_conf conf;
	unsigned found = 0;
	FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;

	rung_conf_default(&conf, 0);
	if (!in || fread(head, sizeof(head), 1, in) != 1 ||
	    head[0] != 0xa1b2c3d4 || rung_watch_new(&w, &conf))
		return 2;
	f.link = head[5];
	for (uint64_t n = 1; fread(packet, sizeof(packet), 1, in) == 1; n++) {
		f.len = packet[2];
		f.at_ns = (packet[0] * UINT64_C(1000000) + packet[1]) * 1000;
		if (f.len > sizeof(bytes) || fread(bytes, f.len, 1, in) != 1 ||
		    rung_watch_push(w, &f, 1, n, finding, &found))
			break;
	}
	rung_watch_end(w, 0, finding, &found);
	rung_watch_flows(w, flow, NULL);
	rung_watch_free(w);
	fclose(in);
	return found > 0;
}
