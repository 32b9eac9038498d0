/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_watch.c -- watches for packets that a "never" line
 * forbids.
 */
#include "suite/run/link/run_watch.h"

#include <stdio.h>

#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_over.h"
#include "suite/run/link/run_allow.h"
#include "suite/run/link/run_srd.h"
#include "suite/run/match/match.h"
#include "suite/run/match/match_text.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/run/scope/scope.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/verdict/record.h"

const char *run_watch_class_of(const struct runner *r, size_t index)
{
	struct packet pkt;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	return blame_class(packet_word(&pkt));
}

/*
 * Returns true if an ACK of the tester covers a PSN, or its last answer is a
 * NACK.
 */
static bool is_settled(const struct runner *r, size_t index, uint32_t psn)
{
	const struct rec *recs = r->rec->recs;
	struct packet pkt;
	bool last = true;
	uint64_t v;

	for (size_t i = index; i-- > 0;) {
		if (recs[i].kind != REC_TX || recs[i].pdc != recs[index].pdc)
			continue;
		record_packet(r->rec, &recs[i], &pkt);
		if (packet_value(&pkt, "nack_psn", &v)) {
			if (last)
				return true;
		} else if (packet_value(&pkt, "cack_psn", &v)) {
			last = false;
			if (scope_acknowledges(&pkt, psn))
				return true;
		}
	}
	return false;
}

/*
 * Returns true for a repeat of a PSN that an ACK omitted, and a later answer
 * settled.
 */
static bool is_inferred(struct runner *r, size_t index)
{
	const struct scope_psn *p;
	struct packet pkt;
	uint64_t retx = 0;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (!packet_value(&pkt, "retx", &retx) || !retx)
		return false;
	p = scope_known(&r->scope, false, &pkt);
	return p && p->overtaken && is_settled(r, index, p->psn);
}

/*
 * Returns whether a packet is a retransmission that the device may have sent
 * before it read the tester's last answer: a timer's on a live link, or that of
 * a PSN which an earlier answer left out.
 */
static bool is_crossed_repeat(struct runner *r, size_t index)
{
	const struct rec *rec = &r->rec->recs[index];
	const vspan since = rec->at - r->order.sent_at;
	const vspan span = r->dut->virtual ? r->dut->round_trip
					   : r->declared.grace + r->rec->jitter;

	if (srd_crossed_repeat(r, index, span))
		return true;
	if (!r->order.sent_at)
		return false;
	if (r->dut->virtual)
		return since <= r->dut->round_trip && is_inferred(r, index);
	if (since >= span)
		return false;
	return rec->allowed == run_timer_repeat || is_inferred(r, index);
}

void run_watch(struct runner *r, const struct inbox *in)
{
	const struct rec *rec = &r->rec->recs[in->index];
	char text[80], item[BLAME_ITEM];

	if (is_crossed_repeat(r, in->index) || rec->allowed == run_copy_in_work)
		return;
	for (size_t i = 0; i < r->nwatches; i++) {
		const struct step *step = r->watches[i].step;
		const char *class;
		enum over over;

		if (!match_rung(&r->scope, &step->rung, in->index, false))
			continue;
		text_clear(&r->expected);
		text_clear(&r->actual);
		match_explain(&r->scope, &step->rung, in->index, &r->expected,
			      &r->actual);
		snprintf(text, sizeof(text), "frame %u must not come (line %u)",
			 rec->frame, step->line);
		class = run_watch_class_of(r, in->index);
		snprintf(item, sizeof(item), "%s.forbidden", class);
		over = over_forbidden(r, in->index, item);
		if (run_event(r,
			      &(struct flaw){.step = step,
					     .kind = KIND_PROTOCOL,
					     .frame = rec->frame,
					     .expected = "",
					     .actual = text_cstr(&r->actual),
					     .over = over},
			      class, "forbidden", text) &&
		    !over)
			r->stopped = true;
	}
}
