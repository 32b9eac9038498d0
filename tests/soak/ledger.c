/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/ledger.c -- every packet and every operation has one line here.
 */
#include "tests/soak/ledger.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/serial.h"
#include "wire/uet_pds.h"
#include "wire/uet_ses.h"

void ledger_wrong(struct ledger *l, const char *fmt, ...)
{
	va_list ap;

	if (l->errors++)
		return;
	va_start(ap, fmt);
	vsnprintf(l->text, sizeof(l->text), fmt, ap);
	va_end(ap);
}

void ledger_open(struct ledger *l, struct plan *plan)
{
	l->plan = plan;
	for (uint32_t i = 0; i < l->nused; i++)
		l->v[l->used[i]] = (struct entry){0};
	l->nused = 0;
	for (unsigned i = 0; i < l->ntouched; i++)
		l->pdcids[l->touched[i].side][l->touched[i].pdcid] =
			(struct pdcid){0};
	l->ntouched = 0;
	l->nwaits = 0;
	memset(l->policy_left, 0, sizeof(l->policy_left));
	l->forward = 0;
	memset(l->datagrams, 0, sizeof(l->datagrams));
	l->returned = 0;
	l->data_lost = 0;
	l->errors = 0;
	l->text[0] = 0;
}

/* ---- Packets ---- */

static struct entry *place(struct ledger *l, uint64_t key)
{
	uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 49);

	while (l->v[i].key && l->v[i].key != key)
		i = (i + 1) % LEDGER_ENTRIES;
	return &l->v[i];
}

static uint64_t key_of(const struct ledger *l, unsigned side, uint16_t pdcid,
		       uint32_t psn)
{
	const uint64_t life = l->pdcids[side][pdcid].life & 0x3fff;

	return (uint64_t)1 << 63 | (uint64_t)side << 62 | life << 48 |
	       (uint64_t)pdcid << 32 | psn;
}

/* The line of a packet that |side| sent, made if there is none. */
static struct entry *line_of(struct ledger *l, unsigned side, uint16_t pdcid,
			     uint32_t psn)
{
	const uint64_t key = key_of(l, side, pdcid, psn);
	struct entry *e = place(l, key);

	if (e->key || l->nused == LEDGER_ENTRIES / 2)
		return e;
	e->key = key;
	l->used[l->nused++] = (uint32_t)(e - l->v);
	return e;
}

/* ---- Waits ---- */

static void end_wait(struct ledger *l, unsigned i)
{
	l->waits[i] = l->waits[--l->nwaits];
}

void ledger_sent(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn)
{
	for (unsigned i = l->nwaits; i-- > 0;)
		if (l->waits[i].side == side && l->waits[i].pdcid == pdcid &&
		    l->waits[i].psn == psn)
			end_wait(l, i);
}

void ledger_datagram(struct ledger *l, unsigned side)
{
	l->datagrams[side]++;
}

/* A later NACK makes it wait anew. */
void ledger_nack(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn,
		 vtime due)
{
	const struct entry *e = place(l, key_of(l, side, pdcid, psn));

	ledger_sent(l, side, pdcid, psn);
	if (e->answered || (pdcid && !l->pdcids[side][pdcid].open) ||
	    l->nwaits == LEDGER_WAITS)
		return;
	l->waits[l->nwaits++] = (struct wait){side, pdcid, psn, due};
}

/* A SACK may have said that another copy of it arrived after all. */
void ledger_time(struct ledger *l, vtime now)
{
	for (unsigned i = l->nwaits; i-- > 0;) {
		const struct wait w = l->waits[i];

		if (w.due >= now)
			continue;
		if (!place(l, key_of(l, w.side, w.pdcid, w.psn))->delivered)
			ledger_wrong(l,
				     "psn %u was refused and is not sent again",
				     w.psn);
		end_wait(l, i);
	}
}

static void end_waits(struct ledger *l, unsigned side, uint16_t pdcid)
{
	for (unsigned i = l->nwaits; i-- > 0;)
		if (l->waits[i].side == side && l->waits[i].pdcid == pdcid)
			end_wait(l, i);
}

/* ---- PDCs ---- */

static void pdc_opened(struct ledger *l, unsigned side, uint16_t pdcid,
		       bool initiator)
{
	struct pdcid *p = &l->pdcids[side][pdcid];

	if (!p->life && l->ntouched < LEDGER_TOUCHED) {
		l->touched[l->ntouched].side = side;
		l->touched[l->ntouched++].pdcid = pdcid;
	}
	p->life++;
	p->any = false;
	p->open = true;
	p->asked = false;
	p->initiator = initiator;
}

static void pdc_event(struct ledger *l, unsigned side,
		      const struct orc_event *ev)
{
	struct pdcid *p = &l->pdcids[side][ev->orig_pdcid];

	if (!strcmp(ev->reason, "closed") || !strcmp(ev->reason, "ack wait"))
		end_waits(l, side, ev->orig_pdcid);
	if (!strcmp(ev->reason, "closed"))
		p->open = false;
	else if (!p->open)
		pdc_opened(l, side, ev->orig_pdcid,
			   !strcmp(ev->reason, "creating"));
}

void ledger_ask_close(struct ledger *l, unsigned side)
{
	for (unsigned i = 0; i < l->ntouched; i++) {
		struct pdcid *p = &l->pdcids[side][l->touched[i].pdcid];

		if (l->touched[i].side == side)
			p->asked = p->open && !p->initiator;
	}
}

static void close_pdcs(struct ledger *l)
{
	for (unsigned i = 0; i < l->ntouched; i++) {
		const unsigned side = l->touched[i].side;
		const uint16_t pdcid = l->touched[i].pdcid;
		const struct pdcid *p = &l->pdcids[side][pdcid];

		if (p->asked && p->open && !l->plan->frail)
			ledger_wrong(l, "pdc %u was asked to close and has not",
				     pdcid);
	}
}

/* ---- What the target answers ---- */

void ledger_asks_clear(struct ledger *l, unsigned side, uint16_t pdcid,
		       uint32_t psn)
{
	const struct entry *e = place(l, key_of(l, side, pdcid, psn));

	if (e->delivered && !e->gtd)
		ledger_wrong(l,
			     "a clear of psn %u is asked for, and its "
			     "response is an ordinary one",
			     psn);
}

void ledger_policy(struct ledger *l, unsigned side, struct ses_policy policy)
{
	l->policy[side] = policy;
	l->policy_left[side] = policy.count;
}

/* The policy that a packet at |side| meets; each takes one of its count. */
static struct ses_policy take_policy(struct ledger *l, unsigned side)
{
	if (!l->policy_left[side])
		return (struct ses_policy){0};
	l->policy_left[side]--;
	return l->policy[side];
}

static struct plan_op *op_by_id(struct ledger *l, unsigned side, uint16_t id)
{
	struct plan_op *o;

	if (id < PLAN_FIRST_ID || id >= PLAN_FIRST_ID + l->plan->n)
		return NULL;
	o = &l->plan->ops[id - PLAN_FIRST_ID];
	return o->side == side ? o : NULL;
}

/*
 * The first packet of a message that errs tells the error.  A message without
 * an id is one packet, and what is wrong with it is looked up with its
 * response.
 */
static uint8_t error_of(struct ledger *l, unsigned side, uint16_t message_id,
			uint8_t policy)
{
	struct plan_op *o = op_by_id(l, !side, message_id);

	if (!o)
		return policy;
	if (o->told)
		return 0;
	if (policy)
		o->error = policy;
	o->told = o->error != 0;
	return o->error;
}

/* In ROD nothing is skipped that comes later, and nothing comes again. */
static void in_order(struct ledger *l, unsigned side,
		     const struct orc_event *ev)
{
	struct pdcid *p = &l->pdcids[side][ev->orig_pdcid];

	if (p->any && !serial_after(ev->orig_psn, p->psn))
		ledger_wrong(l, "psn %u was delivered after %u", ev->orig_psn,
			     p->psn);
	p->any = true;
	p->psn = ev->orig_psn;
}

static void delivered(struct ledger *l, unsigned side,
		      const struct orc_event *ev, const struct arriving *in,
		      bool ret)
{
	struct entry *e;

	if (!in) {
		ledger_wrong(l, "psn %u was delivered, but none arrived",
			     ev->orig_psn);
		return;
	}
	e = line_of(l, !side, in->spdcid, in->psn);
	e->rudi = in->rudi;
	if (e->delivered && !in->rudi)
		ledger_wrong(l, "psn %u was delivered twice", ev->orig_psn);
	if (e->delivered < UINT8_MAX)
		e->delivered++;
	if (in->psn != ev->orig_psn)
		ledger_wrong(l, "psn %u was delivered as %u", in->psn,
			     ev->orig_psn);
	e->ret = ret;
	if (in->rod)
		in_order(l, side, ev);
}

/* Each copy meets a policy of its own, and one of their responses is taken. */
static void rx_rudi(struct ledger *l, unsigned side, const struct orc_event *ev,
		    const struct arriving *in)
{
	const struct ses_policy policy = take_policy(l, side);

	delivered(l, side, ev, in, false);
	if (policy.return_code)
		line_of(l, !side, in->spdcid, in->psn)->codes |=
			(uint64_t)1 << policy.return_code;
}

static void rx_req(struct ledger *l, unsigned side, const struct orc_event *ev,
		   const struct arriving *in)
{
	struct ses_policy policy;
	struct entry *e;

	if (in && in->uud)
		return; /* nothing answers it, and its message is looked at */
	if (in && in->rudi) {
		rx_rudi(l, side, ev, in);
		return;
	}
	policy = take_policy(l, side);
	delivered(l, side, ev, in, false);
	l->forward++;
	if (!in)
		return;
	e = line_of(l, !side, in->spdcid, in->psn);
	e->error = error_of(l, side, ev->message_id, policy.return_code);
	e->gtd = policy.gtd == OP_GTD_YES;
}

static void rx_ret(struct ledger *l, unsigned side, const struct orc_event *ev,
		   const struct arriving *in)
{
	delivered(l, side, ev, in, true);
	l->returned++;
}

/* ---- What the source hears ---- */

static bool is_success(uint8_t return_code)
{
	return return_code == RC_NULL || return_code == RC_OK;
}

/* A packet without a message id is a whole message: its error is the other. */
static uint8_t settle_error(struct plan_op *o, uint8_t told)
{
	if (told)
		o->error = told;
	return o->error;
}

/* A RUDI response is that to one of the copies. */
static void rx_rudi_rsp(struct ledger *l, struct plan_op *o,
			const struct entry *e, const struct orc_event *ev)
{
	const uint8_t rc = ev->return_code;

	if (is_success(rc)) {
		if (o->error)
			ledger_wrong(l, "operation %u was not refused",
				     ev->handle);
		return;
	}
	o->refused = true;
	if (rc != o->error && !(e->codes >> rc & 1))
		ledger_wrong(l, "pkt_id %u: response %u for no reason",
			     ev->orig_psn, rc);
}

static void rx_rsp(struct ledger *l, unsigned side, const struct orc_event *ev)
{
	struct entry *e = line_of(l, side, ev->orig_pdcid, ev->orig_psn);
	uint8_t error = e->error;

	ledger_sent(l, side, ev->orig_pdcid, ev->orig_psn);
	if (!e->delivered)
		ledger_wrong(l, "psn %u was answered before it was delivered",
			     ev->orig_psn);
	if (e->answered++)
		ledger_wrong(l, "psn %u was answered twice", ev->orig_psn);
	if (e->ret)
		return;
	if (ev->handle >= l->plan->n) {
		ledger_wrong(l, "a response for operation %u", ev->handle);
		return;
	}
	l->plan->ops[ev->handle].answers++;
	if (e->rudi) {
		rx_rudi_rsp(l, &l->plan->ops[ev->handle], e, ev);
		return;
	}
	if (!l->plan->ops[ev->handle].op.message_id)
		error = settle_error(&l->plan->ops[ev->handle], error);
	if (error ? ev->return_code != error : !is_success(ev->return_code))
		ledger_wrong(l, "psn %u: response %u instead of %u",
			     ev->orig_psn, ev->return_code, error);
}

/* ---- Operations ---- */

/* Bytes |p| must be the pattern of |id| from |base| on. */
static bool is_pattern(const uint8_t *p, size_t len, uint16_t id, uint32_t base)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] != ses_pattern(id, base + (uint32_t)i))
			return false;
	return true;
}

static void check_last(struct ledger *l, const struct orc_api *api,
		       const struct orc *end, uint32_t len, uint16_t id,
		       uint32_t base)
{
	const uint8_t *p;
	size_t n;

	if (!len)
		return;
	if (api->memory(end, 0, &p, &n) || n != len)
		ledger_wrong(l, "a message of %u bytes is not there", len);
	else if (!is_pattern(p, n, id, base))
		ledger_wrong(l, "a message of %u bytes has wrong bytes", len);
}

/* A packet was given up; in return data nobody waits for it. */
static void rx_error(struct ledger *l, const struct orc_event *ev)
{
	if (!l->plan->frail)
		ledger_wrong(l, "a packet of operation %u failed", ev->handle);
	if (ev->handle < l->plan->n)
		l->plan->ops[ev->handle].failures++;
	else
		l->data_lost++;
}

static bool ends_right(const struct ledger *l, const struct plan_op *o,
		       const struct orc_event *ev)
{
	if (l->plan->frail && ev->status >= STATUS_RETRIES)
		return true;
	if (plan_is_loose(o))
		return ev->status == (o->refused ? STATUS_REFUSED : STATUS_OK);
	if (!o->error)
		return ev->status == STATUS_OK;
	return ev->status == STATUS_REFUSED && ev->return_code == o->error;
}

static uint64_t count_of(const uint8_t *p)
{
	uint64_t v = 0;

	for (unsigned i = 8; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

static uint64_t first_count(uint32_t offset)
{
	uint8_t p[8];

	for (uint32_t i = 0; i < 8; i++)
		p[i] = ses_pattern(0, offset + i);
	return count_of(p);
}

/* What an atomic found is a sum that the count had on its way. */
static void check_fetched(struct ledger *l, const struct plan_op *o,
			  const struct orc_api *api, const struct orc *end)
{
	const uint64_t first = first_count((uint32_t)o->op.offset);
	uint64_t all = 0;
	const uint8_t *p;
	size_t n;

	for (unsigned i = 0; i < l->plan->n; i++)
		if (l->plan->ops[i].side == o->side)
			all += l->plan->ops[i].op.amo.operand;
	if (api->memory(end, 0, &p, &n) || n != 8 || count_of(p) - first > all)
		ledger_wrong(l, "operation %u fetched what never was",
			     o->op.handle);
}

static struct plan_op *completion(struct ledger *l, unsigned side,
				  const struct orc_event *ev,
				  const struct orc_api *api,
				  const struct orc *end)
{
	struct plan_op *o;

	if (ev->handle >= l->plan->n || l->plan->ops[ev->handle].side != side) {
		ledger_wrong(l, "operation %u completed", ev->handle);
		return NULL;
	}
	o = &l->plan->ops[ev->handle];
	if (o->completed++)
		ledger_wrong(l, "operation %u completed twice", ev->handle);
	o->ok = ev->status == STATUS_OK;
	o->failed = ev->status >= STATUS_RETRIES;
	if (!ends_right(l, o, ev))
		ledger_wrong(l,
			     "operation %u ended with status %d, return code "
			     "%u instead of %u",
			     ev->handle, (int)ev->status, ev->return_code,
			     o->error);
	if (o->ok && o->op.kind == OP_READ)
		check_last(l, api, end, o->op.len, 0, o->base);
	if (o->ok && o->op.amo.fetch)
		check_fetched(l, o, api, end);
	return o->ok ? o : NULL;
}

/* Whether |o| may be the message that |side| received. */
static bool fits(const struct plan_op *o, unsigned side,
		 const struct orc_event *ev)
{
	static const uint8_t next_hdrs[] = {
		[OP_HEADER_STD] = PDS_NEXT_REQUEST_STD,
		[OP_HEADER_MEDIUM] = PDS_NEXT_REQUEST_MEDIUM,
		[OP_HEADER_SMALL] = PDS_NEXT_REQUEST_SMALL,
	};
	static const uint8_t opcodes[] = {
		[OP_SEND] = SES_SEND,
		[OP_WRITE] = SES_WRITE,
		[OP_ATOMIC] = SES_ATOMIC,
	};
	const uint8_t opcode =
		o->op.mode == OP_UUD ? SES_DATAGRAM_SEND : opcodes[o->op.kind];

	return o->side != side && plan_receives(o) &&
	       (!o->received || plan_is_loose(o)) &&
	       plan_is_loose(o) == !ev->orig_pdcid &&
	       next_hdrs[o->op.header] == ev->next_hdr &&
	       o->op.message_id == ev->message_id && opcode == ev->opcode &&
	       o->op.len == ev->len;
}

static void received(struct ledger *l, unsigned side,
		     const struct orc_event *ev, const struct orc_api *api,
		     const struct orc *end)
{
	struct plan_op *o = l->plan->ops;

	while (o < l->plan->ops + l->plan->n && !fits(o, side, ev))
		o++;
	if (o == l->plan->ops + l->plan->n) {
		ledger_wrong(l, "message %u of %u bytes received for nothing",
			     ev->message_id, ev->len);
		return;
	}
	o->received++;
	if (o->op.kind == OP_SEND)
		check_last(l, api, end, ev->len, ev->message_id, 0);
}

static void dropped(struct ledger *l, unsigned side, const struct orc_event *ev)
{
	if (!strcmp(ev->reason, "refused by the ses"))
		take_policy(l, side);
}

struct plan_op *ledger_event(struct ledger *l, unsigned side,
			     const struct orc_event *ev,
			     const struct arriving *in,
			     const struct orc_api *api, const struct orc *end)
{
	switch (ev->kind) {
	case EV_PDS_SES_RX_REQ:
		rx_req(l, side, ev, in);
		break;
	case EV_PDS_SES_RX_RSP:
		rx_rsp(l, side, ev);
		break;
	case EV_PDS_SES_RX_RET:
		rx_ret(l, side, ev, in);
		break;
	case EV_PDS_SES_ERROR:
		rx_error(l, ev);
		break;
	case EV_COMPLETION:
		return completion(l, side, ev, api, end);
	case EV_RECV:
		received(l, side, ev, api, end);
		break;
	case EV_DROP:
		dropped(l, side, ev);
		break;
	case EV_PDC:
		pdc_event(l, side, ev);
		break;
	case EV_PDS_SES_EAGER_SIZE:
	case EV_PDS_PAUSE:
	case EV_UNRESPONSIVE:
		break;
	}
	return NULL;
}

/* ---- The end ---- */

/* Whether EV_RECV cannot tell two messages apart: they have no id. */
static bool alike(const struct plan_op *a, const struct plan_op *b)
{
	return !plan_is_loose(a) && !plan_is_loose(b) && !a->op.message_id &&
	       !b->op.message_id && a->side == b->side &&
	       a->op.kind == b->op.kind && a->op.header == b->op.header &&
	       a->op.len == b->op.len && a->op.amo.fetch == b->op.amo.fetch;
}

static bool spoilt(const struct plan_op *o)
{
	return o->error || o->failed || o->refused;
}

/*
 * Of those that look alike, the ones that ended well were received; one that
 * was given up may have been.
 */
static void hand_on(struct plan *p, struct plan_op *o, bool given_up)
{
	for (unsigned i = 0; o->received && spoilt(o) && i < p->n; i++) {
		struct plan_op *other = &p->ops[i];

		if (!other->received && !other->error &&
		    other->failed == given_up && alike(o, other)) {
			o->received--;
			other->received++;
		}
	}
}

static void hand_all_on(struct plan *p)
{
	for (unsigned i = 0; i < p->n; i++)
		hand_on(p, &p->ops[i], false);
	for (unsigned i = 0; i < p->n; i++)
		if (p->ops[i].error)
			hand_on(p, &p->ops[i], true);
}

/*
 * A target that gives up return data cannot tell the initiator, and no timer of
 * the PDS ends the wait of a read whose requests were all answered.
 */
static bool waits_for_ever(const struct ledger *l, const struct plan_op *o)
{
	return (o->op.kind == OP_READ || o->op.amo.fetch) && l->data_lost &&
	       o->answers == o->npackets;
}

/*
 * Without a PDC a message may come more than once, or not at all; one that has
 * no id may be taken for another.
 */
static void close_loose(struct ledger *l, const struct plan_op *o)
{
	const bool rudi = o->op.mode == OP_RUDI;

	if (!o->completed)
		ledger_wrong(l, "operation %u never completed", o->op.handle);
	if (o->answers + o->failures != (rudi ? o->npackets : 0))
		ledger_wrong(l, "operation %u: %u packets of %u answered",
			     o->op.handle, o->answers, o->npackets);
	if (rudi && o->op.kind == OP_WRITE && o->npackets == 1 && !spoilt(o) &&
	    o->op.message_id && !o->received)
		ledger_wrong(l, "the write of operation %u never arrived",
			     o->op.handle);
}

static void close_op(struct ledger *l, const struct plan_op *o)
{
	const bool arrives = plan_receives(o) && !o->error;

	if (!o->completed && !waits_for_ever(l, o))
		ledger_wrong(l, "operation %u never completed", o->op.handle);
	if (o->received != arrives && !(o->failed && o->received <= 1))
		ledger_wrong(l, "message of operation %u received %u times",
			     o->op.handle, o->received);
	if (o->answers + o->failures != o->npackets && !o->failed)
		ledger_wrong(l, "operation %u: %u packets of %u answered",
			     o->op.handle, o->answers, o->npackets);
	if (o->answers + o->failures > o->npackets)
		ledger_wrong(l, "operation %u: more answers than packets",
			     o->op.handle);
}

static void close_ops(struct ledger *l)
{
	uint32_t packets = 0;

	hand_all_on(l->plan);
	for (unsigned i = 0; i < l->plan->n; i++) {
		if (plan_is_loose(&l->plan->ops[i])) {
			close_loose(l, &l->plan->ops[i]);
			continue;
		}
		close_op(l, &l->plan->ops[i]);
		packets += l->plan->ops[i].npackets;
	}
	if (packets != l->forward && !l->plan->frail)
		ledger_wrong(l, "%u request packets delivered instead of %u",
			     l->forward, packets);
}

/* Nobody sends a datagram again. */
static void close_datagrams(struct ledger *l, unsigned side)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < l->plan->n; i++)
		n += l->plan->ops[i].side == side &&
		     l->plan->ops[i].op.mode == OP_UUD;
	if (n != l->datagrams[side])
		ledger_wrong(l, "%u datagrams sent instead of %u",
			     l->datagrams[side], n);
}

static void close_packets(struct ledger *l)
{
	for (uint32_t i = 0; i < l->nused; i++) {
		const struct entry *e = &l->v[l->used[i]];

		if (l->plan->frail || e->rudi
			    ? e->delivered < e->answered
			    : e->delivered != 1 || e->answered != 1)
			ledger_wrong(l,
				     "psn %u was delivered %u times and "
				     "answered %u times",
				     (uint32_t)e->key, e->delivered,
				     e->answered);
	}
}

/* Writes are laid out one behind the other: what is between is untouched. */
static void close_memory(struct ledger *l, unsigned side,
			 const struct orc_api *api, const struct orc *end)
{
	const uint8_t *p;
	size_t len, at = 0;

	if (api->memory(end, PLAN_KEY_WRITES, &p, &len)) {
		ledger_wrong(l, "the exposed memory is gone");
		return;
	}
	for (unsigned i = 0; i < l->plan->n; i++) {
		const struct plan_op *o = &l->plan->ops[i];
		const size_t to = o->op.offset;

		if (o->side == side || o->op.kind != OP_WRITE ||
		    o->op.key != PLAN_KEY_WRITES || to + o->op.len > len)
			continue;
		if (!is_pattern(p + at, to - at, 0, (uint32_t)at) ||
		    (!spoilt(o) &&
		     !is_pattern(p + to, o->op.len, o->op.message_id, 0)))
			ledger_wrong(l, "the memory of operation %u is wrong",
				     i);
		at = to + o->op.len;
	}
	if (!is_pattern(p + at, len - at, 0, (uint32_t)at))
		ledger_wrong(l, "memory was written that nobody wrote");
}

/* Each sum was added once: one that failed may have been, or not. */
static void close_count(struct ledger *l, unsigned side, uint32_t offset,
			uint64_t count)
{
	uint64_t least = first_count(offset), most = least;

	for (unsigned i = 0; i < l->plan->n; i++) {
		const struct plan_op *o = &l->plan->ops[i];
		const bool sure = o->completed && !o->failed;

		if (o->side == side || o->op.kind != OP_ATOMIC || o->error ||
		    o->op.offset != offset)
			continue;
		least += sure ? o->op.amo.operand : 0;
		most += o->op.amo.operand;
	}
	if (count - least > most - least)
		ledger_wrong(l,
			     "the count at %u is not the sum of what was "
			     "added",
			     offset);
}

static void close_counts(struct ledger *l, unsigned side,
			 const struct orc_api *api, const struct orc *end)
{
	const uint8_t *p;
	size_t len;

	if (api->memory(end, PLAN_KEY_COUNTS, &p, &len) ||
	    len != PLAN_MEM_COUNTS) {
		ledger_wrong(l, "the counts are gone");
		return;
	}
	for (uint32_t at = 0; at < len; at += 8)
		close_count(l, side, at, count_of(p + at));
}

void ledger_close(struct ledger *l, const struct orc_api *const *api,
		  struct orc *const *end)
{
	close_ops(l);
	close_packets(l);
	close_pdcs(l);
	for (unsigned i = 0; i < SIDES; i++) {
		close_datagrams(l, i);
		close_memory(l, i, api[i], end[i]);
		close_counts(l, i, api[i], end[i]);
	}
}
