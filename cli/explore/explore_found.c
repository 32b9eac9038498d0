/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_found.c -- prints findings and writes them into a folder.
 */
#include "cli/explore/explore_found.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/explore/choices_file.h"
#include "cli/file/atomic_file.h"
#include "cli/file/folder.h"
#include "cli/option/dut_options.h"
#include "reports/about.h"
#include "reports/words.h"
#include "rung_version.h"
#include "suite/lang/chair.h"

int explore_put_file(const struct exploring *e, const char *name,
		     const char *end, const struct text *t)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s%s", e->out, name, end);
	if (atomic_write(path, text_cstr(t), t->len))
		return cli_sys(e->who, path);
	return 0;
}

/* Writes NAME.lad and NAME.choices into the folder of --out. */
static int explore_write(const struct exploring *e,
			 const struct explore_finding *f, const char *name)
{
	struct text log = {0};
	int code;

	if (!e->out)
		return 0;
	choices_file_print(&f->choices, e->seed, f->run, &log);
	code = explore_put_file(e, name, ".lad", &f->file);
	if (!code)
		code = explore_put_file(e, name, ".choices", &log);
	text_free(&log);
	return code;
}

unsigned explore_gone_folder(void *ctx, const struct record *r)
{
	struct exploring *e = ctx;
	const struct about about = {.version = RUNG_VERSION,
				    .seed = e->seed,
				    .dut = e->dut_setup.dut.text,
				    .mutant = e->dut_setup.mutant,
				    .control = e->dut_setup.control_text,
				    .decl = e->decl,
				    .strict = e->conf.strict};
	char capture[FOLDER_NAME];
	struct record named = *r;
	int dir, err;

	e->gone++;
	if (!e->out)
		return e->gone;
	snprintf(named.id, sizeof(named.id), "gone-%u@%s", e->gone,
		 chair_name(r->chair));
	dir = open(e->out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = dir < 0 ? ERR_SYS : folder_case(dir, &named, &about, 0, capture);
	if (err)
		e->failed = err == ERR_NOMEM ? cli_nomem(e->who)
					     : cli_sys(e->who, e->out);
	if (dir >= 0)
		close(dir);
	return e->gone;
}

/*
 * Prints the files of a finding, and the command that repeats it.  A device
 * that goes on running needs a new seed each time.
 */
static void explore_say_files(const struct exploring *e, const char *name,
			      bool gone)
{
	struct text file = {0}, again = {0};
	char seed[24];

	text_printf(&file, "%s/%s.lad", e->out, name);
	text_puts(&again, "rung replay ");
	words_shell(&again, text_cstr(&file));
	dut_options_again(&e->dut_setup, "virtual", &again);
	if (e->conf.strict)
		dut_options_word(&again, "--strict", NULL);
	snprintf(seed, sizeof(seed), "%" PRIu64, e->seed);
	if (e->seed != 1 && !e->dut_setup.dut.linked)
		dut_options_word(&again, "--seed", seed);
	printf("     %s%s%s\n     %s\n", text_cstr(&file),
	       gone ? ", its packets in cases/" : "", gone ? name : "",
	       text_cstr(&again));
	text_free(&file);
	text_free(&again);
}

void explore_found(void *ctx, const struct explore_finding *f)
{
	struct exploring *e = ctx;
	const bool gone = f->req == REQ_NONE;
	char name[64], row[64];
	int code;

	if (gone) {
		snprintf(name, sizeof(name), "gone-%u", f->gone);
		snprintf(row, sizeof(row), "device gone%s",
			 f->once ? ", once" : "");
	} else {
		snprintf(name, sizeof(name), "%s-%s", req_get(f->req)->id,
			 req_role_name(f->role));
		snprintf(row, sizeof(row), "%s/%s%s", req_get(f->req)->id,
			 req_role_name(f->role),
			 f->once ? ", not repeated" : "");
	}
	code = explore_write(e, f, name);
	if (code)
		e->failed = code;
	printf("FAIL %s: %s\n     sequence %llu after %.1f s, reduced to "
	       "%zu rungs in %u runs%s\n",
	       row, f->text, (unsigned long long)f->run, exploring_elapsed(e),
	       f->rungs, f->tries, f->cut ? ", until --budget ended" : "");
	printf("     induced by: %s\n", f->members);
	if (code) /* the finding is not lost with the file */
		fputs(text_cstr(&f->file), stdout);
	else if (e->out)
		explore_say_files(e, name, gone);
	fflush(stdout);
	e->found++;
}
