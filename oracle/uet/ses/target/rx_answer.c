/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_answer.c -- the response to a request packet, sent
 * at once or held back.
 *
 * Errors and read data carried in an ACK are guaranteed unless the policy says
 * otherwise; an ordinary success is not (uet.md 5.10).
 *
 * Spec: UET 3.4.3.3, 3.5.12.1 (uet.md 5.10, 7.5)
 */
#include "oracle/uet/ses/target/rx_answer.h"

#include <string.h>

#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/target/rx_check.h"
#include "oracle/uet/ses/target/rx_data.h"
#include "oracle/uet/ses/target/rx_defer.h"

/* A response with its bytes and the return data behind it, or either alone. */
struct ses_rx_answer {
	struct ses_tx_rsp rsp;
	bool data_only;
	bool has_ret;
	struct ret ret;
};

static bool guaranteed(const struct job *job, bool stateful)
{
	switch (job->policy.gtd) {
	case OP_GTD_NO:
		return false;
	case OP_GTD_YES:
		return true;
	case OP_GTD_AUTO:
		break;
	}
	return stateful;
}

static struct ses_rsp ses_rx_plain_response(const struct ses *ses,
					    const struct job *job,
					    uint8_t return_code)
{
	return (struct ses_rsp){
		.next_hdr = PDS_NEXT_RESPONSE,
		.opcode = SES_RESPONSE,
		.return_code = return_code,
		.message_id = job->req.message_id,
		.ri_generation = ses->env->conf.ri_generation,
		.job_id = job->req.job_id,
		.modified_length =
			return_code == RC_OK ? job->req.request_length : 0,
	};
}

/*
 * Returns the id that the target gives to all return data of one read (fig.
 * 3-79).
 */
static uint16_t response_id(struct ses *ses, const struct job *job)
{
	if (job->msg && job->msg->response_message_id)
		return job->msg->response_message_id;
	if (!++ses->last_response_id)
		ses->last_response_id = 1;
	if (job->msg)
		job->msg->response_message_id = ses->last_response_id;
	return ses->last_response_id;
}

static struct ret describe_slice(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	const bool std = req->next_hdr == PDS_NEXT_REQUEST_STD;
	const bool counted = std && rx_on_pdc(job);

	return (struct ret){
		.rsp =
			{
				.next_hdr = std ? PDS_NEXT_RESPONSE_DATA
						: PDS_NEXT_RESPONSE_DATA_SMALL,
				.opcode = SES_RESPONSE_W_DATA,
				.return_code = RC_OK,
				.message_id =
					counted ? response_id(ses, job) : 0,
				.job_id = req->job_id,
				.read_request_message_id = req->message_id,
				.original_request_psn = job->rx->orig_psn,
				.payload_length = (uint16_t)job->len,
				.modified_length = job->len,
				.message_offset = req->message_offset,
			},
		.pdcid = job->rx->orig_pdcid,
		.rx_pkt_handle = job->rx->rx_pkt_handle,
		.key = req->memory_key,
		.at = req->buffer_offset + req->message_offset,
		.som = req->som,
		.eom = req->eom,
	};
}

/*
 * The result of an atomic is kept at once: memory may change before it is sent.
 */
static struct ret describe_data(struct ses *ses, const struct job *job)
{
	struct ret ret = describe_slice(ses, job);

	if (!rx_fetches(&job->req))
		return ret;
	ret.fetched = true;
	ret.rsp.payload_length = (uint16_t)job->req.request_length;
	ret.rsp.modified_length = job->req.request_length;
	memcpy(ret.old, ses->old, job->req.request_length);
	return ret;
}

/*
 * "If the message exceeds Max_ACK_Data_Size all of its responses use the return
 * direction, even a last small one" (3.5.20.1-8).
 */
static bool fits_ack(const struct ses *ses, const struct job *job)
{
	return job->req.request_length <= ses->env->conf.max_ack_data;
}

static void answer_plain(struct ses *ses, const struct job *job, uint8_t rc,
			 struct ses_rx_answer *ret)
{
	const struct ses_rsp rsp = ses_rx_plain_response(ses, job, rc);
	const bool error = rc != RC_OK && rc != RC_NULL;

	ret->rsp.gtd_del = guaranteed(job, error);
	ret->rsp.next_hdr = PDS_NEXT_RESPONSE;
	ret->rsp.rsp_len = (uint16_t)ses_rsp_put(&rsp, ses->scratch);
	ret->rsp.rsp = ses->scratch;
}

static void answer_read(struct ses *ses, const struct job *job,
			struct ses_rx_answer *ret)
{
	const struct ret data = describe_data(ses, job);

	if (rx_on_pdc(job) && !fits_ack(ses, job)) {
		answer_plain(ses, job, RC_OK, ret);
		ret->has_ret = true;
		ret->ret = data;
		return;
	}
	if (!rx_write_data(ses, &data, ses->scratch, &ret->rsp.rsp_len)) {
		if (!rx_on_pdc(job)) /* there is no default response */
			answer_plain(ses, job, RC_BAD_ADDR, ret);
		return;
	}
	ret->rsp.gtd_del = true; /* a default response would lose the data */
	ret->rsp.again = !rx_fetches(&job->req);
	ret->rsp.next_hdr = data.rsp.next_hdr;
	ret->rsp.rsp = ses->scratch;
}

/*
 * Defers a message.  No source says by which response; neither is an ordinary
 * success, so it is guaranteed.
 */
static void answer_deferral(struct ses *ses, const struct job *job,
			    struct ses_rx_answer *ret)
{
	const uint8_t code = ses->env->conf.defer_rc;
	struct ses_rsp rsp =
		ses_rx_plain_response(ses, job, code ? code : RC_OK);

	rsp.list = code ? SES_LIST_EXPECTED : SES_LIST_OVERFLOW;
	rsp.modified_length = 0;
	ret->rsp.gtd_del = guaranteed(job, true);
	ret->rsp.next_hdr = PDS_NEXT_RESPONSE;
	ret->rsp.rsp_len = (uint16_t)ses_rsp_put(&rsp, ses->scratch);
	ret->rsp.rsp = ses->scratch;
}

/* Returns a new entry of |held| that is due then; NULL: no memory. */
static struct held *ses_rx_due(struct ses *ses, size_t len, vtime due)
{
	struct env *env = ses->env;
	struct held *held;

	if (!timers_reserve(&env->timers, &env->mem))
		return NULL;
	held = mem_new(&env->mem, sizeof(*held) + len);
	if (!held) {
		timers_release(&env->timers);
		return NULL;
	}
	held->timer.kind = TIMER_RSP;
	held->next = ses->held;
	if (held->next)
		held->next->prev = held;
	ses->held = held;
	timers_set(&env->timers, &held->timer, due);
	return held;
}

void rx_match_at(struct ses *ses, vtime due)
{
	struct held *held = ses_rx_due(ses, 0, due);

	if (held)
		held->recv_only = true;
}

static void ses_rx_hold(struct ses *ses, uint32_t rx_pkt_handle,
			const struct ses_rx_answer *answer, vtime due)
{
	struct held *held = ses_rx_due(ses, answer->rsp.rsp_len, due);

	if (!held)
		return;
	held->rx_pkt_handle = rx_pkt_handle;
	held->rsp = answer->rsp;
	if (answer->rsp.rsp_len)
		memcpy(held->bytes, answer->rsp.rsp, answer->rsp.rsp_len);
	held->rsp.rsp = held->bytes;
	held->data_only = answer->data_only;
	held->has_ret = answer->has_ret;
	held->ret = answer->ret;
}

/*
 * Returns the last response for which the read data has to wait: data of a ROD
 * PDC does not overtake that of earlier packets (3.5.7.2).  The PDS orders the
 * ACKs.
 */
static const struct held *ses_rx_ahead_of(const struct ses *ses,
					  const struct job *job,
					  const struct ses_rx_answer *answer)
{
	const uint32_t pdcid = job->rx->orig_pdcid;
	const struct held *last = NULL;

	if (!job->rx->ordered || !answer->has_ret)
		return NULL;
	for (const struct held *h = ses->held; h; h = h->next)
		if (h->has_ret && !h->data_only &&
		    h->rx_pkt_handle >> 16 == pdcid &&
		    (!last || h->timer.at > last->timer.at))
			last = h;
	return last;
}

/*
 * Sends return data when it has been read: each packet takes read_time, one
 * after the other (figure 3-81).
 */
static void send_data(struct ses *ses, const struct ret *ret)
{
	const struct ses_rx_answer data = {
		.data_only = true,
		.has_ret = true,
		.ret = *ret,
	};
	vtime from = ses->env->now;

	if (!ses->env->conf.read_time) {
		rx_return_data(ses, ret);
		return;
	}
	for (const struct held *h = ses->held; h; h = h->next)
		if (h->data_only && h->ret.pdcid == ret->pdcid)
			from = vtime_max(from, h->timer.at);
	ses_rx_hold(ses, ret->rx_pkt_handle, &data,
		    from + ses->env->conf.read_time);
}

/* The response first, then the data (figure 3-79). */
static void send_answer(struct ses *ses, uint32_t rx_pkt_handle,
			const struct ses_tx_rsp *rsp, const struct ret *ret)
{
	if (ses_pds_tx_rsp(ses->pds, rx_pkt_handle, rsp))
		return;
	if (ret)
		send_data(ses, ret);
}

void rx_release(struct ses *ses, const struct held *held)
{
	if (held->recv_only)
		rx_match_deferred(ses);
	else if (held->data_only)
		rx_return_data(ses, &held->ret);
	else
		send_answer(ses, held->rx_pkt_handle, &held->rsp,
			    held->has_ret ? &held->ret : NULL);
}

static bool returns_data(const struct ses_req *req)
{
	return req->opcode == SES_READ || rx_fetches(req);
}

void rx_respond(struct ses *ses, const struct job *job, uint8_t rc)
{
	struct ses_rx_answer answer = {.has_ret = false};
	vtime due = ses->env->now + job->policy.delay;
	const struct held *ahead;

	if (job->policy.manual)
		return;
	if (rx_is_slow(&ses->env->conf, &job->req) && !rx_is_deferrable(job))
		due += ses->env->conf.slow_time;
	if (returns_data(&job->req) && rc == RC_OK)
		answer_read(ses, job, &answer);
	else if (job->deferred)
		answer_deferral(ses, job, &answer);
	else
		answer_plain(ses, job, rc, &answer);
	ahead = ses_rx_ahead_of(ses, job, &answer);
	if (ahead) /* |ahead| may be overdue */
		due = vtime_max(due, ahead->timer.at + 1);
	if (ahead || due > ses->env->now)
		ses_rx_hold(ses, job->rx->rx_pkt_handle, &answer, due);
	else
		send_answer(ses, job->rx->rx_pkt_handle, &answer.rsp,
			    answer.has_ret ? &answer.ret : NULL);
}
