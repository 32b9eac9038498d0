/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_watch.c -- watches for packets that a "never" line
 * forbids.
 */
#include "suite/run/link/run_watch.h"

#include <stdio.h>

#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_over.h"
#include "suite/run/match/match.h"
#include "suite/run/match/match_text.h"
#include "suite/run/run_state.h"
#include "suite/run/run_time.h"
#include "suite/verdict/record.h"

const char *run_watch_class_of(const struct runner *r, size_t index)
{
	struct packet pkt;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	return blame_class(packet_word(&pkt));
}

/*
 * Returns whether a packet is a timer's retransmission that a live device may
 * have sent before it read the tester's last answer.
 */
static bool is_crossed_repeat(const struct runner *r, const struct rec *rec)
{
	const vspan grace = r->declared.grace + r->rec->jitter;

	if (r->dut->virtual)
		return false;
	return rec->allowed == run_timer_repeat && r->order.sent_at &&
	       rec->at - r->order.sent_at < grace;
}

void run_watch(struct runner *r, const struct inbox *in)
{
	const struct rec *rec = &r->rec->recs[in->index];
	char text[80], item[BLAME_ITEM];

	if (is_crossed_repeat(r, rec))
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
