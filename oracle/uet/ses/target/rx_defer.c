/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_defer.c -- deferrable sends that found no receive.
 *
 * Spec: UET 3.4.2.1, 3.5.8.1 (uet.md 5.2, 6.1)
 */
#include "oracle/uet/ses/target/rx_defer.h"

#include <string.h>

#include "oracle/uet/ses/initiator/tx_post.h"
#include "oracle/uet/ses/target/rx_answer.h"
#include "oracle/uet/ses/target/rx_check.h"

static uint32_t initiator_token_of(const struct job *job)
{
	return (uint32_t)(job->req.buffer_offset >> 32);
}

static uint32_t target_token_of(const struct job *job)
{
	return (uint32_t)job->req.buffer_offset;
}

bool rx_is_restarted(const struct job *job)
{
	return rx_is_deferrable(job) && target_token_of(job);
}

static struct deferred *take_place(struct ses *ses)
{
	struct deferred *all =
		mem_grow(&ses->env->mem, ses->deferred, &ses->deferred_cap,
			 ses->ndeferred + 1, sizeof(*all));

	if (!all)
		return NULL;
	ses->deferred = all;
	return &all[ses->ndeferred++];
}

/*
 * Returns when the slow application posts the receive: a time after the packet
 * of the message that was deferred first.
 */
static vtime receive_at(const struct ses *ses, const struct job *job)
{
	const vtime at = ses->env->now + ses->env->conf.slow_time;

	if (!job->msg)
		return at;
	if (!job->msg->receive_at)
		job->msg->receive_at = at;
	return job->msg->receive_at;
}

bool rx_defer(struct ses *ses, const struct job *job)
{
	const bool slow = rx_is_slow(&ses->env->conf, &job->req);
	struct deferred *d;
	vtime from;

	if (!rx_is_deferrable(job) || rx_is_restarted(job))
		return false;
	from = slow ? receive_at(ses, job) : 0;
	if (!job->req.som)
		return true;
	d = take_place(ses);
	if (!d)
		return false;
	if (!++ses->last_token)
		ses->last_token = 1;
	*d = (struct deferred){
		.fep = job->rx->src_fep,
		.mode = job->rx->mode,
		.initiator_token = initiator_token_of(job),
		.target_token = ses->last_token,
		.len = job->req.request_length,
		.tagged = rx_is_tagged(job),
		.tag = job->req.memory_key,
		.from = from,
	};
	if (slow && from >= ses->env->now)
		rx_match_at(ses, from);
	return true;
}

uint8_t rx_take_deferred(struct ses *ses, const struct job *job)
{
	for (size_t i = 0; i < ses->ndeferred; i++) {
		struct deferred *d = &ses->deferred[i];
		const uint8_t rc = d->return_code;

		if (!d->matched || d->fep != job->rx->src_fep ||
		    d->initiator_token != initiator_token_of(job) ||
		    d->target_token != target_token_of(job))
			continue;
		ses->ndeferred--;
		memmove(d, d + 1, (ses->ndeferred - i) * sizeof(*d));
		return rc;
	}
	return RC_NO_MATCH;
}

void rx_match_deferred(struct ses *ses)
{
	for (size_t i = 0; i < ses->ndeferred; i++) {
		struct deferred *d = &ses->deferred[i];

		if (d->matched || d->from > ses->env->now)
			continue;
		d->return_code =
			bufs_match(&ses->bufs, d->len, d->tagged, d->tag);
		d->matched = d->return_code != RC_NO_MATCH;
		if (d->matched)
			tx_ready_to_restart(ses, d);
	}
}
