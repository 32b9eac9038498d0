/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/flight.c -- flights: the packets that a source sends before it
 * waits for an answer.  Their number is the size of its window.
 */
#include "suite/run/flight.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/serial.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/run_send.h"
#include "suite/run/run_settle.h"
#include "suite/run/scope/scope_symbol.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"

void flight_begin(struct runner *r, const struct step *step)
{
	r->flight.line = step->line;
	r->flight.from = r->flight.to = r->rec->nrecs;
	if (r->inbox_head < r->inbox_n)
		r->flight.from = r->inbox[r->inbox_head].index;
}

/* Returns whether an entry is a packet of the last flight, and its PSN. */
static bool is_of_flight(struct runner *r, size_t index, uint64_t *ret_psn)
{
	const struct rec *rec = &r->rec->recs[index];
	struct packet pkt;

	if (rec->kind != REC_RX || rec->line != r->flight.line)
		return false;
	record_packet(r->rec, rec, &pkt);
	return packet_value(&pkt, "psn", ret_psn);
}

/*
 * Notes where the case's first flight begins: the path of the packet that came
 * first, and the lowest PSN, which the network may have overtaken.
 */
static void flight_first(struct runner *r)
{
	struct flight *f = &r->flight;
	uint64_t psn;

	for (size_t i = f->from; i < f->to; i++) {
		if (!is_of_flight(r, i, &psn))
			continue;
		if (!f->known)
			f->path = r->rec->recs[i].entropy;
		if (!f->known || serial_before((uint32_t)psn, f->gapless + 1))
			f->gapless = (uint32_t)psn - 1;
		f->known = true;
	}
	memset(f->acked, 0, sizeof(f->acked));
}

static bool is_on_path(const struct runner *r, size_t index)
{
	return r->rec->recs[index].entropy == r->flight.path;
}

/*
 * Returns whether the case acknowledged |psn| in an earlier flight, or |seen|
 * has it; notes it in |seen|.  A repeat by a timer adds nothing to what is
 * outstanding, and a starved tester may find it behind the packet that it
 * repeats.
 */
static bool flight_counted(const struct flight *f, uint32_t psn,
			   bool seen[FLIGHT_PSNS_MAX])
{
	const uint32_t ahead = psn - f->gapless - 1;
	const uint32_t at = psn % FLIGHT_PSNS_MAX;
	bool known;

	if (serial_before(psn, f->gapless + 1))
		return true;
	if (ahead >= FLIGHT_PSNS_MAX)
		return false;
	known = f->acked[at] || seen[at];
	seen[at] = true;
	return known;
}

enum flow_control flight_end(struct runner *r, const struct step *step)
{
	struct scope *s = &r->scope;
	bool seen[FLIGHT_PSNS_MAX] = {false};
	uint64_t psn, first = 0, last = 0, n = 0, on_path = 0;

	r->flight.to = r->rec->nrecs;
	if (!r->flight.known)
		flight_first(r);
	for (size_t i = r->flight.from; i < r->flight.to; i++) {
		if (!is_of_flight(r, i, &psn))
			continue;
		if (flight_counted(&r->flight, (uint32_t)psn, seen))
			continue;
		if (!n++)
			first = psn;
		last = psn;
		on_path += is_on_path(r, i);
	}
	if (!scope_bind(s, step->symbol, n) && !scope_bind(s, "first", first) &&
	    !scope_bind(s, "last", last) && !scope_bind(s, "on_path", on_path))
		return RUN_ON;
	run_settle(r, REASON_CASE_WRONG, "line %u: too many symbols",
		   step->line);
	return RUN_STOP;
}

static bool is_selected(const struct runner *r, const struct step *step,
			size_t index)
{
	if (step->flight == FLIGHT_ON_PATH)
		return is_on_path(r, index);
	return step->flight == FLIGHT_EACH || !is_on_path(r, index);
}

static bool is_ack(const struct step *step)
{
	return step->rung.type && !strncmp(step->rung.type, "ack", 3);
}

/*
 * Records that the case acknowledges |psn|, and advances the cumulative ACK
 * over everything acknowledged.  PSNs further ahead than FLIGHT_PSNS_MAX do
 * not count.
 */
static void flight_acknowledge(struct runner *r, uint32_t psn)
{
	struct flight *f = &r->flight;

	if ((uint32_t)(psn - f->gapless - 1) < FLIGHT_PSNS_MAX)
		f->acked[psn % FLIGHT_PSNS_MAX] = true;
	while (f->acked[(f->gapless + 1) % FLIGHT_PSNS_MAX])
		f->acked[++f->gapless % FLIGHT_PSNS_MAX] = false;
}

void flight_cover(struct runner *r, const struct step *step)
{
	struct packet pkt;
	uint64_t psn;

	if (!r->flight.known || !is_ack(step))
		return;
	record_packet(r->rec, &r->rec->recs[r->last_tx], &pkt);
	if (!packet_value(&pkt, "cack_psn", &psn) ||
	    (uint32_t)psn - r->flight.gapless > FLIGHT_PSNS_MAX)
		return;
	while (serial_before(r->flight.gapless, (uint32_t)psn))
		flight_acknowledge(r, r->flight.gapless + 1);
}

/* Returns the message id that a response to the packet echoes; 0: none. */
static uint64_t flight_message(struct runner *r, size_t index)
{
	struct packet pkt;
	uint64_t id;

	record_packet(r->rec, &r->rec->recs[index], &pkt);
	if (packet_value(&pkt, "response_message_id", &id) ||
	    packet_value(&pkt, "message_id", &id))
		return id;
	return 0;
}

/*
 * Binds $psn and $message of a packet, $newest and $gapless.  $newest: a
 * cumulative ACK covers that PSN also where the packet is a late retransmission
 * of an older one.  Errors: ERR_SPACE.
 */
static int flight_bind(struct runner *r, const struct step *step, size_t index,
		       uint64_t psn)
{
	struct scope *s = &r->scope;
	const uint32_t own = (uint32_t)psn;

	r->flight.newest =
		r->flight.answered ? serial_max(r->flight.newest, own) : own;
	r->flight.answered = true;
	if (is_ack(step))
		flight_acknowledge(r, own);
	if (scope_bind(s, "psn", psn) ||
	    scope_bind(s, "message", flight_message(r, index)) ||
	    scope_bind(s, "newest", r->flight.newest))
		return ERR_SPACE;
	return scope_bind(s, "gapless", r->flight.gapless);
}

enum flow_control flight_answer(struct runner *r, const struct step *step)
{
	const size_t outer = r->scope.nsymbols;
	uint64_t psn;

	for (size_t i = r->flight.from; i < r->flight.to; i++) {
		if (!is_of_flight(r, i, &psn) || !is_selected(r, step, i))
			continue;
		r->scope.nsymbols = outer;
		if (flight_bind(r, step, i, psn)) {
			run_settle(r, REASON_CASE_WRONG,
				   "line %u: too many symbols", step->line);
			return RUN_STOP;
		}
		if (run_send_one(r, step) == RUN_STOP)
			return RUN_STOP;
	}
	r->scope.nsymbols = outer;
	return RUN_ON;
}

static bool flight_holds(enum check_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case CHECK_LT:
		return a < b;
	case CHECK_LE:
		return a <= b;
	case CHECK_EQ:
		return a == b;
	case CHECK_NE:
		return a != b;
	case CHECK_GE:
		return a >= b;
	case CHECK_GT:
		break;
	}
	return a > b;
}

enum flow_control flight_check(struct runner *r, const struct step *step)
{
	uint64_t left, right;
	char text[160];
	int len;

	r->rec->rungs_expected++;
	if (!scope_number(&r->scope, &step->left, SPACE_NONE, &left) ||
	    !scope_number(&r->scope, &step->value, SPACE_NONE, &right)) {
		run_diverged(r, REASON_CASE_WRONG,
			     "line %u: a symbol has no value", step->line);
		return RUN_STOP;
	}
	if (flight_holds(step->check, left, right)) {
		r->rec->rungs_matched++;
		run_observed(r, step, true, false);
		return RUN_ON;
	}
	if (step->optional) {
		run_settle(r, REASON_SMALL_WINDOW,
			   "line %u needs %.40s: the device does not claim "
			   "such a window",
			   step->line, step->source);
		return RUN_STOP;
	}
	for (len = (int)strlen(step->source); len; len--)
		if (step->source[len - 1] != ' ')
			break;
	snprintf(text, sizeof(text),
		 "\"%.*s\" does not hold: %" PRIu64 " and %" PRIu64,
		 len < 60 ? len : 60, step->source, left, right);
	return run_event(r,
			 &(struct flaw){.step = step,
					.kind = KIND_PROTOCOL,
					.expected = "",
					.actual = ""},
			 "req", "in_flight", text)
		       ? RUN_STOP
		       : RUN_ON;
}
