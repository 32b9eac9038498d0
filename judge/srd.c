/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/srd.c -- SRD contexts and the rules about them.
 *
 * A packet that its receiver has to drop for its header alone has no part in a
 * context, and nothing follows from it.
 */
#include "judge/srd.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "judge/state.h"
#include "wire/crc.h"
#include "wire/ib.h"

#define PKEY    0xffff
#define VERSION 1
#define HEAD    (bth_len + seth_len)

/* What is known of a PSN. */
struct psn_known {
	uint32_t owner; /* of the context; another value: nothing is known */
	uint32_t psn;
	uint32_t hash;    /* of the message, first transmission */
	uint32_t frame;   /* of the last one */
	bool sent;        /* a request was seen */
	bool answered;    /* with |syndrome| */
	bool resolved;    /* an answer told the requester its outcome */
	uint8_t syndrome; /* of the first answer */
};

struct srd_ctx {
	bool used;
	uint32_t owner; /* not 0, never used twice */
	struct ip_addr requester, responder;
	uint32_t scid;
	uint32_t rcid; /* 0: no answer was seen */
	bool whole;    /* every packet of it was seen */
	bool any;      /* a request was */
	uint32_t high; /* the highest PSN sent */
	uint32_t lup;  /* the highest LUP */
	bool fin;      /* the requester has ended it */
	bool lost;     /* the responder said that it has lost it */
	bool cack_known;
	uint32_t cack;
	uint64_t used_at; /* larger: later */
	uint32_t first_frame;
	vtime first_at;
	struct judge_tally tally;
};

struct srd_seen {
	uint32_t owners;
	uint64_t clock;
	struct srd_ctx ctx[SRD_CONTEXTS];
	struct psn_known psns[SRD_CONTEXTS][SRD_WINDOW];
};

/* A packet, taken apart. */
struct sight {
	struct judge *j;
	const struct judge_packet *in;
	struct srd_ctx *c;
	struct psn_known *psns; /* of the context */
	struct bth bth;
	struct seth seth;
	struct srd_aeth aeth;
	struct srd_sack sack;
	bool response;
	uint32_t psn; /* 32 bits */
	uint32_t lup, cack;
};

/* ---- Life ---- */

int srd_seen_new(struct srd_seen **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : ERR_NOMEM;
}

void srd_seen_free(struct srd_seen *s)
{
	free(s);
}

/* What PSNs are known of goes with the owners: none is used twice. */
void srd_seen_reset(struct srd_seen *s)
{
	if (!s)
		return;
	memset(s->ctx, 0, sizeof(s->ctx));
	s->clock = 0;
}

void srd_seen_doubt(struct srd_seen *s)
{
	for (unsigned i = 0; s && i < SRD_CONTEXTS; i++)
		s->ctx[i].whole = false;
}

/* ---- Findings ---- */

static const struct ip_addr *side_of(const struct sight *x)
{
	return x->response ? &x->c->responder : &x->c->requester;
}

/* Whether the judge saw packets in the order in which that side did. */
static bool is_here(const struct sight *x)
{
	const struct judge_conf *conf = &x->j->conf;

	return !conf->afar &&
	       (!conf->here.len || ip_addr_equal(&conf->here, side_of(x)));
}

static uint32_t number_of(const struct srd_ctx *c)
{
	return SRD_FLOW | (c->owner - 1);
}

/*
 * asks counts that somebody was in a position to break a rule, and begins a
 * finding if it was broken.
 */
static bool asks(struct sight *x, enum req_id req, bool broken)
{
	const enum req_role role = x->response ? REQ_DST : REQ_SRC;
	struct finding *f;

	judge_side(x->j, side_of(x))->seen[req][role == REQ_DST]++;
	if (!broken)
		return false;
	f = judge_found(x->j);
	f->req = req;
	f->role = role;
	f->side = *side_of(x);
	f->frame = x->in->frame;
	f->flow = number_of(x->c);
	f->ends[0] = x->c->requester;
	f->ends[1] = x->c->responder;
	return true;
}

static uint32_t wire(uint32_t psn)
{
	return psn & SERIAL24_MASK;
}

/* ---- Contexts ---- */

static struct srd_ctx *find(struct srd_seen *s, const struct ip_addr *requester,
			    const struct ip_addr *responder, uint32_t scid)
{
	for (unsigned i = 0; i < SRD_CONTEXTS; i++) {
		struct srd_ctx *c = &s->ctx[i];

		if (c->used && c->scid == scid &&
		    ip_addr_equal(&c->requester, requester) &&
		    ip_addr_equal(&c->responder, responder))
			return c;
	}
	return NULL;
}

/* A place for one more: the one that was silent longest gives way. */
static struct srd_ctx *place(struct srd_seen *s)
{
	struct srd_ctx *oldest = &s->ctx[0];

	for (unsigned i = 0; i < SRD_CONTEXTS; i++) {
		if (!s->ctx[i].used)
			return &s->ctx[i];
		if (s->ctx[i].used_at < oldest->used_at)
			oldest = &s->ctx[i];
	}
	return oldest;
}

static struct srd_ctx *begin(struct srd_seen *s, const struct sight *x)
{
	struct srd_ctx *c = place(s);

	x->j->totals.flows++;
	*c = (struct srd_ctx){
		.used = true,
		.owner = ++s->owners,
		.requester = x->in->d->src,
		.responder = x->in->d->dst,
		.scid = x->seth.scid,
		.whole = x->j->conf.whole && x->seth.syn,
		.high = x->seth.lup - 1,
		.lup = x->seth.lup,
		.first_frame = x->in->frame,
		.first_at = x->in->at,
	};
	return c;
}

/* ---- PSNs ---- */

static struct psn_known *known(const struct sight *x, uint32_t psn)
{
	struct psn_known *k = &x->psns[psn & (SRD_WINDOW - 1)];

	return k->owner == x->c->owner && k->psn == psn ? k : NULL;
}

static struct psn_known *know(const struct sight *x, uint32_t psn)
{
	struct psn_known *k = &x->psns[psn & (SRD_WINDOW - 1)];

	if (k->owner != x->c->owner || k->psn != psn)
		*k = (struct psn_known){.owner = x->c->owner, .psn = psn};
	return k;
}

/* Too old to be remembered, or nobody saw it from the start. */
static bool is_forgotten(const struct sight *x, uint32_t psn)
{
	return !x->c->whole ||
	       serial_diff(x->c->high, psn) >= (int32_t)SRD_WINDOW;
}

/* ---- The requester ---- */

/* What follows SETH, and the QP that it goes to: DETH, immediate, payload. */
static uint32_t hash_of(const struct sight *x)
{
	const struct packet *pkt = x->in->pkt;

	return crc32c(x->bth.dest_qp ^ (uint32_t)x->bth.opcode << 24,
		      pkt->p + HEAD, pkt->len - HEAD);
}

static void rule_bytes(struct sight *x, const struct psn_known *k)
{
	if (!k || !k->sent || x->in->cut)
		return;
	if (asks(x, REQ_I6, k->hash != hash_of(x)))
		because(x->j,
			"psn=%u is sent with other bytes than in frame %u",
			wire(x->psn), k->frame);
}

/* "any transmission after it was resolved": told by an answer, or by LUP. */
static void rule_resolved(struct sight *x, const struct psn_known *k)
{
	const bool again = k && k->sent;
	const bool rnr =
		again && k->answered && (k->syndrome & 0xe0) == IB_SYNDROME_RNR;

	if (!again || !is_here(x))
		return;
	if (rnr) {
		if (asks(x, REQ_SRD_52, k->resolved))
			because(x->j,
				"psn=%u is sent again after an RNR answer",
				wire(x->psn));
		return;
	}
	if (asks(x, REQ_I7, k->resolved || serial_before(x->psn, x->c->lup)))
		because(x->j, "psn=%u is sent again after it was resolved",
			wire(x->psn));
}

static void rule_lup(struct sight *x)
{
	if (!is_here(x) || !x->c->any)
		return;
	if (asks(x, REQ_DER_4, serial_before(x->lup, x->c->lup)))
		because(x->j, "lup=%u goes back from %u", wire(x->lup),
			wire(x->c->lup));
}

static void rule_ended(struct sight *x)
{
	if (!is_here(x))
		return;
	if (asks(x, REQ_DER_5, x->c->fin))
		because(x->j, "scid=0x%x is used after its FIN", x->c->scid);
	if (x->c->rcid && asks(x, REQ_DER_6, x->c->lost))
		because(x->j,
			"scid=0x%x is used after the responder said that it "
			"has lost it",
			x->c->scid);
}

static void take_request(struct sight *x)
{
	struct srd_ctx *c = x->c;
	struct psn_known *k;

	c->lup = serial_max(c->lup, x->lup);
	c->fin |= x->bth.opcode == IB_SRD_SYNC && x->seth.fin;
	if (x->bth.opcode == IB_SRD_SYNC)
		return;
	if (!c->any || serial_after(x->psn, c->high))
		c->high = x->psn;
	c->any = true;
	k = know(x, x->psn);
	if (!k->sent)
		k->hash = hash_of(x);
	k->sent = true;
	k->frame = x->in->frame;
}

static void request(struct sight *x)
{
	const bool sync = x->bth.opcode == IB_SRD_SYNC;
	const struct psn_known *k = sync ? NULL : known(x, x->psn);

	rule_lup(x);
	rule_ended(x);
	rule_bytes(x, k);
	rule_resolved(x, k);
	if (!x->in->copy)
		take_request(x);
}

/* ---- The responder ---- */

static bool is_drop(const struct psn_known *k)
{
	return k && k->answered && k->syndrome != IB_SYNDROME_ACK;
}

/* What did not arrive, or was dropped, and is covered as accepted. */
struct covered {
	uint32_t missing, dropped;
	bool is_missing, is_dropped;
};

static void cover(const struct sight *x, uint32_t psn, struct covered *ret)
{
	const struct psn_known *k = known(x, psn);

	if (serial_before(psn, x->c->lup) || is_forgotten(x, psn))
		return;
	if (!k || !k->sent) {
		ret->missing = psn;
		ret->is_missing = true;
	} else if (is_drop(k)) {
		ret->dropped = psn;
		ret->is_dropped = true;
	}
}

static void cover_all(const struct sight *x, struct covered *ret)
{
	const uint32_t from = serial_max(x->c->lup, x->cack - SRD_WINDOW);

	for (uint32_t psn = from; !serial_after(psn, x->cack); psn++)
		cover(x, psn, ret);
	for (unsigned i = 0; i < 64; i++)
		if (x->sack.sack_bitmap >> (63 - i) & 1)
			cover(x, x->cack + 1 + i, ret);
}

static void rule_covers(struct sight *x)
{
	struct covered cov = {0};

	if (!x->c->whole || !is_here(x))
		return;
	cover_all(x, &cov);
	if (asks(x, REQ_I5, cov.is_missing))
		because(x->j, "it covers psn=%u, which did not arrive",
			wire(cov.missing));
	if (asks(x, REQ_DER_2, cov.is_dropped))
		because(x->j,
			"it covers psn=%u as accepted, which it has dropped",
			wire(cov.dropped));
}

static void rule_arrived(struct sight *x, const struct psn_known *k)
{
	if (!x->c->whole || !is_here(x) || is_forgotten(x, x->psn))
		return;
	if (asks(x, REQ_I5, !k || !k->sent))
		because(x->j, "it answers psn=%u, which did not arrive",
			wire(x->psn));
}

static void rule_sticky(struct sight *x, const struct psn_known *k)
{
	if (!k || !k->answered)
		return;
	if (asks(x, REQ_DER_1, k->syndrome != x->aeth.syndrome)) {
		because(x->j, "psn=%u had another outcome before",
			wire(x->psn));
		expected(x->j, "syndrome=0x%x", k->syndrome);
		actual(x->j, "syndrome=0x%x", x->aeth.syndrome);
	}
}

static void rule_cack(struct sight *x)
{
	if (!x->c->cack_known || !is_here(x))
		return;
	if (asks(x, REQ_DER_3, serial_before(x->cack, x->c->cack)))
		because(x->j, "cack=%u goes back from %u", wire(x->cack),
			wire(x->c->cack));
}

/* An answer tells outcomes: its own, and what CACK and SACK cover. */
static void take_answer(struct sight *x)
{
	struct srd_ctx *c = x->c;
	struct psn_known *k = know(x, x->psn);
	const uint32_t from =
		c->cack_known ? c->cack + 1 : x->cack - SRD_WINDOW + 1;

	if (!k->answered)
		k->syndrome = x->aeth.syndrome;
	k->answered = k->resolved = true;
	for (uint32_t psn = serial_max(from, x->cack - SRD_WINDOW + 1);
	     !serial_after(psn, x->cack); psn++) {
		k = known(x, psn);
		if (k)
			k->resolved = true;
	}
	for (unsigned i = 0; i < 64; i++) {
		k = known(x, x->cack + 1 + i);
		if (k && x->sack.sack_bitmap >> (63 - i) & 1)
			k->resolved = true;
	}
	c->cack = c->cack_known ? serial_max(c->cack, x->cack) : x->cack;
	c->cack_known = true;
	c->rcid = x->seth.rcid;
}

static void answer(struct sight *x)
{
	const struct psn_known *k = known(x, x->psn);

	if (x->aeth.syndrome == IB_SYNDROME_CTX_RESET) {
		x->c->lost |= x->c->rcid && x->c->rcid == x->seth.rcid;
		return;
	}
	if (x->c->rcid && x->c->rcid != x->seth.rcid)
		return; /* of another incarnation: its requester ignores it */
	rule_arrived(x, k);
	rule_sticky(x, k);
	rule_cack(x);
	rule_covers(x);
	if (!x->in->copy)
		take_answer(x);
}

/* ---- Packets ---- */

/* What no receiver takes has no part in anything. */
static bool is_sound(const struct sight *x)
{
	return !x->bth.tver && x->seth.ver == VERSION && x->bth.pkey == PKEY &&
	       x->seth.scid && !(x->seth.syn && x->seth.rcid);
}

static bool read(struct sight *x)
{
	const struct packet *pkt = x->in->pkt;

	if (pkt->fault != PACKET_OK || pkt->len < HEAD)
		return false;
	bth_get(&x->bth, pkt->p);
	seth_get(&x->seth, pkt->p + bth_len);
	x->response = x->bth.opcode == IB_SRD_ACK;
	if (ib_class_of(x->bth.opcode) != IB_CLASS_SRD || !is_sound(x))
		return false;
	if (x->response) {
		srd_aeth_get(&x->aeth, pkt->p + HEAD);
		srd_sack_get(&x->sack, pkt->p + HEAD + srd_aeth_len);
	}
	return true;
}

static bool find_context(struct srd_seen *s, struct sight *x)
{
	const struct dgram *d = x->in->d;

	x->c = x->response ? find(s, &d->dst, &d->src, x->seth.scid)
			   : find(s, &d->src, &d->dst, x->seth.scid);
	if (!x->c && !x->response)
		x->c = begin(s, x);
	if (!x->c)
		return false;
	x->c->used_at = ++s->clock;
	x->psns = s->psns[x->c - s->ctx];
	if (x->in->copy || x->in->cut)
		x->c->whole = false;
	return true;
}

/* What is known of the packet before the context takes it in. */
static void note_facts(const struct sight *x)
{
	const bool sync = x->bth.opcode == IB_SRD_SYNC;
	const struct psn_known *k = sync ? NULL : known(x, x->psn);

	x->j->facts = (struct judge_facts){
		.flow = number_of(x->c),
		.from = x->response,
		.initiator = 0,
		.takes_psn = !x->response && !sync,
		.about = !sync,
		.psn = x->bth.psn,
		.frame = k && k->sent ? k->frame : 0,
		.acked = k && k->resolved,
	};
}

static void count(const struct sight *x)
{
	struct judge_tally *t = &x->c->tally;
	struct judge_side_tally *s = &t->side[x->response];

	t->last_at = x->in->at;
	s->packets++;
	if (x->response)
		s->acks++;
	else if (x->bth.opcode == IB_SRD_SYNC)
		s->cps++;
	else
		s->requests++;
	s->again[CAUSE_TIMER] +=
		x->j->facts.takes_psn && x->j->facts.frame != 0;
}

void srd_seen_flows(const struct srd_seen *s,
		    void (*see)(void *arg, const struct judge_flow *f),
		    void *arg)
{
	for (unsigned i = 0; s && i < SRD_CONTEXTS; i++) {
		const struct srd_ctx *c = &s->ctx[i];
		const struct judge_flow view = {
			.number = number_of(c),
			.addr = {c->requester, c->responder},
			.whole = c->whole,
			.family = FAMILY_SRD,
			.began = c->first_frame != 0,
			.closed = c->fin,
			.first_frame = c->first_frame,
			.first_at = c->first_at,
			.tally = &c->tally,
		};

		if (c->used)
			see(arg, &view);
	}
}

void rules_srd(struct judge *j, struct srd_seen *s,
	       const struct judge_packet *p)
{
	struct sight x = {.j = j, .in = p};

	if (!read(&x) || !find_context(s, &x))
		return;
	x.psn = serial24_near(x.bth.psn, x.c->high);
	x.lup = serial24_near(x.seth.lup, x.c->lup);
	x.cack = serial24_near(x.aeth.cack, x.c->high);
	note_facts(&x);
	count(&x);
	if (x.response) {
		answer(&x);
		return;
	}
	if (asks(&x, REQ_I8, serial_after(x.lup, x.psn))) {
		because(j, "lup=%u is ahead of psn=%u", wire(x.lup),
			wire(x.psn));
		return;
	}
	request(&x);
}
