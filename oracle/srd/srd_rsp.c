/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/srd/srd_rsp.c -- the responder: contexts of peers, one for each SCID.
 *
 * An accepted request is settled at once.  A request that its QP refused keeps
 * its outcome, and holds CACK back, until LUP shows that the requester has
 * learned it: so neither CACK nor SACK ever covers a drop, and a duplicate of
 * the request gets the same answer (DER-1, DER-2).
 *
 * Spec: srd_wqe.md A.4.4
 */
#include "oracle/srd/srd_rsp.h"

#include <string.h>

#include "base/memory.h"
#include "oracle/srd/srd_qp.h"
#include "oracle/srd/srd_state.h"

#define FIRST_PLACES 64

/* ---- Contexts ---- */

static uint32_t srd_rsp_hash_of(const struct ip_addr *peer, uint32_t scid)
{
	return ip_addr_hash(scid * 0x9e3779b1u, peer);
}

static struct srd_ctx **chain_of(const struct srd *s,
				 const struct ip_addr *peer, uint32_t scid)
{
	return &s->ctxs[srd_rsp_hash_of(peer, scid) & (s->ctxs_cap - 1)];
}

static struct srd_ctx *srd_rsp_find(const struct srd *s,
				    const struct ip_addr *peer, uint32_t scid)
{
	struct srd_ctx *c = s->ctxs_cap ? *chain_of(s, peer, scid) : NULL;

	while (c && (c->scid != scid || !ip_addr_equal(&c->peer, peer)))
		c = c->chain;
	return c;
}

void srd_request_expect(const struct srd *s, const struct ip_addr *peer,
			uint32_t scid)
{
	const struct srd_ctx *c = srd_rsp_find(s, peer, scid);

	if (!c)
		return;
	mem_expect(c, sizeof(*c));
	mem_expect(c->older, sizeof(*c));
	mem_expect(c->newer, sizeof(*c));
}

static void unlink_age(struct srd *s, struct srd_ctx *c)
{
	*(c->older ? &c->older->newer : &s->oldest) = c->newer;
	*(c->newer ? &c->newer->older : &s->newest) = c->older;
}

static void link_newest(struct srd *s, struct srd_ctx *c)
{
	c->older = s->newest;
	c->newer = NULL;
	*(s->newest ? &s->newest->newer : &s->oldest) = c;
	s->newest = c;
}

static void srd_rsp_use(struct srd *s, struct srd_ctx *c)
{
	c->used_at = s->env.now;
	if (s->newest == c)
		return;
	unlink_age(s, c);
	link_newest(s, c);
}

static uint64_t outcome_key(const struct srd_ctx *c, uint32_t psn)
{
	return (uint64_t)c->number << 32 | psn;
}

/* Forgets the outcomes of (CACK, |to|]. */
static void forget_outcomes(struct srd *s, struct srd_ctx *c, uint32_t to)
{
	uint32_t psn = c->rcvd.cack_psn;

	while (c->drops && serial_before(psn, to) &&
	       !rcvd_ahead(&c->rcvd, ++psn)) {
		uint32_t ignored;

		if (!idmap_get(&s->outcomes, outcome_key(c, psn), &ignored))
			continue;
		idmap_del(&s->outcomes, outcome_key(c, psn));
		c->drops--;
	}
}

static void free_ctx(struct srd *s, struct srd_ctx *c)
{
	struct srd_ctx **at = chain_of(s, &c->peer, c->scid);

	while (*at != c)
		at = &(*at)->chain;
	*at = c->chain;
	unlink_age(s, c);
	forget_outcomes(s, c, c->rcvd.cack_psn + c->rcvd.range);
	rcvd_free(&c->rcvd);
	memory_free(c);
	s->nctxs--;
}

void srd_ctxs_free(struct srd *s)
{
	while (s->oldest)
		free_ctx(s, s->oldest);
	memory_free(s->ctxs);
	idmap_free(&s->outcomes);
	s->outcomes = (struct idmap){0};
	s->ctxs = NULL;
	s->ctxs_cap = 0;
}

/*
 * Grows the hash table, so that chains stay short.  Return: false if there is
 * no memory; nothing has changed.
 */
static bool make_places(struct srd *s)
{
	const size_t n = s->ctxs_cap ? 2 * s->ctxs_cap : FIRST_PLACES;
	struct srd_ctx **v;

	if (s->nctxs < s->ctxs_cap)
		return true;
	v = mem_new(&s->env.mem, n * sizeof(*v));
	if (!v)
		return false;
	memory_free(s->ctxs);
	s->ctxs = v;
	s->ctxs_cap = n;
	for (struct srd_ctx *c = s->oldest; c; c = c->newer) {
		struct srd_ctx **at = chain_of(s, &c->peer, c->scid);

		c->chain = *at;
		*at = c;
	}
	return true;
}

/*
 * Only a context that has been silent for T_gc can have no duplicate in flight.
 */
static void srd_rsp_collect(struct srd *s)
{
	while (s->oldest &&
	       s->env.now - s->oldest->used_at >= s->env.conf.srd_gc)
		free_ctx(s, s->oldest);
}

/* "RCID=random != 0, base=LUPseen=P.LUP": implicit, without a handshake. */
static struct srd_ctx *srd_rsp_make(struct srd *s, const struct ip_addr *peer,
				    const struct seth *seth)
{
	struct srd_ctx *c, **at;

	srd_rsp_collect(s);
	if (s->nctxs >= s->env.conf.srd_max_ctx) {
		env_drop(&s->env, DROP_SHORTAGE);
		return NULL;
	}
	c = make_places(s) ? mem_new(&s->env.mem, sizeof(*c)) : NULL;
	if (!c) {
		env_drop(&s->env, DROP_NO_MEMORY);
		return NULL;
	}
	c->number = s->next_ctx++;
	c->peer = *peer;
	c->scid = seth->scid;
	do
		c->rcid = (uint32_t)rng_next(&s->env.rng);
	while (!c->rcid);
	c->lup = seth->lup;
	rcvd_init(&c->rcvd, &s->env.mem, seth->lup - 1, s->env.conf.srd_window);
	at = chain_of(s, peer, c->scid);
	c->chain = *at;
	*at = c;
	link_newest(s, c);
	s->nctxs++;
	return c;
}

/* ---- Answers ---- */

/* Reverses a bitmap: bit 0 becomes the most significant one. */
static uint64_t reversed(uint64_t map)
{
	uint64_t back = 0;

	for (; map; map &= map - 1)
		back |= (uint64_t)1 << (63 - __builtin_ctzll(map));
	return back;
}

/* A request to be answered. */
struct srd_rsp_request {
	const struct dgram *d;
	const struct bth *bth;
	const struct seth *seth;
	uint32_t src_qp;
	uint32_t psn, lup; /* extended to 32 bits */
};

static void srd_rsp_write_ack(uint8_t *p, const struct srd_rsp_request *q,
			      const struct seth *seth,
			      const struct srd_aeth *aeth, uint64_t sack)
{
	const struct bth bth = {
		.opcode = IB_SRD_ACK,
		.pkey = SRD_PKEY,
		.dest_qp = q->src_qp,
		.psn = q->bth->psn,
	};
	const struct srd_sack map = {.sack_bitmap = sack};

	bth_put(&bth, p);
	seth_put(seth, p + bth_len);
	srd_aeth_put(aeth, p + SRD_HEAD);
	srd_sack_put(&map, p + SRD_HEAD + srd_aeth_len);
}

/* |c| NULL: a stateless answer for an unknown context. */
static void srd_rsp_answer(struct srd *s, const struct srd_ctx *c,
			   const struct srd_rsp_request *q, uint8_t syndrome)
{
	const struct outq_head head = {
		.dst = q->d->src,
		.entropy = q->d->entropy,
		.dscp = s->env.conf.dscp_control,
		.len = SRD_HEAD + srd_aeth_len + srd_sack_len,
	};
	struct seth seth = {
		.ver = SRD_VERSION,
		.path = q->seth->path,
		.try = q->seth->try,
		.scid = q->seth->scid,
		.rcid = c ? c->rcid : q->seth->rcid,
	};
	struct srd_aeth aeth = {.syndrome = syndrome};
	uint64_t sack = 0;
	uint8_t *p = outq_add(&s->env.out, &s->env.mem, &head);

	if (!p)
		return;
	if (c) {
		seth.lup = c->lup & SERIAL24_MASK;
		aeth.cack = c->rcvd.cack_psn & SERIAL24_MASK;
		sack = reversed(rcvd_settled(&c->rcvd, c->rcvd.cack_psn + 1));
	}
	srd_rsp_write_ack(p, q, &seth, &aeth, sack);
	s->env.stats.tx_ack++;
}

/* ---- Requests ---- */

/* "while base < LUPseen or accepted[base]: clear both records of base" */
static bool srd_rsp_advance(struct srd *s, struct srd_ctx *c, uint32_t lup)
{
	if (!serial_after(lup, c->lup))
		return true;
	c->lup = lup;
	forget_outcomes(s, c, lup - 1);
	if (serial_after(lup - 1, c->rcvd.max_psn)) {
		c->drops = 0;
		rcvd_init(&c->rcvd, &s->env.mem, lup - 1, c->rcvd.range);
		return true;
	}
	if (!rcvd_room(&c->rcvd, &s->env.mem))
		return false;
	while (serial_after(lup - 1, c->rcvd.cack_psn))
		rcvd_settle(&c->rcvd, c->rcvd.cack_psn + 1);
	return true;
}

static void read_message(const struct srd_rsp_request *q, size_t len,
			 struct srd_msg *ret)
{
	const uint8_t *p = q->d->data + SRD_HEAD;
	const bool with_imm = q->bth->opcode == IB_SRD_SEND_ONLY_IMM;
	const size_t head = SRD_HEAD + deth_len + (with_imm ? imm_eth_len : 0);
	struct deth deth;
	struct imm_eth imm = {0};

	deth_get(&deth, p);
	if (with_imm)
		imm_eth_get(&imm, p + deth_len);
	*ret = (struct srd_msg){
		.src = q->d->src,
		.dest_qp = q->bth->dest_qp,
		.src_qp = deth.src_qp,
		.qkey = deth.qkey,
		.psn = q->bth->psn,
		.imm = imm.imm,
		.with_imm = with_imm,
		.data = q->d->data + head,
		.len = (uint32_t)(len - head - q->bth->pad),
	};
}

/*
 * Decides the outcome of a PSN that has none yet, permanently.  |s->outcomes|
 * has room for it.
 */
static uint8_t srd_rsp_decide(struct srd *s, struct srd_ctx *c,
			      const struct srd_rsp_request *q, size_t len)
{
	struct srd_msg m;
	uint8_t syndrome;

	read_message(q, len, &m);
	syndrome = srd_qp_deliver(s, &m);
	rcvd_mark(&c->rcvd, q->psn);
	if (syndrome == IB_SYNDROME_ACK) {
		rcvd_settle(&c->rcvd, q->psn);
		return syndrome;
	}
	idmap_put(&s->outcomes, &s->env.mem, outcome_key(c, q->psn), syndrome);
	c->drops++;
	return syndrome;
}

/* Returns the outcome of the first copy, for a duplicate. */
static uint8_t outcome_of(struct srd *s, struct srd_ctx *c, uint32_t psn)
{
	uint32_t syndrome = IB_SYNDROME_ACK;

	if (!rcvd_is_settled(&c->rcvd, psn))
		idmap_get(&s->outcomes, outcome_key(c, psn), &syndrome);
	return (uint8_t)syndrome;
}

/* "let the responder coalesce accepts; a drop outcome is always acked at
 * once" (A.4.2): the next answer covers them. */
static bool srd_rsp_may_wait(const struct srd *s, struct srd_ctx *c,
			     const struct srd_rsp_request *q, uint8_t syndrome)
{
	if (syndrome == IB_SYNDROME_ACK && !q->bth->ackreq &&
	    c->held + 1 < s->env.conf.srd_coalesce) {
		c->held++;
		return true;
	}
	c->held = 0;
	return false;
}

static void srd_rsp_take(struct srd *s, struct srd_ctx *c,
			 const struct srd_rsp_request *q, size_t len)
{
	uint8_t syndrome;

	if (serial_before(q->psn, c->lup)) {
		env_drop(&s->env, DROP_STALE);
		return;
	}
	if (rcvd_ahead(&c->rcvd, q->psn)) {
		env_drop(&s->env, DROP_WINDOW);
		return;
	}
	if (rcvd_has(&c->rcvd, q->psn)) {
		s->env.stats.rx_duplicate++;
		syndrome = outcome_of(s, c, q->psn);
	} else if (!idmap_reserve(&s->outcomes, &s->env.mem)) {
		env_drop(&s->env, DROP_NO_MEMORY);
		return;
	} else {
		syndrome = srd_rsp_decide(s, c, q, len);
	}
	if (!srd_rsp_may_wait(s, c, q, syndrome))
		srd_rsp_answer(s, c, q, syndrome);
}

/*
 * Returns the context of a request; NULL if there is none, which was answered.
 */
static struct srd_ctx *context(struct srd *s, const struct srd_rsp_request *q)
{
	struct srd_ctx *c = srd_rsp_find(s, &q->d->src, q->seth->scid);
	const bool sync = q->bth->opcode == IB_SRD_SYNC;

	if (!c && q->seth->syn && !sync)
		return srd_rsp_make(s, &q->d->src, q->seth);
	if (c && (!q->seth->rcid || q->seth->rcid == c->rcid))
		return c;
	if (sync)
		env_drop(&s->env, DROP_UNKNOWN_PDC);
	else
		srd_rsp_answer(s, NULL, q, IB_SYNDROME_CTX_RESET);
	return NULL;
}

/* Returns true if the length of the message is allowed. */
static bool srd_rsp_fits(struct srd *s, size_t len, const struct bth *bth)
{
	size_t head = SRD_HEAD;

	if (bth->opcode != IB_SRD_SYNC)
		head += deth_len;
	if (bth->opcode == IB_SRD_SEND_ONLY_IMM)
		head += imm_eth_len;
	if (len < head) {
		env_drop(&s->env, DROP_SHORT);
		return false;
	}
	if (len - head < bth->pad || len - head - bth->pad > s->env.conf.mtu) {
		env_drop(&s->env, DROP_LENGTH);
		return false;
	}
	return true;
}

void srd_request(struct srd *s, const struct dgram *d, size_t len,
		 const struct bth *bth, const struct seth *seth)
{
	struct srd_rsp_request q = {.d = d, .bth = bth, .seth = seth};
	struct deth deth = {0};
	struct srd_ctx *c;

	if (!srd_rsp_fits(s, len, bth))
		return;
	if (serial24_diff(seth->lup, bth->psn) > 0) {
		env_drop(&s->env, DROP_LUP);
		return;
	}
	if (bth->opcode != IB_SRD_SYNC)
		deth_get(&deth, d->data + SRD_HEAD);
	q.src_qp = deth.src_qp;
	c = context(s, &q);
	if (!c)
		return;
	srd_rsp_use(s, c);
	q.psn = serial24_near(bth->psn, c->rcvd.cack_psn);
	q.lup = serial24_near(seth->lup, c->lup);
	if (!srd_rsp_advance(s, c, q.lup) || !rcvd_room(&c->rcvd, &s->env.mem))
		return;
	if (bth->opcode != IB_SRD_SYNC)
		srd_rsp_take(s, c, &q, len);
	rcvd_rest(&c->rcvd, &s->env.mem);
}
