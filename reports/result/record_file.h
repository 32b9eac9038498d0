/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/record_file.h -- record.jsonl: writes a record as text, and
 * reads it back.
 *
 * All reports of a result are made from its record.  This file holds the
 * record, so that the reports can be made again after the run was killed, and a
 * later run can reuse the result.  docs/record.schema.json describes it:
 *
 *    {"schema":"rung.record/1","run":"...","id":"...","verdict":"fail",...}
 *    {"finding":{"requirement":"RUD-SEQ-76","text":"...",...}}
 *    {"requirement":{"requirement":"RUD-SEQ-76","role":"dst",...}}
 *    {"kind":"tx","at_ns":0,"frame":1,"data":"0a00...",...}
 *
 * The first line counts the lines of each kind that follow: a file that lacks a
 * line is refused.  Members that are 0, false or empty are omitted.
 */
#ifndef REPORTS_RESULT_RECORD_FILE_H
#define REPORTS_RESULT_RECORD_FILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "suite/verdict/record.h"

/* A file of the case's folder, as named in the record's first line. */
struct record_part {
	const char *name;
	uint64_t size; /* bytes */
};

/* The data of the first line besides the record. */
struct record_about {
	const char *run; /* id of the run */
	const struct record_part *parts;
	size_t nparts;
};

/*
 * record_file_print appends |r|.  It writes the parts of the case that reports
 * need: title, reference, what it covers, and the lines that findings name.
 * The device's declaration (r->declared) is omitted.
 *
 * Errors: ERR_NOMEM.
 */
int record_file_print(struct text *t, const struct record *r,
		      const struct record_about *about);

#endif
