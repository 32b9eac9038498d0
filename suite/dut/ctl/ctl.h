/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl.h -- messages of the control channel, and their JSON lines.
 *
 * Each line is one object.  A request has an "id" and a "verb", and its answer
 * echoes the id.  An event has no id. docs/dut-control.md is the reference.
 *
 *	-> {"id":7,"verb":"send","peer":"127.0.0.2","len":64,"handle":3}
 *	<- {"id":7,"ok":true}
 *	<- {"event":"completion","handle":3,"status":"ok"}
 *
 * Integers of 64 bits above 2^63 - 1 travel as a string "0x...", since many
 * JSON readers stop there.  Id 0 is for the answer to a line whose own id could
 * not be read: requests count from 1.
 */
#ifndef SUITE_DUT_CTL_CTL_H
#define SUITE_DUT_CTL_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"
#include "oracle/event.h"
#include "oracle/op.h"

#define CTL_VERSION   2
#define CTL_LINE_MAX  65536 /* bytes of one message, its newline counted */
#define CTL_TOKEN_MAX 128   /* characters of the token for TCP */

enum ctl_verb {
	CTL_HELLO,
	CTL_RESET,
	CTL_STATS,
	CTL_MEM_DIGEST,
	CTL_COMPLETIONS, /* the queued events, for adapters that cannot push */
	CTL_OP,          /* a verb of struct orc_op */
	CTL_UNKNOWN,     /* an unknown verb; its name is kept, truncated */
};

/* A request must stay where it was parsed: op.pds.pkt points into it. */
struct ctl_req {
	uint64_t id;
	enum ctl_verb verb;
	char name[48];    /* the verb as received */
	struct orc_op op; /* CTL_OP; op.pds.pkt points into pkt below */
	uint8_t pkt[16384];
	uint32_t version; /* CTL_HELLO: the client's version; 0: CTL_VERSION */
	uint64_t seed;    /* CTL_RESET */
	uint64_t key;     /* CTL_MEM_DIGEST */
};

struct ctl_ans {
	uint64_t id;
	bool ok;
	char error[96];   /* "unsupported", or the reason for a failure */
	char name[64];    /* hello: name of the device */
	uint32_t version; /* hello */
	char verbs[768];  /* hello: words, separated by spaces */
	uint32_t digest;  /* mem_digest: CRC-32C */
	uint64_t digest_len;
	char stats[1024];        /* stats: a JSON object, as text */
	struct op_result result; /* for create_qp, create_ah, query_qp */
};

enum ctl_kind {
	CTL_REQUEST,
	CTL_ANSWER,
	CTL_EVENT,
};

#endif
