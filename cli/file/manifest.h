/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/manifest.h -- run.json in the folder of --out: the configuration of
 * a run. It is written before the first case runs.
 *
 * 'rung report' makes the reports from it and from the records in the folder;
 * 'rung run --resume' compares it with its own configuration.
 * docs/run.schema.json describes it.
 */
#ifndef CLI_FILE_MANIFEST_H
#define CLI_FILE_MANIFEST_H

#include <jansson.h>

#include "base/arena.h"
#include "cli/run/shard.h"
#include "cli/select.h"
#include "reports/about.h"

#define MANIFEST "run.json"

/* A file that the user named, as it was read; |text| is NULL without one. */
struct manifest_file {
	const char *path, *text;
	size_t len;
};

/* The values of the options; everything is lent. */
struct manifest_conf {
	const struct about *about; /* |run|, |out| and |rerun| included */
	/* as given; NULL: not given */
	const char *trigger, *without, *bridge, *sizes;
	const struct selection *selection;
	uint32_t repeat, from;
	bool rounds, fail_fast, virtual, evidence;
	struct manifest_file baseline, map;
	/* date such as "2026-12-01", which selects baseline entries */
	const char *date;
	const struct shard *shard; /* NULL: the run has all cases */
};

/*
 * manifest_plan returns a digest of the ids and the texts of the selected
 * cases, in their order.
 */
uint64_t manifest_plan(const struct selection *selection);

/* manifest_json makes the document, or NULL if there is no memory. */
json_t *manifest_json(const struct manifest_conf *c);

/*
 * manifest_write writes |manifest| as run.json of the open folder |dir|, to
 * which messages refer as |out|; they begin with |who|.
 *
 * Owner:  takes over |manifest|, also after an error.
 * Return: 0 or an exit code.
 */
int manifest_write(const char *who, int dir, const char *out, json_t *manifest);

/* A manifest that was read back.  Texts lie in |root| and |decl|. */
struct manifest {
	json_t *root;
	struct about about; /* without the data of the end of a run */
	struct decl *decl;
	bool virtual, rounds;
	uint32_t repeat, from;
	/* [id, digest] of each case, in the order of the run */
	const json_t *cases;
	size_t total; /* number of planned results */
	struct manifest_file baseline, map;
	const char *date;
};

/*
 * manifest_read reads run.json in the open folder |dir|.  Messages begin with
 * |who| and call the folder |out|.  Without a run.json *ret_none is set.
 *
 * Owner:  manifest_free, also after an error.
 *
 * Return: 0 or an exit code.
 */
int manifest_read(const char *who, int dir, const char *out,
		  struct manifest *ret, bool *ret_none);
void manifest_free(struct manifest *m);

/*
 * manifest_id returns the id of the case of result |at|; |ret_repeat| counts
 * from 0.
 */
const char *manifest_id(const struct manifest *m, size_t at,
			uint32_t *ret_repeat);

/*
 * manifest_has returns true if |p| is the case of result |at|, with the text
 * that it had in the run.
 */
bool manifest_has(const struct manifest *m, size_t at, const struct pick *p);

/*
 * manifest_differs compares the configurations of two runs, and appends the
 * first difference: "the seed was 7 and is 8".
 */
bool manifest_differs(struct text *t, const struct manifest *then,
		      const struct manifest_conf *now);

/*
 * manifest_unlike compares what two runs were asked to do, apart from their
 * cases, and appends the first difference.
 */
bool manifest_unlike(struct text *t, const struct manifest *one,
		     const struct manifest *other);

#endif
