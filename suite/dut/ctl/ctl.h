/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl.h -- messages of the control channel, and their JSON lines.
 *
 * One object a line.  A request has an "id" and a "verb", its answer echoes the
 * id; events have none.  docs/dut-control.md is the reference.
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

#define CTL_VERSION  2
#define CTL_LINE_MAX 65536 /* bytes of one message, its newline counted */
#define CTL_TOKEN_MAX                                           \
	128 /* characters of the token that opens a TCP channel \
	     */

enum ctl_verb {
	CTL_HELLO,
	CTL_RESET,
	CTL_STATS,
	CTL_MEM_DIGEST,
	CTL_COMPLETIONS, /* events kept so far, for adapters that cannot push */
	CTL_OP,          /* a verb of struct orc_op */
	CTL_UNKNOWN,     /* a verb that we do not know; its name is kept, cut */
};

/* A request must stay where it was parsed: op.pds.pkt points into it. */
struct ctl_req {
	uint64_t id;
	enum ctl_verb verb;
	char name[48];    /* the verb as written */
	struct orc_op op; /* CTL_OP; op.pds.pkt points into pkt below */
	uint8_t pkt[16384];
	uint32_t version; /* CTL_HELLO: the asker's; 0 stands for CTL_VERSION */
	uint64_t seed;    /* CTL_RESET */
	uint64_t key;     /* CTL_MEM_DIGEST */
};

struct ctl_ans {
	uint64_t id;
	bool ok;
	char error[96];   /* "unsupported", or why not */
	char name[64];    /* hello: who answers */
	uint32_t version; /* hello */
	char verbs[768];  /* hello: words, separated by spaces */
	uint32_t digest;  /* mem_digest: CRC-32C */
	uint64_t digest_len;
	char stats[1024];        /* stats: a JSON object, as text */
	struct op_result result; /* of create_qp, create_ah, query_qp */
};

enum ctl_kind {
	CTL_REQUEST,
	CTL_ANSWER,
	CTL_EVENT,
};

#endif
