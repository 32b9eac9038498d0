/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/ses/ses_hdr.h -- SES headers for the small SES.
 *
 * The standard, medium and small request have the same fields at different
 * offsets; so do the three responses.  There is one host struct for each
 * family, and a table of the offsets by next_hdr.
 *
 * Spec: UET 3.4.2 (uet.md 5)
 */
#ifndef ORACLE_UET_SES_SES_HDR_H
#define ORACLE_UET_SES_SES_HDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/uet/uet_pds.h"
#include "wire/uet/uet_ses.h"

struct ses_req {
	uint8_t next_hdr;
	uint8_t opcode;
	bool som, eom;
	uint16_t message_id; /* 0: the header has none */
	uint8_t ri_generation;
	uint32_t job_id;
	uint16_t pid_on_fep, resource_index;
	uint64_t buffer_offset, memory_key;
	uint32_t initiator;
	uint32_t request_length; /* length of the whole message */
	uint32_t message_offset; /* offset of this packet's slice */
	uint32_t slice; /* payload_length of a som = 0 packet, else 0 */
};

struct ses_rsp {
	uint8_t next_hdr;
	uint8_t opcode;
	uint8_t list; /* enum ses_list, of a plain response */
	uint8_t return_code;
	uint16_t message_id; /* response_message_id where data follows */
	uint8_t ri_generation;
	uint32_t job_id;
	uint32_t modified_length;
	uint16_t read_request_message_id;
	uint32_t original_request_psn;
	uint16_t payload_length;
	uint32_t message_offset;
};

#define SES_HDR_MAX 44

/*
 * ses_req_get reads a request header.
 *
 * Return: its length; ERR_SHORT; ERR_SUPPORT: |next_hdr| is no request.
 */
int ses_req_get(struct ses_req *ret, uint8_t next_hdr, const uint8_t *p,
		size_t len);

/* ses_req_put writes a request header and returns its length. */
size_t ses_req_put(const struct ses_req *req, uint8_t *p);

/* ses_req_len returns the length of a request header; 0 if it is none. */
size_t ses_req_len(uint8_t next_hdr);

/*
 * ses_rsp_get reads a response header.
 *
 * Return: its length; ERR_SHORT; ERR_SUPPORT: |next_hdr| is no response.
 */
int ses_rsp_get(struct ses_rsp *ret, uint8_t next_hdr, const uint8_t *p,
		size_t len);

/* ses_rsp_put writes a response header and returns its length. */
size_t ses_rsp_put(const struct ses_rsp *rsp, uint8_t *p);

/*
 * The fields that a default response repeats from its request, by offset alone:
 * the PDS does not interpret SES headers.  0 if unknown.
 */
struct ses_ids {
	uint32_t job_id;
	uint16_t message_id;
};

/*
 * ses_ends_message returns true for the last packet of a message, by offset
 * alone; a packet whose header has no eom is a whole message.
 */
bool ses_ends_message(uint8_t next_hdr, const uint8_t *p, size_t len);

struct ses_ids ses_ids_of(uint8_t next_hdr, const uint8_t *p, size_t len);

#endif
