/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz/pack.c -- libFuzzer target: the files of an evidence package, as rung
 * verify reads them.  The first byte selects pack.json, an envelope, or a key.
 */
#include "cli/pack/envelope.h"
#include "cli/pack/pack_manifest.h"
#include "cli/pack/signing_key.h"
#include "fuzz/text.h"

static const char fuzz_key[] =
	"-----BEGIN PUBLIC KEY-----\n"
	"MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
	"-----END PUBLIC KEY-----\n";

static void fuzz_list(const char *s, size_t len)
{
	struct pack_files files = {0};
	struct diag diag = {0};

	if (pack_manifest_parse(&files, "x", s, len, &diag))
		CHECK(diag.text[0]);
	for (size_t i = 0; i < files.n; i++)
		CHECK(pack_files_find(&files, files.at[i].path) ==
		      &files.at[i]);
	pack_files_free(&files);
}

static void fuzz_envelope(const char *s, size_t len)
{
	const char *why;
	struct signing_key *k =
		signing_key_public(fuzz_key, sizeof(fuzz_key) - 1, &why);
	struct text statement = {0};
	struct diag diag = {0};

	CHECK(k);
	/* The private half was discarded: no signature is valid. */
	CHECK(envelope_open(&statement, k, "x", s, len, &diag));
	CHECK(diag.text[0]);
	text_free(&statement);
	signing_key_free(k);
}

static void fuzz_pem(const char *s, size_t len)
{
	const char *why;
	struct signing_key *k = signing_key_public(s, len, &why);
	struct text pem = {0};

	CHECK(k || why[0]);
	if (k)
		CHECK(!signing_key_pem(&pem, k));
	text_free(&pem);
	signing_key_free(k);
	k = signing_key_private(s, len, &why);
	CHECK(k || why[0]);
	signing_key_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const readers[])(const char *, size_t) = {
		fuzz_list, fuzz_envelope, fuzz_pem};
	char *s;

	if (!size)
		return 0;
	s = fuzz_text_of(data + 1, size - 1);
	if (!s)
		return 0;
	readers[data[0] % 3](s, size - 1);
	free(s);
	return 0;
}
