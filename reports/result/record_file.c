/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/record_file.c -- writes record.jsonl line by line.
 */
#include "reports/result/record_file.h"

#include <inttypes.h>
#include <string.h>

#include "reports/format/json.h"
#include "reports/result/record_fields.h"
#include "suite/lang/chair.h"

/* ---- Strings ---- */

static bool record_is_plain(const char *s)
{
	for (; *s; s++)
		if (*s < 0x20 || *s > 0x7e || *s == '"' || *s == '\\')
			return false;
	return true;
}

static void record_put_hex(struct text *t, const uint8_t *p, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char buf[512];
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		buf[n++] = digits[p[i] >> 4];
		buf[n++] = digits[p[i] & 15];
		if (n == sizeof(buf)) {
			text_add(t, buf, n);
			n = 0;
		}
	}
	text_add(t, buf, n);
}

/*
 * Writes a string; bytes that are no UTF-8 become {"hex": "..."}, so that all
 * are preserved.
 */
static void record_put_string(struct text *t, const char *s)
{
	json_t *o;

	if (record_is_plain(s)) {
		text_puts(t, "\"");
		text_puts(t, s);
		text_puts(t, "\"");
		return;
	}
	o = json_string(s);
	if (!o) {
		text_puts(t, "{\"hex\":\"");
		record_put_hex(t, (const uint8_t *)s, strlen(s));
		text_puts(t, "\"}");
		return;
	}
	if (json_text(t, o, JSON_COMPACT | JSON_ENCODE_ANY))
		t->failed = true;
	else
		t->len--; /* removes the newline */
}

/* ---- Fields ---- */

static uint64_t uint_at(const void *p, size_t size)
{
	switch (size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return *(const uint16_t *)p;
	case 4:
		return *(const uint32_t *)p;
	default:
		return *(const uint64_t *)p;
	}
}

static bool record_ends_in(const struct text *t, char c)
{
	return t->len && t->s[t->len - 1] == c;
}

/* Begins a member with its name and the brace or comma before it. */
static void record_put_name(struct text *t, const char *name)
{
	text_puts(t, record_ends_in(t, '{') ? "\"" : ",\"");
	text_puts(t, name);
	text_puts(t, "\":");
}

static void record_put_number(struct text *t, const char *name, uint64_t n)
{
	record_put_name(t, name);
	text_printf(t, n > INT64_MAX ? "\"%" PRIu64 "\"" : "%" PRIu64, n);
}

static void record_put_text(struct text *t, const char *name, const char *s)
{
	if (!s || !*s)
		return;
	record_put_name(t, name);
	record_put_string(t, s);
}

static void record_put_addr(struct text *t, const char *name,
			    const struct ip_addr *a)
{
	char buf[IP_ADDR_TEXT];

	if (!a->len)
		return;
	ip_addr_print(a, buf);
	record_put_text(t, name, buf);
}

static void record_put_span(struct text *t, const char *name, int64_t span)
{
	if (!span)
		return;
	record_put_name(t, name);
	text_printf(t, "%" PRId64, span);
}

static void record_put_field(struct text *t, const struct record_field *f,
			     const void *p)
{
	uint64_t n;

	switch (f->type) {
	case RECORD_BOOL:
		if (*(const bool *)p) {
			record_put_name(t, f->name);
			text_puts(t, "true");
		}
		return;
	case RECORD_UINT:
		n = uint_at(p, f->size);
		if (n)
			record_put_number(t, f->name, n);
		return;
	case RECORD_SPAN:
		record_put_span(t, f->name, *(const int64_t *)p);
		return;
	case RECORD_WORD:
		n = uint_at(p, f->size);
		if (n)
			record_put_text(t, f->name, f->word((unsigned)n));
		return;
	case RECORD_CHARS:
		record_put_text(t, f->name, p);
		return;
	case RECORD_ADDR:
		record_put_addr(t, f->name, p);
		return;
	case RECORD_REQ:
		if (*(const enum req_id *)p != REQ_NONE)
			record_put_text(t, f->name,
					req_get(*(const enum req_id *)p)->id);
		return;
	}
}

static void record_put_fields(struct text *t, const struct record_fields *f,
			      const void *p)
{
	for (size_t i = 0; i < f->n; i++)
		record_put_field(t, &f->at[i], (const char *)p + f->at[i].at);
}

/* ---- Lines ---- */

static void record_put_parts(struct text *t, const struct record_about *a)
{
	record_put_name(t, "parts");
	text_puts(t, "{");
	for (size_t i = 0; i < a->nparts; i++)
		record_put_number(t, a->parts[i].name, a->parts[i].size);
	text_puts(t, "}");
}

static void record_put_case(struct text *t, const struct test_case *k)
{
	if (!k)
		return;
	record_put_name(t, "case");
	text_puts(t, "{");
	record_put_text(t, "path", k->path);
	record_put_text(t, "title", k->title);
	record_put_text(t, "ref", k->ref);
	record_put_name(t, "covers");
	text_puts(t, "[");
	for (size_t i = 0; i < k->ncovers; i++)
		text_printf(t, "%s[\"%s\",\"%s\"]", i ? "," : "",
			    req_get(k->covers[i].id)->id,
			    req_role_name(k->covers[i].role));
	text_puts(t, "]");
	record_put_name(t, "chairs");
	text_puts(t, "[");
	for (int c = 0; c < CHAIR_COUNT; c++)
		if (k->chairs[c].present)
			text_printf(t, "%s\"%s\"",
				    record_ends_in(t, '[') ? "" : ",",
				    chair_name((enum chair)c));
	text_puts(t, "]}");
}

/* Writes [what, how often, frame] for each kind of doubt. */
static void record_put_doubts(struct text *t, const struct record *r)
{
	bool any = false;

	for (int i = 0; i < DOUBT_COUNT; i++) {
		if (!r->doubts[i].n)
			continue;
		if (!any)
			record_put_name(t, "doubts");
		text_printf(t, "%s[\"%s\",%" PRIu64 ",%" PRIu32 "]",
			    any ? "," : "[", dut_doubt_name((enum dut_doubt)i),
			    r->doubts[i].n, r->doubts[i].frame);
		any = true;
	}
	if (any)
		text_puts(t, "]");
}

static void record_put_bases(struct text *t, const struct record *r)
{
	record_put_name(t, "bases");
	text_puts(t, "[");
	for (size_t i = 0; i < RECORD_PDCS; i++) {
		text_puts(t, i ? ",{" : "{");
		record_put_fields(t, &record_base_fields, &r->base[i]);
		text_puts(t, "}");
	}
	text_puts(t, "]");
}

static void record_put_head(struct text *t, const struct record *r,
			    const struct record_about *a)
{
	text_puts(t, "{\"schema\":\"" RECORD_SCHEMA "\"");
	record_put_text(t, "run", a->run);
	record_put_fields(t, &record_head_fields, r);
	record_put_text(t, "clock", r->clock);
	record_put_doubts(t, r);
	record_put_bases(t, r);
	record_put_case(t, r->test_case);
	record_put_parts(t, a);
	record_put_number(t, "findings", r->nfindings);
	record_put_number(t, "requirements", r->nreqs);
	record_put_number(t, "entries", r->nrecs);
	text_puts(t, "}\n");
}

static void record_put_finding(struct text *t, const struct record *r,
			       const struct rec_finding *f)
{
	text_puts(t, "{\"finding\":{");
	record_put_fields(t, &record_finding_fields, f);
	record_put_text(t, "file", f->file);
	record_put_text(t, "source", record_source(r, f));
	text_puts(t, "}}\n");
}

static void record_put_entry(struct text *t, const struct record *r,
			     const struct rec *e)
{
	text_puts(t, "{");
	record_put_fields(t, &record_entry_fields, e);
	record_put_text(t, "allowed", e->allowed);
	record_put_text(t, "note", record_note_of(r, e));
	record_put_text(t, "text", record_text_of(r, e));
	if (e->len) {
		record_put_name(t, "data");
		text_puts(t, "\"");
		record_put_hex(t, r->bytes + e->data, e->len);
		text_puts(t, "\"");
	}
	text_puts(t, "}\n");
}

int record_file_print(struct text *t, const struct record *r,
		      const struct record_about *about)
{
	record_put_head(t, r, about);
	for (size_t i = 0; i < r->nfindings && !t->failed; i++)
		record_put_finding(t, r, &r->findings[i]);
	for (size_t i = 0; i < r->nreqs && !t->failed; i++) {
		text_puts(t, "{\"requirement\":{");
		record_put_fields(t, &record_req_fields, &r->reqs[i]);
		text_puts(t, "}}\n");
	}
	for (size_t i = 0; i < r->nrecs && !t->failed; i++)
		record_put_entry(t, r, &r->recs[i]);
	return text_err(t);
}
