/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/pack/envelope.h -- the envelope of a signed statement: DSSE, "Dead Simple
 * Signing Envelope" 1.0 (github.com/secure-systems-lab/dsse).
 *
 *	{"payloadType": "application/vnd.in-toto+json",
 *	 "payload": base64 of the statement,
 *	 "signatures": [{"keyid": digest of the key, "sig": base64}]}
 */
#ifndef CLI_PACK_ENVELOPE_H
#define CLI_PACK_ENVELOPE_H

#include "base/diag.h"
#include "cli/pack/signing_key.h"

/*
 * envelope_sign appends the envelope of a statement, signed with |k|.
 * Errors: ERR_NOMEM; ERR_VALUE: the key cannot sign.
 */
int envelope_sign(struct text *ret, const struct signing_key *k,
		  const char *statement, size_t len);

/*
 * envelope_open checks an envelope: its form, to the byte as envelope_sign
 * writes it, and that |k| signed its payload.  |ret_statement| becomes the
 * payload.
 *
 * Errors: ERR_SYNTAX: |diag| says what is wrong; ERR_NOMEM.
 */
int envelope_open(struct text *ret_statement, const struct signing_key *k,
		  const char *path, const char *text, size_t len,
		  struct diag *diag);

#endif
