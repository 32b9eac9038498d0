/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/record.h -- what happened in one run of one case: packets,
 * findings, verdict.  The runner fills it, the reports read it.
 */
#ifndef SUITE_VERDICT_RECORD_H
#define SUITE_VERDICT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vtime.h"
#include "judge/judge.h"
#include "judge/req.h"
#include "suite/dut/dut.h"
#include "suite/lang/case.h"
#include "suite/verdict/space.h"
#include "suite/verdict/verdict.h"
#include "wire/dgram.h"
#include "wire/frame/crc.h"
#include "wire/packet.h"

enum fail_kind {
	KIND_NONE,
	KIND_PROTOCOL,
	KIND_TIMING,
};

/* The part of a case that a finding belongs to. */
enum rec_phase {
	PHASE_BODY,  /* what the case is about */
	PHASE_SETUP, /* a fragment before the first line of the case itself */
	PHASE_TEARDOWN, /* a fragment after the last line of the case itself */
};

/* The fate of a packet between tester and DUT. */
enum fate {
	FATE_CROSSED,
	FATE_DROPPED,   /* by an impairment, or "lost" on its line */
	FATE_DELAYED,   /* crossed, late */
	FATE_DUPLICATE, /* a copy that an impairment made */
	FATE_CHANGED,   /* crossed, corrupted or trimmed or marked */
	FATE_INJECTED,  /* sent by an impairment */
};

#define RECORD_PDCS 8 /* that a case can follow */

/* A device that floods ends a case early; of its findings the first are kept.
 */
enum { RECORD_ENTRIES = 100000, RECORD_FINDINGS = 200 };

enum rec_kind {
	REC_TX,      /* tester -> DUT */
	REC_RX,      /* DUT -> tester */
	REC_CONTROL, /* tester -> control channel: text is the JSON line */
	REC_ANSWER,
	REC_EVENT, /* SES side -> tester: text is the JSON line */
	REC_NOTE,  /* the runner says something: text */
};

struct rec {
	enum rec_kind kind;
	vtime at;       /* at the DUT's side of the impairments */
	vtime left_at;  /* RX delayed, TX delayed: at the tester's side */
	uint32_t frame; /* packets are numbered from 1; 0: no packet */
	enum fate fate;
	uint32_t behind;     /* delayed: came after that frame */
	unsigned line;       /* case line that sent or matched it; 0: none */
	bool setup;          /* belongs to a fragment (opening, closing) */
	uint8_t pdc;         /* of a packet: which of the case's, from 0 */
	const char *allowed; /* why no line has to name it; static, or NULL */
	size_t note; /* offset of the note in the record's text pool + 1; 0 */
	size_t text; /* offset of the JSON line, or of the NOTE */
	/* packets */
	struct ip_addr src, dst;
	uint16_t entropy;
	uint8_t family; /* enum family */
	uint8_t dscp, ecn;
	uint8_t native, crc; /* as in struct dgram */
	uint16_t udp_length, udp_checksum, udp_dport;
	uint8_t ip_proto, no_df, padding;
	size_t data; /* offset of the bytes in the record's byte pool */
	uint32_t len;
	uint32_t whole; /* as it was sent; a switch may have cut it since */
};

struct rec_finding {
	enum req_id req;
	enum req_role role;
	enum fail_kind kind;
	bool remark;      /* S, N and I rows: does not fail without --strict */
	bool seen;        /* a packet that must not come: no gap explains it */
	bool doubtful;    /* of an inconclusive case: proves nothing */
	bool known;       /* a "deviates" line of the declaration names it */
	bool stepped;     /* the case went on behind it */
	bool live;        /* the texts still have the numbers of the wire */
	bool shaken;      /* its later findings are consequences */
	bool consequence; /* of an earlier one: it proves nothing */
	uint8_t blamed;   /* how its row was chosen, the surest first */
	uint32_t moment;  /* orders the findings by their packets */
	enum rec_phase phase;
	uint32_t frame; /* 0: none (something is missing) */
	unsigned line;  /* 0: a monitor's */
	const char *file;
	/*
	 * The differing item, such as "ack.retx": the type of packet or report,
	 * and a field of the wire tables or an event such as "missing"; "" if
	 * unknown.
	 */
	char what[48];
	char text[240];
	char expected[240], actual[240]; /* rungs in case syntax, or "" */
};

/* One way in which the tester did not see all, or cannot be sure of it. */
struct rec_doubt {
	uint64_t n;     /* how often; 0: never */
	uint32_t frame; /* the last packet before the first time; 0: none */
};

/* The observations of a requirement in this run. */
struct rec_req {
	enum req_id req;
	enum req_role role;
	bool wire, control; /* halves that were really observed */
	bool failed;
	bool not_reached; /* a deviation of another row came before it */
	bool masked;      /* it deviates with another row, which is named */
};

struct record {
	char id[160];                      /* "uet/rud/send-gtd@target" */
	const struct test_case *test_case; /* lent */
	enum family family;                /* the case's */
	enum chair chair;
	uint64_t seed;
	uint32_t repeat; /* from 0 */
	enum verdict verdict;
	enum fail_kind kind;
	enum reason reason_id;
	char reason[320]; /* "" for a pass */
	char claim[24]; /* that the device does not keep, "ack_cc"; "": none */
	char claim_seen[24];   /* the packet that came instead, "ack" */
	enum verdict teardown; /* of the closing fragments: pass unless they
				  went wrong */
	char teardown_reason[320];
	unsigned rungs_expected, rungs_matched;
	unsigned rungs_stepped; /* lines that the case went over */
	bool cut_short;         /* it ended before its last line */
	vspan virtual_ns;       /* of the port's clock */
	vspan wall_ns;          /* filled in by the driver */
	/*
	 * the clock of the times: "virtual", "kernel", "nic"; static; NULL:
	 * unknown
	 */
	const char *clock;
	vspan jitter;  /* the worst that the tester was late for itself */
	bool late;     /* it missed a deadline of its own */
	vspan starved; /* how long a device that is a program of this machine
			  had no processor */
	bool stopped;  /* a signal stopped such a device */
	vspan overdue; /* the worst that it was late beyond its tolerance */
	vspan slack;   /* how much of a tolerance the device used, at most */
	uint32_t entropy_lost; /* datagrams that could not keep their entropy */
	struct rec_doubt doubts[DOUBT_COUNT]; /* by enum dut_doubt */
	bool crc;                             /* packets ended in a CRC */
	enum crc_order crc_order;             /* of the packets' trailers */
	struct psn_base base[RECORD_PDCS];    /* of each PDC */
	struct ip_addr tester, dut;
	/* the configuration by which the device was judged */
	struct judge_conf declared;
	vtime ended_at; /* until then */

	struct rec *recs;
	size_t nrecs, recs_size;
	struct rec_finding *findings;
	size_t nfindings, findings_size;
	uint64_t findings_left_out; /* more than RECORD_FINDINGS */
	struct rec_req *reqs;
	size_t nreqs, reqs_size;
	uint8_t *bytes;
	size_t nbytes, bytes_size;
	struct text pool;
	bool failed_alloc;

	/*
	 * The members of a record that was read back
	 * (reports/result/record_file.h).
	 */
	bool recalled;
	vspan elapsed;    /* of the run, when it was written */
	struct arena own; /* holds its case and its texts */
};

/* record_clear empties for the next case and keeps the memory. */
void record_clear(struct record *r);
void record_free(struct record *r);

/*
 * record_add appends an entry with copies of |d|'s bytes (NULL: no packet) and
 * of the texts (NULL: none).  It returns the entry's index; on lack of memory
 * failed_alloc is set and the last index is returned.
 */
size_t record_add(struct record *r, const struct rec *rec,
		  const struct dgram *d, const char *note, const char *text);

/* record_note sets the note of an entry; a second note is joined with "; ". */
void record_note(struct record *r, size_t index, const char *note);

/* Texts of an entry; "" if none. */
const char *record_note_of(const struct record *r, const struct rec *rec);
const char *record_text_of(const struct record *r, const struct rec *rec);

/*
 * record_source returns the line of the case that a finding names, as written
 * there, or NULL if it names none.
 */
const char *record_source(const struct record *r, const struct rec_finding *f);

/* record_packet parses the bytes of an entry. */
void record_packet(const struct record *r, const struct rec *rec,
		   struct packet *ret);

/* record_dgram copies addresses and bytes of an entry. */
void record_dgram(const struct record *r, const struct rec *rec,
		  struct dgram *ret);

/*
 * record_rows finds the entry of each finding's packet, in one pass.
 *
 * Return: nfindings places, for free: the index of the last entry with the
 *         finding's frame, plus 1; 0: there is none.  NULL: no memory, or no
 *         finding.
 */
size_t *record_rows(const struct record *r);

/*
 * record_psn_show translates a live PSN of a packet into the figure's number,
 * as struct packet_psn_names wants it; |ctx| is a struct record_psn.
 */
struct record_psn {
	const struct record *record;
	bool to_dut; /* the packet's direction */
	uint8_t pdc;
};
uint32_t record_psn_show(const void *ctx, const struct packet *pkt,
			 const char *field, uint32_t psn);

const char *rec_phase_name(enum rec_phase p); /* "body", "set-up", ... */
const char *fail_kind_name(enum fail_kind k); /* "protocol", "timing", "" */
const char *fate_name(enum fate f);

#endif
