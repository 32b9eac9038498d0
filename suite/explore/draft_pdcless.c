/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/draft_pdcless.c -- the moves of RUDI and UUD, which have no
 * PDC: each move is about packets of its own.
 */
#include <stdio.h>

#include "suite/explore/draft.h"
#include "suite/explore/script/script.h"

/* ---- RUDI, the DUT as target ---- */

static void move_rudi_write(struct draft *d)
{
	const unsigned sym = d->sym++, mid = d->mid++;
	const unsigned n = draft_draw(d, 3);

	draft_line(d,
		   "> rudi_req pkt_id=$p%u | std write message_id=%u som"
		   " eom | data %s",
		   sym, mid, draft_size(d));
	draft_line(d,
		   "< rudi_resp pkt_id=$p%u retx=0 | response"
		   " message_id=%u%s  [MODE-RUDI-4 UET-ACK-03]",
		   sym, mid, n ? " lost" : "");
	for (unsigned i = 0; i < n; i++) {
		draft_line(d, "> rudi_req pkt_id=$p%u retx | same after rto",
			   sym);
		draft_line(d,
			   "< rudi_resp pkt_id=$p%u retx | response"
			   " message_id=%u%s  [MODE-RUDI-1 MODE-RUDI-4]",
			   sym, mid, i == n - 1 ? "" : " lost");
	}
	draft_line(d, "delivered pkt_id=$p%u x %u  [MODE-RUDI-1]", sym, 1 + n);
}

static void move_rudi_read(struct draft *d)
{
	static const char *const sizes[] = {"64", "1", "mtu", "16"};
	const unsigned sym = d->sym++, mid = d->mid++;
	const char *size = draft_word(d, sizes, 4);

	draft_need(d, "read");
	draft_line(d,
		   "> rudi_req pkt_id=$p%u | std read message_id=%u som eom"
		   " request_length=%s",
		   sym, mid, size);
	draft_line(d,
		   "< rudi_resp pkt_id=$p%u | response_data response_w_data"
		   " read_request_message_id=%u | data %s"
		   "  [MODE-RUDI-4 UET-SES-21:ses.header]",
		   sym, mid, size);
	draft_line(d, "delivered pkt_id=$p%u once  [MODE-RUDI-1]", sym);
}

static void move_rudi_refused(struct draft *d)
{
	static const struct {
		const char *code, *id;
	} codes[] = {{"no_pkt_buffer", "UET-NACK-07"},
		     {"no_resource", "UET-NACK-0A"}};
	const unsigned sym = d->sym++, mid = d->mid++, k = draft_draw(d, 2);

	draft_need(d, "response.nack");
	draft_line(d, "respond nack=%s times=1", codes[k].code);
	draft_line(d,
		   "> rudi_req pkt_id=$p%u | std write message_id=%u som"
		   " eom | data 64",
		   sym, mid);
	draft_line(d,
		   "< nack %s nt nack_pkt_id=$p%u spdcid=0 dpdcid=0"
		   " payload=0  [UET-ENC-45 UET-RTX-10 %s]",
		   codes[k].code, sym, codes[k].id);
	draft_line(d, "> rudi_req pkt_id=$p%u retx | same after nack_time",
		   sym);
	draft_line(d,
		   "< rudi_resp pkt_id=$p%u retx | response message_id=%u"
		   " return_code=ok  [MODE-RUDI-4]",
		   sym, mid);
}

static void move_rudi_error(struct draft *d)
{
	const unsigned sym = d->sym++, mid = d->mid++;

	draft_need(d, "response.code");
	draft_line(d, "respond return_code=no_match times=1");
	draft_line(d,
		   "> rudi_req pkt_id=$p%u | std write message_id=%u som"
		   " eom | data 64",
		   sym, mid);
	draft_line(d,
		   "< rudi_resp pkt_id=$p%u | response message_id=%u"
		   " return_code=no_match  [MODE-RUDI-4]",
		   sym, mid);
}

static void move_rudi_marked(struct draft *d)
{
	draft_need(d, "ecn");
	draft_line(d, "mark_ce > rudi_req nth=1");
	move_rudi_write(d);
}

static void rudi_open(struct draft *d)
{
	draft_need(d, "rudi");
	draft_need(d, "write");
}

static void pdcless_close(struct draft *d)
{
	draft_line(d, "never < any for 2 rto  [%s]",
		   d->subject == DRAFT_UUD ? "MODE-UUD-1" : "PDS-SVC-5");
}

static const struct draft_move rudi_target_moves[] = {
	{"A RUDI write comes up to three times; the device executes and "
	 "answers each of them",
	 4, move_rudi_write},
	{"The device answers a RUDI read by one response with the data, and "
	 "executes it once",
	 4, move_rudi_read},
	{"The device refuses a RUDI write by a NACK, and accepts its "
	 "retransmission",
	 4, move_rudi_refused},
	{"SES answers a RUDI write with NO_MATCH, and the response of the "
	 "device has that code",
	 2, move_rudi_error},
	{"The network marks a RUDI write with CE, and the device executes and "
	 "answers it",
	 1, move_rudi_marked},
	{NULL, 0, NULL}};

const struct draft_kind draft_rudi_target = {.open = rudi_open,
					     .close = pdcless_close,
					     .moves = rudi_target_moves,
					     .scripts = script_rudi_target,
					     .firsts =
						     script_rudi_target_first};

/* ---- RUDI, the DUT as initiator ---- */

/* Posts a write. Return: the number of its symbols. */
static unsigned rudi_posts(struct draft *d)
{
	const unsigned sym = d->sym++;
	const char *size = draft_size(d);

	d->op++;
	draft_line(d, "post write len=%s mode=rudi", size);
	draft_line(d,
		   "< rudi_req pkt_id=$p%u retx=0 | std write"
		   " message_id=$m%u | data %s  [MODE-RUDI-2]",
		   sym, sym, size);
	return sym;
}

/* The source learns of the answer; a later message may have the same id. */
static void rudi_responded(struct draft *d, unsigned sym, const char *id)
{
	draft_line(d, "responded message_id=$m%u x 1..40  [%s]", sym, id);
}

static void rudi_answers(struct draft *d, unsigned sym, const char *flags)
{
	draft_line(d, "> rudi_resp pkt_id=$p%u%s | response message_id=$m%u",
		   sym, flags, sym);
	rudi_responded(d, sym, "UET-RTX-08");
	draft_line(d, "completed op=%u once  [UET-RTX-08]", d->op);
}

static void move_rudi_post(struct draft *d)
{
	rudi_answers(d, rudi_posts(d), "");
}

static void move_rudi_lost(struct draft *d)
{
	const unsigned sym = rudi_posts(d), n = 1 + draft_draw(d, 2);

	if (n > 1)
		draft_need(d, "rto_retx.2");
	for (unsigned i = 0; i < n; i++)
		draft_line(d,
			   "< rudi_req pkt_id=$p%u retx | same after"
			   " 0.8 rto within 2.5 rto"
			   "  [UET-RTX-07 UET-RTX-08]",
			   sym);
	rudi_answers(d, sym, " retx");
	draft_line(d, "never < rudi_req pkt_id=$p%u for 2 rto  [UET-RTX-08]",
		   sym);
}

static void move_rudi_nacked(struct draft *d)
{
	static const struct {
		const char *code, *id;
	} codes[] = {{"no_pkt_buffer", "UET-NACK-07"},
		     {"no_resource", "UET-NACK-0A"}};
	const unsigned k = draft_draw(d, 2), sym = rudi_posts(d);

	draft_line(d, "> nack %s nt nack_pkt_id=$p%u", codes[k].code, sym);
	draft_line(d,
		   "< rudi_req pkt_id=$p%u retx | same after nack_time"
		   " within 3 nack_time  [UET-RTX-07 %s]",
		   sym, codes[k].id);
	rudi_answers(d, sym, " retx");
}

static void move_rudi_copies(struct draft *d)
{
	const unsigned sym = rudi_posts(d);

	draft_violates(d, "PDS-SVC-5/dst");
	draft_line(d, "> rudi_resp pkt_id=$p%u | response message_id=$m%u", sym,
		   sym);
	draft_line(d, "> rudi_resp pkt_id=$p%u | response message_id=$m%u", sym,
		   sym);
	rudi_responded(d, sym, "UET-RTX-09");
	draft_line(d, "completed op=%u once  [UET-RTX-09]", d->op);
}

static void move_rudi_post_read(struct draft *d)
{
	const unsigned sym = d->sym++;

	draft_need(d, "read");
	d->op++;
	draft_line(d, "post read len=64 mode=rudi");
	draft_line(d,
		   "< rudi_req pkt_id=$p%u retx=0 | std read"
		   " message_id=$m%u som eom request_length=64"
		   "  [MODE-RUDI-2]",
		   sym, sym);
	if (draft_draw(d, 2))
		draft_line(d,
			   "< rudi_req pkt_id=$p%u retx | same within"
			   " 1.5 rto  [UET-RTX-07]",
			   sym);
	draft_line(d,
		   "> rudi_resp pkt_id=$p%u | response_data"
		   " read_request_message_id=$m%u | data 64",
		   sym, sym);
	draft_line(d, "completed op=%u once  [UET-RTX-08]", d->op);
}

static const struct draft_move rudi_initiator_moves[] = {
	{"The device posts a RUDI write, and its response completes the "
	 "operation once",
	 4, move_rudi_post},
	{"A RUDI write gets no answer: the device retransmits it until the "
	 "response, and no more",
	 4, move_rudi_lost},
	{"A NACK refuses a RUDI write, and the device retransmits it after "
	 "NACK_Retx_Time",
	 4, move_rudi_nacked},
	{"The tester sends the response of a RUDI write twice, and the "
	 "operation completes once",
	 2, move_rudi_copies},
	{"The device posts a RUDI read, and the response with its data "
	 "completes it once",
	 3, move_rudi_post_read},
	{NULL, 0, NULL}};

const struct draft_kind draft_rudi_initiator = {
	.open = rudi_open,
	.close = pdcless_close,
	.moves = rudi_initiator_moves,
	.scripts = script_rudi_initiator,
	.firsts = script_rudi_initiator_first};

/* ---- UUD ---- */

static void uud_open(struct draft *d)
{
	draft_need(d, "uud");
	draft_need(d, "send");
}

static void move_uud_send(struct draft *d)
{
	const unsigned len = 20 + d->mid++;

	draft_line(d, "> uud_req | %s datagram_send som eom | data %u",
		   draft_draw(d, 2) ? "medium" : "std", len);
	draft_line(d, "never < any for ack_time  [MODE-UUD-1]");
	draft_line(d, "received len=%u once  [MODE-UUD-1]", len);
}

static void move_uud_lost(struct draft *d)
{
	const unsigned len = 20 + d->mid++;

	draft_line(d, "> uud_req | std datagram_send som eom | data %u lost",
		   len);
	draft_line(d, "received len=%u none  [MODE-UUD-1]", len);
	move_uud_send(d);
}

static void move_uud_cut(struct draft *d)
{
	draft_violates(d, "UET-ENC-51/src");
	draft_violates(d, "UET-ENC-01/src");
	draft_violates(d, "UET-SES-08/src");
	draft_line(d, "> uud_req | std datagram_send som eom | data 16 cut %u",
		   2 + draft_draw(d, 40));
	move_uud_send(d);
}

static const struct draft_move uud_target_moves[] = {
	{"The device delivers a datagram once and answers nothing", 3,
	 move_uud_send},
	{"A datagram is lost and never delivered, and the device delivers the "
	 "next one",
	 2, move_uud_lost},
	{"The tester cuts a datagram within its headers; the device drops it "
	 "and takes the next",
	 2, move_uud_cut},
	{NULL, 0, NULL}};

const struct draft_kind draft_uud_target = {.open = uud_open,
					    .close = pdcless_close,
					    .moves = uud_target_moves,
					    .scripts = script_uud_target,
					    .firsts = script_uud_target_first};

static void move_uud_post(struct draft *d)
{
	const char *size = draft_size(d);
	const bool lost = draft_draw(d, 2);

	d->op++;
	draft_line(d, "post send len=%s mode=uud", size);
	draft_line(d,
		   "< uud_req rsvd_9=0 rsvd_16=0 | std datagram_send som"
		   " eom | data %s%s  [MODE-UUD-1 UET-ENC-51 UET-SES-34]",
		   size, lost ? " lost" : "");
	draft_line(d, "completed op=%u once  [MODE-UUD-1]", d->op);
	draft_line(d, "never < any for 3 rto  [MODE-UUD-1]");
}

static const struct draft_move uud_initiator_moves[] = {
	{"The device sends a datagram once, and the operation completes "
	 "without an answer",
	 1, move_uud_post},
	{NULL, 0, NULL}};

const struct draft_kind draft_uud_initiator = {
	.open = uud_open,
	.close = pdcless_close,
	.moves = uud_initiator_moves,
	.scripts = script_uud_initiator,
	.firsts = script_uud_initiator_first};
