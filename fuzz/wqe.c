/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two endpoints with the WQE extension and a link between them that the input
 * controls: what is posted, destroyed and restarted, and what is delivered,
 * lost, doubled, changed or made up, and when timers fire.  A judge looks at
 * everything. Nobody may crash, loop or leak, whatever happens.
 */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "judge/judge.h"
#include "oracle/oracle.h"
#include "wire/family.h"
#include "wire/packet.h"

#define FLYING 32 /* datagrams; more are lost */
#define POLL_MAX \
	8192 /* packets that an endpoint may send without time passing */
#define FINDINGS  8
#define QPS       3 /* of each end, numbered from FIRST_QPN */
#define FIRST_QPN 0x21
#define FIRST_PSN 0xfffff8
#define RKEY      0x77
#define REGION    512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *p;
	size_t len;
};

struct world {
	struct orc *end[2];
	struct judge *judge;
	struct dgram flying[FLYING];
	size_t n;
	vtime now;
	uint32_t frame;
};

static uint8_t byte(struct input *in)
{
	if (!in->len)
		return 0;
	in->len--;
	return *in->p++;
}

static struct ip_addr addr(unsigned i)
{
	return ip_addr_v4(0x0a000001u + i);
}

static void look(struct world *w, const struct dgram *d)
{
	struct finding found[FINDINGS];
	struct packet pkt;
	struct judge_packet seen = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = ++w->frame};

	family_parse(FAMILY_WQE, &pkt, d->data, d->len);
	judge_push(w->judge, &seen, found, FINDINGS);
}

/* Takes what an endpoint has to say onto the link. */
static void drain(struct world *w, unsigned i)
{
	struct orc_event ev;
	struct dgram lost;
	unsigned polls = 0;

	for (;;) {
		struct dgram *d = w->n < FLYING ? &w->flying[w->n] : &lost;

		if (!orc_reference.poll_tx(w->end[i], d))
			break;
		assert(++polls < POLL_MAX);
		d->src = addr(i);
		look(w, d);
		w->n += d != &lost;
	}
	while (orc_reference.poll_event(w->end[i], &ev))
		assert(++polls < 4 * POLL_MAX);
}

static void deliver(struct world *w, const struct dgram *d)
{
	const struct ip_addr first = addr(0);
	const unsigned i = !ip_addr_equal(&d->dst, &first);

	orc_reference.feed(w->end[i], d, w->now);
	drain(w, i);
}

/* Removes datagram |at| and delivers it, if wanted. */
static void take(struct world *w, size_t at, bool wanted)
{
	struct dgram d;

	if (at >= w->n)
		return;
	dgram_copy(&d, &w->flying[at]);
	w->n--;
	for (; at < w->n; at++)
		dgram_copy(&w->flying[at], &w->flying[at + 1]);
	if (wanted)
		deliver(w, &d);
}

static void ask(struct world *w, unsigned i, const struct orc_op *op)
{
	orc_reference.post(w->end[i], op, w->now);
	drain(w, i);
}

/* Memory to write, and QPs in RTS with a few buffers. */
static void equip(struct world *w, unsigned i)
{
	struct orc_op op = {.kind = OP_EXPOSE, .key = RKEY, .len = REGION};

	ask(w, i, &op);
	for (uint32_t qpn = FIRST_QPN; qpn < FIRST_QPN + QPS; qpn++) {
		op = (struct orc_op){.kind = OP_CREATE_QP,
				     .vb = {.depth = 16, .type = QP_RC}};
		ask(w, i, &op);
		op.kind = OP_MODIFY_QP;
		op.peer = addr(!i);
		op.vb.qpn = op.vb.dest_qp = qpn;
		op.vb.rq_psn = op.vb.sq_psn = FIRST_PSN;
		for (int state = QP_INIT; state <= QP_RTS; state++) {
			op.vb.state = (enum qp_state)state;
			ask(w, i, &op);
		}
		op.kind = OP_POST_RECV;
		op.count = 4;
		op.len = 600;
		ask(w, i, &op);
	}
}

static void post(struct world *w, struct input *in)
{
	static const enum op_kind kinds[] = {
		OP_POST_SEND, OP_POST_SEND,  OP_POST_SEND, OP_POST_RECV,
		OP_MODIFY_QP, OP_DESTROY_QP, OP_CREATE_QP, OP_QUERY_QP,
	};
	const unsigned i = byte(in) & 1;
	const uint8_t kind = byte(in), which = byte(in), more = byte(in);
	const struct orc_op op = {
		.kind = kinds[kind % (sizeof(kinds) / sizeof(kinds[0]))],
		.handle = w->frame,
		.peer = addr(!i),
		.len = more * 3u,
		.count = more >> 6,
		.key = which > 0xf0 ? 0 : RKEY,
		.offset = which,
		.vb = {.qpn = FIRST_QPN + which % 4,
		       .dest_qp = FIRST_QPN + which % 4,
		       .rq_psn = FIRST_PSN,
		       .sq_psn = FIRST_PSN,
		       .type = QP_RC,
		       .state = (enum qp_state)(more % (QP_STATES + 1)),
		       .opcode = (enum wr_opcode)((which >> 2) % 3),
		       .with_imm = more & 1,
		       .depth = 16},
	};

	ask(w, i, &op);
}

static void pass(struct world *w, struct input *in)
{
	w->now += (vspan)byte(in) * VSPAN_MS;
	for (unsigned i = 0; i < 2; i++) {
		orc_reference.tick(w->end[i], w->now);
		drain(w, i);
		assert(orc_reference.deadline(w->end[i]) > w->now);
	}
}

/* One datagram that nobody sent. */
static void invent(struct world *w, struct input *in)
{
	const unsigned i = byte(in) & 1;
	struct dgram d = {
		.src = addr(!i), .dst = addr(i), .family = FAMILY_WQE};

	d.len = byte(in);
	for (size_t k = 0; k < d.len; k++)
		d.data[k] = byte(in);
	if (d.len >= 12 && byte(in) & 1) { /* a header that is taken */
		d.data[0] = (uint8_t)(0xc0 | (d.data[0] & 0x1f));
		d.data[1] &= 0x30;
		memset(d.data + 2, 0xff, 2);
		d.data[4] = d.data[5] = d.data[6] = 0;
		d.data[7] = (uint8_t)(FIRST_QPN + d.data[7] % QPS);
	}
	look(w, &d);
	deliver(w, &d);
}

static void change(struct world *w, struct input *in)
{
	struct dgram *d = &w->flying[0];
	const size_t at = byte(in);

	if (w->n && at < d->len)
		d->data[at] ^= (uint8_t)(1u << (byte(in) & 7));
	if (w->n && at >= d->len && at < 128)
		d->len /= 2;
	take(w, 0, true);
}

static void restart(struct world *w, struct input *in)
{
	const unsigned i = byte(in) & 1;

	orc_reference.reset(w->end[i], w->frame);
	equip(w, i);
}

static void step(struct world *w, struct input *in)
{
	switch (byte(in) % 9) {
	case 0:
	case 1:
		post(w, in);
		break;
	case 2:
		take(w, 0, true);
		break;
	case 3:
		take(w, byte(in), false);
		break;
	case 4:
		take(w, byte(in) % FLYING, true);
		break;
	case 5:
		if (w->n && w->n < FLYING)
			dgram_copy(&w->flying[w->n++], &w->flying[0]);
		break;
	case 6:
		pass(w, in);
		break;
	case 7:
		change(w, in);
		break;
	default:
		if (byte(in) & 15)
			invent(w, in);
		else
			restart(w, in);
	}
}

static bool open_world(struct world *w)
{
	struct judge_conf jc;

	judge_conf_default(&jc);
	jc.whole = true;
	for (unsigned i = 0; i < 2; i++) {
		struct orc_conf conf;

		orc_conf_default(&conf);
		conf.family = FAMILY_WQE;
		conf.addr = addr(i);
		conf.seed = i;
		conf.mtu = 64;
		conf.wqe_window = 16;
		conf.wqe_max_len = 1024;
		conf.wqe_cache_max = 1024;
		conf.wqe_max_ooo = 4;
		conf.wqe_bitmap = i;
		if (orc_reference.make(&w->end[i], &conf))
			return false;
	}
	return judge_new(&w->judge, &jc, 4) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	struct input in = {data, size < 4096 ? size : 4096};
	struct finding found[FINDINGS];

	memset(&w, 0, offsetof(struct world, flying));
	w.n = 0;
	w.now = 0;
	w.frame = 0;
	if (open_world(&w)) {
		for (unsigned i = 0; i < 2; i++)
			equip(&w, i);
		while (in.len)
			step(&w, &in);
		judge_end(w.judge, w.now, found, FINDINGS);
	}
	orc_reference.free(w.end[0]);
	orc_reference.free(w.end[1]);
	judge_free(w.judge);
	return 0;
}
