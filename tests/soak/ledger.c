/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tests/soak/ledger.c -- records every packet and every operation, and checks
 * each event.
 */
#include "tests/soak/ledger.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "base/serial.h"
#include "tests/soak/bytes.h"
#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

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
	memset(l->served, 0, sizeof(l->served));
	memset(l->ended, 0, sizeof(l->ended));
	l->returned = 0;
	l->data_lost = 0;
	l->errors = 0;
	l->text[0] = 0;
}

/* ---- Packets ---- */

static struct entry *soak_ledger_place(struct ledger *l, uint64_t key)
{
	uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 49);

	while (l->v[i].key && l->v[i].key != key)
		i = (i + 1) % LEDGER_ENTRIES;
	return &l->v[i];
}

static uint64_t soak_ledger_key_of(const struct ledger *l, unsigned side,
				   uint16_t pdcid, uint32_t psn)
{
	const uint64_t life = l->pdcids[side][pdcid].life & 0x3fff;

	return (uint64_t)1 << 63 | (uint64_t)side << 62 | life << 48 |
	       (uint64_t)pdcid << 32 | psn;
}

/*
 * Returns the entry of a packet that |side| sent, and makes it if there is
 * none.
 */
static struct entry *soak_ledger_line_of(struct ledger *l, unsigned side,
					 uint16_t pdcid, uint32_t psn)
{
	const uint64_t key = soak_ledger_key_of(l, side, pdcid, psn);
	struct entry *e = soak_ledger_place(l, key);

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

/* A later NACK restarts the wait. */
void ledger_nack(struct ledger *l, unsigned side, uint16_t pdcid, uint32_t psn,
		 vtime due)
{
	const struct entry *e =
		soak_ledger_place(l, soak_ledger_key_of(l, side, pdcid, psn));

	ledger_sent(l, side, pdcid, psn);
	if (e->answered || (pdcid && !l->pdcids[side][pdcid].open) ||
	    l->nwaits == LEDGER_WAITS)
		return;
	l->waits[l->nwaits++] = (struct wait){side, pdcid, psn, due};
}

/* A SACK may have shown that another copy arrived after all. */
void ledger_time(struct ledger *l, vtime now)
{
	for (unsigned i = l->nwaits; i-- > 0;) {
		const struct wait w = l->waits[i];

		if (w.due >= now)
			continue;
		if (!soak_ledger_place(
			     l, soak_ledger_key_of(l, w.side, w.pdcid, w.psn))
			     ->delivered)
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

/* ---- The target's answers ---- */

void ledger_asks_clear(struct ledger *l, unsigned side, uint16_t pdcid,
		       uint32_t psn)
{
	const struct entry *e =
		soak_ledger_place(l, soak_ledger_key_of(l, side, pdcid, psn));

	/* a variant may ask in each ACK while any response is stored */
	if (e->delivered && !e->gtd && !l->variants)
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

/* Returns the policy for a packet at |side| and counts it. */
static struct ses_policy soak_ledger_take_policy(struct ledger *l,
						 unsigned side)
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
	if (o->side == side)
		return o;
	return NULL;
}

/*
 * Returns the expected error of a packet: the first failing packet of a message
 * reports it.  A message without an id is one packet, whose error is checked
 * with its response.
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

/* In ROD no packet may be skipped or repeated. */
static void soak_ledger_in_order(struct ledger *l, unsigned side,
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
	e = soak_ledger_line_of(l, !side, in->spdcid, in->psn);
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
		soak_ledger_in_order(l, side, ev);
}

/* Each copy meets a policy of its own, and one of their responses is taken. */
static void rx_rudi(struct ledger *l, unsigned side, const struct orc_event *ev,
		    const struct arriving *in)
{
	const struct ses_policy policy = soak_ledger_take_policy(l, side);

	delivered(l, side, ev, in, false);
	if (policy.return_code)
		soak_ledger_line_of(l, !side, in->spdcid, in->psn)->codes |=
			(uint64_t)1 << policy.return_code;
}

static void rx_req(struct ledger *l, unsigned side, const struct orc_event *ev,
		   const struct arriving *in)
{
	const struct plan_op *o;
	struct ses_policy policy;
	struct entry *e;

	if (in && in->uud)
		return; /* it has no response; its message is checked */
	if (in && in->rudi) {
		rx_rudi(l, side, ev, in);
		return;
	}
	policy = soak_ledger_take_policy(l, side);
	delivered(l, side, ev, in, false);
	if (!in)
		return;
	e = soak_ledger_line_of(l, !side, in->spdcid, in->psn);
	e->silent = l->plan->sends && ev->message_id &&
		    !op_by_id(l, !side, ev->message_id);
	e->gtd = policy.gtd == OP_GTD_YES;
	if (e->silent) {
		if (ev->opcode == SES_READ)
			l->served[side] += ev->len;
		return;
	}
	l->forward++;
	e->error = error_of(l, side, ev->message_id, policy.return_code);
	o = op_by_id(l, !side, ev->message_id);
	if (o && o->late)
		e->gtd = true;
}

static void rx_ret(struct ledger *l, unsigned side, const struct orc_event *ev,
		   const struct arriving *in)
{
	delivered(l, side, ev, in, true);
	l->returned++;
}

/* ---- The source's events ---- */

static bool soak_ledger_is_success(uint8_t return_code)
{
	return return_code == RC_NULL || return_code == RC_OK;
}

/*
 * Returns true for a code that a device may give for an error: "which of the
 * codes an error has" is not told (uet.md 5.8).  A variant may give any; the
 * reference gives its own, so that a mutant is found.
 */
static bool soak_ledger_may_say(const struct ledger *l, uint8_t rc,
				uint8_t error)
{
	if (l->variants && error)
		return !soak_ledger_is_success(rc);
	switch (error) {
	case RC_BAD_MKEY:
		return rc == RC_BAD_MKEY || rc == RC_PERM_VIOLATION ||
		       rc == RC_NO_MATCH;
	case RC_BAD_ADDR:
		return rc == RC_BAD_ADDR || rc == RC_PERM_VIOLATION;
	default:
		return rc == error;
	}
}

/* A packet without a message id is a whole message, with its own error. */
static uint8_t settle_error(struct plan_op *o, uint8_t told)
{
	if (told)
		o->error = told;
	return o->error;
}

/* A RUDI response answers one of the copies. */
static void soak_ledger_rx_rudi_rsp(struct ledger *l, struct plan_op *o,
				    const struct entry *e,
				    const struct orc_event *ev)
{
	const uint8_t rc = ev->return_code;

	if (soak_ledger_is_success(rc)) {
		if (o->error)
			ledger_wrong(l, "operation %u was not refused",
				     ev->handle);
		return;
	}
	o->refused = true;
	if (!soak_ledger_may_say(l, rc, o->error) && !(e->codes >> rc & 1))
		ledger_wrong(l, "pkt_id %u: response %u for no reason",
			     ev->orig_psn, rc);
}

static void rx_rsp(struct ledger *l, unsigned side, const struct orc_event *ev)
{
	struct entry *e =
		soak_ledger_line_of(l, side, ev->orig_pdcid, ev->orig_psn);
	uint8_t error = e->error;

	ledger_sent(l, side, ev->orig_pdcid, ev->orig_psn);
	if (!e->delivered)
		ledger_wrong(l, "psn %u was answered before it was delivered",
			     ev->orig_psn);
	if (e->answered++)
		ledger_wrong(l, "psn %u was answered twice", ev->orig_psn);
	if (e->ret)
		return;
	if (e->silent) {
		if (!soak_ledger_is_success(ev->return_code))
			ledger_wrong(l,
				     "psn %u, which the SES sent: response %u",
				     ev->orig_psn, ev->return_code);
		return;
	}
	if (ev->handle >= l->plan->n) {
		ledger_wrong(l, "a response for operation %u", ev->handle);
		return;
	}
	l->plan->ops[ev->handle].answers++;
	if (l->plan->ops[ev->handle].late)
		return; /* deferred by any response, or received at once */
	if (e->rudi) {
		soak_ledger_rx_rudi_rsp(l, &l->plan->ops[ev->handle], e, ev);
		return;
	}
	if (!l->plan->ops[ev->handle].op.message_id)
		error = settle_error(&l->plan->ops[ev->handle], error);
	if (error ? !soak_ledger_may_say(l, ev->return_code, error)
		  : !soak_ledger_is_success(ev->return_code))
		ledger_wrong(l, "psn %u: response %u instead of %u",
			     ev->orig_psn, ev->return_code, error);
}

/* ---- Operations ---- */

static void soak_ledger_check_last(struct ledger *l, const struct orc_api *api,
				   const struct orc *end, uint32_t len,
				   uint64_t id, uint32_t base)
{
	const uint8_t *p;
	size_t n;

	if (!len)
		return;
	if (api->memory(end, 0, &p, &n) || n != len)
		ledger_wrong(l, "a message of %u bytes is not there", len);
	else if (!bytes_fit(p, n, id, base))
		ledger_wrong(l, "a message of %u bytes has wrong bytes", len);
}

/*
 * A packet was abandoned; no operation waits for one of return data, or for the
 * request of the other side.
 */
static void rx_error(struct ledger *l, const struct orc_event *ev)
{
	if (!l->plan->frail)
		ledger_wrong(l, "a packet of operation %u failed", ev->handle);
	if (ev->rx_pkt_handle)
		return;
	if (ev->handle < l->plan->n)
		l->plan->ops[ev->handle].failures++;
	else
		l->data_lost++;
}

static bool soak_ledger_ends_right(const struct ledger *l,
				   const struct plan_op *o,
				   const struct orc_event *ev)
{
	if (l->plan->frail && ev->status >= STATUS_RETRIES)
		return true;
	if (plan_is_loose(o))
		return ev->status == (o->refused ? STATUS_REFUSED : STATUS_OK);
	if (!o->error)
		return ev->status == STATUS_OK;
	return ev->status == STATUS_REFUSED &&
	       soak_ledger_may_say(l, ev->return_code, o->error);
}

/* The result of an atomic must be an intermediate sum of the counter. */
static void check_fetched(struct ledger *l, const struct plan_op *o,
			  const struct orc_api *api, const struct orc *end)
{
	const uint64_t first =
		bytes_first_count(PLAN_KEY_COUNTS, (uint32_t)o->op.offset);
	uint64_t all = 0;
	const uint8_t *p;
	size_t n;

	for (unsigned i = 0; i < l->plan->n; i++)
		if (l->plan->ops[i].side == o->side)
			all += l->plan->ops[i].op.amo.operand;
	if (api->memory(end, 0, &p, &n) || n != 8 ||
	    bytes_count(p) - first > all)
		ledger_wrong(l, "operation %u fetched what never was",
			     o->op.handle);
}

/* No rendezvous ends before its body was read. */
static void check_served(struct ledger *l, unsigned side,
			 const struct plan_op *o)
{
	if (!o->op.rendezvous)
		return;
	l->ended[side] += o->op.len - plan_pushed(&o->op);
	if (l->ended[side] > l->served[side])
		ledger_wrong(l, "operation %u ended before its body was read",
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
	if (!soak_ledger_ends_right(l, o, ev))
		ledger_wrong(l,
			     "operation %u ended with status %d, return code "
			     "%u instead of %u",
			     ev->handle, (int)ev->status, ev->return_code,
			     o->error);
	if (o->ok && o->op.kind == OP_READ)
		soak_ledger_check_last(l, api, end, o->op.len, o->id, o->base);
	if (o->ok && o->op.amo.fetch)
		check_fetched(l, o, api, end);
	if (o->ok)
		check_served(l, side, o);
	if (o->ok)
		return o;
	return NULL;
}

/* Returns true if |o| may be the message that |side| received. */
/*
 * Returns true for the header and the message id that the operation asks for.
 * With |other| the header is one that a variant chose instead: MEDIUM or SMALL,
 * which have no id.
 */
static bool soak_ledger_header_fits(const struct plan_op *o,
				    const struct orc_event *ev, bool other)
{
	static const uint8_t next_hdrs[] = {
		[OP_HEADER_STD] = PDS_NEXT_REQUEST_STD,
		[OP_HEADER_MEDIUM] = PDS_NEXT_REQUEST_MEDIUM,
		[OP_HEADER_SMALL] = PDS_NEXT_REQUEST_SMALL,
	};

	if (other)
		return o->op.header == OP_HEADER_STD && !ev->message_id &&
		       (ev->next_hdr == PDS_NEXT_REQUEST_MEDIUM ||
			ev->next_hdr == PDS_NEXT_REQUEST_SMALL);
	return next_hdrs[o->op.header] == ev->next_hdr &&
	       o->op.message_id == ev->message_id;
}

static uint8_t send_opcode(const struct orc_op *op)
{
	if (op->mode == OP_UUD)
		return SES_DATAGRAM_SEND;
	if (op->rendezvous)
		return op->tagged ? SES_RENDEZVOUS_TSEND : SES_RENDEZVOUS_SEND;
	if (op->deferrable)
		return op->tagged ? SES_DEFERRABLE_TSEND : SES_DEFERRABLE_SEND;
	return op->tagged ? SES_TAGGED_SEND : SES_SEND;
}

static uint8_t soak_ledger_opcode(const struct orc_op *op)
{
	switch (op->kind) {
	case OP_WRITE:
		return SES_WRITE;
	case OP_ATOMIC:
		return SES_ATOMIC;
	default:
		return send_opcode(op);
	}
}

static bool soak_ledger_fits(const struct plan_op *o, unsigned side,
			     const struct orc_event *ev, bool other)
{
	const uint8_t opcode = soak_ledger_opcode(&o->op);

	return o->side != side && plan_receives(o) &&
	       (!o->received || plan_is_loose(o)) &&
	       plan_is_loose(o) == !ev->orig_pdcid &&
	       soak_ledger_header_fits(o, ev, other) && opcode == ev->opcode &&
	       o->op.len == ev->len;
}

/* Returns true if the last message that arrived is that of the operation. */
static bool soak_ledger_holds(const struct plan_op *o,
			      const struct orc_api *api, const struct orc *end)
{
	const uint8_t *p;
	size_t n;

	return o->op.kind != OP_SEND || !o->op.len ||
	       (!api->memory(end, 0, &p, &n) && n == o->op.len &&
		bytes_fit(p, n, o->op.handle, 0));
}

/* Returns the operation of a message that arrived, or NULL. */
static struct plan_op *soak_ledger_op_of(struct ledger *l, unsigned side,
					 const struct orc_event *ev,
					 const struct orc_api *api,
					 const struct orc *end, bool other)
{
	for (unsigned i = 0; i < l->plan->n; i++)
		if (soak_ledger_fits(&l->plan->ops[i], side, ev, other) &&
		    soak_ledger_holds(&l->plan->ops[i], api, end))
			return &l->plan->ops[i];
	return NULL;
}

static void soak_ledger_received(struct ledger *l, unsigned side,
				 const struct orc_event *ev,
				 const struct orc_api *api,
				 const struct orc *end)
{
	struct plan_op *o = soak_ledger_op_of(l, side, ev, api, end, false);

	if (!o && l->variants)
		o = soak_ledger_op_of(l, side, ev, api, end, true);
	if (!o) {
		ledger_wrong(l,
			     "message %u of %u bytes received for nothing, or "
			     "with other bytes",
			     ev->message_id, ev->len);
		return;
	}
	o->received++;
}

static void soak_ledger_dropped(struct ledger *l, unsigned side,
				const struct orc_event *ev)
{
	if (!strcmp(ev->reason, "refused by the ses"))
		soak_ledger_take_policy(l, side);
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
		soak_ledger_received(l, side, ev, api, end);
		break;
	case EV_DROP:
		soak_ledger_dropped(l, side, ev);
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
