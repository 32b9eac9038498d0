/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/messages.c -- stores the messages of a direction.
 *
 * Spec: UET 3.5.11 (uet.md 7)
 */
#include "judge/uet/flow/messages.h"

#include "base/hot.h"
#include "judge/core/state.h"
#include "judge/uet/pkt_ctx.h"

const struct message *message_slot(const struct dir *d, uint16_t id)
{
	static const struct message none, gone = {.evicted = true};
	static const struct message lost = {
		.used = true, .read = true, .evicted = true};
	const struct message *m;

	if (!d->message_slots)
		return d->lost_messages ? &lost : &none;
	m = message_place(d, id);
	if (m->used && !ring_meet(m->id, id, d->nmessages))
		return m->evicted ? &gone : &none;
	return m;
}

/*
 * The slot is free or already holds this message id.  A replaced message leaves
 * a mark in the slot of its id.
 */
static bool flow_message_fits(const struct dir *d, uint16_t id)
{
	const struct message *m;

	if (!d->message_slots)
		return false;
	m = message_place(d, id);
	return !m->used || m->id == id;
}

static bool more_messages(struct pkt_ctx *l, struct dir *d)
{
	struct flow_hot *h = l->f->hot;
	struct pool *pool = &l->j->table.pool;
	const uint8_t was = d->message_slots;
	const uint8_t n = was ? (uint8_t)(2 * was) : FLOW_FIRST_MESSAGES;
	const bool first = !h->dir[0].message_slots && !h->dir[1].message_slots;
	struct message *p =
		first ? h->messages : pool_take(pool, n * sizeof(*p));

	if (!p)
		return false;
	for (uint32_t i = 0; !was && i < n; i++)
		p[i].evicted = d->lost_messages;
	for (uint32_t i = 0; i < was; i++) {
		const struct message *m = &d->messages[i];

		p[i].evicted = p[i + was].evicted = m->evicted;
		if (m->used)
			p[m->id & (n - 1)] = *m;
	}
	hot_give_messages(pool, h, d);
	d->messages = p;
	d->message_slots = n;
	return true;
}

bool message_keeps_place(const struct dir *d, uint16_t id)
{
	const struct message *m = message_slot(d, id);

	return d->nmessages < FLOW_MESSAGES && m->used && m->id != id &&
	       m->open;
}

struct message *message_room(struct pkt_ctx *l, struct dir *d, uint16_t id)
{
	const bool all = !l->conf->window || l->conf->window == FLOW_WINDOW;

	if (!d->nmessages)
		d->nmessages = all ? FLOW_MESSAGES : FLOW_FIRST_MESSAGES;
	while (message_keeps_place(d, id))
		d->nmessages *= 2;
	while (d->message_slots < d->nmessages && !flow_message_fits(d, id))
		if (!more_messages(l, d))
			d->nmessages = d->message_slots;
	return d->message_slots ? message_place(d, id) : NULL;
}

bool message_is_later(const struct pkt_ctx *l, const struct message *m)
{
	return l->kind == PKT_ACK && l->has_ack_psn &&
	       serial_before(l->ack_psn, m->first);
}

/* Return data names its read: records in which kind of packet the data came. */
void message_take_return(struct pkt_ctx *l)
{
	struct ses_response_data h;
	struct message *m;

	ses_response_data_get(&h, l->ses);
	m = message_find(l->peer, h.read_request_message_id);
	if (!m || message_is_later(l, m))
		return;
	if (l->kind == PKT_ACK)
		m->via_ack = true;
	else
		m->via_return = true;
}
