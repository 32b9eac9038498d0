/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_srd.c -- the moves of SRD: a responder that takes
 * requests in any order, and a requester that gives each an outcome.
 */
#include <stdio.h>

#include "suite/explore/draft.h"
#include "suite/explore/script/script.h"

/* A length that no other message of the case has. */
static unsigned srd_length(struct draft *d)
{
	return 64 + d->mid++;
}

/* ---- The DUT as responder ---- */

static void move_srd_send(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned len = srd_length(d);
	const bool imm = draft_draw(d, 4) == 3;

	draft_line(d, "> srd_send_only%s psn=%u lup=%u | data %u",
		   imm ? "_imm" : "", psn, psn, len);
	draft_line(d, "< srd_ack psn=%u syndrome=ack cack=%u  [SRD-03]", psn,
		   psn);
	draft_line(d, "received len=%u once  [SRD-17]", len);
	draft_keep(d, psn, len);
}

/* Packets in an order that is drawn; each has an outcome of its own. */
static void move_srd_shuffled(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 3);
	const uint32_t first = d->psn;
	unsigned left = (1u << n) - 1;

	for (unsigned i = 0; i < n; i++) {
		unsigned k = draft_draw(d, n - i), at = 0;

		for (; !(left >> at & 1) || k; at++)
			k -= left >> at & 1;
		left &= ~(1u << at);
		draft_line(d, "> srd_send_only psn=%u lup=%u | data %u",
			   first + at, first, 200 + (d->mid + at) % 50);
		draft_line(d, "< srd_ack psn=%u syndrome=ack  [SRD-04]",
			   first + at);
	}
	d->psn += n;
	d->mid += n;
	move_srd_send(d);
}

static void move_srd_again(struct draft *d)
{
	struct draft_sent s;

	if (!d->nsent) {
		move_srd_send(d);
		return;
	}
	/* LUP may be behind: the requester has not seen the answer. */
	s = d->sent[d->nsent - 1];
	if (s.psn != d->psn - 1) {
		move_srd_send(d);
		return;
	}
	draft_line(d, "> srd_send_only psn=%u lup=%u | same", s.psn, s.psn);
	draft_line(d, "< srd_ack psn=%u syndrome=ack cack=%u exact  [DER-3]",
		   s.psn, s.psn);
	draft_line(d, "received len=%u once  [SRD-17]", s.mid);
}

static void move_srd_gap(struct draft *d)
{
	const uint32_t psn = d->psn;
	const unsigned a = srd_length(d), b = srd_length(d);

	draft_line(d, "> srd_send_only psn=%u lup=%u | data %u lost", psn, psn,
		   a);
	draft_line(d, "> srd_send_only psn=%u lup=%u | data %u", psn + 1, psn,
		   b);
	draft_line(d,
		   "< srd_ack psn=%u syndrome=ack cack=%u"
		   " sack_bitmap=0x4000000000000000"
		   "  [SRD-20:srd_ack.missing]",
		   psn + 1, psn - 1);
	draft_line(d, "> srd_send_only psn=%u lup=%u | data %u", psn, psn, a);
	draft_line(d, "< srd_ack psn=%u syndrome=ack cack=%u  [SRD-03]", psn,
		   psn + 1);
	draft_line(d, "received len=%u once, len=%u once  [SRD-17]", a, b);
	d->psn += 2;
}

/* A request for a QP that does not exist, or with a wrong key. */
static void move_srd_refused(struct draft *d)
{
	static const char *const fields[] = {"dest_qp=$qp+100", "qkey=1"};
	const uint32_t psn = d->psn++;
	const unsigned k = draft_draw(d, 2), len = srd_length(d);

	draft_line(d, "> srd_send_only psn=%u lup=%u %s | data %u", psn, psn,
		   fields[k], len);
	draft_line(d, "< srd_ack psn=%u syndrome!=ack  [SRD-03]", psn);
	draft_line(d, "received len=%u none  [SRD-17]", len);
	move_srd_send(d);
}

static void move_srd_wrong(struct draft *d)
{
	static const char *const wrongs[][2] = {
		{" opcode=0xf3", ""}, {"", " cut 12"}, {"", " cut 28"}};
	const unsigned k = draft_draw(d, 3);

	draft_line(d, "> srd_send_only%s psn=%u lup=%u | data 60%s",
		   wrongs[k][0], d->psn, d->psn, wrongs[k][1]);
	draft_line(d, "never < any for 1 rto  [I13:any.forbidden]");
	move_srd_send(d);
}

static void move_srd_reserved(struct draft *d)
{
	const uint32_t psn = d->psn++;
	const unsigned len = srd_length(d);
	/* arguments of a call would be drawn in any order */
	const unsigned rsvd_96 = draft_draw(d, 256);
	const unsigned rsvd_24 = draft_draw(d, 256);
	const unsigned rsvd_65 = draft_draw(d, 128);
	const unsigned rsvd_6 = draft_draw(d, 4);
	const unsigned rsvd_34 = draft_draw(d, 64);

	draft_line(d,
		   "> srd_send_only psn=%u lup=%u rsvd_34=%u rsvd_6=%u"
		   " rsvd_65=%u rsvd_24=%u rsvd_96=%u | data %u",
		   psn, psn, rsvd_34, rsvd_6, rsvd_65, rsvd_24, rsvd_96, len);
	draft_line(d,
		   "< srd_ack psn=%u syndrome=ack cack=%u"
		   "  [I13:srd_ack.missing]",
		   psn, psn);
	draft_line(d, "received len=%u once  [I13]", len);
}

static void srd_settings(struct draft *d)
{
	static const char *const settings[] = {
		NULL, NULL, NULL, "srd_coalesce=4", "srd_window=64"};
	const char *s = draft_setting(d, settings, 5);

	draft_need(d, "srd.verbs");
	if (s)
		draft_line(d, "configure %s", s);
}

static void srd_target_open(struct draft *d)
{
	static const char *const starts[] = {NULL, NULL, NULL, "0xfffffd",
					     "0xffffff"};
	const char *start = draft_word(d, starts, 5);

	srd_settings(d);
	draft_line(d, "use srd-qp");
	if (start) {
		draft_line(d, "> srd_send_only psn==%s lup==%s | data 40",
			   start, start);
		draft_line(d,
			   "< srd_ack psn==%s syndrome=ack cack==%s  [SRD-03]",
			   start, start);
	}
	draft_line(d, "base fwd=%u", DRAFT_FWD);
}

static const struct draft_move srd_target_moves[] = {
	{"The responder acknowledges a send of one packet and delivers it once",
	 5, move_srd_send},
	{"Sends arrive in any order, and the responder acknowledges each of "
	 "them",
	 4, move_srd_shuffled},
	{"The tester repeats the last send: it is acknowledged again and not "
	 "delivered again",
	 4, move_srd_again},
	{"A send is lost: SACK shows the later one, and the retransmission is "
	 "acknowledged",
	 5, move_srd_gap},
	{"A send has an unknown QP or a wrong Q_Key: it gets an error and is "
	 "not delivered",
	 3, move_srd_refused},
	{"A packet has an undefined opcode or is cut in its headers, and "
	 "nothing answers it",
	 2, move_srd_wrong},
	{"A send has reserved bits set, and the responder acknowledges and "
	 "delivers it",
	 2, move_srd_reserved},
	{NULL, 0, NULL}};

const struct draft_kind draft_srd_target = {.open = srd_target_open,
					    .moves = srd_target_moves,
					    .scripts = script_srd_target,
					    .firsts = script_srd_target_first};

/* ---- The DUT as requester ---- */

static unsigned srd_posts(struct draft *d)
{
	const unsigned len = srd_length(d);

	d->op++;
	draft_line(d, "post post_send qpn=$qp ah=$ah len=%u", len);
	draft_line(d, "< srd_send_only psn=%u | data %u  [SRD-05 SRD-10]",
		   d->psn++, len);
	return len;
}

static void move_srd_post(struct draft *d)
{
	srd_posts(d);
	draft_line(d, "> srd_ack psn=%u syndrome=ack cack=%u", d->psn - 1,
		   d->psn - 1);
	draft_line(d, "completed op=%u once  [SRD-41]", d->op);
}

static void move_srd_lost(struct draft *d)
{
	const unsigned n = 1 + draft_draw(d, 2), len = srd_posts(d);

	for (unsigned i = 0; i < n; i++)
		draft_line(d,
			   "< srd_send_only psn=%u | data %u exact within"
			   " 6 rto  [SRD-19]",
			   d->psn - 1, len);
	draft_line(d, "> srd_ack psn=%u syndrome=ack cack=%u", d->psn - 1,
		   d->psn - 1);
	draft_line(d, "completed op=%u once  [SRD-41]", d->op);
	draft_line(d, "never < srd_send_only psn=%u for 4 rto  [SRD-14]",
		   d->psn - 1);
}

static void move_srd_fails(struct draft *d)
{
	srd_posts(d);
	draft_line(d, "> srd_ack psn=%u syndrome=rnr cack=%u", d->psn - 1,
		   d->psn - 2);
	draft_line(d, "failed op=%u status=rnr once  [SRD-51]", d->op);
	draft_line(d, "never < srd_send_only psn=%u for 2 rto  [SRD-52]",
		   d->psn - 1);
	move_srd_post(d);
}

static void move_srd_many(struct draft *d)
{
	const unsigned n = 2 + draft_draw(d, 3), op = d->op;
	const uint32_t first = d->psn;
	const bool all = draft_draw(d, 2);

	for (unsigned i = 0; i < n; i++) {
		d->op++;
		draft_line(d, "post post_send qpn=$qp ah=$ah len=%u",
			   srd_length(d));
	}
	draft_line(d, "any {");
	for (unsigned i = 0; i < n; i++)
		draft_line(d, "  < srd_send_only psn=%u  [SRD-05 SRD-10]",
			   first + i);
	draft_line(d, "}");
	d->psn += n;
	if (all)
		draft_line(d,
			   "> srd_ack psn=%u syndrome=ack cack=%u"
			   " sack_bitmap=0",
			   d->psn - 1, d->psn - 1);
	for (unsigned i = 0; i < n && !all; i++)
		draft_line(d,
			   "> srd_ack psn=%u syndrome=ack cack=%u"
			   " sack_bitmap=0",
			   first + i, first + i);
	for (unsigned i = 0; i < n; i++)
		draft_line(d, "completed op=%u once  [SRD-20 SRD-41]",
			   op + i + 1);
	draft_line(d, "never < srd_send_only for 4 rto  [SRD-14]");
}

static void srd_initiator_open(struct draft *d)
{
	static const char *const starts[] = {NULL, NULL, "0xfffffe"};
	const char *start = draft_word(d, starts, 3);

	srd_settings(d);
	if (start)
		draft_line(d, "configure start_psn=%s", start);
	draft_line(d, "use srd-qp");
	draft_line(d, "base fwd=%u", DRAFT_FWD);
}

static const struct draft_move srd_initiator_moves[] = {
	{"The requester posts a send, and its ACK completes the operation once",
	 5, move_srd_post},
	{"A send gets no answer: the requester retransmits it until the ACK, "
	 "and no more",
	 4, move_srd_lost},
	{"The tester answers RNR: the operation fails without a "
	 "retransmission, the next completes",
	 3, move_srd_fails},
	{"Several sends get one cumulative ACK or one each: all complete, and "
	 "none is repeated",
	 4, move_srd_many},
	{NULL, 0, NULL}};

const struct draft_kind draft_srd_initiator = {
	.open = srd_initiator_open,
	.moves = srd_initiator_moves,
	.scripts = script_srd_initiator,
	.firsts = script_srd_initiator_first};
