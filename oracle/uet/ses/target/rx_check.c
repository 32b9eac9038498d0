/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_check.c -- the checks of a request packet, and its
 * delivery to memory.
 *
 * Spec: UET 3.4.3.3 (uet.md 5.10)
 */
#include "oracle/uet/ses/target/rx_check.h"

#include <string.h>

#include "oracle/uet/ses/initiator/tx_defer.h"
#include "oracle/uet/ses/ses_idem.h"
#include "oracle/uet/ses/target/rx_defer.h"

static bool inside(uint64_t offset, uint64_t len, uint64_t size)
{
	return len <= size && offset <= size - len;
}

/* Returns true if the slice lies in its message. */
static bool slice_fits(const struct job *job)
{
	const struct ses_req *req = &job->req;

	if (req->request_length > SES_BUF_MAX)
		return false;
	return inside(req->message_offset, job->len, req->request_length);
}

bool rx_is_slow(const struct orc_conf *conf, const struct ses_req *req)
{
	return conf->slow_index && req->resource_index == conf->slow_index;
}

uint8_t rx_check_address(const struct ses *ses, const struct ses_req *req)
{
	const struct orc_conf *conf = &ses->env->conf;

	if (req->job_id != conf->job_id)
		return RC_BAD_JOB_ID;
	if (req->pid_on_fep != conf->pid_on_fep)
		return RC_BAD_PID;
	if (req->resource_index != conf->resource_index &&
	    !rx_is_slow(conf, req))
		return RC_BAD_INDEX;
	return RC_OK;
}

static uint8_t check_send(struct ses *ses, const struct job *job)
{
	if (!slice_fits(job))
		return RC_TOO_LONG;
	if (rx_is_first(job) && rx_is_restarted(job))
		return rx_take_deferred(ses, job);
	if (rx_is_first(job) && rx_is_deferrable(job) &&
	    rx_is_slow(&ses->env->conf, &job->req))
		return RC_NO_MATCH;
	if (rx_is_first(job))
		return bufs_match(&ses->bufs, job->req.request_length,
				  rx_is_tagged(job), job->req.memory_key);
	return RC_OK;
}

/* A target asks for a deferrable send of this endpoint. */
static uint8_t check_restart(struct ses *ses, const struct job *job)
{
	return tx_knows_token(ses, &job->req) ? RC_OK : RC_NO_MATCH;
}

static uint8_t check_access(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;

	if (!bufs_region(&ses->bufs, req->memory_key))
		return RC_BAD_MKEY;
	if (!slice_fits(job))
		return RC_BAD_ADDR;
	if (!bufs_exposes(&ses->bufs, req->memory_key, req->buffer_offset,
			  req->request_length))
		return RC_BAD_ADDR;
	return RC_OK;
}

/* "A read request packet asks for at most one MTU of data" (3.5.3). */
static uint8_t check_read(struct ses *ses, const struct job *job)
{
	if (job->len > ses->env->conf.mtu)
		return RC_UNSUPPORTED_SIZE;
	return check_access(ses, job);
}

/*
 * Returns true for one packet with an operand for each byte, or without
 * operands.
 */
static bool amo_is_whole(const struct job *job)
{
	const struct ses_req *req = &job->req;
	const bool operand = amo_has_operand(job->amo.opcode);

	return req->som && req->eom &&
	       job->len == (operand ? req->request_length : 0);
}

static uint8_t check_atomic(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	const uint8_t rc = amo_check(&job->amo, rx_fetches(req),
				     req->buffer_offset, req->request_length);

	if (rc != RC_OK)
		return rc;
	if (!amo_is_whole(job))
		return RC_AMO_UNSUPPORTED_SIZE;
	return check_access(ses, job);
}

static uint8_t check_nothing(struct ses *ses, const struct job *job)
{
	(void)ses;
	(void)job;
	return RC_OK;
}

/* MSG_ERROR ends a message (table 3-17); the response repeats the reason. */
static uint8_t check_ended(struct ses *ses, const struct job *job)
{
	(void)ses;
	(void)job;
	return RC_INITIATOR_ERROR;
}

static void deliver_nothing(struct ses *ses, const struct job *job)
{
	(void)ses;
	(void)job;
}

void rx_deliver_send(struct ses *ses, const struct job *job)
{
	struct ses_buf *buf = job->msg ? &job->msg->data : &ses->bufs.last;
	const size_t end = job->req.message_offset + (size_t)job->len;

	if (!buf_room(buf, &ses->env->mem, end))
		return;
	if (!job->msg || !job->msg->got)
		buf->len = 0;
	if (job->req.message_offset > buf->len)
		memset(buf->bytes + buf->len, 0,
		       job->req.message_offset - buf->len);
	memcpy(buf->bytes + job->req.message_offset, job->payload, job->len);
	if (end > buf->len)
		buf->len = end;
}

static void deliver_write(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	uint8_t *at = bufs_at(&ses->bufs, req->memory_key, req->buffer_offset,
			      req->request_length);

	memcpy(at + req->message_offset, job->payload, job->len);
}

/* Executed on delivery, which happens once. */
static void deliver_atomic(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	uint8_t *at = bufs_at(&ses->bufs, req->memory_key, req->buffer_offset,
			      req->request_length);

	if (rx_fetches(req))
		memcpy(ses->old, at, req->request_length);
	amo_apply(&job->amo, at, job->payload, req->request_length);
}

struct op_rule {
	uint8_t (*check)(struct ses *ses, const struct job *job);
	void (*deliver)(struct ses *ses, const struct job *job);
	bool receives; /* causes EV_RECV when the message is whole */
};

static const struct op_rule op_rules[64] = {
	[SES_NO_OP] = {check_nothing, deliver_nothing, false},
	[SES_SEND] = {check_send, rx_deliver_send, true},
	[SES_TAGGED_SEND] = {check_send, rx_deliver_send, true},
	[SES_DEFERRABLE_SEND] = {check_send, rx_deliver_send, true},
	[SES_DEFERRABLE_TSEND] = {check_send, rx_deliver_send, true},
	[SES_DEFERRABLE_RTR] = {check_restart, deliver_nothing, false},
	[SES_RENDEZVOUS_SEND] = {check_send, rx_deliver_send, true},
	[SES_RENDEZVOUS_TSEND] = {check_send, rx_deliver_send, true},
	[SES_WRITE] = {check_access, deliver_write, true},
	[SES_READ] = {check_read, deliver_nothing, false},
	[SES_ATOMIC] = {check_atomic, deliver_atomic, true},
	[SES_FETCHING_ATOMIC] = {check_atomic, deliver_atomic, false},
	[SES_MSG_ERROR] = {check_ended, deliver_nothing, false},
};

/*
 * Refuses operations that RUDI would execute twice, because a duplicate may
 * arrive.
 */
static bool suits_mode(const struct job *job)
{
	return rx_on_pdc(job) ||
	       ses_idempotent(job->req.opcode, job->amo.opcode);
}

uint8_t rx_check(struct ses *ses, const struct job *job)
{
	const struct op_rule *rule = &op_rules[job->req.opcode];
	const uint8_t wanted = job->policy.return_code;
	uint8_t rc;

	/* RC_OK: the request is executed, so it has to be right */
	if (wanted && wanted != RC_OK)
		return wanted;
	if (!rule->check || !suits_mode(job))
		return RC_UNSUPPORTED_OP;
	rc = rx_check_address(ses, &job->req);
	if (rc != RC_OK)
		return rc;
	return rule->check(ses, job);
}

/* Keeps the bytes of a write that its source has written. */
static void deliver_short_write(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	const struct ses_buf *region = bufs_region(&ses->bufs, req->memory_key);
	const uint64_t at =
		req->buffer_offset - region->start + req->message_offset;

	memcpy(bufs_part(&ses->bufs, region, at), job->payload,
	       env_written(ses->env, job->len));
}

void rx_deliver(struct ses *ses, const struct job *job)
{
	const struct op_rule *rule = &op_rules[job->req.opcode];

	if (ses->env->conf.short_payload && job->req.opcode == SES_WRITE)
		deliver_short_write(ses, job);
	else if (rule->deliver)
		rule->deliver(ses, job);
}

bool rx_receives(const struct job *job)
{
	return op_rules[job->req.opcode].receives;
}
