/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/lang/case.h -- a case file as data: head, chairs, steps, rungs.
 *
 * One line of a case is one step, and nearly always one arrow of the
 * specification's ladder diagram. docs/case-language.md is the reference of the
 * text.  The case's arena owns everything; a parsed case is read-only, so that
 * threads can share it.
 */
#ifndef SUITE_LANG_CASE_H
#define SUITE_LANG_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/vtime.h"
#include "base/word.h"
#include "judge/req.h"
#include "wire/addr.h"
#include "wire/family.h"
#include "wire/field.h"

/* The role that the DUT plays. */
/* The paths that a line may name, and over which the tester may spray. */
#define CASE_PATHS 256

enum chair {
	CHAIR_TARGET,    /* DUT is FEP-B; the tester initiates */
	CHAIR_INITIATOR, /* DUT is FEP-A; the tester is the target */
	CHAIR_COUNT,
};

/* A requirement, with the role that it applies to. */
struct req_ref {
	enum req_id id;
	enum req_role role;
	/*
	 * The packet items that this line tests for the requirement,
	 * "ack.retx,ack.cack_psn" (blame.h).  NULL: judge/governs.def decides.
	 */
	const char *items;
};

/*
 * A number of the language: 333, 0x1f, $p, $p+1, $p-0x100.  A literal in a
 * serial-number field is a figure number, bound to live PSNs by "base", unless
 * it was written with a leading '=' ("psn==0xffffffff" is absolute).
 */
struct number {
	const char *symbol; /* name without '$'; NULL: a literal */
	uint64_t value;     /* the literal, or the number to add */
	uint32_t mtus;      /* multiples of the declared MTU to add */
	bool absolute;
	uint8_t place; /* the parser's: which number of its line, from 1 on */
};

/* "for len in 0 1 mtu": the name and the value of one case of the file. */
struct parameter {
	const char *name; /* "len", without '$'; NULL: the case has none */
	const char *word; /* the value as an id has it: "mtu", "ack_data+1" */
	struct number value;
	bool from_set, to_set;
	struct number from, to; /* values outside do not apply */
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

/* field=value, a bare flag, or the bare name of a packet type. */
struct term {
	const char *name; /* name of the field or derived value in the tables */
	const struct field *field; /* NULL for a derived value */
	enum term_op op;
	const struct range *ranges;
	size_t nranges; /* above 1 only in expectations */
};

enum body {
	BODY_NONE,  /* sends: no payload; expectations: not compared */
	BODY_DATA,  /* "data 64": 64 bytes of the pattern */
	BODY_BYTES, /* "bytes 0a 0b": exactly these */
	BODY_SAME,  /* "same": SES headers and payload of the first transmission
		       of  this PSN in this direction */
};

/* One packet in the language: PDS words | SES words | extension | payload. */
struct rung {
	const char *type; /* "rud_req", "ack", ...; NULL: raw bytes, or any */
	const char *pdc;  /* "pdc=b"; NULL: not given */
	const struct term *pds;
	size_t npds;
	const char *ses; /* "std", "response", ...; NULL: no SES part */
	const struct term *ses_terms; /* including the extension's fields */
	size_t nses;
	const char *ext[2];
	enum body body;
	struct number data_len;
	/*
	 * "data 6 of 4 at 1mtu": the bytes of post 4 from that offset; 0: any
	 */
	uint16_t data_op;
	struct number data_at;
	const uint8_t *bytes; /* BODY_BYTES, or all of a raw rung */
	size_t nbytes;
	bool raw; /* "raw 11 80 ...": the packet is these bytes */
};

/* case_term returns the term of a field in the headers of a rung, or NULL. */
static inline const struct term *case_term(const struct rung *r,
					   const char *name)
{
	for (size_t i = 0; i < r->npds; i++)
		if (word_same(r->pds[i].name, name))
			return &r->pds[i];
	for (size_t i = 0; i < r->nses; i++)
		if (word_same(r->ses_terms[i].name, name))
			return &r->ses_terms[i];
	return NULL;
}

/* "3 rto", "10ms", "ack_time": n units, or ns. */
enum span_unit {
	SPAN_NS,
	SPAN_RTO,          /* the DUT's declared RTO_Init_Time */
	SPAN_NACK_TIME,    /* NACK_Retx_Time */
	SPAN_ACK_TIME,     /* the declared time within which an answer is due */
	SPAN_CLEAR_TIME,   /* PDS_Clear_Time */
	SPAN_RTO_TOTAL,    /* until a source gives up a packet that is never
			      acknowledged */
	SPAN_UNRESPONSIVE, /* SRD: until a silent destination counts as
			      unresponsive */
	SPAN_SES_TIME,     /* until a SES that is slow answers */
	SPAN_CLOSE_IDLE,   /* until an initiator closes an idle PDC */
	SPAN_CLOSE_REQ,    /* Close_REQ_Time */
	SPAN_SYN_SAFETY,   /* Syn_Retx_Safety_Time */
	SPAN_MISS_TIME,    /* WQE: T_miss */
	SPAN_TAIL_TIME,    /* WQE: T_tail */
	SPAN_PATH_TIME,    /* until a source leaves a path that loses all */
};

struct span {
	bool set;
	enum span_unit unit;
	uint32_t milli; /* thousandths of a unit: "1.5 rto" is 1500 */
	vspan ns;       /* for SPAN_NS */
	/* "2 rto + clear_time": the second timer; 0: none */
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
	STEP_EACH,      /* each packet of $len { ... } */
	STEP_IMPAIR,    /* drop > rud_req psn=333 nth=1 */
	STEP_POST,      /* post send len=64 */
	STEP_CONFIGURE, /* configure start_psn=0xfffffffd */
	STEP_RESPOND,   /* respond gtd */
	STEP_REPORT, /* delivered / returned / received / completed / failed */
	STEP_WAIT,   /* wait 2 rto */
	STEP_LET,    /* let $x = $p+1 */
	STEP_BASE,   /* base fwd=333 ret=48 */
	STEP_SPRAY,  /* spray 4: |count| paths in turn */
	STEP_CHECK,  /* check $b < $a */
};

/* The CRC trailer of a packet that is sent. */
enum trailer {
	TRAILER_LINK, /* correct, if the link has a trailer */
	TRAILER_NONE,
	TRAILER_WRONG,
	TRAILER_SWAPPED, /* correct, but in the other byte order */
};

enum never_end {
	NEVER_FOR,   /* waits for the span */
	NEVER_UNTIL, /* active until the next expectation is met */
	NEVER_CASE,  /* active until the case ends */
};

/* The comparison of a "check" line. */
enum check_op {
	CHECK_LT,
	CHECK_LE,
	CHECK_EQ,
	CHECK_NE,
	CHECK_GE,
	CHECK_GT,
};

/* The packets of the last flight that a ">" line answers. */
enum flight_part {
	FLIGHT_NONE, /* the line is about no flight */
	FLIGHT_EACH,
	FLIGHT_ON_PATH,  /* those on the path of the first flight's first */
	FLIGHT_OFF_PATH, /* the others */
};

enum impair_action {
	IMPAIR_DROP,
	IMPAIR_DUPLICATE, /* adds |count| copies */
	IMPAIR_DELAY,     /* by |span|, and until the packet |until| if waits */
	IMPAIR_HOLD,      /* until the packet that matches |until| has passed */
	IMPAIR_REORDER,   /* swap with the next packet of this direction */
	IMPAIR_CORRUPT,   /* set a field, or flip its low bit */
	IMPAIR_MARK_CE,
	IMPAIR_TRIM,    /* to |count| bytes from the PDS header on */
	IMPAIR_REWRITE, /* sets fields, as if the packet had been sent so */
	IMPAIR_INJECT,  /* sends |until| after the packet */
};

/* The headers around a packet, which an impairment matches or sets. */
struct outer {
	struct ip_addr src, dst; /* len 0: not compared */
	bool entropy_set, dscp_set, ecn_set;
	uint16_t entropy;
	uint8_t dscp, ecn;
	uint16_t checksum; /* UDP checksum to write; 0: leave */
	uint8_t padding;   /* bytes after the IP packet */
	uint8_t ext;       /* enum dgram_ext: IPv6 extension headers to add */
};

/* The events that the SES side reports through the control channel. */
enum report_kind {
	REPORT_DELIVERED, /* pds_ses_rx_req: a request packet reached the SES */
	REPORT_RECEIVED,  /* a whole message arrived */
	REPORT_RETURNED,  /* pds_ses_rx_ret: return data reached the SES */
	REPORT_RESPONDED, /* pds_ses_rx_rsp: a response reached the SES */
	REPORT_COMPLETED, /* a posted operation succeeded */
	REPORT_FAILED,    /* a posted operation failed */
	REPORT_ERROR,     /* pds_ses_error: once per request that is given up */
	REPORT_PAUSED,    /* pds_pause: the SES shall post no more requests */
	REPORT_RESUMED,   /* pds_pause: the SES may post again */
	REPORT_EAGER,     /* pds_ses_eager_size */
	REPORT_UNRESPONSIVE, /* a destination does not answer */
};

/* key=value of post, respond and report lines, as written. */
struct param {
	const char *key;
	const char *word; /* a value that is not a number; else NULL */
	struct number number;
	struct span span; /* set if the value is a span */
};

struct step {
	enum step_kind kind;
	const char
		*file; /* file of the line: the case, or a fragment it uses */
	unsigned line;
	const char *source; /* the line as written, without indentation */
	const struct step *next;

	/* SEND, EXPECT, NEVER, IMPAIR; true: towards the DUT */
	bool to_dut;
	struct rung rung;

	/*
	 * EXPECT, ACKED, NEVER, REPORT, some POSTs: the requirements that a
	 * failure violates
	 */
	const struct req_ref *reqs;
	size_t nreqs;

	struct span within; /* latest time after the previous rung */
	struct span after;  /* SEND: delay; EXPECT: earliest time */
	bool lost;          /* an impairment drops the packet */
	bool exact;        /* no tolerance: repetitions and extra fields fail */
	bool optional;     /* EXPECT in any order; POST: "refusable" */
	bool refused;      /* POST: the device must refuse it */
	const char *need;  /* a fragment's capability; the step is skipped
			      without it */
	uint32_t min, max; /* how often; default 1, 1 */
	uint32_t cut;      /* SEND: truncate to this many bytes; 0: whole */
	/* SEND: it takes path |via| - 1; 0: the path that is its turn */
	uint32_t via;
	enum trailer trailer; /* SEND: overrides the link's trailer */

	struct number acked_lo, acked_hi; /* ACKED */

	enum never_end never_end;
	struct span span; /* NEVER_FOR, WAIT, IMPAIR_DELAY */

	/*
	 * ANY_ORDER: the steps; ONE_OF: the first step of each alternative;
	 * EACH: the first step
	 */
	const struct step *const *groups;
	size_t ngroups;

	enum impair_action action;
	uint32_t nth;       /* IMPAIR: the n-th matching packet; 0: each */
	uint32_t nth_to;    /* the last matching packet; 0: only |nth| */
	uint32_t every;     /* every n-th packet; 0: all */
	struct outer outer; /* outer headers of that packet */
	uint32_t count;
	bool last_hop; /* IMPAIR_TRIM: trimmed by the switch before the
			  destination */
	/* IMPAIR_TRIM: the UDP length stays that of the untrimmed packet */
	bool udp_kept;
	const struct term *corrupt; /* IMPAIR_CORRUPT, IMPAIR_REWRITE */
	size_t ncorrupt;
	uint32_t bit, nbits; /* IMPAIR_CORRUPT: flips these bits if nbits > 0 */
	struct outer rewrite; /* IMPAIR_REWRITE */
	struct rung until;    /* IMPAIR_HOLD, IMPAIR_DELAY, IMPAIR_INJECT */
	bool until_to_dut;    /* direction of |until| */
	bool until_set;       /* IMPAIR_HOLD, IMPAIR_DELAY: waits for |until| */

	enum report_kind report;
	bool once; /* REPORT: exactly |min|..|max| by the end of the case */
	const char *verb; /* POST: "send"; RESPOND: "gtd", "default", ... */
	const struct param *params;
	size_t nparams;

	/* LET; EXPECT with "flight": the number of packets */
	const char *symbol;
	/* LET; EACH: the length of the message; CHECK: the right side */
	struct number value;
	struct number left; /* CHECK */
	enum check_op check;
	enum flight_part flight; /* SEND: once for each of these packets */
	const char *pdc;         /* BASE, REPORT; NULL: not given */
	bool base_fwd_set, base_ret_set; /* BASE */
	uint32_t base_fwd, base_ret;
};

/* Capabilities, by their names in the declaration. */
struct needs {
	const char *const *words;
	size_t n;
};

struct chair_steps {
	bool present;
	struct needs needs; /* those of this chair, in addition to the case's */
	const struct step *first;
};

struct test_case {
	struct arena arena;
	const char *id;      /* "uet/rud/send-gtd-drop", "uet/rud/send[len=1]",
				without      the chair */
	const char *section; /* "drop"; NULL: the file's plain case */
	struct parameter param;
	const char *path; /* the path as opened, for messages */
	const char *text; /* the whole file, for reports */
	const char *title;
	const char *ref; /* "UET 3.5.20.2.2, figure 3-76"; "" if none */
	const struct req_ref *covers;
	size_t ncovers;
	struct needs needs; /* those of both chairs */
	const struct req_ref *
		violates; /* requirements that the tester violates on purpose */
	size_t nviolates;
	bool exclusive, smoke;
	enum family family;
	struct chair_steps chairs[CHAIR_COUNT];
};

/*
 * Returns the fragment of "use NAME": the text of "common/NAME.lad".
 *
 * Return: the text, lent until the case is freed; *ret_path is the path to
 * print in messages.  NULL: there is none; *ret_path is then the path of the
 * fragment with the most similar name, or NULL.
 */
typedef const char *case_fragment_fn(void *ctx, const char *name,
				     const char **ret_path);

/* The text of a case file, and the case to parse in it. */
struct case_source {
	const char *id;      /* id of the file's plain case */
	const char *section; /* "drop" for the case "ID-drop"; NULL: the plain
				case */
	const char *path;    /* the file's name in messages */
	const char *text;    /* |len| bytes of any value */
	size_t len;
	const char *value; /* "mtu" for the case "ID[len=mtu]"; NULL: the first
			      value of a "for" line */
};

#endif
