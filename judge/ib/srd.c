/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/ib/srd.c -- SRD contexts and the rules about them.
 *
 * A packet whose header makes its receiver drop it belongs to no context and is
 * ignored.  A packet that is dropped for its ICRC is counted only.
 */
#include "judge/ib/srd.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "judge/core/flow_stats.h"
#include "judge/core/state.h"
#include "judge/findings.h"
#include "judge/seen.h"
#include "wire/frame/crc.h"
#include "wire/ib/ib.h"

#define PKEY    0xffff
#define VERSION 1
#define HEAD    (bth_len + seth_len)

/* The state of a PSN. */
struct judge_srd_psn_known {
	/* |number| of the context; if it differs, the slot holds no state */
	uint32_t number;
	uint32_t psn;
	uint32_t hash;    /* of the bytes of the message, first transmission */
	uint32_t frame;   /* frame of the last transmission */
	bool sent;        /* the judge saw a request with this PSN */
	bool answered;    /* an answer came; it had |syndrome| */
	bool resolved;    /* an answer reported the outcome to the requester */
	uint8_t syndrome; /* of the first answer */
	vtime acked_at;   /* time of that answer (if resolved) */
};

struct judge_srd_ctx {
	uint32_t rcid; /* 0: unknown until an answer shows it */
	bool any;      /* the judge saw a request */
	uint32_t high; /* the highest PSN sent */
	uint32_t lup;  /* the highest LUP */
	bool lost;     /* the responder reported that it lost the context */
	bool cack_known;
	uint32_t cack;
	bool numbered; /* a request or an answer named a PSN */
	uint32_t low;  /* the lowest PSN that one named */
};

struct srd_seen {
	struct ib_flows flows;
	struct judge_srd_ctx ctx[SRD_CONTEXTS];
	struct judge_srd_psn_known psns[SRD_CONTEXTS][SRD_WINDOW];
};

/* A packet and its parsed headers. */
struct judge_srd_item {
	struct ib_item ib;
	struct judge_srd_ctx *c;
	struct judge_srd_psn_known *psns; /* the PSNs of the context */
	struct bth bth;
	struct seth seth;
	struct srd_aeth aeth;
	struct srd_sack sack;
	uint32_t psn; /* extended to 32 bits */
	uint32_t lup, cack;
};

/* ---- Life ---- */

int srd_seen_new(void **ret, enum family family)
{
	struct srd_seen *s = memory_calloc(1, sizeof(*s));

	if (!s)
		return ERR_NOMEM;
	ib_flows_init(&s->flows, family, SRD_CONTEXTS, SRD_FLOW);
	*ret = s;
	return 0;
}

/* ---- Contexts ---- */

static struct ib_flow *judge_srd_begin(struct srd_seen *s,
				       const struct judge_srd_item *x)
{
	struct ib_flow *f =
		ib_flow_begin(&s->flows, &x->ib, x->seth.scid, x->seth.syn);

	s->ctx[f - s->flows.v] = (struct judge_srd_ctx){
		.rcid = x->seth.rcid,
		.high = x->seth.lup - 1,
		.lup = x->seth.lup,
	};
	return f;
}

/* ---- PSNs ---- */

static struct judge_srd_psn_known *
judge_srd_known(const struct judge_srd_item *x, uint32_t psn)
{
	struct judge_srd_psn_known *k = &x->psns[psn & (SRD_WINDOW - 1)];

	if (k->number == x->ib.f->number && k->psn == psn)
		return k;
	return NULL;
}

static struct judge_srd_psn_known *
judge_srd_know(const struct judge_srd_item *x, uint32_t psn)
{
	struct judge_srd_psn_known *k = &x->psns[psn & (SRD_WINDOW - 1)];

	if (k->number != x->ib.f->number || k->psn != psn)
		*k = (struct judge_srd_psn_known){.number = x->ib.f->number,
						  .psn = psn};
	if (!x->c->numbered || serial_before(psn, x->c->low))
		x->c->low = psn;
	x->c->numbered = true;
	return k;
}

/*
 * Returns true for a PSN that is too old, or whose first transmission was not
 * captured.
 */
static bool is_forgotten(const struct judge_srd_item *x, uint32_t psn)
{
	return !x->ib.f->complete ||
	       serial_diff(x->c->high, psn) >= (int32_t)SRD_WINDOW;
}

/* ---- The requester ---- */

/*
 * Hashes what follows SETH (DETH, immediate, payload) and the destination QP.
 */
static uint32_t judge_srd_hash_of(const struct judge_srd_item *x)
{
	const struct packet *pkt = x->ib.in->pkt;

	return crc32c(x->bth.dest_qp ^ (uint32_t)x->bth.opcode << 24,
		      pkt->p + HEAD, pkt->len - HEAD);
}

static void rule_bytes(struct judge_srd_item *x,
		       const struct judge_srd_psn_known *k)
{
	if (!k || !k->sent || x->ib.in->cut)
		return;
	if (ib_asks(&x->ib, REQ_I6, k->hash != judge_srd_hash_of(x)))
		because(x->ib.j,
			"psn=%u is sent with other bytes than in frame %u",
			ib_wire(x->psn), k->frame);
}

/*
 * Returns true if an answer came early enough to stop a packet in the
 * requester's send queue.
 */
static bool judge_srd_told_before(const struct judge_srd_item *x,
				  const struct judge_srd_psn_known *k)
{
	return k->resolved &&
	       x->ib.in->at - k->acked_at > pkt_grace(&x->ib.j->conf);
}

/*
 * "any transmission after it was resolved": resolved by an answer, or by LUP.
 */
static void rule_resolved(struct judge_srd_item *x,
			  const struct judge_srd_psn_known *k)
{
	const bool again = k && k->sent;
	const bool rnr =
		again && k->answered && (k->syndrome & 0xe0) == IB_SYNDROME_RNR;

	if (!again || !ib_is_here(&x->ib))
		return;
	if (rnr) {
		if (ib_asks(&x->ib, REQ_SRD_52, k->resolved))
			because(x->ib.j,
				"psn=%u is retransmitted after an RNR answer",
				ib_wire(x->psn));
		return;
	}
	if (ib_asks(&x->ib, REQ_I7,
		    judge_srd_told_before(x, k) ||
			    serial_before(x->psn, x->c->lup))) {
		if (judge_srd_told_before(x, k))
			ib_mark_soon(&x->ib, k->acked_at);
		because(x->ib.j,
			"psn=%u is retransmitted after it was resolved",
			ib_wire(x->psn));
	}
}

static void rule_lup(struct judge_srd_item *x)
{
	if (!ib_is_here(&x->ib) || !x->c->any)
		return;
	if (ib_asks(&x->ib, REQ_DER_4, serial_before(x->lup, x->c->lup)))
		because(x->ib.j, "lup=%u is below the earlier lup=%u",
			ib_wire(x->lup), ib_wire(x->c->lup));
}

static void rule_ended(struct judge_srd_item *x)
{
	if (!ib_is_here(&x->ib))
		return;
	if (ib_asks(&x->ib, REQ_DER_5, x->ib.f->closed))
		because(x->ib.j, "scid=0x%x is used after its FIN",
			x->ib.f->id);
	if (x->c->cack_known && ib_asks(&x->ib, REQ_DER_6, x->c->lost))
		because(x->ib.j,
			"scid=0x%x is used after the responder reported "
			"that it has lost it",
			x->ib.f->id);
}

static void judge_srd_take_request(struct judge_srd_item *x)
{
	struct judge_srd_ctx *c = x->c;
	struct judge_srd_psn_known *k;

	c->lup = serial_max(c->lup, x->lup);
	x->ib.f->closed |= x->bth.opcode == IB_SRD_SYNC && x->seth.fin;
	if (x->bth.opcode == IB_SRD_SYNC)
		return;
	if (!c->any || serial_after(x->psn, c->high))
		c->high = x->psn;
	c->any = true;
	k = judge_srd_know(x, x->psn);
	if (!k->sent)
		k->hash = judge_srd_hash_of(x);
	k->sent = true;
	k->frame = x->ib.in->frame;
}

static void judge_srd_request(struct judge_srd_item *x)
{
	const bool sync = x->bth.opcode == IB_SRD_SYNC;
	const struct judge_srd_psn_known *k =
		sync ? NULL : judge_srd_known(x, x->psn);

	rule_lup(x);
	rule_ended(x);
	rule_bytes(x, k);
	rule_resolved(x, k);
	judge_srd_take_request(x);
}

/* ---- The responder ---- */

static bool judge_srd_is_drop(const struct judge_srd_psn_known *k)
{
	return k && k->answered && k->syndrome != IB_SYNDROME_ACK;
}

/*
 * A PSN that an answer covers as accepted although it did not arrive, or was
 * dropped.
 */
struct covered {
	uint32_t missing, dropped;
	bool is_missing, is_dropped;
};

static void judge_srd_cover(const struct judge_srd_item *x, uint32_t psn,
			    struct covered *ret)
{
	const struct judge_srd_psn_known *k = judge_srd_known(x, psn);

	if (serial_before(psn, x->c->lup) || is_forgotten(x, psn))
		return;
	if (!k || !k->sent) {
		ret->missing = psn;
		ret->is_missing = true;
	} else if (judge_srd_is_drop(k)) {
		ret->dropped = psn;
		ret->is_dropped = true;
	}
}

/* Returns the first PSN of what is left of a SACK bitmap, and takes its bit. */
static uint32_t judge_srd_sacked(const struct judge_srd_item *x, uint64_t *bits)
{
	const unsigned i = (unsigned)__builtin_clzll(*bits);

	*bits &= ~((uint64_t)1 << (63 - i));
	return x->cack + 1 + i;
}

static void cover_all(const struct judge_srd_item *x, struct covered *ret)
{
	const uint32_t from = serial_max(x->c->lup, x->cack - SRD_WINDOW);

	for (uint32_t psn = from; !serial_after(psn, x->cack); psn++)
		judge_srd_cover(x, psn, ret);
	for (uint64_t bits = x->sack.sack_bitmap; bits;)
		judge_srd_cover(x, judge_srd_sacked(x, &bits), ret);
}

static void judge_srd_rule_covers(struct judge_srd_item *x)
{
	struct covered cov = {0};

	if (!ib_saw_all(&x->ib))
		return;
	cover_all(x, &cov);
	if (ib_asks(&x->ib, REQ_I5, cov.is_missing))
		because(x->ib.j,
			"the answer covers psn=%u, which did not arrive",
			ib_wire(cov.missing));
	if (ib_asks(&x->ib, REQ_DER_2, cov.is_dropped))
		because(x->ib.j,
			"the answer covers psn=%u as accepted, but it was "
			"dropped",
			ib_wire(cov.dropped));
}

static void rule_arrived(struct judge_srd_item *x,
			 const struct judge_srd_psn_known *k)
{
	if (!ib_saw_all(&x->ib) || is_forgotten(x, x->psn))
		return;
	if (ib_asks(&x->ib, REQ_I5, !k || !k->sent))
		because(x->ib.j,
			"the answer is for psn=%u, which did not arrive",
			ib_wire(x->psn));
}

static void rule_sticky(struct judge_srd_item *x,
			const struct judge_srd_psn_known *k)
{
	if (!k || !k->answered)
		return;
	if (ib_asks(&x->ib, REQ_DER_1, k->syndrome != x->aeth.syndrome)) {
		because(x->ib.j,
			"psn=%u had another outcome in an earlier answer",
			ib_wire(x->psn));
		expected(x->ib.j, "syndrome=0x%x", k->syndrome);
		actual(x->ib.j, "syndrome=0x%x", x->aeth.syndrome);
	}
}

static void rule_cack(struct judge_srd_item *x)
{
	if (!x->c->cack_known || !ib_is_here(&x->ib))
		return;
	if (ib_asks(&x->ib, REQ_DER_3, serial_before(x->cack, x->c->cack)))
		because(x->ib.j, "cack=%u is below the earlier cack=%u",
			ib_wire(x->cack), ib_wire(x->c->cack));
}

static void judge_srd_resolve(const struct judge_srd_item *x,
			      struct judge_srd_psn_known *k)
{
	if (!k->resolved)
		k->acked_at = x->ib.in->at;
	k->resolved = true;
}

/*
 * An answer reports outcomes: of its own PSN, and of those that CACK and SACK
 * cover.
 */
static void judge_srd_take_answer(struct judge_srd_item *x)
{
	struct judge_srd_ctx *c = x->c;
	struct judge_srd_psn_known *k = judge_srd_know(x, x->psn);
	const uint32_t from = serial_max(c->cack_known ? c->cack + 1 : c->low,
					 x->cack - SRD_WINDOW + 1);

	if (!k->answered)
		k->syndrome = x->aeth.syndrome;
	k->answered = true;
	judge_srd_resolve(x, k);
	for (uint32_t psn = from; !serial_after(psn, x->cack); psn++) {
		k = judge_srd_known(x, psn);
		if (k)
			judge_srd_resolve(x, k);
	}
	for (uint64_t bits = x->sack.sack_bitmap; bits;) {
		k = judge_srd_known(x, judge_srd_sacked(x, &bits));
		if (k)
			judge_srd_resolve(x, k);
	}
	c->cack = c->cack_known ? serial_max(c->cack, x->cack) : x->cack;
	c->cack_known = true;
	c->rcid = x->seth.rcid;
}

static void judge_srd_answer(struct judge_srd_item *x)
{
	const struct judge_srd_psn_known *k = judge_srd_known(x, x->psn);

	if (x->aeth.syndrome == IB_SYNDROME_CTX_RESET) {
		x->c->lost |= x->c->cack_known && x->c->rcid == x->seth.rcid;
		return;
	}
	if (x->c->rcid && x->c->rcid != x->seth.rcid)
		/*
		 * the answer belongs to another incarnation: its requester
		 * ignores it
		 */
		return;
	rule_arrived(x, k);
	rule_sticky(x, k);
	rule_cack(x);
	judge_srd_rule_covers(x);
	judge_srd_take_answer(x);
}

/* ---- Packets ---- */

/* Returns false for packets that every receiver drops. */
static bool judge_srd_is_sound(const struct judge_srd_item *x)
{
	return !x->bth.tver && x->seth.ver == VERSION && x->bth.pkey == PKEY &&
	       x->seth.scid && !(x->seth.syn && x->seth.rcid);
}

static bool judge_srd_read(struct judge_srd_item *x)
{
	const struct packet *pkt = x->ib.in->pkt;

	if (pkt->fault != PACKET_OK || pkt->len < HEAD)
		return false;
	bth_get(&x->bth, pkt->p);
	seth_get(&x->seth, pkt->p + bth_len);
	x->ib.answer = x->bth.opcode == IB_SRD_ACK;
	if (ib_class_of(x->bth.opcode) != IB_CLASS_SRD ||
	    !judge_srd_is_sound(x))
		return false;
	if (x->ib.answer) {
		srd_aeth_get(&x->aeth, pkt->p + HEAD);
		srd_sack_get(&x->sack, pkt->p + HEAD + srd_aeth_len);
	}
	return true;
}

static bool find_context(struct srd_seen *s, struct judge_srd_item *x)
{
	struct ib_flow *f = ib_flow_find(&s->flows, &x->ib, x->seth.scid);

	if (!f && !x->ib.answer)
		f = judge_srd_begin(s, x);
	if (!f)
		return false;
	ib_flow_heard(&s->flows, &x->ib, f);
	x->c = &s->ctx[f - s->flows.v];
	x->psns = s->psns[f - s->flows.v];
	return true;
}

static void note_new(const struct judge_srd_item *x)
{
	const int32_t ahead = serial_diff(x->psn, x->c->high);

	x->ib.j->facts.late = ahead < 0;
	x->ib.j->facts.skipped = ahead > 1 ? (uint32_t)ahead - 1 : 0;
}

/*
 * Reports CACK as covering accepted packets; facts do not include the bits of
 * SACK.
 */
static void judge_srd_note_answer(const struct judge_srd_item *x)
{
	const struct judge_srd_ctx *c = x->c;
	struct judge_facts *f = &x->ib.j->facts;

	if (x->aeth.syndrome == IB_SYNDROME_CTX_RESET ||
	    (c->rcid && c->rcid != x->seth.rcid))
		return;
	f->acks = !c->cack_known || serial_after(x->cack, c->cack);
	f->acks_to = x->cack;
	f->acks_from = x->cack - SRD_WINDOW;
	if (c->cack_known)
		f->acks_from = serial_max(f->acks_from, c->cack);
}

/* Records the facts of a packet before it changes the context. */
static void judge_srd_note_facts(const struct judge_srd_item *x)
{
	const bool sync = x->bth.opcode == IB_SRD_SYNC;
	const struct judge_srd_psn_known *k =
		sync ? NULL : judge_srd_known(x, x->psn);

	x->ib.j->facts = (struct judge_facts){
		.flow = x->ib.f->number,
		.from = x->ib.answer,
		.initiator = 0,
		.takes_psn = !x->ib.answer && !sync,
		.about = !sync,
		.psn = x->bth.psn,
		.frame = k && k->sent ? k->frame : 0,
		.acked = k && k->resolved,
	};
	if (x->ib.answer)
		judge_srd_note_answer(x);
	else if (!sync && x->c->any && !x->ib.j->facts.frame)
		note_new(x);
}

uint32_t srd_seen_frame(const void *state, uint32_t psn)
{
	const struct srd_seen *s = state;
	const struct ib_flow *f = s->flows.last;
	const struct judge_srd_psn_known *k;
	size_t i;

	if (!f)
		return 0;
	i = (size_t)(f - s->flows.v);
	psn = serial24_near(psn, s->ctx[i].high);
	k = &s->psns[i][psn & (SRD_WINDOW - 1)];
	if (k->number == f->number && k->psn == psn && k->sent)
		return k->frame;
	return 0;
}

static void judge_srd_count(const struct judge_srd_item *x)
{
	struct judge_flow_stats *t = &x->ib.f->stats;
	struct judge_side_stats *s = &t->side[x->ib.answer];

	t->last_at = x->ib.in->at;
	s->packets++;
	if (x->ib.answer)
		s->acks++;
	else if (x->bth.opcode == IB_SRD_SYNC)
		s->cps++;
	else
		s->requests++;
	s->again[CAUSE_TIMER] +=
		x->ib.j->facts.takes_psn && x->ib.j->facts.frame != 0;
}

void rules_srd(struct judge *j, void *state, const struct judge_packet *p)
{
	struct srd_seen *s = state;
	struct judge_srd_item x = {.ib = {.j = j, .in = p}};

	if (!judge_srd_read(&x) || !find_context(s, &x))
		return;
	x.psn = serial24_near(x.bth.psn, x.c->high);
	x.lup = serial24_near(x.seth.lup, x.c->lup);
	x.cack = serial24_near(x.aeth.cack, x.c->high);
	judge_srd_note_facts(&x);
	judge_srd_count(&x);
	if (p->copy)
		return;
	if (x.ib.answer) {
		judge_srd_answer(&x);
		return;
	}
	if (ib_asks(&x.ib, REQ_I8, serial_after(x.lup, x.psn))) {
		because(j, "lup=%u is above psn=%u", ib_wire(x.lup),
			ib_wire(x.psn));
		return;
	}
	judge_srd_request(&x);
}
