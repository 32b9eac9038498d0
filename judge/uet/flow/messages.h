/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge/uet/flow/messages.h -- stores the messages of a direction.
 */
#ifndef JUDGE_UET_FLOW_MESSAGES_H
#define JUDGE_UET_FLOW_MESSAGES_H

#include "judge/uet/flow.h"

struct pkt_ctx;

/* message_slot returns the message in the slot of an id: that message, another
 * one, or an unused slot. */
const struct message *message_slot(const struct dir *d, uint16_t id);

/*
 * message_keeps_place returns true if the slot of |id| holds another message
 * that is open, so that there should be more slots.  With FLOW_MESSAGES slots,
 * the older message is replaced.
 */
bool message_keeps_place(const struct dir *d, uint16_t id);

/* message_room returns the slot of a message that the packet belongs to, or
 * NULL if there is no memory. */
struct message *message_room(struct pkt_ctx *l, struct dir *d, uint16_t id);

/*
 * message_is_later returns true if |l| is the ACK of a PSN before the message:
 * an initiator may use the id of a complete message again, and the ACK of the
 * earlier one may come once more.
 */
bool message_is_later(const struct pkt_ctx *l, const struct message *m);

/*
 * message_take_return records in which kind of packet the data of a read came:
 * in an ACK, or in a request of the target.
 */
void message_take_return(struct pkt_ctx *l);

#endif
