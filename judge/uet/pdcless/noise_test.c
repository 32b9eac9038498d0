/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pdcless/noise_test.c -- random packets around the state of a PDC,
 * of RUDI and of UUD, with random declarations: mostly right, often just wrong.
 *
 * The second test stands at the limits of the rules: a packet comes when a time
 * that another one began expires, one nanosecond before or after that, or at
 * the time of the packet before.  Its PSN is at the edge of a window, or one
 * beyond.
 *
 * These tests check only that each finding is well formed.  Their record
 * (judge/core/told_test.h) shows each change of what the judge says about such
 * traffic.
 *
 * The third test judges some of this traffic twice: by a new judge, and by one
 * that was reset after other traffic.  Both must say the same.
 */
#include "base/rng.h"
#include "judge/conf.h"
#include "judge/uet/pdcless/pdcless_lab_test.h"

enum {
	NOISE_WORLDS = 400,
	EDGE_WORLDS = 900,
	RESET_WORLDS = 300,
	NOISE_PACKETS = 150,
};

struct noise {
	struct lab lab;
	struct rng rng;
	bool edges; /* times and PSNs often differ by a limit, or one more */
	vtime at[NOISE_PACKETS]; /* of each packet */
	unsigned npackets;
	bool rod;
	uint32_t wrong;    /* percentage of wrong values */
	uint32_t next[2];  /* the next PSN of each end */
	uint32_t acked[2]; /* the highest PSN that the other end acknowledged */
	bool known;        /* A knows B's PDCID */
	bool small;        /* the judge has little room */
	struct judge *old; /* a judge that is reset and used; NULL: a new one */
	uint64_t digest;   /* of all that the judge says */
};

static uint32_t noise_below(struct noise *n, uint32_t limit)
{
	return rng_below(&n->rng, limit);
}

static bool noise_chance(struct noise *n, uint32_t percent)
{
	return noise_below(n, 100) < percent;
}

/* Returns 0 mostly, else a value from 1 to |most|. */
static uint32_t noise_rarely(struct noise *n, uint32_t most)
{
	return noise_chance(n, n->wrong) ? 1 + noise_below(n, most) : 0;
}

static void noise_declare(struct noise *n, struct judge_conf *c)
{
	static const uint32_t sizes[] = {0, 1, 8, 16, 64, JUDGE_ANY_ACK_DATA};

	*c = lab_test_lab_conf();
	c->complete = noise_chance(n, 80);
	c->rto_init = noise_chance(n, 75) ? RTO : 0;
	c->rto_max = noise_chance(n, 20) ? 3 * RTO : 0;
	c->rto_late = noise_chance(n, 30) ? 2 * MS : 0;
	c->max_rto_retx = noise_below(n, 4);
	c->max_nack_retx = noise_below(n, 4);
	c->nack_retx_time = noise_chance(n, 70) ? 2 * MS : 0;
	c->nack_tolerance = noise_chance(n, 20) ? MS : 0;
	c->max_ack_data = sizes[noise_below(n, 6)];
	c->mp_range = noise_chance(n, 50) ? 8 : 1024;
	c->grace = noise_chance(n, 20) ? 3 * MS : 0;
	c->ack_time = noise_chance(n, 40) ? 3 * MS : 0;
	c->ack_on_ecn = noise_chance(n, 50);
	c->ack_gen_trigger = noise_chance(n, 30) ? 4096 : 0;
	c->ack_gen_min_pkt_add = 1024;
	c->answer_time = noise_chance(n, 20) ? MS : 0;
	c->remote_vantage = noise_chance(n, 10);
	c->midstream = noise_chance(n, 10);
	c->dscp_trimmed = noise_chance(n, 40) ? 26 : 0;
	c->window = noise_chance(n, 30) ? 8 : 0;
	c->credit = noise_chance(n, 15);
	c->credit_unit = c->credit ? 256 : 0;
	c->credit_init = 4;
	c->credit_init_known = noise_chance(n, 50);
	c->version = (enum uet_version)(UET_1_0_1 + noise_below(n, 3));
	c->no_prediction = noise_chance(n, 20);
	if (noise_chance(n, 60))
		c->here = ip_addr_v4(0x0a000001 + noise_below(n, 2));
}

/* Also declares what the first test leaves out. */
static void noise_declare_edges(struct noise *n, struct judge_conf *c)
{
	c->dscp_trimmed_lasthop =
		c->dscp_trimmed || noise_chance(n, 10) ? 28 : 0;
	c->mp_range = noise_chance(n, 80) ? 8 : 128;
	c->ack_time = noise_chance(n, 70) ? 3 * MS : 0;
	c->answer_time = noise_chance(n, 60) ? MS : 0;
	c->ack_gen_trigger = noise_chance(n, 40) ? 2048 : 0;
	c->ack_gen_min_pkt_add = noise_chance(n, 50) ? 1024 : 60;
	c->remote_vantage = false;
	c->midstream = noise_chance(n, 5);
	c->complete = c->complete || noise_chance(n, 60);
}

/* Returns a time within which the declaration demands something. */
static vspan noise_limit(struct noise *n)
{
	const struct judge_conf *c = &n->lab.conf;

	switch (noise_below(n, 12)) {
	case 0:
		return pkt_grace(c);
	case 1:
		return pkt_overdue(c);
	case 2:
		return pkt_overdue(c) + pkt_grace(c);
	case 3:
		return c->nack_retx_time - c->nack_tolerance;
	case 4:
		return c->nack_retx_time + c->nack_tolerance;
	case 5:
		return c->ack_time;
	case 6:
		return c->answer_time;
	case 7:
		return pkt_repair(c, 1 + noise_below(n, 3));
	case 8:
		return pkt_rto(c, noise_below(n, 3)) + c->rto_late;
	default:
		return pkt_rto(c, noise_below(n, 3));
	}
}

/* Lets the next packet come when a time expires that an earlier one began. */
static void noise_wait(struct noise *n)
{
	const unsigned recent = n->npackets < 12 ? n->npackets : 12;
	const unsigned k = n->npackets - 1 - noise_below(n, recent);
	const vtime at =
		n->at[k] + noise_limit(n) + (vspan)noise_below(n, 3) - 1;

	if (at > n->lab.now)
		n->lab.now = at - US; /* lab_push() adds it */
}

/* Returns how far a PSN jumps to the edge of a window. */
static uint32_t noise_jump(struct noise *n, unsigned from)
{
	const uint32_t sizes[] = {n->lab.conf.mp_range, 2, 8, 64};
	const uint32_t to = n->acked[from] + sizes[noise_below(n, 4)] - 1 +
			    noise_below(n, 3);
	const uint32_t jump = to - n->next[from];

	return jump < 256 ? jump : 0;
}

/* Returns the members of any packet; most are usual. */
static struct sent noise_packet(struct noise *n)
{
	struct sent s = {
		.ce = noise_chance(n, 8),
		.m = noise_chance(n, 8),
		.spdcid = (uint16_t)noise_rarely(n, 0xffff),
		.dpdcid = (uint16_t)noise_rarely(n, 0xffff),
		.no_spdcid = noise_chance(n, n->wrong / 2),
		.no_dpdcid = noise_chance(n, n->wrong / 2),
		.entropy = (uint16_t)(noise_rarely(n, 3)),
		.dscp = noise_chance(n, n->wrong) ? 26 : 0,
		.no_ect = noise_chance(n, n->wrong / 2),
		.no_df = noise_chance(n, n->wrong / 2),
	};

	return s;
}

static uint8_t noise_opcode(struct noise *n)
{
	static const uint8_t codes[] = {
		SES_SEND,        SES_SEND,   SES_WRITE,           SES_READ,
		SES_TAGGED_SEND, SES_ATOMIC, SES_FETCHING_ATOMIC, SES_NO_OP};

	return codes[noise_below(n, sizeof(codes))];
}

static void noise_request(struct noise *n, unsigned from, bool again)
{
	struct sent s = noise_packet(n);

	s.type = n->rod ? PDS_ROD_REQ : PDS_RUD_REQ;
	if (again) {
		s.psn = n->next[from] - 1 - noise_below(n, 4);
		s.retx = !noise_chance(n, 10);
	} else {
		n->next[from] += noise_rarely(n, 12);
		if (n->edges && noise_chance(n, 4))
			n->next[from] += noise_jump(n, from);
		s.psn = n->next[from]++;
		s.retx = noise_chance(n, n->wrong);
	}
	s.clear = n->acked[from] - noise_rarely(n, 3) + noise_rarely(n, 3);
	s.syn = from == A && (!n->known || noise_chance(n, n->wrong));
	s.ar = noise_chance(n, 30);
	/* what follows depends on the PSN, so that a repeat is the same */
	if (again && noise_chance(n, 90)) {
		s.opcode = SES_SEND;
	} else if (!again && noise_chance(n, 25)) {
		s.opcode = noise_opcode(n);
		s.more = noise_chance(n, 20);
		s.rest = noise_chance(n, 10);
		s.last = noise_chance(n, 50);
		s.mid = (uint16_t)(1 + noise_below(n, 6));
		s.extra = (uint16_t)noise_below(n, 40);
		s.length = noise_below(n, 64);
	}
	if (from == B && noise_chance(n, 70)) {
		s.next = PDS_NEXT_RESPONSE_DATA;
		s.read_mid = (uint16_t)(1 + noise_below(n, 6));
	}
	if (n->edges && noise_chance(n, 6))
		s.dscp = noise_chance(n, 60) ? 26 : 28;
	if (s.dscp)
		s.cut = 40;
	lab_request(&n->lab, from, s);
}

static void noise_answer(struct noise *n, unsigned from)
{
	static const uint8_t codes[] = {0,
					0,
					0,
					0,
					RC_OK,
					RC_NO_MATCH,
					RC_PERM_VIOLATION,
					RC_UNSUPPORTED_OP};
	struct sent s = noise_packet(n);
	const unsigned to = !from;

	s.psn = n->next[to] - 1 - noise_below(n, 3) + noise_rarely(n, 3);
	s.cack = noise_chance(n, 60) ? s.psn : n->acked[to] + noise_below(n, 3);
	s.retx = noise_chance(n, 10);
	if (noise_chance(n, 25)) {
		s.req = (uint8_t)(1 + noise_below(n, 3));
		s.cack = s.psn - 1;
	}
	if (noise_chance(n, 25)) {
		s.type = PDS_ACK_CC;
		s.mpr = (uint8_t)noise_below(n, 10);
		s.sack = rng_next(&n->rng) & rng_next(&n->rng);
		s.sack_psn = s.cack + noise_below(n, 4);
		s.bytes = noise_below(n, 3000);
		s.service = (uint16_t)noise_below(n, 100);
		s.ooo = (uint16_t)noise_below(n, 5);
		s.granted = noise_chance(n, 25);
		s.credit = noise_below(n, 20);
	}
	if (noise_chance(n, 5)) {
		s.p = 1;
		s.opaque = (uint16_t)noise_below(n, 3);
		s.bare = 1;
	}
	s.rc = codes[noise_below(n, sizeof(codes))];
	s.opcode = s.rc ? SES_RESPONSE : SES_DEFAULT_RESPONSE;
	s.bare |= noise_chance(n, 10);
	s.mid = (uint16_t)(noise_chance(n, 50) ? 0 : 1 + noise_below(n, 6));
	lab_answer(&n->lab, from, s);
	n->known |= from == B;
	if ((int32_t)(s.cack - n->acked[to]) > 0 &&
	    (int32_t)(s.cack - n->next[to]) < 0)
		n->acked[to] = s.cack;
}

static void noise_nack(struct noise *n, unsigned from)
{
	struct sent s = noise_packet(n);

	s.code = (uint8_t)(noise_chance(n, 95) ? 1 + noise_below(n, 0x1b)
					       : noise_below(n, 256));
	s.psn = n->next[!from] - 1 - noise_below(n, 4) + noise_rarely(n, 20);
	s.no_spdcid |= s.code == NACK_INV_DPDCID || noise_chance(n, 15);
	s.retx = noise_chance(n, 10);
	if (noise_chance(n, 30))
		s.payload = s.psn + noise_below(n, 3);
	if (n->edges && noise_chance(n, 40))
		s.code = noise_chance(n, 50) ? NACK_TRIMMED
					     : NACK_TRIMMED_LASTHOP;
	lab_nack(&n->lab, from, s);
}

static void noise_control(struct noise *n, unsigned from)
{
	struct sent s = noise_packet(n);

	s.ctl = (uint8_t)noise_below(n, noise_chance(n, 95) ? 10 : 16);
	/* a close ends much */
	if (s.ctl == PDS_CP_CLOSE_COMMAND && !noise_chance(n, 15))
		s.ctl = PDS_CP_ACK_REQUEST;
	s.isrod = n->rod != noise_chance(n, 5);
	s.ar = noise_chance(n, 60);
	s.retx = noise_chance(n, 10);
	s.syn = noise_chance(n, n->wrong);
	s.opaque = (uint16_t)noise_below(n, 3);
	s.payload = n->acked[from] + noise_below(n, 2);
	switch (s.ctl) {
	case PDS_CP_NOOP:
	case PDS_CP_CLOSE_COMMAND:
	case PDS_CP_CLOSE_REQUEST:
	case PDS_CP_NEGOTIATION:
		s.psn = noise_chance(n, 80) ? n->next[from]++
					    : n->next[from] - 1;
		break;
	case PDS_CP_ACK_REQUEST:
	case PDS_CP_PROBE:
		s.psn = n->next[from] - 1 - noise_below(n, 2);
		break;
	default:
		s.psn = noise_rarely(n, 400);
	}
	lab_control(&n->lab, from, s);
}

static void noise_pdcless(struct noise *n, unsigned from)
{
	static const uint8_t types[] = {0, 0, PDS_RUDI_RESP, PDS_RUDI_RESP,
					PDS_UUD_REQ};
	struct pdcless s = {
		.id = 1 + noise_below(n, 12),
		.type = types[noise_below(n, sizeof(types))],
		.retx = noise_chance(n, 30),
		.m = noise_chance(n, 10),
		.ce = noise_chance(n, 10),
		.flags = (uint8_t)noise_rarely(n, 255),
		.rsvd = (uint16_t)noise_rarely(n, 255),
		.entropy = (uint16_t)noise_rarely(n, 3),
		.data = (uint8_t)noise_rarely(n, 3),
		.no_eom = noise_chance(n, n->wrong / 2),
		.no_som = noise_chance(n, n->wrong / 2),
		.code = (uint8_t)(1 + noise_below(n, 0x1b)),
		.nt0 = noise_chance(n, n->wrong / 2),
	};

	if (noise_chance(n, 12)) {
		put_pdcless_nack(&n->lab, from, s);
		return;
	}
	if (s.type == PDS_UUD_REQ)
		s.opcode = noise_chance(n, 80) ? SES_DATAGRAM_SEND : SES_SEND;
	else if (s.type != PDS_RUDI_RESP)
		s.opcode = noise_chance(n, 80) ? SES_WRITE : SES_READ;
	else
		s.rc = noise_chance(n, 20) ? RC_BAD_MKEY : 0;
	put_pdcless(&n->lab, from, s);
}

static void noise_digest(struct noise *n, const void *p, size_t len)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < len; i++)
		n->digest = (n->digest ^ b[i]) * 0x100000001b3;
}

static void noise_digest_number(struct noise *n, uint64_t number)
{
	noise_digest(n, &number, sizeof(number));
}

static void noise_digest_finding(struct noise *n, const struct finding *f)
{
	noise_digest_number(n, (uint64_t)f->req);
	noise_digest_number(n, f->role);
	noise_digest_number(n, f->frame);
	noise_digest_number(n, f->flow);
	noise_digest(n, f->text, strlen(f->text));
	noise_digest(n, f->expected, strlen(f->expected));
	noise_digest(n, f->actual, strlen(f->actual));
}

static void noise_digest_facts(struct noise *n)
{
	const struct judge_facts *f = judge_facts(n->lab.j);

	noise_digest_number(n, f->flow);
	noise_digest_number(n, f->psn);
	noise_digest_number(n, f->frame);
	noise_digest_number(n, (uint64_t)f->first_at);
	noise_digest_number(n, (uint64_t)f->sent_at);
	noise_digest_number(n, f->cause);
	noise_digest_number(n, f->asked_frame);
	noise_digest_number(n, f->copies);
	noise_digest_number(n, f->skipped);
}

static void noise_digest_flow(void *arg, const struct judge_flow *f)
{
	struct noise *n = arg;

	noise_digest_number(n, f->number);
	for (unsigned i = 0; i < 2; i++) {
		noise_digest_number(n, f->pdcid[i]);
		if (f->stats)
			noise_digest(n, &f->stats->side[i],
				     sizeof(f->stats->side[i]));
	}
	if (f->stats)
		noise_digest(n, f->stats->rtt, sizeof(f->stats->rtt));
}

static void noise_digest_end(struct noise *n)
{
	const struct judge_totals *t = judge_totals(n->lab.j);

	judge_flows(n->lab.j, noise_digest_flow, n);
	noise_digest(n, t->nacks, sizeof(t->nacks));
	noise_digest(n, t->rtt, sizeof(t->rtt));
	noise_digest_number(n, t->flows);
	noise_digest_number(n, t->forgotten);
	noise_digest_number(n, t->idle_evicted);
	noise_digest_number(n, t->unmatched);
}

/* Each finding names a row, a side, a packet that was sent, and a reason. */
static void noise_findings(struct noise *n)
{
	struct lab *lab = &n->lab;

	for (size_t i = 0; i < lab->n && i < 64; i++) {
		const struct finding *f = &lab->found[i];

		assert_in_range(f->req, 1, REQ_COUNT - 1);
		assert_true(f->role == REQ_SRC || f->role == REQ_DST);
		assert_true(f->frame <= lab->frame);
		assert_true(f->text[0]);
		assert_true(ip_addr_equal(&f->side, &lab->addr[A]) ||
			    ip_addr_equal(&f->side, &lab->addr[B]));
		noise_digest_finding(n, f);
	}
	lab->n = 0;
}

static void noise_step(struct noise *n)
{
	const unsigned from = noise_chance(n, 70) ? A : B;
	const uint32_t kind = noise_below(n, 100);

	if (n->edges && n->npackets && noise_chance(n, 30))
		noise_wait(n);
	else if (n->edges && noise_chance(n, 8))
		n->lab.now -= US; /* the time of the packet before */
	else if (noise_chance(n, 10))
		n->lab.now += (vspan)noise_below(n, 30) * MS;
	n->lab.muted = n->wrong > 2 && noise_chance(n, 2);
	n->lab.copy = n->wrong > 2 && noise_chance(n, 1);
	if (kind < 32)
		noise_request(n, from, false);
	else if (kind < 46)
		noise_request(n, from, true);
	else if (kind < 76)
		noise_answer(n, !from);
	else if (kind < 82)
		noise_nack(n, !from);
	else if (kind < 90)
		noise_control(n, from);
	else
		noise_pdcless(n, from);
	n->at[n->npackets++] = n->lab.now;
	noise_digest_facts(n);
	noise_findings(n);
}

static void noise_establish(struct noise *n)
{
	if (n->rod)
		established_rod(&n->lab);
	else
		established(&n->lab);
	noise_findings(n);
	n->known = true;
	n->next[A]++;
	n->acked[A]++;
}

/* Makes a judge with little room, so that it forgets flows and requests. */
static struct judge *noise_small_judge(struct judge_conf *conf)
{
	struct judge *j;

	conf->rudi_max = 3;
	conf->idle = 40 * MS;
	assert_int_equal(judge_new(&j, conf, 2), 0);
	return j;
}

/* Opens a lab with a new judge, or with one that is reset. */
static void noise_open(struct noise *n, struct judge_conf *conf)
{
	lab_test_lab_open(&n->lab, conf);
	if (!n->small)
		return;
	judge_free(n->lab.j);
	n->lab.j = n->old ? n->old : noise_small_judge(conf);
	conf->idle = 40 * MS;
	judge_declare(n->lab.j, conf);
	if (n->old)
		judge_reset(n->lab.j);
}

static void noise_world(struct noise *n, uint64_t seed)
{
	static const uint32_t wrong[] = {0, 1, 3, 8};
	struct judge_conf conf;
	vspan end = VSPAN_S;

	n->rng.state = seed;
	noise_declare(n, &conf);
	if (n->edges)
		noise_declare_edges(n, &conf);
	noise_open(n, &conf);
	n->rod = noise_chance(n, 40);
	n->wrong = wrong[seed % 4];
	if (noise_chance(n, 50))
		n->lab.start = 0u - START - noise_below(n, 60);
	n->next[A] = n->next[B] = START;
	n->acked[A] = n->acked[B] = START - 1;
	if (noise_chance(n, 80))
		noise_establish(n);
	for (unsigned i = 0; i < NOISE_PACKETS; i++)
		noise_step(n);
	if (n->edges)
		end = noise_limit(n) + (vspan)noise_below(n, 3) - 1;
	n->lab.n = judge_end(n->lab.j, n->lab.now + end, n->lab.found, 64);
	noise_findings(n);
	noise_digest_end(n);
	if (!n->old)
		lab_test_lab_close(&n->lab);
}

static void noise_worlds(const char *name, uint64_t worlds, bool edges)
{
	struct noise *n = malloc(sizeof(*n));

	assert_non_null(n);
	told_begin(name);
	for (uint64_t seed = 1; seed <= worlds; seed++) {
		memset(n, 0, sizeof(*n));
		n->edges = edges;
		noise_world(n, seed);
	}
	free(n);
}

static void noise_is_judged(void **state)
{
	(void)state;
	noise_worlds("noise", NOISE_WORLDS, false);
}

static void noise_at_edges_is_judged(void **state)
{
	(void)state;
	noise_worlds("noise at edges", EDGE_WORLDS, true);
}

static uint64_t noise_said(struct noise *n, struct judge *old, uint64_t seed)
{
	memset(n, 0, sizeof(*n));
	n->small = true;
	n->old = old;
	n->edges = seed % 2;
	noise_world(n, seed);
	return n->digest;
}

static void a_reset_forgets_noise(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct judge *old = noise_small_judge(&conf);
	struct noise *n = malloc(sizeof(*n));

	(void)state;
	assert_non_null(n);
	told_skip();
	for (uint64_t seed = 1; seed <= RESET_WORLDS; seed++)
		assert_true(noise_said(n, NULL, seed) ==
			    noise_said(n, old, seed));
	judge_free(old);
	free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_judged),
		cmocka_unit_test(noise_at_edges_is_judged),
		cmocka_unit_test(a_reset_forgets_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
