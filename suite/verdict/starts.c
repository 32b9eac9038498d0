/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/starts.c -- compares the Start_PSNs of a device over the cases
 * of a run.
 *
 * A device fails if its Start_PSN was the same STARTS_ALIKE times and never
 * another, or if a Start_PSN is less than 2^16 away from the last PSN of the
 * same PDCID.
 */
#include "suite/verdict/starts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/serial.h"
#include "suite/decl/capability.h"
#include "suite/decl/deviation.h"
#include "suite/lang/case.h"
#include "suite/transport.h"
#include "wire/packet.h"

#define DISTANCE (1 << 16)

/* Returns true for a line that sets the device's Start_PSN. */
static bool is_set(const struct step *s)
{
	for (; s; s = s->next) {
		if (s->kind != STEP_CONFIGURE)
			continue;
		for (size_t i = 0; i < s->nparams; i++)
			if (strcmp(s->params[i].key, "start_psn") == 0)
				return true;
	}
	return false;
}

static struct rec_req *starts_req_of(struct record *r)
{
	struct rec_req *q;

	for (size_t i = 0; i < r->nreqs; i++)
		if (r->reqs[i].req == REQ_UET_PDC_19 &&
		    r->reqs[i].role == REQ_SRC)
			return &r->reqs[i];
	if (r->nreqs == r->reqs_size) {
		const size_t n = r->reqs_size ? r->reqs_size * 2 : 8;

		q = memory_realloc(r->reqs, n * sizeof(*q));
		if (!q)
			return NULL;
		r->reqs = q;
		r->reqs_size = n;
	}
	q = &r->reqs[r->nreqs++];
	*q = (struct rec_req){.req = REQ_UET_PDC_19, .role = REQ_SRC};
	return q;
}

static struct rec_finding *starts_finding_of(struct record *r)
{
	struct rec_finding *f;

	if (r->nfindings == r->findings_size) {
		const size_t n = r->findings_size ? r->findings_size * 2 : 8;

		f = memory_realloc(r->findings, n * sizeof(*f));
		if (!f)
			return NULL;
		r->findings = f;
		r->findings_size = n;
	}
	f = &r->findings[r->nfindings++];
	memset(f, 0, sizeof(*f));
	return f;
}

#define ITEM "req.start_psn"

static bool starts_is_known(const struct decl *decl, uint64_t psn)
{
	const struct deviation *d = decl ? decl->deviations : NULL;

	while (d && (d->req != REQ_UET_PDC_19 || !deviation_is(d, ITEM, &psn)))
		d = d->next;
	return d != NULL;
}

static int starts_fail(const struct starts *s, struct record *r, uint32_t frame,
		       uint32_t psn, const char *text)
{
	struct rec_finding *f;
	struct rec_req *q;

	if (s->recalls)
		return 0;
	f = starts_finding_of(r);
	if (f)
		q = starts_req_of(r);
	else
		q = NULL;
	if (!q)
		return ERR_NOMEM;
	f->req = REQ_UET_PDC_19;
	f->role = REQ_SRC;
	f->kind = KIND_PROTOCOL;
	f->frame = frame;
	f->seen = true;
	snprintf(f->what, sizeof(f->what), ITEM);
	snprintf(f->text, sizeof(f->text), "%s", text);
	snprintf(f->actual, sizeof(f->actual), "start_psn=%" PRIu32, psn);
	f->known = starts_is_known(s->decl, psn);
	q->wire = true;
	q->failed |= !f->known;
	if (f->known || r->verdict != VERDICT_PASS)
		return 0;
	r->verdict = VERDICT_FAIL;
	r->kind = KIND_PROTOCOL;
	r->reason_id = REASON_FINDING;
	snprintf(r->reason, sizeof(r->reason), "UET-PDC-19/src: %s", text);
	return 0;
}

static int take_alike(struct starts *s, struct record *r, uint32_t frame,
		      uint32_t start)
{
	char text[160];

	if (!s->alike)
		s->psn = start;
	if (s->psn != start)
		s->others++;
	else if (!s->others)
		s->alike++;
	if (s->others || s->told || s->alike < STARTS_ALIKE)
		return 0;
	s->told = true;
	snprintf(text, sizeof(text),
		 "Start_PSN is %" PRIu32 " for the %dth time, and was never "
		 "another.",
		 start, STARTS_ALIKE);
	return starts_fail(s, r, frame, start, text);
}

static int take_distance(struct starts *s, struct record *r, uint32_t frame,
			 uint16_t pdcid, uint32_t start)
{
	const struct starts_pdcid *p = &s->pdcids[pdcid];
	const int32_t d = serial_diff(start, p->last);
	char text[200];

	if (!s->lasting || !p->used || p->start == start || d >= DISTANCE ||
	    d <= -DISTANCE)
		return 0;
	snprintf(text, sizeof(text),
		 "Start_PSN %" PRIu32 " is less than 2^16 away from the last "
		 "PSN of PDCID 0x%04x in an earlier case, %" PRIu32 ".",
		 start, pdcid, p->last);
	return starts_fail(s, r, frame, start, text);
}

/* A PDC that the device opened, with its first SYN in this case. */
struct opened {
	uint16_t pdcid;
	uint32_t start, last, frame;
};

/* Finds the PDCs that the device opened in a case.  Return: their number. */
static size_t find_opened(const struct record *r, struct opened *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nrecs; i++) {
		uint64_t syn = 0, id = 0, psn, start;
		struct packet pkt;
		size_t k = 0;

		if (r->recs[i].kind != REC_RX || !r->recs[i].frame)
			continue;
		record_packet(r, &r->recs[i], &pkt);
		if (!packet_value(&pkt, "psn", &psn) ||
		    !packet_value(&pkt, "spdcid", &id) || !id)
			continue;
		while (k < n && ret[k].pdcid != id)
			k++;
		packet_value(&pkt, "syn", &syn);
		if (k == n && n < RECORD_PDCS && syn &&
		    packet_value(&pkt, "start_psn", &start))
			ret[n++] = (struct opened){
				(uint16_t)id, (uint32_t)start, (uint32_t)psn,
				r->recs[i].frame};
		else if (k < n && serial_after((uint32_t)psn, ret[k].last))
			ret[k].last = (uint32_t)psn;
	}
	return n;
}

int starts_take(struct starts *s, struct record *r)
{
	struct opened opened[RECORD_PDCS];
	size_t n;
	int err = 0;

	if (!suite_families[r->family]->has_pdcs || !r->test_case ||
	    (r->verdict != VERDICT_PASS && r->verdict != VERDICT_FAIL) ||
	    is_set(r->test_case->chairs[r->chair].first) ||
	    (s->decl && !decl_promises(s->decl, REQ_UET_PDC_19)))
		return 0;
	n = find_opened(r, opened);
	for (size_t i = 0; i < n && !err; i++) {
		const struct opened *o = &opened[i];
		struct starts_pdcid *p = &s->pdcids[o->pdcid];

		err = take_alike(s, r, o->frame, o->start);
		if (!err)
			err = take_distance(s, r, o->frame, o->pdcid, o->start);
		*p = (struct starts_pdcid){true, o->start, o->last};
	}
	return err;
}

void starts_recall(struct starts *s, struct record *r,
		   const struct test_case *k)
{
	const struct test_case *own = r->test_case;

	r->test_case = k;
	s->recalls = true;
	starts_take(s, r);
	s->recalls = false;
	r->test_case = own;
}
