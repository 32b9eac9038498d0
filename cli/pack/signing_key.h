/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/signing_key.h -- keys that sign a package and check its signature:
 * Ed25519, and ECDSA with SHA-256, as PEM files.  libcrypto does the work.
 */
#ifndef CLI_PACK_SIGNING_KEY_H
#define CLI_PACK_SIGNING_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "cli/pack/pack_files.h"

struct signing_key;

/*
 * signing_key_private and signing_key_public read a PEM text.
 *
 * Return: the key, for signing_key_free; NULL if the text holds none of the
 *         right kind, and *ret_why says what is wrong; static.
 */
struct signing_key *signing_key_private(const char *pem, size_t len,
					const char **ret_why);
struct signing_key *signing_key_public(const char *pem, size_t len,
				       const char **ret_why);
void signing_key_free(struct signing_key *k);

/*
 * signing_key_pem appends the public half as PEM.  signing_key_id writes the
 * SHA-256 digest of its DER form (SubjectPublicKeyInfo).
 * Errors: ERR_NOMEM.
 */
int signing_key_pem(struct text *t, const struct signing_key *k);
int signing_key_id(const struct signing_key *k, char ret[SHA256_HEX]);

/*
 * signing_key_sign appends the signature of |len| bytes.
 * Errors: ERR_NOMEM; ERR_VALUE: the key cannot sign.
 */
int signing_key_sign(struct text *ret, const struct signing_key *k,
		     const void *p, size_t len);

/* signing_key_verify returns true if |sig| is the key's signature of |p|. */
bool signing_key_verify(const struct signing_key *k, const void *p, size_t len,
			const void *sig, size_t sig_len);

#endif
