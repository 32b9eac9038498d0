/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/form/rules_ses.c -- messages and reads, as far as the PDS depends
 * on them: one PDC for each message, message ids, the kind of packet that
 * carries read data, and the request that it names.
 *
 * These rules check only first transmissions; another rule checks that a
 * retransmission is equal.
 *
 * Spec: UET 3.5.3, 3.5.20, 3.5.20.2.5 to 3.5.20.2.8, 3.4.2 (uet.md 5, 7.5)
 */
#include "judge/uet/rule.h"

static bool is_return(uint8_t next_hdr)
{
	return next_hdr == PDS_NEXT_RESPONSE_DATA ||
	       next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL;
}

static bool ses_rules_is_first(const struct pkt_ctx *l)
{
	return !l->old && !l->out_of_window && l->ses && !l->mangled &&
	       !(l->retx && (l->kind == PKT_RUDI || !seen_all(l)));
}

/* ---- Which header on which packet ---- */

/* "SES responses travel on PDS ACKs" */
static void response_in_request(struct pkt_ctx *l)
{
	if (holds(l, REQ_PDS_SVC_2, REQ_DST, l->next_hdr != PDS_NEXT_RESPONSE))
		return;
	actual(l->j, "next_hdr=response");
	because(l->j, "A request carries an SES response; those travel on "
		      "ACKs.");
}

/* "A target's requests on a PDC are limited to return data." */
static void target_requests(struct pkt_ctx *l)
{
	const bool asks = l->next_hdr >= PDS_NEXT_REQUEST_SMALL &&
			  l->next_hdr <= PDS_NEXT_REQUEST_STD;

	if (l->f->initiator != !l->from)
		return;
	if (asks && l->ses &&
	    !holds(l, REQ_UET_PDC_11, REQ_DST,
		   (l->ses[0] & 0x3f) != SES_DEFERRABLE_RTR)) {
		because(l->j, "A DEFERRABLE_RTR is in the return direction; it "
			      "must be on a PDC that its sender opened.");
		return;
	}
	if (!holds(l, REQ_PDS_IF_11, REQ_DST, !asks)) {
		expected(l->j, "next_hdr=response_data");
		actual(l->j, "next_hdr=%u", l->next_hdr);
		because(l->j, "The target sends a request of its own on the "
			      "PDC; it may only return data.");
		return;
	}
	if (l->next_hdr == PDS_NEXT_RESPONSE ||
	    holds(l, REQ_UET_ENC_31, REQ_DST, is_return(l->next_hdr)))
		return;
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "A return-direction request has next_hdr 5 or 6.");
}

/* "The next_hdr of a forward request names the SES request header" */
static void initiator_requests(struct pkt_ctx *l)
{
	if (l->f->initiator != (int)l->from || l->next_hdr == PDS_NEXT_RESPONSE)
		return;
	if (holds(l, REQ_UET_ENC_30, REQ_SRC,
		  l->next_hdr >= PDS_NEXT_REQUEST_SMALL &&
			  l->next_hdr <= PDS_NEXT_REQUEST_STD))
		return;
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "A forward request has next_hdr 1, 2 or 3.");
}

/*
 * A small or medium request is "a message of one packet: som = eom = 1"; the
 * place of hd is 0 in a small one.
 */
static void one_packet_message(struct pkt_ctx *l)
{
	const bool small = l->next_hdr == PDS_NEXT_REQUEST_SMALL;
	struct ses_small h;

	if (!l->ses || (!small && l->next_hdr != PDS_NEXT_REQUEST_MEDIUM))
		return;
	ses_small_get(&h, l->ses);
	if (holds(l, small ? REQ_UET_SES_11 : REQ_UET_SES_12, REQ_SRC,
		  h.som && h.eom && !(small && h.hd)))
		return;
	actual(l->j, "som=%u eom=%u hd=%u", h.som, h.eom, h.hd);
	because(l->j, "A %s request is a message of one packet%s.",
		small ? "small" : "medium", small ? " without hd" : "");
}

/* Reads the extension of an atomic request, if it is complete. */
static bool atomic_ext(const struct pkt_ctx *l, struct ses_atomic *ret)
{
	const struct packet *pkt = l->in->pkt;

	for (unsigned i = 0; i < pkt->nsec; i++) {
		if (pkt->sec[i].h != &ses_atomic_header)
			continue;
		ses_atomic_get(ret, pkt->p + pkt->sec[i].at);
		return !l->in->cut;
	}
	return false;
}

static bool is_vendors(uint8_t code)
{
	return code >= 0xe0 && code <= 0xfe;
}

/*
 * "AMO opcode, datatype, semantic_control, and 0"; "The AMO opcode is 0x00 to
 * 0x14 or a vendor's 0xE0 to 0xFE, the datatype 0x00 to 0x11 or a vendor's"
 */
static void atomic_values(struct pkt_ctx *l)
{
	struct ses_atomic h;

	if (!atomic_ext(l, &h))
		return;
	if (!holds(l, REQ_UET_SES_14, REQ_SRC, !h.rsvd_24)) {
		expected(l->j, "rsvd_24=0");
		actual(l->j, "rsvd_24=0x%02x", h.rsvd_24);
		because(l->j, "The last byte of the atomic extension is 0.");
	}
	if (holds(l, REQ_UET_SES_31, REQ_SRC,
		  (h.amo_opcode <= 0x14 || is_vendors(h.amo_opcode)) &&
			  (h.datatype <= 0x11 || is_vendors(h.datatype))))
		return;
	actual(l->j, "amo_opcode=0x%02x datatype=0x%02x", h.amo_opcode,
	       h.datatype);
	because(l->j, "A reserved AMO opcode or datatype is never sent.");
}

/* ---- Messages ---- */

static bool is_std(const struct pkt_ctx *l)
{
	return ses_rules_is_first(l) && l->next_hdr == PDS_NEXT_REQUEST_STD;
}

/*
 * Returns true if the message's last seen packet was sent just before this one.
 * If the judge is not at the source's link, packets may be reordered or
 * missing, so that only the PSN shows it.
 */
static bool comes_next(const struct pkt_ctx *l, const struct message *m)
{
	return m && (at_link(l, l->from) || l->psn == m->last + 1);
}

/* "message_id of a standard request is never 0, except in a DATAGRAM_SEND." */
static void ses_rules_message_id_zero(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;

	if (!is_std(l))
		return;
	if (holds(l, REQ_UET_SES_05, REQ_SRC,
		  h->message_id || h->opcode == SES_DATAGRAM_SEND))
		return;
	actual(l->j, "message_id=0");
	because(l->j, "message_id 0 is reserved.");
}

/*
 * "All packets of one message use one PDC": this message began on another one.
 * No message has the reserved message_id 0, so UET-SES-05 alone judges that.
 */
static void message_began_here(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;
	const struct message *m;

	if (!is_std(l) || !h->message_id)
		return;
	m = message_slot(l->own, h->message_id);
	if (h->som || (m->used && m->id != h->message_id) || m->evicted)
		return;
	if (holds(l, REQ_RUD_SVC_0m, REQ_SRC, m->used))
		return;
	actual(l->j, "psn=%" PRIu32 " message_id=0x%04x", l->psn,
	       h->message_id);
	because(l->j,
		"A later packet of message 0x%04x, which did not begin "
		"on this PDC.",
		h->message_id);
}

/*
 * The same rule for a PDC that begins with such a packet, at any vantage point.
 */
static void message_began_before(struct pkt_ctx *l)
{
	if (at_link(l, l->from) || !is_std(l) || l->from != 0 ||
	    !l->f->syn_start_known || l->psn != l->f->syn_start ||
	    !l->std.message_id)
		return;
	if (holds(l, REQ_RUD_SVC_0m, REQ_SRC, l->std.som))
		return;
	actual(l->j, "psn=%" PRIu32 " message_id=0x%04x", l->psn,
	       l->std.message_id);
	because(l->j,
		"The first packet of a PDC is a later packet of message "
		"0x%04x.",
		l->std.message_id);
}

/* "Messages are not interleaved on a PDC" */
static void message_interleaved(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;
	struct dir *d = l->own;

	if (!is_std(l) || !d->open)
		return;
	if (holds(l, REQ_UET_PDC_09, REQ_SRC,
		  h->message_id == d->open_id ||
			  !comes_next(l, message_find(d, d->open_id))))
		return;
	actual(l->j, "psn=%" PRIu32 " message_id=0x%04x", l->psn,
	       h->message_id);
	because(l->j,
		"Message 0x%04x continues before the last packet of "
		"message 0x%04x is sent.",
		h->message_id, d->open_id);
}

/* "som is 1 exactly in the first packet of a message" */
static void ses_rules_message_begins_twice(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;
	struct dir *d = l->own;

	if (!is_std(l) || !d->open || h->message_id != d->open_id)
		return;
	if (holds(l, REQ_UET_SES_04, REQ_SRC,
		  !h->som || !comes_next(l, message_find(d, h->message_id))))
		return;
	expected(l->j, "som=0");
	actual(l->j, "som=1");
	because(l->j, "som is set in a later packet of message 0x%04x.",
		h->message_id);
}

/* "header_data, which is 0 unless hd = 1" */
static void header_data(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;

	if (!is_std(l))
		return;
	if (!h->som || h->hd)
		return;
	if (holds(l, REQ_UET_SES_06, REQ_SRC, !h->header_data))
		return;
	expected(l->j, "header_data=0");
	actual(l->j, "header_data=0x%" PRIx64, h->header_data);
	because(l->j, "header_data is set without hd.");
}

/* A message is unfinished until its last packet is acknowledged. */
static bool still_open(struct pkt_ctx *l, const struct message *m)
{
	return !psn_acked(l->f, l->own, m->last);
}

/* "The initiator's message id is unique within a PDC" */
static void message_id_taken(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;
	struct message *m;

	if (!is_std(l))
		return;
	m = message_find(l->own, h->message_id);
	if (!h->som || (m && m->open))
		return;
	if (holds(l, REQ_RUD_SEQ_79a, REQ_SRC,
		  !comes_next(l, m) || !still_open(l, m)))
		return;
	actual(l->j, "psn=%" PRIu32 " message_id=0x%04x", l->psn,
	       h->message_id);
	because(l->j,
		"A new message has the id of an unfinished one, "
		"begun by PSN %" PRIu32 ".",
		m->first);
}

/* "request_length [...] is the length of the whole message, the same in each of
 * its packets" */
static void message_length(struct pkt_ctx *l)
{
	const struct pkt_std *h = &l->std;
	struct message *m;

	if (!is_std(l))
		return;
	m = message_find(l->own, h->message_id);
	if (h->som || !m || !m->open)
		return;
	if (holds(l, REQ_UET_SES_08, REQ_SRC,
		  h->request_length == m->length || !comes_next(l, m)))
		return;
	expected(l->j, "request_length=%" PRIu32, m->length);
	actual(l->j, "request_length=%" PRIu32, h->request_length);
	because(l->j, "request_length differs between packets of a message.");
}

/* Returns the length that a read request packet requests; 0 if it has none. */
static uint32_t asked_length(const struct pkt_ctx *l)
{
	struct ses_small small;
	struct ses_std std;

	ses_small_get(&small, l->ses);
	if (l->next_hdr != PDS_NEXT_REQUEST_STD)
		return small.request_length;
	if (!small.som) {
		ses_std_get(&std, l->ses);
		return std.payload_length;
	}
	if (l->std.eom)
		return l->std.request_length;
	return 0;
}

/* "A read request packet asks for at most one MTU of data" */
static void read_length(struct pkt_ctx *l)
{
	const uint32_t mtu = l->conf->mtu;
	uint32_t length;

	if (!ses_rules_is_first(l) || !mtu || !l->next_hdr ||
	    l->next_hdr > PDS_NEXT_REQUEST_STD ||
	    (l->ses[0] & 0x3f) != SES_READ)
		return;
	length = asked_length(l);
	if (holds(l, REQ_PDS_SVC_4, REQ_SRC, length <= mtu))
		return;
	expected(l->j, "request_length=%" PRIu32, mtu);
	actual(l->j, "request_length=%" PRIu32, length);
	because(l->j, "A read request packet requests more than one MTU.");
}

/* ---- Read data in the return direction ---- */

/*
 * Returns true for return data: a request of the target, or an ACK with data.
 */
static bool brings_data(const struct pkt_ctx *l)
{
	if (!l->ses)
		return false;
	if (l->kind == PKT_ACK) /* data_acked() judges ACKs of return data */
		return !(l->old && l->old->flags & PSN_DATA);
	return ses_rules_is_first(l);
}

/*
 * "data on return PSN 48 with the original message id": the id of a read on
 * this PDC.
 */
static void data_names_read(struct pkt_ctx *l)
{
	struct ses_response_data h;
	const struct message *m;

	if (!brings_data(l) || l->next_hdr != PDS_NEXT_RESPONSE_DATA)
		return;
	ses_response_data_get(&h, l->ses);
	m = message_slot(l->peer, h.read_request_message_id);
	if (m->used ? m->id != h.read_request_message_id : m->evicted)
		return; /* another message has replaced it */
	if (m->used && message_is_later(l, m))
		return;
	if (holds(l, REQ_RUD_SEQ_79, REQ_DST, m->used && m->read)) {
		shows(l, REQ_UET_SES_21, REQ_DST);
		if (m->first != m->last)
			shows(l, REQ_RUD_SEQ_81, REQ_DST);
		return;
	}
	actual(l->j, "read_request_message_id=0x%04x",
	       h.read_request_message_id);
	because(l->j,
		"Return data names message 0x%04x, which is no read of "
		"this PDC.",
		h.read_request_message_id);
}

/* "original_request_psn (333) ties data to request" */
static void data_names_psn(struct pkt_ctx *l)
{
	struct ses_response_data_small h;
	struct psn_state *s;
	uint32_t psn;

	if (!brings_data(l) || l->next_hdr != PDS_NEXT_RESPONSE_DATA_SMALL ||
	    !l->peer->any)
		return;
	ses_response_data_small_get(&h, l->ses);
	psn = h.original_request_psn;
	s = psn_find(l->f, l->peer, psn);
	if (!s && !serial_after(psn, l->peer->high))
		return; /* too old to be remembered */
	if (holds(l, REQ_RUD_SEQ_80, REQ_DST, s && s->flags & PSN_READ)) {
		shows(l, REQ_UET_SES_22, REQ_DST);
		return;
	}
	actual(l->j, "original_request_psn=%" PRIu32, psn);
	because(l->j,
		"Return data names PSN %" PRIu32 ", which is no read "
		"request of this PDC.",
		psn);
}

/* "if the message exceeds Max_ACK_Data_Size all use the return direction" */
static void data_too_long_for_ack(struct pkt_ctx *l, const struct message *m)
{
	const uint32_t max = l->conf->max_ack_data;

	if (l->kind != PKT_ACK)
		return;
	if (holds(l, REQ_RUD_SVC_8, REQ_DST, m->length <= max))
		return;
	actual(l->j, "ack_psn=%" PRIu32 " next_hdr=response_data", l->ack_psn);
	because(l->j,
		"The message is longer than Max_ACK_Data_Size, %" PRIu32
		" bytes, and its data comes in an ACK.",
		max);
}

/* "All read responses of one message go the same way" */
static void data_one_way(struct pkt_ctx *l)
{
	struct ses_response_data h;
	struct message *m;
	bool other;

	if (!brings_data(l) || l->next_hdr != PDS_NEXT_RESPONSE_DATA)
		return;
	ses_response_data_get(&h, l->ses);
	m = message_find(l->peer, h.read_request_message_id);
	if (!m || !m->read || message_is_later(l, m))
		return;
	other = l->kind == PKT_ACK ? m->via_return : m->via_ack;
	if (holds(l, REQ_RUD_SVC_8, REQ_DST, !other)) {
		data_too_long_for_ack(l, m);
		return;
	}
	actual(l->j, "read_request_message_id=0x%04x",
	       h.read_request_message_id);
	because(l->j,
		"Some data of message 0x%04x came in an ACK, some in the "
		"return direction.",
		h.read_request_message_id);
}

/* ---- The initiator's answer to return data ---- */

/* Returns true if this ACK acknowledges only one packet. */
static bool tells_of_one(const struct pkt_ctx *l)
{
	const struct dir *d = l->peer;

	return d->start_known && d->acked_to + 1 == l->ack_psn &&
	       l->ack.cack_psn == l->ack_psn;
}

/* "The initiator acknowledges return data by an ACK with next_hdr RESPONSE that
 * asks for no clear."  Other rules judge req, and an ACK without a SES header.
 */
static void data_acked(struct pkt_ctx *l)
{
	if (!(l->old->flags & PSN_DATA))
		return;
	if (holds(l, REQ_UET_ACK_36, REQ_SRC,
		  !l->ses || l->next_hdr == PDS_NEXT_RESPONSE)) {
		shows(l, REQ_RUD_SEQ_79, REQ_SRC);
		shows(l, REQ_RUD_SEQ_80, REQ_SRC);
		return;
	}
	expected(l->j, "next_hdr=response");
	actual(l->j, "next_hdr=%u", l->next_hdr);
	because(l->j, "Return data is acknowledged by a plain RESPONSE.");
}

/* "A response_message_id that the target assigned is echoed in an ACK that is
 * not coalesced." */
static void response_id_echoed(struct pkt_ctx *l)
{
	struct ses_response h;

	if (!(l->old->flags & PSN_DATA) || !l->old->message_id || !l->ses ||
	    l->next_hdr != PDS_NEXT_RESPONSE || !tells_of_one(l) ||
	    l->old->flags & PSN_WANTED)
		return;
	ses_response_get(&h, l->ses);
	if (l->retx && h.opcode == SES_DEFAULT_RESPONSE && !h.message_id)
		return; /* a trimmed duplicate has shown no id */
	if (holds(l, REQ_RUD_SEQ_79b, REQ_SRC,
		  h.message_id == l->old->message_id))
		return;
	expected(l->j, "message_id=0x%04x", l->old->message_id);
	actual(l->j, "message_id=0x%04x", h.message_id);
	because(l->j,
		"The ACK of return data %" PRIu32 " does not echo its "
		"response_message_id.",
		l->ack_psn);
}

const struct monitor rules_uet_ses[] = {
	{PKT_REQ | PKT_GAPS, response_in_request, ON(KEY_PDS)},
	{PKT_REQ, target_requests,
	 ON(KEY_PDS) | ON(KEY_SES) | ON(KEY_INITIATOR) | ON(KEY_FROM)},
	{PKT_REQ, initiator_requests,
	 ON(KEY_PDS) | ON(KEY_INITIATOR) | ON(KEY_FROM)},
	{PKT_REQ | PKT_RUDI | PKT_UUD | PKT_GAPS, one_packet_message,
	 ON(KEY_PDS) | ON(KEY_SES)},
	{PKT_REQ | PKT_RUDI | PKT_UUD | PKT_GAPS, atomic_values,
	 ON(REQ_HEADERS)},
	{PKT_REQ | PKT_RUDI | PKT_GAPS | PKT_NEW, ses_rules_message_id_zero,
	 ON(MESSAGE_ID) | ON(KEY_SES)},
	{PKT_REQ | PKT_HERE | PKT_NEW, message_began_here, ON(LINKED)},
	{PKT_REQ | PKT_SYN | PKT_NEW, message_began_before, ON(SYN)},
	{PKT_REQ | PKT_NEW, message_interleaved,
	 ON(MESSAGE) | ON(KEY_PDS) | ON(KEY_MESSAGE)},
	{PKT_REQ | PKT_NEW, ses_rules_message_begins_twice,
	 ON(MESSAGE) | ON(KEY_PDS) | ON(KEY_MESSAGE)},
	{PKT_REQ | PKT_RUDI | PKT_UUD | PKT_GAPS | PKT_NEW, header_data,
	 ON(MESSAGE_ID) | ON(KEY_SES)},
	{PKT_REQ | PKT_NEW, message_id_taken,
	 ON(MESSAGE) | ON(KEY_SES) | ON(KEY_MESSAGE)},
	{PKT_REQ | PKT_NEW, message_length,
	 ON(MESSAGE) | ON(KEY_SES) | ON(KEY_MESSAGE)},
	{PKT_REQ | PKT_RUDI | PKT_GAPS | PKT_NEW, read_length,
	 ON(READ_LENGTH) | ON(KEY_SES)},
	{PKT_REQ | PKT_ACK | PKT_DATA, data_names_read, ALWAYS},
	{PKT_REQ | PKT_ACK | PKT_DATA, data_names_psn, ALWAYS},
	{PKT_REQ | PKT_ACK | PKT_DATA, data_one_way, ALWAYS},
	{PKT_ACK | PKT_AGAIN, data_acked, ON(ANSWER_SES) | ON(KEY_DATA)},
	{PKT_ACK | PKT_AGAIN, response_id_echoed,
	 ON(ANSWER_SES) | ON(KEY_SES) | ON(KEY_ECHO)},
	{0, NULL, ALWAYS},
};
