/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/envelope.c -- writes and checks DSSE envelopes.
 *
 * An envelope is written again from what was read and compared, so that no byte
 * of it can change unnoticed.
 */
#include "cli/pack/envelope.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/pack/crypto.h"
#include "reports/format/json.h"

#define PAYLOAD_TYPE "application/vnd.in-toto+json"
#define ENVELOPE_MAX ((size_t)64 << 20) /* bytes of the largest envelope */

/* Appends what is signed: the type and the payload with their lengths (PAE). */
static void envelope_encode(struct text *t, const char *payload, size_t len)
{
	text_printf(t, "DSSEv1 %zu %s %zu ", strlen(PAYLOAD_TYPE), PAYLOAD_TYPE,
		    len);
	text_add(t, payload, len);
}

static void base64_print(struct text *t, const char *p, size_t len)
{
	/* 48 bytes give 64 characters, and a NUL. */
	for (size_t at = 0; at < len; at += 48) {
		const size_t n = len - at < 48 ? len - at : 48;
		unsigned char out[65];

		text_add(t, (const char *)out,
			 (size_t)EVP_EncodeBlock(
				 out, (const unsigned char *)p + at, (int)n));
	}
}

/* Errors: ERR_SYNTAX, ERR_NOMEM. */
static int base64_read(struct text *t, const char *s, size_t len)
{
	unsigned char *out;
	int n;

	if (len % 4 || len > ENVELOPE_MAX)
		return ERR_SYNTAX;
	if (!len)
		return 0;
	out = memory_alloc(len);
	if (!out)
		return ERR_NOMEM;
	n = EVP_DecodeBlock(out, (const unsigned char *)s, (int)len);
	if (n >= 0) {
		/* The padding counts as zero bytes. */
		n -= s[len - 1] == '=';
		n -= s[len - 2] == '=';
		text_add(t, (const char *)out, (size_t)n);
	}
	free(out);
	return n < 0 ? ERR_SYNTAX : text_err(t);
}

/* Appends the envelope with a signature that exists. */
static int envelope_print(struct text *ret, const char *keyid,
			  const struct text *payload, const struct text *sig)
{
	struct text p = {0}, s = {0};
	int err;

	base64_print(&p, text_cstr(payload), payload->len);
	base64_print(&s, text_cstr(sig), sig->len);
	err = text_err(&p) ? text_err(&p) : text_err(&s);
	if (!err)
		err = json_text(ret,
				json_pack("{s:s, s:s, s:[{s:s, s:s}]}",
					  "payloadType", PAYLOAD_TYPE,
					  "payload", text_cstr(&p),
					  "signatures", "keyid", keyid, "sig",
					  text_cstr(&s)),
				JSON_INDENT(1));
	text_free(&p);
	text_free(&s);
	return err;
}

int envelope_sign(struct text *ret, const struct signing_key *k,
		  const char *statement, size_t len)
{
	struct text payload = {0}, signed_text = {0}, sig = {0};
	char keyid[SHA256_HEX];
	int err;

	text_add(&payload, statement, len);
	envelope_encode(&signed_text, statement, len);
	err = text_err(&payload) ? text_err(&payload) : text_err(&signed_text);
	if (!err)
		err = signing_key_id(k, keyid);
	if (!err)
		err = signing_key_sign(&sig, k, text_cstr(&signed_text),
				       signed_text.len);
	if (!err)
		err = envelope_print(ret, keyid, &payload, &sig);
	text_free(&payload);
	text_free(&signed_text);
	text_free(&sig);
	return err;
}

/* Reads the members.  Errors: ERR_SYNTAX, ERR_NOMEM. */
static int envelope_read(const char *text, size_t len, struct text *payload,
			 struct text *sig, char keyid[SHA256_HEX])
{
	json_t *o = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	const json_t *first =
		json_array_get(json_object_get(o, "signatures"), 0);
	const json_t *p = json_object_get(o, "payload");
	const json_t *s = json_object_get(first, "sig");
	const json_t *id = json_object_get(first, "keyid");
	int err = ERR_SYNTAX;

	if (json_is_string(p) && json_is_string(s) &&
	    json_string_length(id) == SHA256_HEX - 1) {
		memcpy(keyid, json_string_value(id), SHA256_HEX);
		err = base64_read(payload, json_string_value(p),
				  json_string_length(p));
		if (!err)
			err = base64_read(sig, json_string_value(s),
					  json_string_length(s));
	}
	json_decref(o);
	return err;
}

/* Writes the envelope again.  Errors: ERR_SYNTAX, ERR_NOMEM. */
static int envelope_same(const char *text, size_t len, const char *keyid,
			 const struct text *payload, const struct text *sig)
{
	struct text again = {0};
	int err = envelope_print(&again, keyid, payload, sig);

	if (!err &&
	    (again.len != len || memcmp(text_cstr(&again), text, len) != 0))
		err = ERR_SYNTAX;
	text_free(&again);
	return err;
}

static int envelope_verify(const struct signing_key *k, const char *keyid,
			   const struct text *payload, const struct text *sig,
			   const char *path, struct diag *diag)
{
	struct text signed_text = {0};
	char id[SHA256_HEX];
	int err = signing_key_id(k, id);

	envelope_encode(&signed_text, text_cstr(payload), payload->len);
	if (!err)
		err = text_err(&signed_text);
	if (!err && strcmp(id, keyid) != 0)
		err = diag_set(diag, path, 0, 0, NULL,
			       "it names another key, %.64s", keyid);
	if (!err &&
	    !signing_key_verify(k, text_cstr(&signed_text), signed_text.len,
				text_cstr(sig), sig->len))
		err = diag_set(diag, path, 0, 0, NULL,
			       "the signature is not of this key and this "
			       "statement");
	text_free(&signed_text);
	return err;
}

int envelope_open(struct text *ret_statement, const struct signing_key *k,
		  const char *path, const char *text, size_t len,
		  struct diag *diag)
{
	struct text sig = {0};
	char keyid[SHA256_HEX] = "";
	int err = envelope_read(text, len, ret_statement, &sig, keyid);

	if (!err)
		err = envelope_same(text, len, keyid, ret_statement, &sig);
	if (err == ERR_SYNTAX)
		diag_set(diag, path, 0, 0, NULL,
			 "it is no envelope as 'rung pack' writes it");
	if (!err)
		err = envelope_verify(k, keyid, ret_statement, &sig, path,
				      diag);
	text_free(&sig);
	return err;
}
