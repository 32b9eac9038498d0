/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/pkt_place.c -- finds the state of a packet's PSN, and the cases of
 * the packet.
 *
 * Spec: UET 3.5.8.2 (uet.md 6)
 */
#include "judge/uet/pkt_place.h"

#include "base/hot.h"
#include "judge/uet/flow/messages.h"
#include "judge/uet/flow/ring.h"

bool pkt_may_be_copied(const struct psn_state *s, uint32_t clear,
		       uint16_t entropy)
{
	if (s->copies > 1 || !(s->flags & PSN_FRESH))
		return true;
	return clear == psn_clear(s) && entropy == s->entropy;
}

/*
 * A network duplicate has the bytes of the copy before and retx = 0.  If the
 * judge is not at the source's link, any place on the way may have duplicated
 * it.  At that link only the capture or a mirror can, and it does so before any
 * time-out or NACK. If the judge also saw every packet, it is no duplicate.
 */
static bool is_net_dup(const struct pkt_ctx *l)
{
	const struct psn_state *s = l->old;

	if (likely(!s) || l->retx || l->hash != s->hash ||
	    knows_all(l, l->from))
		return false;
	if (!at_link(l, l->from))
		return l->kind == PKT_CP ||
		       pkt_may_be_copied(s, l->clear, l->in->d->entropy);
	return !(s->flags & PSN_NACKED) &&
	       (!l->conf->rto_init || l->at - s->sent_at < l->conf->rto_init);
}

/*
 * Returns true for a PSN beyond the range of the destination, which therefore
 * does not receive it.  Its PSN does not mean that the PSNs before it were
 * skipped.
 */
static bool pkt_is_beyond(const struct pkt_ctx *l)
{
	const int32_t range = (int32_t)dir_range(l->own, l->conf);

	return seen_all(l) && l->own->start_known &&
	       serial_diff(l->psn, l->own->seen_to) > range &&
	       !knows_all(l, l->from);
}

/* The first captured SYN may be up to 4095 PSNs above its Start_PSN. */
static bool is_out_of_window(const struct pkt_ctx *l)
{
	const bool syn = l->syn && l->from == 0;
	const uint32_t high = l->own->any ? l->own->high : l->start - 1;
	const int32_t ahead = serial_diff(l->psn, high);

	if (unlikely(!l->own->any) && !syn)
		return false;
	return (likely(l->own->any) && psn_forgotten(l->own, l->psn)) ||
	       (seen_all(l) && ahead >= FLOW_WINDOW) || pkt_is_beyond(l);
}

HOT void pkt_place(struct pkt_ctx *l)
{
	if (l->kind == PKT_ACK) {
		if (l->has_ack_psn)
			l->old = psn_find(l->f, l->peer, l->ack_psn);
	} else if (l->kind == PKT_NACK) {
		l->old = psn_find(l->f, l->peer, l->psn);
	} else {
		l->old = psn_find(l->f, l->own, l->psn);
	}
	if (!l->takes_psn)
		return;
	l->out_of_window = is_out_of_window(l);
	l->net_dup = is_net_dup(l);
}

unsigned pkt_cases(const struct pkt_ctx *l)
{
	const bool data = l->next_hdr == PDS_NEXT_RESPONSE_DATA ||
			  l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL;

	/*
	 * All monitors check packets without a PDC; they test the cases
	 * themselves.
	 */
	return (l->f->complete || l->kind >= PKT_RUDI ? PKT_COMPLETE : 0u) |
	       (at_link(l, l->from) ? PKT_HERE : 0u) |
	       (at_link(l, !l->from) ? PKT_THERE : 0u) |
	       (l->old ? PKT_AGAIN : PKT_NEW) | (l->f->rod ? PKT_ROD : 0u) |
	       (l->syn ? PKT_SYN : 0u) | (l->has_cc ? PKT_CC : 0u) |
	       (data ? PKT_DATA : 0u) |
	       (l->conf->here_only && !at_link(l, l->from) ? PKT_ASIDE : 0u) |
	       (l->in->d->crc != DGRAM_CRC_NONE ? PKT_CRC : 0u);
}

bool pkt_read_of(struct pkt_ctx *l, uint32_t *ret_psn, uint32_t *ret_offset)
{
	struct ses_response_data_small tiny;
	struct ses_response_data data;
	const struct message *m;

	if (!l->ses || l->next_hdr < PDS_NEXT_RESPONSE_DATA)
		return false;
	*ret_offset = 0;
	if (l->next_hdr == PDS_NEXT_RESPONSE_DATA_SMALL) {
		ses_response_data_small_get(&tiny, l->ses);
		*ret_psn = tiny.original_request_psn;
		return true;
	}
	ses_response_data_get(&data, l->ses);
	m = message_find(l->peer, data.read_request_message_id);
	if (!m)
		return false;
	*ret_psn = m->first;
	*ret_offset = data.message_offset;
	return true;
}
