/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/record_read.c -- reads record.jsonl line by line.
 *
 * The file is untrusted and may be truncated: every number is checked against
 * its range before it is stored.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "reports/result/record_fields.h"
#include "reports/result/record_read.h"
#include "suite/lang/chair.h"

#include <jansson.h>

struct record_reader {
	struct record *r;
	struct test_case *test_case;
	const char *path;
	const char *at, *end; /* the rest of the text */
	unsigned line;        /* number of the last line read, from 1 */
	struct diag *diag;
	int err; /* the first error, or 0 */
};

__attribute__((format(printf, 2, 3))) static void
record_bad(struct record_reader *rd, const char *fmt, ...)
{
	char say[200];
	va_list ap;

	if (rd->err)
		return;
	va_start(ap, fmt);
	vsnprintf(say, sizeof(say), fmt, ap);
	va_end(ap);
	rd->err = diag_set(rd->diag, rd->path, rd->line, 0, NULL, "%s", say);
}

static void record_no_memory(struct record_reader *rd)
{
	if (!rd->err)
		rd->err = ERR_NOMEM;
}

/* Returns the next line as an object, or NULL after an error. */
static json_t *record_next_line(struct record_reader *rd)
{
	const char *stop = memchr(rd->at, '\n', (size_t)(rd->end - rd->at));
	json_error_t e;
	json_t *o;

	rd->line++;
	if (!stop) {
		record_bad(rd, "the file is truncated");
		return NULL;
	}
	o = json_loadb(rd->at, (size_t)(stop - rd->at), 0, &e);
	rd->at = stop + 1;
	if (json_is_object(o))
		return o;
	json_decref(o);
	record_bad(rd, "no JSON object: %s", e.text);
	return NULL;
}

/* ---- Values ---- */

static int record_read_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Reads two digits for each byte; |ret| has room for half of |len|. */
static bool record_read_hex(const char *s, size_t len, uint8_t *ret)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		const int hi = record_read_hex_digit(s[i]),
			  lo = record_read_hex_digit(s[i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		ret[i / 2] = (uint8_t)(hi << 4 | lo);
	}
	return len % 2 == 0;
}

/* Reads a number, or the decimal text of one above 63 bits. */
static uint64_t record_number(struct record_reader *rd, const json_t *v,
			      const char *name)
{
	const char *s = json_string_value(v);
	uint64_t n = 0;

	if (json_is_integer(v) && json_integer_value(v) >= 0)
		return (uint64_t)json_integer_value(v);
	for (; s && *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			break;
	if (!s || *s)
		record_bad(rd, "'%s' is no number", name);
	return n;
}

/* Copies a text into the record's own memory; NULL if there is none. */
static const char *record_json_text(struct record_reader *rd, const json_t *v,
				    const char *name)
{
	const char *s = json_string_value(v);
	const json_t *hex = json_object_get(v, "hex");
	char *copy;
	size_t n;

	if (!v)
		return NULL;
	if (s) {
		copy = arena_strndup(&rd->r->own, s, json_string_length(v));
		if (!copy)
			record_no_memory(rd);
		return copy;
	}
	n = json_string_length(hex);
	if (json_is_string(hex))
		copy = arena_alloc(&rd->r->own, n / 2 + 1);
	else
		copy = NULL;
	if (!json_is_string(hex))
		record_bad(rd, "'%s' is no text", name);
	else if (!copy)
		record_no_memory(rd);
	else if (!record_read_hex(json_string_value(hex), n, (uint8_t *)copy))
		record_bad(rd, "'%s' is not hexadecimal", name);
	return copy;
}

static const char *record_text_member(struct record_reader *rd, const json_t *o,
				      const char *name)
{
	return record_json_text(rd, json_object_get(o, name), name);
}

/* ---- Fields ---- */

static void store_uint(void *p, size_t size, uint64_t n)
{
	switch (size) {
	case 1:
		*(uint8_t *)p = (uint8_t)n;
		return;
	case 2:
		*(uint16_t *)p = (uint16_t)n;
		return;
	case 4:
		*(uint32_t *)p = (uint32_t)n;
		return;
	default:
		*(uint64_t *)p = n;
	}
}

static void record_read_uint(struct record_reader *rd,
			     const struct record_field *f, const json_t *v,
			     void *p)
{
	const uint64_t most =
		f->size < 8 ? (UINT64_C(1) << 8 * f->size) - 1 : UINT64_MAX;
	const uint64_t n = record_number(rd, v, f->name);

	if (n > most || n > f->max)
		record_bad(rd, "'%s' is out of range", f->name);
	else
		store_uint(p, f->size, n);
}

static void record_read_word(struct record_reader *rd,
			     const struct record_field *f, const json_t *v,
			     void *p)
{
	const char *s = json_string_value(v);

	for (unsigned i = 0; s && i < f->max; i++)
		if (strcmp(s, f->word(i)) == 0) {
			store_uint(p, f->size, i);
			return;
		}
	record_bad(rd, "'%s' is no word that this version knows", f->name);
}

static void record_read_chars(struct record_reader *rd,
			      const struct record_field *f, const json_t *v,
			      char *p)
{
	const char *s = record_json_text(rd, v, f->name);

	if (!s)
		return;
	if (strlen(s) >= f->size)
		record_bad(rd, "'%s' is too long", f->name);
	else
		strcpy(p, s);
}

static void record_read_addr(struct record_reader *rd,
			     const struct record_field *f, const json_t *v,
			     struct ip_addr *p)
{
	const char *s = json_string_value(v);

	if (!s || ip_addr_parse(p, s, strlen(s)))
		record_bad(rd, "'%s' is no address", f->name);
}

static enum req_id record_read_req(struct record_reader *rd, const json_t *v)
{
	const char *s = json_string_value(v);
	const enum req_id id = s ? req_find(s, strlen(s), NULL) : REQ_NONE;

	if (id == REQ_NONE)
		record_bad(rd, "'%s' is no requirement that this version knows",
			   s ? s : "");
	return id;
}

static void record_read_field(struct record_reader *rd,
			      const struct record_field *f, const json_t *v,
			      void *p)
{
	switch (f->type) {
	case RECORD_BOOL:
		*(bool *)p = json_is_true(v);
		return;
	case RECORD_UINT:
		record_read_uint(rd, f, v, p);
		return;
	case RECORD_SPAN:
		if (!json_is_integer(v))
			record_bad(rd, "'%s' is no whole number", f->name);
		*(int64_t *)p = json_integer_value(v);
		return;
	case RECORD_WORD:
		record_read_word(rd, f, v, p);
		return;
	case RECORD_CHARS:
		record_read_chars(rd, f, v, p);
		return;
	case RECORD_ADDR:
		record_read_addr(rd, f, v, p);
		return;
	case RECORD_REQ:
		*(enum req_id *)p = record_read_req(rd, v);
		return;
	}
}

static void record_read_fields(struct record_reader *rd,
			       const struct record_fields *f, const json_t *o,
			       void *ret)
{
	for (size_t i = 0; i < f->n; i++) {
		const json_t *v = json_object_get(o, f->at[i].name);
		void *p = (char *)ret + f->at[i].at;

		if (v)
			record_read_field(rd, &f->at[i], v, p);
		else if (f->at[i].type == RECORD_REQ)
			*(enum req_id *)p = REQ_NONE;
	}
}

/* ---- The first line ---- */

static void record_read_doubts(struct record_reader *rd, const json_t *a)
{
	const json_t *d;
	size_t i;

	json_array_foreach(a, i, d)
	{
		const char *s = json_string_value(json_array_get(d, 0));
		int of = 0;

		while (s && of < DOUBT_COUNT &&
		       strcmp(s, dut_doubt_name((enum dut_doubt)of)) != 0)
			of++;
		if (!s || of == DOUBT_COUNT) {
			record_bad(rd, "'doubts' has a word that is not known");
			return;
		}
		rd->r->doubts[of] = (struct rec_doubt){
			.n = record_number(rd, json_array_get(d, 1), "doubts"),
			.frame = (uint32_t)record_number(
				rd, json_array_get(d, 2), "doubts"),
		};
	}
}

static enum req_role record_role_of(struct record_reader *rd, const json_t *v)
{
	const char *s = json_string_value(v);

	for (unsigned i = REQ_SRC; s && i <= REQ_BOTH; i++)
		if (strcmp(s, req_role_name((enum req_role)i)) == 0)
			return (enum req_role)i;
	record_bad(rd, "'covers' has a role that is not known");
	return REQ_BOTH;
}

static void record_read_covers(struct record_reader *rd, const json_t *a)
{
	struct req_ref *refs = arena_alloc(
		&rd->r->own, (json_array_size(a) + 1) * sizeof(*refs));
	const json_t *pair;
	size_t i;

	if (!refs) {
		record_no_memory(rd);
		return;
	}
	json_array_foreach(a, i, pair)
	{
		const enum req_id id =
			record_read_req(rd, json_array_get(pair, 0));

		refs[i] = (struct req_ref){
			.id = id,
			.role = record_role_of(rd, json_array_get(pair, 1))};
	}
	rd->test_case->covers = refs;
	rd->test_case->ncovers = json_array_size(a);
}

static const char *record_or_empty(const char *s)
{
	if (s)
		return s;
	return "";
}

static void record_read_case(struct record_reader *rd, const json_t *o)
{
	struct test_case *k = arena_alloc(&rd->r->own, sizeof(*k));
	const json_t *v;
	size_t i;

	if (!o)
		return;
	if (!k) {
		record_no_memory(rd);
		return;
	}
	rd->test_case = k;
	rd->r->test_case = k;
	k->family = rd->r->family;
	k->id = rd->r->id;
	k->path = record_or_empty(record_text_member(rd, o, "path"));
	k->title = record_or_empty(record_text_member(rd, o, "title"));
	k->ref = record_or_empty(record_text_member(rd, o, "ref"));
	k->text = "";
	record_read_covers(rd, json_object_get(o, "covers"));
	json_array_foreach(json_object_get(o, "chairs"), i, v)
	{
		const char *s = json_string_value(v);

		for (int c = 0; s && c < CHAIR_COUNT; c++)
			k->chairs[c].present |=
				strcmp(s, chair_name((enum chair)c)) == 0;
	}
}

/* The name of a part is a file's; record_file_print writes it as it is. */
static bool record_is_file_name(const char *s)
{
	for (const char *c = s; *c; c++)
		if ((unsigned char)*c <= ' ' || strchr("\"\\/", *c))
			return false;
	return *s;
}

static void record_read_parts(struct record_reader *rd, json_t *o,
			      struct record_about *ret)
{
	struct record_part *parts = arena_alloc(
		&rd->r->own, (json_object_size(o) + 1) * sizeof(*parts));
	const char *name;
	json_t *v;
	size_t n = 0;

	if (!parts) {
		record_no_memory(rd);
		return;
	}
	json_object_foreach(o, name, v)
	{
		if (!record_is_file_name(name)) {
			record_bad(rd, "\"parts\": a name is no file name");
			return;
		}
		parts[n].name = arena_strndup(&rd->r->own, name, strlen(name));
		parts[n].size = record_number(rd, v, name);
		if (!parts[n++].name)
			record_no_memory(rd);
	}
	ret->parts = parts;
	ret->nparts = n;
}

static size_t record_count_at(struct record_reader *rd, const json_t *o,
			      const char *name)
{
	const size_t left = (size_t)(rd->end - rd->at);
	const uint64_t n = record_number(rd, json_object_get(o, name), name);

	/* a line has at least three bytes */
	if (n > left / 3)
		record_bad(rd, "the file is truncated");
	if (rd->err)
		return 0;
	return (size_t)n;
}

struct counts {
	size_t findings, reqs, entries;
};

static void record_read_head(struct record_reader *rd, json_t *o,
			     struct record_about *ret, struct counts *n)
{
	const char *schema = json_string_value(json_object_get(o, "schema"));
	const json_t *base;
	size_t i;

	if (!schema || strcmp(schema, RECORD_SCHEMA) != 0) {
		record_bad(rd, "this is no %s", RECORD_SCHEMA);
		return;
	}
	record_read_fields(rd, &record_head_fields, o, rd->r);
	rd->r->clock = record_text_member(rd, o, "clock");
	record_read_doubts(rd, json_object_get(o, "doubts"));
	json_array_foreach(json_object_get(o, "bases"), i,
			   base) if (i < RECORD_PDCS)
		record_read_fields(rd, &record_base_fields, base,
				   &rd->r->base[i]);
	record_read_case(rd, json_object_get(o, "case"));
	ret->run = record_or_empty(record_text_member(rd, o, "run"));
	record_read_parts(rd, json_object_get(o, "parts"), ret);
	n->findings = record_count_at(rd, o, "findings");
	n->reqs = record_count_at(rd, o, "requirements");
	n->entries = record_count_at(rd, o, "entries");
}

/* ---- The other lines ---- */

/* Adds a line that a finding names, so that record_source finds it. */
static void record_add_source(struct record_reader *rd,
			      const struct rec_finding *f, const char *source)
{
	struct step *s;

	if (!source || !rd->test_case)
		return;
	s = arena_alloc(&rd->r->own, sizeof(*s));
	if (!s) {
		record_no_memory(rd);
		return;
	}
	s->file = f->file;
	s->line = f->line;
	s->source = source;
	s->next = rd->test_case->chairs[rd->r->chair].first;
	rd->test_case->chairs[rd->r->chair].first = s;
}

static void record_read_finding(struct record_reader *rd, const json_t *o,
				struct rec_finding *f)
{
	o = json_object_get(o, "finding");
	if (!o) {
		record_bad(rd, "'finding' is missing");
		return;
	}
	record_read_fields(rd, &record_finding_fields, o, f);
	f->file = record_text_member(rd, o, "file");
	record_add_source(rd, f, record_text_member(rd, o, "source"));
}

static void record_read_findings(struct record_reader *rd, size_t n)
{
	rd->r->findings = memory_calloc(n + 1, sizeof(*rd->r->findings));
	rd->r->findings_size = n + 1;
	if (!rd->r->findings) {
		rd->r->findings_size = 0;
		record_no_memory(rd);
	}
	for (size_t i = 0; i < n && !rd->err; i++) {
		json_t *o = record_next_line(rd);

		if (o)
			record_read_finding(rd, o,
					    &rd->r->findings[rd->r->nfindings]);
		rd->r->nfindings++;
		json_decref(o);
	}
}

static void record_read_reqs(struct record_reader *rd, size_t n)
{
	rd->r->reqs = memory_calloc(n + 1, sizeof(*rd->r->reqs));
	rd->r->reqs_size = n + 1;
	if (!rd->r->reqs) {
		rd->r->reqs_size = 0;
		record_no_memory(rd);
	}
	for (size_t i = 0; i < n && !rd->err; i++) {
		json_t *o = record_next_line(rd);
		const json_t *q = json_object_get(o, "requirement");

		if (!q)
			record_bad(rd, "'requirement' is missing");
		else
			record_read_fields(rd, &record_req_fields, q,
					   &rd->r->reqs[rd->r->nreqs++]);
		json_decref(o);
	}
}

/* Reads the bytes of a packet.  Return: false if there are none. */
static bool record_read_data(struct record_reader *rd, const json_t *o,
			     struct dgram *d)
{
	const json_t *v = json_object_get(o, "data");
	const size_t n = json_string_length(v);

	if (!v)
		return true;
	if (!json_is_string(v) || n / 2 > DGRAM_MAX ||
	    !record_read_hex(json_string_value(v), n, d->data)) {
		record_bad(rd, "'data' is not the bytes of a packet");
		return false;
	}
	d->len = n / 2;
	return true;
}

/* Fills the datagram from which record_add takes the fields of a packet. */
static void record_fill_dgram(struct dgram *d, const struct rec *e)
{
	d->src = e->src;
	d->dst = e->dst;
	d->entropy = e->entropy;
	d->family = e->family;
	d->dscp = e->dscp;
	d->ecn = e->ecn;
	d->native = e->native;
	d->crc = e->crc;
	d->udp_length = e->udp_length;
	d->udp_checksum = e->udp_checksum;
	d->udp_dport = e->udp_dport;
	d->ip_proto = e->ip_proto;
	d->no_df = e->no_df;
	d->padding = e->padding;
	d->ext = e->ext;
}

static void record_read_entry(struct record_reader *rd, const json_t *o,
			      struct dgram *d)
{
	struct rec e = {0};
	size_t at;

	d->len = 0;
	record_read_fields(rd, &record_entry_fields, o, &e);
	e.allowed = record_text_member(rd, o, "allowed");
	if (!record_read_data(rd, o, d))
		return;
	record_fill_dgram(d, &e);
	at = record_add(rd->r, &e, d, record_text_member(rd, o, "note"),
			record_text_member(rd, o, "text"));
	if (rd->r->nrecs)
		rd->r->recs[at].whole = e.whole;
}

static void record_read_entries(struct record_reader *rd, size_t n)
{
	const bool lost = rd->r->failed_alloc;
	struct dgram *d = memory_alloc(sizeof(*d));

	if (!d)
		record_no_memory(rd);
	rd->r->failed_alloc = false;
	for (size_t i = 0; i < n && !rd->err; i++) {
		json_t *o = record_next_line(rd);

		if (o)
			record_read_entry(rd, o, d);
		json_decref(o);
		if (rd->r->failed_alloc)
			record_no_memory(rd);
	}
	rd->r->failed_alloc |= lost;
	free(d);
}

int record_file_parse(struct record *ret, struct record_about *ret_about,
		      const char *path, const char *text, size_t len,
		      struct diag *diag)
{
	struct record_reader rd = {.r = ret,
				   .path = path,
				   .at = text,
				   .end = text + len,
				   .diag = diag};
	struct counts n = {0};
	json_t *o = record_next_line(&rd);

	ret->recalled = true;
	*ret_about = (struct record_about){0};
	if (o)
		record_read_head(&rd, o, ret_about, &n);
	json_decref(o);
	if (!rd.err)
		record_read_findings(&rd, n.findings);
	if (!rd.err)
		record_read_reqs(&rd, n.reqs);
	if (!rd.err)
		record_read_entries(&rd, n.entries);
	if (!rd.err && rd.at != rd.end) {
		rd.line++;
		record_bad(&rd, "there is more than the first line says");
	}
	return rd.err;
}
