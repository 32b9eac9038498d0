/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/target/rx_job.c -- a request packet that is being answered.
 *
 * Spec: UET 3.4.3.3 (uet.md 5)
 */
#include "oracle/uet/ses/target/rx_job.h"

bool rx_on_pdc(const struct job *job)
{
	return job->rx->mode == OP_RUD || job->rx->mode == OP_ROD;
}

bool rx_is_first(const struct job *job)
{
	return !job->msg || job->msg->got == 0;
}

bool rx_is_deferrable(const struct job *job)
{
	return job->req.opcode == SES_DEFERRABLE_SEND ||
	       job->req.opcode == SES_DEFERRABLE_TSEND;
}

bool rx_is_tagged(const struct job *job)
{
	return job->req.opcode == SES_TAGGED_SEND ||
	       job->req.opcode == SES_DEFERRABLE_TSEND ||
	       job->req.opcode == SES_RENDEZVOUS_TSEND;
}

bool rx_is_rendezvous(const struct ses_req *req)
{
	return req->opcode == SES_RENDEZVOUS_SEND ||
	       req->opcode == SES_RENDEZVOUS_TSEND;
}

bool rx_fetches(const struct ses_req *req)
{
	return req->opcode == SES_FETCHING_ATOMIC;
}

bool rx_is_atomic(const struct ses_req *req)
{
	return req->opcode == SES_ATOMIC || rx_fetches(req);
}

/*
 * Returns the length that a read requests: its slice, or all of a single
 * packet's message.
 */
uint32_t rx_wanted(const struct ses *ses, const struct ses_req *req)
{
	const uint32_t mtu = ses->env->conf.mtu;

	if (!req->som)
		return req->slice;
	return req->request_length < mtu ? req->request_length : mtu;
}

/* Only the first packet of a rendezvous has the extension. */
static void read_rendezvous(struct job *job)
{
	if (!job->req.som)
		return;
	if (job->len < ses_rendezvous_len) {
		job->req.opcode = SES_EXTENDED; /* truncated header */
		return;
	}
	ses_rendezvous_get(&job->from, job->payload);
	job->payload += ses_rendezvous_len;
	job->len -= ses_rendezvous_len;
}

static void read_amo(struct job *job)
{
	const int n = amo_get(&job->amo, job->payload, job->len);

	if (n < 0) {
		job->req.opcode = SES_EXTENDED; /* truncated header */
		return;
	}
	job->payload += n;
	job->len -= (uint32_t)n;
}

/* The payload begins behind the extensions. */
void rx_read_extension(struct job *job)
{
	if (rx_is_rendezvous(&job->req)) {
		read_rendezvous(job);
		return;
	}
	read_amo(job);
}
