/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/link/run_link.c -- the link of a run: datagrams, answers and events
 * arrive, pass the impairments, and are recorded and judged.
 *
 * Only link_pump() waits.  The judge of the device sees a packet as it crosses
 * the device's end of the link; the mirror sees it at the tester's end.
 */
#include "suite/run/link/run_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "suite/craft/craft_inject.h"
#include "suite/decl/capability.h"
#include "suite/dut/ctl/ctl_print.h"
#include "suite/dut/dut.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/blame/run_other.h"
#include "suite/run/link/run_allow.h"
#include "suite/run/link/run_earlier.h"
#include "suite/run/link/run_event.h"
#include "suite/run/link/run_order.h"
#include "suite/run/link/run_refuse.h"
#include "suite/run/link/run_start.h"
#include "suite/run/link/run_watch.h"
#include "suite/run/run_settle.h"
#include "suite/run/run_state.h"
#include "suite/run/scope/scope.h"
#include "suite/run/scope/scope_pdc.h"
#include "suite/run/scope/scope_psn.h"
#include "suite/run/scope/scope_span.h"
#include "suite/run/scope/scope_state.h"
#include "suite/transport.h"
#include "suite/verdict/record.h"
#include "suite/verdict/space.h"
#include "wire/family.h"
#include "wire/uet/uet_pds.h"

/* Ends the case with an error of rung: it is out of memory. */
static void run_link_no_memory(struct runner *r)
{
	run_settle(r, REASON_MEMORY, "out of memory");
}

static bool box_push(struct inbox **box, size_t *n, size_t *size,
		     struct inbox in)
{
	if (*n == *size) {
		size_t more = *size ? *size * 2 : 64;
		struct inbox *p = memory_realloc(*box, more * sizeof(*p));

		if (!p)
			return false;
		*box = p;
		*size = more;
	}
	(*box)[(*n)++] = in;
	return true;
}

static bool inbox_push(struct runner *r, size_t index, vtime at)
{
	return box_push(&r->inbox, &r->inbox_n, &r->inbox_size,
			(struct inbox){index, at});
}

void link_judged(struct runner *r, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n && i < RUN_FINDINGS; i++) {
		struct finding *f = &r->found[i];

		if (!ip_addr_equal(&f->side, &r->dut->peer) ||
		    !decl_promises(r->decl, f->req))
			continue;
		r->found[kept++] = *f;
	}
	run_judged(r, r->found, kept);
}

/* Passes a packet to the monitors, at the DUT's end of the link. */
static void run_link_judge_packet(struct runner *r, size_t index,
				  const struct dgram *d)
{
	struct rec *rec = &r->rec->recs[index];
	struct packet own;
	struct judge_packet jp = {.pkt = record_packet_of(r->rec, rec, &own),
				  .d = d,
				  .at = rec->at,
				  .frame = rec->frame};
	size_t n;

	n = judge_push(r->judge, &jp, r->found, RUN_FINDINGS);
	link_judged(r, n);
}

/*
 * Returns true if the device never gave a valid answer.  A case that violates
 * rules may do so before; the device's packets then have PDCIDs and PSNs of no
 * PDC.
 */
static bool never_opened(const struct runner *r)
{
	return suite_families[r->rec->family]->has_pdcs &&
	       r->test_case->nviolates && r->rec->chair == CHAIR_TARGET &&
	       !r->scope.pdc->dpdcid;
}

static bool on_purpose(const struct test_case *c, const struct finding *f)
{
	for (size_t i = 0; i < c->nviolates; i++)
		if (c->violates[i].id == f->req &&
		    (c->violates[i].role & f->role))
			return true;
	return req_get(f->req)->level != REQ_M;
}

void link_mirror(struct runner *r, size_t index)
{
	const struct rec *rec = &r->rec->recs[index];
	struct packet pkt;
	struct judge_packet jp = {
		.pkt = &pkt, .d = &r->seen, .at = rec->at, .frame = rec->frame};
	size_t n;

	if (r->conf->trusts_tester ||
	    r->dut->bridged) /* the other endpoint is not under test */
		return;
	if (rec->kind == REC_TX)
		jp.at = rec->at;
	else
		jp.at = r->dut->ops->now(r->dut);
	record_packet(r->rec, rec, &pkt);
	r->seen.src = rec->src;
	r->seen.dst = rec->dst;
	r->seen.entropy = rec->entropy;
	r->seen.dscp = rec->dscp;
	r->seen.ecn = rec->ecn;
	r->seen.native = rec->native;
	r->seen.family = rec->family;
	r->seen.len = rec->len;
	n = judge_push(r->mirror, &jp, r->found, RUN_FINDINGS);
	for (size_t i = 0; i < n && i < RUN_FINDINGS; i++) {
		const struct finding *f = &r->found[i];

		if (!ip_addr_equal(&f->side, &r->dut->tester) ||
		    on_purpose(r->test_case, f) || never_opened(r))
			continue;
		/*
		 * Returns true if the tester owes an answer while a line waits
		 * for another packet: that line will fail.
		 */
		if (rec->kind == REC_RX && !r->dut->reference)
			continue;
		/*
		 * a literal line that answers a device at fault is no mistake
		 * of the case
		 */
		if (!run_is_guilty(r->rec) &&
		    !run_is_other(r, r->step, NULL, 0, f->text))
			run_diverged(
				r, REASON_TESTER_BROKE,
				"the tester itself breaks %s/%s at line %u, "
				"and the case does not say violates: %s",
				req_get(f->req)->id, req_role_name(f->role),
				r->step->line, f->text);
	}
}

/*
 * Records a datagram at its sender's end of the link.
 * Return: false without memory, which ends the case.
 */
static bool run_link_note(struct runner *r, enum rec_kind kind,
			  const struct dgram *d, vtime at, size_t *ret)
{
	struct rec rec = {
		.kind = kind,
		.at = at,
		.left_at = at,
		.frame = ++r->frame,
		.fate = FATE_DROPPED, /* until it leaves the impairments */
		.setup = r->setup};

	*ret = record_add(r->rec, &rec, d, NULL, NULL);
	if (r->rec->failed_alloc)
		run_link_no_memory(r);
	return !r->rec->failed_alloc;
}

static void run_link_noted(struct runner *r, vtime at, const char *what)
{
	struct rec rec = {.kind = REC_NOTE, .at = at, .setup = r->setup};

	record_add(r->rec, &rec, NULL, NULL, what);
}

/*
 * Returns true if the tester drops the packet, as a receiver does: "V1:
 * lengths, ICRC, ...; else dropped and counted".
 */
static bool drops_icrc(struct runner *r, size_t index, const struct dgram *d,
		       vtime at)
{
	if (!family_has_icrc(d->family) || d->crc != DGRAM_CRC_WRONG)
		return false;
	r->icrc_dropped++;
	r->rec->recs[index].allowed = "dropped: its ICRC is wrong";
	run_link_noted(r, at,
		       "the tester drops a packet of the device whose ICRC is "
		       "wrong or missing");
	return true;
}

/* Handles a datagram that the DUT sent, at the DUT's end of the link. */
static void arrived(struct runner *r, const struct dgram *d, vtime at)
{
	size_t index;

	if (!run_link_note(r, REC_RX, d, at, &index))
		return;
	/* a device that a person starts may begin at any time */
	if (r->by_hand)
		r->last_at = r->before_at = at;
	r->by_hand = false;
	r->spoke = true;
	if (earlier_refuses(r, index))
		return;
	scope_turn_packet(&r->scope, index);
	if (drops_icrc(r, index, d, at) || start_refuses(r, index, d))
		return;
	if (d->len >= 2)
		r->rec->recs[index].allowed =
			r->wireless ? "nobody looks at packets"
				    : run_allowance(r, index);
	scope_arrived(&r->scope, index);
	run_link_judge_packet(r, index, d);
	if (imp_push(r->imp, IMP_FROM_DUT, d, at, (uint32_t)index, false))
		run_link_no_memory(r);
}

/* Handles a datagram of the other endpoint to the DUT. */
static void peer_sent(struct runner *r, const struct dgram *d, vtime at)
{
	size_t index;

	if (!run_link_note(r, REC_TX, d, at, &index))
		return;
	scope_turn_peer(&r->scope, index);
	scope_sent(&r->scope, index);
	r->last_tx = index;
	r->last_at = r->before_at = at;
	r->held = true;
	if (!box_push(&r->outbox, &r->outbox_n, &r->outbox_size,
		      (struct inbox){index, at}) ||
	    imp_push(r->imp, IMP_TO_DUT, d, at, (uint32_t)index, false))
		run_link_no_memory(r);
}

/*
 * Records a packet that an impairment made, as a packet of its own.  An
 * injected packet may travel in the opposite direction of its cause.
 */
static size_t run_link_copy_of(struct runner *r, const struct imp_out *out,
			       vtime now)
{
	const bool injected = out->fate == IMP_INJECTED;
	struct rec rec = r->rec->recs[out->tag];

	if (out->dir == IMP_TO_DUT)
		rec.kind = REC_TX;
	else
		rec.kind = REC_RX;
	rec.at = rec.left_at = now;
	rec.frame = ++r->frame;
	if (injected) {
		rec.fate = FATE_INJECTED;
		rec.allowed = "injected on the way";
	} else {
		rec.fate = FATE_DUPLICATE;
		rec.allowed = "copy made on the way";
	}
	if (injected)
		rec.line = 0;
	return record_add(r->rec, &rec, &out->d, rec.allowed, NULL);
}

static void run_link_change(struct runner *r, size_t index,
			    const struct imp_out *out)
{
	struct rec *rec = &r->rec->recs[index];

	rec->fate = FATE_CHANGED;
	rec->ecn = out->d.ecn;
	rec->dscp = out->d.dscp;
	rec->crc = out->d.crc;
	rec->udp_length = out->d.udp_length;
	rec->udp_checksum = out->d.udp_checksum;
	rec->padding = out->d.padding;
	rec->ext = out->d.ext;
	record_change(r->rec, index, out->d.data, out->d.len);
	record_note(r->rec, index, "changed on the way");
}

/* Notes when a packet arrived; its arrow is drawn where it left. */
static void note_late(struct runner *r, size_t index, vtime now)
{
	char what[48];

	r->rec->recs[index].fate = FATE_DELAYED;
	r->rec->recs[index].behind = r->frame;
	snprintf(what, sizeof(what), "frame %u arrives, late",
		 r->rec->recs[index].frame);
	run_link_noted(r, now, what);
}

/*
 * Returns false for a packet with a wrong trailer, which the device must drop
 * and the monitors do not see.  A trimmed packet has no trailer and is judged.
 * So is one with a wrong ICRC if the device does not check it.
 */
static bool run_link_is_whole(const struct runner *r, const struct dgram *d)
{
	if (d->dscp == r->decl->dscp_trimmed ||
	    d->dscp == r->decl->dscp_trimmed_lasthop)
		return true;
	if (!suite_families[d->family]->has_pdcs &&
	    r->dut->link.icrc == ICRC_OFF)
		return d->crc != DGRAM_CRC_NONE;
	return d->crc == (r->dut->link.crc ? DGRAM_CRC_RIGHT : DGRAM_CRC_NONE);
}

static void out_to_dut(struct runner *r, struct imp_out *out, vtime now)
{
	size_t index = out->tag;

	if (refuse_trim(r, index, out) && out->fate == IMP_LATE)
		run_link_change(r, index, out);
	if (r->stopped)
		return;
	if (out->fate == IMP_COPY || out->fate == IMP_INJECTED)
		index = run_link_copy_of(r, out, now);
	else if (out->fate == IMP_CHANGED)
		run_link_change(r, index, out);
	else
		r->rec->recs[index].fate = FATE_CROSSED;
	if (r->rec->failed_alloc) {
		run_link_no_memory(r);
		return;
	}
	r->rec->recs[index].at = now;
	if (out->fate == IMP_LATE)
		note_late(r, index, now);
	if (index == r->last_tx) {
		r->held = false;
		r->before_at = r->last_at;
		r->last_at = now;
	}
	if (r->dut->ops->send(r->dut, &out->d)) {
		run_settle(r, REASON_PORT, "the port cannot send");
		return;
	}
	order_sent(r, index, now);
	if (run_link_is_whole(r, &out->d))
		run_link_judge_packet(r, index, &out->d);
}

static void out_to_tester(struct runner *r, struct imp_out *out, vtime now)
{
	size_t index = out->tag;

	if (out->fate == IMP_COPY || out->fate == IMP_INJECTED) {
		index = run_link_copy_of(r, out, now);
	} else if (out->fate == IMP_CHANGED) {
		run_link_change(r, index, out);
	} else if (out->fate == IMP_LATE) {
		r->rec->recs[index].left_at = now;
		note_late(r, index, now);
	} else {
		r->rec->recs[index].fate = FATE_CROSSED;
	}
	if (r->dut->bridged && r->dut->ops->forward(r->dut, &out->d))
		run_settle(r, REASON_PORT, "the port cannot send");
	if (r->rec->failed_alloc || !inbox_push(r, index, now))
		run_link_no_memory(r);
	else
		run_watch(r, &r->inbox[r->inbox_n - 1]);
}

static void run_link_flush(struct runner *r)
{
	vtime now = r->dut->ops->now(r->dut);

	while (imp_poll(r->imp, now, &r->imp_out)) {
		struct imp_out *out = &r->imp_out;

		if (out->fate == IMP_DROPPED) {
			r->rec->recs[out->tag].fate = FATE_DROPPED;
			if (out->tag == r->last_tx)
				r->held = false;
		} else if (out->dir == IMP_TO_DUT) {
			out_to_dut(r, out, now);
		} else {
			out_to_tester(r, out, now);
		}
	}
}

/* Addresses r->out to the DUT, and encapsulates it as the device does. */
static void run_link_address(struct runner *r)
{
	const struct dut_link *link = &r->dut->link;

	r->out.src = r->dut->tester;
	r->out.dst = r->dut->peer;
	r->out.native = link->native;
	r->out.family = (uint8_t)r->rec->family;
	dgram_plain(&r->out);
	if (link->crc)
		r->out.crc = DGRAM_CRC_RIGHT;
	else
		r->out.crc = DGRAM_CRC_NONE;
}

bool link_build_own(struct runner *r, const char *type,
		    const struct field_value *set, size_t n, uint16_t entropy)
{
	const struct packet_spec spec = {.type = type, .set = set, .nset = n};
	const int len = packet_build(r->out.data, DGRAM_MAX, &spec, NULL);

	if (len < 0)
		return false;
	r->out.len = (size_t)len;
	r->out.entropy = entropy;
	r->out.dscp = r->decl->dscp_control;
	r->out.ecn = ECN_NOT_ECT;
	run_link_address(r);
	return true;
}

bool link_is_close_command(const struct packet *pkt)
{
	return pds_type_of(pkt->p) == PDS_CP &&
	       packet_number(pkt, "ctl_type") == PDS_CP_CLOSE_COMMAND;
}

enum flow_control link_send(struct runner *r, const struct step *step)
{
	struct rec rec = {
		.kind = REC_TX,
		.frame = ++r->frame,
		.fate = FATE_DROPPED, /* until it leaves the impairments */
		.line = step->line,
		.setup = r->setup};
	vtime now = r->dut->ops->now(r->dut);
	size_t index;

	rec.at = rec.left_at = now;
	run_link_address(r);
	if (step->trailer)
		r->out.crc = craft_trailer(step->trailer);
	index = record_add(r->rec, &rec, &r->out, NULL, NULL);
	if (r->rec->failed_alloc) {
		run_link_no_memory(r);
		return RUN_STOP;
	}
	scope_sent(&r->scope, index);
	link_mirror(r, index);
	r->last_tx = index;
	r->last_at = r->before_at = now;
	r->held = true;
	r->stimulus = step;
	if (imp_push(r->imp, IMP_TO_DUT, &r->out, now, (uint32_t)index,
		     step->lost))
		run_link_no_memory(r);
	run_link_flush(r);
	if (r->stopped)
		return RUN_STOP;
	return RUN_ON;
}

void link_judge_own(struct runner *r, size_t index, const struct dgram *d)
{
	run_link_judge_packet(r, index, d);
}

/* Sends and records a packet.  Return: its entry; SIZE_MAX: the case ended. */
static size_t run_link_send(struct runner *r, const char *note)
{
	struct rec rec = {.kind = REC_TX,
			  .at = r->dut->ops->now(r->dut),
			  .frame = ++r->frame,
			  .fate = FATE_CROSSED,
			  .setup = true};
	size_t index;

	rec.left_at = rec.at;
	index = record_add(r->rec, &rec, &r->out, note, NULL);
	if (r->rec->failed_alloc) {
		run_link_no_memory(r);
		return SIZE_MAX;
	}
	r->rec->recs[index].pdc = scope_at(&r->scope);
	if (!r->dut->ops->send(r->dut, &r->out))
		return index;
	run_settle(r, REASON_PORT, "the port cannot send");
	return SIZE_MAX;
}

void link_send_own(struct runner *r, const char *note)
{
	const size_t index = run_link_send(r, note);

	if (index != SIZE_MAX)
		run_link_judge_packet(r, index, &r->out);
}

void link_send_aside(struct runner *r, const char *note)
{
	run_link_send(r, note);
}

static void event_kept(struct runner *r, const struct orc_event *ev)
{
	struct rec rec = {.kind = REC_EVENT, .at = r->ev.at, .setup = r->setup};

	if (r->nevents == r->events_size) {
		size_t n = r->events_size ? r->events_size * 2 : 64;
		struct orc_event *p = memory_realloc(r->events, n * sizeof(*p));

		if (!p) {
			run_link_no_memory(r);
			return;
		}
		r->events = p;
		r->events_size = n;
	}
	r->events[r->nevents++] = *ev;
	r->spoke = true;
	control_event(r, ev);
	order_reported(r, ev);
	text_clear(&r->line);
	if (!r->conf->untold)
		ctl_event_print(&r->line, ev);
	record_add(r->rec, &rec, NULL, NULL, text_cstr(&r->line));
}

static void answer_kept(struct runner *r)
{
	struct rec rec = {
		.kind = REC_ANSWER, .at = r->ev.at, .setup = r->setup};

	text_clear(&r->line);
	if (!r->conf->untold)
		ctl_ans_print(&r->line, &r->ev.ans);
	record_add(r->rec, &rec, NULL, NULL, text_cstr(&r->line));
	if (r->ev.ans.id != r->ctl_id)
		return;
	r->answer = r->ev.ans;
	r->ctl_answered = true;
}

void link_left_out(struct runner *r)
{
	char what[96];

	snprintf(what, sizeof(what), "%" PRIu64 " findings more were left out",
		 r->rec->findings_left_out);
	run_link_noted(r, r->dut->ops->now(r->dut), what);
}

/* Notes identical answers: both may be due, but a reader should see it. */
static void note_repeats(struct runner *r)
{
	const uint64_t n = r->dut->counts.repeats;

	if (n > r->repeats)
		run_link_noted(
			r, r->dut->ops->now(r->dut),
			"the device sent the same bytes twice at once: the IP "
			"identification shows that no network doubled them");
	r->repeats = n;
}

/* Returns true if something is in doubt, or was before. */
static bool run_link_in_doubt(const struct runner *r)
{
	uint64_t any = r->dut->counts.repeats | r->repeats;

	for (int i = 0; i < DOUBT_COUNT; i++)
		any |= r->dut->counts.doubt[i] | r->rec->doubts[i].n;
	return any != 0;
}

/* It runs for each packet, and most runs have no doubt. */
void link_doubts(struct runner *r)
{
	char what[128];

	if (!run_link_in_doubt(r))
		return;
	note_repeats(r);
	for (int i = 0; i < DOUBT_COUNT; i++) {
		struct rec_doubt *d = &r->rec->doubts[i];
		const uint64_t n = r->dut->counts.doubt[i];

		if (n > d->n && !d->n) {
			d->frame = r->frame;
			snprintf(what, sizeof(what), "in doubt: %s",
				 dut_doubt_text((enum dut_doubt)i));
			run_link_noted(r, r->dut->ops->now(r->dut), what);
		}
		d->n = n;
	}
}

static vspan run_link_at_most(vspan a, vspan b)
{
	if (a < b)
		return a;
	return b;
}

void link_measure(struct runner *r, vtime due, vspan most)
{
	const vspan early = run_link_at_most(r->decl->rto.tolerance,
					     r->decl->rto.value / 5);
	vspan late;

	if (r->dut->virtual)
		return;
	r->awake_at = r->dut->ops->now(r->dut);
	late = r->awake_at - due;
	if (late > r->rec->jitter)
		r->rec->jitter = late;
	if (late >
	    run_link_at_most(
		    most, run_link_at_most(early, r->decl->ack_time.tolerance)))
		r->rec->late = true;
}

/* Settles the case if the run was interrupted.  Return: true if it was. */
static bool run_link_interrupted(struct runner *r)
{
	if (!r->conf->interrupted || !*r->conf->interrupted)
		return false;
	r->interrupted = true;
	run_settle(r, REASON_INTERRUPTED, "interrupted");
	return true;
}

static void run_link_dispatch(struct runner *r)
{
	switch (r->ev.kind) {
	case DUT_TIMEOUT:
		break;
	case DUT_DGRAM:
		arrived(r, &r->ev.d, r->ev.at);
		break;
	case DUT_PEER:
		peer_sent(r, &r->ev.d, r->ev.at);
		break;
	case DUT_ANSWER:
		answer_kept(r);
		break;
	case DUT_EVENT:
		event_kept(r, &r->ev.ev);
		break;
	case DUT_GARBAGE:
		run_link_noted(r, r->ev.at, r->ev.text);
		break;
	case DUT_GONE:
		r->gone = true;
		snprintf(r->gone_text, sizeof(r->gone_text), "%.199s",
			 r->ev.text);
		run_link_noted(r, r->ev.at, r->ev.text);
		/* One signal may have ended the device and this run. */
		run_link_interrupted(r);
		break;
	}
}

bool link_pump(struct runner *r, vtime until)
{
	vtime now = r->dut->ops->now(r->dut);
	vtime wake;

	if (r->stopped || r->gone || run_link_interrupted(r))
		return false;
	if (now >= r->end) {
		r->timed_out = true;
		return false;
	}
	if (r->rec->nrecs >= RECORD_ENTRIES) {
		run_link_noted(r, now,
			       "a flood: what came after this was left out");
		run_settle(r, REASON_FLOOD,
			   "%u packets, events and requests; what came after "
			   "them was left out",
			   (unsigned)RECORD_ENTRIES);
		return false;
	}
	link_measure(r, r->awake_at, VTIME_NEVER);
	if (now >= until)
		return false;
	wake = vtime_min(vtime_min(until, r->end), imp_deadline(r->imp));
	if (r->dut->ops->next(r->dut, wake, &r->ev)) {
		run_settle(r, REASON_PORT, "the port failed");
		return false;
	}
	/* The port waits to learn how a device ended. */
	if (r->ev.kind != DUT_GONE)
		link_measure(r, vtime_min(wake, r->ev.at), VTIME_NEVER);
	link_doubts(r);
	run_link_dispatch(r);
	run_link_flush(r);
	return !r->stopped;
}

struct inbox *link_peek(struct runner *r, vtime until)
{
	while (r->inbox_head == r->inbox_n)
		if (!link_pump(r, until))
			break;
	if (r->inbox_head < r->inbox_n)
		return &r->inbox[r->inbox_head];
	return NULL;
}

void link_take(struct runner *r)
{
	r->inbox_head++;
}
