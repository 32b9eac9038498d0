/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/blame/run_other.c -- finds out whether a line counts on a choice
 * that the device has made otherwise: one PDC for all messages, a window of
 * several packets, a source without credit, a PDC that stays open while it is
 * idle or when it has used many PSNs.
 */
#include "suite/run/blame/run_other.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/serial.h"
#include "oracle/oracle.h"
#include "suite/decl/decl_setting.h"
#include "suite/run/run_settle.h"
#include "suite/verdict/blame.h"
#include "wire/packet.h"
#include "wire/uet/uet_pds.h"

static bool run_split(struct runner *r, unsigned line, const char *text)
{
	if (!r->scope.split || run_is_guilty(r->rec))
		return false;
	run_settle(r, REASON_SEVERAL_PDCS,
		   "line %u counts on one PDC for all messages, and the device "
		   "opened another one: %.160s",
		   line, text);
	return true;
}

#define NO_ENTRY SIZE_MAX

/*
 * Returns the last entry before |i|, on the same PDC, that is a packet of a
 * class from one side, or NO_ENTRY.
 */
static size_t last_entry_of(const struct record *rec, size_t i,
			    enum rec_kind side, const char *class)
{
	const uint8_t pdc = rec->recs[i].pdc;
	struct packet pkt;

	while (i-- > 0) {
		const struct rec *one = &rec->recs[i];

		if (one->kind != side || !one->frame || one->pdc != pdc)
			continue;
		record_packet(rec, one, &pkt);
		if (strcmp(blame_class(packet_word(&pkt)), class) == 0)
			return i;
	}
	return NO_ENTRY;
}

/* Returns true if entry |i| is a control packet of that type from the DUT. */
static bool is_control_of_dut(const struct record *rec, size_t i, uint64_t type)
{
	const struct rec *one = &rec->recs[i];
	struct packet pkt;
	uint64_t v;

	if (one->kind != REC_RX || !one->frame)
		return false;
	record_packet(rec, one, &pkt);
	return packet_value(&pkt, "ctl_type", &v) && v == type;
}

/*
 * Returns true if entry |i| is a Close Command that the DUT sent when its last
 * request was as old as it declares.
 */
static bool closes_idle(const struct runner *r, size_t i)
{
	const struct decl_time *idle = &r->decl->close_idle;
	size_t last;

	if (!is_control_of_dut(r->rec, i, PDS_CP_CLOSE_COMMAND))
		return false;
	last = last_entry_of(r->rec, i, REC_RX, "req");
	if (last == NO_ENTRY) /* a control packet opened the PDC */
		return r->rec->chair == CHAIR_INITIATOR;
	return r->rec->recs[i].at - r->rec->recs[last].at >=
	       idle->value - idle->tolerance;
}

/*
 * Returns true if entry |i| is a Close Request that the DUT sent when the last
 * request that it took was as old as it declares.  The DUT may have dropped a
 * request that the tester sent after the DUT's last ACK, and a PDC is idle that
 * gets such requests alone.
 */
static bool asks_idle(const struct runner *r, size_t i, uint64_t span)
{
	size_t ack, last = NO_ENTRY;

	if (!is_control_of_dut(r->rec, i, PDS_CP_CLOSE_REQUEST))
		return false;
	ack = last_entry_of(r->rec, i, REC_RX, "ack");
	if (ack != NO_ENTRY)
		last = last_entry_of(r->rec, ack, REC_TX, "req");
	if (last == NO_ENTRY) /* a control packet opened the PDC */
		return true;
	return r->rec->recs[i].at - r->rec->recs[last].at >=
	       (vspan)span - r->decl->rto.tolerance;
}

static bool run_asked_idle(struct runner *r, unsigned line, const char *text)
{
	uint64_t span;

	if (!decl_setting_find(r->decl, SETTING_ask_close_idle, &span) ||
	    !span || r->asks_close || run_is_guilty(r->rec))
		return false;
	for (size_t i = 0; i < r->rec->nrecs; i++) {
		if (!asks_idle(r, i, span))
			continue;
		run_settle(
			r, REASON_CLOSED_IDLE,
			"line %u counts on an open PDC, and the device asked "
			"for its close after \"setting ask_close_idle\" of "
			"the declaration: %.120s",
			line, text);
		return true;
	}
	return false;
}

static bool run_closed_idle(struct runner *r, unsigned line, const char *text)
{
	if (!r->decl->close_idle.value || run_is_guilty(r->rec))
		return false;
	for (size_t i = 0; i < r->rec->nrecs; i++) {
		if (!closes_idle(r, i))
			continue;
		run_settle(r, REASON_CLOSED_IDLE,
			   "line %u counts on an open PDC, and the device "
			   "closed it after \"timer close_idle\" of the "
			   "declaration: %.120s",
			   line, text);
		return true;
	}
	return false;
}

/* Returns how many PSNs of a PDC the DUT has used. */
static uint32_t run_used(const struct runner *r, uint8_t pdc)
{
	const struct scope_psn *first = NULL;
	uint32_t used = 0;

	for (size_t i = 0; i < r->scope.npsns; i++) {
		const struct scope_psn *p = &r->scope.psns[i];

		if (p->to_dut || p->pdc != pdc)
			continue;
		if (!first)
			first = p;
		if (serial_after(p->psn, first->psn + used - 1))
			used = p->psn - first->psn + 1;
	}
	return used;
}

/* Returns whether the DUT closes a PDC, or asks for that. */
static bool run_closes(const struct runner *r)
{
	struct packet pkt;
	uint64_t type;

	for (size_t i = 0; i < r->rec->nrecs; i++) {
		if (r->rec->recs[i].kind != REC_RX || !r->rec->recs[i].frame)
			continue;
		record_packet(r->rec, &r->rec->recs[i], &pkt);
		if (packet_value(&pkt, "ctl_type", &type) &&
		    (type == PDS_CP_CLOSE_COMMAND ||
		     type == PDS_CP_CLOSE_REQUEST))
			return true;
	}
	return false;
}

/* The other half of the range may be too short for the next message. */
static bool run_used_up(struct runner *r, unsigned line, const char *text)
{
	uint64_t range;

	if (!decl_setting_find(r->decl, SETTING_psn_range, &range) ||
	    run_is_guilty(r->rec) || (!r->scope.split && !run_closes(r)))
		return false;
	for (uint8_t pdc = 0; pdc < r->scope.npdcs; pdc++) {
		if (run_used(r, pdc) < range / 2)
			continue;
		run_settle(
			r, REASON_PSNS_USED_UP,
			"line %u counts on more PSNs of a PDC than \"setting "
			"psn_range\" of the declaration: %.120s",
			line, text);
		return true;
	}
	return false;
}

static bool is_request(const struct step *step)
{
	return step->kind == STEP_EXPECT && !step->to_dut && step->rung.type &&
	       strcmp(blame_class(step->rung.type), "req") == 0;
}

static bool is_new_request(const struct step *step)
{
	if (!is_request(step))
		return false;
	for (size_t i = 0; i < step->rung.npds; i++)
		if (strcmp(step->rung.pds[i].name, "retx") == 0 &&
		    step->rung.pds[i].ranges[0].lo.value)
			return false;
	return true;
}

/*
 * Returns whether a packet that the tester sent acknowledges a PSN.  One that
 * is lost or held up does not.
 */
static bool acknowledges(const struct runner *r, const struct rec *rec,
			 uint32_t psn)
{
	struct packet pkt;
	uint64_t ack, cack;

	if (rec->kind != REC_TX || rec->fate == FATE_DROPPED)
		return false;
	record_packet(r->rec, rec, &pkt);
	return packet_value(&pkt, "ack_psn", &ack) &&
	       packet_value(&pkt, "cack_psn", &cack) &&
	       (ack == psn || !serial_after(psn, (uint32_t)cack));
}

/* Returns when the tester acknowledged a request; VTIME_NEVER: it did not. */
static vtime run_acked_at(const struct runner *r, const struct scope_psn *p)
{
	const struct rec *recs = r->rec->recs;

	for (size_t i = p->first + 1; i < r->rec->nrecs; i++)
		if (recs[i].pdc == p->pdc && acknowledges(r, &recs[i], p->psn))
			return recs[i].at;
	return VTIME_NEVER;
}

/*
 * Returns whether an ACK of the time |acked| had arrived when entry |end| left:
 * one of the same time is still under way.
 */
static bool had_arrived(const struct runner *r, vtime acked, size_t end)
{
	const vspan grace = r->declared.grace + r->rec->jitter;

	if (acked == VTIME_NEVER)
		return false;
	return end == r->rec->nrecs || acked + grace < r->rec->recs[end].at;
}

/* Returns whether a packet of one end has the value in a field. */
static bool run_any_packet(const struct runner *r, enum rec_kind kind,
			   const char *field, uint64_t value)
{
	struct packet pkt;
	uint64_t v;

	for (size_t i = 0; i < r->rec->nrecs; i++) {
		const struct rec *rec = &r->rec->recs[i];

		if (rec->kind != kind || !rec->frame)
			continue;
		record_packet(r->rec, rec, &pkt);
		if (packet_value(&pkt, field, &v) && v == value)
			return true;
	}
	return false;
}

/* Returns whether the tester granted credit, in an ACK or a control packet. */
static bool run_granted(const struct runner *r)
{
	return run_any_packet(r, REC_TX, "cc_type", PDS_CC_CREDIT) ||
	       run_any_packet(r, REC_TX, "ctl_type", PDS_CP_CREDIT);
}

/* Returns whether the device asked for credit in a control packet. */
static bool run_asked_credit(const struct runner *r)
{
	return run_any_packet(r, REC_RX, "ctl_type", PDS_CP_CREDIT_REQUEST);
}

/* Returns true if all that differs is that a packet or a report waits. */
static bool is_of_waiting(const struct blame *what)
{
	static const char *const waits[] = {"missing", "late", "resend",
					    "clear_psn", NULL};

	for (size_t i = 0; i < what->n; i++) {
		const char *dot = strrchr(what->item[i], '.');
		size_t k = 0;

		while (dot && waits[k] && strcmp(dot + 1, waits[k]) != 0)
			k++;
		if (!dot || !waits[k])
			return false;
	}
	return what->n > 0;
}

/*
 * Returns whether a frame is a request that came in time.  One that the network
 * delayed is not what the line expects: a later request should overtake it.
 */
static bool run_request_came(const struct runner *r, uint32_t frame)
{
	const size_t i = record_entry_of(r->rec, frame);
	struct packet pkt;

	if (i == SIZE_MAX || r->rec->recs[i].fate == FATE_DELAYED)
		return false;
	record_packet(r->rec, &r->rec->recs[i], &pkt);
	return strcmp(blame_class(packet_word(&pkt)), "req") == 0;
}

/*
 * A retransmission needs credit as well; without it no report comes that it
 * failed.
 */
static bool run_waits_for_credit(struct runner *r, const struct step *step,
				 const struct blame *what, uint32_t frame,
				 const char *text)
{
	uint64_t cc;

	if (run_is_guilty(r->rec) ||
	    !decl_setting_find(r->decl, SETTING_cc, &cc) ||
	    cc != ORC_CC_CREDIT || run_granted(r))
		return false;
	if (what && !is_of_waiting(what) && run_request_came(r, frame))
		return false;
	if (!is_request(step) &&
	    (step->kind != STEP_REPORT || !run_asked_credit(r)))
		return false;
	run_settle(r, REASON_NO_CREDIT,
		   "line %u counts on a source that needs no credit, which "
		   "\"setting cc\" of the declaration rules out: %.120s",
		   step->line, text);
	return true;
}

/* Returns whether a packet differs from its line by a CLEAR_PSN alone. */
static bool is_clear_psn(const struct blame *what)
{
	return what && what->n == 1 &&
	       strcmp(what->item[0], "req.clear_psn") == 0;
}

/* Returns whether a window of the DUT was full when entry |end| left. */
static bool run_is_full(const struct runner *r, const vtime *acked, size_t end)
{
	for (uint8_t pdc = 0; pdc < r->scope.npdcs; pdc++) {
		uint32_t n = 0;

		for (size_t i = 0; i < r->scope.npsns; i++) {
			const struct scope_psn *p = &r->scope.psns[i];

			n += !p->to_dut && p->pdc == pdc && p->first <= end &&
			     !had_arrived(r, acked[i], end);
		}
		if (n >= r->decl->in_flight)
			return true;
	}
	return false;
}

/* Returns whether one of the packets of the DUT filled the window. */
static bool run_was_full(const struct runner *r, const vtime *acked)
{
	for (size_t i = 0; i < r->scope.npsns; i++)
		if (!r->scope.psns[i].to_dut &&
		    run_is_full(r, acked, r->scope.psns[i].first))
			return true;
	return false;
}

/*
 * Returns whether a window of the DUT is full, or with |ever| whether it was.
 * The times of the ACKs are found once, because a case may have thousands.
 */
static bool run_fills_window(const struct runner *r, bool ever)
{
	vtime *acked = memory_calloc(r->scope.npsns + 1, sizeof(*acked));
	bool full;

	if (!acked)
		return false;
	for (size_t i = 0; i < r->scope.npsns; i++)
		if (!r->scope.psns[i].to_dut)
			acked[i] = run_acked_at(r, &r->scope.psns[i]);
	full = run_is_full(r, acked, r->rec->nrecs) ||
	       (ever && run_was_full(r, acked));
	free(acked);
	return full;
}

/*
 * A request that waited for an ACK has a later CLEAR_PSN than the figure, in
 * which it was sent before.
 */
static bool run_waits_for_acks(struct runner *r, const struct step *step,
			       const struct blame *what, const char *text)
{
	if (r->decl->in_flight == DECL_IN_FLIGHT_MAX || !is_new_request(step) ||
	    run_is_guilty(r->rec))
		return false;
	if (!run_fills_window(r, is_clear_psn(what)))
		return false;
	run_settle(r, REASON_SMALL_WINDOW,
		   "line %u counts on more requests without an ACK than \"size "
		   "in_flight\" of the declaration: %.120s",
		   step->line, text);
	return true;
}

/*
 * Returns true for a request of the DUT on a PDC, which needs room in a window.
 * Control packets have PSNs, too.
 */
static bool needs_window(const struct runner *r, const struct scope_psn *p)
{
	struct packet pkt;

	if (p->to_dut)
		return false;
	record_packet(r->rec, &r->rec->recs[p->first], &pkt);
	return strcmp(blame_class(packet_word(&pkt)), "req") == 0;
}

/*
 * Returns whether the DUT has repeated a request on a PDC: that of |p|, or with
 * NULL any.
 */
static bool run_has_repeated(const struct runner *r, const struct scope_psn *p)
{
	struct packet pkt;
	uint64_t psn, retx;

	for (size_t i = p ? p->first : 0; i < r->rec->nrecs; i++) {
		const struct rec *e = &r->rec->recs[i];

		if (e->kind != REC_RX || !e->frame || (p && e->pdc != p->pdc))
			continue;
		record_packet(r->rec, e, &pkt);
		if (strcmp(blame_class(packet_word(&pkt)), "req") == 0 &&
		    packet_value(&pkt, "psn", &psn) && (!p || psn == p->psn) &&
		    packet_value(&pkt, "retx", &retx) && retx)
			return true;
	}
	return false;
}

/*
 * Returns whether a repeat that no ACK has answered may fill the window of the
 * DUT and hold up another request, or a report.  The oldest request has the
 * first turn, so that nothing holds it up.
 */
static bool run_repeat_fills(const struct runner *r)
{
	const struct scope_psn *oldest = NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->scope.npsns; i++) {
		const struct scope_psn *p = &r->scope.psns[i];

		if (!needs_window(r, p) || run_acked_at(r, p) != VTIME_NEVER)
			continue;
		if (!oldest || serial_before(p->psn, oldest->psn))
			oldest = p;
		n++;
	}
	return n > 1 && run_has_repeated(r, oldest);
}

/*
 * Returns true if the last packet of the tester is a NACK ROD_OOO that arrived:
 * what it asks for has left the window, and has room.
 */
static bool asks_to_go_back(const struct runner *r)
{
	struct packet pkt;
	uint64_t code;

	for (size_t i = r->rec->nrecs; i-- > 0;) {
		const struct rec *e = &r->rec->recs[i];

		if (e->kind != REC_TX || !e->frame)
			continue;
		record_packet(r->rec, e, &pkt);
		return e->fate != FATE_DROPPED &&
		       packet_value(&pkt, "nack_code", &code) &&
		       code == NACK_ROD_OOO;
	}
	return false;
}

/*
 * After a loss a congestion window may hold one packet: the others, and what
 * their repeats lead to, wait for its ACK.
 */
static bool run_waits_for_window(struct runner *r, const struct step *step,
				 const struct blame *what, const char *text)
{
	if (!r->window_moves || !what || run_is_guilty(r->rec))
		return false;
	if (!is_request(step) && step->kind != STEP_REPORT)
		return false;
	if (!is_of_waiting(what) || !run_has_repeated(r, NULL))
		return false;
	if (!is_new_request(step) &&
	    (!run_repeat_fills(r) || asks_to_go_back(r)))
		return false;
	run_settle(r, REASON_SMALL_WINDOW,
		   "line %u counts on more requests without an ACK than a "
		   "window may hold after a loss, by \"setting cc_policy\" of "
		   "the declaration: %.120s",
		   step->line, text);
	return true;
}

bool run_is_other(struct runner *r, const struct step *step,
		  const struct blame *what, uint32_t frame, const char *text)
{
	return run_waits_for_acks(r, step, what, text) ||
	       run_waits_for_window(r, step, what, text) ||
	       run_waits_for_credit(r, step, what, frame, text) ||
	       run_used_up(r, step->line, text) ||
	       run_closed_idle(r, step->line, text) ||
	       run_asked_idle(r, step->line, text) ||
	       run_split(r, step->line, text);
}
