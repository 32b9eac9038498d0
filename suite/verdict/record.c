/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/record.c -- the record of one run of a case: entries, packet
 * bytes and texts in growing arrays.
 *
 * record_clear() keeps the arrays for the next case.  Texts are in a pool and
 * are stored as offsets, because the pool may move.
 */
#include "suite/verdict/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "suite/verdict/space.h"

void record_clear(struct record *r)
{
	struct record keep;

	arena_free(&r->own);
	text_free(&r->transcript);
	keep = *r;
	memset(r, 0, sizeof(*r));
	r->recs = keep.recs;
	r->recs_size = keep.recs_size;
	r->findings = keep.findings;
	r->findings_size = keep.findings_size;
	r->reqs = keep.reqs;
	r->reqs_size = keep.reqs_size;
	r->bytes = keep.bytes;
	r->bytes_size = keep.bytes_size;
	r->packets = keep.packets;
	r->packets_size = keep.packets_size;
	r->pool = keep.pool;
	text_clear(&r->pool);
}

void record_free(struct record *r)
{
	free(r->recs);
	free(r->findings);
	free(r->reqs);
	free(r->bytes);
	free(r->packets);
	text_free(&r->pool);
	text_free(&r->transcript);
	arena_free(&r->own);
	memset(r, 0, sizeof(*r));
}

/*
 * Makes room for |want| elements.  On failure returns false and changes
 * nothing.
 */
static bool record_room(void **array, size_t *size, size_t want, size_t each)
{
	size_t n = *size ? *size : 32;
	void *p;

	if (want <= *size)
		return true;
	while (n < want)
		n *= 2;
	p = memory_realloc(*array, n * each);
	if (!p)
		return false;
	*array = p;
	*size = n;
	return true;
}

/* Puts a text into the pool; returns its offset + 1, or 0 for none. */
static size_t pool_add(struct record *r, const char *s)
{
	size_t at = r->pool.len;

	if (!s || !*s)
		return 0;
	text_add(&r->pool, s, strlen(s) + 1);
	if (text_err(&r->pool)) {
		r->failed_alloc = true;
		return 0;
	}
	return at + 1;
}

static const uint8_t *record_bytes(const struct record *r,
				   const struct rec *rec)
{
	return rec->len ? r->bytes + rec->data : NULL;
}

/* Parses and reads the packet of an entry that has one. */
static void record_read(struct record *r, size_t index)
{
	const struct rec *rec = &r->recs[index];
	struct record_packet *to = &r->packets[index];

	packet_parse(rec->family, &to->pkt, record_bytes(r, rec), rec->len);
	packet_know(&to->pkt, &to->known);
}

/*
 * Reads the packet of an entry, since many parts of a run read it.  Without
 * memory, record_packet() parses it each time.
 */
static void record_keep(struct record *r, size_t index, bool any)
{
	void *packets = r->packets;

	if (!record_room(&packets, &r->packets_size, index + 1,
			 sizeof(*r->packets)))
		return;
	r->packets = packets;
	while (r->npackets < index) /* there was no memory for these */
		r->packets[r->npackets++].pkt.format = NULL;
	r->npackets = index + 1;
	if (any)
		record_read(r, index);
	else
		r->packets[index].pkt.format = NULL;
}

size_t record_add(struct record *r, const struct rec *rec,
		  const struct dgram *d, const char *note, const char *text)
{
	void *recs = r->recs, *bytes = r->bytes;
	struct rec *to;

	if (!record_room(&recs, &r->recs_size, r->nrecs + 1,
			 sizeof(*r->recs))) {
		r->failed_alloc = true;
		if (r->nrecs)
			return r->nrecs - 1;
		return 0;
	}
	r->recs = recs;
	to = &r->recs[r->nrecs];
	*to = *rec;
	if (d) {
		if (!record_room(&bytes, &r->bytes_size, r->nbytes + d->len,
				 1)) {
			r->failed_alloc = true;
			if (r->nrecs)
				return r->nrecs - 1;
			return 0;
		}
		r->bytes = bytes;
		to->src = d->src;
		to->dst = d->dst;
		to->entropy = d->entropy;
		to->family = d->family;
		to->dscp = d->dscp;
		to->ecn = d->ecn;
		to->native = d->native;
		to->crc = d->crc;
		to->udp_length = d->udp_length;
		to->udp_checksum = d->udp_checksum;
		to->udp_dport = d->udp_dport;
		to->ip_proto = d->ip_proto;
		to->no_df = d->no_df;
		to->padding = d->padding;
		to->ext = d->ext;
		to->data = r->nbytes;
		to->len = (uint32_t)d->len;
		to->whole = to->len;
		if (d->len)
			memcpy(r->bytes + r->nbytes, d->data, d->len);
		r->nbytes += d->len;
	}
	to->note = pool_add(r, note);
	to->text = pool_add(r, text);
	record_keep(r, r->nrecs, d != NULL);
	return r->nrecs++;
}

static const char *pool_at(const struct record *r, size_t at)
{
	if (at)
		return r->pool.s + at - 1;
	return "";
}

const char *record_note_of(const struct record *r, const struct rec *rec)
{
	return pool_at(r, rec->note);
}

const char *record_text_of(const struct record *r, const struct rec *rec)
{
	return pool_at(r, rec->text);
}

void record_note(struct record *r, size_t index, const char *note)
{
	struct rec *rec;
	char joined[400];
	size_t n = 0;

	if (index >= r->nrecs)
		return;
	rec = &r->recs[index];
	if (rec->note) {
		const char *old = pool_at(r, rec->note);

		if (strlen(old) < sizeof(joined) / 2)
			n = strlen(old);
		else
			n = sizeof(joined) / 2;
		memcpy(joined, old, n);
		memcpy(joined + n, "; ", 2);
		n += 2;
	}
	strncpy(joined + n, note, sizeof(joined) - n - 1);
	joined[sizeof(joined) - 1] = 0;
	rec->note = pool_add(r, joined);
}

void record_change(struct record *r, size_t index, const uint8_t *p, size_t len)
{
	struct rec *rec = &r->recs[index];

	if (len > rec->len)
		return;
	rec->len = (uint32_t)len;
	if (len)
		memcpy(r->bytes + rec->data, p, len);
	if (index < r->npackets)
		record_read(r, index);
}

/* Returns the packet of an entry as it was read; NULL: it was not read. */
static struct record_packet *record_was_read(const struct record *r,
					     const struct rec *rec)
{
	const size_t index =
		((uintptr_t)rec - (uintptr_t)r->recs) / sizeof(*rec);
	const struct packet *pkt;

	if (index >= r->npackets)
		return NULL;
	pkt = &r->packets[index].pkt;
	if (pkt->len != rec->len ||
	    pkt->format != wire_families[rec->family]->format)
		return NULL;
	return &r->packets[index];
}

const struct packet *record_packet_of(const struct record *r,
				      const struct rec *rec, struct packet *own)
{
	struct record_packet *read = record_was_read(r, rec);

	if (!read) {
		packet_parse(rec->family, own, record_bytes(r, rec), rec->len);
		return own;
	}
	read->pkt.p = record_bytes(r, rec); /* they may have moved */
	read->pkt.known = &read->known;
	return &read->pkt;
}

void record_packet(const struct record *r, const struct rec *rec,
		   struct packet *ret)
{
	const struct packet *pkt = record_packet_of(r, rec, ret);

	if (pkt != ret)
		*ret = *pkt;
}

void record_dgram(const struct record *r, const struct rec *rec,
		  struct dgram *ret)
{
	ret->src = rec->src;
	ret->dst = rec->dst;
	ret->entropy = rec->entropy;
	ret->family = rec->family;
	ret->dscp = rec->dscp;
	ret->ecn = rec->ecn;
	ret->native = rec->native;
	ret->crc = rec->crc;
	if (rec->kind == REC_RX && rec->crc == DGRAM_CRC_WRONG)
		ret->crc =
			DGRAM_CRC_NONE; /* the CRC is still among the bytes */
	ret->udp_length = rec->udp_length;
	ret->udp_checksum = rec->udp_checksum;
	ret->udp_dport = rec->udp_dport;
	ret->ip_proto = rec->ip_proto;
	ret->no_df = rec->no_df;
	ret->padding = rec->padding;
	ret->ext = rec->ext;
	ret->headers = 0;
	ret->len = rec->len;
	if (rec->len)
		memcpy(ret->data, r->bytes + rec->data, rec->len);
}

uint32_t record_psn_show(const void *ctx, const struct packet *pkt,
			 const char *field, uint32_t psn)
{
	const struct record_psn *p = ctx;
	bool initiator = p->to_dut == (p->record->chair == CHAIR_TARGET);

	return psn_shown(&p->record->base[p->pdc],
			 psn_space_of(pkt, field, initiator), psn);
}

static const char *source_in(const struct step *s, const struct rec_finding *f)
{
	for (; s; s = s->next) {
		if (s->line == f->line && f->file && s->file &&
		    strcmp(s->file, f->file) == 0)
			return s->source;
		for (size_t i = 0; i < s->ngroups; i++) {
			const char *in = source_in(s->groups[i], f);

			if (in)
				return in;
		}
	}
	return NULL;
}

const char *record_source(const struct record *r, const struct rec_finding *f)
{
	if (!r->test_case || !f->line)
		return NULL;
	return source_in(r->test_case->chairs[r->chair].first, f);
}

/* A finding and its frame. */
struct record_shown {
	uint32_t frame;
	size_t finding;
};

static int row_by_frame(const void *a, const void *b)
{
	const struct record_shown *x = a, *y = b;

	return (x->frame > y->frame) - (x->frame < y->frame);
}

bool record_lost(const struct record *r)
{
	switch (r->reason_id) {
	case REASON_CONTROL_CLOSED:
	case REASON_GONE:
	case REASON_NO_RESET:
	case REASON_CONTROL_SILENT:
	case REASON_STOPPED:
		return true;
	default:
		return r->gone;
	}
}

size_t record_entry_of(const struct record *r, uint32_t frame)
{
	for (size_t i = r->nrecs; frame && i-- > 0;)
		if (r->recs[i].frame == frame)
			return i;
	return SIZE_MAX;
}

/* Notes the entry |at| for all findings about its frame. */
static void note_row(const struct record_shown *shown, size_t n, uint32_t frame,
		     size_t at, size_t *rows)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (shown[mid].frame < frame)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < n && shown[low].frame == frame; low++)
		rows[shown[low].finding] = at + 1;
}

size_t *record_rows(const struct record *r)
{
	const size_t n = r->nfindings;
	struct record_shown *shown =
		n ? memory_calloc(n, sizeof(*shown)) : NULL;
	size_t *rows = shown ? memory_calloc(n, sizeof(*rows)) : NULL;

	if (!rows) {
		free(shown);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		shown[i] = (struct record_shown){r->findings[i].frame, i};
	qsort(shown, n, sizeof(*shown), row_by_frame);
	for (size_t i = 0; i < r->nrecs; i++)
		if (r->recs[i].frame)
			note_row(shown, n, r->recs[i].frame, i, rows);
	free(shown);
	return rows;
}

const char *rec_phase_name(enum rec_phase p)
{
	static const char *const names[] = {
		[PHASE_BODY] = "body",
		[PHASE_SETUP] = "set-up",
		[PHASE_TEARDOWN] = "tear-down",
	};

	return names[p];
}

const char *fail_kind_name(enum fail_kind k)
{
	switch (k) {
	case KIND_PROTOCOL:
		return "protocol";
	case KIND_TIMING:
		return "timing";
	case KIND_NONE:
		break;
	}
	return "";
}

const char *fate_name(enum fate f)
{
	switch (f) {
	case FATE_CROSSED:
		return "crossed";
	case FATE_DROPPED:
		return "dropped";
	case FATE_DELAYED:
		return "delayed";
	case FATE_DUPLICATE:
		return "duplicate";
	case FATE_CHANGED:
		return "changed";
	case FATE_INJECTED:
		return "injected";
	}
	return "unknown";
}
