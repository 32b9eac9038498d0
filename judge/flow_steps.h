/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/flow_steps.h -- what a packet changes in its flow, in steps that both
 * ways take: that of every packet (flow.c) and the straight one (straight.c).
 *
 * Spec: UET 3.5.8.2, 3.5.11, 3.6.9 (uet.md 6, 7, 8.5)
 */
#ifndef JUDGE_FLOW_STEPS_H
#define JUDGE_FLOW_STEPS_H

#include "base/hot.h"
#include "judge/state.h"

/* Of a request with CC section, standard header and compare-and-swap. */
#define FLOW_CC_HEADERS (16 + 44 + 36)

/* step_lose notes a state that gives way to a later one of its flow. */
static inline void step_lose(struct dir *d, const struct psn_state *s)
{
	d->lost = d->lost_any ? serial_max(d->lost, s->psn) : s->psn;
	d->lost_any = true;
}

/* step_sent: so many bytes of UET arrived for the first time. */
static inline void step_sent(struct dir *d, struct psn_state *s, size_t len)
{
	s->size = (uint16_t)(len < UINT16_MAX ? len : UINT16_MAX);
	d->sums.sent += s->size;
	d->sums.npkts++;
}

/* step_message notes a packet of a standard request where its message stands.
 */
static inline void step_message(struct dir *d, struct message *m,
				const struct look_std *h, bool read,
				uint32_t psn)
{
	if (h->som || !m->used || m->id != h->message_id) {
		const bool evicted =
			m->evicted || (m->used && m->id != h->message_id);

		*m = (struct message){.used = true, .id = h->message_id};
		m->evicted = evicted;
		m->first = psn;
		m->length = h->request_length;
		m->read = read;
	}
	m->open = !h->eom;
	m->last = psn;
	d->open = !h->eom;
	d->open_id = h->message_id;
}

/* step_release: everything up to a PSN is cleared, rightly or not.  Return:
 * whether that is more than before. */
static inline bool step_release(struct dir *d, uint32_t psn)
{
	if (d->released_known && !serial_after(psn, d->released))
		return false;
	d->released_known = true;
	d->released = psn;
	return true;
}

/* step_syn_done: its initiator has shown that it knows the TPDCID. */
static inline void step_syn_done(struct flow *f, uint32_t psn)
{
	f->syn_done = true;
	f->syn_done_psn = psn;
}

/* step_clear: CLEAR_PSN, one that its source may send. */
static inline void step_clear(struct dir *d, uint32_t clear)
{
	if (!d->clear_known || serial_after(clear, d->clear))
		d->clear = clear;
	d->clear_known = true;
}

/* step_cover: an ACK covers a PSN. */
static inline void step_cover(struct dir *d, struct psn_state *s, vtime at)
{
	const bool first = !(s->flags & PSN_ACKED);

	if (first) {
		d->sums.acked += s->size;
		d->sums.acked_npkts += s->size != 0;
		if (s->size > FLOW_CC_HEADERS)
			d->sums.acked_payload += s->size - FLOW_CC_HEADERS;
	}
	if (first || s->told_at == VTIME_NEVER)
		s->told_at = at;
	s->flags |= PSN_ACKED;
	if (!(s->flags & PSN_AGAIN))
		s->flags &= ~(uint32_t)PSN_DUE;
}

/* step_answer: the response to a PSN, the first with an SES header. */
static inline void step_answer(struct psn_state *s, const uint8_t *ses)
{
	s->answer_code = (uint8_t)((ses[0] & 3) << 6 | (ses[1] & 0x3f));
	s->flags |= PSN_OWN_ACK;
}

/* step_acked_to goes on to where the first PSN is that is not acknowledged. */
static inline void step_acked_to(struct flow *f, struct dir *d)
{
	const struct psn_state *s;

	if (likely(d->cack_known))
		d->acked_to = serial_max(d->acked_to, d->cack);
	while (unlikely(serial_before(d->acked_to, d->high)) &&
	       (s = psn_find(f, d, d->acked_to + 1)) && s->flags & PSN_ACKED)
		d->acked_to++;
}

#endif
