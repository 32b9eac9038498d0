/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/err.c -- names the error codes.
 */
#include "base/err.h"

const char *err_name(int err)
{
	switch ((enum err)err) {
	case ERR_SHORT:
		return "short";
	case ERR_SPACE:
		return "space";
	case ERR_VALUE:
		return "value";
	case ERR_STATE:
		return "state";
	case ERR_NOMEM:
		return "nomem";
	case ERR_SYNTAX:
		return "syntax";
	case ERR_SUPPORT:
		return "support";
	case ERR_SYS:
		return "system";
	case ERR_CLOSED:
		return "closed";
	}
	return "unknown";
}
