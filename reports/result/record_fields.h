/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/record_fields.h -- the members of a record and their names in
 * record.jsonl.  One table serves the writer and the reader.
 */
#ifndef REPORTS_RESULT_RECORD_FIELDS_H
#define REPORTS_RESULT_RECORD_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#define RECORD_SCHEMA "rung.record/1"

enum record_type {
	RECORD_BOOL,
	RECORD_UINT,  /* of |size| bytes, at most |max| */
	RECORD_SPAN,  /* int64_t, nanoseconds */
	RECORD_WORD,  /* an enum: |word| names its |max| values */
	RECORD_CHARS, /* char[size] */
	RECORD_ADDR,  /* struct ip_addr */
	RECORD_REQ,   /* enum req_id by its name; omitted: REQ_NONE */
};

struct record_field {
	const char *name;
	enum record_type type;
	size_t at, size; /* place in its struct */
	uint64_t max;
	const char *(*word)(unsigned value);
};

struct record_fields {
	const struct record_field *at;
	size_t n;
};

/* The fields of struct record, rec, rec_finding, rec_req and psn_base. */
extern const struct record_fields record_head_fields, record_entry_fields,
	record_finding_fields, record_req_fields, record_base_fields;

#endif
