/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The verbs profile of rung's control channel on libibverbs: RC for RoCEv2, and
 * SRD by the direct verbs of EFA.
 *
 *	verbs DEVICE [GID-INDEX]
 *
 * It compiles against rdma-core 44.  It has never run on a device.
 *
 * Memory: one region, from which every SGE and every exposed range is taken.  A
 * device chooses its own R_Key, so "expose" succeeds only for the key that the
 * device gave; standard error says which ("rkey" of the declaration).
 */
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>

#include <infiniband/efadv.h>
#include <infiniband/verbs.h>

enum { MEMORY = 1 << 20, MANY = 64, DEPTH = 128 };

struct nic {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	unsigned char *memory;
	uint8_t gid_index;
	struct ibv_qp *qp[MANY];
	bool srd[MANY];
	struct ibv_ah *ah[MANY]; /* handle n is ah[n - 1] */
};

static void vb_tell(json_t *message)
{
	json_dumpf(message, stdout, JSON_COMPACT);
	putchar('\n');
	fflush(stdout);
	json_decref(message);
}

/* Numbers of 64 bits may be strings, "0x...". */
static uint64_t vb_number(const json_t *r, const char *key)
{
	const json_t *v = json_object_get(r, key);

	if (json_is_string(v))
		return strtoull(json_string_value(v), NULL, 0);
	return (uint64_t)json_integer_value(v);
}

static const char *vb_word(const json_t *r, const char *key)
{
	const char *word = json_string_value(json_object_get(r, key));

	return word ? word : "";
}

/* An IPv4 address is the GID ::ffff:a.b.c.d, an IPv6 address is its own. */
static const char *vb_gid(const json_t *r, union ibv_gid *ret)
{
	const char *peer = vb_word(r, "peer");
	char mapped[64];

	if (inet_pton(AF_INET6, peer, ret->raw) == 1)
		return NULL;
	snprintf(mapped, sizeof(mapped), "::ffff:%s", peer);
	return inet_pton(AF_INET6, mapped, ret->raw) == 1 ? NULL : "peer";
}

static struct ibv_ah_attr vb_route(const struct nic *n, union ibv_gid gid)
{
	return (struct ibv_ah_attr){
		.is_global = 1,
		.port_num = 1,
		.grh = {.dgid = gid,
			.sgid_index = n->gid_index,
			.hop_limit = 64},
	};
}

static struct ibv_qp *vb_qp(const struct nic *n, const json_t *r, bool *srd)
{
	for (int i = 0; i < MANY; i++)
		if (n->qp[i] && n->qp[i]->qp_num == vb_number(r, "qpn")) {
			*srd = n->srd[i];
			return n->qp[i];
		}
	return NULL;
}

/* ---- Verbs; each returns NULL or an error ---- */

static const char *vb_create_qp(struct nic *n, const json_t *r, json_t *ret)
{
	struct efadv_qp_init_attr efa = {.driver_qp_type =
						 EFADV_QP_DRIVER_TYPE_SRD};
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = n->cq,
		.recv_cq = n->cq,
		.cap = {DEPTH, DEPTH, 2, 1, 0},
		.qp_type = IBV_QPT_RC,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = n->pd,
	};
	const char *type = vb_word(r, "type");
	int i = 0;

	while (i < MANY && n->qp[i])
		i++;
	if (i == MANY)
		return "nomem";
	n->srd[i] = strcmp(type, "srd") == 0;
	if (strcmp(type, "ud") == 0)
		attr.qp_type = IBV_QPT_UD;
	if (n->srd[i]) {
		attr.qp_type = IBV_QPT_DRIVER;
		attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr.send_ops_flags = IBV_QP_EX_WITH_SEND |
				      IBV_QP_EX_WITH_SEND_WITH_IMM |
				      IBV_QP_EX_WITH_RDMA_READ;
		n->qp[i] = efadv_create_qp_ex(n->ctx, &attr, &efa, sizeof(efa));
	} else {
		n->qp[i] = ibv_create_qp_ex(n->ctx, &attr);
	}
	if (!n->qp[i])
		return strerror(errno);
	json_object_set_new(ret, "qpn", json_integer(n->qp[i]->qp_num));
	return NULL;
}

static const char *const vb_states[] = {
	[IBV_QPS_RESET] = "reset", [IBV_QPS_INIT] = "init",
	[IBV_QPS_RTR] = "rtr",     [IBV_QPS_RTS] = "rts",
	[IBV_QPS_SQD] = "sqd",     [IBV_QPS_SQE] = "sqe",
	[IBV_QPS_ERR] = "err",
};

static const char *vb_modify_qp(struct nic *n, const json_t *r, json_t *ret)
{
	bool srd = false;
	struct ibv_qp *qp = vb_qp(n, r, &srd);
	struct ibv_qp_attr attr = {.port_num = 1};
	int mask = IBV_QP_STATE, state = 0;

	(void)ret;
	while (state <= IBV_QPS_ERR &&
	       strcmp(vb_states[state], vb_word(r, "state")) != 0)
		state++;
	if (!qp || state > IBV_QPS_ERR)
		return "value";
	attr.qp_state = (enum ibv_qp_state)state;
	if (state == IBV_QPS_INIT) {
		mask |= IBV_QP_PKEY_INDEX | IBV_QP_PORT;
		if (qp->qp_type == IBV_QPT_RC) {
			mask |= IBV_QP_ACCESS_FLAGS;
			attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE |
					       IBV_ACCESS_REMOTE_READ |
					       IBV_ACCESS_REMOTE_ATOMIC;
		} else {
			mask |= IBV_QP_QKEY;
			attr.qkey = (uint32_t)vb_number(r, "qkey");
		}
	} else if (state == IBV_QPS_RTR && qp->qp_type == IBV_QPT_RC) {
		union ibv_gid gid;

		if (vb_gid(r, &gid))
			return "peer";
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			IBV_QP_MIN_RNR_TIMER;
		attr.ah_attr = vb_route(n, gid);
		attr.path_mtu = IBV_MTU_1024;
		attr.dest_qp_num = (uint32_t)vb_number(r, "dest_qp");
		attr.rq_psn = (uint32_t)vb_number(r, "rq_psn");
		attr.max_dest_rd_atomic = 1;
		attr.min_rnr_timer = 12;
	} else if (state == IBV_QPS_RTS) {
		mask |= IBV_QP_SQ_PSN;
		attr.sq_psn = (uint32_t)vb_number(r, "sq_psn");
		if (qp->qp_type == IBV_QPT_RC) {
			mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
			attr.timeout = 14;
			attr.retry_cnt = 7;
			attr.rnr_retry = 7;
			attr.max_rd_atomic = 1;
		}
	}
	return ibv_modify_qp(qp, &attr, mask) ? strerror(errno) : NULL;
}

static const char *vb_query_qp(struct nic *n, const json_t *r, json_t *ret)
{
	bool srd = false;
	struct ibv_qp *qp = vb_qp(n, r, &srd);
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (!qp)
		return "value";
	if (ibv_query_qp(qp, &attr, IBV_QP_STATE, &init))
		return strerror(errno);
	if (attr.qp_state > IBV_QPS_ERR)
		return "state";
	json_object_set_new(ret, "state",
			    json_string(vb_states[attr.qp_state]));
	return NULL;
}

static const char *vb_destroy_qp(struct nic *n, const json_t *r, json_t *ret)
{
	(void)ret;
	for (int i = 0; i < MANY; i++)
		if (n->qp[i] && n->qp[i]->qp_num == vb_number(r, "qpn")) {
			ibv_destroy_qp(n->qp[i]);
			n->qp[i] = NULL;
			return NULL;
		}
	return "value";
}

static const char *vb_create_ah(struct nic *n, const json_t *r, json_t *ret)
{
	struct ibv_ah_attr attr;
	union ibv_gid gid;
	int i = 0;

	while (i < MANY && n->ah[i])
		i++;
	if (i == MANY)
		return "nomem";
	if (vb_gid(r, &gid))
		return "peer";
	attr = vb_route(n, gid);
	n->ah[i] = ibv_create_ah(n->pd, &attr);
	if (!n->ah[i])
		return strerror(errno);
	json_object_set_new(ret, "ah", json_integer(i + 1));
	return NULL;
}

static const char *vb_destroy_ah(struct nic *n, const json_t *r, json_t *ret)
{
	const uint64_t ah = vb_number(r, "ah");

	(void)ret;
	if (!ah || ah > MANY || !n->ah[ah - 1])
		return "value";
	ibv_destroy_ah(n->ah[ah - 1]);
	n->ah[ah - 1] = NULL;
	return NULL;
}

static const char *vb_post_recv(struct nic *n, const json_t *r, json_t *ret)
{
	bool srd = false;
	struct ibv_qp *qp = vb_qp(n, r, &srd);
	uint64_t count = vb_number(r, "count");
	struct ibv_sge sge = {(uintptr_t)n->memory,
			      (uint32_t)vb_number(r, "len"), n->mr->lkey};
	struct ibv_recv_wr *bad, wr = {.wr_id = vb_number(r, "handle"),
				       .sg_list = &sge,
				       .num_sge = 1};

	(void)ret;
	if (!qp || sge.length > MEMORY)
		return "value";
	do
		if (ibv_post_recv(qp, &wr, &bad))
			return strerror(errno);
	while (count-- > 1);
	return NULL;
}

/* An SRD queue pair with reads takes work requests by the extended API. */
static const char *vb_send_srd(struct nic *n, struct ibv_qp *qp,
			       const struct ibv_sge *sge, const json_t *r)
{
	const uint64_t ah = vb_number(r, "ah");
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);

	if (!ex || !ah || ah > MANY || !n->ah[ah - 1])
		return "value";
	ibv_wr_start(ex);
	ex->wr_id = vb_number(r, "handle");
	if (strcmp(vb_word(r, "opcode"), "read") == 0)
		ibv_wr_rdma_read(ex, (uint32_t)vb_number(r, "key"),
				 vb_number(r, "offset"));
	else if (json_is_true(json_object_get(r, "with_imm")))
		ibv_wr_send_imm(ex, htonl((uint32_t)vb_number(r, "imm")));
	else
		ibv_wr_send(ex);
	ibv_wr_set_sge(ex, sge->lkey, sge->addr, sge->length);
	ibv_wr_set_ud_addr(ex, n->ah[ah - 1], (uint32_t)vb_number(r, "dest_qp"),
			   (uint32_t)vb_number(r, "qkey"));
	return ibv_wr_complete(ex) ? strerror(errno) : NULL;
}

static const char *vb_post_send(struct nic *n, const json_t *r, json_t *ret)
{
	bool srd = false;
	struct ibv_qp *qp = vb_qp(n, r, &srd);
	const char *opcode = vb_word(r, "opcode");
	struct ibv_sge sge = {(uintptr_t)n->memory,
			      (uint32_t)vb_number(r, "len"), n->mr->lkey};
	struct ibv_send_wr *bad, wr = {.wr_id = vb_number(r, "handle"),
				       .sg_list = &sge,
				       .num_sge = 1,
				       .opcode = IBV_WR_SEND,
				       .send_flags = IBV_SEND_SIGNALED};

	(void)ret;
	if (!qp || sge.length > MEMORY)
		return "value";
	if (srd)
		return vb_send_srd(n, qp, &sge, r);
	if (strcmp(opcode, "atomic") == 0 || qp->qp_type != IBV_QPT_RC)
		return "unsupported";
	if (strcmp(opcode, "write") == 0)
		wr.opcode = IBV_WR_RDMA_WRITE;
	else if (strcmp(opcode, "read") == 0)
		wr.opcode = IBV_WR_RDMA_READ;
	else if (json_is_true(json_object_get(r, "with_imm")))
		wr.opcode = IBV_WR_SEND_WITH_IMM;
	wr.imm_data = htonl((uint32_t)vb_number(r, "imm"));
	wr.wr.rdma.remote_addr = vb_number(r, "offset");
	wr.wr.rdma.rkey = (uint32_t)vb_number(r, "key");
	return ibv_post_send(qp, &wr, &bad) ? strerror(errno) : NULL;
}

static const char *vb_expose(struct nic *n, const json_t *r, json_t *ret)
{
	(void)ret;
	if (vb_number(r, "key") == n->mr->rkey)
		return NULL;
	fprintf(stderr, "declare: rkey 0x%x memory_offset 0x%llx\n",
		n->mr->rkey, (unsigned long long)(uintptr_t)n->memory);
	return "the device chose another R_Key; see standard error";
}

static const char *vb_reset(struct nic *n, const json_t *r, json_t *ret)
{
	struct ibv_wc wc;

	(void)r;
	(void)ret;
	for (int i = 0; i < MANY; i++) {
		if (n->qp[i])
			ibv_destroy_qp(n->qp[i]);
		if (n->ah[i])
			ibv_destroy_ah(n->ah[i]);
		n->qp[i] = NULL;
		n->ah[i] = NULL;
	}
	while (ibv_poll_cq(n->cq, 1, &wc) > 0)
		;
	return NULL;
}

/* ---- Completions ---- */

static const char *vb_status(enum ibv_wc_status status)
{
	switch (status) {
	case IBV_WC_SUCCESS:
		return "ok";
	case IBV_WC_LOC_LEN_ERR:
		return "local_length";
	case IBV_WC_LOC_QP_OP_ERR:
		return "local_qp_operation";
	case IBV_WC_LOC_PROT_ERR:
		return "local_protection";
	case IBV_WC_WR_FLUSH_ERR:
		return "flushed";
	case IBV_WC_BAD_RESP_ERR:
		return "bad_response";
	case IBV_WC_REM_INV_REQ_ERR:
		return "remote_invalid_request";
	case IBV_WC_REM_ACCESS_ERR:
		return "remote_access";
	case IBV_WC_REM_OP_ERR:
		return "remote_operation";
	case IBV_WC_RNR_RETRY_EXC_ERR:
		return "rnr";
	case IBV_WC_REM_ABORT_ERR:
		return "remote_abort";
	default:
		return "timeout";
	}
}

static void vb_poll(struct nic *n)
{
	struct ibv_wc wc;

	while (ibv_poll_cq(n->cq, 1, &wc) > 0) {
		const bool recv = wc.opcode & IBV_WC_RECV;

		vb_tell(json_pack("{s:s, s:I, s:s, s:I, s:I}", "event",
				  recv ? "recv" : "completion", "handle",
				  (json_int_t)wc.wr_id, "status",
				  vb_status(wc.status), "qpn",
				  (json_int_t)wc.qp_num, "len",
				  (json_int_t)wc.byte_len));
	}
}

static const char *vb_completions(struct nic *n, const json_t *r, json_t *ret)
{
	(void)r;
	(void)ret;
	vb_poll(n);
	return NULL;
}

static const struct {
	const char *name;
	const char *(*run)(struct nic *n, const json_t *r, json_t *ret);
} vb_verbs[] = {
	{"reset", vb_reset},           {"create_qp", vb_create_qp},
	{"modify_qp", vb_modify_qp},   {"query_qp", vb_query_qp},
	{"destroy_qp", vb_destroy_qp}, {"create_ah", vb_create_ah},
	{"destroy_ah", vb_destroy_ah}, {"post_send", vb_post_send},
	{"post_recv", vb_post_recv},   {"expose", vb_expose},
	{"poll_cq", vb_completions},   {"completions", vb_completions},
};

#define VERBS (sizeof(vb_verbs) / sizeof(vb_verbs[0]))

static const char *vb_hello(const struct nic *n, const json_t *r, json_t *ret)
{
	json_t *verbs = json_array();

	for (size_t i = 0; i < VERBS; i++)
		json_array_append_new(verbs, json_string(vb_verbs[i].name));
	json_object_set_new(ret, "verbs", verbs);
	json_object_set_new(ret, "version", json_integer(2));
	json_object_set_new(ret, "name",
			    json_string(ibv_get_device_name(n->ctx->device)));
	return vb_number(r, "version") == 2 ? NULL : "version 2 spoken here";
}

static void vb_request(struct nic *n, const json_t *r)
{
	json_t *ret = json_object();
	const char *verb = vb_word(r, "verb"), *error = "unsupported";

	if (strcmp(verb, "hello") == 0)
		error = vb_hello(n, r, ret);
	for (size_t i = 0; i < VERBS; i++)
		if (strcmp(verb, vb_verbs[i].name) == 0)
			error = vb_verbs[i].run(n, r, ret);
	json_object_set(ret, "id", json_object_get(r, "id"));
	if (error)
		json_object_set_new(ret, "error", json_string(error));
	else
		json_object_set_new(ret, "ok", json_true());
	vb_tell(ret);
}

static bool vb_open(struct nic *n, const char *name)
{
	int many = 0;
	struct ibv_device **all = ibv_get_device_list(&many);

	for (int i = 0; all && i < many; i++)
		if (strcmp(ibv_get_device_name(all[i]), name) == 0)
			n->ctx = ibv_open_device(all[i]);
	if (all)
		ibv_free_device_list(all);
	if (!n->ctx)
		return false;
	n->memory = calloc(1, MEMORY);
	n->pd = ibv_alloc_pd(n->ctx);
	n->cq = ibv_create_cq(n->ctx, DEPTH * 8, NULL, NULL, 0);
	if (!n->memory || !n->pd || !n->cq)
		return false;
	n->mr = ibv_reg_mr(n->pd, n->memory, MEMORY,
			   IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_WRITE);
	return n->mr;
}

int main(int argc, char **argv)
{
	static struct nic nic;
	static char line[65536];
	size_t have = 0;

	if (argc < 2 || !vb_open(&nic, argv[1])) {
		fprintf(stderr, "usage: verbs DEVICE [GID-INDEX]; no such "
				"device, or it cannot be opened\n");
		return 2;
	}
	if (argc > 2)
		nic.gid_index = (uint8_t)strtoul(argv[2], NULL, 0);
	for (;;) {
		struct pollfd in = {0, POLLIN, 0};

		/* A completion channel would do; a millisecond is simpler. */
		if (poll(&in, 1, 1) > 0) {
			if (have == sizeof(line) - 1 ||
			    fread(line + have, 1, 1, stdin) != 1)
				return 0; /* rung has gone */
			if (line[have++] == '\n') {
				json_t *r = json_loadb(line, have, 0, NULL);

				if (r)
					vb_request(&nic, r);
				json_decref(r);
				have = 0;
			}
		}
		vb_poll(&nic);
	}
}
