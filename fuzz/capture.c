/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/capture.c -- libFuzzer target: reads and judges hostile capture files.
 *
 * Every input is read as one window and in pieces; both ways give the same
 * packets and the same error.  Each packet is judged by a watch of a complete
 * capture, by one of an incomplete capture that gets packets in batches, and by
 * two of a remote vantage point: one of these does not predict, and both find
 * the same.
 */
#include <string.h>

#include "fuzz/target.h"
#include "judge/core/watch.h"
#include "wire/frame/capture.h"
#include "wire/frame/crc.h"

enum { FOUND = 8, FLOWS = 8 };

struct seen {
	uint64_t packets;
	uint32_t sum;
	int err;
};

static void fuzz_capture_note(struct seen *s, const struct capture_packet *p)
{
	s->packets++;
	s->sum = crc32c(s->sum, p->p, p->len);
	s->sum = crc32c(s->sum, (const uint8_t *)&p->at, sizeof(p->at));
	CHECK(p->at >= 0 && p->at < VTIME_NEVER);
}

static void count_flow(void *arg, const struct judge_flow *f)
{
	size_t *n = arg;

	*n += f->stats->side[0].packets > 0;
}

static struct watch *fuzz_capture_open_watch(bool complete)
{
	struct watch_conf conf = {.max_flows = FLOWS,
				  .copies = !complete,
				  .frame = {.tunnels = !complete}};
	struct watch *w;

	judge_conf_default(&conf.judge);
	conf.judge.complete = complete;
	conf.judge.midstream = !complete;
	conf.judge.shared_counters = true;
	conf.judge.remote_vantage = !complete;
	if (complete) {
		conf.judge.window = 0;
		conf.judge.idle = 0;
	} else {
		conf.judge.window = 8;
		conf.judge.idle = VSPAN_S;
	}
	conf.judge.rto_init = 10 * VSPAN_MS;
	CHECK(watch_new(&w, &conf) == 0);
	return w;
}

/* |no_prediction|: all monitors check all packets. */
static struct watch *fuzz_capture_open_afar(bool no_prediction)
{
	struct watch_conf conf = {
		.max_flows = FLOWS, .copies = true, .frame = {.tunnels = true}};
	struct watch *w;

	judge_conf_default(&conf.judge);
	conf.judge.complete = conf.judge.midstream = conf.judge.remote_vantage =
		true;
	conf.judge.shared_counters = conf.judge.minimal_facts = true;
	conf.judge.no_prediction = no_prediction;
	CHECK(watch_new(&w, &conf) == 0);
	return w;
}

static struct watch_frame frame_of(const struct capture_packet *p)
{
	return (struct watch_frame){
		.p = p->p, .len = p->len, .link = p->link, .at = p->at};
}

static size_t fuzz_capture_judge(struct watch *w,
				 const struct capture_packet *p, uint32_t n)
{
	const struct watch_frame f = frame_of(p);
	struct finding found[FOUND];

	return watch_push(w, &f, n, found, FOUND);
}

/* Packets that are judged together. */
struct batch {
	struct watch_frame f[WATCH_PREFETCH];
	unsigned n;
	uint64_t number; /* number of the next packet */
};

static void judge_batch(struct watch *w, struct batch *b)
{
	struct finding found[FOUND];

	watch_prefetch(w, b->f, b->n, b->number);
	while (watch_waiting(w))
		watch_next(w, found, FOUND);
	b->number += b->n;
	b->n = 0;
}

static void judge_later(struct watch *w, const struct capture_packet *p,
			struct batch *b)
{
	b->f[b->n++] = frame_of(p);
	if (b->n == WATCH_PREFETCH)
		judge_batch(w, b);
}

static void fuzz_capture_close_watch(struct watch *w)
{
	struct finding found[FOUND];
	size_t n = 0;

	for (unsigned i = 0; i < WATCH_SHARDS; i++)
		watch_end(w, i, found, FOUND);
	watch_flows(w, count_flow, &n);
	CHECK(n <= watch_counts(w)->packets);
	watch_free(w);
}

static void same_counts(const struct watch *a, const struct watch *b)
{
	uint64_t one[REQ_COUNT][2] = {0}, other[REQ_COUNT][2] = {0};

	watch_seen_add(a, one);
	watch_seen_add(b, other);
	CHECK(!memcmp(one, other, sizeof(one)));
}

static struct seen at_once(const uint8_t *p, size_t len)
{
	struct watch *believes = fuzz_capture_open_watch(true),
		     *doubts = fuzz_capture_open_watch(false);
	struct watch *spares = fuzz_capture_open_afar(false),
		     *asks = fuzz_capture_open_afar(true);
	struct batch later = {.number = 1};
	struct seen s = {0};
	struct capture_packet pkt;
	struct capture *c;

	CHECK(capture_new(&c) == 0);
	capture_feed(c, p, len, true);
	while ((s.err = capture_next(c, &pkt)) > 0) {
		CHECK(pkt.p >= p && pkt.p + pkt.len <= p + len);
		fuzz_capture_note(&s, &pkt);
		fuzz_capture_judge(believes, &pkt, (uint32_t)s.packets);
		judge_later(doubts, &pkt, &later);
		CHECK(fuzz_capture_judge(spares, &pkt, (uint32_t)s.packets) ==
		      fuzz_capture_judge(asks, &pkt, (uint32_t)s.packets));
	}
	CHECK(!s.err == !*capture_error(c));
	capture_free(c);
	judge_batch(doubts, &later);
	fuzz_capture_close_watch(believes);
	fuzz_capture_close_watch(doubts);
	same_counts(spares, asks);
	fuzz_capture_close_watch(spares);
	fuzz_capture_close_watch(asks);
	return s;
}

static struct seen fuzz_capture_in_pieces(const uint8_t *p, size_t len)
{
	const size_t step = len / 7 + 1;
	struct seen s = {0};
	struct capture_packet pkt;
	struct capture *c;
	size_t at = 0, end = 0;

	CHECK(capture_new(&c) == 0);
	do {
		if (len - end > step)
			end = end + step;
		else
			end = len;
		capture_feed(c, p + at, end - at, end == len);
		while ((s.err = capture_next(c, &pkt)) > 0)
			fuzz_capture_note(&s, &pkt);
		at = end - capture_rest(c);
	} while (end < len && !s.err);
	capture_free(c);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	const struct seen a = at_once(p, len),
			  b = fuzz_capture_in_pieces(p, len);

	CHECK(a.packets == b.packets && a.sum == b.sum && a.err == b.err);
	return 0;
}
