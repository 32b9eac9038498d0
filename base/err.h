/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/err.h -- the error codes that functions return.
 *
 * Every function that can fail returns int: zero or a count on success, one of
 * these negative values on failure.  A failure concerns rung's own inputs and
 * resources.  Misbehaviour of a peer is not a failure but a finding
 * (judge/judge.h).
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err {
	ERR_SHORT = -1, /* the input ends inside the structure */
	ERR_SPACE = -2, /* the output does not fit into the buffer */
	ERR_VALUE = -3, /* a value is outside its field's range */
	ERR_STATE = -4, /* the call is not allowed in this state */
	ERR_NOMEM = -5,
	ERR_SYNTAX = -6, /* text input is malformed; see the struct diag */
	/* this build or the peer does not support the request */
	ERR_SUPPORT = -7,
	ERR_SYS = -8,    /* a system call failed; errno has the reason */
	ERR_CLOSED = -9, /* the other end has closed the connection */
};

/*
 * err_name returns the name of an error: "short", "space", ...; "unknown" for a
 * value that is not an enum err.  Static storage.
 */
const char *err_name(int err);

#endif
