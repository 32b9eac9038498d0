/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_wqe.c -- the moves of reliable connections: plain RoCEv2,
 * and RoCEv2 with the WQE extension.
 */
#include <stdio.h>
#include <stdlib.h>

#include "suite/explore/draft.h"
#include "suite/explore/script/script.h"

static bool is_wqe(const struct draft *d)
{
	return d->subject == DRAFT_WQE;
}

static const char *rc_word(const struct draft *d)
{
	return is_wqe(d) ? "wqe" : "rc";
}

static const char *rc_id(const struct draft *d, const char *wqe,
			 const char *roce)
{
	return is_wqe(d) ? wqe : roce;
}

/* The PSN of the n-th packet from the next one on. */
static uint32_t rc_psn(const struct draft *d, unsigned n)
{
	return (d->psn + n) & 0xffffff;
}

/* A QP whose PSNs wrap; the fragment begins at 10. */
static void rc_open_at(struct draft *d, uint32_t psn)
{
	draft_line(d, "post create_qp qpn=$qp type=rc");
	draft_line(d, "post modify_qp qpn=$qp state=init");
	draft_line(d, "post modify_qp qpn=$qp state=rtr rq_psn=%u", psn);
	draft_line(d, "post modify_qp qpn=$qp state=rts sq_psn=%u", psn);
	if (d->chair == CHAIR_INITIATOR)
		return;
	draft_line(d, "post expose len=8mtu");
	draft_line(d, "post post_recv qpn=$qp len=4mtu count=16");
}

static void rc_open(struct draft *d)
{
	static const char *const starts[] = {NULL, NULL, "0xfffffe",
					     "0x7ffffe"};
	const char *at = draft_word(d, starts, 4);
	const uint32_t start = at ? (uint32_t)strtoul(at, NULL, 0) : DRAFT_RC;

	draft_need(d, is_wqe(d) ? "wqe.verbs" : "roce.verbs");
	d->psn = d->ret = start;
	d->mid = 0;
	if (d->setting)
		draft_line(d, "configure %s", d->setting);
	if (start == DRAFT_RC)
		draft_line(d, "use %s-qp", is_wqe(d) ? "wqe" : "roce");
	else
		rc_open_at(d, start);
}

/* ---- The DUT as responder ---- */

/* One packet of a message; |n| packets, this is number |i|. */
static void rc_packet(struct draft *d, unsigned i, unsigned n, bool write,
		      bool again, const char *how)
{
	static const char *const places[] = {"first", "middle", "last"};
	const char *place = n == 1       ? "only"
			    : i == 0     ? places[0]
			    : i == n - 1 ? places[2]
					 : places[1];
	char fields[96] = "";

	if (is_wqe(d))
		snprintf(fields, sizeof(fields),
			 " wqe_sn=%u wqe_offset=%u%s wqe_length=%umtu", d->mid,
			 i, i ? "mtu" : "", n);
	else if (write && i == 0)
		snprintf(fields, sizeof(fields), " dmalen=%umtu", n);
	draft_line(d, "> %s_%s_%s psn=%u%s | %s%s", rc_word(d),
		   write ? "write" : "send", place, rc_psn(d, i), fields,
		   again ? "same" : "data mtu", how);
}

static void rc_acked(struct draft *d, unsigned n)
{
	d->psn += n;
	d->mid++;
	draft_line(d, "< %s_ack psn=%u syndrome=ack msn=%u  [%s]", rc_word(d),
		   (d->psn - 1) & 0xffffff, d->mid,
		   rc_id(d, "WQE-21", "ROCE-09"));
}

static void rc_arrived(struct draft *d, bool write)
{
	d->mixed |= !write;
	if (!d->mixed)
		draft_line(d,
			   "post mem_digest key=$rkey first=%u last=%u"
			   "  [%s]",
			   d->ret, (d->psn - 1) & 0xffffff,
			   rc_id(d, "WQE-26", "I2"));
}

static void move_rc_message(struct draft *d)
{
	const bool write = draft_draw(d, 2);
	const unsigned n = 1 + draft_draw(d, 4);

	for (unsigned i = 0; i < n; i++)
		rc_packet(d, i, n, write, false, "");
	rc_acked(d, n);
	rc_arrived(d, write);
}

/* A packet of a message is lost; the responder asks for it. */
static void move_rc_gap(struct draft *d)
{
	const bool write = draft_draw(d, 2);
	const unsigned n = 3 + draft_draw(d, 2);
	const unsigned gone = 1 + draft_draw(d, n - 2);
	const uint32_t psn = rc_psn(d, gone);

	for (unsigned i = 0; i < n; i++)
		rc_packet(d, i, n, write, false, i == gone ? " lost" : "");
	if (is_wqe(d)) {
		draft_need(d, "wqe.selective");
		draft_line(d,
			   "< wqe_rtx_ind psn=%u k wqe_sn=%u count=1"
			   " | bytes %02x %02x %02x %02x  [WQE-34 WQE-35]",
			   psn, d->mid, 0u, psn >> 16 & 255, psn >> 8 & 255,
			   psn & 255);
		rc_packet(d, gone, n, write, true, "");
	} else {
		draft_line(d,
			   "< rc_ack psn=%u syndrome=psn_seq_err"
			   "  [ROCE-09 ROCE-10]",
			   psn);
		for (unsigned i = gone; i < n; i++)
			rc_packet(d, i, n, write, true, "");
	}
	rc_acked(d, n);
	rc_arrived(d, write);
}

/* The packets of a message in reverse order; the WQE extension places them. */
static void move_rc_reversed(struct draft *d)
{
	const bool write = draft_draw(d, 2);
	const unsigned n = 2 + draft_draw(d, 3);

	if (!is_wqe(d)) {
		move_rc_message(d);
		return;
	}
	draft_need(d, "wqe.selective");
	draft_violates(d, "WQE-01/src");
	if (write) /* what comes before the first packet has no place yet */
		draft_need(d, "wqe_cache.8");
	for (unsigned i = n; i; i--)
		rc_packet(d, i - 1, n, write, false, "");
	rc_acked(d, n);
	rc_arrived(d, write);
}

static void move_rc_read(struct draft *d)
{
	const unsigned n = 1 + draft_draw(d, 3);

	if (is_wqe(d))
		draft_need(d, "wqe.read");
	d->mixed = true;
	if (is_wqe(d))
		draft_line(d,
			   "> wqe_read_req psn=%u wqe_sn=%u wqe_length=%umtu",
			   rc_psn(d, 0), d->mid, n);
	else
		draft_line(d, "> rc_read_req psn=%u dmalen=%umtu", rc_psn(d, 0),
			   n);
	for (unsigned i = 0; i < n; i++)
		draft_line(d, "< %s_read_resp_%s psn=%u | data mtu  [%s]",
			   rc_word(d),
			   n == 1       ? "only"
			   : i == 0     ? "first"
			   : i == n - 1 ? "last"
					: "middle",
			   rc_psn(d, i), rc_id(d, "WQE-41", "ROCE-08"));
	d->psn += n;
	d->mid++;
}

static void move_rc_forbidden(struct draft *d)
{
	if (is_wqe(d))
		draft_line(d,
			   "> wqe_write_only psn=%u wqe_sn=%u wqe_length=8"
			   " rkey=$rkey+1 | data 8",
			   rc_psn(d, 0), d->mid);
	else
		draft_line(d,
			   "> rc_write_only psn=%u rkey=$rkey+1 dmalen=8"
			   " | data 8",
			   d->psn);
	draft_line(d, "< %s_ack psn=%u syndrome=remote_access  [%s]",
		   rc_word(d), rc_psn(d, 0), rc_id(d, "WQE-24", "ROCE-11"));
	draft_line(d, "post query_qp qpn=$qp state=err  [%s]",
		   rc_id(d, "WQE-24", "ROCE-11"));
	if (d->mid == 0)
		draft_line(d, "post mem_digest key=$rkey  [%s]",
			   rc_id(d, "WQE-24", "ROCE-11"));
	d->over = true;
}

/* A packet of the extension that a check has to refuse, in the first WQE. */
static void move_rc_wrong(struct draft *d)
{
	static const char *const wrongs[] = {
		"wqe_length=64 dmalen=128 | data 64", "ver=2 | data 64",
		"wqe_length=100 dmalen=100 | data 101",
		"wqe_offset=1mtu wqe_length=2mtu | data mtu",
		"wqe_length=64 va=$memory_offset+9mtu | data 64"};
	const unsigned sn = d->mid + (draft_draw(d, 4) == 3);
	unsigned k;

	if (!is_wqe(d)) {
		move_rc_message(d);
		return;
	}
	if (sn == d->mid) {
		k = draft_draw(d, 5);
		if (k == 3) /* a packet before it is missing */
			draft_violates(d, "WQE-10/src");
		draft_line(d, "> wqe_write_only psn=%u wqe_sn=%u %s",
			   rc_psn(d, 0), sn, wrongs[k]);
	} else {
		if (d->mid)
			draft_violates(d, "WQE-09/src");
		draft_line(d, "> wqe_write_only psn=%u wqe_sn=%u | data 64",
			   rc_psn(d, 0), sn);
	}
	draft_line(d, "never < wqe_ack psn=%u syndrome=ack for 2 rto  [WQE-24]",
		   rc_psn(d, 0));
	if (!d->mixed && d->mid == 0)
		draft_line(d, "post mem_digest key=$rkey  [WQE-24]");
	d->over = true;
}

/* A message that goes on as one of another kind. */
static void move_rc_kinds(struct draft *d)
{
	if (is_wqe(d)) {
		move_rc_wrong(d);
		return;
	}
	draft_line(d, "> rc_send_first psn=%u | data mtu", rc_psn(d, 0));
	draft_line(d, "> rc_write_last psn=%u | data 8", rc_psn(d, 1));
	draft_line(d, "< rc_ack psn=%u syndrome=invalid_req msn=%u  [ROCE-11]",
		   rc_psn(d, 1), d->mid);
	draft_line(d, "post query_qp qpn=$qp state=err  [ROCE-11]");
	d->over = true;
}

static const struct draft_move rc_target_moves[] = {
	{"The responder acknowledges a send or write of one to four packets, "
	 "nothing lost",
	 5, move_rc_message},
	{"A packet is lost, and the responder asks for it and acknowledges the "
	 "repaired message",
	 5, move_rc_gap},
	{"With the WQE extension, packets in reverse order are acknowledged as "
	 "one message",
	 4, move_rc_reversed},
	{"The responder answers a read with its data in order, in one to three "
	 "packets",
	 3, move_rc_read},
	{"A write has a wrong R_Key: the responder reports remote access, and "
	 "the QP ends in error",
	 1, move_rc_forbidden},
	{"With the WQE extension, a write that is invalid or skips a WQE is "
	 "not acknowledged",
	 2, move_rc_wrong},
	{"On plain RoCEv2, a send goes on as a write: it is an invalid "
	 "request, and the QP ends",
	 1, move_rc_kinds},
	{NULL, 0, NULL}};

const struct draft_kind draft_wqe_target = {.open = rc_open,
					    .moves = rc_target_moves,
					    .scripts = script_wqe_target,
					    .firsts = script_wqe_target_first};

const struct draft_kind draft_roce_target = {.open = rc_open,
					     .moves = rc_target_moves,
					     .scripts = script_roce_target,
					     .firsts =
						     script_roce_target_first};

/* ---- The DUT as requester ---- */

/* Posts a message of |n| packets, and expects them. */
static void rc_posts(struct draft *d, unsigned n, const char *opcode)
{
	char sn[24] = "";

	if (is_wqe(d))
		snprintf(sn, sizeof(sn), " wqe_sn=$s%u", d->sym);
	d->sym++;
	d->op++;
	draft_line(d, "post post_send qpn=$qp%s%s len=%umtu",
		   *opcode ? " opcode=" : "", opcode, n);
	for (unsigned i = 0; i < n; i++)
		draft_line(d, "< %s_%s_%s psn=%u%s | data mtu  [%s]",
			   rc_word(d), *opcode ? opcode : "send",
			   n == 1       ? "only"
			   : i == 0     ? "first"
			   : i == n - 1 ? "last"
					: "middle",
			   rc_psn(d, i), sn, rc_id(d, "WQE-01", "ROCE-01"));
	d->psn += n;
}

static void rc_ends(struct draft *d)
{
	draft_line(d, "> %s_ack psn=%u", rc_word(d), (d->psn - 1) & 0xffffff);
	draft_line(d, "completed op=%u once  [%s]", d->op,
		   rc_id(d, "WQE-06", "I2"));
}

static void move_rc_post(struct draft *d)
{
	const char *opcode = draft_draw(d, 2) ? "write" : "";

	rc_posts(d, 1 + draft_draw(d, 4), opcode);
	rc_ends(d);
}

/* Nothing is acknowledged: the last packet, at least, comes again. */
static void move_rc_lost(struct draft *d)
{
	const char *opcode = draft_draw(d, 2) ? "write" : "";

	rc_posts(d, 1, opcode);
	draft_line(d, "< %s_%s_only psn=%u | same within 4 rto  [%s]",
		   rc_word(d), *opcode ? opcode : "send",
		   (d->psn - 1) & 0xffffff, rc_id(d, "WQE-02", "ROCE-06"));
	rc_ends(d);
}

static void move_rc_asked(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 3);
	const unsigned gone = draft_draw(d, n);
	const uint32_t psn = rc_psn(d, gone);

	rc_posts(d, n, "");
	if (is_wqe(d))
		draft_line(d,
			   "> wqe_rtx_ind psn=%u k wqe_sn=$s%u"
			   " | bytes 00 %02x %02x %02x",
			   psn, d->sym - 1, psn >> 16 & 255, psn >> 8 & 255,
			   psn & 255);
	else
		draft_line(d, "> rc_ack psn=%u syndrome=psn_seq_err", psn);
	for (unsigned i = gone; i < n; i++) {
		if (is_wqe(d) && i > gone)
			break;
		draft_line(d, "< %s_send_%s psn=%u | same  [%s]", rc_word(d),
			   i == 0       ? "first"
			   : i == n - 1 ? "last"
					: "middle",
			   (d->psn - n + i) & 0xffffff,
			   rc_id(d, "WQE-08", "ROCE-04"));
	}
	rc_ends(d);
}

static void move_rc_fails(struct draft *d)
{
	rc_posts(d, 1, "");
	draft_line(d, "> %s_ack psn=%u syndrome=remote_access", rc_word(d),
		   (d->psn - 1) & 0xffffff);
	draft_line(d, "failed op=%u status=remote_access once  [%s]", d->op,
		   rc_id(d, "WQE-06", "I2"));
	draft_line(d, "never < any for 4 rto  [%s]",
		   rc_id(d, "WQE-06", "ROCE-13"));
	d->over = true;
}

static void move_rc_rnr(struct draft *d)
{
	rc_posts(d, 1, "");
	draft_line(d, "> %s_ack psn=%u syndrome=52", rc_word(d),
		   (d->psn - 1) & 0xffffff);
	draft_line(d, "never < any for 9ms  [%s]",
		   rc_id(d, "WQE-06", "ROCE-05"));
	draft_line(d, "< %s_send_only psn=%u | same within 4 rto  [%s]",
		   rc_word(d), (d->psn - 1) & 0xffffff,
		   rc_id(d, "WQE-02", "ROCE-05:rc_req.resend"));
	rc_ends(d);
}

static const struct draft_move rc_initiator_moves[] = {
	{"The requester sends a message of one to four packets, and its ACK "
	 "completes it once",
	 5, move_rc_post},
	{"A message of one packet gets no ACK, and the requester retransmits "
	 "it",
	 4, move_rc_lost},
	{"The tester asks for a packet again, and the requester retransmits "
	 "from it, or only it",
	 4, move_rc_asked},
	{"The tester reports a remote access error: the operation fails, and "
	 "nothing is sent again",
	 1, move_rc_fails},
	{"The tester answers RNR, and the requester retransmits after the RNR "
	 "timer",
	 2, move_rc_rnr},
	{NULL, 0, NULL}};

const struct draft_kind draft_wqe_initiator = {
	.open = rc_open,
	.moves = rc_initiator_moves,
	.scripts = script_wqe_initiator,
	.firsts = script_wqe_initiator_first};

const struct draft_kind draft_roce_initiator = {
	.open = rc_open,
	.moves = rc_initiator_moves,
	.scripts = script_roce_initiator,
	.firsts = script_roce_initiator_first};
