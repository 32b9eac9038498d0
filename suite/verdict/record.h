/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/verdict/record.h -- the record of one run of one case: packets,
 * findings, verdict.  The runner fills it, and the reports read it.
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
	FATE_DROPPED,   /* dropped by an impairment, or by "lost" on its line */
	FATE_DELAYED,   /* delivered late */
	FATE_DUPLICATE, /* a copy that an impairment made */
	FATE_CHANGED,   /* delivered corrupted, trimmed or marked */
	FATE_INJECTED,  /* sent by an impairment */
};

#define RECORD_PDCS 8 /* PDCs that a case can follow */

/* A device that floods ends a case early; of its findings the first are kept.
 */
enum { RECORD_ENTRIES = 100000, RECORD_FINDINGS = 200 };

enum rec_kind {
	REC_TX,      /* tester -> DUT */
	REC_RX,      /* DUT -> tester */
	REC_CONTROL, /* tester -> control channel: text is the JSON line */
	REC_ANSWER,
	REC_EVENT, /* SES side -> tester: text is the JSON line */
	REC_NOTE,  /* a remark of the runner: text */
};

struct rec {
	enum rec_kind kind;
	vtime at;       /* time at the DUT's side of the impairments */
	vtime left_at;  /* a delayed packet: time at the tester's side */
	uint32_t frame; /* number of the packet, from 1; 0: no packet */
	enum fate fate;
	uint32_t behind;     /* delayed: arrived after that frame */
	unsigned line;       /* case line that sent or matched it; 0: none */
	bool setup;          /* belongs to a fragment (opening, closing) */
	uint8_t pdc;         /* index of the packet's PDC in the case */
	const char *allowed; /* why no line needs to name it; static, or NULL */
	size_t note; /* offset of the note in the record's text pool + 1; 0 */
	size_t text; /* offset of the JSON line, or of the NOTE */
	/* packets */
	struct ip_addr src, dst;
	uint16_t entropy;
	uint8_t family; /* enum family */
	uint8_t dscp, ecn;
	uint8_t native, crc; /* like the members of struct dgram */
	uint16_t udp_length, udp_checksum, udp_dport;
	uint8_t ip_proto, no_df, padding, ext;
	size_t data; /* offset of the bytes in the record's byte pool */
	uint32_t len;
	uint32_t whole; /* length as sent; a switch may have trimmed it */
};

struct rec_finding {
	enum req_id req;
	enum req_role role;
	enum fail_kind kind;
	bool remark;   /* a row of level S, N or I: fails only with --strict */
	bool seen;     /* an unexpected packet, which no gap explains */
	bool doubtful; /* the case is inconclusive, so it proves nothing */
	bool known;    /* listed by a "deviates" line of the declaration */
	bool stepped;  /* the case continued after it */
	bool live;     /* the texts still contain live numbers */
	bool shaken;   /* findings after it are consequences */
	bool ended;    /* the device ended before what the line expects came */
	bool instead;  /* |frame| came, and what the line expects did not */
	bool consequence; /* it follows from an earlier finding and proves
			     nothing */
	uint8_t blamed;   /* how its row was chosen (enum blame_by) */
	uint32_t moment;  /* order of the findings, by packet */
	vspan unread; /* a device that read packets so late explains it; 0: no
			 delay does */
	enum rec_phase phase;
	uint32_t frame; /* 0: none, because something is missing */
	unsigned line;  /* 0: found by a monitor */
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

/* A reason why the tester may have missed packets. */
struct rec_doubt {
	uint64_t n;     /* how often; 0: never */
	uint32_t frame; /* last packet before the first one; 0: none */
};

/* The observations of a requirement in this run. */
struct rec_req {
	enum req_id req;
	enum req_role role;
	bool wire, control; /* sides that were observed */
	bool failed;
	bool not_reached; /* hidden by an earlier deviation of another row */
	bool masked;      /* hidden by another row that the finding names */
};

/* A packet that was parsed and read once, for all that read it in a run. */
struct record_packet {
	struct packet pkt; /* format NULL: the entry has no packet */
	struct packet_known known;
};

struct record {
	char id[160];                      /* "uet/rud/send-gtd@target" */
	const struct test_case *test_case; /* lent */
	enum family family;                /* family of the case */
	enum chair chair;
	uint64_t seed;
	uint32_t repeat; /* number of the repetition, from 0 */
	enum verdict verdict;
	enum fail_kind kind;
	enum reason reason_id;
	char reason[320]; /* "" for a pass */
	char claim[24];   /* the claim that the device violates, "ack_cc"; "":
			     none */
	char claim_seen[24];   /* the packet that came instead, "ack" */
	enum verdict teardown; /* verdict of the closing fragments: pass unless
				  they failed */
	char teardown_reason[320];
	unsigned rungs_expected, rungs_matched;
	unsigned rungs_stepped; /* lines after which the case continued despite
				   a deviation */
	bool cut_short;         /* the case ended before its last line */
	vspan virtual_ns;       /* duration by the port's clock */
	vspan wall_ns;          /* duration in real time, set by the driver */
	/*
	 * the clock of the times: "virtual", "kernel", "nic"; static; NULL:
	 * unknown
	 */
	const char *clock;
	vspan jitter;       /* the tester's largest own delay */
	bool late;          /* the tester missed one of its own deadlines */
	vspan starved;      /* time that a device on this machine waited for a
			       processor */
	vspan starved_most; /* the most of it in one wait */
	bool stopped;       /* a signal stopped a device on this machine */
	bool gone;          /* the device ended, or its control channel did */
	vspan overdue; /* the device's largest delay beyond its tolerance */
	vspan slack; /* the largest part of a tolerance that the device used */
	uint32_t entropy_lost; /* datagrams that were sent with another entropy
				  value */
	struct rec_doubt doubts[DOUBT_COUNT]; /* by enum dut_doubt */
	bool crc;                             /* packets ended in a CRC */
	enum crc_order crc_order; /* byte order of the packets' trailers */
	struct psn_base base[RECORD_PDCS]; /* one for each PDC */
	struct ip_addr tester, dut;
	/* the judge's configuration for the device */
	struct judge_conf declared;
	vtime ended_at; /* the end of the case */

	struct rec *recs;
	size_t nrecs, recs_size;
	struct rec_finding *findings;
	size_t nfindings, findings_size;
	uint64_t findings_left_out; /* findings beyond RECORD_FINDINGS */
	struct rec_req *reqs;
	size_t nreqs, reqs_size;
	uint8_t *bytes;
	size_t nbytes, bytes_size;
	/* packet i is that of entry i, as record_add() parsed it */
	struct record_packet *packets;
	size_t npackets, packets_size;
	struct text pool;
	struct text transcript; /* of the calls to the device; empty: none */
	bool failed_alloc;

	/*
	 * For a record that was read from a file
	 * (reports/result/record_file.h).
	 */
	bool recalled;
	vspan elapsed;    /* duration of the run when the record was written */
	struct arena own; /* memory of its case and texts */
};

/* record_clear empties the record for the next case and keeps its memory. */
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

/* record_note_of and record_text_of return texts of an entry; "" if none. */
const char *record_note_of(const struct record *r, const struct rec *rec);
const char *record_text_of(const struct record *r, const struct rec *rec);

/*
 * record_lost returns true if the run left no device that could run another
 * case: it ended, cannot be reset, or a signal stopped it.
 */
bool record_lost(const struct record *r);

/* record_entry_of returns the last entry of a frame; SIZE_MAX: there is none.
 */
size_t record_entry_of(const struct record *r, uint32_t frame);

/*
 * record_source returns the line of the case that a finding names, as written,
 * or NULL.
 */
const char *record_source(const struct record *r, const struct rec_finding *f);

/*
 * record_change replaces an entry's packet by one that is not longer; it does
 * nothing with a longer one.
 */
void record_change(struct record *r, size_t index, const uint8_t *p,
		   size_t len);

/*
 * record_packet_of returns the parsed packet of an entry, or of a copy of one.
 * The packet is lent until an entry is added.  |own| is the place for a packet
 * that the record has not parsed.
 */
const struct packet *record_packet_of(const struct record *r,
				      const struct rec *rec,
				      struct packet *own);

/*
 * record_packet copies the parsed packet of an entry, or of a copy of one.
 * Its bytes and values are lent until an entry is added.
 */
void record_packet(const struct record *r, const struct rec *rec,
		   struct packet *ret);

/* record_dgram copies addresses and bytes of an entry. */
void record_dgram(const struct record *r, const struct rec *rec,
		  struct dgram *ret);

/*
 * record_rows finds the entry of each finding's packet.
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
