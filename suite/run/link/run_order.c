/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_order.c -- keeps the tester's answers and its control
 * requests in order.
 *
 * The device receives packets and control requests separately.  A busy device
 * may carry out a request before it has processed an ACK that arrived earlier,
 * and no packet answers an ACK.  The next request therefore waits until the
 * device reports an effect of the ACK: the response that the ACK carries, the
 * completion of its last operation, or the event that a line expects.  Without
 * a report the request waits as long as the answer to a packet may take.  If
 * requests of the device are unacknowledged, it waits less than their
 * retransmission time.
 */
#include "suite/run/link/run_order.h"

#include <string.h>

#include "base/serial.h"
#include "base/word.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope_span.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "wire/uet/uet_pds.h"

static bool is_uet_answer(const struct packet *pkt)
{
	const enum pds_type type = pds_type_in(pkt->p, pkt->len);

	return pds_is_ack(type) || pds_is_nack(type) || type == PDS_RUDI_RESP;
}

/* Returns whether |pkt| is an answer, to which no packet is sent in reply. */
static bool is_answer(enum family family, const struct packet *pkt)
{
	static const char *const classes[] = {
		"srd_ack",  "wqe_ack", "wqe_rtx_ind",
		"wqe_resp", "rc_ack",  "rc_resp",
	};
	const char *class;

	if (suite_families[family]->has_pdcs)
		return is_uet_answer(pkt);
	class = blame_class(packet_word(pkt));
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (word_same(class, classes[i]))
			return true;
	return false;
}

/*
 * Compares the PSNs that were seen before the answer.  Those that newer ones
 * have replaced since count as acknowledged: a wait may be shorter by them.
 */
bool order_acks_all(const struct runner *r)
{
	const struct scope *s = &r->scope;
	size_t i = s->psns_seen > SCOPE_PSNS ? s->psns_seen - SCOPE_PSNS : 0;

	if (!r->order.is_ack)
		return false;
	for (; i < r->order.psns_seen; i++) {
		const struct scope_psn *p = &s->psns[i % SCOPE_PSNS];

		if (!p->to_dut && p->pdc == r->order.pdc &&
		    p->psn != r->order.psn &&
		    serial_after(p->psn, r->order.cack))
			return false;
	}
	return true;
}

void order_sent(struct runner *r, size_t index, vtime at)
{
	const struct rec *rec = &r->rec->recs[index];
	struct packet pkt;
	uint64_t cack = 0;

	record_packet(r->rec, rec, &pkt);
	if (!is_answer(rec->family, &pkt))
		return;
	r->order.unread = true;
	r->order.sent_at = at;
	r->order.psn = 0;
	r->order.is_ack = packet_value(&pkt, "ack_psn", &r->order.psn) &&
			  packet_value(&pkt, "cack_psn", &cack);
	r->order.cack = (uint32_t)cack;
	r->order.pdc = rec->pdc;
	r->order.psns_seen = r->scope.psns_seen;
}

/* Returns how many completions an operation causes. */
static uint32_t completions_of(const struct orc_op *op)
{
	switch (op->kind) {
	case OP_SEND:
	case OP_WRITE:
	case OP_READ:
	case OP_ATOMIC:
		return 1;
	case OP_POST_SEND:
		if (op->count)
			return op->count;
		return 1;
	default:
		return 0;
	}
}

static bool sends_without_completion(const struct orc_op *op)
{
	return op->kind == OP_SES_PDS_TX_REQ || op->kind == OP_SES_PDS_TX_RET ||
	       op->kind == OP_SEND_CP || op->kind == OP_ASK_CLOSE;
}

void order_posted(struct runner *r, const struct orc_op *op)
{
	r->order.due += completions_of(op);
	r->order.unreported |= sends_without_completion(op);
}

void order_refused(struct runner *r, const struct orc_op *op)
{
	const uint32_t n = completions_of(op);

	if (n < r->order.due)
		r->order.due -= n;
	else
		r->order.due = 0;
}

void order_reported(struct runner *r, const struct orc_event *ev)
{
	if (ev->kind == EV_PDS_SES_RX_RSP && ev->orig_psn &&
	    ev->orig_psn == r->order.psn)
		r->order.unread = false;
	if (ev->kind != EV_COMPLETION)
		return;
	r->order.completed_at = r->ev.at;
	if (r->order.due)
		r->order.due--;
	if (!r->order.due && !r->order.unreported)
		r->order.unread = false;
}

void order_report_met(struct runner *r)
{
	if (r->order.completed_at >= r->order.sent_at)
		r->order.unread = false;
}
