/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/initiator/tx_rendezvous.c -- rendezvous sends, and the reads
 * that their targets make.
 *
 * The memory from which a message is read has a key of its own, made from the
 * message id.  No source says whether read_offset names the first byte of the
 * message or of its body: a setting chooses.
 *
 * Spec: UET 3.4.2 figure 3-15 (uet.md 5.5)
 */
#include "oracle/uet/ses/initiator/tx_rendezvous.h"

#include <string.h>

#include "base/memory.h"
#include "base/pattern.h"
#include "oracle/uet/ses/initiator/tx_msg.h"
#include "wire/frame/crc.h"

#define BODY_KEY   ((uint64_t)1 << 63)
#define BODY_START 0x100

bool tx_make_rendezvous(struct ses *ses, struct tx_msg *msg, uint32_t eager)
{
	const uint32_t mtu = ses->env->conf.mtu;
	uint8_t *bytes;

	msg->body_key = BODY_KEY | msg->req.message_id;
	if (bufs_expose(&ses->bufs, &ses->env->mem, ses->env->data_seed,
			msg->body_key, BODY_START, msg->len))
		return false;
	bytes = bufs_at(&ses->bufs, msg->body_key, BODY_START, msg->len);
	if (bytes)
		pattern_fill(bytes, ses->env->data_seed, msg->handle, 0,
			     msg->len);
	msg->rendezvous = true;
	msg->eager = eager < msg->len ? eager : msg->len;
	msg->npackets = msg->eager / mtu + (msg->eager % mtu != 0);
	if (!msg->npackets)
		msg->npackets = 1;
	return true;
}

uint32_t tx_pushed(const struct tx_msg *msg)
{
	return msg->rendezvous ? msg->eager : msg->len;
}

size_t tx_put_rendezvous(const struct ses *ses, const struct tx_msg *msg,
			 uint8_t *p)
{
	const bool rest = ses->env->conf.read_offset_of_rest;
	const struct ses_rendezvous h = {
		.eager_length = msg->eager,
		.read_ri_generation = ses->env->conf.ri_generation,
		.read_pid_on_fep = ses->env->conf.pid_on_fep,
		.read_resource_index = ses->env->conf.resource_index,
		.read_offset = BODY_START + (rest ? msg->eager : 0),
		.read_memory_key = msg->body_key,
	};

	ses_rendezvous_put(&h, p);
	return ses_rendezvous_len;
}

void tx_body_was_read(struct ses *ses, const struct ses_req *read, uint32_t len)
{
	for (uint32_t i = 0; i < ses->nmsgs; i++) {
		struct tx_msg *msg = &ses->msgs[i];

		if (!msg->live || !msg->rendezvous || msg->completed ||
		    msg->body_key != read->memory_key)
			continue;
		msg->served += len;
		tx_progress(ses, msg);
		return;
	}
}

static void free_body(struct tx_msg *msg)
{
	memory_free(msg->body->bytes);
	memory_free(msg->body);
	msg->body = NULL;
}

void tx_end_body(struct ses *ses, struct tx_msg *msg)
{
	const struct body *body = msg->body;
	const uint32_t eager = body->from.eager_length;
	struct ses_buf *last = &ses->bufs.last;
	struct orc_event *ev;

	if (msg->status == STATUS_OK && last->len >= msg->len &&
	    buf_room(last, &ses->env->mem, body->recv.len)) {
		memmove(last->bytes + eager, last->bytes, msg->len);
		memcpy(last->bytes, body->bytes, eager);
		last->len = body->recv.len;
		ev = env_event(ses->env, EV_RECV);
		*ev = body->recv;
		ev->digest = crc32c(0, last->bytes, last->len);
	}
	free_body(msg);
}

void tx_drop_bodies(struct ses *ses)
{
	for (uint32_t i = 0; i < ses->nmsgs; i++)
		if (ses->msgs[i].live && ses->msgs[i].body)
			free_body(&ses->msgs[i]);
}
