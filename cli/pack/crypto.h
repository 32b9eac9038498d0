/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/crypto.h -- the headers of libcrypto.
 *
 * They define a type ERR_STATE, which is a constant in base/err.h; here the
 * type gets another name.
 */
#ifndef CLI_PACK_CRYPTO_H
#define CLI_PACK_CRYPTO_H

#define ERR_STATE crypto_err_state
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#undef ERR_STATE

#endif
