/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/core/traffic_test.c -- random traffic that violates no rule, with loss,
 * duplicates, NACKs, guaranteed responses, reads and closes.  The judge must
 * find nothing, at any vantage point and in any part of the traffic.
 *
 * A small model plays the two ends, not the reference.  It chooses at random
 * where the specification leaves a choice.  PSNs are counted from 0 here.
 *
 * The same traffic, mangled in places, is judged with prediction and without.
 * Both judges must find the same, and keep the same state of each flow.
 */
#include "base/rng.h"
#include "judge/core/lab_test.h"
#include "judge/core/pair_test.h"

enum { LENGTH = 300, KEPT = 6000, WORLDS = 150, NOBODY = 2 };

struct out {
	bool acked, nacked, read, repeated;
	unsigned rto, nacks;
	uint32_t size;    /* message size of a request, if it is not trimmed */
	uint32_t data_of; /* of return data: the PSN of the read */
	vtime at, nacked_at;
};

/* One end: the source of its own PSN space, and the sink of the other end's. */
struct end_model {
	struct out out[LENGTH];
	uint32_t next, acked; /* |acked|: all PSNs below are acknowledged */
	bool asked;           /* the other end requested a CLEAR_PSN */
	bool got[LENGTH], stored[LENGTH];
	uint32_t cack, clear; /* all PSNs below are acknowledged, or cleared */
	uint32_t bytes;
	/* reads that it has to answer */
	uint32_t reads[LENGTH], nreads, returned;
};

struct kept {
	struct dgram d;
	vtime at;
};

struct world {
	struct lab lab;
	struct rng rng;
	struct end_model end[2];
	unsigned vantage; /* the end at whose link the judge captures */
	bool known;       /* A knows B's PDCID */
	/* the network loses nothing, the ends refuse and store nothing */
	bool calm;
	bool plain;       /* no ACK has congestion control state */
	bool asks_always; /* B asks for a clear while anything is stored */
	struct kept *kept;
	size_t nkept;
};

static bool traffic_test_chance(struct world *w, unsigned percent)
{
	return rng_below(&w->rng, 100) < percent;
}

/*
 * The network loses a packet after the sender's link and before the receiver's.
 */
static bool loses(struct world *w, unsigned from)
{
	const bool lost = w->vantage != NOBODY && traffic_test_chance(w, 8);

	w->lab.muted = lost && w->vantage != from;
	return lost;
}

static void traffic_test_keep(void *arg, const struct lab *lab)
{
	struct world *w = arg;

	if (w->nkept == KEPT)
		return;
	dgram_copy(&w->kept[w->nkept].d, &lab->d);
	w->kept[w->nkept++].at = lab->now;
}

/* ---- The sink ---- */

static bool any_stored(const struct end_model *e)
{
	for (uint32_t i = e->clear; i < LENGTH; i++)
		if (e->stored[i])
			return true;
	return false;
}

static void traffic_test_cover(struct end_model *e)
{
	while (e->cack < LENGTH && e->got[e->cack] &&
	       (!e->stored[e->cack] || e->cack < e->clear))
		e->cack++;
}

static void hear_ack(struct world *w, unsigned to, uint32_t psn, uint32_t cack,
		     bool asks)
{
	struct end_model *e = &w->end[to];

	e->out[psn].acked = true;
	for (uint32_t i = 0; i < cack; i++)
		e->out[i].acked = true;
	while (e->acked < e->next && e->out[e->acked].acked)
		e->acked++;
	e->asked |= asks;
	w->known |= to == A;
}

static uint64_t bitmap(const struct end_model *e)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < 64 && e->cack + i < LENGTH; i++)
		if (e->got[e->cack + i])
			bits |= (uint64_t)1 << i;
	return bits;
}

static void fill_response(struct world *w, unsigned from, uint32_t psn,
			  bool again, struct sent *s)
{
	const struct end_model *peer = &w->end[!from];
	const uint16_t mid = (uint16_t)((psn + 1) | 0x8000);

	if (from == A) { /* return data echoes response_message_id */
		s->opcode = SES_RESPONSE;
		s->rc = RC_OK;
		s->mid = 9;
	} else if (w->end[B].stored[psn]) {
		s->opcode = SES_RESPONSE;
		s->rc = psn % 3 ? RC_OK : RC_NO_MATCH;
		s->mid = mid;
	} else if (!again && !peer->out[psn].read &&
		   traffic_test_chance(w, 50)) {
		s->opcode = SES_RESPONSE;
		s->rc = RC_OK;
		s->mid = mid;
	} else {
		s->rc = traffic_test_chance(w, 50) ? RC_OK : RC_NULL;
	}
}

static void give_answer(struct world *w, unsigned from, uint32_t psn, bool retx,
			bool again)
{
	struct end_model *e = &w->end[from];
	struct sent s = {
		.psn = START + psn, .cack = START - 1 + e->cack, .retx = retx};
	const bool mine = e->stored[psn] && psn >= e->clear;
	const bool asks = mine || (w->asks_always && any_stored(e));
	bool lost;

	s.req = asks ? PDS_REQ_CLEAR : PDS_REQ_NONE;
	fill_response(w, from, psn, again, &s);
	if (!w->plain && traffic_test_chance(w, 50)) {
		s.type = PDS_ACK_CC;
		s.mpr = 2;
		s.bytes = (e->bytes + 255) / 256;
		s.sack = bitmap(e);
		s.sack_psn = START + e->cack;
	}
	lost = loses(w, from);
	lab_answer(&w->lab, from, s);
	if (!lost)
		hear_ack(w, !from, psn, e->cack, asks);
}

static void give_nack(struct world *w, uint32_t psn, bool retx)
{
	struct out *o = &w->end[A].out[psn];
	const bool lost = loses(w, B);

	nack(&w->lab, B, .psn = START + psn, .code = NACK_NO_PKT_BUFFER,
	     .retx = retx);
	if (lost)
		return;
	o->nacked = true;
	o->nacked_at = w->lab.now;
	w->known = true;
}

static void traffic_test_receive(struct world *w, unsigned to, uint32_t psn,
				 uint32_t clear, bool retx, bool now)
{
	struct end_model *e = &w->end[to];
	struct out *o = &w->end[!to].out[psn];

	if (to == B && !e->got[psn] && o->nacks < 3 && !o->acked &&
	    traffic_test_chance(w, w->calm ? 0 : 5)) {
		o->nacks++;
		give_nack(w, psn, retx);
		return;
	}
	if (clear > e->clear)
		e->clear = clear;
	traffic_test_cover(e);
	if (e->got[psn]) {
		if (retx || traffic_test_chance(w, 30))
			give_answer(w, to, psn, retx, true);
		return;
	}
	e->got[psn] = true;
	e->bytes += o->size;
	e->stored[psn] =
		to == B && !o->read && traffic_test_chance(w, w->calm ? 0 : 20);
	if (to == B && o->read)
		e->reads[e->nreads++] = psn;
	traffic_test_cover(e);
	if (now || retx || e->stored[psn] || traffic_test_chance(w, 50))
		give_answer(w, to, psn, retx, false);
}

/* ---- The source ---- */

static void fill_request(const struct world *w, unsigned from, uint32_t psn,
			 struct sent *s)
{
	const struct out *o = &w->end[from].out[psn];

	if (from == B) {
		s->next = PDS_NEXT_RESPONSE_DATA_SMALL;
		s->payload = START + o->data_of;
	} else if (o->read) {
		s->next = PDS_NEXT_REQUEST_SMALL;
		s->opcode = SES_READ;
		s->length = 64;
	}
}

static void traffic_test_transmit(struct world *w, unsigned from, uint32_t psn)
{
	struct end_model *e = &w->end[from];
	struct out *o = &e->out[psn];
	const uint32_t clear = e->acked;
	struct sent s = {.psn = START + psn,
			 .clear = START - 1 + clear,
			 .retx = o->repeated,
			 .ar = traffic_test_chance(w, 30),
			 .syn = from == A && !w->known};
	bool lost;

	fill_request(w, from, psn, &s);
	o->repeated = true;
	o->nacked = false;
	lost = loses(w, from);
	lab_request(&w->lab, from, s);
	o->at = w->lab.now;
	o->size = (uint32_t)w->lab.d.len + 8 + 40;
	if (lost)
		return;
	traffic_test_receive(w, !from, psn, clear, s.retx, s.ar || s.syn);
	/* The network duplicates the packet before the judge sees it. */
	if (w->vantage != !from || s.retx || o->acked ||
	    !traffic_test_chance(w, 5) || !w->end[!from].got[psn])
		return;
	w->lab.muted = false;
	lab_request(&w->lab, from, s);
	traffic_test_receive(w, !from, psn, clear, false, false);
}

static bool traffic_test_may_send(const struct end_model *e)
{
	return e->next < LENGTH && e->next < e->acked + 100;
}

static void traffic_test_send_new(struct world *w, unsigned from)
{
	struct end_model *e = &w->end[from];
	struct out *o = &e->out[e->next];

	if (!traffic_test_may_send(e) ||
	    (from == B && e->returned == e->nreads))
		return;
	if (from == B)
		o->data_of = e->reads[e->returned++];
	else
		o->read = traffic_test_chance(w, 15);
	traffic_test_transmit(w, from, e->next++);
}

static void traffic_test_repair(struct world *w, unsigned from)
{
	struct end_model *e = &w->end[from];

	for (uint32_t psn = e->acked; psn < e->next; psn++) {
		struct out *o = &e->out[psn];

		if (o->acked)
			continue;
		if (o->nacked && w->lab.now - o->nacked_at >= 2 * MS) {
			traffic_test_transmit(w, from, psn);
		} else if (!o->nacked && w->lab.now - o->at >= RTO << o->rto) {
			o->rto++;
			traffic_test_transmit(w, from, psn);
		}
	}
}

static void clear_command(struct world *w)
{
	struct end_model *a = &w->end[A], *b = &w->end[B];
	bool lost;

	if (!a->asked || a->acked != a->next)
		return;
	lost = loses(w, A);
	control(&w->lab, A, .ctl = PDS_CP_CLEAR_COMMAND,
		.payload = START - 1 + a->acked);
	a->asked = false;
	if (lost)
		return;
	if (a->acked > b->clear)
		b->clear = a->acked;
	traffic_test_cover(b);
}

static void traffic_test_clear_request(struct world *w)
{
	bool lost;

	if (!w->known || !any_stored(&w->end[B]))
		return;
	lost = loses(w, B);
	control(&w->lab, B, .ctl = PDS_CP_CLEAR_REQUEST, .payload = START);
	w->end[A].asked |= !lost;
}

static void traffic_test_step(struct world *w)
{
	const unsigned end = traffic_test_chance(w, 70) ? A : B;

	switch (rng_below(&w->rng, 8)) {
	case 0:
		w->lab.now += rng_below(&w->rng, 3000) * US;
		break;
	case 1:
		clear_command(w);
		break;
	case 2:
		if (traffic_test_chance(w, 10))
			traffic_test_clear_request(w);
		break;
	default:
		traffic_test_send_new(w, end);
	}
	traffic_test_repair(w, A);
	traffic_test_repair(w, B);
}

static bool settled(const struct world *w)
{
	const struct end_model *a = &w->end[A], *b = &w->end[B];

	return a->acked == a->next && b->acked == b->next &&
	       b->returned == b->nreads;
}

/* Retransmits all lost packets, clears the PSNs, and closes the PDC. */
static void wind_up(struct world *w)
{
	w->vantage = NOBODY; /* no more loss */
	for (unsigned i = 0; i < 2000 && !settled(w); i++) {
		w->lab.now += MS;
		traffic_test_repair(w, A);
		traffic_test_repair(w, B);
		traffic_test_send_new(w, B);
	}
	assert_true(settled(w));
	if (w->known && w->end[A].asked)
		clear_command(w);
	w->lab.muted = false;
	if (!w->known || w->end[A].next == LENGTH)
		return;
	control(&w->lab, A, .ctl = PDS_CP_CLOSE_COMMAND, .ar = 1,
		.psn = START + w->end[A].next);
	answer(&w->lab, B, .psn = START + w->end[A].next,
	       .cack = START + w->end[A].next, .bare = 1);
}

static void traffic_test_run(struct world *w, uint64_t seed, bool calm,
			     struct kept *room)
{
	struct judge_conf conf = lab_test_lab_conf();
	const struct rng rng = {seed};

	memset(w, 0, sizeof(*w));
	w->rng = rng;
	w->calm = calm;
	w->plain = calm && traffic_test_chance(w, 50);
	w->vantage = calm ? NOBODY : rng_below(&w->rng, 3);
	w->asks_always = traffic_test_chance(w, 50);
	if (w->vantage != NOBODY)
		conf.here = ip_addr_v4(0x0a000001 + w->vantage);
	lab_test_lab_open(&w->lab, &conf);
	w->lab.start = traffic_test_chance(w, 50)
			       ? 0u - START - rng_below(&w->rng, 200)
			       : (uint32_t)rng_next(&w->rng);
	w->kept = room;
	w->lab.tap = traffic_test_keep;
	w->lab.tap_arg = w;
	for (unsigned i = 0; i < 600; i++)
		traffic_test_step(w);
	wind_up(w);
}

static void traffic_test_silent(const struct lab *lab, uint64_t seed)
{
	if (lab->n) {
		print_message("seed %llu\n", (unsigned long long)seed);
		lab_show(lab);
	}
	assert_int_equal(lab->n, 0);
}

static void legal_traffic(void **state)
{
	struct kept *room = malloc(KEPT * sizeof(*room));
	struct world *w = malloc(sizeof(*w));

	(void)state;
	assert_non_null(room);
	assert_non_null(w);
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		traffic_test_run(w, seed, false, room);
		traffic_test_silent(&w->lab, seed);
		w->lab.n = judge_end(w->lab.j, w->lab.now + VSPAN_S,
				     w->lab.found, 64);
		traffic_test_silent(&w->lab, seed);
		lab_test_lab_close(&w->lab);
	}
	free(w);
	free(room);
}

/* Replays a part of the traffic: it starts midstream and has gaps. */
static void traffic_test_replay(const struct world *w, struct rng *rng,
				struct lab *lab)
{
	const unsigned gaps = rng_below(rng, 40);
	const size_t from = rng_below(rng, (uint32_t)w->nkept);

	for (size_t i = from; i < w->nkept; i++) {
		const unsigned end =
			!ip_addr_equal(&w->kept[i].d.src, &lab->addr[A]);

		if (rng_below(rng, 100) < gaps)
			continue;
		dgram_copy(&lab->d, &w->kept[i].d);
		lab->now = w->kept[i].at - US;
		lab_push(lab, end);
	}
}

static void cut_traffic(void **state)
{
	struct kept *room = malloc(KEPT * sizeof(*room));
	struct world *w = malloc(sizeof(*w));
	struct judge_conf conf = lab_test_lab_conf();
	struct lab lab;

	(void)state;
	assert_non_null(room);
	assert_non_null(w);
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		struct rng rng = {~seed};

		traffic_test_run(w, seed, false, room);
		conf.complete = false;
		conf.here = w->lab.conf.here;
		lab_test_lab_open(&lab, &conf);
		traffic_test_replay(w, &rng, &lab);
		lab.n += judge_end(lab.j, lab.now + VSPAN_S, lab.found, 64);
		traffic_test_silent(&lab, seed);
		lab_test_lab_close(&lab);
		lab_test_lab_close(&w->lab);
	}
	free(w);
	free(room);
}

/* ---- Predicted packets ---- */

/* Inverts a bit, mostly in a header. */
static void turn_bit(struct rng *rng, struct dgram *d)
{
	const uint32_t n = rng_below(rng, 4) ? 44 : (uint32_t)d->len;
	const uint32_t bit =
		rng_below(rng, 8 * (n < d->len ? n : (uint32_t)d->len));

	d->data[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* Changes the place of a packet in its message, or its message. */
static void mix_message(struct rng *rng, struct dgram *d)
{
	uint8_t *p = d->data + pds_req_len;
	struct ses_std_som h;
	struct ses_std rest;
	struct pds_req req;

	pds_req_get(&req, d->data);
	if (d->len < pds_req_len + ses_std_som_len || req.type != PDS_RUD_REQ ||
	    req.next_hdr != PDS_NEXT_REQUEST_STD)
		return;
	ses_std_som_get(&h, p);
	h.som = rng_below(rng, 2) & 1;
	h.eom = rng_below(rng, 2) & 1;
	h.message_id = 1 + (rng_below(rng, 8) == 0);
	h.request_length ^= rng_below(rng, 8) == 0;
	ses_std_som_put(&h, p);
	if (h.som)
		return;
	ses_std_get(&rest, p);
	rest.payload_length =
		(uint16_t)(d->len - pds_req_len - ses_std_som_len) & 0x3fff;
	ses_std_put(&rest, p);
}

/* Changes the packet to which an ACK answers. */
static void mix_answer(struct rng *rng, struct dgram *d)
{
	struct pds_ack h;

	if (d->len < pds_ack_len || pds_type_of(d->data) != PDS_ACK)
		return;
	pds_ack_get(&h, d->data);
	h.cack_psn += rng_below(rng, 5) - 2;
	h.ack_psn_offset = (int16_t)((int32_t)rng_below(rng, 5) - 2);
	pds_ack_put(&h, d->data);
}

static void traffic_test_spoil(struct rng *rng, unsigned how, struct dgram *d)
{
	if (how < PAIR_AROUND)
		pair_around(rng, how, d);
	else if (how == PAIR_AROUND)
		mix_message(rng, d);
	else if (how == PAIR_AROUND + 1)
		mix_answer(rng, d);
	else
		turn_bit(rng, d);
}

static void show_pair(struct pair *p, const struct world *w, struct rng *rng)
{
	const unsigned mangled = rng_below(rng, 4) ? rng_below(rng, 70) : 0;
	const unsigned how = rng_below(rng, 8);
	const unsigned gaps = rng_below(rng, 2) ? rng_below(rng, 10) : 0;
	struct dgram d;

	for (size_t i = 0; i < w->nkept; i++) {
		if (rng_below(rng, 100) < gaps)
			continue;
		dgram_copy(&d, &w->kept[i].d);
		if (rng_below(rng, 100) < mangled)
			traffic_test_spoil(rng, how, &d);
		pair_push(p, &d, w->kept[i].at, 0);
	}
}

static void usual_traffic(void **state)
{
	struct kept *room = malloc(KEPT * sizeof(*room));
	struct world *w = malloc(sizeof(*w));
	struct judge_conf conf = lab_test_lab_conf();
	struct pair p;

	(void)state;
	assert_non_null(room);
	assert_non_null(w);
	pair_new(&p);
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		struct rng rng = {~seed};

		traffic_test_run(w, seed, seed % 2 == 0, room);
		conf.complete = seed % 3 != 0;
		conf.midstream = !conf.complete;
		pair_test_pair_open(&p, &conf);
		show_pair(&p, w, &rng);
		pair_test_pair_close(&p);
		lab_test_lab_close(&w->lab);
	}
	assert_true(p.spared > p.packets / 6);
	assert_true(p.fast_path > p.packets / 40);
	pair_free(&p);
	free(w);
	free(room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(legal_traffic),
		cmocka_unit_test(cut_traffic),
		cmocka_unit_test(usual_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
