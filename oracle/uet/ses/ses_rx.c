/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_rx.c -- the SES of a target: packets to messages, and
 * exactly one response to each packet.
 *
 * What the response says is decided in this order: a policy of the driver, an
 * error that the message already has, the checks below. Whether it is
 * guaranteed follows from it, unless the policy says: errors are, and read data
 * in an ACK is; an ordinary success is not (uet.md 5.10).
 *
 * Spec: UET 3.4.3.3, 3.5.12.1 (uet.md 5.10, 7.5)
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "oracle/uet/pds/pds_table.h"
#include "oracle/uet/pds/pds_tx.h"
#include "oracle/uet/ses/ses.h"

void rx_init(struct ses *ses)
{
	ses->nrx_msgs = 0;
	ses->free_rx_msg = SES_NONE;
	ses->nrets = 0;
	ses->free_ret = SES_NONE;
	ses->nqueues = 0;
	ses->free_queue = SES_NONE;
	ses->last_response_id = 0;
	ses->has_policy = false;
	idmap_clear(&ses->rx_by_key);
	idmap_clear(&ses->queue_by_pdc);
}

/* A request packet that is being answered. */
struct job {
	const struct ses_rx *rx;
	struct ses_req req;
	const uint8_t *payload;
	/* length of the payload, or of the slice that a read requests */
	uint32_t len;
	struct amo amo; /* extensions of an atomic */
	struct ses_policy policy;
	struct rx_msg *msg; /* NULL: the packet is the whole message */
};

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

/* ---- Messages of several packets ---- */

static uint64_t msg_key(const struct job *job)
{
	return (uint64_t)job->rx->orig_pdcid << 16 | job->req.message_id;
}

static struct rx_msg *take_rx_msg(struct ses *ses, uint32_t *ret_index)
{
	uint32_t i = ses->free_rx_msg;
	struct rx_msg *msgs;

	*ret_index = i;
	if (i != SES_NONE) {
		ses->free_rx_msg = ses->rx_msgs[i].next;
		return &ses->rx_msgs[i];
	}
	msgs = mem_grow(&ses->env->mem, ses->rx_msgs, &ses->rx_msg_cap,
			ses->nrx_msgs + (size_t)1, sizeof(*msgs));
	if (!msgs)
		return NULL;
	ses->rx_msgs = msgs;
	*ret_index = ses->nrx_msgs;
	return &msgs[ses->nrx_msgs++];
}

static void ses_rx_give_back(struct ses *ses, struct rx_msg *msg)
{
	idmap_del(&ses->rx_by_key, msg->key);
	msg->next = ses->free_rx_msg;
	ses->free_rx_msg = (uint32_t)(msg - ses->rx_msgs);
}

static bool ses_rx_has_room(const struct ses *ses)
{
	const uint32_t limit = ses->env->conf.max_ses_msgs;

	return !limit || ses->rx_by_key.n < limit;
}

static struct rx_msg *ses_rx_open_msg(struct ses *ses, uint64_t key)
{
	uint32_t index;
	struct rx_msg *msg =
		ses_rx_has_room(ses) ? take_rx_msg(ses, &index) : NULL;

	if (!msg)
		return NULL;
	*msg = (struct rx_msg){.key = key, .data = msg->data};
	msg->data.len = 0;
	if (idmap_put(&ses->rx_by_key, &ses->env->mem, key, index))
		return msg;
	msg->next = ses->free_rx_msg;
	ses->free_rx_msg = index;
	return NULL;
}

void rx_pdc_closed(struct ses *ses, uint16_t pdcid)
{
	uint32_t queue;

	for (uint32_t i = 0; i < ses->nrx_msgs; i++) {
		struct rx_msg *msg = &ses->rx_msgs[i];
		uint32_t index;

		if (msg->key >> 16 == pdcid &&
		    idmap_get(&ses->rx_by_key, msg->key, &index) && index == i)
			ses_rx_give_back(ses, msg);
	}
	if (idmap_get(&ses->queue_by_pdc, pdcid, &queue)) {
		idmap_del(&ses->queue_by_pdc, pdcid);
		ses->queues[queue].next = ses->free_queue;
		ses->free_queue = queue;
	}
}

/* ---- Return data ---- */

/*
 * |p| has room for SES_HDR_MAX and the data.  Return: false if the data is
 * gone.
 */
static bool write_data(const struct ses *ses, const struct ret *ret, uint8_t *p,
		       uint16_t *ret_len)
{
	const struct ses_buf *region = bufs_region(&ses->bufs, ret->key);
	const size_t len = ret->rsp.payload_length;
	size_t at;

	if (ret->fetched) {
		at = ses_rsp_put(&ret->rsp, p);
		memcpy(p + at, ret->old, len);
		*ret_len = (uint16_t)(at + len);
		return true;
	}
	if (!region || region->len < len || ret->at > region->len - len)
		return false;
	at = ses_rsp_put(&ret->rsp, p);
	memcpy(p + at, region->bytes + ret->at, len);
	*ret_len = (uint16_t)(at + len);
	return true;
}

/* Return: as ses_pds_tx_ret. */
static int send_return(struct ses *ses, const struct ret *ret)
{
	struct ses_tx tx = {
		.next_hdr = ret->rsp.next_hdr,
		.som = ret->som,
		.eom = ret->eom,
		.return_data = true,
		.orig_pdcid = ret->pdcid,
		.msg_id = ret->rsp.message_id,
		.pkt = ses->scratch,
	};

	if (!write_data(ses, ret, ses->scratch, &tx.pkt_len))
		return ERR_VALUE;
	return tx_return(ses, &tx, ret->rx_pkt_handle);
}

static uint32_t take_queue(struct ses *ses)
{
	const uint32_t i = ses->free_queue;
	struct ret_queue *queues;

	if (i != SES_NONE) {
		ses->free_queue = ses->queues[i].next;
		return i;
	}
	queues = mem_grow(&ses->env->mem, ses->queues, &ses->queue_cap,
			  ses->nqueues + (size_t)1, sizeof(*queues));
	if (!queues)
		return SES_NONE;
	ses->queues = queues;
	return ses->nqueues++;
}

static struct ret_queue *queue_for(struct ses *ses, uint16_t pdcid)
{
	uint32_t i;

	if (idmap_get(&ses->queue_by_pdc, pdcid, &i))
		return &ses->queues[i];
	i = take_queue(ses);
	if (i == SES_NONE)
		return NULL;
	ses->queues[i].head = SES_NONE;
	if (idmap_put(&ses->queue_by_pdc, &ses->env->mem, pdcid, i))
		return &ses->queues[i];
	ses->queues[i].next = ses->free_queue;
	ses->free_queue = i;
	return NULL;
}

static uint32_t take_ret(struct ses *ses)
{
	const uint32_t i = ses->free_ret;
	struct ret *rets;

	if (i != SES_NONE) {
		ses->free_ret = ses->rets[i].next;
		return i;
	}
	rets = mem_grow(&ses->env->mem, ses->rets, &ses->ret_cap,
			ses->nrets + (size_t)1, sizeof(*rets));
	if (!rets)
		return SES_NONE;
	ses->rets = rets;
	return ses->nrets++;
}

static void enqueue(struct ses *ses, const struct ret *ret)
{
	struct ret_queue *queue = queue_for(ses, ret->pdcid);
	const uint32_t i = queue ? take_ret(ses) : SES_NONE;

	if (i == SES_NONE)
		return;
	ses->rets[i] = *ret;
	ses->rets[i].next = SES_NONE;
	if (queue->head == SES_NONE)
		queue->head = i;
	else
		ses->rets[queue->tail].next = i;
	queue->tail = i;
}

static bool must_queue(const struct ses *ses, uint16_t pdcid)
{
	uint32_t i;

	return idmap_get(&ses->queue_by_pdc, pdcid, &i) &&
	       ses->queues[i].head != SES_NONE;
}

static void return_data(struct ses *ses, const struct ret *ret)
{
	if (must_queue(ses, ret->pdcid) || send_return(ses, ret) == ERR_SPACE)
		enqueue(ses, ret);
}

void rx_pump(struct ses *ses, uint16_t pdcid)
{
	uint32_t q;

	if (!idmap_get(&ses->queue_by_pdc, pdcid, &q))
		return;
	while (ses->queues[q].head != SES_NONE) {
		const uint32_t i = ses->queues[q].head;

		if (send_return(ses, &ses->rets[i]) == ERR_SPACE)
			return;
		ses->queues[q].head = ses->rets[i].next;
		ses->rets[i].next = ses->free_ret;
		ses->free_ret = i;
	}
}

/* ---- Checks: RC_OK, or the error ---- */

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

static bool ses_rx_is_first(const struct job *job)
{
	return !job->msg || job->msg->got == 0;
}

static uint8_t check_address(const struct ses *ses, const struct ses_req *req)
{
	const struct orc_conf *conf = &ses->env->conf;

	if (req->job_id != conf->job_id)
		return RC_BAD_JOB_ID;
	if (req->pid_on_fep != conf->pid_on_fep)
		return RC_BAD_PID;
	if (req->resource_index != conf->resource_index)
		return RC_BAD_INDEX;
	return RC_OK;
}

static uint8_t check_send(struct ses *ses, const struct job *job)
{
	if (!slice_fits(job))
		return RC_TOO_LONG;
	if (ses_rx_is_first(job))
		return bufs_match(&ses->bufs, job->req.request_length);
	return RC_OK;
}

static bool on_pdc(const struct job *job)
{
	return job->rx->mode == OP_RUD || job->rx->mode == OP_ROD;
}

static uint8_t check_access(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	const struct ses_buf *region = bufs_region(&ses->bufs, req->memory_key);

	if (!region)
		return RC_BAD_MKEY;
	if (!slice_fits(job))
		return RC_BAD_ADDR;
	if (!inside(req->buffer_offset, req->request_length, region->len))
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

static bool ses_rx_fetches(const struct ses_req *req)
{
	return req->opcode == SES_FETCHING_ATOMIC;
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
	const uint8_t rc = amo_check(&job->amo, ses_rx_fetches(req),
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

/* ---- Delivery of a packet that passed ---- */

static void deliver_nothing(struct ses *ses, const struct job *job)
{
	(void)ses;
	(void)job;
}

static void deliver_send(struct ses *ses, const struct job *job)
{
	struct ses_buf *buf = job->msg ? &job->msg->data : &ses->bufs.last;
	const size_t end = job->req.message_offset + (size_t)job->len;

	if (!buf_room(buf, &ses->env->mem, end))
		return;
	memcpy(buf->bytes + job->req.message_offset, job->payload, job->len);
	buf->len = job->req.request_length;
}

static void deliver_write(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	const struct ses_buf *region = bufs_region(&ses->bufs, req->memory_key);
	const uint64_t at = req->buffer_offset + req->message_offset;

	memcpy(region->bytes + at, job->payload, job->len);
}

/* Executed on delivery, which happens once. */
static void deliver_atomic(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;
	const struct ses_buf *region = bufs_region(&ses->bufs, req->memory_key);
	uint8_t *at = region->bytes + req->buffer_offset;

	if (ses_rx_fetches(req))
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
	[SES_SEND] = {check_send, deliver_send, true},
	[SES_WRITE] = {check_access, deliver_write, true},
	[SES_READ] = {check_read, deliver_nothing, false},
	[SES_ATOMIC] = {check_atomic, deliver_atomic, true},
	[SES_FETCHING_ATOMIC] = {check_atomic, deliver_atomic, false},
};

/* In RUDI another copy may come, and would be executed as well. */
static bool suits_mode(const struct job *job)
{
	return on_pdc(job) || ses_idempotent(job->req.opcode, job->amo.opcode);
}

static uint8_t ses_rx_check(struct ses *ses, const struct job *job)
{
	const struct op_rule *rule = &op_rules[job->req.opcode];
	uint8_t rc;

	if (job->policy.return_code)
		return job->policy.return_code;
	if (!rule->check || !suits_mode(job))
		return RC_UNSUPPORTED_OP;
	rc = check_address(ses, &job->req);
	if (rc != RC_OK)
		return rc;
	return rule->check(ses, job);
}

/* ---- Responses ---- */

/* A response with its bytes and the return data behind it. */
struct ses_rx_answer {
	struct ses_tx_rsp rsp;
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
	const bool counted = std && on_pdc(job);

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

	if (!ses_rx_fetches(&job->req))
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

	if (on_pdc(job) && !fits_ack(ses, job)) {
		answer_plain(ses, job, RC_OK, ret);
		ret->has_ret = true;
		ret->ret = data;
		return;
	}
	if (!write_data(ses, &data, ses->scratch, &ret->rsp.rsp_len)) {
		if (!on_pdc(job)) /* there is no default response */
			answer_plain(ses, job, RC_BAD_ADDR, ret);
		return;
	}
	ret->rsp.gtd_del = true; /* a default response would lose the data */
	ret->rsp.again = !ses_rx_fetches(&job->req);
	ret->rsp.next_hdr = data.rsp.next_hdr;
	ret->rsp.rsp = ses->scratch;
}

static void ses_rx_hold(struct ses *ses, const struct job *job,
			const struct ses_rx_answer *answer, vtime due)
{
	struct env *env = ses->env;
	struct held *held;

	if (!timers_reserve(&env->timers, &env->mem))
		return;
	held = mem_new(&env->mem, sizeof(*held) + answer->rsp.rsp_len);
	if (!held) {
		timers_release(&env->timers);
		return;
	}
	held->timer.kind = TIMER_RSP;
	held->rx_pkt_handle = job->rx->rx_pkt_handle;
	held->rsp = answer->rsp;
	memcpy(held->bytes, answer->rsp.rsp, answer->rsp.rsp_len);
	held->rsp.rsp = held->bytes;
	held->has_ret = answer->has_ret;
	held->ret = answer->ret;
	held->next = ses->held;
	if (held->next)
		held->next->prev = held;
	ses->held = held;
	timers_set(&env->timers, &held->timer, due);
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
		if (h->has_ret && h->rx_pkt_handle >> 16 == pdcid &&
		    (!last || h->timer.at > last->timer.at))
			last = h;
	return last;
}

/* The response first, then the data (figure 3-79). */
static void send_answer(struct ses *ses, uint32_t rx_pkt_handle,
			const struct ses_tx_rsp *rsp, const struct ret *ret)
{
	if (ses_pds_tx_rsp(ses->pds, rx_pkt_handle, rsp))
		return;
	if (ret)
		return_data(ses, ret);
}

void ses_release(struct ses *ses, const struct held *held)
{
	send_answer(ses, held->rx_pkt_handle, &held->rsp,
		    held->has_ret ? &held->ret : NULL);
}

static bool returns_data(const struct ses_req *req)
{
	return req->opcode == SES_READ || ses_rx_fetches(req);
}

static void respond(struct ses *ses, const struct job *job, uint8_t rc)
{
	struct ses_rx_answer answer = {.has_ret = false};
	vtime due = ses->env->now + job->policy.delay;
	const struct held *ahead;

	if (job->policy.manual)
		return;
	if (returns_data(&job->req) && rc == RC_OK)
		answer_read(ses, job, &answer);
	else
		answer_plain(ses, job, rc, &answer);
	ahead = ses_rx_ahead_of(ses, job, &answer);
	if (ahead) /* |ahead| may be overdue */
		due = vtime_max(due, ahead->timer.at + 1);
	if (ahead || due > ses->env->now)
		ses_rx_hold(ses, job, &answer, due);
	else
		send_answer(ses, job->rx->rx_pkt_handle, &answer.rsp,
			    answer.has_ret ? &answer.ret : NULL);
}

static void ses_rx_refuse(struct ses *ses, const struct ses_rx *rx,
			  uint8_t code)
{
	const struct ses_tx_rsp nack = {.ses_nack = code};

	ses_pds_tx_rsp(ses->pds, rx->rx_pkt_handle, &nack);
}

static void tell_request(struct ses *ses, const struct job *job)
{
	struct orc_event *ev = env_event(ses->env, EV_PDS_SES_RX_REQ);

	ev->handle = job->rx->rx_pkt_handle;
	ev->message_id = job->req.message_id;
	ev->orig_pdcid = job->rx->orig_pdcid;
	ev->orig_psn = job->rx->orig_psn;
	ev->next_hdr = job->rx->next_hdr;
	ev->opcode = job->req.opcode;
	ev->som = job->req.som;
	ev->eom = job->req.eom;
	ev->len = job->len;
}

static void tell_message(struct ses *ses, const struct job *job)
{
	struct orc_event *ev = env_event(ses->env, EV_RECV);

	ev->handle = job->rx->rx_pkt_handle;
	ev->message_id = job->req.message_id;
	ev->orig_pdcid = job->rx->orig_pdcid;
	ev->orig_psn = job->rx->orig_psn;
	ev->next_hdr = job->rx->next_hdr;
	ev->opcode = job->req.opcode;
	ev->len = job->req.request_length;
	ev->return_code = RC_OK;
}

/* Keeps the bytes of a whole message as the last message received. */
static void ses_rx_keep(struct ses *ses, const struct job *job)
{
	struct ses_buf last = ses->bufs.last;

	if (!job->msg || job->req.opcode != SES_SEND)
		return;
	ses->bufs.last = job->msg->data;
	job->msg->data = last;
}

/* Counts the packet; the message ends with its last byte. */
static void ses_rx_advance(struct ses *ses, const struct job *job, uint8_t rc)
{
	const struct op_rule *rule = &op_rules[job->req.opcode];

	if (job->msg) {
		job->msg->got += job->len;
		if (job->msg->got < job->req.request_length)
			return;
	} else if (!job->req.som || !job->req.eom) {
		return; /* the rest is unknown here */
	}
	if (rc == RC_OK && rule->receives) {
		ses_rx_keep(ses, job);
		tell_message(ses, job);
	}
	if (job->msg)
		ses_rx_give_back(ses, job->msg);
}

/*
 * "When any packet of a message errs the whole message does; not all of its
 * responses need be guaranteed" (3.5.20.2.4): the first error is reported,
 * later packets get a neutral response.
 */
static uint8_t ses_rx_judge(struct ses *ses, struct job *job)
{
	uint8_t rc;

	if (job->msg && job->msg->return_code)
		return RC_NULL;
	rc = ses_rx_check(ses, job);
	if (job->msg && rc != RC_OK)
		job->msg->return_code = rc;
	return rc;
}

/*
 * Returns the length that a read requests: its slice, or all of a single
 * packet's message.
 */
static uint32_t wanted(const struct ses *ses, const struct ses_req *req)
{
	const uint32_t mtu = ses->env->conf.mtu;

	if (!req->som)
		return req->slice;
	return req->request_length < mtu ? req->request_length : mtu;
}

static bool ses_rx_is_atomic(const struct ses_req *req)
{
	return req->opcode == SES_ATOMIC || ses_rx_fetches(req);
}

/* The payload of an atomic begins behind its extensions. */
static void read_extension(struct job *job)
{
	const int n = amo_get(&job->amo, job->payload, job->len);

	if (n < 0) {
		job->req.opcode = SES_MSG_ERROR; /* truncated header */
		return;
	}
	job->payload += n;
	job->len -= (uint32_t)n;
}

/*
 * Finds the message of a packet.  Return: false if there is no memory to track
 * it.
 */
static bool find_message(struct ses *ses, struct job *job)
{
	const struct ses_req *req = &job->req;
	uint32_t index;

	if ((req->som && req->eom) || req->next_hdr != PDS_NEXT_REQUEST_STD ||
	    !on_pdc(job))
		return true;
	if (idmap_get(&ses->rx_by_key, msg_key(job), &index))
		job->msg = &ses->rx_msgs[index];
	else
		job->msg = ses_rx_open_msg(ses, msg_key(job));
	return job->msg;
}

/* Returns true if a datagram is for us, whole, and has a receive. */
static bool takes_datagram(struct ses *ses, const struct job *job)
{
	const struct ses_req *req = &job->req;

	return req->opcode == SES_DATAGRAM_SEND && req->som && req->eom &&
	       req->request_length == job->len &&
	       check_address(ses, req) == RC_OK &&
	       bufs_match(&ses->bufs, job->len) == RC_OK;
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
	deliver_send(ses, &job);
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
		job.req.opcode = SES_MSG_ERROR; /* not even a whole header */
	} else {
		job.payload = rx->pkt + n;
		job.len = (uint32_t)(rx->pkt_len - (size_t)n);
	}
	if (job.req.opcode == SES_READ)
		job.len = wanted(ses, &job.req);
	if (ses_rx_is_atomic(&job.req))
		read_extension(&job);
	if (n > 0 && !find_message(ses, &job)) {
		ses_rx_refuse(ses, rx, NACK_NO_SES_MSG_AVAIL);
		return;
	}
	tell_request(ses, &job);
	rc = ses_rx_judge(ses, &job);
	if (rc == RC_OK && op_rules[job.req.opcode].deliver)
		op_rules[job.req.opcode].deliver(ses, &job);
	respond(ses, &job, rc);
	ses_rx_advance(ses, &job, rc);
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
