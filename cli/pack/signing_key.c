/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/signing_key.c -- reads keys, signs and verifies with libcrypto.
 */
#include "cli/pack/signing_key.h"

#include <limits.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/pack/crypto.h"

struct signing_key {
	EVP_PKEY *pkey;
	const EVP_MD *md; /* NULL: Ed25519, which has its own digest */
};

/* Refuses to ask for a passphrase: rung runs unattended. */
static int no_passphrase(char *buf, int size, int writing, void *ctx)
{
	(void)buf;
	(void)size;
	(void)writing;
	(void)ctx;
	return -1;
}

/* Wraps a key that was read; NULL: there was none.  Takes |pkey|. */
static struct signing_key *key_wrap(EVP_PKEY *pkey, const char **ret_why)
{
	struct signing_key *k;

	ERR_clear_error();
	if (!pkey)
		return NULL;
	k = memory_calloc(1, sizeof(*k));
	*ret_why = "out of memory";
	if (!k) {
		EVP_PKEY_free(pkey);
		return NULL;
	}
	k->pkey = pkey;
	if (EVP_PKEY_is_a(pkey, "EC"))
		k->md = EVP_sha256();
	if (k->md || EVP_PKEY_is_a(pkey, "ED25519"))
		return k;
	signing_key_free(k);
	*ret_why = "the key is neither Ed25519 nor ECDSA";
	return NULL;
}

/* One of PEM_read_bio_PrivateKey() and PEM_read_bio_PUBKEY(). */
typedef EVP_PKEY *key_reader(BIO *bio, EVP_PKEY **ret,
			     pem_password_cb *passphrase, void *ctx);

static struct signing_key *key_read(const char *pem, size_t len,
				    key_reader *reader, const char **ret_why)
{
	BIO *bio = BIO_new_mem_buf(pem, len > INT_MAX ? 0 : (int)len);
	EVP_PKEY *pkey = NULL;

	if (bio)
		pkey = reader(bio, NULL, no_passphrase, NULL);
	BIO_free(bio);
	return key_wrap(pkey, ret_why);
}

struct signing_key *signing_key_private(const char *pem, size_t len,
					const char **ret_why)
{
	*ret_why = "it holds no private key in PEM form, or an encrypted one";
	return key_read(pem, len, PEM_read_bio_PrivateKey, ret_why);
}

struct signing_key *signing_key_public(const char *pem, size_t len,
				       const char **ret_why)
{
	*ret_why = "it holds no public key in PEM form";
	return key_read(pem, len, PEM_read_bio_PUBKEY, ret_why);
}

void signing_key_free(struct signing_key *k)
{
	if (!k)
		return;
	EVP_PKEY_free(k->pkey);
	free(k);
}

int signing_key_pem(struct text *t, const struct signing_key *k)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *s;
	long len;

	if (!bio || !PEM_write_bio_PUBKEY(bio, k->pkey)) {
		BIO_free(bio);
		return ERR_NOMEM;
	}
	len = BIO_get_mem_data(bio, &s);
	text_add(t, s, (size_t)len);
	BIO_free(bio);
	return text_err(t);
}

int signing_key_id(const struct signing_key *k, char ret[SHA256_HEX])
{
	unsigned char *der = NULL;
	const int len = i2d_PUBKEY(k->pkey, &der);
	int err;

	if (len <= 0)
		return ERR_NOMEM;
	err = sha256_hex(der, (size_t)len, ret);
	OPENSSL_free(der);
	return err;
}

int signing_key_sign(struct text *ret, const struct signing_key *k,
		     const void *p, size_t len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	size_t n = 0;
	char *sig = NULL;
	int err = ERR_VALUE;

	if (!ctx)
		return ERR_NOMEM;
	if (EVP_DigestSignInit(ctx, NULL, k->md, NULL, k->pkey) == 1 &&
	    EVP_DigestSign(ctx, NULL, &n, p, len) == 1) {
		sig = memory_alloc(n);
		if (!sig)
			err = ERR_NOMEM;
		else if (EVP_DigestSign(ctx, (unsigned char *)sig, &n, p,
					len) == 1)
			err = 0;
	}
	if (!err) {
		text_add(ret, sig, n);
		err = text_err(ret);
	}
	free(sig);
	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	return err;
}

bool signing_key_verify(const struct signing_key *k, const void *p, size_t len,
			const void *sig, size_t sig_len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	const bool good =
		ctx &&
		EVP_DigestVerifyInit(ctx, NULL, k->md, NULL, k->pkey) == 1 &&
		EVP_DigestVerify(ctx, sig, sig_len, p, len) == 1;

	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	return good;
}
