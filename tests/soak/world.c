/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/world.c -- one run: post, send, lose, deliver, judge, until all is
 * quiet.
 */
#include "tests/soak/world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "wire/packet.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

/* An endpoint that does so much while no time passes is caught in a loop. */
#define STEPS_MAX 100000

/* Everything is over long before. */
#define RUN_MAX    (600 * VSPAN_S)
#define FRAMES_MAX 200000 /* of one run; a lawful one has some thousand */

#define JUDGE_FLOWS    32
#define FINDINGS_SHOWN 16

static void *must(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "soak: no memory\n");
	exit(2);
}

/* Without the trailer that a configuration may ask for. */
static bool is_trimmed(const struct world *w, const struct dgram *d)
{
	return judge_trimmed(&w->plan.judge[A], d->dscp);
}

/* The CRC is cut off with what a switch trims. */
static bool ends_in_crc(const struct world *w, const struct dgram *d)
{
	return w->plan.conf[A].crc && d->len >= CRC_LEN && !is_trimmed(w, d);
}

static size_t plain_len(const struct world *w, const struct dgram *d)
{
	return ends_in_crc(w, d) ? d->len - CRC_LEN : d->len;
}

/* ---- Trace: packets in case syntax, all else as comments ---- */

static void trace_packet(struct world *w, unsigned from, const struct dgram *d,
			 const char *what)
{
	struct packet pkt;

	if (!w->trace)
		return;
	packet_parse(&pkt, d->data, plain_len(w, d));
	text_clear(&w->line);
	packet_print(&w->line, &pkt, PACKET_FULL, NULL);
	fprintf(w->trace, "%c  %s  # %.3f us%s\n", from == A ? '>' : '<',
		text_cstr(&w->line), (double)w->now / 1e3, what);
}

__attribute__((format(printf, 2, 3))) static void note(struct world *w,
						       const char *fmt, ...)
{
	va_list ap;

	if (!w->trace)
		return;
	fprintf(w->trace, "#  %.3f us  ", (double)w->now / 1e3);
	va_start(ap, fmt);
	vfprintf(w->trace, fmt, ap);
	va_end(ap);
	fputc('\n', w->trace);
}

/* ---- Captures ---- */

static void capture_open(struct world *w, uint64_t seed)
{
	if (!w->captures)
		return;
	if (!w->tap)
		w->tap = must(tap_new(w->captures));
	tap_open(w->tap, seed, &w->plan.conf[A].addr, &w->plan.conf[B].addr,
		 w->plan.link.hop, false);
}

/* The comment names the PDC that is tampered with. */
static void mark(struct world *w, const struct dgram *d)
{
	struct pds_req h; /* ACKs have the PDCIDs in the same place */

	pds_req_get(&h, d->data);
	snprintf(w->mark, sizeof(w->mark), "forged 0x%04x 0x%04x", h.spdcid,
		 h.dpdcid);
}

/* ---- The judges ---- */

/* A judge is sure of the side at whose link it stands (judge/judge.h). */
static void take_finding(struct world *w, unsigned side,
			 const struct finding *f)
{
	const char *id = req_get(f->req)->id;
	const char *role = f->role == REQ_SRC ? "src" : "dst";
	char text[400];

	if (!ip_addr_equal(&f->side, &w->plan.conf[side].addr))
		return;
	snprintf(text, sizeof(text), "%c: %s/%s, frame %u: %s (%s, not %s)",
		 side ? 'B' : 'A', id, role, f->frame, f->text, f->expected,
		 f->actual);
	ledger_wrong(&w->ledger, "%s", text);
	note(w, "!! %s", text);
}

static void take_findings(struct world *w, unsigned side,
			  const struct finding *f, size_t n)
{
	for (size_t i = 0; i < n && i < FINDINGS_SHOWN; i++)
		take_finding(w, side, &f[i]);
}

static void judge_look(struct world *w, unsigned side, const struct dgram *d)
{
	struct finding found[FINDINGS_SHOWN];
	struct packet pkt;
	const struct judge_packet p = {
		.pkt = &pkt, .d = d, .at = w->now, .frame = w->frame};
	size_t n;

	packet_parse(&pkt, d->data, d->len);
	n = judge_push(w->judge[side], &p, found, FINDINGS_SHOWN);
	take_findings(w, side, found, n);
}

static void judge_last(struct world *w, unsigned side)
{
	struct finding found[FINDINGS_SHOWN];
	const size_t n = judge_end(w->judge[side], w->now + VSPAN_S, found,
				   FINDINGS_SHOWN);

	take_findings(w, side, found, n);
}

static void judge_open(struct world *w, unsigned side)
{
	const struct judge_conf *conf = &w->plan.judge[side];

	if (!w->judge[side] && judge_new(&w->judge[side], conf, JUDGE_FLOWS))
		must(NULL);
	judge_declare(w->judge[side], conf);
	judge_reset(w->judge[side]);
}

/* ---- The link ---- */

static bool sooner(const struct flying *a, const struct flying *b)
{
	return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void heap_put(struct world *w, struct flying f)
{
	size_t i = w->nheap++;

	if (w->nheap > w->heap_cap) {
		w->heap_cap = w->heap_cap ? 2 * w->heap_cap : 256;
		w->heap =
			must(realloc(w->heap, w->heap_cap * sizeof(*w->heap)));
	}
	for (; i && sooner(&f, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = f;
}

static struct flying heap_take(struct world *w)
{
	const struct flying first = w->heap[0];
	const struct flying last = w->heap[--w->nheap];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->nheap) {
		if (child + 1 < w->nheap &&
		    sooner(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!sooner(&w->heap[child], &last))
			break;
		w->heap[i] = w->heap[child];
		i = child;
	}
	w->heap[i] = last;
	return first;
}

static uint32_t take_slot(struct world *w)
{
	if (w->nfree)
		return w->free_slots[--w->nfree];
	if (w->nslots % 256 == 0) {
		const size_t n = w->nslots + 256;

		w->slots = must(realloc(w->slots, n * sizeof(*w->slots)));
		w->free_slots = must(
			realloc(w->free_slots, n * sizeof(*w->free_slots)));
	}
	return (uint32_t)w->nslots++;
}

static void fly(struct world *w, unsigned to, const struct dgram *d, vspan span)
{
	struct flying f = {.at = w->now + span,
			   .order = w->order++,
			   .slot = take_slot(w),
			   .to = to};

	memcpy(f.mark, w->mark, sizeof(f.mark));
	dgram_copy(&w->slots[f.slot], d);
	tap_flies(w->tap, to, f.at, d, f.mark);
	heap_put(w, f);
}

static bool is_rud(enum pds_type type)
{
	return type == PDS_RUD_REQ || type == PDS_RUD_CC_REQ;
}

static bool is_rod(enum pds_type type)
{
	return type == PDS_ROD_REQ || type == PDS_ROD_CC_REQ;
}

/* A PDC may fail right after its SYN: a late copy would open it again. */
static bool is_hasty(const struct world *w, const struct dgram *d)
{
	enum pds_type type;
	struct pds_req h;

	if (!w->plan.frail || d->len < pds_req_len)
		return false;
	type = pds_type_of(d->data);
	if (!is_rud(type) && !is_rod(type))
		return false;
	pds_req_get(&h, d->data);
	return h.syn;
}

/* One way through the link; a late packet is overtaken by others. */
static vspan journey(struct world *w, const struct dgram *d)
{
	const struct plan_link *link = &w->plan.link;

	if (is_hasty(w, d) || !plan_chance(&w->plan, link->late))
		return link->hop;
	w->tally.late++;
	return link->hop + rng_below(&w->plan.rng, (uint32_t)link->jitter);
}

/* |of|: the packet that it is made from. */
static void forge(struct world *w, unsigned from, const struct dgram *d,
		  const struct dgram *of, vspan span)
{
	w->tally.tricks++;
	trace_packet(w, from, d, " forged");
	mark(w, of);
	fly(w, !from, d, span);
}

/* A late SYN would open a PDC again that has ended. */
static bool syn_is_gone(const struct world *w, unsigned side)
{
	const struct plan_link *link = &w->plan.link;

	return w->now > w->syn_at[side] + link->hop + link->jitter;
}

/* What becomes of a request on a link that tampers; false: it goes its way. */
static bool tamper(struct world *w, unsigned from, const struct dgram *d)
{
	struct plan *p = &w->plan;
	enum trick trick;
	struct pds_req req;

	if (!p->link.tricks || d->len < pds_req_len ||
	    pds_type_of(d->data) != PDS_RUD_REQ)
		return false;
	pds_req_get(&req, d->data);
	forge_keep(&w->last[from], d, &req);
	if (forge_replay(p, &w->kept[from], d, &req))
		forge(w, from, &w->kept[from].d, d, p->link.hop);
	if (!forge_choose(p, &req, &trick))
		return false;
	if (trick == TRICK_FATAL && !syn_is_gone(w, from))
		return false;
	dgram_copy(&w->forged, d);
	if (forge_make(p, trick, &w->forged)) {
		forge(w, !from, &w->forged, d, 2 * p->link.hop);
		return false;
	}
	forge(w, from, &w->forged, d, p->link.hop);
	return true;
}

/* A switch keeps 24 bytes beyond IP, 8 of UDP among them. */
#define TRIM_KEEPS 16

static void trim(struct world *w, struct dgram *d)
{
	const struct orc_conf *conf = &w->plan.conf[A];

	if (!plan_chance(&w->plan, w->plan.link.trim))
		return;
	w->tally.trimmed++;
	if (d->len > TRIM_KEEPS)
		d->len = TRIM_KEEPS;
	d->dscp = plan_chance(&w->plan, 50) ? conf->dscp_trimmed
					    : conf->dscp_trimmed_lasthop;
}

static void cross(struct world *w, unsigned from, struct dgram *d)
{
	const struct plan_link *link = &w->plan.link;
	bool forged;

	w->tally.packets++;
	if (tamper(w, from, d))
		return;
	forged = link->narrow && forge_narrow(d);
	if (link->tricks && forge_spoil(&w->plan, d))
		forged = true;
	if (forged)
		mark(w, d);
	if (plan_chance(&w->plan, link->drop)) {
		w->tally.lost++;
		trace_packet(w, from, d, " lost");
		return;
	}
	trim(w, d);
	trace_packet(w, from, d, "");
	if (d->ecn != ECN_NOT_ECT && plan_chance(&w->plan, link->ce)) {
		w->tally.marked++;
		d->ecn = ECN_CE;
	}
	fly(w, !from, d, journey(w, d));
	if (plan_chance(&w->plan, link->dup)) {
		w->tally.doubled++;
		fly(w, !from, d, journey(w, d));
	}
}

static void transmit(struct world *w, unsigned from, struct dgram *d)
{
	tap_draw(w->tap);
	if (w->tap)
		dgram_copy(&w->sent, d);
	cross(w, from, d);
	tap_sent(w->tap, from, w->now, &w->sent, w->mark);
	*w->mark = 0;
}

/* ---- The ends ---- */

static bool is_nack(const struct dgram *d)
{
	return pds_type_of(d->data) == PDS_NACK ||
	       pds_type_of(d->data) == PDS_NACK_CCX;
}

/* The request in a datagram, if it is one. */
static bool is_loose(const struct dgram *d, struct arriving *ret)
{
	struct rudi_req h;

	if (d->len < rudi_req_len)
		return false;
	rudi_req_get(&h, d->data);
	*ret = (struct arriving){.uud = h.type == PDS_UUD_REQ,
				 .rudi = h.type == PDS_RUDI_REQ,
				 .psn = h.pkt_id};
	return ret->uud || ret->rudi;
}

static bool is_request(const struct dgram *d, struct arriving *ret)
{
	struct pds_req h;

	const enum pds_type type =
		d->len < pds_req_len ? PDS_CP : pds_type_of(d->data);

	if (!is_rud(type) && !is_rod(type))
		return is_loose(d, ret);
	pds_req_get(&h, d->data);
	*ret = (struct arriving){.spdcid = h.spdcid,
				 .psn = h.psn,
				 .syn = h.syn,
				 .rod = is_rod(type)};
	return true;
}

/* A NACK for want of a resource that the packet's PDC has. */
static bool is_refusal(const struct world *w, const struct dgram *d,
		       struct pds_nack *ret)
{
	if (d->len < pds_nack_len || !is_nack(d) || is_trimmed(w, d))
		return false;
	pds_nack_get(ret, d->data);
	return ret->nack_code >= NACK_NO_PKT_BUFFER &&
	       ret->nack_code <= NACK_NO_RESOURCE;
}

/* An ACK that asks for a clear though its response is a success. */
static bool asks_clear(const struct dgram *d, uint16_t *ret_pdcid,
		       uint32_t *ret_psn)
{
	static const size_t lens[] = {
		[PDS_ACK] = pds_ack_len,
		[PDS_ACK_CC] = pds_ack_len + pds_ack_cc_len + pds_nscc_len,
		[PDS_ACK_CCX] = pds_ack_len + pds_ack_ccx_len,
	};
	const unsigned type = pds_type_of(d->data);
	struct ses_response rsp;
	struct pds_ack ack;
	uint32_t offset;

	if (type < PDS_ACK || type > PDS_ACK_CCX ||
	    d->len < lens[type] + ses_response_len)
		return false;
	pds_ack_get(&ack, d->data);
	ses_response_get(&rsp, d->data + lens[type]);
	offset = (uint32_t)ack.ack_psn_offset;
	*ret_pdcid = ack.dpdcid;
	*ret_psn = ack.cack_psn + offset;
	return ack.req == PDS_REQ_CLEAR && !ack.p &&
	       ack.next_hdr == PDS_NEXT_RESPONSE && rsp.return_code <= RC_OK;
}

/* Requests and control packets apart, nothing may be refused. */
static bool is_noise(const struct dgram *d)
{
	switch (pds_type_of(d->data)) {
	case PDS_RUDI_REQ:
		return false;
	case PDS_RUD_REQ:
	case PDS_ROD_REQ:
	case PDS_RUD_CC_REQ:
	case PDS_ROD_CC_REQ:
	case PDS_CP:
		return d->len < pds_req_len;
	default:
		return true;
	}
}

/* The plan asks for none: data opens a PDC. */
static bool is_noop(const struct dgram *d)
{
	struct pds_cp h;

	if (d->len < pds_cp_len || pds_type_of(d->data) != PDS_CP)
		return false;
	pds_cp_get(&h, d->data);
	return h.ctl_type == PDS_CP_NOOP;
}

static void note_sent(struct world *w, unsigned side, const struct dgram *d)
{
	struct arriving req;
	uint16_t pdcid;
	uint32_t psn;

	if (w->heard_noise && is_nack(d))
		ledger_wrong(&w->ledger, "what asks for nothing was refused");
	if (is_noop(d))
		ledger_wrong(&w->ledger, "a NOOP that nobody asked for");
	if (asks_clear(d, &pdcid, &psn))
		ledger_asks_clear(&w->ledger, !side, pdcid, psn);
	if (!is_request(d, &req))
		return;
	if (req.uud) {
		ledger_datagram(&w->ledger, side);
		return;
	}
	ledger_sent(&w->ledger, side, req.spdcid, req.psn);
	if (req.syn)
		w->syn_at[side] = w->now;
}

static void note_refused(struct world *w, unsigned side, const struct dgram *d)
{
	const struct orc_conf *conf = &w->plan.conf[side];
	struct pds_nack nack;

	if (w->plan.frail || w->plan.link.narrow || conf->cwnd ||
	    conf->cc == ORC_CC_CREDIT)
		return; /* it may be given up, or wait for the window */
	if (is_refusal(w, d, &nack))
		ledger_nack(&w->ledger, side, nack.dpdcid, nack.nack_psn,
			    w->now + conf->nack_retx_time);
}

static void drain_packets(struct world *w, unsigned side)
{
	while (w->api[side]->poll_tx(w->end[side], &w->out)) {
		const size_t len = w->out.len;

		if (++w->steps > STEPS_MAX)
			return;
		w->frame++;
		w->out.len = plain_len(w, &w->out);
		judge_look(w, side, &w->out);
		note_sent(w, side, &w->out);
		w->out.len = len;
		transmit(w, side, &w->out);
	}
}

static void post(struct world *w, const struct plan_op *o)
{
	const int err = w->api[o->side]->post(w->end[o->side], &o->op, w->now);

	note(w,
	     "%c posts operation %u: mode %d kind %d header %d len %u key "
	     "%" PRIu64 " offset %" PRIu64,
	     "AB"[o->side], o -> op.handle, (int)o->op.mode, (int)o->op.kind,
	     (int)o->op.header, o->op.len, o->op.key, o->op.offset);
	w->tally.operations++;
	if (err)
		ledger_wrong(&w->ledger, "post: %s", err_name(err));
}

static void drain_events(struct world *w, unsigned side,
			 const struct arriving *in)
{
	struct orc_event ev;

	while (w->api[side]->poll_event(w->end[side], &ev)) {
		struct plan_op *done;

		note(w,
		     "%c event %d: handle %u psn %u pdcid %u id %u rc %u%s%s",
		     "AB"[side], (int)ev.kind, ev.handle, ev.orig_psn,
		     ev.orig_pdcid, ev.message_id, ev.return_code,
		     ev.reason ? " " : "", ev.reason ? ev.reason : "");
		done = ledger_event(&w->ledger, side, &ev, in, w->api[side],
				    w->end[side]);
		if (!done || done->op.kind != OP_WRITE ||
		    done->op.header != OP_HEADER_SMALL)
			continue;
		done = plan_read_back(&w->plan, done);
		if (done)
			post(w, done);
	}
}

static void drain(struct world *w, unsigned side, const struct arriving *in)
{
	drain_events(w, side, in);
	drain_packets(w, side);
}

static void arrive(struct world *w)
{
	const struct flying f = heap_take(w);
	struct dgram *d = &w->slots[f.slot];
	const size_t len = d->len;
	struct arriving in;
	bool req;
	int err;

	w->frame++;
	tap_arrives(w->tap, f.to, w->now, d, f.mark);
	d->len = plain_len(w, d);
	judge_look(w, f.to, d);
	req = is_request(d, &in);
	d->len = len;
	err = w->api[f.to]->feed(w->end[f.to], d, w->now);
	if (err)
		ledger_wrong(&w->ledger, "feed: %s", err_name(err));
	note_refused(w, f.to, d);
	w->heard_noise = is_noise(d);
	w->free_slots[w->nfree++] = f.slot;
	drain(w, f.to, req ? &in : NULL);
	w->heard_noise = false;
}

/* A target asks for a close. */
static void ask_close(struct world *w, unsigned side)
{
	const struct orc_op op = {
		.kind = OP_ASK_CLOSE,
		.peer = w->plan.conf[!side].addr,
		.close = (enum op_close)rng_below(&w->plan.rng, 3),
	};

	if (!syn_is_gone(w, !side))
		return;
	w->api[side]->post(w->end[side], &op, w->now);
	if (op.close != OP_CLOSE_ACK) /* there may be no ACK any more */
		ledger_ask_close(&w->ledger, side);
	note(w, "%c asks for a close, way %d", "AB"[side], (int)op.close);
	drain(w, side, NULL);
}

static void post_next(struct world *w)
{
	struct plan *p = &w->plan;
	const unsigned side = rng_below(&p->rng, SIDES);
	struct orc_op op = {.kind = OP_SES_POLICY};
	struct plan_op *o;

	if (plan_chance(p, p->policies)) {
		op.policy = plan_policy(p);
		w->api[side]->post(w->end[side], &op, w->now);
		ledger_policy(&w->ledger, side, op.policy);
		note(w,
		     "%c answers %u times: rc %u nack %u gtd %d delay %" PRId64,
		     "AB"[side], op.policy.count, op.policy.return_code,
		     op.policy.nack_code, (int)op.policy.gtd, op.policy.delay);
	}
	o = plan_next(p);
	post(w, o);
	p->nops--;
	if (plan_chance(p, p->asks))
		ask_close(w, side);
	w->post_at = VTIME_NEVER;
	if (p->nops)
		w->post_at = w->now + plan_gap(p);
	drain(w, o->side, NULL);
}

/* ---- A run ---- */

static void expose(struct world *w, unsigned side, uint64_t key, uint32_t len)
{
	const struct orc_op op = {.kind = OP_EXPOSE, .key = key, .len = len};

	w->api[side]->post(w->end[side], &op, w->now);
}

static void open_side(struct world *w, unsigned side)
{
	if (w->api[side]->make(&w->end[side], &w->plan.conf[side]))
		must(NULL);
	expose(w, side, PLAN_KEY_NONE, PLAN_MEM_NONE);
	expose(w, side, PLAN_KEY_WRITES, PLAN_MEM_WRITES);
	expose(w, side, PLAN_KEY_READS, PLAN_MEM_READS);
	expose(w, side, PLAN_KEY_COUNTS, PLAN_MEM_COUNTS);
	judge_open(w, side);
	w->kept[side].used = false;
	w->last[side].used = false;
}

static void open_world(struct world *w, uint64_t seed)
{
	plan_make(&w->plan, seed, w->modes);
	if (w->honest) {
		w->plan.link.tricks = 0;
		w->plan.link.narrow = false;
	}
	ledger_open(&w->ledger, &w->plan);
	w->now = 0;
	w->post_at = 0;
	w->steps = 0;
	w->frame = 0;
	w->order = 0;
	w->asked = false;
	memset(w->syn_at, 0, sizeof(w->syn_at));
	for (unsigned i = 0; i < SIDES; i++)
		open_side(w, i);
	capture_open(w, seed);
}

static vtime next_time(const struct world *w)
{
	vtime next = w->post_at;

	if (w->nheap)
		next = vtime_min(next, w->heap[0].at);
	for (unsigned i = 0; i < SIDES; i++)
		next = vtime_min(next, w->api[i]->deadline(w->end[i]));
	return next;
}

/* All that is due now, one thing after the other. */
static void step(struct world *w)
{
	w->steps++;
	if (w->nheap && w->heap[0].at <= w->now) {
		arrive(w);
		return;
	}
	for (unsigned i = 0; i < SIDES; i++)
		if (w->api[i]->deadline(w->end[i]) <= w->now) {
			w->api[i]->tick(w->end[i], w->now);
			drain(w, i, NULL);
			return;
		}
	if (w->post_at <= w->now)
		post_next(w);
}

/* All is quiet: nothing but the asking makes a source clear what it has. */
static void ask_clears(struct world *w)
{
	for (unsigned i = 0; i < SIDES; i++) {
		if (!w->last[i].used)
			continue;
		forge_make(&w->plan, TRICK_ASK_CLEAR, &w->last[i].d);
		tap_draw(w->tap);
		forge(w, !i, &w->last[i].d, &w->last[i].d, w->plan.link.hop);
		*w->mark = 0;
	}
	w->asked = true;
}

static void live(struct world *w)
{
	for (;;) {
		vtime next = next_time(w);

		if (next == VTIME_NEVER && !w->asked)
			ask_clears(w);
		next = next_time(w);
		if (next == VTIME_NEVER)
			return;
		if (next > RUN_MAX || w->frame > FRAMES_MAX) {
			ledger_wrong(&w->ledger, "there is no end to it");
			return;
		}
		if (next > w->now)
			w->steps = 0;
		w->now = vtime_max(w->now, next);
		ledger_time(&w->ledger, w->now);
		step(w);
		if (w->steps > STEPS_MAX) {
			ledger_wrong(&w->ledger, "an endpoint loops");
			return;
		}
	}
}

static void close_world(struct world *w)
{
	struct orc_stats stats;

	for (unsigned i = 0; i < SIDES; i++)
		judge_last(w, i);
	tap_close(w->tap);
	ledger_close(&w->ledger, w->api, w->end);
	for (unsigned i = 0; i < w->plan.n; i++) {
		w->tally.refused += w->plan.ops[i].error != 0;
		w->tally.given_up += w->plan.ops[i].failed;
	}
	for (unsigned i = 0; i < SIDES; i++) {
		w->api[i]->stats(w->end[i], &stats);
		w->tally.pdcs += stats.pdcs;
		w->tally.nacks += stats.tx_nack;
		w->tally.repeated += stats.tx_retx;
		w->api[i]->free(w->end[i]);
	}
	w->nheap = 0;
	w->nfree = 0;
	for (size_t i = w->nslots; i-- > 0;)
		w->free_slots[w->nfree++] = (uint32_t)i;
}

unsigned world_run(struct world *w, uint64_t seed)
{
	open_world(w, seed);
	live(w);
	close_world(w);
	w->tally.runs++;
	w->tally.failed += w->ledger.errors != 0;
	w->tally.findings += w->ledger.errors;
	if (w->ledger.errors)
		note(w, "%s", w->ledger.text);
	return w->ledger.errors;
}

void world_free(struct world *w)
{
	for (unsigned i = 0; i < SIDES; i++)
		judge_free(w->judge[i]);
	free(w->heap);
	free(w->slots);
	free(w->free_slots);
	text_free(&w->line);
	tap_free(w->tap);
}
