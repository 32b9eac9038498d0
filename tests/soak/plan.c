/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/plan.c -- the random choices of a run.
 *
 * Two events are excluded, because no endpoint could survive them and keep its
 * promises.  A packet is never delayed longer than the shortest life of an idle
 * PDC, since a late SYN would open a closed PDC again (uet.md 6.3). And losses
 * are so rare that 15 time-outs in a row do not happen; a frail run has fewer
 * retries, so that operations do fail.
 */
#include "tests/soak/plan.h"

#include "base/pattern.h"
#include "oracle/oracle.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

static uint32_t below(struct plan *p, uint32_t n)
{
	return rng_below(&p->rng, n);
}

static uint32_t between(struct plan *p, uint32_t low, uint32_t high)
{
	return low + below(p, high - low + 1);
}

bool plan_chance(struct plan *p, unsigned percent)
{
	return below(p, 100) < percent;
}

#define UINT64        0x07 /* code of table 3-22 */
#define AMO_UNALIGNED 0x12 /* code of table 3-19 */

#define PICK(p, list) (list)[below((p), sizeof(list) / sizeof((list)[0]))]

/* Two of the kinds may have any rate; the others have a minimum. */
static void choose_link(struct plan *p)
{
	unsigned percent[4];

	for (unsigned i = 0; i < 4; i++)
		percent[i] = between(p, 2, 10);
	if (plan_chance(p, 50))
		percent[below(p, 4)] = 0;
	p->link = (struct plan_link){
		.drop = percent[0],
		.dup = percent[1],
		.late = percent[2] * between(p, 1, 3),
		.ce = percent[3],
		.trim = plan_chance(p, 25) ? between(p, 1, 5) : 0,
		.hop = between(p, 1, 40) * VSPAN_US,
		.jitter = between(p, 10, 2000) * VSPAN_US,
	};
}

/* Chooses what both sides and the judges assume of each other. */
static void choose_common(struct plan *p, struct orc_conf *conf)
{
	static const uint8_t mprs[] = {1, 2, 8};
	static const uint32_t ack_data[] = {0, 16, 64};

	if (p->frail) {
		conf->max_rto_retx = 1 + 2 * below(p, 2);
		conf->max_nack_retx = 1 + below(p, 2);
	} else {
		conf->max_rto_retx = 15;
		conf->max_nack_retx = 255;
	}
	conf->mpr = PICK(p, mprs);
	conf->default_mpr = conf->mpr;
	conf->max_ack_data = PICK(p, ack_data);
	conf->crc = plan_chance(p, 30);
	conf->version = (enum uet_version)between(p, UET_1_0_1, UET_1_0_3);
	/* Return data waits for credit, and may then be outside the window. */
	if (!p->frail && !(p->modes & 1u << OP_ROD) && plan_chance(p, 30)) {
		conf->cc = ORC_CC_CREDIT;
		conf->credit_init = between(p, 64, 1000);
	}
	conf->close_req_time = 100 * VSPAN_S; /* no target gives up a close */
	/* Longer than any packet is in flight, retransmissions included. */
	if (plan_chance(p, 50))
		conf->close_idle = 10 * VSPAN_MS;
	else
		conf->close_idle = 0;
}

static uint32_t soak_plan_choose_start_psn(struct plan *p)
{
	switch (below(p, 4)) {
	case 0:
		return 0u - below(p, 400);
	case 1:
		return 0x80000000u - below(p, 400);
	default:
		return (uint32_t)rng_next(&p->rng);
	}
}

/*
 * Chooses what a side reports of its reception, and how it reacts to reports.
 */
static void choose_cc(struct plan *p, struct orc_conf *conf)
{
	conf->native = plan_chance(p, 20);
	conf->nack_ccx = plan_chance(p, 25);
	conf->sack_base = (enum orc_sack_base)below(p, 4);
	if (conf->cc == ORC_CC_NSCC && plan_chance(p, 40))
		/* low: a loss is inferred at once */
		conf->sack_retx = between(p, 1, 40);
	if (plan_chance(p, 25))
		conf->infer_loss = between(p, 1, 40);
	else
		conf->infer_loss = 0;
	conf->probe = plan_chance(p, 25);
	if (plan_chance(p, 25))
		conf->cwnd = between(p, 3, 64) * 1024;
	else
		conf->cwnd = 0;
	conf->ccc_id = (uint8_t)below(p, 256);
}

static void choose_own(struct plan *p, struct orc_conf *conf)
{
	static const vspan clear_times[] = {0, 100 * VSPAN_US, VSPAN_MS};

	conf->seed = rng_next(&p->rng);
	/* A reused PDCID needs another Start_PSN. */
	conf->start_psn_fixed = !conf->close_idle || plan_chance(p, 50);
	conf->start_psn = soak_plan_choose_start_psn(p);
	conf->ack_type = (enum orc_ack_type)below(p, 3);
	conf->ack_per_pkt = plan_chance(p, 25);
	conf->ar_on_eom = plan_chance(p, 75);
	conf->ack_on_ecn = plan_chance(p, 50);
	conf->ack_gen_trigger = between(p, 1, 32) * 1024;
	conf->ack_gen_min_pkt_add = between(p, 0, 2) * 1024;
	if (plan_chance(p, 50))
		conf->default_rc = RC_NULL;
	else
		conf->default_rc = RC_OK;
	conf->rod_nack_each = plan_chance(p, 50);
	conf->rod_nack_payload = plan_chance(p, 75);
	conf->pds_clear_time = PICK(p, clear_times);
	choose_cc(p, conf);
	/* The seed is random, and so is the number of paths of a RUD source. */
	if (conf->seed % 2 == 0)
		conf->spray = 2 + (uint32_t)(conf->seed >> 8) % 7;
}

#define AT_ONCE VSPAN_US

/*
 * Declares the side to its judge; a narrowed window may delay a retransmission.
 */
static struct judge_conf choose_judge(const struct plan *p,
				      const struct orc_conf *conf)
{
	const bool waits = conf->cc == ORC_CC_CREDIT || conf->cwnd;
	struct judge_conf j;

	judge_conf_default(&j);
	JUDGE_CONF_OF(&j, conf);
	if (p->link.narrow || waits)
		j.rto_late = 0;
	else
		j.rto_late = AT_ONCE;
	j.ack_time = p->delay + AT_ONCE;
	j.complete = true;
	j.here = conf->addr;
	return j;
}

/*
 * With a CRC the receiver would notice a changed packet; and ROD already has
 * enough trouble with a lossy link.
 */
static void choose_tricks(struct plan *p)
{
	const struct orc_conf *conf = &p->conf[A];

	if (conf->crc || p->modes != 1u << OP_RUD || plan_chance(p, 40))
		return;
	p->link.tricks = between(p, 1, 5);
	p->link.narrow = conf->mpr > 1 && plan_chance(p, 50);
}

/*
 * Chooses one mode or several; half of the runs have RUD, which has more
 * features to test.
 */
static unsigned choose_modes(struct plan *p, unsigned allowed)
{
	unsigned modes;

	if (allowed & 1u << OP_RUD && plan_chance(p, 50))
		return 1u << OP_RUD;
	do
		modes = allowed & between(p, 1, (1u << OP_MODES) - 1);
	while (!modes);
	return modes;
}

static bool drawn(struct plan *p, unsigned percent)
{
	return rng_below(&p->draws, 100) < percent;
}

/*
 * A quarter of the runs with a PDC has these sends.  They are drawn by
 * themselves, so that the other runs stay as they are.
 */
static void choose_sends(struct plan *p, uint64_t seed)
{
	p->draws = (struct rng){rng_mix(seed, "sends")};
	p->sends = drawn(p, 25) && p->modes & (1u << OP_RUD | 1u << OP_ROD);
	p->tags = drawn(p, 60);
	if (p->sends)
		p->frail = false;
}

void plan_make(struct plan *p, uint64_t seed, unsigned modes)
{
	static const vspan delays[] = {0, 0, 500 * VSPAN_US, 20 * VSPAN_MS};
	struct orc_conf common;

	*p = (struct plan){.rng = {seed}};
	p->modes = choose_modes(p, modes);
	p->frail = plan_chance(p, 15);
	choose_sends(p, seed);
	p->delay = PICK(p, delays);
	choose_link(p);
	orc_conf_default(&common);
	choose_common(p, &common);
	common.read_offset_of_rest = p->sends && drawn(p, 50);
	for (unsigned i = 0; i < SIDES; i++) {
		p->conf[i] = common;
		p->conf[i].addr = ip_addr_v4(0x0a000001u + i);
		choose_own(p, &p->conf[i]);
		p->write_at[i][0] = PLAN_MEM_NONE / 2;
	}
	choose_tricks(p);
	for (unsigned i = 0; i < SIDES; i++)
		p->judge[i] = choose_judge(p, &p->conf[i]);
	p->gap = (vspan)between(p, 0, 400) * VSPAN_US;
	if (p->link.narrow && plan_chance(p, 50))
		p->gap = 0; /* posts exceed the windows */
	p->pauses = between(p, 0, 6);
	if (plan_chance(p, 30))
		p->asks = between(p, 1, 4);
	else
		p->asks = 0;
	p->policies = between(p, 0, 40);
	p->errors = p->sends ? 0 : between(p, 0, 10);
	p->refusals = between(p, 0, 20);
	p->nops = between(p, PLAN_OPS_MIN, PLAN_OPS_MIN + 40);
}

/* A pause is long enough for clears, and for the close of an idle PDC. */
vspan plan_gap(struct plan *p)
{
	if (plan_chance(p, p->pauses))
		return between(p, 1, 50) * VSPAN_MS;
	return rng_below(&p->rng, (uint32_t)p->gap + 1);
}

/* ---- Operations ---- */

static uint32_t choose_len(struct plan *p, const struct orc_op *op)
{
	const uint32_t least = op->kind == OP_READ;

	if (plan_chance(p, 30))
		return between(p, least, 64);
	if (op->header != OP_HEADER_STD)
		return between(p, least, p->conf[A].mtu);
	return between(p, least, plan_chance(p, 10) ? 24000 : 5000);
}

/*
 * Gives each write memory of its own, in odd steps, so that the patterns
 * differ.
 */
static bool place_write(struct plan *p, struct plan_op *o)
{
	const bool has_key = o->op.header != OP_HEADER_SMALL;
	const uint32_t size = has_key ? PLAN_MEM_WRITES : PLAN_MEM_NONE;
	uint32_t *at = &p->write_at[!o->side][has_key];

	if (*at + o->op.len + 16 > size)
		return false;
	if (has_key)
		o->op.key = PLAN_KEY_WRITES;
	else
		o->op.key = PLAN_KEY_NONE;
	o->op.offset = *at;
	*at += o->op.len + between(p, 1, 16);
	return true;
}

static void place_read(struct plan *p, struct plan_op *o)
{
	const bool has_key = o->op.header != OP_HEADER_SMALL;
	const uint32_t size = has_key ? PLAN_MEM_READS : PLAN_MEM_NONE / 2;

	if (o->op.len > size)
		o->op.len = size;
	if (has_key)
		o->op.key = PLAN_KEY_READS;
	else
		o->op.key = PLAN_KEY_NONE;
	o->op.offset = below(p, size - o->op.len + 1);
	o->base = (uint32_t)o->op.offset;
	o->id = pattern_memory(o->op.key);
}

/* Only adds: the result does not depend on their order. */
static void place_atomic(struct plan *p, struct plan_op *o)
{
	if (o->op.header == OP_HEADER_SMALL)
		o->op.header = OP_HEADER_MEDIUM;
	o->op.key = PLAN_KEY_COUNTS;
	o->op.offset = 8 * below(p, PLAN_MEM_COUNTS / 8);
	o->op.len = 8;
	o->op.amo = (struct op_amo){
		.opcode = AMO_SUM,
		.datatype = UINT64,
		.fetch = plan_chance(p, 50),
		.operand = between(p, 1, 1000),
	};
}

/* Moves some reads and writes outside the exposed memory. */
static void misplace(struct plan *p, struct plan_op *o)
{
	if (o->op.kind == OP_ATOMIC && plan_chance(p, 50)) {
		o->op.offset++;
		o->error = AMO_UNALIGNED;
		return;
	}
	if (o->op.header != OP_HEADER_SMALL && plan_chance(p, 50)) {
		o->op.key = PLAN_KEY_BAD;
		o->error = RC_BAD_MKEY;
	} else {
		o->op.offset = PLAN_MEM_WRITES + 8;
		o->error = RC_BAD_ADDR;
	}
}

static void soak_plan_place(struct plan *p, struct plan_op *o)
{
	if (o->op.kind == OP_WRITE && !place_write(p, o))
		o->op.kind = plan_is_loose(o) ? OP_READ : OP_SEND;
	if (o->op.kind == OP_READ)
		place_read(p, o);
	if (o->op.kind == OP_ATOMIC)
		place_atomic(p, o);
	if (o->op.kind != OP_SEND && plan_chance(p, 3))
		misplace(p, o);
}

static struct plan_op *open_op(struct plan *p, unsigned side)
{
	struct plan_op *o = &p->ops[p->n];

	*o = (struct plan_op){.side = side};
	o->op.handle = p->n++;
	o->op.peer = p->conf[!side].addr;
	return o;
}

bool plan_receives(const struct plan_op *o)
{
	return o->op.kind != OP_READ && !o->op.amo.fetch;
}

uint32_t plan_pushed(const struct orc_op *op)
{
	if (!op->rendezvous || op->eager > op->len)
		return op->len;
	return op->eager;
}

static void seal_op(struct plan *p, struct plan_op *o)
{
	const uint32_t mtu = p->conf[A].mtu;
	const uint32_t len = plan_pushed(&o->op);

	if (len)
		o->npackets = (len + mtu - 1) / mtu;
	else
		o->npackets = 1;
	if (o->op.header != OP_HEADER_STD || o->op.mode == OP_UUD)
		return;
	/* The ids of such runs tell posted reads from those of bodies. */
	if (o->op.mode == OP_RUD && !plan_receives(o) && o->npackets == 1 &&
	    !p->sends && plan_chance(p, 50))
		return; /* the endpoint chooses */
	o->op.message_id = (uint16_t)(PLAN_FIRST_ID + o->op.handle);
}

static enum op_mode choose_mode(struct plan *p)
{
	unsigned mode;

	do
		mode = below(p, OP_MODES);
	while (!(p->modes >> mode & 1));
	return (enum op_mode)mode;
}

/* RUDI needs idempotent operations, UUD sends of one packet. */
static enum op_kind suited(enum op_mode mode, enum op_kind kind)
{
	if (mode == OP_UUD)
		return OP_SEND;
	if (mode == OP_RUDI && kind == OP_SEND)
		return OP_WRITE;
	if (mode == OP_RUDI && kind == OP_ATOMIC)
		return OP_READ;
	return kind;
}

/* A third is at an edge of packets. */
static uint32_t choose_eager(struct plan *p)
{
	const uint32_t mtu = p->conf[A].mtu;

	if (drawn(p, 33))
		return (1 + rng_below(&p->draws, 3)) * mtu + drawn(p, 50);
	return rng_below(&p->draws, drawn(p, 50) ? 12000 : 100);
}

/*
 * Makes some sends tagged, deferrable or a rendezvous.  Many tags differ in
 * their upper half alone.
 */
static void choose_send(struct plan *p, struct plan_op *o)
{
	struct orc_op *op = &o->op;

	if (!p->sends || op->kind != OP_SEND || op->header != OP_HEADER_STD ||
	    plan_is_loose(o))
		return;
	op->tagged = drawn(p, 60);
	if (op->tagged)
		op->key = (uint64_t)(op->handle + 1) << 32 | op->handle % 3;
	op->rendezvous = drawn(p, 40);
	if (op->rendezvous)
		op->eager = choose_eager(p);
	op->deferrable = !op->rendezvous && drawn(p, 50);
	o->late = p->tags && p->nops > 1 && op->tagged && op->deferrable &&
		  drawn(p, 60);
}

bool plan_receive(const struct plan *p, const struct plan_op *o,
		  struct orc_op *ret)
{
	if (!p->tags || !o->op.tagged)
		return false;
	*ret = (struct orc_op){.kind = OP_POST_RECV,
			       .tagged = true,
			       .key = o->op.key,
			       .len = o->op.len,
			       .count = 1};
	return true;
}

struct plan_op *plan_next(struct plan *p)
{
	static const enum op_kind kinds[] = {OP_SEND,  OP_WRITE, OP_READ,
					     OP_SEND,  OP_WRITE, OP_READ,
					     OP_ATOMIC};
	static const enum op_header headers[] = {
		OP_HEADER_STD, OP_HEADER_STD, OP_HEADER_STD, OP_HEADER_MEDIUM,
		OP_HEADER_SMALL};
	struct plan_op *o = open_op(p, below(p, SIDES));

	o->op.mode = choose_mode(p);
	o->op.kind = suited(o->op.mode, PICK(p, kinds));
	o->op.header = PICK(p, headers);
	o->op.len = choose_len(p, &o->op);
	if (o->op.mode == OP_UUD && o->op.len > p->conf[A].mtu)
		o->op.len = p->conf[A].mtu;
	soak_plan_place(p, o);
	choose_send(p, o);
	seal_op(p, o);
	return o;
}

struct plan_op *plan_read_back(struct plan *p, const struct plan_op *w)
{
	struct plan_op *o;

	if (p->n == PLAN_OPS || !w->op.len)
		return NULL;
	o = open_op(p, w->side);
	o->op.kind = OP_READ;
	o->op.mode = w->op.mode;
	o->op.header = OP_HEADER_SMALL;
	o->op.len = w->op.len;
	o->op.offset = w->op.offset;
	o->id = w->op.handle;
	seal_op(p, o);
	return o;
}

/* Long delays are rare, else only time-outs would happen. */
static uint32_t choose_delay(struct plan *p)
{
	const vspan usual = 500 * VSPAN_US;

	return (uint32_t)(plan_chance(p, 20) || p->delay < usual ? p->delay
								 : usual);
}

struct ses_policy plan_policy(struct plan *p)
{
	static const uint8_t codes[] = {RC_NO_MATCH, RC_PERM_VIOLATION,
					RC_DROPPED, RC_BAD_INDEX};
	static const uint8_t nacks[] = {
		NACK_NO_PKT_BUFFER, NACK_NO_GTD_DEL_AVAIL,
		NACK_NO_SES_MSG_AVAIL, NACK_NO_RESOURCE};
	struct ses_policy policy = {.count = between(p, 1, 4)};

	if (plan_chance(p, p->refusals))
		policy.nack_code = PICK(p, nacks);
	if (p->delay && plan_chance(p, 50))
		policy.delay = rng_below(&p->rng, choose_delay(p) + 1);
	if (plan_chance(p, p->errors)) {
		policy.return_code = PICK(p, codes);
		policy.count = 1;
		return policy; /* an error is guaranteed */
	}
	if (plan_chance(p, 40))
		policy.gtd = OP_GTD_YES;
	else
		policy.gtd = OP_GTD_AUTO;
	return policy;
}
