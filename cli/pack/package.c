/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/package.c -- writes and checks the files that make the folder of a
 * run an evidence package.
 *
 * pack.json lists every other file, the statement names pack.json by its
 * digest, the envelope signs the statement.  All of them are made again from
 * the files and verdicts and compared to the byte, so that no byte of the
 * package can change unnoticed.
 */
#include "cli/pack/package.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/file/atomic_file.h"
#include "cli/file/file.h"
#include "cli/file/folder_read.h"
#include "cli/pack/envelope.h"
#include "cli/pack/evidence.h"
#include "cli/pack/pack_manifest.h"
#include "cli/pack/signing_key.h"

/* Reads the key that the user named.  Return: 0 or an exit code. */
static int package_read_key(struct package *p, bool private,
			    struct signing_key **ret)
{
	const char *pem, *why;
	size_t len;
	int err = file_read(&p->arena, p->key, &pem, &len);

	if (err == ERR_SYS) {
		cli_sys(p->who, p->key);
		return EXIT_USAGE;
	}
	if (err)
		return cli_nomem(p->who);
	if (private)
		*ret = signing_key_private(pem, len, &why);
	else
		*ret = signing_key_public(pem, len, &why);
	if (*ret)
		return 0;
	fprintf(stderr, "%s: %s: %s\n", p->who, p->key, why);
	return EXIT_USAGE;
}

/* ---- Writing ---- */

static int package_put(struct package *p, const char *name,
		       const struct text *t)
{
	if (text_err(t))
		return cli_nomem(p->who);
	if (atomic_write_at(p->dir, name, text_cstr(t), t->len))
		return cli_sys(p->who, name);
	return 0;
}

/* Removes a file of an earlier package. */
static int package_remove(struct package *p, const char *name)
{
	if (unlinkat(p->dir, name, 0) && errno != ENOENT)
		return cli_sys(p->who, name);
	return 0;
}

/* Signs before it writes: a key that cannot sign leaves the folder as it is. */
static int package_sign(struct package *p, const struct text *pack,
			const struct text *statement)
{
	struct text envelope = {0}, pem = {0};
	struct signing_key *k = NULL;
	int code = package_read_key(p, true, &k), err = 0;

	if (!code) {
		err = envelope_sign(&envelope, k, text_cstr(statement),
				    statement->len);
		if (!err)
			err = signing_key_pem(&pem, k);
		if (!err)
			err = signing_key_id(k, p->signer);
		if (err == ERR_VALUE) {
			fprintf(stderr, "%s: %s: the key cannot sign\n", p->who,
				p->key);
			code = EXIT_USAGE;
		} else if (err) {
			code = cli_nomem(p->who);
		}
	}
	if (!code)
		code = package_put(p, PACK_MANIFEST, pack);
	if (!code)
		code = package_put(p, PACK_SIGNER, &pem);
	if (!code)
		code = package_put(p, PACK_ENVELOPE, &envelope);
	if (!code)
		code = package_remove(p, PACK_STATEMENT);
	signing_key_free(k);
	text_free(&envelope);
	text_free(&pem);
	return code;
}

static int package_leave_unsigned(struct package *p, const struct text *pack,
				  const struct text *statement)
{
	int code = package_put(p, PACK_MANIFEST, pack);

	if (!code)
		code = package_remove(p, PACK_ENVELOPE);

	if (!code)
		code = package_remove(p, PACK_SIGNER);
	if (!code)
		code = package_put(p, PACK_STATEMENT, statement);
	return code;
}

/* Rejects a folder with links or devices in it. */
static int package_list(struct package *p)
{
	int code = pack_files_scan(p->who, p->out, p->dir, &p->listed);

	for (size_t i = 0; i < p->listed.n && !code; i++) {
		if (*p->listed.at[i].sha256)
			continue;
		fprintf(stderr, "%s: %s/%s is no regular file\n", p->who,
			p->out, p->listed.at[i].path);
		code = EXIT_USAGE;
	}
	return code;
}

int package_write(struct package *p, const struct statement_results *results)
{
	struct text pack = {0}, statement = {0};
	int code = package_list(p);

	if (!code && (pack_manifest_print(&pack, p->run, &p->listed, results) ||
		      statement_print(&statement, p->run, &pack, results)))
		code = cli_nomem(p->who);
	if (!code && p->key)
		code = package_sign(p, &pack, &statement);
	else if (!code)
		code = package_leave_unsigned(p, &pack, &statement);
	text_free(&pack);
	text_free(&statement);
	return code;
}

/* ---- Checking ---- */

__attribute__((format(printf, 3, 4))) static void
package_fault(struct package *p, const char *word, const char *fmt, ...)
{
	va_list ap;

	p->faults++;
	printf("%-13s  ", word);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

bool package_is(int dir)
{
	static const char *const names[] = {PACK_MANIFEST, PACK_STATEMENT,
					    PACK_ENVELOPE, PACK_SIGNER};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!faccessat(dir, names[i], F_OK, AT_SYMLINK_NOFOLLOW))
			return true;
	return false;
}

/*
 * Reads a file of the package.  *ret is NULL if it is missing or no regular
 * file.  Return: 0 or an exit code.
 */
static int package_read(struct package *p, const char *name, const char **ret,
			size_t *ret_len)
{
	int err = folder_read(&p->arena, p->dir, name, ret, ret_len);

	if (err == ERR_NOMEM)
		return cli_nomem(p->who);
	if (err)
		*ret = NULL;
	return 0;
}

static void package_compare(struct package *p, const struct pack_files *found)
{
	for (size_t i = 0; i < p->listed.n; i++) {
		const struct pack_file *was = &p->listed.at[i];
		const struct pack_file *is = pack_files_find(found, was->path);

		if (!is)
			package_fault(p, "MISSING", "%s", was->path);
		else if (strcmp(was->sha256, is->sha256) != 0 ||
			 was->size != is->size)
			package_fault(p, "ALTERED", "%s", was->path);
	}
	for (size_t i = 0; i < found->n; i++)
		if (!pack_files_find(&p->listed, found->at[i].path))
			package_fault(p, "ADDED", "%s", found->at[i].path);
}

int package_check_files(struct package *p)
{
	struct pack_files found = {0};
	struct diag diag = {0};
	const char *text;
	size_t len;
	int code = package_read(p, PACK_MANIFEST, &text, &len), err;

	if (code)
		return code;
	if (!text) {
		package_fault(p, "MISSING", PACK_MANIFEST);
		return 0;
	}
	err = pack_manifest_parse(&p->listed, PACK_MANIFEST, text, len, &diag);
	if (err == ERR_NOMEM)
		return cli_nomem(p->who);
	if (err) {
		package_fault(p, "DAMAGED", "%s:%u: %s", diag.file, diag.line,
			      diag.text);
		return 0;
	}
	code = pack_files_scan(p->who, p->out, p->dir, &found);
	if (!code)
		package_compare(p, &found);
	pack_files_free(&found);
	return code;
}

/* Compares pack.json with what the run, the list and the verdicts give. */
static int package_check_manifest(struct package *p,
				  const struct statement_results *results,
				  struct text *ret_pack)
{
	struct text again = {0};
	const char *text;
	size_t len;
	int code = package_read(p, PACK_MANIFEST, &text, &len);

	if (code || !text)
		return code;
	text_add(ret_pack, text, len);
	if (pack_manifest_print(&again, p->run, &p->listed, results) ||
	    text_err(ret_pack))
		code = cli_nomem(p->who);
	else if (again.len != len || memcmp(text, text_cstr(&again), len) != 0)
		package_fault(p, "DIFFERS",
			      PACK_MANIFEST " does not follow from the files "
					    "and the verdicts");
	text_free(&again);
	return code;
}

/* Reads the key that the package has, or the one that the user trusts. */
static int package_signer(struct package *p, struct signing_key **ret)
{
	struct text again = {0};
	const char *pem, *why = "it is missing";
	size_t len;
	int code = package_read(p, PACK_SIGNER, &pem, &len);

	if (!code && p->key)
		code = package_read_key(p, false, ret);
	else if (!code && pem)
		*ret = signing_key_public(pem, len, &why);
	if (code)
		return code;
	if (!*ret) {
		package_fault(p, "DAMAGED", PACK_SIGNER ": %s", why);
		return 0;
	}
	if (signing_key_pem(&again, *ret))
		code = cli_nomem(p->who);
	else if (!pem || again.len != len ||
		 memcmp(pem, text_cstr(&again), len) != 0)
		package_fault(p, "DIFFERS", PACK_SIGNER " is not the key%s%s",
			      p->key ? " of " : " as 'rung pack' writes it",
			      p->key ? p->key : "");
	text_free(&again);
	return code;
}

/* Checks the envelope and gives its payload. */
static int package_open_envelope(struct package *p, const char *text,
				 size_t len, struct text *ret)
{
	struct signing_key *k = NULL;
	struct diag diag = {0};
	int code = package_signer(p, &k), err;

	if (code || !k)
		return code;
	err = envelope_open(ret, k, PACK_ENVELOPE, text, len, &diag);
	if (err == ERR_NOMEM || signing_key_id(k, p->signer))
		code = cli_nomem(p->who);
	else if (err) {
		*p->signer = 0;
		package_fault(p, "DAMAGED", "%s: %s", diag.file, diag.text);
	}
	signing_key_free(k);
	return code;
}

/* Gives the statement, signed or not; empty if there is none. */
static int package_read_statement(struct package *p, struct text *ret)
{
	const char *plain, *envelope;
	size_t len, envelope_len;
	int code = package_read(p, PACK_STATEMENT, &plain, &len);

	if (!code)
		code = package_read(p, PACK_ENVELOPE, &envelope, &envelope_len);
	if (code)
		return code;
	if (envelope && plain)
		package_fault(p, "ADDED", PACK_STATEMENT);
	if (envelope)
		return package_open_envelope(p, envelope, envelope_len, ret);
	if (p->key)
		package_fault(p, "MISSING",
			      PACK_ENVELOPE ": the package is not signed");
	if (!faccessat(p->dir, PACK_SIGNER, F_OK, AT_SYMLINK_NOFOLLOW))
		package_fault(p, "ADDED", PACK_SIGNER);
	if (plain)
		text_add(ret, plain, len);
	else
		package_fault(p, "MISSING", PACK_STATEMENT);
	return 0;
}

/* Checks that a run that calls itself evidence is fit for it. */
static int package_check_evidence(struct package *p)
{
	struct text why = {0};
	int code = 0;

	if (evidence_claimed(p->run))
		code = evidence_unfit(p->who, p->run, &why);
	if (!code && why.len)
		package_fault(p, "DIFFERS", "the run is no evidence: %s",
			      text_cstr(&why));
	text_free(&why);
	return code;
}

int package_check_statement(struct package *p,
			    const struct statement_results *results)
{
	struct text pack = {0}, was = {0}, is = {0};
	int code = package_check_evidence(p);

	if (!code)
		code = package_check_manifest(p, results, &pack);
	if (!code)
		code = package_read_statement(p, &was);
	if (!code &&
	    (statement_print(&is, p->run, &pack, results) || text_err(&was)))
		code = cli_nomem(p->who);
	else if (!code && was.len &&
		 (was.len != is.len ||
		  memcmp(text_cstr(&was), text_cstr(&is), is.len) != 0))
		package_fault(
			p, "DIFFERS",
			"the statement does not follow from " PACK_MANIFEST
			" and the verdicts");
	text_free(&pack);
	text_free(&was);
	text_free(&is);
	return code;
}

void package_free(struct package *p)
{
	pack_files_free(&p->listed);
	arena_free(&p->arena);
}
