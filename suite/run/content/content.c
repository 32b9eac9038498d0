/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/content/content.c -- collects the packets of a case for the
 * comparisons of the other files.
 *
 * Spec: srd_wqe.md C.4 (I2); docs/dut-control.md "Bytes"
 */
#include "suite/run/content/content.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "base/serial.h"
#include "suite/dut/dut.h"
#include "suite/run/blame/run_blame.h"
#include "suite/run/content/content_message.h"
#include "suite/run/content/content_parse.h"
#include "suite/run/content/content_request.h"
#include "suite/run/content/content_state.h"
#include "suite/transport.h"
#include "wire/uet/uet_ses.h"

/* ---- Operations posted to the device ---- */

void content_posted(struct runner *r, const struct orc_op *op)
{
	struct run_posted *posted = &r->posted;

	if (posted->n == posted->size) {
		const size_t size = posted->size ? posted->size * 2 : 16;
		struct orc_op *ops =
			memory_realloc(posted->ops, size * sizeof(*ops));

		if (!ops) {
			r->rec->failed_alloc = true;
			return;
		}
		posted->ops = ops;
		posted->size = size;
	}
	posted->ops[posted->n++] = *op;
}

void content_exposed(struct runner *r, uint64_t key, uint64_t start,
		     uint32_t len)
{
	struct run_posted *posted = &r->posted;

	for (size_t i = 0; i < posted->nexposed; i++)
		if (posted->exposed[i].key == key) {
			posted->exposed[i].start = start;
			posted->exposed[i].len = len;
			return;
		}
	if (posted->nexposed == RUN_EXPOSED)
		return;
	posted->exposed[posted->nexposed].key = key;
	posted->exposed[posted->nexposed].start = start;
	posted->exposed[posted->nexposed++].len = len;
}

void content_restarted(struct runner *r)
{
	r->posted.n = r->posted.nexposed = 0;
	r->posted.from = r->rec->nrecs;
	r->posted.from_event = r->nevents;
}

static void content_region_free(struct content_region *region)
{
	free(region->bytes);
	free(region->state);
	*region = (struct content_region){0};
}

void content_free(struct runner *r)
{
	for (size_t i = 0; i < RUN_EXPOSED; i++)
		content_region_free(&r->regions[i]);
	free(r->posted.ops);
	r->posted = (struct run_posted){0};
}

/* ---- Findings ---- */

static enum req_role content_role(const struct content *c)
{
	if (c->r->rec->chair == CHAIR_TARGET)
		return REQ_DST;
	return REQ_SRC;
}

void content_fault(struct content *c, uint32_t frame, const char *fmt, ...)
{
	const struct req_ref ref = {
		.id = REQ_I2, .role = content_role(c), .items = "content.data"};
	const struct step line = {
		.kind = STEP_REPORT, .reqs = &ref, .nreqs = 1};
	const struct flaw flaw = {.step = &line,
				  .kind = KIND_PROTOCOL,
				  .frame = frame,
				  .expected = "",
				  .actual = "",
				  .content = true};
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	c->compared++;
	run_event(c->r, &flaw, "content", "data", text);
}

void content_held(struct content *c, bool wire)
{
	c->compared++;
	run_req(c->r, REQ_I2, content_role(c), wire,
		!wire || c->r->dut->control, false);
}

/* A case in which no byte was compared proves nothing of I2. */
static void content_unproven(struct content *c)
{
	struct record *rec = c->r->rec;

	for (size_t i = 0; i < rec->nreqs; i++)
		if (rec->reqs[i].req == REQ_I2 && !rec->reqs[i].failed)
			rec->reqs[i].wire = rec->reqs[i].control = false;
}

/* ---- Messages whose ids are used again ---- */

/* Lists the first packets of messages, in their order. */
static void content_list_begins(struct content *c)
{
	struct content_pkt **end[CONTENT_BEGINS];

	for (size_t i = 0; i < CONTENT_BEGINS; i++)
		end[i] = &c->begins[i];
	for (size_t i = 0; i < c->n; i++) {
		struct content_pkt *p = &c->pkts[i];
		const size_t list = p->message_id % CONTENT_BEGINS;

		if (p->kind != CONTENT_REQUEST || !p->som || p->at_byte ||
		    p->loose)
			continue;
		*end[list] = p;
		end[list] = &p->next_begin;
	}
}

/*
 * Sets the beginning of |p|'s message: the newest first packet before |end|.
 * With |psn| it skips packets with a PSN after |*psn|.
 */
static void content_begins(struct content *c, struct content_pkt *p,
			   const struct content_pkt *end, bool to_dut,
			   const uint32_t *psn)
{
	const struct content_pkt *q = c->begins[p->message_id % CONTENT_BEGINS];

	for (; q && q < end; q = q->next_begin) {
		if (q->to_dut != to_dut || q->pdc != p->pdc ||
		    q->message_id != p->message_id ||
		    (psn && serial_after(q->psn, *psn)) ||
		    (p->begun && !serial_after(q->psn, p->begin)))
			continue;
		p->begun = true;
		p->begin = q->psn;
	}
}

/* Returns the first transmission of a packet with read data. */
static const struct content_pkt *content_sent_first(const struct content *c,
						    const struct content_pkt *p)
{
	const struct content_pkt *q = c->first[CONTENT_DATA][p->to_dut];

	while (q != p && (q->pdc != p->pdc || q->psn != p->psn ||
			  q->message_id != p->message_id))
		q = q->next;
	return q;
}

/*
 * Finds the beginning of the message of each packet of a PDC that has a message
 * id.  Read data has no PSN of its request: it belongs to the newest message
 * with the id when it was first sent.
 */
static void content_find_begins(struct content *c)
{
	content_list_begins(c);
	for (size_t i = 0; i < c->n; i++) {
		struct content_pkt *p = &c->pkts[i];
		const struct content_pkt *first;

		if (p->loose || !p->message_id)
			continue;
		if (p->kind == CONTENT_REQUEST)
			content_begins(c, p, c->pkts + c->n, p->to_dut,
				       &p->psn);
		if (p->kind != CONTENT_DATA)
			continue;
		first = content_sent_first(c, p);
		p->begun = first->begun;
		p->begin = first->begin;
		if (first == p)
			content_begins(c, p, p, !p->to_dut, NULL);
	}
}

/* ---- The packets and the memory ---- */

static void content_list_kinds(struct content *c)
{
	struct content_pkt **end[CONTENT_KINDS][2];

	for (int kind = 0; kind < CONTENT_KINDS; kind++)
		for (int to_dut = 0; to_dut < 2; to_dut++)
			end[kind][to_dut] = &c->first[kind][to_dut];
	for (size_t i = 0; i < c->n; i++) {
		struct content_pkt *p = &c->pkts[i];

		*end[p->kind][p->to_dut] = p;
		end[p->kind][p->to_dut] = &p->next;
	}
}

static bool content_collect(struct content *c)
{
	const struct record *rec = c->r->rec;
	size_t n = 0;

	c->pkts = memory_alloc((rec->nrecs + 1) * sizeof(*c->pkts));
	if (!c->pkts)
		return false;
	for (size_t i = c->r->posted.from; i < rec->nrecs; i++)
		if (content_parse(c, i, &c->pkts[n]))
			n++;
	c->n = n;
	content_list_kinds(c);
	if (suite_families[rec->family]->has_pdcs)
		content_find_begins(c);
	return true;
}

/* Gives the changed range the bytes that it has at the start of a case. */
static void content_restore(struct content_region *region)
{
	const size_t from = region->from, n = region->to - from;

	if (from >= region->to)
		return;
	memset(region->state + from, region->known ? BYTE_KNOWN : 0, n);
	if (region->known)
		pattern_fill(region->bytes + from, region->seed,
			     pattern_memory(region->key), from, n);
	else
		memset(region->bytes + from, 0, n);
	region->from = region->len;
	region->to = 0;
}

static bool content_region(struct content *c, uint64_t key, uint64_t start,
			   size_t len, bool known)
{
	const uint64_t seed = c->r->scope.data_seed;
	struct content_region *region = &c->regions[c->nregions++];

	if (!region->bytes || region->seed != seed || region->key != key ||
	    region->len != len || region->known != known) {
		content_region_free(region);
		region->bytes = memory_alloc(len ? len : 1);
		region->state = memory_alloc(len ? len : 1);
		if (!region->bytes || !region->state) {
			content_region_free(region);
			return false;
		}
		region->seed = seed;
		region->key = key;
		region->len = region->to = len;
		region->known = known;
	}
	region->start = start;
	content_restore(region);
	return true;
}

/* Without the control channel only bytes that the tester wrote are known. */
static bool content_regions(struct content *c)
{
	const struct run_posted *posted = &c->r->posted;

	for (size_t i = 0; i < posted->nexposed; i++)
		if (!content_region(c, posted->exposed[i].key,
				    posted->exposed[i].start,
				    posted->exposed[i].len, true))
			return false;
	if (posted->nexposed)
		return true;
	return content_region(c, c->r->decl->memory_key,
			      c->r->decl->memory_offset, c->r->decl->memory_len,
			      false);
}

/* Returns true if a line passes packets of the case to the device's PDS. */
static bool content_is_raw(const struct runner *r)
{
	for (size_t i = 0; i < r->posted.n; i++)
		if (r->posted.ops[i].kind == OP_SES_PDS_TX_REQ ||
		    r->posted.ops[i].kind == OP_SES_PDS_TX_RET)
			return true;
	return false;
}

/* Returns true if a request to the device writes to memory or reads it. */
static bool content_moves_memory(const struct content *c)
{
	const struct content_pkt *p = c->first[CONTENT_REQUEST][true];

	for (; p; p = p->next)
		if (content_changes(p) || p->opcode == SES_READ)
			return true;
	return false;
}

static void content_compare(struct content *c)
{
	const bool target = c->r->rec->chair == CHAIR_TARGET;

	if (target && content_moves_memory(c)) {
		if (!content_regions(c)) {
			c->r->rec->failed_alloc = true;
			return;
		}
		c->raw = content_is_raw(c->r);
		content_memory(c);
	}
	if (c->r->dut->control)
		content_messages(c);
	if (!target && !content_is_raw(c->r)) {
		content_requests(c);
		content_completed(c);
		content_reads(c);
		content_bodies(c);
	}
	if (target && c->touched)
		content_look(c);
}

void content_check(struct runner *r)
{
	struct content c = {.r = r, .regions = r->regions};

	if (r->rec->verdict == VERDICT_NA || r->rec->verdict == VERDICT_ERROR ||
	    r->dut->bridged || r->wireless)
		return;
	if (content_collect(&c))
		content_compare(&c);
	else
		r->rec->failed_alloc = true;
	if (!c.compared)
		content_unproven(&c);
	free(c.pkts);
}
