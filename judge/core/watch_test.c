/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/watch_test.c -- tests that the same frames give the same findings
 * one by one, in batches, and with several watches.
 *
 * The frames are noise that resembles traffic: requests and ACKs of many pairs
 * with jumping PSNs, some duplicated, truncated, tagged, fragmented, of other
 * families or protocols, or earlier than the one before.
 */
#include "judge/core/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "judge/core/told_test.h"
#include "wire/frame/crc.h"
#include "wire/frame/frame_build.h"
#include "wire/ib/ib.h"
#include "wire/ib/icrc.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

enum { FRAMES = 2000, SIZE = 256, PAIRS = 40, FOUND = 32, MOST = 20000 };

struct traffic {
	struct watch_frame f[FRAMES];
	uint8_t bytes[FRAMES][SIZE];
};

/* The findings and counts of a watch, or of several together. */
struct watch_test_outcome {
	struct finding *f;
	size_t n;
	struct watch_counts counts;
};

/* A flow of a pair: the PSN it sent last, and whether an answer came. */
struct watch_test_flow {
	uint32_t psn;
	bool opened, waits;
};

static void watch_test_put_request(struct rng *rng, struct watch_test_flow *f,
				   struct dgram *d)
{
	const struct pds_req req = {.type = PDS_RUD_REQ,
				    .next_hdr = PDS_NEXT_REQUEST_STD,
				    .rsvd_9 = rng_below(rng, 30) == 0,
				    .clear_psn_offset = -1,
				    .psn = f->psn,
				    .spdcid = 7,
				    .dpdcid = 7};
	const struct pds_req_syn syn = {.type = PDS_RUD_REQ,
					.next_hdr = PDS_NEXT_REQUEST_STD,
					.syn = 1,
					.clear_psn_offset = -1,
					.psn = f->psn,
					.spdcid = 7};
	const struct ses_std_som ses = {.opcode = SES_SEND,
					.som = 1,
					.eom = 1,
					.message_id = (uint16_t)f->psn,
					.request_length = 16};

	if (f->opened)
		pds_req_put(&req, d->data);
	else
		pds_req_syn_put(&syn, d->data);
	ses_std_som_put(&ses, d->data + pds_req_len);
	d->len = pds_req_len + ses_std_som_len + 16;
	if (rng_below(rng, 4) == 0)
		crc_append(d, CRC_LE);
}

/* An ACK, sometimes for a PSN that was never sent. */
static void watch_test_put_ack(struct rng *rng, struct watch_test_flow *f,
			       struct dgram *d)
{
	const struct pds_ack pds = {.type = PDS_ACK,
				    .next_hdr = PDS_NEXT_RESPONSE,
				    .cack_psn =
					    f->psn + (rng_below(rng, 20) == 0),
				    .spdcid = 7,
				    .dpdcid = 7};
	const struct ses_response ses = {.opcode = SES_RESPONSE,
					 .return_code = RC_OK,
					 .message_id = (uint16_t)f->psn};

	pds_ack_put(&pds, d->data);
	ses_response_put(&ses, d->data + pds_ack_len);
	d->len = pds_ack_len + ses_response_len;
	f->opened = true;
	f->psn++;
}

static size_t watch_test_put_frame(struct rng *rng,
				   struct watch_test_flow *flows, uint8_t *p)
{
	static const uint8_t tag[] = {0x81, 0x00, 0x00, 0x05};
	const uint32_t pair = rng_below(rng, PAIRS);
	struct dgram d = {.entropy = 0x8000, .native = rng_below(rng, 9) == 0};
	struct watch_test_flow *f = &flows[pair];
	int n;

	for (unsigned i = 0; i < 2; i++) {
		struct ip_addr *a = i == f->waits ? &d.src : &d.dst;

		*a = ip_addr_v4(0x0a000000 + i * 0x10000 + pair * 3);
		if (pair % 4 == 0)
			a->len = 16;
	}
	(f->waits ? watch_test_put_ack : watch_test_put_request)(rng, f, &d);
	f->waits = !f->waits;
	if (rng_below(rng, 20) == 0)
		d.udp_dport = rng_below(rng, 2) ? 53 : ROCE_UDP_PORT;
	n = frame_build(NULL, FRAME_ETHERNET, &d, p, SIZE - sizeof(tag));
	assert_true(n > 0);
	if (d.src.len == 4) /* its IP identification */
		p[19] = (uint8_t)f->psn;
	if (rng_below(rng, 4) == 0) {
		memmove(p + 16, p + 12, (size_t)n - 12);
		memcpy(p + 12, tag, sizeof(tag));
		n += (int)sizeof(tag);
	}
	return (size_t)n;
}

/* |bad|: some of the frames hide their content, or have a wrong time. */
static struct traffic *watch_test_noise(uint64_t seed, bool bad)
{
	struct traffic *t = calloc(1, sizeof(*t));
	struct watch_test_flow flows[PAIRS] = {0};
	struct rng rng = {seed};
	vtime now = VSPAN_S;

	assert_non_null(t);
	for (uint32_t i = 0; i < FRAMES; i++) {
		uint8_t *p = t->bytes[i];
		size_t n = watch_test_put_frame(&rng, flows, p);

		if (bad && rng_below(&rng, 200) == 0)
			n = rng_below(&rng, (uint32_t)n);
		if (bad && rng_below(&rng, 100) == 0)
			p[14 + rng_below(&rng, 10)] ^= 0x21;
		/*
		 * Before that, the result would depend on the size of the
		 * batch, since too little is known about the senders.
		 */
		if (i > 700 && rng_below(&rng, 20) == 0) {
			n = t->f[i - 1].len;
			memcpy(p, t->bytes[i - 1], n);
		}
		now += rng_below(&rng, 3) * VSPAN_US;
		if (bad && rng_below(&rng, 500) == 0)
			now -= VSPAN_MS / 2;
		t->f[i] = (struct watch_frame){.p = p,
					       .len = (uint32_t)n,
					       .link = FRAME_ETHERNET,
					       .at = now};
	}
	return t;
}

static const struct frame_conf watch_test_frames;

static struct watch *watch_test_open_watch(unsigned part, unsigned parts)
{
	struct watch_conf conf = {.max_flows = 1000,
				  .copies = true,
				  .part = part,
				  .parts = parts};
	struct watch *w;

	judge_conf_default(&conf.judge);
	conf.judge.complete = conf.judge.midstream = true;
	assert_int_equal(watch_new(&w, &conf), 0);
	return w;
}

static void watch_test_take(struct watch_test_outcome *o,
			    const struct finding *f, size_t n)
{
	assert_true(n <= FOUND && o->n + n <= MOST);
	memcpy(o->f + o->n, f, n * sizeof(*f));
	o->n += n;
}

/* Each watch counts its own part; every watch sees the time. */
static void watch_test_close_watch(struct watch *w,
				   struct watch_test_outcome *o)
{
	const struct watch_counts *c = watch_counts(w);

	o->counts.frames = c->frames;
	o->counts.backward = c->backward;
	o->counts.same_time = c->same_time;
	o->counts.first_at = c->first_at;
	o->counts.last_at = c->last_at;
	o->counts.packets += c->packets;
	for (int i = 0; i < UNREADS; i++)
		o->counts.unread[i] += c->unread[i];
	o->counts.broken += c->broken;
	o->counts.encrypted += c->encrypted;
	o->counts.cut += c->cut;
	o->counts.copies += c->copies;
	o->counts.repeats += c->repeats;
	o->counts.skipped += c->skipped;
	watch_free(w);
}

static void one_by_one(const struct traffic *t, struct watch *w,
		       struct watch_test_outcome *o)
{
	struct finding found[FOUND];

	for (uint32_t i = 0; i < FRAMES; i++) {
		watch_test_take(o, found,
				watch_push(w, &t->f[i], i + 1, found, FOUND));
	}
}

/* Every second batch is one whose frames were parsed for several watches. */
static void watch_test_prefetch(struct watch *w, const struct watch_frame *f,
				unsigned n, uint64_t number)
{
	struct watch_peek x[WATCH_PREFETCH];

	if (number % 2) {
		watch_prefetch(w, f, n, number);
		return;
	}
	watch_peek(&watch_test_frames, f, n, x);
	watch_prefetch_peeked(w, f, x, n, number);
}

/* Passes several frames at a time. */
static void watch_test_told_before(const struct traffic *t, struct watch *w,
				   struct rng *rng,
				   struct watch_test_outcome *o)
{
	struct finding found[FOUND];
	unsigned i = 0, n;

	while (i < FRAMES) {
		n = 1 + rng_below(rng, WATCH_PREFETCH);
		n = n < FRAMES - i ? n : FRAMES - i;
		watch_test_prefetch(w, t->f + i, n, i + 1);
		while (watch_waiting(w))
			watch_test_take(o, found, watch_next(w, found, FOUND));
		i += n;
	}
}

static int watch_test_by_frame(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	return (x->req > y->req) - (x->req < y->req);
}

static void watch_test_check_same(const struct watch_test_outcome *a,
				  const struct watch_test_outcome *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		assert_int_equal(a->f[i].frame, b->f[i].frame);
		assert_int_equal(a->f[i].req, b->f[i].req);
		assert_string_equal(a->f[i].text, b->f[i].text);
	}
	assert_memory_equal(&a->counts, &b->counts, sizeof(a->counts));
}

static struct watch_test_outcome watch_test_nothing(void)
{
	struct watch_test_outcome o = {.f = calloc(MOST, sizeof(*o.f))};

	assert_non_null(o.f);
	return o;
}

/* Records what a watch found and counted. */
static void watch_test_tell(const struct watch *w,
			    const struct watch_test_outcome *o)
{
	struct judge_totals totals = {0};
	uint64_t seen[REQ_COUNT][2] = {0};

	watch_totals(w, &totals);
	watch_seen_add(w, seen);
	told_numbers("totals", &totals, sizeof(totals));
	told_numbers("checked", seen, sizeof(seen));
	told_numbers("frames", watch_counts(w), sizeof(*watch_counts(w)));
	if (told_wanted())
		watch_flows(w, told_flow, NULL);
	told_findings(o->f, o->n, o->n);
}

static void check_parts(const struct traffic *t, unsigned parts,
			const struct watch_test_outcome *want)
{
	struct rng rng = {parts};
	struct watch_test_outcome got = watch_test_nothing();

	for (unsigned i = 0; i < parts; i++) {
		struct watch *w = watch_test_open_watch(i, parts);

		watch_test_told_before(t, w, &rng, &got);
		watch_test_close_watch(w, &got);
	}
	qsort(got.f, got.n, sizeof(*got.f), watch_test_by_frame);
	watch_test_check_same(&got, want);
	free(got.f);
}

static void the_same_is_found(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct traffic *t = watch_test_noise(seed, seed > 2);
		struct watch_test_outcome want = watch_test_nothing();
		struct watch *w = watch_test_open_watch(0, 0);

		one_by_one(t, w, &want);
		watch_test_tell(w, &want);
		watch_test_close_watch(w, &want);
		assert_true(want.n > 50 && want.counts.copies > 10);
		qsort(want.f, want.n, sizeof(*want.f), watch_test_by_frame);
		for (unsigned parts = 1; parts <= 5; parts++)
			check_parts(t, parts, &want);
		free(want.f);
		free(t);
	}
}

/*
 * Frames before one that hides its packet are judged normally, even in the same
 * batch.
 */
static void doubt_begins_in_its_place(void **state)
{
	struct traffic *t = watch_test_noise(9, false);

	(void)state;
	for (unsigned at = 100; at < 110; at++) {
		struct watch_test_outcome want = watch_test_nothing(),
					  got = watch_test_nothing();
		struct watch *a = watch_test_open_watch(0, 0),
			     *b = watch_test_open_watch(0, 0);
		const uint32_t len = t->f[at].len;
		struct rng rng = {at};

		t->f[at].len = 20;
		one_by_one(t, a, &want);
		watch_test_told_before(t, b, &rng, &got);
		assert_int_equal(watch_counts(a)->broken, 1);
		watch_test_close_watch(a, &want);
		watch_test_close_watch(b, &got);
		watch_test_check_same(&want, &got);
		t->f[at].len = len;
		free(want.f);
		free(got.f);
	}
	free(t);
}

/* Returns the packets that a watch of `rung check` counts as missing. */
static uint64_t missing(const struct traffic *t, bool predict)
{
	struct watch_conf conf = {.max_flows = 1000};
	struct watch_test_outcome o = watch_test_nothing();
	struct rng rng = {1};
	struct watch *w;

	judge_conf_default(&conf.judge);
	conf.judge.midstream = conf.judge.remote_vantage =
		conf.judge.shared_counters = conf.judge.minimal_facts = true;
	conf.judge.complete = false;
	conf.judge.window = 16;
	conf.judge.no_prediction = !predict;
	assert_int_equal(watch_new(&w, &conf), 0);
	watch_test_told_before(t, w, &rng, &o);
	watch_test_close_watch(w, &o);
	free(o.f);
	return o.counts.skipped;
}

/* Both paths count the packets that a capture lacks. */
static void missing_on_both_paths(void **state)
{
	struct traffic *t = watch_test_noise(3, false);
	struct rng rng = {3};

	(void)state;
	for (uint32_t i = 0; i < FRAMES; i++)
		if (rng_below(&rng, 10) == 0)
			t->f[i].len = 0;
	assert_true(missing(t, false) > 20);
	assert_int_equal(missing(t, true), missing(t, false));
	free(t);
}

enum { LONG_SEND = 400 };

/* How a packet ends. */
enum trailer { NO_CRC, GOOD_CRC, BAD_CRC, TURNED_CRC };

/*
 * Pushes a send of |length| bytes in one packet.  The byte at |changed| differs
 * (below 0: none).
 *
 * Return: the number of findings.
 */
static size_t push_send(struct watch *w, uint32_t nth, bool retx, int length,
			int changed, enum trailer end)
{
	const struct pds_req_syn h = {.type = PDS_RUD_REQ,
				      .next_hdr = PDS_NEXT_REQUEST_STD,
				      .retx = retx,
				      .syn = 1,
				      .clear_psn_offset =
					      (int16_t)-1 - (int16_t)nth,
				      .psn = 333 + nth,
				      .psn_offset = (uint16_t)nth,
				      .spdcid = 7};
	const struct ses_std_som ses = {.opcode = SES_SEND,
					.som = 1,
					.eom = 1,
					.message_id = (uint16_t)(1 + nth),
					.request_length = (uint32_t)length};
	struct dgram d = {.entropy = 0x8000,
			  .ecn = ECN_ECT0,
			  .src = ip_addr_v4(0x0a000001),
			  .dst = ip_addr_v4(0x0a000002)};
	const uint32_t number = (uint32_t)watch_counts(w)->frames + 1;
	uint8_t bytes[LONG_SEND + SIZE];
	struct watch_frame frame = {
		.p = bytes, .link = FRAME_ETHERNET, .at = number * VSPAN_S};
	struct finding f[FOUND];
	int n;

	d.len = pds_req_len + ses_std_som_len + (size_t)length;
	memset(d.data, 0x5a, d.len);
	pds_req_syn_put(&h, d.data);
	ses_std_som_put(&ses, d.data + pds_req_len);
	if (changed >= 0)
		d.data[pds_req_len + ses_std_som_len + changed] ^= 1;
	if (end != NO_CRC)
		crc_append(&d, end == TURNED_CRC ? CRC_BE : CRC_LE);
	if (end == BAD_CRC)
		d.data[d.len - 1] ^= 1;
	n = frame_build(NULL, FRAME_ETHERNET, &d, bytes, sizeof(bytes));
	assert_true(n > length);
	frame.len = (uint32_t)n;
	return watch_push(w, &frame, number, f, FOUND);
}

/*
 * Pushes a long request, and its retransmission with another byte at |changed|.
 * Returns the number of findings about that.
 */
static size_t copy_of_long(int changed, enum trailer end)
{
	struct watch *w = watch_test_open_watch(0, 0);
	size_t found;

	push_send(w, 0, false, LONG_SEND, -1, end);
	found = push_send(w, 0, true, LONG_SEND, changed, end);
	watch_free(w);
	return found;
}

/* The CRC that was computed of a long request does not serve a short one. */
static void a_long_request_between_copies(void **state)
{
	struct watch *w = watch_test_open_watch(0, 0);

	(void)state;
	push_send(w, 0, false, 40, -1, GOOD_CRC);
	assert_int_equal(push_send(w, 1, false, LONG_SEND, -1, GOOD_CRC), 0);
	assert_int_equal(push_send(w, 0, true, 40, -1, GOOD_CRC), 0);
	watch_free(w);
}

/* Every byte of a retransmission counts, except those of its CRC. */
static void a_changed_copy_is_found(void **state)
{
	static const int changed[] = {0, 1, 200, 394, 395, 396, 399};

	(void)state;
	for (unsigned e = NO_CRC; e <= GOOD_CRC; e++) {
		const enum trailer end = (enum trailer)e;

		assert_int_equal(copy_of_long(-1, end), 0);
		for (size_t i = 0; i < sizeof(changed) / sizeof(*changed); i++)
			assert_int_equal(copy_of_long(changed[i], end), 1);
	}
}

/* The declaration about CRCs, and the place of the watch. */
struct crc_place {
	bool known, crc; /* |known| false: nothing is declared */
	bool sender;     /* at the sender's link, or else at the receiver's */
	bool free;       /* the sender may be wrong on purpose */
};

enum { REFUSED = -1 }; /* the judge never saw the packet */

/* Returns the number of findings about a packet that ends so, or REFUSED. */
static int findings_of_crc(const struct crc_place *at, enum trailer end)
{
	struct watch_conf conf = {.max_flows = 100,
				  .crc_known = at->known,
				  .crc = at->crc,
				  .crc_free = at->free,
				  .crc_order = CRC_LE};
	struct judge_totals totals = {0};
	struct watch *w;
	int n;

	judge_conf_default(&conf.judge);
	conf.judge.no_crc = at->known && !at->crc;
	conf.judge.complete = true;
	conf.judge.midstream = conf.judge.remote_vantage = false;
	conf.judge.here = ip_addr_v4(at->sender ? 0x0a000001 : 0x0a000002);
	assert_int_equal(watch_new(&w, &conf), 0);
	n = (int)push_send(w, 0, false, 40, -1, end);
	watch_totals(w, &totals);
	watch_free(w);
	return totals.flows ? n : REFUSED;
}

/*
 * The judge finds a CRC that is not as declared at the link of its sender.  The
 * receiver drops the packet.
 */
static void each_crc_is_as_declared(void **state)
{
	static const struct {
		struct crc_place at;
		int none, good, bad, turned;
	} cases[] = {
		/* nothing is declared */
		{{.sender = true}, 0, 0, 0, 0},
		{{.sender = false}, 0, 0, 0, 0},
		/* packets have a CRC */
		{{.known = true, .crc = true, .sender = true}, 1, 0, 1, 0},
		{{.known = true, .crc = true}, REFUSED, 0, REFUSED, REFUSED},
		{{.known = true, .crc = true, .sender = true, .free = true},
		 .none = 0},
		/* packets have none: a wrong CRC is payload too much */
		{{.known = true, .sender = true}, 0, 1, 1, 1},
		{{.known = true}, 0, REFUSED, 1, REFUSED},
		{{.known = true, .sender = true, .free = true}, 0, 0, 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct crc_place *at = &cases[i].at;

		assert_int_equal(findings_of_crc(at, NO_CRC), cases[i].none);
		assert_int_equal(findings_of_crc(at, GOOD_CRC), cases[i].good);
		assert_int_equal(findings_of_crc(at, BAD_CRC), cases[i].bad);
		assert_int_equal(findings_of_crc(at, TURNED_CRC),
				 cases[i].turned);
	}
}

/*
 * Pushes one of two packets of a send of 128 bytes.  Returns the number of
 * findings.
 */
static size_t push_wqe(struct watch *w, bool last, uint32_t offset)
{
	const struct bth bth = {.opcode = last ? IB_WQE_SEND_LAST
					       : IB_WQE_SEND_FIRST,
				.pkey = 0xffff,
				.dest_qp = 5,
				.psn = last};
	const struct wqeth x = {.wqe_offset = offset, .wqe_length = 128};
	struct dgram d = {.family = FAMILY_WQE,
			  .udp_dport = WQE_UDP_PORT,
			  .src = ip_addr_v4(0x0a000001),
			  .dst = ip_addr_v4(0x0a000002)};
	uint8_t bytes[SIZE];
	struct watch_frame frame = {
		.p = bytes, .link = FRAME_ETHERNET, .at = VSPAN_S};
	struct finding f[FOUND];

	d.len = bth_len + wqeth_len + 64;
	bth_put(&bth, d.data);
	wqeth_put(&x, d.data + bth_len);
	assert_int_equal(icrc_append(&d, WQE_UDP_PORT, &icrc_socket), 0);
	frame.len = (uint32_t)frame_build(NULL, FRAME_ETHERNET, &d, bytes,
					  sizeof(bytes));
	return watch_push(w, &frame, last + 1, f, FOUND);
}

/* The second packet begins where the payload of the first ended. */
static void icrc_is_no_payload(void **state)
{
	(void)state;
	for (uint32_t more = 0; more <= 4; more += 4) {
		struct watch *w = watch_test_open_watch(0, 0);

		assert_int_equal(push_wqe(w, false, 0), 0);
		assert_int_equal(push_wqe(w, true, 64 + more), more > 0);
		assert_int_equal(watch_counts(w)->packets, 2);
		watch_free(w);
	}
}

/* Pushes the same packet twice, 20 us apart.  Returns the repeats. */
static uint64_t repeats_of(bool ack)
{
	struct watch *w = watch_test_open_watch(0, 0);
	struct watch_test_flow flow = {.psn = 333, .opened = true};
	struct rng rng = {1};
	struct dgram d = {.entropy = 0x8000,
			  .src = ip_addr_v4(0x0a000001),
			  .dst = ip_addr_v4(0x0a000002)};
	struct finding f[FOUND];
	uint8_t bytes[SIZE];
	uint64_t repeats;

	(ack ? watch_test_put_ack : watch_test_put_request)(&rng, &flow, &d);
	for (unsigned i = 0; i < 2; i++) {
		struct watch_frame frame = {.p = bytes,
					    .link = FRAME_ETHERNET,
					    .at = VSPAN_S + 20 * i * VSPAN_US};

		frame.len = (uint32_t)frame_build(NULL, FRAME_ETHERNET, &d,
						  bytes, sizeof(bytes));
		bytes[19] = (uint8_t)i; /* IP identification */
		watch_push(w, &frame, i + 1, f, FOUND);
	}
	repeats = watch_counts(w)->repeats;
	watch_free(w);
	return repeats;
}

static void only_requests_are_repeats(void **state)
{
	(void)state;
	assert_int_equal(repeats_of(false), 1);
	assert_int_equal(repeats_of(true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_is_found),
		cmocka_unit_test(doubt_begins_in_its_place),
		cmocka_unit_test(missing_on_both_paths),
		cmocka_unit_test(a_changed_copy_is_found),
		cmocka_unit_test(a_long_request_between_copies),
		cmocka_unit_test(icrc_is_no_payload),
		cmocka_unit_test(each_crc_is_as_declared),
		cmocka_unit_test(only_requests_are_repeats),
	};

	return cmocka_run_group_tests_name("judge.watch", tests, NULL, NULL);
}
