/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/ladder/ladder_json.c -- writes each entry of a record as an object.
 */
#include "reports/ladder/ladder_json.h"

#include <jansson.h>

#include "reports/format/json.h"
#include "reports/ladder/ladder_entry.h"
#include "reports/ladder/ladder_finding.h"
#include "reports/ladder/ladder_say.h"
#include "reports/safe.h"

static json_t *safe(const char *s)
{
	struct text t = {0};
	json_t *j;

	safe_puts(&t, s);
	j = json_string(text_cstr(&t));
	text_free(&t);
	return j;
}

static json_t *findings(const struct record *r, uint32_t frame)
{
	json_t *list = json_array();

	for (size_t i = 0; frame && i < r->nfindings; i++) {
		const struct rec_finding *f = &r->findings[i];

		if (f->frame != frame || f->req == REQ_NONE)
			continue;
		json_array_append_new(
			list,
			json_pack("{s:s,s:s,s:b,s:o,s:o,s:o}", "requirement",
				  req_get(f->req)->id, "role",
				  req_role_name(f->role), "remark", f->remark,
				  "text", safe(f->text), "expected",
				  safe(f->expected), "actual",
				  safe(f->actual)));
	}
	return list;
}

static json_t *packet_row(const struct record *r, const struct rec *e)
{
	struct text brief = {0}, full = {0};
	struct packet pkt;
	json_t *row;

	record_packet(r, e, &pkt);
	packet_print(&brief, &pkt, PACKET_BRIEF, NULL);
	packet_print(&full, &pkt, PACKET_FULL, NULL);
	row = json_pack("{s:s,s:I,s:I,s:s,s:s,s:s,s:s,s:o,s:b,s:o}", "row",
			"packet", "frame", (json_int_t)e->frame, "at_ns",
			(json_int_t)e->at, "from",
			e->kind == REC_TX ? "left" : "right", "fate",
			fate_name(e->fate), "rung", text_cstr(&brief), "fields",
			text_cstr(&full), "note", safe(record_note_of(r, e)),
			"folded", e->setup, "findings", findings(r, e->frame));
	text_free(&brief);
	text_free(&full);
	return row;
}

static json_t *ladder_json_row_of(const struct record *r, const struct rec *e)
{
	if (say_is_packet(e))
		return packet_row(r, e);
	return json_pack("{s:s,s:I,s:o,s:b}", "row", "note", "at_ns",
			 (json_int_t)e->at, "text", safe(record_text_of(r, e)),
			 "folded", e->setup);
}

void ladder_json(struct text *t, const struct record *r,
		 const struct ladder_opts *opts)
{
	json_t *rows = json_array(), *root;
	struct ladder l;

	ladder_init(&l, t, r, opts);
	for (size_t i = 0; i < r->nrecs; i++)
		json_array_append_new(rows, ladder_json_row_of(r, &r->recs[i]));
	root = json_pack("{s:s,s:o,s:o,s:o,s:o}", "schema", "rung.ladder/1",
			 "title", safe(r->id), "left",
			 safe(ladder_host(&l, false)), "right",
			 safe(ladder_host(&l, true)), "rows", rows);
	if (json_text(t, root, JSON_INDENT(2)))
		t->failed = true;
	ladder_done(&l);
}
