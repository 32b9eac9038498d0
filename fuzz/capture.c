/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/capture.c -- libFuzzer target: hostile capture files, read and judged.
 *
 * Every input is read as one window and in pieces; both ways give the same
 * packets and the same error.  Each packet is judged by a watch that believes
 * everything, by one that doubts and is told of packets before, and by two that
 * stand far from both ends: one of them spares its monitors what is usual, and
 * both find the same.
 */
#include <string.h>

#include "fuzz/target.h"
#include "judge/watch.h"
#include "wire/capture.h"
#include "wire/crc.h"

enum { FOUND = 8, FLOWS = 64 };

struct seen {
	uint64_t packets;
	uint32_t sum;
	int err;
};

static void note(struct seen *s, const struct capture_packet *p)
{
	s->packets++;
	s->sum = crc32c(s->sum, p->p, p->len);
	s->sum = crc32c(s->sum, (const uint8_t *)&p->at, sizeof(p->at));
	CHECK(p->at >= 0 && p->at < VTIME_NEVER);
}

static void count_flow(void *arg, const struct judge_flow *f)
{
	size_t *n = arg;

	*n += f->tally->side[0].packets > 0;
}

static struct watch *open_watch(bool whole)
{
	struct watch_conf conf = {.max_flows = FLOWS, .copies = !whole};
	struct watch *w;

	judge_conf_default(&conf.judge);
	conf.judge.whole = whole;
	conf.judge.joined = !whole;
	conf.judge.afar = !whole;
	conf.judge.window = whole ? 0 : 8;
	conf.judge.idle = whole ? 0 : VSPAN_S;
	conf.judge.rto_init = 10 * VSPAN_MS;
	CHECK(watch_new(&w, &conf) == 0);
	return w;
}

/* |every|: all monitors look at all packets. */
static struct watch *open_afar(bool every)
{
	struct watch_conf conf = {.max_flows = FLOWS, .copies = true};
	struct watch *w;

	judge_conf_default(&conf.judge);
	conf.judge.whole = conf.judge.joined = conf.judge.afar = true;
	conf.judge.together = conf.judge.brief = true;
	conf.judge.every = every;
	CHECK(watch_new(&w, &conf) == 0);
	return w;
}

static size_t judge(struct watch *w, const struct capture_packet *p, uint32_t n)
{
	const struct watch_frame f = {.p = p->p,
				      .len = p->len,
				      .orig = p->orig,
				      .link = p->link,
				      .at = p->at,
				      .number = n};
	struct finding found[FOUND];

	return watch_push(w, &f, found, FOUND);
}

/* Those that are judged together. */
struct batch {
	struct capture_packet p[WATCH_AHEAD];
	unsigned n;
	uint64_t number; /* of the next */
};

static void judge_batch(struct watch *w, struct batch *b)
{
	struct finding found[FOUND];

	watch_ahead(w, b->p, b->n, b->number);
	while (watch_waiting(w))
		watch_next(w, found, FOUND);
	b->number += b->n;
	b->n = 0;
}

static void judge_later(struct watch *w, const struct capture_packet *p,
			struct batch *b)
{
	b->p[b->n++] = *p;
	if (b->n == WATCH_AHEAD)
		judge_batch(w, b);
}

static void close_watch(struct watch *w)
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
	for (int q = 0; q < REQ_COUNT; q++)
		for (enum req_role r = REQ_SRC; r <= REQ_DST; r++)
			CHECK(watch_seen(a, (enum req_id)q, r) ==
			      watch_seen(b, (enum req_id)q, r));
}

static struct seen at_once(const uint8_t *p, size_t len)
{
	struct watch *believes = open_watch(true), *doubts = open_watch(false);
	struct watch *spares = open_afar(false), *asks = open_afar(true);
	struct batch later = {.number = 1};
	struct seen s = {0};
	struct capture_packet pkt;
	struct capture *c;

	CHECK(capture_new(&c) == 0);
	capture_feed(c, p, len, true);
	while ((s.err = capture_next(c, &pkt)) > 0) {
		CHECK(pkt.p >= p && pkt.p + pkt.len <= p + len);
		note(&s, &pkt);
		judge(believes, &pkt, (uint32_t)s.packets);
		judge_later(doubts, &pkt, &later);
		CHECK(judge(spares, &pkt, (uint32_t)s.packets) ==
		      judge(asks, &pkt, (uint32_t)s.packets));
	}
	CHECK(!s.err == !*capture_error(c));
	capture_free(c);
	judge_batch(doubts, &later);
	close_watch(believes);
	close_watch(doubts);
	same_counts(spares, asks);
	close_watch(spares);
	close_watch(asks);
	return s;
}

static struct seen in_pieces(const uint8_t *p, size_t len)
{
	const size_t step = len / 7 + 1;
	struct seen s = {0};
	struct capture_packet pkt;
	struct capture *c;
	size_t at = 0, end = 0;

	CHECK(capture_new(&c) == 0);
	do {
		end = len - end > step ? end + step : len;
		capture_feed(c, p + at, end - at, end == len);
		while ((s.err = capture_next(c, &pkt)) > 0)
			note(&s, &pkt);
		at = end - capture_rest(c);
	} while (end < len && !s.err);
	capture_free(c);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	const struct seen a = at_once(p, len), b = in_pieces(p, len);

	CHECK(a.packets == b.packets && a.sum == b.sum && a.err == b.err);
	return 0;
}
