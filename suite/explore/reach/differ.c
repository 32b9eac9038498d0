/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/reach/differ.c -- compares the packets of a device with those
 * of the reference, field by field.
 */
#include "suite/explore/reach/differ.h"

#include <stdio.h>
#include <string.h>

#include "wire/packet.h"

#define DIFFER_REFS 64 /* observed rows of a run that are asked */

/* A comparison under way. */
struct differing {
	struct differ *d;
	const struct record *device;
	uint64_t run;
	bool exact; /* virtual time: nothing differs by chance */
};

/* The next packet of the device in a record, from |*i| on; NULL: no more. */
static const struct rec *differ_packet(const struct record *r, size_t *i)
{
	while (*i < r->nrecs) {
		const struct rec *e = &r->recs[(*i)++];

		if (e->kind == REC_RX && e->frame)
			return e;
	}
	return NULL;
}

/* Returns the observed row that governs an item, or REQ_NONE. */
static enum req_id differ_governs(const struct record *r, const char *item)
{
	struct req_ref refs[DIFFER_REFS] = {{0}};
	struct blame_row row[BLAME_ROWS];
	struct blame_of of = {.refs = refs,
			      .family = r->family,
			      .seat = r->chair == CHAIR_TARGET ? REQ_DST
							       : REQ_SRC};

	for (size_t i = 0; i < r->nreqs && of.n < DIFFER_REFS; i++) {
		if (!r->reqs[i].wire && !r->reqs[i].control)
			continue;
		refs[of.n].id = r->reqs[i].req;
		refs[of.n++].role = r->reqs[i].role;
	}
	if (!of.n || !blame_choose(&of, item, row) ||
	    row[0].by == BLAME_BY_FIRST)
		return REQ_NONE;
	return row[0].req;
}

static void differ_add(struct differing *g, const char *class, const char *word,
		       const char *device, const char *reference)
{
	struct differ *d = g->d;
	struct differ_row *row = d->rows;
	char item[BLAME_ITEM];

	snprintf(item, sizeof(item), "%s.%s", class, word);
	while (row < d->rows + d->n && strcmp(row->item, item) != 0)
		row++;
	if (row == d->rows + DIFFER_ROWS)
		return;
	if (row == d->rows + d->n) {
		d->n++;
		*row = (struct differ_row){.run = g->run};
		memcpy(row->item, item, sizeof(item));
		row->req = differ_governs(g->device, item);
		snprintf(row->device, sizeof(row->device), "%s", device);
		snprintf(row->reference, sizeof(row->reference), "%s",
			 reference);
	} else if (row->req == REQ_NONE) {
		row->req = differ_governs(g->device, item);
	}
	row->times++;
}

static void differ_value(const struct field *f, uint64_t v,
			 char ret[DIFFER_TEXT])
{
	const char *name = f->names ? value_find(f->names, v) : NULL;

	if (name)
		snprintf(ret, DIFFER_TEXT, "%s", name);
	else if (f->kind == FIELD_SINT)
		snprintf(ret, DIFFER_TEXT, "%lld", (long long)v);
	else
		snprintf(ret, DIFFER_TEXT,
			 f->kind == FIELD_ID ? "0x%llx" : "%llu",
			 (unsigned long long)v);
}

/* Adds the fields of one section. Return: one differs. */
static bool differ_fields(struct differing *g, const char *class,
			  const struct packet *a, const struct packet *b,
			  unsigned sec)
{
	const struct header *h = a->sec[sec].h;
	bool any = false;

	for (size_t i = 0; i < h->nfields; i++) {
		const struct field *f = &h->fields[i];
		const uint64_t x = field_get(f, a->p + a->sec[sec].at);
		const uint64_t y = field_get(f, b->p + b->sec[sec].at);
		char device[DIFFER_TEXT], reference[DIFFER_TEXT];

		if (x == y || (!g->exact &&
			       (f->kind == FIELD_ID || f->kind == FIELD_SEQ)))
			continue;
		differ_value(f, x, device);
		differ_value(f, y, reference);
		differ_add(g, sec < a->nses ? class : "ses", f->name, device,
			   reference);
		any = true;
	}
	return any;
}

/* Compares two packets. Return: they differ. */
static bool differ_pair(struct differing *g, const struct rec *x,
			const struct rec *y, const struct record *reference)
{
	struct packet a, b;
	const char *class;
	bool any = false;

	record_packet(g->device, x, &a);
	record_packet(reference, y, &b);
	class = blame_class(packet_word(&b));
	if (strcmp(packet_word(&a), packet_word(&b)) != 0) {
		differ_add(g, class, "type", packet_word(&a), packet_word(&b));
		return true;
	}
	for (unsigned i = 0; i < a.nsec && i < b.nsec; i++) {
		if (a.sec[i].h != b.sec[i].h) {
			differ_add(g, "ses", "header", a.sec[i].h->name,
				   b.sec[i].h->name);
			return true;
		}
		any |= differ_fields(g, class, &a, &b, i);
	}
	if (any)
		return true;
	if (a.nsec != b.nsec || x->len != y->len ||
	    memcmp(a.p + a.payload, b.p + b.payload, x->len - a.payload) != 0) {
		differ_add(g, class, "data", "other bytes", "");
		return g->exact;
	}
	if (!g->exact || x->at == y->at)
		return false;
	if (x->at > y->at)
		differ_add(g, class, "late", "later", "earlier");
	else
		differ_add(g, class, "early", "earlier", "later");
	return true;
}

bool differ_take(struct differ *d, const struct record *device,
		 const struct record *reference, uint64_t run)
{
	struct differing g = {.d = d, .device = device, .run = run};
	const struct rec *x, *y;
	size_t i = 0, j = 0;
	struct packet pkt;
	bool differs = false;

	g.exact = device->clock && strcmp(device->clock, "virtual") == 0;
	do {
		x = differ_packet(device, &i);
		y = differ_packet(reference, &j);
		if (x && y)
			differs = differ_pair(&g, x, y, reference);
	} while (x && y && !differs);
	if (!differs && (x || y)) {
		record_packet(x ? device : reference, x ? x : y, &pkt);
		differ_add(&g, blame_class(packet_word(&pkt)),
			   x ? "forbidden" : "missing",
			   x ? packet_word(&pkt) : "none",
			   x ? "none" : packet_word(&pkt));
		differs = true;
	}
	d->runs += differs;
	return differs;
}
