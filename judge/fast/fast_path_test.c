/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/fast/fast_path_test.c -- tests that the fast path and the full path
 * leave the same state.
 *
 * A small source and a small destination send packets that take the fast path:
 * messages of one packet and of several, ACKs of one packet and of several, CE
 * marks, retransmissions and ACK Requests.  At random, one property of a packet
 * is changed; over the test, each property is.
 */
#include "base/rng.h"
#include "judge/core/pair_test.h"
#include "judge/fast/conditions.h"

enum {
	WORLDS = 300,
	STEPS = 120,
	PAYLOAD = 24,
	MTU = 64,
	TRIMMED = 26, /* codepoints */
	REQUESTS = 10,
	ANSWERS = 40,
	KEPT = 4, /* requests to send again */
};

/* A PDC as its two ends see it. */
struct talk {
	struct rng rng;
	struct ip_addr addr[2];
	/* |acked|: all PSNs below are acknowledged */
	uint32_t start, next, acked;
	bool known; /* the initiator knows the TPDCID */
	bool slow;  /* the first ACKs take long to reach the initiator */
	bool open;  /* a message is open */
	uint16_t id, entropy;
	uint16_t pdcid[2];
	bool native, rod, asks;  /* |asks|: ACKs request clears or a close */
	bool mixes;              /* packets of messages overtake each other */
	bool data;               /* some requests are return data */
	bool repeats;            /* requests come again, and ACK Requests */
	bool headers;            /* the outer headers were captured */
	struct dgram kept[KEPT]; /* the last requests */
	unsigned nkept;
	unsigned acks;   /* ACK, ACK_CC, ACK_CCX, or all of them: 3 */
	uint32_t length; /* of the open message */
};

static bool fast_path_test_chance(struct talk *t, unsigned percent)
{
	return rng_below(&t->rng, 100) < percent;
}

static uint32_t some(struct talk *t, uint32_t n)
{
	return rng_below(&t->rng, n);
}

static void fast_path_test_begin(struct talk *t, uint64_t seed)
{
	*t = (struct talk){.rng = {seed}};
	t->addr[0] = ip_addr_v4(0x0a000001);
	t->addr[1] = ip_addr_v4(0x0a000002);
	t->start = fast_path_test_chance(t, 50) ? 0u - some(t, 30) - 1
						: (uint32_t)rng_next(&t->rng);
	t->next = t->acked = t->start;
	t->entropy = (uint16_t)some(t, 65536);
	t->pdcid[0] = (uint16_t)(7 + 16 * (seed & 1));
	t->pdcid[1] = t->pdcid[0] + 2;
	t->native = fast_path_test_chance(t, 10);
	t->rod = fast_path_test_chance(t, 10);
	t->asks = fast_path_test_chance(t, 20);
	t->acks = some(t, 4);
	t->mixes = fast_path_test_chance(t, 30);
	t->data = fast_path_test_chance(t, 30);
	t->repeats = fast_path_test_chance(t, 50);
	t->headers = fast_path_test_chance(t, 50);
	t->slow = fast_path_test_chance(t, 20);
}

static void fast_path_test_address(const struct talk *t, unsigned from,
				   struct dgram *d)
{
	memset(d, 0, offsetof(struct dgram, data));
	d->src = t->addr[from];
	d->dst = t->addr[!from];
	d->entropy = t->entropy;
	d->native = t->native;
	d->headers = t->headers;
	d->dscp = from ? ANSWERS : REQUESTS;
	d->ecn = ECN_ECT0;
}

/* ---- Requests ---- */

#define BENDS_PDS 11 /* changes of the PDS header; the others follow */
#define BENDS     22

static void bend_pds(struct talk *t, unsigned what, struct pds_req *h)
{
	switch (what) {
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
		h->dpdcid = fast_path_test_chance(t, 50) ? 0 : h->dpdcid ^ 1;
		break;
	case 8:
		h->rsvd_9 = 1;
		break;
	case 9:
		h->type = PDS_ROD_REQ;
		break;
	default:
		h->next_hdr = (uint8_t)some(t, 16);
	}
}

/* Changes the SES header, or the length of the payload. */
static void bend_ses(struct talk *t, unsigned what, struct ses_std_som *s,
		     size_t *payload)
{
	switch (what) {
	case 0:
		s->opcode = (uint8_t)some(t, 16);
		break;
	case 1:
		s->message_id =
			fast_path_test_chance(t, 50) ? 0 : s->message_id ^ 8;
		break;
	case 2:
		s->som ^= 1;
		break;
	case 3:
		s->eom ^= 1;
		break;
	case 4:
		s->request_length ^= 1u << some(t, 3);
		break;
	case 5:
		s->header_data = 1;
		s->hd = fast_path_test_chance(t, 50);
		break;
	case 6:
		*payload += 4;
		break;
	case 7:
		*payload = MTU + some(t, 2);
		s->request_length = (uint32_t)*payload;
		break;
	case 8:
		*(fast_path_test_chance(t, 50) ? &s->rsvd_64 : &s->rsvd_80) = 1;
		break;
	case 9:
		s->version = (uint8_t)some(t, 4);
		break;
	default:
		*payload = some(t, 16);
	}
}

/* Changes one property of the request. */
static void bend_request(struct talk *t, struct pds_req *h,
			 struct ses_std_som *s, size_t *payload)
{
	const unsigned what = some(t, BENDS);

	if (what < BENDS_PDS)
		bend_pds(t, what, h);
	else
		bend_ses(t, what - BENDS_PDS, s, payload);
}

/* Turns a request into return data that names message |id|. */
static void fast_path_test_put_data(struct talk *t, uint16_t id,
				    struct dgram *d)
{
	const struct ses_response_data s = {.opcode = SES_RESPONSE_W_DATA,
					    .return_code = RC_OK,
					    .response_message_id = id,
					    .read_request_message_id = id,
					    .payload_length = PAYLOAD};
	struct pds_req h;

	pds_req_get(&h, d->data);
	h.next_hdr = PDS_NEXT_RESPONSE_DATA;
	pds_req_put(&h, d->data);
	ses_response_data_put(&s, d->data + pds_req_len);
	d->len = pds_req_len + ses_response_data_len + PAYLOAD;
	t->open = false;
}

static void fast_path_test_put_request(struct talk *t, bool bent,
				       struct dgram *d)
{
	static const uint8_t opcodes[] = {SES_SEND,          SES_WRITE,
					  SES_TAGGED_SEND,   SES_NO_OP,
					  SES_DATAGRAM_SEND, SES_READ};
	struct pds_req h = {.type = t->rod ? PDS_ROD_REQ : PDS_RUD_REQ,
			    .next_hdr = PDS_NEXT_REQUEST_STD,
			    .ar = fast_path_test_chance(t, 50),
			    .syn = !t->known,
			    .psn = t->next,
			    .spdcid = t->pdcid[0],
			    .dpdcid = t->known ? t->pdcid[1] : 0};
	struct ses_std_som s = {.som = !t->open,
				.eom = fast_path_test_chance(t, 60)};
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
	if (fast_path_test_chance(t, 10)) /* CLEAR_PSN may lag */
		h.clear_psn_offset = (int16_t)(int32_t)(t->start - 1 - h.psn);
	s.opcode = opcodes[t->id < 6 ? t->id : t->id % 3];
	s.message_id = t->id;
	s.request_length = t->length;
	if (bent)
		bend_request(t, &h, &s, &payload);
	if (h.syn)
		h.dpdcid = offset & 0xfff;
	if (h.syn && bent && fast_path_test_chance(t, 20))
		h.dpdcid ^= (uint16_t)(1u << some(t, 16));
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
	if (t->mixes && fast_path_test_chance(t, 20))
		t->open ^= 1; /* the message ends early, or goes on */
	if (t->data && fast_path_test_chance(t, 20))
		fast_path_test_put_data(
			t, fast_path_test_chance(t, 80) ? t->id : 0, d);
}

/* Sends one of the last requests again: a retransmission, or a duplicate. */
static void put_repeat(struct talk *t, struct dgram *d)
{
	const unsigned n = t->nkept < KEPT ? t->nkept : KEPT;
	struct pds_req h;

	*d = t->kept[some(t, n)];
	pds_req_get(&h, d->data);
	h.retx = fast_path_test_chance(t, 80);
	if (fast_path_test_chance(t, 30))
		d->entropy++;
	if (fast_path_test_chance(t, 30)) /* CLEAR_PSN advances */
		h.clear_psn_offset = (int16_t)(int32_t)(t->acked - 1 - h.psn);
	if (h.clear_psn_offset >= 0)
		h.clear_psn_offset = -1;
	pds_req_put(&h, d->data);
	if (fast_path_test_chance(t, 5))
		d->data[d->len - 1] ^= 1;
}

/* Turns an ACK Request into a SYN, which opens no PDC. */
static void mark_syn(struct dgram *d)
{
	struct pds_cp h;

	pds_cp_get(&h, d->data);
	h.syn = true;
	pds_cp_put(&h, d->data);
}

/* Requests an ACK of a PSN that |end| sent. */
static void put_ack_request_of(struct talk *t, unsigned end, uint32_t psn,
			       struct dgram *d)
{
	const struct pds_cp h = {.type = PDS_CP,
				 .ctl_type = PDS_CP_ACK_REQUEST,
				 .psn = psn,
				 .spdcid = t->pdcid[end],
				 .dpdcid = t->pdcid[!end]};

	memset(d->data, 0, 32);
	pds_cp_put(&h, d->data);
	d->len = pds_cp_len + cp_clear_len;
}

/* Requests an ACK of one of the last PSNs. */
static void put_ack_request(struct talk *t, struct dgram *d)
{
	d->dscp = ANSWERS;
	put_ack_request_of(t, 0, t->next - 1 - some(t, 3), d);
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
		h->spdcid = fast_path_test_chance(t, 50) ? 0 : h->spdcid ^ 1;
		break;
	case 8:
		h->dpdcid = fast_path_test_chance(t, 50) ? 0 : h->dpdcid ^ 1;
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

/* Changes one value of the CC section of an ACK. */
static void bend_cc(struct talk *t, struct pds_ack_cc *cc)
{
	switch (some(t, 6)) {
	case 0:
		cc->mpr = (uint8_t)some(t, 2);
		break;
	case 1:
		cc->cc_type = (uint8_t)some(t, 16);
		break;
	case 2:
		cc->cc_flags = 1;
		break;
	case 3:
		cc->sack_psn_offset = (int16_t)((int32_t)some(t, 80) - 40);
		break;
	default:
		cc->sack_bitmap = rng_next(&t->rng);
	}
}

/* Writes the CC section of an ACK of |type|.  Return: its length. */
static size_t fast_path_test_put_cc(struct talk *t, enum pds_type type,
				    bool bent, uint8_t *p)
{
	struct pds_ack_cc cc = {.mpr = 8, .sack_psn_offset = 1};
	struct pds_nscc nscc = {.rcvd_bytes = t->acked - t->start};

	memset(p, 0, pds_ack_ccx_len);
	if (type == PDS_ACK)
		return 0;
	if (fast_path_test_chance(t, 30))
		cc.sack_bitmap = 1u << some(t, 4);
	if (type == PDS_ACK_CCX)
		cc.cc_type = PDS_CCX_LEAST;
	else if (fast_path_test_chance(t, 5))
		cc.cc_type = PDS_CC_CREDIT;
	if (bent)
		bend_cc(t, &cc);
	pds_ack_cc_put(&cc, p);
	if (type == PDS_ACK_CCX)
		return pds_ack_ccx_len;
	if (fast_path_test_chance(t, 30))
		nscc.service_time = (uint16_t)some(
			t, fast_path_test_chance(t, 90) ? 4 : 4000);
	if (fast_path_test_chance(t, 10))
		nscc.ooo_count = (uint16_t)some(t, 4);
	if (cc.cc_type == PDS_CC_NSCC)
		pds_nscc_put(&nscc, p + pds_ack_cc_len);
	else if (bent)
		p[pds_ack_cc_len + 7] = (uint8_t)some(t, 2);
	return pds_ack_cc_len + pds_nscc_len;
}

static enum pds_type fast_path_test_ack_type(struct talk *t)
{
	static const enum pds_type types[] = {PDS_ACK, PDS_ACK_CC, PDS_ACK_CCX};

	return types[t->acks < 3 ? t->acks : some(t, 3)];
}

static void fast_path_test_put_ack(struct talk *t, bool bent, struct dgram *d)
{
	const uint32_t waiting = t->next - t->acked;
	const uint32_t psn =
		t->acked +
		(fast_path_test_chance(t, 70) ? 0 : some(t, waiting));
	struct pds_ack h = {.type = (uint8_t)fast_path_test_ack_type(t),
			    .next_hdr = PDS_NEXT_RESPONSE,
			    .cack_psn = psn,
			    .spdcid = t->pdcid[1],
			    .dpdcid = t->pdcid[0]};
	struct ses_response s = {.opcode = SES_DEFAULT_RESPONSE,
				 .return_code = RC_OK};

	if (fast_path_test_chance(t, 20)) /* an ACK of a PSN below CACK_PSN */
		h.ack_psn_offset = (int16_t) - (int32_t)(psn - t->acked);
	else if (fast_path_test_chance(t, 20)) /* of a PSN above */
		h.ack_psn_offset = (int16_t)some(t, t->next - psn);
	if (fast_path_test_chance(t, 50)) {
		s.opcode = SES_RESPONSE;
		s.message_id = t->id;
	} else if (fast_path_test_chance(t, 20)) {
		s.message_id = t->id;
	}
	if (t->asks && fast_path_test_chance(t, 20))
		h.req = fast_path_test_chance(t, 50) ? PDS_REQ_CLEAR
						     : PDS_REQ_CLOSE;
	if (bent)
		bend_ack(t, &h, &s);
	else if (!serial_before(psn, t->acked))
		t->acked = psn + 1;
	t->known = t->known || !t->slow || fast_path_test_chance(t, 20);
	pds_ack_put(&h, d->data);
	d->len = pds_ack_len +
		 fast_path_test_put_cc(t, (enum pds_type)h.type,
				       bent && fast_path_test_chance(t, 30),
				       d->data + pds_ack_len);
	ses_response_put(&s, d->data + d->len);
	d->len += ses_response_len;
}

/* Sends a packet that leaves the fast path in both directions. */
static void put_control(struct talk *t, struct dgram *d)
{
	static const uint8_t types[] = {
		PDS_CP_ACK_REQUEST, PDS_CP_CLEAR_COMMAND, PDS_CP_CLEAR_REQUEST,
		PDS_CP_CLOSE_COMMAND, PDS_CP_NOOP};
	const unsigned from = ip_addr_equal(&d->src, &t->addr[1]);
	const struct pds_cp h = {.type = PDS_CP,
				 .ctl_type = types[some(t, 5)],
				 .psn = t->next,
				 .spdcid = t->pdcid[from],
				 .dpdcid = t->pdcid[!from]};

	d->dscp = ANSWERS;
	memset(d->data, 0, 32);
	pds_cp_put(&h, d->data);
	d->len = pds_cp_len + cp_clear_len;
}

static void fast_path_test_put_nack(struct talk *t, struct dgram *d)
{
	const struct pds_nack h = {.type = PDS_NACK,
				   .nack_code = fast_path_test_chance(t, 50)
							? NACK_NO_PKT_BUFFER
							: NACK_UNEXP_EVENT,
				   .nack_psn = t->next - some(t, 4),
				   .spdcid = t->pdcid[1],
				   .dpdcid = t->pdcid[0]};

	memset(d->data, 0, 32);
	pds_nack_put(&h, d->data);
	d->len = pds_nack_len;
}

/* ---- Both ---- */

/* Changes a field of the outer headers that only rules at a link check. */
static void bend_outer(struct talk *t, struct dgram *d)
{
	switch (some(t, 6)) {
	case 0:
		d->udp_checksum = 1;
		break;
	case 1:
		d->udp_dport = 1;
		break;
	case 2:
		d->ip_proto = 1;
		break;
	case 3:
		d->no_df = 1;
		break;
	case 4:
		d->ecn = ECN_NOT_ECT;
		break;
	default:
		d->dscp = (uint8_t)(REQUESTS + ANSWERS - d->dscp);
	}
}

/*
 * Changes one property of the headers around the packet.  Return: how it was
 * captured.
 */
static unsigned bend_dgram(struct talk *t, struct dgram *d)
{
	const uint32_t what = some(t, PAIR_AROUND + 8);

	switch (what) {
	case PAIR_AROUND:
		d->dscp = fast_path_test_chance(t, 50) ? TRIMMED : 5;
		break;
	case PAIR_AROUND + 1:
		d->len -= some(t, 30);
		return fast_path_test_chance(t, 50) ? PAIR_CUT : 0;
	case PAIR_AROUND + 2:
		return PAIR_CUT;
	case PAIR_AROUND + 3:
		return PAIR_COPY;
	case PAIR_AROUND + 4:
		d->data[some(t, (uint32_t)d->len)] ^=
			(uint8_t)(1u << some(t, 8));
		break;
	case PAIR_AROUND + 5:
	case PAIR_AROUND + 6:
	case PAIR_AROUND + 7:
		bend_outer(t, d);
		break;
	default:
		pair_around(&t->rng, what, d);
	}
	return 0;
}

/* Sends a request, for the first time or again, or asks for an ACK. */
static void fast_path_test_ask(struct talk *t, bool bent, struct dgram *d)
{
	if (t->repeats && t->nkept && fast_path_test_chance(t, 15)) {
		put_repeat(t, d);
		return;
	}
	if (t->repeats && t->nkept && fast_path_test_chance(t, 5)) {
		put_ack_request(t, d);
		if (bent)
			mark_syn(d);
		return;
	}
	fast_path_test_put_request(t, bent, d);
	t->kept[t->nkept++ % KEPT] = *d;
}

static unsigned fast_path_test_next_packet(struct talk *t, unsigned bends,
					   struct dgram *d)
{
	const bool asks = t->next == t->acked || t->next - t->acked > 40
				  ? t->next == t->acked
				  : fast_path_test_chance(t, 55);
	const bool bent = fast_path_test_chance(t, bends);

	fast_path_test_address(t, !asks, d);
	d->ecn = fast_path_test_chance(t, 10) ? ECN_CE : ECN_ECT0;
	if (bent && fast_path_test_chance(t, 5))
		put_control(t, d);
	else if (bent && !asks && fast_path_test_chance(t, 5))
		fast_path_test_put_nack(t, d);
	else if (asks)
		fast_path_test_ask(t, bent && fast_path_test_chance(t, 70), d);
	else
		fast_path_test_put_ack(t, bent && fast_path_test_chance(t, 70),
				       d);
	return bent && fast_path_test_chance(t, 30) ? bend_dgram(t, d) : 0;
}

/* The judge captures between the ends, at the link of one, or of both. */
enum { AFAR, AT_SOURCE, AT_TARGET, AT_BOTH, PLACES };

static void fast_path_test_place(struct judge_conf *conf, unsigned place,
				 const struct talk *t)
{
	conf->remote_vantage = place == AFAR;
	if (place == AT_SOURCE || place == AT_TARGET)
		conf->here = t->addr[place == AT_TARGET];
}

/* A device declares these, as a bit mask. */
enum { CODEPOINTS = 1, TIMES = 2, SMALL_RANGE = 4, DECLARED = 8 };

static struct judge_conf fast_path_test_declare(unsigned declared)
{
	struct judge_conf conf = lab_test_lab_conf();

	conf.dscp_known = declared & CODEPOINTS;
	conf.dscp_data = REQUESTS;
	conf.dscp_control = ANSWERS;
	conf.ack_time = conf.answer_time = declared & TIMES ? 10 * MS : 0;
	conf.mp_range = declared & SMALL_RANGE ? 8 : conf.mp_range;
	return conf;
}

static void world(struct pair *p, uint64_t seed, unsigned place,
		  unsigned declared)
{
	struct judge_conf conf = fast_path_test_declare(declared);
	struct talk talks[2], *t;
	struct dgram d;
	vtime now = VSPAN_S;

	fast_path_test_begin(&talks[0], 2 * seed);
	fast_path_test_begin(&talks[1], 2 * seed + 1);
	conf.complete = seed % 4 != 0;
	conf.midstream = seed % 2;
	conf.mtu = MTU;
	conf.dscp_trimmed = TRIMMED;
	conf.idle = 40 * MS;
	fast_path_test_place(&conf, place, talks);
	pair_open_at(p, &conf);
	for (unsigned i = 0; i < STEPS; i++) {
		const unsigned bends = i < 8 ? 0 : (unsigned)(seed % 3) * 4;
		unsigned how;

		t = &talks[some(&talks[0], 2)];
		how = fast_path_test_next_packet(t, bends, &d);
		now += fast_path_test_chance(t, 1) ? 50 * MS : 10 * US;
		if (!conf.complete &&
		    (i < seed % 32 || fast_path_test_chance(t, bends)))
			continue; /* the capture lacks the packet */
		pair_push(p, &d, now, how);
	}
	pair_test_pair_close(p);
}

/* The fast path tests each of these rows, and a packet can fail it. */
static const struct {
	enum condition condition;
	enum condition_stage stage;
} fast_rows[] = {
#define BOTH(kinds, stage, name, test, why)       {COND_##name, stage},
#define EACH(kinds, stage, name, fast, full, why) {COND_##name, stage},
#define FAST(kinds, stage, name, test, why)       {COND_##name, stage},
#define FULL(kinds, stage, name, test, why)
#define LINK(kinds, name, where, test, why) {COND_##name, STAGE_PSN},
#define KEY(kinds, name, bits, value, what)
#define LINK_KEY(kinds, name, bits, where, value, what)
#include "judge/fast/conditions.def"
#undef BOTH
#undef EACH
#undef FAST
#undef FULL
#undef LINK
#undef KEY
#undef LINK_KEY
};

/*
 * On the fast path these conditions follow from other rows as long as memory
 * lasts: an ACK that requests a clear does not take it (NO_REQUEST), and a
 * complete flow begins with its first PSN (LINK_START).  PSN_RANGE needs 2^31
 * packets in a row; CACK_NEAR, REACHED, LINK_DROPPED and LINK_OWED have tests
 * of their own.
 */
static bool is_implied(enum condition c)
{
	return c == COND_REQ_NOT_STORED || c == COND_ACK_NOT_STORED ||
	       c == COND_CACK_CLEAR || c == COND_PSN_RANGE ||
	       c == COND_CACK_NEAR || c == COND_REACHED ||
	       c == COND_LINK_START || c == COND_LINK_DROPPED ||
	       c == COND_LINK_OWED;
}

/*
 * Each row must send some packet to the full path: a test that no packet fails
 * may be wrong, or superfluous.
 */
static void each_condition_fails(const struct pair *p)
{
	unsigned missed = 0;

	for (size_t i = 0; i < sizeof(fast_rows) / sizeof(fast_rows[0]); i++) {
		const enum condition c = fast_rows[i].condition;

		if (fast_rows[i].stage == STAGE_JUDGE || p->failed[c] ||
		    is_implied(c))
			continue;
		print_error("no packet failed %s: %s\n", condition_name(c),
			    condition_reason(c));
		missed++;
	}
	assert_int_equal(missed, 0);
}

static void same_things(void **state)
{
	struct pair all = {0}, p;

	(void)state;
	for (unsigned declared = 0; declared < DECLARED; declared++) {
		pair_new(&p);
		for (uint64_t seed = 1; seed <= WORLDS; seed++)
			world(&p, seed + WORLDS * declared,
			      (unsigned)(seed / 4) % PLACES, declared);
		all.packets += p.packets;
		all.fast_path += p.fast_path;
		for (unsigned c = 0; c < COND_COUNT; c++)
			all.failed[c] += p.failed[c];
		pair_free(&p);
	}
	assert_true(all.fast_path > all.packets / 10);
	each_condition_fails(&all);
}

/* A request, and its ACK. */
static void fast_path_test_round_trip(struct pair *p, struct talk *t)
{
	struct dgram d;

	fast_path_test_address(t, 0, &d);
	fast_path_test_put_request(t, false, &d);
	pair_push(p, &d, VSPAN_S, 0);
	fast_path_test_address(t, 1, &d);
	fast_path_test_put_ack(t, false, &d);
	pair_push(p, &d, VSPAN_S, 0);
}

/* Continues at |psn|, as if the capture lacked the packets in between. */
static void go_on_at(struct talk *t, uint32_t psn)
{
	t->next = t->acked = psn;
}

/*
 * A PDC over UDP continues natively, or the reverse.  Packets of either form
 * alone are predicted.
 */
static void other_form(void **state)
{
	const struct judge_conf conf = lab_test_lab_conf();
	struct pair p;

	(void)state;
	pair_new(&p);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct talk t;

		fast_path_test_begin(&t, seed);
		t.native = seed % 2;
		t.rod = t.asks = false;
		pair_test_pair_open(&p, &conf);
		for (unsigned i = 0; i < 6; i++)
			fast_path_test_round_trip(&p, &t);
		t.native = !t.native;
		for (unsigned i = 0; i < 4; i++)
			fast_path_test_round_trip(&p, &t);
		pair_test_pair_close(&p);
	}
	assert_true(p.fast_path > 0);
	pair_free(&p);
}

/*
 * A source advances so far that its PSNs wrap and count as old.  Later packets
 * are not followed, although each has the next PSN.
 */
static void long_way_round(void **state)
{
	struct judge_conf like = lab_test_lab_conf();
	struct pair p;

	(void)state;
	like.complete = false;
	like.midstream = true;
	pair_new(&p);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct talk t;
		uint32_t last;

		fast_path_test_begin(&t, seed);
		t.known = true;
		t.native = t.rod = t.asks = false;
		pair_test_pair_open(&p, &like);
		for (unsigned i = 0; i < 6; i++)
			fast_path_test_round_trip(&p, &t);
		last = t.next - 1;
		go_on_at(&t, last + FLOW_WINDOW);
		fast_path_test_round_trip(&p, &t);
		go_on_at(&t, last + INT32_MAX);
		for (unsigned i = 0; i < 4; i++)
			fast_path_test_round_trip(&p, &t);
		pair_test_pair_close(&p);
	}
	assert_true(p.fast_path > 0);
	pair_free(&p);
}

/* Prepares requests of RUD over UDP without return data. */
static void plain_rud(struct pair *p, struct talk *t)
{
	pair_new(p);
	fast_path_test_begin(t, 2);
	t->native = t->rod = t->asks = t->data = false;
}

static void six_round_trips(struct pair *p, struct talk *t)
{
	for (unsigned i = 0; i < 6; i++)
		fast_path_test_round_trip(p, t);
}

/* Begins with six round trips of RUD in a capture that began midstream. */
static void midstream_begin(struct pair *p, struct talk *t)
{
	struct judge_conf like = lab_test_lab_conf();

	like.complete = false;
	like.midstream = true;
	plain_rud(p, t);
	t->known = true;
	pair_test_pair_open(p, &like);
	six_round_trips(p, t);
}

/*
 * In a capture that began midstream, CACK_PSN advances by more PSNs than the
 * direction remembers.
 */
static void cack_far_ahead(void **state)
{
	struct pds_ack h;
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	midstream_begin(&p, &t);
	fast_path_test_address(&t, 0, &d);
	fast_path_test_put_request(&t, false, &d);
	pair_push(&p, &d, VSPAN_S, 0);
	fast_path_test_address(&t, 1, &d);
	fast_path_test_put_ack(&t, false, &d);
	pds_ack_get(&h, d.data);
	h.cack_psn += 40;
	h.ack_psn_offset = (int16_t)(h.ack_psn_offset - 40);
	pds_ack_put(&h, d.data);
	pair_push(&p, &d, VSPAN_S, 0);
	assert_int_equal(p.failed[COND_CACK_NEAR], 1);
	pair_test_pair_close(&p);
	pair_free(&p);
}

/*
 * A packet is missing, and no ACK comes: later packets end up outside the range
 * of the destination.
 */
static void range_left(void **state)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	conf.mp_range = 8;
	pair_new(&p);
	fast_path_test_begin(&t, 2);
	t.native = t.rod = t.asks = false;
	t.acks = 0; /* no ACK advertises another range */
	pair_test_pair_open(&p, &conf);
	for (unsigned i = 0; i < 6; i++)
		fast_path_test_round_trip(&p, &t);
	t.next++;
	for (unsigned i = 0; i < 12; i++) {
		fast_path_test_address(&t, 0, &d);
		fast_path_test_put_request(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
	}
	assert_true(p.failed[COND_REACHED] > 0);
	pair_test_pair_close(&p);
	pair_free(&p);
}

/* The target returns data for the newest message of the initiator. */
static void put_return_data(struct talk *t, uint32_t psn, uint16_t length,
			    size_t len, struct dgram *d)
{
	const struct pds_req h = {.type = PDS_RUD_REQ,
				  .next_hdr = PDS_NEXT_RESPONSE_DATA,
				  .clear_psn_offset = -1,
				  .psn = psn,
				  .spdcid = t->pdcid[1],
				  .dpdcid = t->pdcid[0]};
	const struct ses_response_data s = {.opcode = SES_RESPONSE_W_DATA,
					    .return_code = RC_OK,
					    .response_message_id = 7,
					    .read_request_message_id = t->id,
					    .payload_length = length};

	fast_path_test_address(t, 1, d);
	memset(d->data, 0x5a, 64);
	pds_req_put(&h, d->data);
	ses_response_data_put(&s, d->data + pds_req_len);
	d->len = len;
}

static void put_data_ack(struct talk *t, uint32_t psn, struct dgram *d)
{
	const struct pds_ack h = {.type = PDS_ACK,
				  .next_hdr = PDS_NEXT_RESPONSE,
				  .cack_psn = psn,
				  .spdcid = t->pdcid[0],
				  .dpdcid = t->pdcid[1]};
	const struct ses_response s = {
		.opcode = SES_RESPONSE, .return_code = RC_OK, .message_id = 7};

	fast_path_test_address(t, 0, d);
	pds_ack_put(&h, d->data);
	ses_response_put(&s, d->data + pds_ack_len);
	d->len = pds_ack_len + ses_response_len;
}

/*
 * Return data takes the fast path in an incomplete capture; data whose length
 * is wrong, or whose header is truncated, does not.
 */
static void return_data(void **state)
{
	const size_t headers = pds_req_len + ses_response_data_len;
	uint64_t before = 0;
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	midstream_begin(&p, &t);
	for (uint32_t psn = 900; psn < 912; psn++) {
		fast_path_test_round_trip(&p, &t);
		before = p.fast_path;
		put_return_data(&t, psn, PAYLOAD, headers + PAYLOAD, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		assert_int_equal(p.fast_path - before, psn > 900);
		put_data_ack(&t, psn, &d);
		pair_push(&p, &d, VSPAN_S, 0);
	}
	put_return_data(&t, 912, PAYLOAD + 1, headers + PAYLOAD, &d);
	pair_push(&p, &d, VSPAN_S, 0);
	assert_int_equal(p.failed[COND_REQ_END], 1);
	put_return_data(&t, 913, 0, headers - 1, &d);
	pair_push(&p, &d, VSPAN_S, 0);
	assert_int_equal(p.failed[COND_REQ_HEADERS], 1);
	pair_test_pair_close(&p);
	pair_free(&p);
}

/* Marks a request as a retransmission. */
static void mark_retx(struct dgram *d)
{
	struct pds_req h;

	pds_req_get(&h, d->data);
	h.retx = true;
	pds_req_put(&h, d->data);
}

/*
 * In an incomplete capture, retransmissions, duplicates of the network and
 * their ACKs take the fast path; a retransmission with other bytes does not.
 */
static void repeats(void **state)
{
	struct dgram d, ack;
	struct pair p;
	struct talk t;

	(void)state;
	midstream_begin(&p, &t);
	for (unsigned i = 0; i < 60; i++) {
		fast_path_test_address(&t, 0, &d);
		fast_path_test_put_request(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		pair_push(&p, &d, VSPAN_S, 0);
		mark_retx(&d);
		pair_push(&p, &d, VSPAN_S, 0);
		fast_path_test_address(&t, 1, &ack);
		fast_path_test_put_ack(&t, false, &ack);
		pair_push(&p, &ack, VSPAN_S, 0);
		pair_push(&p, &d, VSPAN_S, 0); /* its ACK was lost */
		pair_push(&p, &ack, VSPAN_S, 0);
	}
	/* Two packets begin the flow; datagrams take the full path anyway. */
	assert_int_equal(p.fast_path + p.failed[COND_LEARNT] +
				 p.failed[COND_PLAIN_OPCODE] + 2,
			 p.packets);
	assert_true(p.failed[COND_LEARNT] < p.packets / 4);
	d.data[d.len - 1] ^= 1;
	pair_push(&p, &d, VSPAN_S, 0);
	assert_int_equal(p.failed[COND_REPEAT], 1);
	pair_test_pair_close(&p);
	pair_free(&p);
}

/* Pushes an ACK Request.  Return: true if it takes the fast path. */
static bool asks_fast(struct pair *p, struct talk *t)
{
	const uint64_t before = p->fast_path;
	struct dgram d;

	fast_path_test_address(t, 0, &d);
	put_ack_request(t, &d);
	pair_push(p, &d, VSPAN_S, 0);
	return p->fast_path > before;
}

/*
 * ACK Requests take the fast path, before their PSN is acknowledged and after;
 * the first one teaches the key.
 */
static void ack_requests(void **state)
{
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	midstream_begin(&p, &t);
	assert_false(asks_fast(&p, &t));
	for (unsigned i = 0; i < 20; i++) {
		fast_path_test_address(&t, 0, &d);
		fast_path_test_put_request(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		assert_true(asks_fast(&p, &t));
		assert_true(asks_fast(&p, &t));
		fast_path_test_address(&t, 1, &d);
		fast_path_test_put_ack(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		assert_true(asks_fast(&p, &t));
	}
	pair_test_pair_close(&p);
	pair_free(&p);
}

/* The target requests an ACK of return data.  Return: like asks_fast. */
static bool target_asks_fast(struct pair *p, struct talk *t, uint32_t psn)
{
	const uint64_t before = p->fast_path;
	struct dgram d;

	fast_path_test_address(t, 1, &d);
	put_ack_request_of(t, 1, psn, &d);
	pair_push(p, &d, VSPAN_S, 0);
	return p->fast_path > before;
}

/* The ACK Requests of each end count as those of that end. */
static void ack_requests_of_both(void **state)
{
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	midstream_begin(&p, &t);
	for (uint32_t psn = 900; psn < 912; psn++) {
		put_return_data(&t, psn, PAYLOAD,
				pds_req_len + ses_response_data_len + PAYLOAD,
				&d);
		pair_push(&p, &d, VSPAN_S, 0);
		fast_path_test_round_trip(&p, &t);
		assert_int_equal(target_asks_fast(&p, &t, psn), psn > 900);
		assert_int_equal(asks_fast(&p, &t), psn > 900);
		put_data_ack(&t, psn, &d);
		pair_push(&p, &d, VSPAN_S, 0);
	}
	pair_test_pair_close(&p);
	pair_free(&p);
}

/*
 * An ACK whose result comes later takes the full path, which records that its
 * PSN needs more state.
 */
static void result_later(void **state)
{
	const struct ses_response s = {.opcode = SES_NO_RESPONSE};
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	midstream_begin(&p, &t);
	t.acks = 0;
	for (unsigned i = 0; i < 8; i++) {
		fast_path_test_address(&t, 0, &d);
		fast_path_test_put_request(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		fast_path_test_address(&t, 1, &d);
		fast_path_test_put_ack(&t, false, &d);
		ses_response_put(&s, d.data + pds_ack_len);
		pair_push(&p, &d, VSPAN_S, 0);
	}
	assert_int_equal(p.failed[COND_RESPONSE], 8);
	pair_test_pair_close(&p);
	pair_free(&p);
}

/* Begins with six round trips of RUD at the link of an end. */
static void at_link_begin(struct pair *p, struct talk *t, unsigned place)
{
	struct judge_conf conf = lab_test_lab_conf();

	plain_rud(p, t);
	t->mixes = false;
	t->acks = 0;
	fast_path_test_place(&conf, place, t);
	pair_open_at(p, &conf);
	six_round_trips(p, t);
}

/* At the link of an end, most packets take the fast path. */
static void at_links(void **state)
{
	struct pair p;
	struct talk t;

	(void)state;
	for (unsigned place = AT_SOURCE; place < PLACES; place++) {
		uint64_t before;

		at_link_begin(&p, &t, place);
		before = p.fast_path;
		for (unsigned i = 0; i < 200; i++)
			fast_path_test_round_trip(&p, &t);
		assert_true(p.fast_path - before > 200);
		pair_test_pair_close(&p);
		pair_free(&p);
	}
}

/* A write of one packet. */
static void put_plain_request(struct talk *t, struct dgram *d)
{
	struct ses_std_som s = {.opcode = SES_WRITE, .som = 1, .eom = 1};
	struct pds_req h;

	t->open = false;
	fast_path_test_put_request(t, false, d);
	pds_req_get(&h, d->data);
	h.ar = 1;
	pds_req_put(&h, d->data);
	t->open = false;
	t->id = s.message_id = (uint16_t)(t->next - t->start);
	s.request_length = PAYLOAD;
	ses_std_som_put(&s, d->data + pds_req_len);
}

/* A PDC of a few SYNs and an ACK. */
static void short_pdc(struct pair *p, struct talk *t, uint64_t seed,
		      unsigned place)
{
	struct judge_conf conf = lab_test_lab_conf();
	struct dgram d;

	fast_path_test_begin(t, seed);
	t->native = t->rod = t->asks = t->data = t->mixes = false;
	t->acks = 0;
	fast_path_test_place(&conf, place, t);
	pair_open_at(p, &conf);
	for (unsigned i = 0; i < 8; i++) {
		fast_path_test_address(t, 0, &d);
		put_plain_request(t, &d);
		pair_push(p, &d, VSPAN_S, 0);
	}
	fast_path_test_address(t, 1, &d);
	fast_path_test_put_ack(t, false, &d);
	pair_push(p, &d, VSPAN_S, 0);
	pair_test_pair_close(p);
}

/*
 * All SYNs after the first packet of a PDC take the fast path, and many of the
 * first ACKs: the others have a response that does not fit.
 */
static void young_pdcs(void **state)
{
	(void)state;
	for (unsigned place = AFAR; place < PLACES; place++) {
		const unsigned pdcs = 50;
		uint64_t before;
		struct pair p;
		struct talk t;

		pair_new(&p);
		for (uint64_t seed = 0; seed < pdcs; seed++)
			short_pdc(&p, &t, seed, place);
		before = p.fast_path;
		for (uint64_t seed = 0; seed < pdcs; seed++)
			short_pdc(&p, &t, pdcs + seed, place);
		assert_true(p.fast_path - before >= pdcs * 7 + pdcs / 4);
		pair_free(&p);
	}
}

/* The target acknowledges a packet that it dropped with a NACK. */
static void acks_dropped(void **state)
{
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	at_link_begin(&p, &t, AT_TARGET);
	for (unsigned i = 0; i < 20; i++) {
		fast_path_test_address(&t, 0, &d);
		fast_path_test_put_request(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		fast_path_test_address(&t, 1, &d);
		fast_path_test_put_nack(&t, &d);
		pair_push(&p, &d, VSPAN_S, 0);
		fast_path_test_address(&t, 1, &d);
		fast_path_test_put_ack(&t, false, &d);
		pair_push(&p, &d, VSPAN_S, 0);
	}
	assert_true(p.failed[COND_LINK_DROPPED] > 0);
	pair_test_pair_close(&p);
	pair_free(&p);
}

/* The target passes over an ACK Request, and answers later requests. */
static void request_passed_over(void **state)
{
	vtime now = VSPAN_S;
	struct dgram d;
	struct pair p;
	struct talk t;

	(void)state;
	at_link_begin(&p, &t, AT_TARGET);
	for (unsigned i = 0; i < 20; i++) {
		fast_path_test_address(&t, 0, &d);
		put_ack_request(&t, &d);
		pair_push(&p, &d, now, 0);
		now += 100 * MS;
		pair_push(&p, &d, now, 0);
		fast_path_test_address(&t, 0, &d);
		fast_path_test_put_request(&t, false, &d);
		pair_push(&p, &d, now, 0);
		fast_path_test_address(&t, 1, &d);
		fast_path_test_put_ack(&t, false, &d);
		pair_push(&p, &d, now, 0);
	}
	assert_true(p.failed[COND_LINK_OWED] > 0);
	pair_test_pair_close(&p);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repeats),
		cmocka_unit_test(ack_requests),
		cmocka_unit_test(ack_requests_of_both),
		cmocka_unit_test(result_later),
		cmocka_unit_test(return_data),
		cmocka_unit_test(same_things),
		cmocka_unit_test(other_form),
		cmocka_unit_test(long_way_round),
		cmocka_unit_test(cack_far_ahead),
		cmocka_unit_test(range_left),
		cmocka_unit_test(at_links),
		cmocka_unit_test(young_pdcs),
		cmocka_unit_test(acks_dropped),
		cmocka_unit_test(request_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
