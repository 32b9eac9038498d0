/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_request.c -- the SES of a target: packets to
 * messages, and exactly one response to each packet.
 *
 * The response is decided in this order: a policy of the driver, an error that
 * the message already has, the checks of rx_check.c.
 *
 * Spec: UET 3.4.3.3, 3.5.12.1 (uet.md 5.10, 7.5)
 */
#include "oracle/uet/ses/target/rx_request.h"

#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/initiator/tx_defer.h"
#include "oracle/uet/ses/initiator/tx_rendezvous.h"
#include "oracle/uet/ses/target/rx_answer.h"
#include "oracle/uet/ses/target/rx_check.h"
#include "oracle/uet/ses/target/rx_data.h"
#include "oracle/uet/ses/target/rx_defer.h"
#include "oracle/uet/ses/target/rx_job.h"
#include "oracle/uet/ses/target/rx_msg.h"
#include "oracle/uet/ses/target/rx_rendezvous.h"
#include "wire/frame/crc.h"

void rx_init(struct ses *ses)
{
	ses->nrx_msgs = 0;
	ses->free_rx_msg = SES_NONE;
	ses->nrets = 0;
	ses->free_ret = SES_NONE;
	ses->nqueues = 0;
	ses->free_queue = SES_NONE;
	ses->ndeferred = 0;
	ses->last_token = 0;
	ses->last_response_id = 0;
	ses->has_policy = false;
	idmap_clear(&ses->rx_by_key);
	idmap_clear(&ses->queue_by_pdc);
}

int rx_policy(struct ses *ses, const struct orc_op *op)
{
	ses->policy = op->policy;
	ses->policy_left = op->policy.count;
	ses->has_policy = true;
	return 0;
}

/* Returns the policy for this packet; all 0 if there is none. */
static struct ses_policy ses_rx_take_policy(struct ses *ses)
{
	const struct ses_policy policy = ses->policy;

	if (!ses->has_policy)
		return (struct ses_policy){0};
	if (policy.count && --ses->policy_left == 0)
		ses->has_policy = false;
	return policy;
}

void rx_fail_packet(struct ses *ses, uint32_t rx_pkt_handle, uint16_t pdcid,
		    struct pds_error err)
{
	struct orc_event *ev = env_event(ses->env, EV_PDS_SES_ERROR);

	ev->rx_pkt_handle = rx_pkt_handle;
	ev->orig_pdcid = pdcid;
	ev->orig_psn = err.psn;
	ev->status = err.status;
	ev->nack_code = err.nack_code;
}

static void ses_rx_refuse(struct ses *ses, const struct ses_rx *rx,
			  uint8_t code)
{
	const struct ses_tx_rsp nack = {.ses_nack = code};

	ses_pds_tx_rsp(ses->pds, rx->rx_pkt_handle, &nack);
}

/* Begins an event with the fields that identify the request. */
static struct orc_event *ses_rx_event(struct ses *ses, const struct job *job,
				      enum orc_event_kind kind)
{
	struct orc_event *ev = env_event(ses->env, kind);

	ev->handle = job->rx->rx_pkt_handle;
	ev->message_id = job->req.message_id;
	ev->orig_pdcid = job->rx->orig_pdcid;
	ev->orig_psn = job->rx->orig_psn;
	ev->next_hdr = job->rx->next_hdr;
	ev->opcode = job->req.opcode;
	return ev;
}

static void tell_request(struct ses *ses, const struct job *job)
{
	struct orc_event *ev = ses_rx_event(ses, job, EV_PDS_SES_RX_REQ);

	ev->som = job->req.som;
	ev->eom = job->req.eom;
	ev->len = job->len;
}

/* Returns true for a send on a PDC. */
static bool rx_is_send(const struct job *job)
{
	return job->req.opcode == SES_SEND ||
	       job->req.opcode == SES_TAGGED_SEND || rx_is_deferrable(job) ||
	       rx_is_rendezvous(&job->req);
}

/* A forged request_length may exceed the bytes that came. */
static void tell_message(struct ses *ses, const struct job *job)
{
	const struct ses_buf *last = &ses->bufs.last;
	struct orc_event *ev = ses_rx_event(ses, job, EV_RECV);

	ev->len = job->req.request_length;
	ev->return_code = RC_OK;
	if (rx_is_send(job) || job->req.opcode == SES_DATAGRAM_SEND)
		ev->digest = crc32c(0, last->bytes,
				    ev->len < last->len ? ev->len : last->len);
}

/* Keeps the bytes of a whole message as the last message received. */
static void ses_rx_keep(struct ses *ses, const struct job *job)
{
	struct ses_buf last = ses->bufs.last;

	if (!job->msg || !rx_is_send(job))
		return;
	ses->bufs.last = job->msg->data;
	job->msg->data = last;
}

/* Counts the packet; the message ends with its last byte, or MSG_ERROR. */
static void ses_rx_advance(struct ses *ses, const struct job *job, uint8_t rc)
{
	if (job->req.opcode == SES_MSG_ERROR) {
		if (job->msg)
			rx_give_back(ses, job->msg);
		return;
	}
	if (job->msg && rx_is_rendezvous(&job->req) &&
	    rx_eager_came(ses, job, rc))
		return;
	if (job->msg) {
		job->msg->got += job->len;
		if (job->msg->got < job->req.request_length)
			return;
	} else if (!job->req.som || !job->req.eom) {
		return; /* the remaining length is unknown here */
	}
	if (rc == RC_OK && rx_receives(job)) {
		ses_rx_keep(ses, job);
		tell_message(ses, job);
	}
	if (job->msg)
		rx_give_back(ses, job->msg);
}

/*
 * "When any packet of a message errs the whole message does; not all of its
 * responses need be guaranteed" (3.5.20.2.4): the first error is reported,
 * later packets get a neutral response.
 */
static uint8_t ses_rx_judge(struct ses *ses, struct job *job)
{
	uint8_t rc;

	if (job->msg && job->msg->return_code) {
		if (job->msg->return_code == RC_NO_MATCH && rx_defer(ses, job))
			rx_match_deferred(ses); /* posted in the meantime */
		return RC_NULL;
	}
	rc = rx_check(ses, job);
	if (job->msg && rc != RC_OK)
		job->msg->return_code = rc;
	if (rc == RC_NO_MATCH)
		job->deferred = rx_defer(ses, job);
	return rc;
}

/* Returns true if a datagram is for us, whole, and has a receive. */
static bool takes_datagram(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;

	return req->opcode == SES_DATAGRAM_SEND && req->som && req->eom &&
	       req->request_length == job->len &&
	       rx_check_address(ses, req) == RC_OK &&
	       bufs_match(&ses->bufs, job->len, false, 0) == RC_OK;
}

/* A datagram gets no answer; a refused one is lost. */
static void rx_datagram(struct ses *ses, const struct ses_rx *rx)
{
	struct job job = {.rx = rx};
	const int n = ses_req_get(&job.req, rx->next_hdr, rx->pkt, rx->pkt_len);

	if (n < 0) {
		env_drop(ses->env, DROP_SHORT);
		return;
	}
	job.payload = rx->pkt + n;
	job.len = (uint32_t)(rx->pkt_len - (size_t)n);
	if (!takes_datagram(ses, &job)) {
		env_drop(ses->env, DROP_REFUSED);
		return;
	}
	ses->env->stats.delivered++;
	tell_request(ses, &job);
	rx_deliver_send(ses, &job);
	tell_message(ses, &job);
}

static void ses_rx_request(struct ses *ses, const struct ses_rx *rx)
{
	struct job job = {.rx = rx};
	const int n = ses_req_get(&job.req, rx->next_hdr, rx->pkt, rx->pkt_len);
	uint8_t rc;

	job.policy = ses_rx_take_policy(ses);
	if (job.policy.nack_code) {
		ses_rx_refuse(ses, rx, job.policy.nack_code);
		return;
	}
	if (n < 0) {
		job.req.opcode = SES_EXTENDED; /* not even a whole header */
	} else {
		job.payload = rx->pkt + n;
		job.len = (uint32_t)(rx->pkt_len - (size_t)n);
	}
	if (job.req.opcode == SES_READ)
		job.len = rx_wanted(ses, &job.req);
	if (rx_is_atomic(&job.req) || rx_is_rendezvous(&job.req))
		rx_read_extension(&job);
	if (n > 0 && !rx_find_message(ses, &job)) {
		ses_rx_refuse(ses, rx, NACK_NO_SES_MSG_AVAIL);
		return;
	}
	tell_request(ses, &job);
	rc = ses_rx_judge(ses, &job);
	if (rc == RC_OK)
		rx_deliver(ses, &job);
	rx_respond(ses, &job, rc);
	ses_rx_advance(ses, &job, rc);
	if (rc == RC_OK && job.req.opcode == SES_READ)
		tx_body_was_read(ses, &job.req, job.len);
	if (rc == RC_OK && job.req.opcode == SES_DEFERRABLE_RTR)
		tx_ask_restart(ses, &job.req);
}

void rx_take_request(struct ses *ses, const struct ses_rx *rx)
{
	if (rx->mode == OP_UUD)
		rx_datagram(ses, rx);
	else
		ses_rx_request(ses, rx);
}

int rx_raw_response(struct ses *ses, const struct orc_op *op)
{
	const struct pds_op *p = &op->pds;
	const bool given = p->pkt && p->pkt_len;
	const struct ses_tx_rsp rsp = {
		.gtd_del = p->gtd_del,
		.ses_nack = p->ses_nack,
		.next_hdr = given ? p->next_hdr : PDS_NEXT_RESPONSE,
		.rsp = given ? p->pkt : NULL,
		.rsp_len = p->pkt_len,
	};

	return ses_pds_tx_rsp(ses->pds, p->rx_pkt_handle, &rsp);
}

void rx_pdc_closed(struct ses *ses, uint16_t pdcid)
{
	rx_msgs_closed(ses, pdcid);
	rx_data_closed(ses, pdcid);
}
