/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case.h -- a case file as data: head, chairs, steps, rungs.
 *
 * One line of a case is one step, and nearly always one arrow of the ladder
 * that stands in the specification.  docs/case-language.md is the reference of
 * the text; this is what the parser makes of it.  Everything hangs on the
 * case's arena and is read-only afterwards, so that threads share it.
 */
#ifndef SUITE_LANG_CASE_H
#define SUITE_LANG_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/vtime.h"
#include "judge/req.h"
#include "wire/addr.h"
#include "wire/family.h"
#include "wire/field.h"

/* The part that the DUT plays. */
enum chair {
	CHAIR_TARGET,    /* DUT is FEP-B; the tester initiates */
	CHAIR_INITIATOR, /* DUT is FEP-A; the tester is the target */
	CHAIR_COUNT,
};

/* A requirement with the role that it obliges. */
struct req_ref {
	enum req_id id;
	enum req_role role;
	/*
	 * Items that the line holds this row against, "ack.retx,ack.cack_psn"
	 * (blame.h); NULL: not given, judge/governs.def decides.
	 */
	const char *items;
};

/*
 * A number of the language: 333, 0x1f, $p, $p+1, $p-0x100.  A literal in a
 * serial-number field is a figure number, bound to live PSNs by "base", unless
 * it was written with a leading '=' ("psn==0xffffffff" is absolute).
 */
struct number {
	const char *symbol; /* without '$'; NULL: a literal */
	uint64_t value;     /* the literal, or what is added to the rest */
	uint32_t mtus;      /* so many times the declared MTU are added */
	bool absolute;
};

/* psn=333..336 has lo and hi; psn=333|335 has two ranges. */
struct range {
	struct number lo, hi; /* equal for a single value */
	bool single;
};

enum term_op {
	TERM_EQ,  /* = */
	TERM_NE,  /* != */
	TERM_GE,  /* >=, serial for FIELD_SEQ */
	TERM_LE,  /* <= */
	TERM_ANY, /* =*, "don't care": the value is not compared */
};

/* field=value, or a bare flag, or the bare word of a discriminator. */
struct term {
	const char *name; /* field or derived value, as the tables name it */
	const struct field *field; /* NULL: a derived value */
	enum term_op op;
	const struct range *ranges;
	size_t nranges; /* > 1 only in expectations */
	unsigned col;
};

enum body {
	BODY_NONE,  /* sends: no payload; expectations: not looked at */
	BODY_DATA,  /* "data 64": so many bytes of the pattern */
	BODY_BYTES, /* "bytes 0a 0b": exactly these */
	BODY_SAME,  /* "same": SES headers and payload of the first transmission
		       of  this PSN in this direction */
};

/* One packet in the language: PDS words | SES words | extension | payload. */
struct rung {
	const char *type; /* "rud_req", "ack", ...; NULL: raw bytes, or any */
	const char *pdc;  /* "pdc=b"; NULL: not said */
	const struct term *pds;
	size_t npds;
	const char *ses; /* "std", "response", ...; NULL: no SES part written */
	const struct term *ses_terms; /* extension fields are among them */
	size_t nses;
	const char *ext[2];
	enum body body;
	struct number data_len;
	/* "data 6 of 4 at 1mtu": the bytes of post 4 from there on; 0: any */
	uint16_t data_op;
	struct number data_at;
	const uint8_t *bytes; /* BODY_BYTES, or the whole of a raw rung */
	size_t nbytes;
	bool raw; /* "raw 11 80 ...": the packet is these bytes */
};

/* "3 rto", "10ms", "ack_time": n units, or ns. */
enum span_unit {
	SPAN_NS,
	SPAN_RTO,          /* the DUT's declared RTO_Init_Time */
	SPAN_NACK_TIME,    /* NACK_Retx_Time */
	SPAN_ACK_TIME,     /* the declared time within which an answer is due */
	SPAN_CLEAR_TIME,   /* PDS_Clear_Time */
	SPAN_RTO_TOTAL,    /* until a packet that is never acknowledged is
			      given up */
	SPAN_UNRESPONSIVE, /* SRD: that within which a destination has to be
			      heard */
};

struct span {
	bool set;
	enum span_unit unit;
	uint32_t milli; /* thousandths of a unit: "1.5 rto" is 1500 */
	vspan ns;       /* SPAN_NS */
	/* "2 rto + clear_time": so much of another timer on top, 0: none */
	enum span_unit plus;
	uint32_t plus_milli;
};

enum step_kind {
	STEP_SEND,      /* > rung */
	STEP_EXPECT,    /* < rung */
	STEP_ACKED,     /* < acked 333..336 */
	STEP_NEVER,     /* never < rung [for span | until next] */
	STEP_ANY_ORDER, /* any { ... } */
	STEP_ONE_OF,    /* one { ... or ... } */
	STEP_IMPAIR,    /* drop > rud_req psn=333 nth=1 */
	STEP_POST,      /* post send len=64 */
	STEP_CONFIGURE, /* configure start_psn=0xfffffffd */
	STEP_RESPOND,   /* respond gtd */
	STEP_REPORT, /* delivered / returned / received / completed / failed */
	STEP_WAIT,   /* wait 2 rto */
	STEP_LET,    /* let $x = $p+1 */
	STEP_BASE,   /* base fwd=333 ret=48 */
};

/* The CRC trailer of a packet that is sent. */
enum trailer {
	TRAILER_LINK, /* the right one, if the link has one */
	TRAILER_NONE,
	TRAILER_WRONG,
	TRAILER_SWAPPED, /* right in the other byte order */
};

enum never_end {
	NEVER_FOR,   /* blocks for the span */
	NEVER_UNTIL, /* stands until the next expectation is met */
	NEVER_CASE,  /* stands until the case ends */
};

enum impair_action {
	IMPAIR_DROP,
	IMPAIR_DUPLICATE, /* count copies more */
	IMPAIR_DELAY,     /* by span */
	IMPAIR_HOLD,      /* until the packet that matches |until| has passed */
	IMPAIR_REORDER,   /* swap with the next packet of this direction */
	IMPAIR_CORRUPT,   /* set a field, or flip its low bit */
	IMPAIR_MARK_CE,
	IMPAIR_TRIM,    /* to count bytes from the PDS header on */
	IMPAIR_REWRITE, /* sets fields, and all is as if it had been sent so */
	IMPAIR_INJECT,  /* sends |until| behind the packet */
};

/* The headers around a packet, which an impairment matches or sets. */
struct outer {
	struct ip_addr src, dst; /* len 0: not looked at */
	bool entropy_set, dscp_set, ecn_set;
	uint16_t entropy;
	uint8_t dscp, ecn;
	uint16_t checksum; /* rewritten: of UDP; 0: not */
	uint8_t padding;   /* bytes behind the IP packet */
};

/* The events that the SES side reports through the control channel. */
enum report_kind {
	REPORT_DELIVERED, /* pds_ses_rx_req: a request packet reached the SES */
	REPORT_RECEIVED,  /* a whole message arrived */
	REPORT_RETURNED,  /* pds_ses_rx_ret: return data reached the SES */
	REPORT_RESPONDED, /* pds_ses_rx_rsp: a response reached the SES */
	REPORT_COMPLETED, /* a posted operation ended well */
	REPORT_FAILED,    /* a posted operation ended in error */
	REPORT_ERROR,     /* pds_ses_error: once per request given up */
	REPORT_PAUSED,    /* pds_pause: no more requests, please */
	REPORT_RESUMED,   /* pds_pause: go on */
	REPORT_EAGER,     /* pds_ses_eager_size */
	REPORT_UNRESPONSIVE, /* a destination does not answer */
};

/* key=value of post, respond and report lines; values as written. */
struct param {
	const char *key;
	const char *word; /* a value that is not a number; else NULL */
	struct number number;
	struct span span; /* set if the value is a span */
	unsigned col;
};

struct step {
	enum step_kind kind;
	const char *file; /* of the line: the case, or a fragment it uses */
	unsigned line;
	const char *source; /* the line as written, without indentation */
	const struct step *next;

	/* SEND, EXPECT, NEVER, IMPAIR; true: towards the DUT ('>') */
	bool to_dut;
	struct rung rung;

	/* EXPECT, ACKED, NEVER, REPORT, some POSTs: whose fault it is when it
	 * fails */
	const struct req_ref *reqs;
	size_t nreqs;

	struct span within; /* latest, from the rung before */
	struct span after;  /* SEND: wait so long; EXPECT: not earlier */
	bool lost;          /* the packet is dropped on its way, and drawn so */
	bool exact;         /* no tolerance: repeats and extra fields count */
	bool optional;      /* EXPECT, in any order; POST: "refusable" */
	bool refused;       /* POST: it must be */
	const char *need;   /* of a fragment: skipped if it is not claimed */
	uint32_t min, max;  /* how often; 1, 1 */
	uint32_t cut;       /* SEND: send only so many bytes; 0: whole */
	enum trailer trailer; /* SEND: instead of the link's own */

	struct number acked_lo, acked_hi; /* ACKED */

	enum never_end never_end;
	struct span span; /* NEVER_FOR, WAIT, IMPAIR_DELAY */

	/* ANY_ORDER: the steps; ONE_OF: the first step of each alternative */
	const struct step *const *groups;
	size_t ngroups;

	enum impair_action action;
	uint32_t nth;       /* IMPAIR: n-th packet that matches, 0: each */
	uint32_t nth_to;    /* the last packet; 0: only |nth| */
	uint32_t every;     /* each n-th; 0: all */
	struct outer outer; /* headers around that packet */
	uint32_t count;
	bool last_hop; /* IMPAIR_TRIM: by the switch before the destination */
	/* IMPAIR_TRIM: the UDP length stays that of the whole packet */
	bool udp_kept;
	const struct term *corrupt; /* IMPAIR_CORRUPT, IMPAIR_REWRITE */
	size_t ncorrupt;
	uint32_t bit, nbits;  /* IMPAIR_CORRUPT: flips these, if nbits */
	struct outer rewrite; /* IMPAIR_REWRITE */
	struct rung until;    /* IMPAIR_HOLD, IMPAIR_INJECT */
	bool until_to_dut;    /* direction of that packet */

	enum report_kind report;
	bool once;        /* REPORT: exactly |min|..|max| at the end */
	const char *verb; /* POST: "send"; RESPOND: "gtd", "default", ... */
	const struct param *params;
	size_t nparams;

	const char *symbol; /* LET */
	struct number value;
	const char *pdc;                 /* BASE, REPORT; NULL: not said */
	bool base_fwd_set, base_ret_set; /* BASE */
	uint32_t base_fwd, base_ret;
};

/* Capabilities, as the declaration names them. */
struct needs {
	const char *const *words;
	size_t n;
};

struct chair_steps {
	bool present;
	struct needs needs; /* of this chair, beside those of the case */
	const struct step *first;
};

struct test_case {
	struct arena arena;
	const char *id;      /* "uet/rud/send-gtd-drop", without the chair */
	const char *section; /* "drop"; NULL: the plain case of its file */
	const char *path;    /* as it was opened, for messages */
	const char *text;    /* the whole file, for the report */
	const char *title;
	const char *ref; /* "UET 3.5.20.2.2, figure 3-76"; "" if none */
	const struct req_ref *covers;
	size_t ncovers;
	struct needs needs;             /* of both chairs */
	const struct req_ref *violates; /* what the tester breaks on purpose */
	size_t nviolates;
	bool exclusive, smoke;
	enum family family;
	struct chair_steps chairs[CHAIR_COUNT];
};

/*
 * Returns the fragment of "use NAME": the text of "common/NAME.lad".
 *
 * Return: the text, lent until the case is freed, or NULL; *ret_path is the
 * path to print in messages.
 */
typedef const char *case_fragment_fn(void *ctx, const char *name,
				     const char **ret_path);

/* The text of a case file, and which of its cases is meant. */
struct case_source {
	const char *id;      /* of the plain case of the file */
	const char *section; /* "drop": the case "ID-drop"; NULL: the plain */
	const char *path;    /* what messages call the file */
	const char *text;    /* |len| bytes, any */
	size_t len;
};

#endif
