/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/schedules_json.c -- writes how many schedules were run, and which
 * requirements they checked, as JSON.
 */
#include "cli/explore/schedules_json.h"

#include "reports/format/json.h"
#include "rung_version.h"

/*
 * How often each row was checked, as the source and as the destination.  NULL:
 * there is no memory.
 */
static json_t *schedules_json_rows(const struct schedule_totals *t)
{
	json_t *rows = json_object();
	int err = 0;

	for (int i = 0; i < REQ_COUNT && !err; i++)
		if (t->seen[i][0] || t->seen[i][1])
			err = json_object_set_new(
				rows, req_get((enum req_id)i)->id,
				json_pack("[I,I]", (json_int_t)t->seen[i][0],
					  (json_int_t)t->seen[i][1]));
	if (!err)
		return rows;
	json_decref(rows);
	return NULL;
}

json_t *schedules_json_scope(const struct schedules_scope *s)
{
	const struct schedule_totals *t = &s->totals;

	return json_pack("{s:s,s:b,s:I,s:I,s:I,s:I,s:I,s:I,s:o,s:o}",
			 "transport", draft_subject_name(s->subject), "whole",
			 s->whole, "series", (json_int_t)s->series, "of",
			 (json_int_t)s->of, "schedules",
			 (json_int_t)t->schedules, "known",
			 (json_int_t)t->pruned, "packets",
			 (json_int_t)t->packets, "wrong", (json_int_t)s->wrong,
			 "first", json_maybe_string(s->wrong ? s->first : NULL),
			 "requirements", schedules_json_rows(t));
}

json_t *schedules_json(const struct schedules_json *conf)
{
	return json_pack(
		"{s:s,s:{s:s,s:s},s:o,s:s,s:i,s:i,s:{s:i,s:i},s:o}", "schema",
		"rung.schedules/1", "tool", "name", "rung", "version",
		RUNG_VERSION, "mutant", json_maybe_string(conf->mutant),
		"chair", conf->chair, "requests", (int)conf->requests, "faults",
		(int)conf->faults, "shard", "number", (int)conf->shard, "of",
		(int)conf->shards, "transports", conf->transports);
}
