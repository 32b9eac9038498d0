/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_initiator.c -- the moves of a tester that answers: the
 * DUT is the initiator of RUD or ROD, and posts what a line tells it.
 */
#include "suite/explore/draft_initiator.h"

#include <stdio.h>
#include <string.h>

#include "suite/decl/decl.h"
#include "suite/explore/script/script.h"

bool initiator_rod(const struct draft *d)
{
	return d->subject == DRAFT_ROD;
}

const char *initiator_req(const struct draft *d)
{
	return initiator_rod(d) ? "rod_req" : "rud_req";
}

const char *initiator_mode(const struct draft *d)
{
	return initiator_rod(d) ? " mode=rod" : "";
}

/* Posts an operation of one packet. Return: the number of its symbol. */
unsigned initiator_posts(struct draft *d, const char *size, const char *fields)
{
	const unsigned sym = d->sym++;
	const bool write = draft_draw(d, 4) == 3;

	if (write)
		draft_need(d, "write");
	d->op++;
	draft_line(d, "post %s len=%s%s", write ? "write" : "send", size,
		   initiator_mode(d));
	draft_line(d,
		   "< %s psn=%u retx=0%s | std %s message_id=$m%u som eom"
		   " | data %s  [RUD-SVC-5 UET-PDC-23]",
		   initiator_req(d), d->psn, fields, write ? "write" : "send",
		   sym, size);
	d->psn++;
	return sym;
}

/* The operation that was posted last ends well. */
static void initiator_ends(struct draft *d)
{
	draft_line(d, "completed op=%u once  [RUD-SVC-4]", d->op);
}

static void initiator_acks(struct draft *d, unsigned sym, const char *flags)
{
	draft_line(d,
		   "> ack ack_psn=%u cack_psn=%u%s | response"
		   " message_id=$m%u",
		   d->psn - 1, d->psn - 1, flags, sym);
}

static void initiator_repeats(struct draft *d, const char *when,
			      const char *ids)
{
	draft_line(d, "< %s psn=%u retx | same %s  [%s]", initiator_req(d),
		   d->psn - 1, when, ids);
}

/* ---- Answers that are right ---- */

static void move_initiator_post(struct draft *d)
{
	const unsigned sym = initiator_posts(d, draft_size(d), "");

	initiator_acks(d, sym, "");
	initiator_ends(d);
}

static void move_initiator_copies(struct draft *d)
{
	const unsigned sym = initiator_posts(d, draft_size(d), "");
	const unsigned n = 1 + draft_draw(d, 2);

	initiator_acks(d, sym, "");
	for (unsigned i = 0; i < n; i++)
		initiator_acks(d, sym, "");
	initiator_ends(d);
}

/* The request, or its ACK, is lost. */
static void move_initiator_lost(struct draft *d)
{
	static const char *const when[] = {"after 0.8 rto within 1.5 rto",
					   "after 1.5 rto within 2.5 rto",
					   "after 3.5 rto within 4.5 rto"};
	const unsigned sym = initiator_posts(d, draft_size(d), "");
	const unsigned n = 1 + draft_draw(d, 3);

	if (n > 1)
		draft_need(d, n == 2 ? "rto_retx.2" : "rto_retx.3");
	for (unsigned i = 0; i < n; i++) {
		if (draft_draw(d, 2))
			draft_line(d,
				   "> ack ack_psn=%u cack_psn=%u | response"
				   " message_id=$m%u lost",
				   d->psn - 1, d->psn - 1, sym);
		initiator_repeats(d, when[i],
				  "RUD-SEQ-83 RUD-SEQ-84b UET-RTX-15");
	}
	initiator_acks(d, sym, " retx");
	initiator_ends(d);
	draft_line(d, "never < %s psn=%u for 2 rto  [%s]", initiator_req(d),
		   d->psn - 1, initiator_rod(d) ? "MODE-ROD-3s" : "MODE-RUD-3");
}

/* A guaranteed response: the initiator has to clear it. */
static void move_initiator_gtd(struct draft *d)
{
	const unsigned sym = initiator_posts(d, draft_size(d), "");
	const bool error = draft_draw(d, 3) == 2;

	draft_line(d,
		   "> ack ack_psn=%u cack_psn=%u req=clear | response"
		   " message_id=$m%u%s",
		   d->psn - 1, d->psn - 2, sym,
		   error ? " return_code=no_match" : "");
	draft_line(d, "%s op=%u once  [RUD-SVC-4]",
		   error ? "failed" : "completed", d->op);
	if (draft_draw(d, 2) == 0)
		draft_line(d,
			   "< cp clear_command clear_psn=%u within"
			   " clear_time  [RUD-SVC-6 UET-CP-02]",
			   d->psn - 1);
	else
		move_initiator_post(d);
	draft_line(d, "wait clear_time");
	draft_line(d, "< any optional x 0..4");
}

/* ---- Several packets ---- */

/* A source of RUD repeats several packets in any order. */
static void initiator_repairs(struct draft *d, uint32_t first, unsigned n,
			      unsigned sym)
{
	const bool any = n > 1 && !initiator_rod(d);

	if (any)
		draft_line(d, "any {");
	for (unsigned i = 0; i < n; i++)
		draft_line(d,
			   "< %s psn=%u retx | std send message_id=$m%u"
			   " | data mtu within 1.5 rto  [RUD-SEQ-83]",
			   initiator_req(d), first + i, sym);
	if (any)
		draft_line(d, "}");
}

/* A message of several packets, acknowledged in some order. */
static void move_initiator_multi(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 3), how = draft_draw(d, 4);
	const unsigned sym = d->sym++;
	const uint32_t first = d->psn;

	draft_need(d, "multi");
	d->op++;
	draft_line(d, "post send len=%umtu%s", n, initiator_mode(d));
	for (unsigned i = 0; i < n; i++)
		draft_line(d,
			   "< %s psn=%u retx=0 | std send message_id=$m%u"
			   "%s%s | data mtu  [RUD-SVC-5 UET-PDC-23]",
			   initiator_req(d), first + i, sym,
			   i ? " som=0" : " som",
			   i == n - 1 ? " eom" : " eom=0");
	d->psn += n;
	if (how == 0)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   d->psn - 1, d->psn - 1, sym);
	for (unsigned i = 0; i < n && how == 1; i++)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   first + i, first + i, sym);
	if (how == 2 && !initiator_rod(d)) {
		for (unsigned i = n - 1; i; i--)
			draft_line(d,
				   "> ack ack_psn=%u cack_psn=%u | response"
				   " message_id=$m%u",
				   first + i, first - 1, sym);
		draft_line(d,
			   "< %s psn=%u retx | std send message_id=$m%u som"
			   " | data mtu within 1.5 rto"
			   "  [RUD-SEQ-83 MODE-RUD-3]",
			   initiator_req(d), first, sym);
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u retx | response"
			   " message_id=$m%u",
			   first, d->psn - 1, sym);
	} else if (how >= 2) {
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   first, first, sym);
		initiator_repairs(d, first + 1, n - 1, sym);
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u retx | response"
			   " message_id=$m%u",
			   d->psn - 1, d->psn - 1, sym);
	}
	draft_line(d, "completed op=%u once  [RUD-SVC-4]", d->op);
}

/* Several operations at once, acknowledged together or backwards. */
static void move_initiator_many(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 4);
	const unsigned how = draft_draw(d, initiator_rod(d) ? 2 : 3);
	const unsigned op = d->op, sym = d->sym;
	const uint32_t first = d->psn;

	for (unsigned i = 0; i < n; i++)
		initiator_posts(d, "64", "");
	if (how == 0)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   d->psn - 1, d->psn - 1, d->sym - 1);
	for (unsigned i = 0; i < n && how == 1; i++)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   first + i, first + i, sym + i);
	for (unsigned i = n; i && how == 2; i--)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   first + i - 1, i == 1 ? d->psn - 1 : first - 1,
			   sym + i - 1);
	for (unsigned i = 0; i < n; i++)
		draft_line(d, "completed op=%u once  [RUD-SVC-4]", op + i + 1);
	if (how != 2) /* SACK may show that the first one is lost */
		draft_line(d, "never < %s for 2 rto  [MODE-RUD-3]",
			   initiator_req(d));
}

/* ---- NACKs ---- */

/* A code of a NACK and the requirement about it. */
struct initiator_nack {
	const char *code, *id;
};

/* Draws one of four codes. */
static unsigned initiator_code(struct draft *d,
			       const struct initiator_nack codes[4])
{
	const unsigned k = draft_draw(d, 4);

	draft_names(d, codes[k].code, strlen(codes[k].code));
	return k;
}

static void move_initiator_nack_wait(struct draft *d)
{
	static const struct initiator_nack codes[4] = {
		{"no_pkt_buffer", "UET-NACK-07"},
		{"no_gtd_del_avail", "UET-NACK-08"},
		{"no_ses_msg_avail", "UET-NACK-09"},
		{"no_resource", "UET-NACK-0A"}};
	const unsigned k = initiator_code(d, codes);
	const unsigned n = 1 + draft_draw(d, 2);
	const unsigned sym = initiator_posts(d, "64", "");

	if (n > 1)
		draft_need(d, "nack_retx.2");

	for (unsigned i = 0; i < n; i++) {
		char ids[64];

		snprintf(ids, sizeof(ids), "RUD-SEQ-82 UET-RTX-03 %s",
			 codes[k].id);
		draft_line(d, "> nack %s nack_psn=%u%s", codes[k].code,
			   d->psn - 1, i ? " retx" : "");
		initiator_repeats(d, "after nack_time within nack_time", ids);
	}
	initiator_acks(d, sym, " retx");
	initiator_ends(d);
}

static void move_initiator_nack_now(struct draft *d)
{
	static const struct initiator_nack codes[4] = {
		{"trimmed", "UET-NACK-01"},
		{"trimmed_lasthop", "UET-NACK-02"},
		{"pkt_not_rcvd", "UET-NACK-12"},
		{"rcvr_infer_loss", "UET-NACK-1A"}};
	const unsigned k = initiator_code(d, codes);
	const unsigned sym = initiator_posts(d, "64", "");

	draft_violates(d, "UET-NACK-01/dst");
	draft_violates(d, "UET-NACK-02/dst");
	draft_violates(d, "UET-NACK-12/dst");
	draft_violates(d, "UET-NACK-1A/dst");
	draft_line(d, "> nack %s nack_psn=%u", codes[k].code, d->psn - 1);
	initiator_repeats(d, "within 1.5 rto", codes[k].id);
	initiator_acks(d, sym, " retx");
	initiator_ends(d);
}

/*
 * Repeats each of |n| packets once: the target refuses it, or it is lost.  A
 * limit of repeats counts for a packet, so that |n| may exceed it.
 */
static void initiator_repeats_each(struct draft *d, unsigned n, bool nack,
				   const char *id)
{
	for (unsigned i = 0; i < n; i++) {
		d->op++;
		draft_line(d, "post send len=64%s", initiator_mode(d));
		draft_line(d,
			   "< %s psn=%u retx=0 | std send som eom | data 64"
			   "  [RUD-SVC-5]",
			   initiator_req(d), d->psn++);
		if (nack)
			draft_line(d, "> nack trimmed nack_psn=%u", d->psn - 1);
		initiator_repeats(d, "within 1.5 rto", id);
		/* a case has too few symbols for all of their message ids */
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u retx"
			   " | response default_response message_id=0",
			   d->psn - 1, d->psn - 1);
		draft_line(d, "completed op=%u once  [%s]", d->op, id);
	}
}

static void move_initiator_nack_each(struct draft *d)
{
	draft_violates(d, "UET-NACK-01/dst");
	initiator_repeats_each(d, DECL_NACK_RETX_MAX + 1, true, "RUD-SEQ-82a");
}

static void move_initiator_lost_each(struct draft *d)
{
	initiator_repeats_each(d, DECL_RTO_RETX_MAX + 1, false, "UET-RTX-13");
}

/* A NACK that says nothing of the request: a reserved code, a foreign PSN. */
static void move_initiator_nack_void(struct draft *d)
{
	const unsigned k = draft_draw(d, 4);
	const unsigned sym = initiator_posts(d, "64", "");

	draft_violates(d, "UET-NACK-0C/dst");
	draft_violates(d, "UET-NACK-18/dst");
	if (k == 3) /* a packet that the DUT has not sent */
		draft_violates(d, "UET-ENC-45/dst");
	draft_line(d,
		   k == 0   ? "> nack nack_code=0x0c nack_psn=%u"
		   : k == 1 ? "> nack nack_code=0xfc nack_psn=%u"
		   : k == 2 ? "> nack nack_code=0x1b nack_psn=%u"
			    : "> nack no_pkt_buffer nack_psn=%u",
		   k == 3 ? d->psn + 6 : d->psn - 1);
	initiator_repeats(d, "within 1.5 rto", "RUD-SVC-1 UET-RTX-15");
	initiator_acks(d, sym, " retx");
	initiator_ends(d);
}

/* ---- Answers that are wrong ---- */

static void move_initiator_lie(struct draft *d)
{
	const unsigned k = draft_draw(d, 5);
	const unsigned sym = initiator_posts(d, "64", " spdcid=$a dpdcid=$b");
	const uint32_t psn = d->psn - 1;

	draft_violates(d, "UET-ACK-05/dst");
	draft_violates(d, "UET-SES-19/dst");
	draft_violates(d, "UET-ENC-45/dst");
	draft_violates(d, "UET-PDC-15/dst");
	draft_violates(d, "UET-PDC-17/dst");
	if (k == 0)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u",
			   psn + 1, psn - 1, sym);
	else if (k == 1)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u dpdcid=$a+1"
			   " | response message_id=$m%u",
			   psn, psn, sym);
	else if (k == 2)
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u spdcid=$b+1"
			   " | response message_id=$m%u",
			   psn, psn, sym);
	else if (k == 3)
		draft_line(d, "> nack closing nack_psn=%u dpdcid=$a+1", psn);
	else
		draft_line(d,
			   "> ack ack_psn=%u cack_psn=%u | response"
			   " message_id=$m%u cut %u",
			   psn, psn, sym, 1 + draft_draw(d, 11));
	initiator_repeats(d, "after 0.5 rto within 1.5 rto",
			  "RUD-SEQ-83 UET-PDC-14");
	initiator_acks(d, sym, " retx");
	initiator_ends(d);
}

/* ---- Reads and atomics ---- */

static void move_initiator_read_small(struct draft *d)
{
	const unsigned sym = d->sym++;
	const uint32_t psn = d->psn++;
	const bool lost = draft_draw(d, 2);

	draft_need(d, "read");
	d->op++;
	draft_line(d, "post read len=16 offset=0%s", initiator_mode(d));
	draft_line(d,
		   "< %s psn=%u | std read message_id=$m%u"
		   " request_length=16 | data 0  [RUD-SVC-5 RUD-SEQ-80o]",
		   initiator_req(d), psn, sym);
	if (lost)
		initiator_repeats(d, "within 1.5 rto", "RUD-SEQ-83");
	draft_line(d,
		   "> ack ack_psn=%u cack_psn=%u req=clear%s"
		   " | response_data read_request_message_id=$m%u"
		   " response_message_id=0 | data 16",
		   psn, psn - 1, lost ? " retx" : "", sym);
	draft_line(d, "completed op=%u once  [RUD-SVC-4]", d->op);
	draft_line(d, "wait 2 clear_time");
	draft_line(d, "< any optional x 0..4");
}

static void move_initiator_read(struct draft *d)
{
	const unsigned sym = d->sym++, how = draft_draw(d, 3);
	const uint32_t psn = d->psn++, ret = d->ret++;

	draft_need(d, "read");
	d->op++;
	draft_line(d, "post read len=512 offset=0%s", initiator_mode(d));
	draft_line(d,
		   "< %s psn=%u | std read message_id=$m%u"
		   " request_length=512 | data 0  [RUD-SVC-5 RUD-SEQ-79]",
		   initiator_req(d), psn, sym);
	draft_line(d,
		   "> ack ack_psn=%u cack_psn=%u | response"
		   " message_id=$m%u",
		   psn, psn, sym);
	draft_line(d,
		   "> %s psn=%u clear_psn=%u ar | response_data"
		   " response_message_id=%u read_request_message_id=$m%u"
		   " | data 512%s",
		   initiator_req(d), ret, ret - 1, 2000 + sym, sym,
		   how == 1 ? " lost" : "");
	if (how == 0 || how == 2)
		draft_line(d,
			   "< ack ack_psn=%u cack_psn=%u | response"
			   " message_id=%u  [RUD-SEQ-79 UET-ACK-15]",
			   ret, ret, 2000 + sym);
	if (how == 2)
		draft_violates_told(d);
	if (how) {
		draft_line(d,
			   "> %s psn=%u clear_psn=%u retx ar | same"
			   " after rto",
			   initiator_req(d), ret, ret - 1);
		draft_line(d,
			   "< ack ack_psn=%u cack_psn=%u retx | response"
			   "  [RUD-SEQ-79 RUD-SEQ-84 UET-ACK-18]",
			   ret, ret);
	}
	draft_line(d, "completed op=%u once  [RUD-SVC-4 RUD-SEQ-79]", d->op);
}

static void move_initiator_atomic(struct draft *d)
{
	static const char *const ops[] = {"sum", "bor", "band", "bxor", "max"};
	const unsigned sym = d->sym++;
	const char *op = draft_word(d, ops, 5);

	draft_need(d, "atomic");
	d->op++;
	draft_line(d,
		   "post atomic amo=%s datatype=uint64 operand=%u"
		   " offset=8%s",
		   op, draft_draw(d, 256), initiator_mode(d));
	draft_line(d,
		   "< %s psn=%u | std atomic message_id=$m%u som eom"
		   " | atomic amo_opcode=%s datatype=uint64  [UET-SES-31]",
		   initiator_req(d), d->psn++, sym, op);
	initiator_acks(d, sym, "");
	initiator_ends(d);
}

/* ---- Packets of the target ---- */

static void move_initiator_noop(struct draft *d)
{
	draft_need(d, "noop");
	draft_line(d, "> cp noop ar psn=%u", d->ret);
	draft_line(d,
		   "< ack ack_psn=%u next_hdr=none|cp_ack"
		   "  [UET-CP-00 UET-ACK-20:ack.missing]",
		   d->ret);
	d->ret++;
}

/* The control channel makes the DUT send a control packet. */
static void move_initiator_control(struct draft *d)
{
	static const char *const types[] = {"noop", "negotiation"};
	const char *type = draft_word(d, types, 2);
	const uint32_t psn = d->psn++;

	draft_need(d, "control.pds");
	d->op++;
	draft_line(d, "post send_cp cp=%s%s", type, initiator_mode(d));
	draft_line(d, "< cp %s ar psn=%u retx=0  [UET-CP-00 UET-PDC-23]", type,
		   psn);
	if (draft_draw(d, 2))
		draft_line(d,
			   "< cp %s ar psn=%u retx after 0.8 rto within rto"
			   "  [UET-CP-00 UET-RTX-16]",
			   type, psn);
	draft_line(d, "> ack ack_psn=%u cack_psn=%u", psn, psn);
	draft_line(d, "wait ack_time");
}

static void move_initiator_idle(struct draft *d)
{
	static const char *const spans[] = {"3 rto", "rto"};

	draft_line(d, "wait %s", draft_word(d, spans, 2));
	draft_line(d, "< any optional x 0..3");
}

/* ---- The frame of a case ---- */

static void draft_initiator_settings(struct draft *d)
{
	static const char *const settings[] = {NULL,
					       NULL,
					       NULL,
					       NULL,
					       "start_psn=0xfffffffd",
					       "start_psn=0x7ffffffe",
					       "start_psn=0",
					       "ar_on_eom=0",
					       "ack_per_pkt=1",
					       "version=103",
					       "pds_clear_time=0",
					       "sack_retx=3",
					       "ack_type=1"};
	const char *s = draft_setting(d, settings,
				      sizeof(settings) / sizeof(settings[0]));

	if (s)
		draft_line(d, "configure %s", s);
	d->start_set = s && strncmp(s, "start_psn=", 10) == 0;
}

/*
 * Opens a PDC as the fragment does, and awaits the completion instead of
 * ack_time: the device has taken the ACK then.
 */
static void initiator_opens_told(struct draft *d)
{
	d->op++;
	draft_line(d, "post send len=8%s", initiator_mode(d));
	draft_line(d,
		   "< %s syn psn=$start start_psn=$start | std send"
		   " message_id=$first som eom | data 8"
		   "  [PDS-SVC-3 UET-PDC-24 UET-ENC-30:ses.header]",
		   initiator_req(d));
	draft_line(d, "> ack ack_psn=$start cack_psn=$start | response"
		      " message_id=$first");
	draft_line(d, "completed op=1 once  [RUD-SVC-4]");
}

static void initiator_open(struct draft *d)
{
	unsigned how = 0;

	draft_need(d, initiator_rod(d) ? "rod" : "rud");
	draft_need(d, "send");
	draft_initiator_settings(d);
	/* The retransmission of a SYN spends credit, or room in a window. */
	if (!d->setting)
		how = draft_draw(d, 4);
	if (how == 3)
		initiator_refused(d);
	else if (how)
		initiator_opens_told(d);
	else
		draft_line(d, "use open%s", initiator_rod(d) ? "-rod" : "");
	draft_line(d, "base fwd=%u ret=%u", DRAFT_FWD, DRAFT_RET);
}

static void initiator_close(struct draft *d)
{
	draft_line(d, "wait 2 rto");
	draft_line(d, "< any optional x 0..16");
	draft_line(d, "use close");
}

static const struct draft_move initiator_moves[] = {
	{"The device posts a message of one packet, and its ACK completes the "
	 "operation once",
	 6, move_initiator_post},
	{"The tester repeats the ACK of a request, and the device completes "
	 "the operation once",
	 2, move_initiator_copies},
	{"A request or its ACK is lost, and the device retransmits it after "
	 "the RTO until its ACK",
	 6, move_initiator_lost},
	{"A response asks for a clear, and the device clears it by a command "
	 "or its next request",
	 6, move_initiator_gtd},
	{"A send of several packets completes once; what the ACKs leave out is "
	 "retransmitted",
	 6, move_initiator_multi},
	{"Several operations are acknowledged by one ACK or one each, and each "
	 "completes once",
	 5, move_initiator_many},
	{"A NACK reports a lack of resources: the device waits NACK_Retx_Time "
	 "and retransmits",
	 5, move_initiator_nack_wait},
	{"A NACK reports a trimmed or lost request, and the device retransmits "
	 "it",
	 4, move_initiator_nack_now},
	{"A NACK has a reserved code or a PSN not sent, and the device "
	 "retransmits the request",
	 3, move_initiator_nack_void},
	{"A NACK ends the PDC: the device reports an error and never "
	 "retransmits the request",
	 1, move_initiator_fatal},
	{"The tester never answers, and the operation fails after the last "
	 "retransmission",
	 1, move_initiator_silence},
	{"An ACK or NACK is false, misaddressed or cut: the device ignores it "
	 "and retransmits",
	 4, move_initiator_lie},
	{"The ACK of a small read has its data, and the read completes once", 4,
	 move_initiator_read_small},
	{"Read data come in a packet of the return direction, and the device "
	 "acknowledges them",
	 5, move_initiator_read},
	{"The device posts an atomic without fetch, and its ACK completes the "
	 "operation once",
	 2, move_initiator_atomic},
	{"The tester sends a NOOP, and the device acknowledges it", 2,
	 move_initiator_noop},
	{"The device sends a NOOP or a Negotiation, and retransmits it if no "
	 "ACK comes",
	 3, move_initiator_control},
	{"The tester sends nothing for one or three RTOs; the device sends "
	 "three packets at most",
	 1, move_initiator_idle},
	{"Each transmission gets a NACK, and the operation fails at the limit "
	 "of retransmissions",
	 2, move_initiator_nack_limit},
	{"The tester asks for a close in an ACK or a Close Request, and the "
	 "device closes the PDC",
	 3, move_initiator_asked_to_close},
	{"A Clear Command is lost, and the device repeats it for the tester's "
	 "Clear Request",
	 3, move_initiator_asked_to_clear},
	{"Each of many packets gets one NACK: the device repeats it, and all "
	 "operations complete",
	 1, move_initiator_nack_each},
	{"Each of many packets is lost once: the device repeats it, and all "
	 "operations complete",
	 1, move_initiator_lost_each},
	{NULL, 0, NULL}};

const struct draft_kind draft_initiator = {.open = initiator_open,
					   .close = initiator_close,
					   .moves = initiator_moves,
					   .scripts = script_uet_initiator,
					   .firsts =
						   script_uet_initiator_first};
