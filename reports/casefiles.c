/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/casefiles.c -- writes the files of a case's folder beside its
 * capture.
 */
#include "reports/casefiles.h"

#include "base/err.h"
#include "reports/format/json.h"
#include "reports/ladder/ladder.h"

void casefile_ladder(struct text *t, const struct record *r)
{
	const struct ladder_opts opts = {.verbose = true, .width = 120};

	ladder_print(t, r, &opts);
}

static const char *direction(enum rec_kind kind)
{
	switch (kind) {
	case REC_CONTROL:
		return "request";
	case REC_ANSWER:
		return "answer";
	case REC_EVENT:
		return "event";
	default:
		return NULL;
	}
}

static json_t *casefiles_line_of(const char *s)
{
	json_t *o = json_loads(s, 0, NULL);

	if (o)
		return o;
	return json_any_string(s);
}

int casefile_control(struct text *t, const struct record *r)
{
	for (size_t i = 0; i < r->nrecs; i++) {
		const struct rec *e = &r->recs[i];
		const char *dir = direction(e->kind);
		int err;

		if (!dir)
			continue;
		err = json_text(
			t,
			json_pack("{s:I, s:s, s:o}", "at_ns", (json_int_t)e->at,
				  "dir", dir, "line",
				  casefiles_line_of(record_text_of(r, e))),
			JSON_COMPACT);
		if (err)
			return err;
	}
	return 0;
}

/* Packets of each direction by fate. */
struct fates {
	size_t of[2][FATE_CHANGED + 1], packets[2];
};

static void count_fates(struct fates *n, const struct record *r)
{
	*n = (struct fates){0};
	for (size_t i = 0; i < r->nrecs; i++) {
		const struct rec *e = &r->recs[i];

		if (e->kind != REC_TX && e->kind != REC_RX)
			continue;
		n->packets[e->kind == REC_RX]++;
		if (e->fate <= FATE_CHANGED)
			n->of[e->kind == REC_RX][e->fate]++;
	}
}

static json_t *fates_of(const struct fates *n, bool from_dut)
{
	json_t *o = json_object();

	json_object_set_new(o, "packets",
			    json_integer((json_int_t)n->packets[from_dut]));
	for (int f = FATE_CROSSED; f <= FATE_CHANGED; f++)
		json_object_set_new(
			o, fate_name((enum fate)f),
			json_integer((json_int_t)n->of[from_dut][f]));
	return o;
}

static json_t *doubts_of(const struct record *r)
{
	json_t *a = json_array();

	for (int i = 0; i < DOUBT_COUNT; i++) {
		const struct rec_doubt *d = &r->doubts[i];

		if (!d->n)
			continue;
		json_array_append_new(
			a, json_pack("{s:s, s:I, s:I, s:s}", "what",
				     dut_doubt_name((enum dut_doubt)i), "count",
				     (json_int_t)d->n, "after_frame",
				     (json_int_t)d->frame, "text",
				     dut_doubt_text((enum dut_doubt)i)));
	}
	return a;
}

int casefile_integrity(struct text *t, const struct record *r)
{
	struct fates n;
	json_t *o;

	count_fates(&n, r);
	o = json_pack(
		"{s:I, s:b, s:I, s:I, s:b, s:I, s:s?, s:o, s:I, s:o, s:o}",
		"jitter_ns", (json_int_t)r->jitter, "late", (int)r->late,
		"slack_ns", (json_int_t)r->slack, "starved_ns",
		(json_int_t)r->starved, "stopped", (int)r->stopped,
		"entropy_lost", (json_int_t)r->entropy_lost, "clock", r->clock,
		"doubts", doubts_of(r), "virtual_ns", (json_int_t)r->virtual_ns,
		"to_dut", fates_of(&n, false), "from_dut", fates_of(&n, true));

	return json_text(t, o, JSON_INDENT(2));
}

/* ---- The declaration ---- */

static void casefiles_set(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

static void casefiles_set_time(json_t *o, const char *key,
			       const struct decl_time *d)
{
	casefiles_set(o, key,
		      json_pack("{s:I, s:I}", "value_ns", (json_int_t)d->value,
				"tolerance_ns", (json_int_t)d->tolerance));
}

static json_t *codes_of(uint64_t codes)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < 64; i++)
		if (codes >> i & 1)
			json_array_append_new(a, json_integer(i));
	return a;
}

/* null: no cause is declared. */
static json_t *casefiles_cause_of(const struct decl_cause *c)
{
	json_t *a = json_array(), *o = json_object();

	if (!c->fields) {
		json_decref(a);
		json_decref(o);
		return json_null();
	}
	for (const struct decl_field *f = c->fields; f; f = f->next)
		json_array_append_new(a,
				      json_pack("{s:s, s:o}", "field", f->field,
						"value", json_u64(f->value)));
	casefiles_set(o, "fields", a);
	casefiles_set(o, "return_codes", codes_of(c->codes));
	casefiles_set(o, "packets",
		      json_string(decl_cause_packets(c->packets)));
	return o;
}

static json_t *casefiles_claims_of(const struct decl *d)
{
	json_t *a = json_array();

	for (size_t i = 0; i < d->nclaims; i++)
		json_array_append_new(a, json_any_string(d->claims[i]));
	return a;
}

static void set_ids(json_t *o, const struct decl *d)
{
	casefiles_set(o, "job_id", json_integer(d->job_id));
	casefiles_set(o, "pid_on_fep", json_integer(d->pid_on_fep));
	casefiles_set(o, "resource_index", json_integer(d->resource_index));
	casefiles_set(o, "ri_generation", json_integer(d->ri_generation));
	casefiles_set(o, "initiator", json_integer(d->initiator));
	casefiles_set(o, "memory_key", json_u64(d->memory_key));
	casefiles_set(o, "memory_offset", json_u64(d->memory_offset));
	casefiles_set(o, "memory_len", json_integer(d->memory_len));
	casefiles_set(o, "max_message", json_integer(d->max_message));
}

static void set_sizes(json_t *o, const struct decl *d)
{
	casefiles_set(o, "mtu", json_integer(d->mtu));
	casefiles_set(o, "max_ack_data", json_integer(d->max_ack_data));
	casefiles_set(o, "mp_range", json_integer(d->mp_range));
	casefiles_set(o, "crc", json_boolean(d->crc));
	casefiles_set(o, "crc_be", json_boolean(d->crc_be));
	casefiles_set(o, "udp_port", json_integer(d->udp_port));
}

static void set_timers(json_t *o, const struct decl *d)
{
	casefiles_set_time(o, "rto", &d->rto);
	casefiles_set_time(o, "nack_time", &d->nack_time);
	casefiles_set_time(o, "ack_time", &d->ack_time);
	casefiles_set_time(o, "clear_time", &d->clear_time);
	casefiles_set(o, "max_rto_retx", json_integer(d->max_rto_retx));
	casefiles_set(o, "max_nack_retx", json_integer(d->max_nack_retx));
}

int casefile_decl(struct text *t, const struct decl *d)
{
	json_t *o;

	if (!d)
		return json_text(t, json_null(), JSON_ENCODE_ANY);
	o = json_object();
	casefiles_set(o, "name", json_any_string(d->name));
	casefiles_set(o, "version", json_any_string(d->version));
	casefiles_set(o, "claims", casefiles_claims_of(d));
	set_ids(o, d);
	set_sizes(o, d);
	set_timers(o, d);
	casefiles_set(o, "gtd_cause", casefiles_cause_of(&d->gtd_cause));
	casefiles_set(o, "error_cause", casefiles_cause_of(&d->error_cause));
	return json_text(t, o, JSON_INDENT(2));
}
