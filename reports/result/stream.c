/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/stream.c -- writes JSON Lines during the run.
 */
#include "reports/result/stream.h"

#include "reports/format/json.h"

int stream_begin(struct text *t, const struct about *a, size_t planned)
{
	return json_text(
		t,
		json_pack("{s:s, s:s, s:o, s:{s:s, s:o, s:o}, s:o, s:o, "
			  "s:I}",
			  "type", "begin", "schema", "rung.stream/1", "run",
			  a->run ? json_string(a->run) : json_null(), "tool",
			  "name", "rung", "version",
			  json_any_string(a->version), "commit",
			  json_any_string(a->commit), "seed", json_u64(a->seed),
			  "dut", json_any_string(a->dut), "planned",
			  (json_int_t)planned),
		JSON_COMPACT);
}

int stream_case(struct text *t, const struct summary_case *c, size_t number)
{
	json_t *o = json_case(c);
	json_t *line = json_pack("{s:s, s:I}", "type", "case", "number",
				 (json_int_t)number);

	if (!o || !line || json_object_update(line, o)) {
		json_decref(line);
		line = NULL;
	}
	json_decref(o);
	return json_text(t, line, JSON_COMPACT);
}

int stream_end(struct text *t, const struct summary *s, const struct about *a)
{
	return json_text(t,
			 json_pack("{s:s, s:o, s:I, s:b, s:I}", "type", "end",
				   "totals", json_totals(s), "fails",
				   (json_int_t)summary_fails(s), "interrupted",
				   (int)a->interrupted, "elapsed_ns",
				   (json_int_t)a->elapsed),
			 JSON_COMPACT);
}
