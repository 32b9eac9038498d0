/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/ctl.h -- messages of the control channel, and their JSON lines.
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
#ifndef SUITE_CTL_H
#define SUITE_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"
#include "oracle/event.h"
#include "oracle/op.h"

#define CTL_VERSION  1
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

/*
 * ctl_req_print, ctl_ans_print and ctl_event_print append one line, newline
 * included.
 */
void ctl_req_print(struct text *t, const struct ctl_req *r);
void ctl_ans_print(struct text *t, const struct ctl_ans *a);
void ctl_event_print(struct text *t, const struct orc_event *ev);

/*
 * ctl_parse_req reads a request, as a server does; ctl_parse_reply an answer or
 * an event, as a client does.
 *
 * A key that a verb does not take is refused in a request, and ignored in an
 * answer or event, which may come from a later version.
 *
 * Shape:  |line| is |len| bytes with or without its newline; any bytes.
 * Owner:  the reason of an event is kept in ret_ans->error and lives as long.
 * Errors: ERR_SYNTAX with |diag| filled: column, key and what was expected.
 *         For a request whose id could be read, ret->id is set even then.
 *         ERR_SUPPORT for an event that this version does not know: skip it.
 *         ERR_NOMEM.  In all three |diag| has a text.
 */
int ctl_parse_req(struct ctl_req *ret, const char *line, size_t len,
		  struct diag *diag);
int ctl_parse_reply(enum ctl_kind *ret_kind, struct ctl_ans *ret_ans,
		    struct orc_event *ret_event, const char *line, size_t len,
		    struct diag *diag);

/*
 * ctl_token_print appends the line that opens a channel over TCP,
 * {"token":"..."}; ctl_token_ok says whether |line| is that line.
 */
void ctl_token_print(struct text *t, const char *token);
bool ctl_token_ok(const char *line, size_t len, const char *token);

/* ctl_verbs are all verbs of this version, separated by spaces. */
const char *ctl_verbs(void);

/* ctl_setting_name is the word of a setting: "start_psn", "ack_type", ... */
const char *ctl_setting_name(enum orc_setting setting);

/* ctl_status_name is the word of a completion: "ok", "rnr", ... */
const char *ctl_status_name(enum orc_status status);

/* ctl_qp_state_name is "reset", "init", "rtr", ... */
const char *ctl_qp_state_name(enum qp_state state);

/* ctl_event_name is the word of an event: "pds_ses_rx_req", "completion", ...
 */
const char *ctl_event_name(enum orc_event_kind kind);

/* ctl_verb_name is the word of an operation: "send", "ses_policy", ... */
const char *ctl_verb_name(enum op_kind kind);

/*
 * ctl_serve carries out a request on an endpoint, as "rung serve" and the
 * virtual DUT do; |ret| is the answer.
 */
struct orc;
struct orc_api;
void ctl_serve(const struct orc_api *api, struct orc *o,
	       const struct ctl_req *req, vtime now, struct ctl_ans *ret);

#endif
