/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing.h -- two endpoints with a link between them: runs an
 * exchange, impairs by its rules, judges both ends, and compares what each end
 * told with what was asked of it.
 *
 * Both ends are in virtual time or both on real links.  Neither sees the other:
 * each has the tester's address of its own link as its peer.
 */
#ifndef CLI_MATRIX_PAIRING_H
#define CLI_MATRIX_PAIRING_H

#include "cli/matrix/exchange.h"
#include "cli/matrix/pairing_result.h"

struct pairing;

/*
 * pairing_new makes a link between two ends, which are lent.
 * Errors: ERR_NOMEM.
 */
int pairing_new(struct pairing **ret, const struct pairing_conf *conf);
void pairing_free(struct pairing *p);

/*
 * pairing_run resets both ends and runs an exchange.  |capture| is the path of
 * a capture of both links, or NULL.
 * Return: 0 or an exit code after a message that begins with |who|.
 */
int pairing_run(struct pairing *p, const char *who, const struct exchange *e,
		const char *capture, struct pairing_result *ret);

#endif
