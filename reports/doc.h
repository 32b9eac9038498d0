/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/doc.h -- reads JSON documents back; errors name the place.
 *
 *    struct doc d = {.path = path, .diag = diag};
 *    json_t *root = doc_read(&d, text, len, "rung.results/2");
 *    const char *id = doc_string(&d, root, "", "id");
 *    ...
 *    if (doc_err(&d))    once, at the end
 *
 * A getter that finds nothing, or a value of another type, fills the diag
 * ("cases[3]: 'verdict' is missing") and returns a harmless value.
 */
#ifndef REPORTS_DOC_H
#define REPORTS_DOC_H

#include <jansson.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vtime.h"

struct doc {
	const char *path;
	struct diag *diag;
	int err; /* the first error, or 0 */
};

/*
 * doc_read parses |len| bytes of |text|, which must be an object whose "schema"
 * is |schema|.  Return: the object, for json_decref, or NULL after an error.
 */
json_t *doc_read(struct doc *d, const char *text, size_t len,
		 const char *schema);

/* doc_read_either accepts an older schema as well; NULL: none. */
json_t *doc_read_either(struct doc *d, const char *text, size_t len,
			const char *schema, const char *before);

/*
 * doc_bad reports that |what| is wrong at |where| ("cases[3]", "" for the
 * root).
 */
__attribute__((format(printf, 3, 4))) void
doc_bad(struct doc *d, const char *where, const char *what, ...);

/* Getters of required members; strings are lent from the document. */
const char *doc_string(struct doc *d, const json_t *o, const char *where,
		       const char *key);
int64_t doc_int(struct doc *d, const json_t *o, const char *where,
		const char *key);
/* doc_u64 reads what json_u64 wrote: a number, or its digits as a string. */
uint64_t doc_u64(struct doc *d, const json_t *o, const char *where,
		 const char *key);
uint32_t doc_u32(struct doc *d, const json_t *o, const char *where,
		 const char *key);
/* doc_span reads nanoseconds, 0 or more. */
vspan doc_span(struct doc *d, const json_t *o, const char *where,
	       const char *key);
const json_t *doc_array(struct doc *d, const json_t *o, const char *where,
			const char *key);
const json_t *doc_object(struct doc *d, const json_t *o, const char *where,
			 const char *key);

/* doc_err returns 0, ERR_SYNTAX with the diag filled, or ERR_NOMEM. */
int doc_err(const struct doc *d);

#endif
