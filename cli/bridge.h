/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/bridge.h -- between two real endpoints: forwards, impairs by rule,
 * captures both sides, and judges both as it goes.
 *
 * A side of whole frames (raw, ring) forwards all that comes in, and rules look
 * at what is UET.  A side of UDP sockets has an address of its own, to which
 * its endpoint talks as if it were the other one; datagrams alone get through,
 * and the addresses change.  Both sides are of one kind.
 */
#ifndef CLI_BRIDGE_H
#define CLI_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/spec_port.h"
#include "judge/judge.h"
#include "suite/craft/rules.h"

#define BRIDGE_FINDINGS 1000 /* kept; more are counted */

struct bridge_conf {
	const char *who;
	struct port_spec at[2];
	const char *names[2]; /* as given, for messages */
	struct rules *rules;
	const struct decl *decl; /* times, sizes, codepoints */
	bool declared;           /* the devices declare it; it is not guessed */
	bool judge, strict, quiet;
	const char *capture;     /* pcapng; NULL: none */
	vspan duration, silence; /* to stop after; 0: not */
	const volatile bool *stop;
};

/* The counts of one side. */
struct bridge_side {
	uint64_t in, out;      /* packets received and sent */
	uint64_t other;        /* forwarded frames without a packet */
	uint64_t lost;         /* in the kernel, before we saw them */
	uint64_t cut, refused; /* not captured whole; could not be sent */
};

struct bridge_result {
	struct imp *imp; /* the rules, with their hits */
	struct bridge_side side[2];
	uint64_t dropped; /* by rules */
	struct finding *findings;
	size_t nfindings;
	uint64_t fails, remarks; /* of all, kept or not */
	bool interrupted;
	int code;        /* 0, or the exit code of the error that ended it */
	char error[256]; /* text of that error */
};

/*
 * bridge_run forwards until it is stopped, its time is over, or a port fails.
 * Return: 0, or an exit code after a message: it has not begun.
 * Owner:  bridge_free frees what *ret holds, also after a failure.
 */
int bridge_run(const struct bridge_conf *conf, struct bridge_result *ret);
void bridge_free(struct bridge_result *r);

#endif
