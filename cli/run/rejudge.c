/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/rejudge.c -- runs a stored case against its transcript, and compares
 * everything that follows with what is stored.
 *
 * The stored verdict, findings and reports are not read before the comparison:
 * the new ones follow from case, declaration, seed and transcript alone.
 */
#include "cli/run/rejudge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/file/bundle.h"
#include "cli/file/folder.h"
#include "cli/file/folder_read.h"
#include "cli/select.h"
#include "reports/casefiles.h"
#include "reports/format/pcapng.h"
#include "reports/result/record_file.h"
#include "suite/dut/dut_replayed.h"

/* The files that one result is judged from, and both records. */
struct rejudge_item {
	char place[FOLDER_NAME]; /* below the folder of the run */
	char path[FOLDER_NAME]; /* the folder of the result, as messages name it
				 */
	int dir;                /* the open folder of the result */
	uint32_t repeat;
	struct record was, is;
	struct test_case was_case, is_case; /* with other names of files */
	struct corpus *corpus;
	struct selection cases;
	const struct pick *pick;
	const char *transcript;
	size_t transcript_len;
	struct arena arena;
};

static int rejudge_damaged(enum rejudged *ret, struct text *why,
			   const struct diag *diag)
{
	*ret = REJUDGED_DAMAGED;
	if (diag->line)
		text_printf(why, "%s:%u: %s", diag->file, diag->line,
			    diag->text);
	else
		text_printf(why, "%s: %s", diag->file, diag->text);
	return 0;
}

/* ---- Reading ---- */

/* Reads the case of the folder; *ret_bad: it is not the case of the result. */
static int rejudge_read_case(struct rejudge *j, size_t at,
			     struct rejudge_item *it, bool *ret_bad)
{
	char id[256], selector[FOLDER_NAME];
	char *selectors[] = {selector};
	struct select_conf conf = {.selectors = selectors, .n = 1, .as = id};
	struct corpus_want want = {.selectors = selectors, .n = 1};
	struct diag diag = {0};
	struct bundle b;
	int code = bundle_read(j->who, it->path, &it->arena, &b);

	*ret_bad = true;
	if (code)
		return 0;
	bundle_id(&b, id);
	bundle_selector(&b, it->path, selector, sizeof(selector));
	if (corpus_new(&it->corpus, NULL, &want, &diag))
		return cli_nomem(j->who);
	code = select_cases(j->who, it->corpus, &conf, &it->cases);
	if (code == EXIT_HARNESS)
		return code;
	if (code || it->cases.n != 1 || strcmp(b.id, it->was.id) != 0)
		return 0;
	it->pick = it->cases.at;
	*ret_bad = !manifest_has(j->manifest, at, it->pick);
	return 0;
}

/*
 * Reads record, case and transcript.  Return: as rejudge_case; *ret is
 * REJUDGED_SAME if all could be read.
 */
static int rejudge_read(struct rejudge *j, size_t at, struct rejudge_item *it,
			enum rejudged *ret, struct text *why)
{
	const struct manifest *m = j->manifest;
	const char *id = manifest_id(m, at, &it->repeat);
	struct diag diag = {0};
	bool bad;
	int err, code;

	folder_place(id, it->repeat, it->place);
	snprintf(it->path, sizeof(it->path), "%.3000s/%.1000s", j->out,
		 it->place);
	err = folder_recall(j->dir, m->about.run, id, it->repeat, &it->was,
			    &diag);
	if (err == ERR_NOMEM)
		return cli_nomem(j->who);
	if (err == ERR_SYS)
		diag_set(&diag, it->path, 0, 0, NULL, "the result is missing");
	if (err || *diag.text)
		return rejudge_damaged(ret, why, &diag);
	it->dir = folder_below(j->dir, it->place);
	if (it->dir < 0)
		return cli_sys(j->who, it->path);
	err = folder_read(&it->arena, it->dir, FOLDER_TRANSCRIPT,
			  &it->transcript, &it->transcript_len);
	if (err == ERR_NOMEM)
		return cli_nomem(j->who);
	if (err) {
		*ret = REJUDGED_BARE;
		return 0;
	}
	code = rejudge_read_case(j, at, it, &bad);
	if (code || !bad)
		return code;
	diag_set(&diag, it->path, 0, 0, NULL,
		 "its case is not the one that was run");
	return rejudge_damaged(ret, why, &diag);
}

/* ---- Judging ---- */

static int rejudge_set_up(struct rejudge *j, const struct rejudge_item *it,
			  bool same)
{
	if (j->runner && same && j->family == it->pick->test_case->family)
		return 0;
	runner_free(j->runner);
	j->runner = NULL;
	j->family = it->pick->test_case->family;
	if (runner_new(&j->runner, j->dut, j->manifest->decl))
		return cli_nomem(j->who);
	return 0;
}

static int rejudge_run(struct rejudge *j, struct rejudge_item *it,
		       enum rejudged *ret, struct text *why)
{
	const struct about *a = &j->manifest->about;
	const struct run_conf conf = {
		.decl = j->manifest->decl,
		.seed = a->seed,
		.repeat = it->repeat,
		.timeout = a->timeout,
		.strict = a->strict,
		.step_over = a->step_over,
		.interrupted = j->stop,
	};
	char path[FOLDER_NAME];
	struct diag diag = {0};
	bool same = false;
	int code;

	snprintf(path, sizeof(path), "%.4000s/" FOLDER_TRANSCRIPT, it->path);
	if (!j->dut && dut_replayed_new(&j->dut))
		return cli_nomem(j->who);
	if (dut_replayed_load(j->dut, path, it->transcript, it->transcript_len,
			      &same, &diag))
		return rejudge_damaged(ret, why, &diag);
	code = rejudge_set_up(j, it, same);
	if (code)
		return code;
	if (run_case(j->runner, it->pick->test_case, it->pick->chair, &conf,
		     &it->is) ||
	    starts_take(j->starts, &it->is))
		return cli_nomem(j->who);
	j->verdict = it->is.verdict;
	j->judged = !dut_replayed_end(j->dut, &diag);
	if (j->judged)
		return 0;
	*ret = REJUDGED_DIFFERENT;
	text_printf(why, "%s:%u: %s", diag.file, diag.line, diag.text);
	return 0;
}

/* ---- Comparing ---- */

static void rejudge_differ(enum rejudged *ret, struct text *why,
			   const char *what, const char *was, const char *is)
{
	*ret = REJUDGED_DIFFERENT;
	text_printf(why, "%s was \"%.200s\", and is \"%.200s\"", what, was, is);
}

/*
 * Shortens the names of the case's files, which are read from another folder
 * than in the run.
 */
static void rejudge_shorten(struct record *r, struct test_case *copy)
{
	for (size_t i = 0; i < r->nfindings; i++) {
		struct rec_finding *f = &r->findings[i];
		const char *slash = f->file ? strrchr(f->file, '/') : NULL;

		if (f->file && strcmp(f->file, r->test_case->path) == 0)
			f->file = "case.lad";
		else if (slash)
			f->file = slash + 1;
	}
	*copy = *r->test_case;
	copy->path = "case.lad";
	r->test_case = copy;
}

/* Compares the lines of both records, which hold all that was judged. */
static int rejudge_compare_records(struct rejudge *j, struct rejudge_item *it,
				   enum rejudged *ret, struct text *why)
{
	const struct record_about about = {.run = j->manifest->about.run};
	struct text was = {0}, is = {0};
	unsigned line = 1;
	int err;

	rejudge_shorten(&it->was, &it->was_case);
	rejudge_shorten(&it->is, &it->is_case);
	it->is.wall_ns = it->was.wall_ns;
	it->is.elapsed = it->was.elapsed;
	err = record_file_print(&was, &it->was, &about);
	if (!err)
		err = record_file_print(&is, &it->is, &about);
	if (!err && (was.len != is.len ||
		     memcmp(text_cstr(&was), text_cstr(&is), was.len) != 0)) {
		const char *a = text_cstr(&was), *b = text_cstr(&is);

		for (; *a && *a == *b; a++, b++)
			line += *a == '\n';
		*ret = REJUDGED_DIFFERENT;
		text_printf(why, "%s/record.jsonl:%u differs from the new one",
			    it->path, line);
	}
	text_free(&was);
	text_free(&is);
	return err ? cli_nomem(j->who) : 0;
}

/*
 * Returns the date of a capture, the wall-clock time of the record's time 0.
 * The comment of its first block says when the case ended.
 */
static uint64_t rejudge_epoch(const struct record *r, const char *capture,
			      size_t len)
{
	static const char word[] = " end=";
	const char *at = memmem(capture, len, word, strlen(word));

	if (!at)
		return 0;
	return strtoull(at + strlen(word), NULL, 10) - (uint64_t)r->ended_at;
}

/* Makes the file |name| of the new record; the stored one is |was|. */
static int rejudge_make(const struct rejudge *j, const struct rejudge_item *it,
			const char *name, const char *was, size_t len,
			struct text *t)
{
	const struct pcapng_opts opts = {
		.frame = {.udp_port = j->manifest->decl->udp_port},
		.epoch_ns = rejudge_epoch(&it->is, was, len),
	};

	if (strcmp(name, "ladder.txt") == 0)
		casefile_ladder(t, &it->is);
	else if (strcmp(name, "dut.json") == 0)
		return casefile_decl(t, j->manifest->decl);
	else if (strcmp(name, "control.jsonl") == 0)
		return casefile_control(t, &it->is);
	else if (strcmp(name, "integrity.json") == 0)
		return casefile_integrity(t, &it->is);
	else
		return pcapng_report(t, &it->is, &j->manifest->about, &opts);
	return text_err(t);
}

/* Compares a stored file with the one that the new record gives. */
static int rejudge_compare_file(struct rejudge *j, struct rejudge_item *it,
				const char *name, enum rejudged *ret,
				struct text *why)
{
	struct text t = {0};
	const char *was;
	size_t len;
	bool same = false;
	int err = folder_read(&it->arena, it->dir, name, &was, &len);

	if (!err)
		err = rejudge_make(j, it, name, was, len, &t);
	if (!err)
		same = len == t.len && memcmp(was, text_cstr(&t), len) == 0;
	text_free(&t);
	if (err == ERR_NOMEM)
		return cli_nomem(j->who);
	if (same)
		return 0;
	*ret = REJUDGED_DIFFERENT;
	text_printf(why, "%s/%s is not what the transcript gives", it->path,
		    name);
	return 0;
}

static int rejudge_compare(struct rejudge *j, struct rejudge_item *it,
			   enum rejudged *ret, struct text *why)
{
	static const char *const files[] = {"dut.json", "ladder.txt",
					    "control.jsonl", "integrity.json",
					    "capture.pcapng"};
	int code = 0;

	if (it->was.verdict != it->is.verdict)
		rejudge_differ(ret, why, "the verdict",
			       verdict_name(it->was.verdict),
			       verdict_name(it->is.verdict));
	else if (strcmp(it->was.reason, it->is.reason) != 0)
		rejudge_differ(ret, why, "the reason", it->was.reason,
			       it->is.reason);
	else
		code = rejudge_compare_records(j, it, ret, why);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!code && *ret == REJUDGED_SAME)
			code = rejudge_compare_file(j, it, files[i], ret, why);
	return code;
}

/* ---- One result ---- */

static int rejudge_item(struct rejudge *j, size_t at, struct rejudge_item *it,
			enum rejudged *ret, struct text *why)
{
	int code = rejudge_read(j, at, it, ret, why);

	if (!code && *ret == REJUDGED_SAME)
		code = rejudge_run(j, it, ret, why);
	if (!code && *ret == REJUDGED_SAME)
		code = rejudge_compare(j, it, ret, why);
	return code;
}

int rejudge_case(struct rejudge *j, size_t at, enum rejudged *ret,
		 struct text *why)
{
	struct rejudge_item it = {.dir = -1};
	int code;

	*ret = REJUDGED_SAME;
	j->judged = false;
	if (!j->starts) {
		j->starts = memory_calloc(1, sizeof(*j->starts));
		if (!j->starts)
			return cli_nomem(j->who);
		j->starts->decl = j->manifest->decl;
	}
	code = rejudge_item(j, at, &it, ret, why);
	record_free(&it.was);
	record_free(&it.is);
	selection_free(&it.cases);
	corpus_free(it.corpus);
	if (it.dir >= 0)
		close(it.dir);
	arena_free(&it.arena);
	return code;
}

void rejudge_free(struct rejudge *j)
{
	runner_free(j->runner);
	if (j->dut)
		j->dut->ops->free(j->dut);
	free(j->starts);
}
