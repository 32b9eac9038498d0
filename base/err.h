/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/err.h -- the error codes that functions return.
 *
 * Every fallible function returns int: zero or a count on success, one of these
 * negative values on failure.  A failure is about our own inputs and resources.
 * Misbehaviour of a peer is not a failure, it is a finding (judge/judge.h).
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err {
	ERR_SHORT = -1, /* input ends before the structure does */
	ERR_SPACE = -2, /* output does not fit in the buffer given */
	ERR_VALUE = -3, /* a value is outside its field's range */
	ERR_STATE = -4, /* the call is not allowed in this state */
	ERR_NOMEM = -5,
	ERR_SYNTAX = -6,  /* text input is malformed; see the struct diag */
	ERR_SUPPORT = -7, /* this build or the peer lacks what was asked for */
	ERR_SYS = -8,     /* the operating system refused; errno says why */
	ERR_CLOSED = -9,  /* the other end is gone */
};

/*
 * err_name returns the name of an error: "short", "space", ...; "unknown" for a
 * value that is not an enum err.  Static storage.
 */
const char *err_name(int err);

#endif
