/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/bridge.h -- runs between two real endpoints: forwards, impairs by rules,
 * captures both sides, and judges both during the run.
 *
 * A side of whole frames (raw, ring) forwards everything that arrives; rules
 * apply to UET packets.  A side of UDP sockets has its own address, which its
 * endpoint uses as that of the other endpoint.  It forwards only datagrams, and
 * their addresses change.  Both sides have the same kind of port.
 */
#ifndef CLI_BRIDGE_H
#define CLI_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/spec_port.h"
#include "judge/judge.h"
#include "lib/rung.h"
#include "suite/craft/rules.h"

#define BRIDGE_FINDINGS 1000 /* kept; more are counted */

struct bridge_conf {
	const char *who;
	struct port_spec at[2];
	const char *names[2]; /* as given by the user, for messages */
	struct rules *rules;
	const struct decl *decl; /* times, sizes, codepoints */
	/* the devices use a CRC as declared; else it is guessed */
	bool declared;
	bool judge, strict, quiet;
	const char *capture; /* pcapng; NULL: none */
	/* times after which the bridge stops; 0: never */
	vspan duration, silence;
	const volatile bool *stop;
};

/* The counts of one side. */
struct bridge_side {
	uint64_t in, out; /* packets received and sent */
	uint64_t other;   /* forwarded frames without a packet */
	uint64_t lost;    /* lost in the kernel before the bridge saw them */
	uint64_t cut, refused; /* truncated when captured; impossible to send */
};

struct bridge_result {
	struct imp *imp; /* the rules, with their hits */
	struct bridge_side side[2];
	uint64_t dropped; /* dropped by rules */
	struct rung_finding *findings;
	size_t nfindings;
	uint64_t fails, remarks; /* numbers of all findings, kept or not */
	bool interrupted;
	int code;        /* 0, or the exit code of the error that ended it */
	char error[256]; /* text of that error */
};

/*
 * bridge_run forwards until it is stopped, its time is over, or a port fails.
 * Return: 0, or an exit code after a message: the bridge did not start.
 * Owner:  bridge_free frees the members of *ret, also after a failure.
 */
int bridge_run(const struct bridge_conf *conf, struct bridge_result *ret);
void bridge_free(struct bridge_result *r);

#endif
