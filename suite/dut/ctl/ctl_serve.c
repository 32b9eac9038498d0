/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_serve.c -- carries out the requests of the control channel
 * on an endpoint.
 *
 * An operation that the endpoint lacks is answered with "unsupported", like an
 * unknown verb.
 */
#include "suite/dut/ctl/ctl_serve.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "oracle/oracle.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/ctl/ctl_table.h"
#include "wire/frame/crc.h"

static void answer_err(struct ctl_ans *a, int err)
{
	a->ok = err >= 0;
	if (err < 0)
		snprintf(a->error, sizeof(a->error), "%s",
			 err == ERR_SUPPORT ? "unsupported" : err_name(err));
}

static void ctl_serve_hello(const struct ctl_req *req, struct ctl_ans *a)
{
	if (req->version && req->version != CTL_VERSION) {
		snprintf(a->error, sizeof(a->error),
			 "version %u asked for, version %d spoken here",
			 req->version, CTL_VERSION);
		return;
	}
	a->ok = true;
	a->version = CTL_VERSION;
	snprintf(a->name, sizeof(a->name), "rung serve");
	snprintf(a->verbs, sizeof(a->verbs), "%s", ctl_verbs());
}

/* clang-format off */
#define STATS(X)                                                        \
	X(tx) X(rx) X(tx_retx) X(rx_duplicate) X(rx_dropped) X(tx_nack) \
	X(rx_nack) X(delivered) X(tx_ack) X(rx_ack) X(pdcs)             \
	X(rtt_samples) X(rtt_refused) X(rtt_last) X(contexts)           \
	X(unresponsive) X(cache_bytes) X(cache_peak) X(bitmaps)         \
	X(bitmap_bits) X(bitmap_set) X(bitmap_first)
/* clang-format on */

static void ctl_serve_stats(const struct orc_api *api, const struct orc *o,
			    struct ctl_ans *a)
{
	struct orc_stats s = {0};
	size_t n = 0;

	api->stats(o, &s);
#define STAT(member)                                                   \
	n += (size_t)snprintf(a->stats + n, sizeof(a->stats) - n,      \
			      "%c\"" #member "\":%llu", n ? ',' : '{', \
			      (unsigned long long)s.member);
	STATS(STAT)
#undef STAT
	snprintf(a->stats + n, sizeof(a->stats) - n, "}");
	a->ok = true;
}

static void mem_digest(const struct orc_api *api, const struct orc *o,
		       const struct ctl_req *req, struct ctl_ans *a)
{
	const uint64_t at = req->op.offset;
	const uint8_t *p = NULL;
	size_t len = 0;
	int err = api->memory(o, req->key, &p, &len);

	answer_err(a, err);
	if (err < 0)
		return;
	if (at > len || req->op.len > len - at) {
		answer_err(a, ERR_VALUE);
		return;
	}
	p += at;
	len = req->op.len ? req->op.len : len - at;
	a->digest = crc32c(0, p, len);
	a->digest_len = len;
}

static void operate(const struct orc_api *api, struct orc *o,
		    const struct orc_op *op, vtime now, struct ctl_ans *a)
{
	struct orc_op asked = *op;

	asked.ret = &a->result;
	answer_err(a, api->post(o, &asked, now));
}

void ctl_serve(const struct orc_api *api, struct orc *o,
	       const struct ctl_req *req, vtime now, struct ctl_ans *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->id = req->id;
	switch (req->verb) {
	case CTL_HELLO:
		ctl_serve_hello(req, ret);
		break;
	case CTL_RESET:
		api->reset(o, req->seed);
		ret->ok = true;
		break;
	case CTL_STATS:
		ctl_serve_stats(api, o, ret);
		break;
	case CTL_MEM_DIGEST:
		mem_digest(api, o, req, ret);
		break;
	case CTL_COMPLETIONS: /* events are pushed, so none are queued */
		ret->ok = true;
		break;
	case CTL_OP:
		operate(api, o, &req->op, now, ret);
		break;
	case CTL_UNKNOWN:
		answer_err(ret, ERR_SUPPORT);
		break;
	}
}
