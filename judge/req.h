/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/req.h -- the requirement catalogue as data.
 *
 * judge/requirements.def holds a row for each requirement.  An id is stable:
 * cases, findings, reports, mutants and the dissector name it, together with
 * the role it obliges: "RUD-SEQ-76/dst".
 */
#ifndef JUDGE_REQ_H
#define JUDGE_REQ_H

#include <stdbool.h>
#include <stddef.h>

enum req_level {
	REQ_M, /* must: a violation is a fail */
	REQ_S, /* should: a remark, a fail only with --strict */
	REQ_O, /* optional */
	REQ_N, /* note: observed and reported; it never fails */
	/* interface: tested on the reference; a remark on other devices */
	REQ_I,
};

/* The role that a requirement obliges.  Values are bits: both = src | dst. */
enum req_role {
	/* the sender of the request (initiator, forward direction) */
	REQ_SRC = 1,
	REQ_DST = 2, /* the receiver of the request */
	REQ_BOTH = 3,
};

enum req_seen {
	REQ_WIRE,    /* decidable on the wire alone */
	REQ_CONTROL, /* needs the control channel (SES side) */
	REQ_HALVES,  /* one half on the wire, one on the control channel */
	/* the source by the control channel, the destination on the wire */
	REQ_BY_ROLE,
};

/* REQ_RUD_SEQ_76 and so on, in the order of the catalogue. */
enum req_id {
#define REQ(sym, id, level, role, seen, statement, source) REQ_##sym,
#include "judge/requirements.def"
#undef REQ
	REQ_COUNT,
	REQ_NONE = -1,
};

struct req {
	const char *id; /* "RUD-SEQ-76" */
	enum req_level level;
	enum req_role role;
	enum req_seen seen;
	const char *statement;
	const char *source; /* document and clause */
};

/* req_get returns the row of an id; static storage. */
const struct req *req_get(enum req_id id);

/*
 * req_fails returns true if a finding about |id| fails a device, and is no
 * remark: |strict| takes remarks for findings.
 */
bool req_fails(enum req_id id, bool strict);

/*
 * req_seen_of returns where one role of a row, REQ_SRC or REQ_DST, is seen:
 * never REQ_BY_ROLE.
 */
enum req_seen req_seen_of(enum req_id id, enum req_role role);

/*
 * req_find finds "RUD-SEQ-76", or "RUD-SEQ-76/dst" when |ret_role| is not
 * NULL; without a suffix the role is the row's own.
 *
 * Return: the id, or REQ_NONE if there is no such row, the suffix is not src,
 *         dst or both, or the row does not oblige that role.
 */
enum req_id req_find(const char *name, size_t len, enum req_role *ret_role);

/* Names: "M"; "src", "dst", "both"; "wire", "control", "both".  Static. */
const char *req_level_name(enum req_level level);
const char *req_role_name(enum req_role role);
const char *req_seen_name(enum req_seen seen);

#define REQ_CITATION_MAX 128

/*
 * req_citation writes the source of a row as a reader can look it up:
 * "UET 1.0.1 3.5.10.5, table 3-35".  A row that only a fact sheet states is
 * cited by the section of the sheet.  Returns |buf|.
 */
const char *req_citation(enum req_id id, char buf[REQ_CITATION_MAX]);

#endif
