/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/matrix/pairing_state.h -- the state of a run between two endpoints, for
 * the files that drive it (pairing.c), post its operations (pairing_post.c) and
 * compare what came of them (pairing_check.c).
 */
#ifndef CLI_MATRIX_PAIRING_STATE_H
#define CLI_MATRIX_PAIRING_STATE_H

#include "cli/matrix/exchange.h"
#include "cli/matrix/pairing_result.h"
#include "cli/run/trace.h"
#include "gen/impair.h"

#define PAIRING_RECVS (2 * EXCHANGE_OPS)

/* A posted operation. */
struct pairing_op {
	bool posted;
	unsigned completions;
	bool failed;
	char status[32];
	uint32_t digest; /* of what a read returned; 0: unknown */
	uint64_t at;     /* its place in the target's memory */
	bool shares;     /* another operation has written there */
};

struct pairing_recv {
	uint32_t len, digest;
	bool matched;
};

/* A packet in the middle of the link. */
struct pairing_flight {
	struct pairing_flight *next;
	vtime due;
	struct imp_out out;
};

struct pairing {
	struct pairing_conf conf;
	struct judge *judge[2];
	struct imp *imp;
	struct trace trace;
	const struct exchange *exchange;
	struct pairing_result *result;
	vtime now, last_at; /* the time, and that of the last packet */
	vspan late; /* longest time that a packet waited for the tester */
	uint32_t frame;
	uint64_t seed[2];
	int err;
	struct pairing_op ops[EXCHANGE_OPS];
	struct pairing_recv recvs[PAIRING_RECVS];
	size_t nrecvs;
	uint32_t qpn[2], ah; /* verbs */
	/* the request that is being answered */
	uint64_t id;
	bool answered;
	struct ctl_req req;
	struct ctl_ans ans;
	/* large members, kept off the stack */
	struct dut_event ev;
	struct imp_out out;
	struct pairing_flight *first, **last, *spare;
	struct rules *rules;
	uint8_t frame_bytes[DGRAM_MAX + 128];
};

/* pairing_blame records a fault, once for each side, requirement and role. */
__attribute__((format(printf, 6, 7))) void
pairing_blame(struct pairing *p, enum pairing_side side, enum req_id req,
	      enum req_role role, bool unsure, const char *fmt, ...);

/*
 * pairing_ask sends p->req, whose verb and members the caller has set, and
 * waits for the answer, which it stores in p->ans.
 * Return: false if it is refused, or no answer comes.
 */
bool pairing_ask(struct pairing *p, enum pairing_side side);

/* pairing_request clears p->req for an operation. */
struct orc_op *pairing_request(struct pairing *p, enum op_kind kind);

/*
 * pairing_prepare makes room and connections for the exchange; pairing_post
 * posts its operations.
 */
void pairing_prepare(struct pairing *p);
void pairing_post(struct pairing *p);

/* pairing_told takes an event of a side. */
void pairing_told(struct pairing *p, enum pairing_side side,
		  const struct orc_event *ev);

/* pairing_done returns true if all operations have ended. */
bool pairing_done(const struct pairing *p);

/* pairing_compare checks the operations when the exchange is over. */
void pairing_compare(struct pairing *p);

#endif
