/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/straight_test.c -- packets that are next of their flow, or nearly so:
 * the straight way leaves behind what the other one does.
 *
 * A source and a destination of a few lines send what goes straight: messages
 * of one packet and of several, ACKs of one packet and of several, CE marks.
 * Now and then a single thing is otherwise, and each is in its turn.
 */
#include "base/rng.h"
#include "judge/pair_test.h"

enum {
	WORLDS = 400,
	STEPS = 120,
	PAYLOAD = 24,
	MTU = 64,
	TRIMMED = 26, /* a codepoint */
};

/* A PDC as its two ends see it. */
struct talk {
	struct rng rng;
	struct ip_addr addr[2];
	uint32_t start, next, acked; /* acked: all below are */
	bool known;                  /* the TPDCID */
	bool open;                   /* a message */
	uint16_t id, entropy;
	uint16_t pdcid[2];
	bool native, rod, asks; /* asks: for clears, or the end */
	uint32_t length;        /* of that message */
};

static bool chance(struct talk *t, unsigned percent)
{
	return rng_below(&t->rng, 100) < percent;
}

static uint32_t some(struct talk *t, uint32_t n)
{
	return rng_below(&t->rng, n);
}

static void begin(struct talk *t, uint64_t seed)
{
	*t = (struct talk){.rng = {seed}};
	t->addr[0] = ip_addr_v4(0x0a000001);
	t->addr[1] = ip_addr_v4(0x0a000002);
	t->start = chance(t, 50) ? 0u - some(t, 30) - 1
				 : (uint32_t)rng_next(&t->rng);
	t->next = t->acked = t->start;
	t->entropy = (uint16_t)some(t, 65536);
	t->pdcid[0] = (uint16_t)(7 + 16 * (seed & 1));
	t->pdcid[1] = t->pdcid[0] + 2;
	t->native = chance(t, 10);
	t->rod = chance(t, 10);
	t->asks = chance(t, 20);
}

static void address(const struct talk *t, unsigned from, struct dgram *d)
{
	memset(d, 0, offsetof(struct dgram, data));
	d->src = t->addr[from];
	d->dst = t->addr[!from];
	d->entropy = t->entropy;
	d->native = t->native;
}

/* ---- Requests ---- */

/* One thing that is otherwise. */
static void bend_request(struct talk *t, struct pds_req *h,
			 struct ses_std_som *s, size_t *payload)
{
	switch (some(t, 22)) {
	case 0:
		h->psn += some(t, 4);
		break;
	case 1:
		h->psn -= some(t, 24);
		break;
	case 2:
		h->clear_psn_offset = (int16_t)((int32_t)some(t, 5) - 2);
		break;
	case 3:
		h->clear_psn_offset = (int16_t)(h->clear_psn_offset + 1 +
						(int16_t)some(t, 2));
		break;
	case 4:
		h->retx = 1;
		break;
	case 5:
		h->syn = 1;
		break;
	case 6:
		h->spdcid ^= 1;
		break;
	case 7:
		h->dpdcid = chance(t, 50) ? 0 : h->dpdcid ^ 1;
		break;
	case 8:
		h->rsvd_9 = 1;
		break;
	case 9:
		h->type = PDS_ROD_REQ;
		break;
	case 10:
		h->next_hdr = (uint8_t)some(t, 16);
		break;
	case 11:
		s->opcode = (uint8_t)some(t, 16);
		break;
	case 12:
		s->message_id = chance(t, 50) ? 0 : s->message_id ^ 8;
		break;
	case 13:
		s->som ^= 1;
		break;
	case 14:
		s->eom ^= 1;
		break;
	case 15:
		s->request_length ^= 1u << some(t, 3);
		break;
	case 16:
		s->header_data = 1;
		s->hd = chance(t, 50);
		break;
	case 17:
		*payload += 4;
		break;
	case 18:
		*payload = MTU + some(t, 2);
		s->request_length = (uint32_t)*payload;
		break;
	case 19:
		*(chance(t, 50) ? &s->rsvd_64 : &s->rsvd_80) = 1;
		break;
	case 20:
		s->version = (uint8_t)some(t, 4);
		break;
	default:
		*payload = some(t, 16);
	}
}

static void put_request(struct talk *t, bool bent, struct dgram *d)
{
	static const uint8_t opcodes[] = {SES_SEND,          SES_WRITE,
					  SES_TAGGED_SEND,   SES_NO_OP,
					  SES_DATAGRAM_SEND, SES_READ};
	struct pds_req h = {.type = t->rod ? PDS_ROD_REQ : PDS_RUD_REQ,
			    .next_hdr = PDS_NEXT_REQUEST_STD,
			    .ar = chance(t, 50),
			    .syn = !t->known,
			    .psn = t->next,
			    .spdcid = t->pdcid[0],
			    .dpdcid = t->known ? t->pdcid[1] : 0};
	struct ses_std_som s = {.som = !t->open, .eom = chance(t, 60)};
	struct ses_std rest;
	uint8_t *p = d->data;
	size_t payload = PAYLOAD;
	uint16_t offset = (uint16_t)(t->next - t->start);

	if (!t->open) {
		t->id = (uint16_t)(1 + some(t, 40));
		t->length = s.eom ? PAYLOAD : 3 * PAYLOAD;
	}
	t->open = !s.eom;
	t->next++;
	h.clear_psn_offset = (int16_t)(int32_t)(t->acked - 1 - h.psn);
	if (chance(t, 10)) /* behind, as it may be */
		h.clear_psn_offset = (int16_t)(int32_t)(t->start - 1 - h.psn);
	s.opcode = opcodes[t->id < 6 ? t->id : t->id % 3];
	s.message_id = t->id;
	s.request_length = t->length;
	if (bent)
		bend_request(t, &h, &s, &payload);
	if (h.syn)
		h.dpdcid = offset & 0xfff;
	memset(p, 0x5a, pds_req_len + ses_std_som_len + payload);
	pds_req_put(&h, p);
	ses_std_som_put(&s, p + pds_req_len);
	if (!s.som) {
		ses_std_get(&rest, p + pds_req_len);
		rest.rsvd_256 = 0;
		rest.payload_length = PAYLOAD;
		ses_std_put(&rest, p + pds_req_len);
	}
	d->len = pds_req_len + ses_std_som_len + payload;
}

/* ---- Answers ---- */

static void bend_ack(struct talk *t, struct pds_ack *h, struct ses_response *s)
{
	switch (some(t, 16)) {
	case 0:
		h->cack_psn += some(t, 4);
		break;
	case 1:
		h->cack_psn -= some(t, 24);
		break;
	case 2:
		h->ack_psn_offset = (int16_t)((int32_t)some(t, 7) - 3);
		break;
	case 3:
		h->retx = 1;
		break;
	case 4:
		h->p = 1;
		break;
	case 5:
		h->req = (uint8_t)some(t, 4);
		break;
	case 6:
		h->m = 1;
		break;
	case 7:
		h->spdcid = chance(t, 50) ? 0 : h->spdcid ^ 1;
		break;
	case 8:
		h->dpdcid = chance(t, 50) ? 0 : h->dpdcid ^ 1;
		break;
	case 9:
		h->next_hdr = (uint8_t)some(t, 16);
		break;
	case 10:
		s->opcode = (uint8_t)some(t, 4);
		break;
	case 11:
		s->return_code = (uint8_t)some(t, 8);
		break;
	case 12:
		s->message_id ^= 1;
		break;
	case 13:
		s->list = 1;
		break;
	case 14:
		s->modified_length = 5;
		break;
	default:
		s->ri_generation = 1;
	}
}

static void put_ack(struct talk *t, bool bent, struct dgram *d)
{
	const uint32_t waiting = t->next - t->acked;
	const uint32_t psn = t->acked + (chance(t, 70) ? 0 : some(t, waiting));
	struct pds_ack h = {.type = PDS_ACK,
			    .next_hdr = PDS_NEXT_RESPONSE,
			    .cack_psn = psn,
			    .spdcid = t->pdcid[1],
			    .dpdcid = t->pdcid[0]};
	struct ses_response s = {.opcode = SES_DEFAULT_RESPONSE,
				 .return_code = RC_OK};

	if (chance(t, 20)) /* of one that others came after */
		h.ack_psn_offset = (int16_t) - (int32_t)(psn - t->acked);
	if (chance(t, 50)) {
		s.opcode = SES_RESPONSE;
		s.message_id = t->id;
	}
	if (t->asks && chance(t, 20))
		h.req = chance(t, 50) ? PDS_REQ_CLEAR : PDS_REQ_CLOSE;
	if (bent)
		bend_ack(t, &h, &s);
	else if (!serial_before(psn, t->acked))
		t->acked = psn + 1;
	t->known = true;
	pds_ack_put(&h, d->data);
	ses_response_put(&s, d->data + pds_ack_len);
	d->len = pds_ack_len + ses_response_len;
}

/* What takes both off the straight way. */
static void put_control(struct talk *t, struct dgram *d)
{
	static const uint8_t types[] = {PDS_CP_ACK_REQUEST,
					PDS_CP_CLEAR_COMMAND,
					PDS_CP_CLOSE_COMMAND, PDS_CP_NOOP};
	const struct pds_cp h = {.type = PDS_CP,
				 .ctl_type = types[some(t, 4)],
				 .psn = t->next,
				 .spdcid = t->pdcid[0],
				 .dpdcid = t->pdcid[1]};

	memset(d->data, 0, 32);
	pds_cp_put(&h, d->data);
	d->len = pds_cp_len + cp_clear_len;
}

static void put_nack(struct talk *t, struct dgram *d)
{
	const struct pds_nack h = {.type = PDS_NACK,
				   .nack_code = NACK_NO_PKT_BUFFER,
				   .nack_psn = t->next - some(t, 4),
				   .spdcid = t->pdcid[1],
				   .dpdcid = t->pdcid[0]};

	memset(d->data, 0, 32);
	pds_nack_put(&h, d->data);
	d->len = pds_nack_len;
}

/* ---- Both ---- */

/* Something around the packet is otherwise.  Return: how it was captured. */
static unsigned bend_dgram(struct talk *t, struct dgram *d)
{
	const uint32_t what = some(t, PAIR_AROUND + 5);

	switch (what) {
	case PAIR_AROUND:
		d->dscp = chance(t, 50) ? TRIMMED : 5;
		break;
	case PAIR_AROUND + 1:
		d->len -= some(t, 30);
		return chance(t, 50) ? PAIR_CUT : 0;
	case PAIR_AROUND + 2:
		return PAIR_CUT;
	case PAIR_AROUND + 3:
		return PAIR_COPY;
	case PAIR_AROUND + 4:
		d->data[some(t, (uint32_t)d->len)] ^=
			(uint8_t)(1u << some(t, 8));
		break;
	default:
		pair_around(&t->rng, what, d);
	}
	return 0;
}

static unsigned next_packet(struct talk *t, unsigned bends, struct dgram *d)
{
	const bool asks = t->next == t->acked || t->next - t->acked > 40
				  ? t->next == t->acked
				  : chance(t, 55);
	const bool bent = chance(t, bends) && t->known;

	address(t, !asks, d);
	d->ecn = chance(t, 10) ? ECN_CE : ECN_ECT0;
	if (bent && chance(t, 5))
		put_control(t, d);
	else if (bent && !asks && chance(t, 5))
		put_nack(t, d);
	else if (asks)
		put_request(t, bent && chance(t, 70), d);
	else
		put_ack(t, bent && chance(t, 70), d);
	return bent && chance(t, 30) ? bend_dgram(t, d) : 0;
}

static void world(struct pair *p, uint64_t seed)
{
	struct judge_conf conf = lab_conf();
	struct talk talks[2], *t;
	struct dgram d;
	vtime now = VSPAN_S;

	begin(&talks[0], 2 * seed);
	begin(&talks[1], 2 * seed + 1);
	conf.whole = seed % 4 != 0;
	conf.joined = seed % 2;
	conf.mtu = MTU;
	conf.dscp_trimmed = TRIMMED;
	conf.idle = 40 * MS;
	pair_open(p, &conf);
	for (unsigned i = 0; i < STEPS; i++) {
		const unsigned bends = i < 8 ? 0 : (unsigned)(seed % 3) * 4;
		unsigned how;

		t = &talks[some(&talks[0], 2)];
		how = next_packet(t, bends, &d);
		now += chance(t, 1) ? 50 * MS : 10 * US;
		if (!conf.whole && (i < seed % 32 || chance(t, bends)))
			continue; /* it is missing */
		pair_push(p, &d, now, how);
	}
	pair_close(p);
}

static void same_things(void **state)
{
	struct pair p;

	(void)state;
	pair_new(&p);
	for (uint64_t seed = 1; seed <= WORLDS; seed++)
		world(&p, seed);
	assert_true(p.straight > p.packets / 8);
	pair_free(&p);
}

/* A request, and its ACK. */
static void round_trip(struct pair *p, struct talk *t)
{
	struct dgram d;

	address(t, 0, &d);
	put_request(t, false, &d);
	pair_push(p, &d, VSPAN_S, 0);
	address(t, 1, &d);
	put_ack(t, false, &d);
	pair_push(p, &d, VSPAN_S, 0);
}

/* As if all that was sent meanwhile had not been captured. */
static void go_on_at(struct talk *t, uint32_t psn)
{
	t->next = t->acked = psn;
}

/* A PDC over UDP goes on natively, or the other way round; packets of either
 * form are usual by themselves. */
static void other_form(void **state)
{
	const struct judge_conf conf = lab_conf();
	struct pair p;

	(void)state;
	pair_new(&p);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct talk t;

		begin(&t, seed);
		t.native = seed % 2;
		t.rod = t.asks = false;
		pair_open(&p, &conf);
		for (unsigned i = 0; i < 6; i++)
			round_trip(&p, &t);
		t.native = !t.native;
		for (unsigned i = 0; i < 4; i++)
			round_trip(&p, &t);
		pair_close(&p);
	}
	assert_true(p.straight > 0);
	pair_free(&p);
}

/* Its way round the numbers brings a source to PSNs that count as old: those
 * after it are not followed, though each is the next one. */
static void long_way_round(void **state)
{
	struct judge_conf like = lab_conf();
	struct pair p;

	(void)state;
	like.whole = false;
	like.joined = true;
	pair_new(&p);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct talk t;
		uint32_t last;

		begin(&t, seed);
		t.known = true;
		t.native = t.rod = t.asks = false;
		pair_open(&p, &like);
		for (unsigned i = 0; i < 6; i++)
			round_trip(&p, &t);
		last = t.next - 1;
		go_on_at(&t, last + FLOW_WINDOW);
		round_trip(&p, &t);
		go_on_at(&t, last + INT32_MAX);
		for (unsigned i = 0; i < 4; i++)
			round_trip(&p, &t);
		pair_close(&p);
	}
	assert_true(p.straight > 0);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_things),
		cmocka_unit_test(other_form),
		cmocka_unit_test(long_way_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
