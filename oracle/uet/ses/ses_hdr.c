/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_hdr.c -- reads and writes the SES headers that the small
 * SES uses.
 */
#include "oracle/uet/ses/ses_hdr.h"

#include "base/err.h"

/* The fields that all request headers have in common. */
#define HEAD_GET(ret, h)                                    \
	do {                                                \
		(ret)->opcode = (h).opcode;                 \
		(ret)->som = (h).som;                       \
		(ret)->eom = (h).eom;                       \
		(ret)->ri_generation = (h).ri_generation;   \
		(ret)->job_id = (h).job_id;                 \
		(ret)->pid_on_fep = (h).pid_on_fep;         \
		(ret)->resource_index = (h).resource_index; \
		(ret)->buffer_offset = (h).buffer_offset;   \
	} while (0)

#define HEAD_PUT(req)                                                   \
	.opcode = (req)->opcode, .som = (req)->som, .eom = (req)->eom,  \
	.ri_generation = (req)->ri_generation, .job_id = (req)->job_id, \
	.pid_on_fep = (req)->pid_on_fep,                                \
	.resource_index = (req)->resource_index,                        \
	.buffer_offset = (req)->buffer_offset

/* A som = 0 packet carries the offset of its slice; som = 1 begins at 0. */
static void get_std_rest(struct ses_req *ret, const uint8_t *p)
{
	struct ses_std h;

	ses_std_get(&h, p);
	ret->slice = h.payload_length;
	ret->message_offset = h.message_offset;
}

static void get_std(struct ses_req *ret, const uint8_t *p)
{
	struct ses_std_som h;

	ses_std_som_get(&h, p);
	HEAD_GET(ret, h);
	ret->message_id = h.message_id;
	ret->initiator = h.initiator;
	ret->memory_key = h.match_bits;
	ret->request_length = h.request_length;
	if (!h.som)
		get_std_rest(ret, p);
}

static void get_medium(struct ses_req *ret, const uint8_t *p)
{
	struct ses_medium h;

	ses_medium_get(&h, p);
	HEAD_GET(ret, h);
	ret->initiator = h.initiator;
	ret->memory_key = h.match_bits;
	ret->request_length = h.request_length;
}

static void get_small(struct ses_req *ret, const uint8_t *p)
{
	struct ses_small h;

	ses_small_get(&h, p);
	HEAD_GET(ret, h);
	ret->request_length = h.request_length;
}

static void put_std(const struct ses_req *req, uint8_t *p)
{
	const struct ses_std_som first = {
		HEAD_PUT(req),
		.message_id = req->message_id,
		.initiator = req->initiator,
		.match_bits = req->memory_key,
		.request_length = req->request_length,
	};
	const struct ses_std later = {
		HEAD_PUT(req),
		.message_id = req->message_id,
		.initiator = req->initiator,
		.match_bits = req->memory_key,
		.request_length = req->request_length,
		.payload_length = (uint16_t)req->slice,
		.message_offset = req->message_offset,
	};

	if (req->som)
		ses_std_som_put(&first, p);
	else
		ses_std_put(&later, p);
}

static void put_medium(const struct ses_req *req, uint8_t *p)
{
	const struct ses_medium h = {
		HEAD_PUT(req),
		.initiator = req->initiator,
		.match_bits = req->memory_key,
		.request_length = (uint16_t)req->request_length,
	};

	ses_medium_put(&h, p);
}

static void put_small(const struct ses_req *req, uint8_t *p)
{
	const struct ses_small h = {
		HEAD_PUT(req),
		.request_length = (uint16_t)req->request_length,
	};

	ses_small_put(&h, p);
}

struct req_form {
	uint8_t len;
	void (*get)(struct ses_req *ret, const uint8_t *p);
	void (*put)(const struct ses_req *req, uint8_t *p);
};

#define NEXT_HDRS 16

static const struct req_form req_forms[NEXT_HDRS] = {
	[PDS_NEXT_REQUEST_SMALL] = {ses_small_len, get_small, put_small},
	[PDS_NEXT_REQUEST_MEDIUM] = {ses_medium_len, get_medium, put_medium},
	[PDS_NEXT_REQUEST_STD] = {ses_std_som_len, get_std, put_std},
};

size_t ses_req_len(uint8_t next_hdr)
{
	return req_forms[next_hdr % NEXT_HDRS].len;
}

int ses_req_get(struct ses_req *ret, uint8_t next_hdr, const uint8_t *p,
		size_t len)
{
	const struct req_form *form = &req_forms[next_hdr % NEXT_HDRS];

	if (!form->len)
		return ERR_SUPPORT;
	if (len < form->len)
		return ERR_SHORT;
	*ret = (struct ses_req){.next_hdr = next_hdr};
	form->get(ret, p);
	return form->len;
}

size_t ses_req_put(const struct ses_req *req, uint8_t *p)
{
	const struct req_form *form = &req_forms[req->next_hdr];

	form->put(req, p);
	return form->len;
}

static void get_plain(struct ses_rsp *ret, const uint8_t *p)
{
	struct ses_response h;

	ses_response_get(&h, p);
	ret->list = h.list;
	ret->opcode = h.opcode;
	ret->return_code = h.return_code;
	ret->message_id = h.message_id;
	ret->ri_generation = h.ri_generation;
	ret->job_id = h.job_id;
	ret->modified_length = h.modified_length;
}

static void get_data(struct ses_rsp *ret, const uint8_t *p)
{
	struct ses_response_data h;

	ses_response_data_get(&h, p);
	ret->opcode = h.opcode;
	ret->return_code = h.return_code;
	ret->message_id = h.response_message_id;
	ret->job_id = h.job_id;
	ret->read_request_message_id = h.read_request_message_id;
	ret->payload_length = h.payload_length;
	ret->modified_length = h.modified_length;
	ret->message_offset = h.message_offset;
}

static void get_data_small(struct ses_rsp *ret, const uint8_t *p)
{
	struct ses_response_data_small h;

	ses_response_data_small_get(&h, p);
	ret->opcode = h.opcode;
	ret->return_code = h.return_code;
	ret->job_id = h.job_id;
	ret->payload_length = h.payload_length;
	ret->original_request_psn = h.original_request_psn;
}

static void put_plain(const struct ses_rsp *rsp, uint8_t *p)
{
	const struct ses_response h = {
		.list = rsp->list,
		.opcode = rsp->opcode,
		.return_code = rsp->return_code,
		.message_id = rsp->message_id,
		.ri_generation = rsp->ri_generation,
		.job_id = rsp->job_id,
		.modified_length = rsp->modified_length,
	};

	ses_response_put(&h, p);
}

static void put_data(const struct ses_rsp *rsp, uint8_t *p)
{
	const struct ses_response_data h = {
		.opcode = rsp->opcode,
		.return_code = rsp->return_code,
		.response_message_id = rsp->message_id,
		.job_id = rsp->job_id,
		.read_request_message_id = rsp->read_request_message_id,
		.payload_length = rsp->payload_length,
		.modified_length = rsp->modified_length,
		.message_offset = rsp->message_offset,
	};

	ses_response_data_put(&h, p);
}

static void put_data_small(const struct ses_rsp *rsp, uint8_t *p)
{
	const struct ses_response_data_small h = {
		.opcode = rsp->opcode,
		.return_code = rsp->return_code,
		.job_id = rsp->job_id,
		.payload_length = rsp->payload_length,
		.original_request_psn = rsp->original_request_psn,
	};

	ses_response_data_small_put(&h, p);
}

struct rsp_form {
	uint8_t len;
	void (*get)(struct ses_rsp *ret, const uint8_t *p);
	void (*put)(const struct ses_rsp *rsp, uint8_t *p);
};

static const struct rsp_form rsp_forms[NEXT_HDRS] = {
	[PDS_NEXT_RESPONSE] = {ses_response_len, get_plain, put_plain},
	[PDS_NEXT_RESPONSE_DATA] = {ses_response_data_len, get_data, put_data},
	[PDS_NEXT_RESPONSE_DATA_SMALL] = {ses_response_data_small_len,
					  get_data_small, put_data_small},
};

int ses_rsp_get(struct ses_rsp *ret, uint8_t next_hdr, const uint8_t *p,
		size_t len)
{
	const struct rsp_form *form = &rsp_forms[next_hdr % NEXT_HDRS];

	if (!form->len)
		return ERR_SUPPORT;
	if (len < form->len)
		return ERR_SHORT;
	*ret = (struct ses_rsp){.next_hdr = next_hdr};
	form->get(ret, p);
	return form->len;
}

size_t ses_rsp_put(const struct ses_rsp *rsp, uint8_t *p)
{
	const struct rsp_form *form = &rsp_forms[rsp->next_hdr];

	form->put(rsp, p);
	return form->len;
}

/* Bytes 2-3 are an id in these headers; in the others they are a length. */
static const bool has_message_id[NEXT_HDRS] = {
	[PDS_NEXT_REQUEST_STD] = true,
	[PDS_NEXT_RESPONSE_DATA] = true,
};

struct ses_ids ses_ids_of(uint8_t next_hdr, const uint8_t *p, size_t len)
{
	struct ses_ids ids = {0, 0};

	if (len < 8)
		return ids;
	ids.job_id = (uint32_t)bits_get(p, 40, 24);
	if (has_message_id[next_hdr % NEXT_HDRS])
		ids.message_id = (uint16_t)bits_get(p, 16, 16);
	return ids;
}

bool ses_ends_message(uint8_t next_hdr, const uint8_t *p, size_t len)
{
	return next_hdr != PDS_NEXT_REQUEST_STD || len < 2 ||
	       bits_get(p, 14, 1);
}
