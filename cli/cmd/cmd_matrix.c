/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_matrix.c -- rung matrix: every endpoint against every other one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/matrix/matrix_print.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"

#define WHO "rung matrix"

struct matrix_options {
	struct matrix m;
	const char *benches, *family;
	bool json;
};

static const struct option_row matrix_rows[] = {
	{0, "END", NULL,
	 "an endpoint: 'reference', variants or a mutant (NAME+NAME), or "
	 "bench:NAME of the bench file",
	 .kind = OPTION_KIND_OPERAND},
	{0, "bench-file", "FILE",
	 "the file that describes the benches (default: bench.yaml)",
	 OPTION_FILE(struct matrix_options, benches)},
	{0, "udp", NULL,
	 "start the reference and its variants as programs too, and run over "
	 "UDP on loopback; a bench that is a program needs it anyway",
	 OPTION_FLAG(struct matrix_options, m.live)},
	{0, "family", "F",
	 "only this transport: uet, srd, wqe or roce (default: all that both "
	 "ends claim)",
	 OPTION_TEXT(struct matrix_options, family)},
	OPTION_ROW_SEED(struct matrix_options, m.seed),
	{'o', "out", "DIR",
	 "write matrix.json, matrix.html, and a capture of the shortest "
	 "exchange of each fault",
	 OPTION_FILE(struct matrix_options, m.out)},
	OPTION_ROW_JSON(struct matrix_options, json),
	OPTION_ROW_QUIET(struct matrix_options, m.quiet),
	OPTION_END};

static const struct option_group matrix_groups[] = {{NULL, matrix_rows, 0},
						    OPTION_GROUPS_END};

/* Writes a file of --out; |t| NULL: checks whether it can be written. */
static int matrix_put_file(const struct matrix *m, const char *name,
			   const struct text *t)
{
	struct text path = {0};
	int code;

	text_printf(&path, "%s/%s", m->out, name);
	if (text_err(&path))
		code = cli_nomem(WHO);
	else if (t)
		code = cli_write(WHO, text_cstr(&path), t);
	else
		code = cli_can_write(WHO, text_cstr(&path));
	text_free(&path);
	return code;
}

/* Makes the folder of --out before anything runs. */
static int matrix_folder(const struct matrix *m)
{
	if (!m->out)
		return 0;
	if (mkdir(m->out, 0777) && errno != EEXIST)
		return cli_sys(WHO, m->out);
	return matrix_put_file(m, "matrix.json", NULL);
}

static int matrix_add_json(const char *s, size_t len, void *t)
{
	text_add(t, s, len);
	return 0;
}

/* Writes the files of --out. */
static int matrix_put(const struct matrix *m)
{
	struct text html = {0}, json = {0};
	json_t *doc = matrix_json(m);
	int code;

	json.failed |= !doc || json_dump_callback(doc, matrix_add_json, &json,
						  JSON_INDENT(2));
	text_puts(&json, "\n");
	matrix_html(&html, m);
	code = matrix_put_file(m, "matrix.json", &json);
	if (!code)
		code = matrix_put_file(m, "matrix.html", &html);
	json_decref(doc);
	text_free(&html);
	text_free(&json);
	return code;
}

static int matrix_show(const struct matrix_options *mo)
{
	struct text t = {0};

	if (mo->json)
		return cli_put_json(WHO, matrix_json(&mo->m));
	matrix_text(&t, &mo->m);
	return cli_put_text(WHO, &t);
}

static int matrix_exit(const struct matrix *m)
{
	unsigned seen = 0;

	for (size_t i = 0; i < m->ncells; i++)
		seen |= 1u << m->cells[i].verdict;
	if (seen & 1u << MATRIX_FAIL)
		return EXIT_FAILED;
	if (seen & 1u << MATRIX_INCONCLUSIVE)
		return EXIT_INCONCLUSIVE;
	return seen & 1u << MATRIX_PASS ? EXIT_PASSED : EXIT_NOTHING;
}

/* Acquires the benches; a matrix runs no canary. */
static int matrix_acquire(struct matrix *m)
{
	int code = 0;

	for (size_t i = 0; i < m->nends && !code; i++) {
		struct matrix_end *e = &m->ends[i];

		if (!e->bench.name)
			continue;
		e->bench.bench.canary = NULL;
		code = bench_run_begin(WHO, &e->bench);
		e->begun = !code;
	}
	return code;
}

static int matrix_release(struct matrix *m, int code)
{
	for (size_t i = m->nends; i-- > 0;)
		if (m->ends[i].begun)
			code = bench_run_end(WHO, &m->ends[i].bench, code);
	return code;
}

static int matrix_all(struct matrix_options *mo)
{
	struct matrix *m = &mo->m;
	int code = matrix_folder(m);

	if (!code)
		code = matrix_acquire(m);
	if (!code)
		code = matrix_run(m);
	code = matrix_release(m, code);
	if (!code && m->out)
		code = matrix_put(m);
	if (!code)
		code = matrix_show(mo);
	return code ? code : matrix_exit(m);
}

/* ---- Options ---- */

static int matrix_read_family(struct matrix_options *mo)
{
	enum family family;

	mo->m.families = (1u << wire_nfamilies) - 1;
	if (!mo->family)
		return 0;
	if (family_find(mo->family, strlen(mo->family), &family))
		return cli_usage(WHO,
				 "--family is uet, srd, wqe or roce, not '%s'",
				 mo->family);
	mo->m.families = 1u << family;
	return 0;
}

static bool matrix_twice(const struct operands *names, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(names->at[i], names->at[at]) == 0)
			return true;
	return false;
}

static int matrix_read_ends(struct matrix_options *mo,
			    const struct operands *names)
{
	struct matrix *m = &mo->m;
	int code = 0;

	if (!names->n || names->n > MATRIX_ENDS)
		return cli_usage(WHO, "name 1 to %d endpoints", MATRIX_ENDS);
	m->ends = memory_calloc(names->n, sizeof(*m->ends));
	if (!m->ends)
		return cli_nomem(WHO);
	for (size_t i = 0; i < names->n; i++)
		m->live |= strncmp(names->at[i], "bench:", 6) == 0;
	for (size_t i = 0; i < names->n && !code; i++) {
		if (matrix_twice(names, i))
			return cli_usage(WHO, "'%s' stands twice",
					 names->at[i]);
		m->nends = i + 1;
		code = matrix_end_read(WHO, names->at[i], mo->benches, m->live,
				       &m->ends[i]);
	}
	if (code)
		return code;
	return matrix_end_read(WHO, "reference", NULL, m->live, &m->reference);
}

static int cmd_matrix(int argc, char **argv)
{
	struct matrix_options mo = {.m = {.who = WHO, .seed = 1}};
	struct operands names;
	int code = option_read(&command_matrix, argc, argv, &mo, &names);

	if (code >= 0)
		return code;
	mo.m.stop = cli_interrupts();
	code = matrix_read_family(&mo);
	if (!code)
		code = matrix_read_ends(&mo, &names);
	if (!code)
		code = matrix_all(&mo);
	matrix_free(&mo.m);
	return code;
}

const struct command command_matrix = {
	.name = "matrix",
	.what = "run endpoints against each other, in both roles",
	.usage = "[OPTION...] END...",
	.about = "Runs every endpoint against every other one and itself, as "
		 "initiator and as target, on links that are clean or lose, "
		 "copy, reorder, mark and trim packets, and judges both ends. "
		 "A cell of the table is one initiator with one target. A cell "
		 "that fails runs again with the reference in the place of "
		 "each end: the fault gets the name of the end that is wrong, "
		 "its requirement, and the shortest exchange that shows it."
		 "\n\n"
		 "Without a bench and without --udp everything runs in virtual "
		 "time.",
	.groups = matrix_groups,
	.exits = "Exit codes: 0 all cells pass, 1 a cell fails, 2 usage, 3 no "
		 "cell fails and one is inconclusive, 4 no cell ran, 5 an "
		 "endpoint cannot be reached.",
	.run = cmd_matrix,
};
