/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_table.h -- the verbs and keys of the control channel.
 */
#ifndef SUITE_DUT_CTL_CTL_TABLE_H
#define SUITE_DUT_CTL_CTL_TABLE_H

#include "oracle/op.h"
#include "suite/dut/ctl/ctl.h"
#include "wire/field.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a value, in JSON and in the struct of its message. */
enum ctl_key_type {
	KEY_UINT, /* |size| bytes wide, up to |max| */
	KEY_BOOL,
	KEY_ENUM,   /* one of |names| */
	KEY_ADDR,   /* struct ip_addr */
	KEY_TEXT,   /* char[size], cut to fit */
	KEY_WORDS,  /* char[size]: a list of strings, joined by spaces */
	KEY_OBJECT, /* char[size]: an object, as text */
	KEY_PKT,    /* op.pds.pkt of a request, as hexadecimal digits */
	KEY_REASON, /* reason of an event */
};

/*
 * A key of a message: which verbs or events carry it, and which member of the
 * message's struct holds its value.  Tables end with a NULL name.
 */
struct ctl_key {
	const char *name;
	enum ctl_key_type type;
	size_t at, size; /* the member */
	uint64_t max;
	const struct value_name *names; /* for KEY_ENUM */
	uint32_t in;   /* the verbs or events that may carry it, one bit each */
	uint32_t must; /* the verbs or events that must carry it */
};

/* The keys of requests; a bit of |in| and |must| is ctl_verb_bit(). */
extern const struct ctl_key ctl_req_keys[];

/* The keys of answers; each may carry all of them. */
extern const struct ctl_key ctl_ans_keys[];

/* The keys of events; bit n of |in| and |must| is kind n. */
extern const struct ctl_key ctl_event_keys[];

/* A verb.  The table ends with a NULL name. */
struct ctl_verb_row {
	const char *name;
	enum ctl_verb verb;
	enum op_kind op; /* CTL_OP */
};

extern const struct ctl_verb_row ctl_verb_rows[];

/* The verbs that a post line of a case may have, with a NULL after the last. */
extern const char *const ctl_posted_verbs[];

/* ctl_verb_find returns the row of a verb, or NULL. */
const struct ctl_verb_row *ctl_verb_find(const char *name);

/* ctl_verb_bit returns the bit of a verb in the keys of requests. */
uint32_t ctl_verb_bit(const struct ctl_verb_row *v);

/* ctl_req_verb returns the row of a request's verb, or NULL. */
const struct ctl_verb_row *ctl_req_verb(const struct ctl_req *r);

/* ctl_req_key returns the key |name| of requests with that verb, or NULL. */
const struct ctl_key *ctl_req_key(const struct ctl_verb_row *v,
				  const char *name);

/* ctl_verbs are all verbs of this version, separated by spaces. */
const char *ctl_verbs(void);

/* ctl_verb_name is the word of an operation: "send", "ses_policy", ... */
const char *ctl_verb_name(enum op_kind kind);

#endif
