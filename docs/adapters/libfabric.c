/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The minimum profile of rung's control channel on libfabric: what any stack
 * with this API can offer.
 *
 *	libfabric ADDRESS [PROVIDER]
 *
 * ADDRESS is the device's own; PROVIDER is "sockets" unless it is given.  All
 * devices listen at SERVICE.  Keys and offsets are those of the requests:
 *memory is registered with scalable keys.
 */
#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

#define SERVICE "7471"

/* An operation, or exposed memory, until the next reset. */
struct op {
	struct op *next;
	struct fid_mr *mr;
	json_int_t handle;
	bool receives;
	unsigned char bytes[];
};

struct nic {
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *cq;
	struct fid_ep *ep;
	struct op *ops;
	uint64_t seed; /* of the bytes of messages and memory */
};

static void fab_tell(json_t *message)
{
	json_dumpf(message, stdout, JSON_COMPACT);
	putchar('\n');
	fflush(stdout);
	json_decref(message);
}

static void fab_answer(json_int_t id, const char *error)
{
	if (error)
		fab_tell(json_pack("{s:I, s:s}", "id", id, "error", error));
	else
		fab_tell(json_pack("{s:I, s:b}", "id", id, "ok", 1));
}

/* ---- The endpoint ---- */

static int fab_nic_open(struct nic *n)
{
	struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG, .size = 1024};
	struct fi_av_attr av = {.type = FI_AV_MAP};

	if (fi_domain(n->fabric, n->info, &n->domain, NULL) ||
	    fi_av_open(n->domain, &av, &n->av, NULL) ||
	    fi_cq_open(n->domain, &cq, &n->cq, NULL) ||
	    fi_endpoint(n->domain, n->info, &n->ep, NULL) ||
	    fi_ep_bind(n->ep, &n->av->fid, 0) ||
	    fi_ep_bind(n->ep, &n->cq->fid, FI_SEND | FI_RECV))
		return -1;
	return fi_enable(n->ep);
}

static void nic_close(struct nic *n)
{
	if (n->ep)
		fi_close(&n->ep->fid);
	while (n->ops) {
		struct op *op = n->ops;

		n->ops = op->next;
		if (op->mr)
			fi_close(&op->mr->fid);
		free(op);
	}
	if (n->cq)
		fi_close(&n->cq->fid);
	if (n->av)
		fi_close(&n->av->fid);
	if (n->domain)
		fi_close(&n->domain->fid);
	n->ep = NULL;
	n->cq = NULL;
	n->av = NULL;
	n->domain = NULL;
}

static int nic_find(struct nic *n, const char *addr, const char *provider)
{
	struct fi_info *hints = fi_allocinfo();
	int err;

	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = FI_MSG | FI_RMA;
	hints->domain_attr->mr_mode =
		0; /* scalable: keys and offsets of ours */
	hints->fabric_attr->prov_name = strdup(provider);
	err = fi_getinfo(FI_VERSION(1, 9), addr, SERVICE, FI_SOURCE, hints,
			 &n->info);
	fi_freeinfo(hints);
	return err ? err : fi_fabric(n->info->fabric_attr, &n->fabric, NULL);
}

/* ---- Requests ---- */

/* Eight bytes of the pattern, as docs/dut-control.md has it. */
static uint64_t fab_word(uint64_t seed, uint64_t id, uint64_t word)
{
	uint64_t x = seed + id * 0x9e3779b97f4a7c15u +
		     (word + 1) * 0xd1342543de82ef95u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* |id|: of the bytes of a message or of memory. */
static struct op *op_new(struct nic *n, json_int_t handle, uint64_t id,
			 size_t len)
{
	struct op *op = calloc(1, sizeof(*op) + len);

	if (!op)
		return NULL;
	for (size_t i = 0; i < len; i++)
		op->bytes[i] = (unsigned char)(fab_word(n->seed, id, i / 8) >>
					       i % 8 * 8);
	op->handle = handle;
	op->next = n->ops;
	n->ops = op;
	return op;
}

static const char *transfer(struct nic *n, const char *verb, json_t *request)
{
	json_int_t handle = 0, len = 0, key = 0, offset = 0;
	const char *peer = "";
	fi_addr_t to;
	struct op *op;
	ssize_t err;

	json_unpack(request, "{s?I, s?I, s?I, s?I, s?s}", "handle", &handle,
		    "len", &len, "key", &key, "offset", &offset, "peer", &peer);
	op = op_new(n, handle, (uint64_t)handle, (size_t)len);
	if (!op || fi_av_insertsvc(n->av, peer, SERVICE, &to, 0, NULL) != 1)
		return "no such peer";
	if (!strcmp(verb, "send"))
		err = fi_send(n->ep, op->bytes, (size_t)len, NULL, to, op);
	else if (!strcmp(verb, "write"))
		err = fi_write(n->ep, op->bytes, (size_t)len, NULL, to,
			       (uint64_t)offset, (uint64_t)key, op);
	else
		err = fi_read(n->ep, op->bytes, (size_t)len, NULL, to,
			      (uint64_t)offset, (uint64_t)key, op);
	return err ? fi_strerror((int)-err) : NULL;
}

static const char *fab_post_recv(struct nic *n, json_t *request)
{
	json_int_t len = 0, count = 1, handle = 0;
	ssize_t err = 0;

	json_unpack(request, "{s?I, s?I, s?I}", "len", &len, "count", &count,
		    "handle", &handle);
	for (json_int_t i = 0; i < count && !err; i++) {
		struct op *op =
			op_new(n, handle, (uint64_t)handle, (size_t)len);

		if (!op)
			return "out of memory";
		op->receives = true;
		err = fi_recv(n->ep, op->bytes, (size_t)len, NULL,
			      FI_ADDR_UNSPEC, op);
	}
	return err ? fi_strerror((int)-err) : NULL;
}

static const char *fab_expose(struct nic *n, json_t *request)
{
	json_int_t len = 0, key = 0;
	struct op *op;
	int err;

	json_unpack(request, "{s?I, s?I}", "len", &len, "key", &key);
	op = op_new(n, 0, ~(uint64_t)key, (size_t)len);
	if (!op)
		return "out of memory";
	err = fi_mr_reg(n->domain, op->bytes, (size_t)len,
			FI_REMOTE_READ | FI_REMOTE_WRITE, 0, (uint64_t)key, 0,
			&op->mr, NULL);
	return err ? fi_strerror(-err) : NULL;
}

static const char *fab_carry_out(struct nic *n, const char *verb,
				 json_t *request)
{
	if (!strcmp(verb, "reset")) {
		const json_t *seed = json_object_get(request, "seed");

		nic_close(n);
		/* Above 2^63 - 1 a number is a string. */
		n->seed = json_is_string(seed)
				  ? strtoull(json_string_value(seed), NULL, 0)
				  : (uint64_t)json_integer_value(seed);
		return fab_nic_open(n) ? "cannot open the endpoint" : NULL;
	}
	if (!strcmp(verb, "send") || !strcmp(verb, "write") ||
	    !strcmp(verb, "read"))
		return transfer(n, verb, request);
	if (!strcmp(verb, "post_recv"))
		return fab_post_recv(n, request);
	if (!strcmp(verb, "expose"))
		return fab_expose(n, request);
	return strcmp(verb, "completions") ? "unsupported" : NULL;
}

static void fab_hello(json_int_t id, json_int_t version)
{
	if (version != 2)
		fab_answer(id, "this adapter speaks version 2 only");
	else
		fab_tell(json_pack(
			"{s:I, s:b, s:s, s:i, s:[s, s, s, s, s, s, s]}", "id",
			id, "ok", 1, "name", "libfabric", "version", 2, "verbs",
			"reset", "send", "write", "read", "post_recv", "expose",
			"completions"));
}

static void fab_serve(struct nic *n, const char *line)
{
	json_t *request = json_loads(line, 0, NULL);
	json_int_t id = 0, version = 0;
	const char *verb = "";

	json_unpack(request, "{s?I, s?s, s?I}", "id", &id, "verb", &verb,
		    "version", &version);
	if (!strcmp(verb, "hello"))
		fab_hello(id, version);
	else
		fab_answer(id, fab_carry_out(n, verb, request));
	json_decref(request);
}

/* ---- Events ---- */

static void fab_done(const struct op *op, size_t len, bool well)
{
	if (op->receives && well)
		fab_tell(json_pack("{s:s, s:I, s:I}", "event", "recv", "handle",
				   op->handle, "len", (json_int_t)len));
	else if (!op->receives)
		fab_tell(json_pack("{s:s, s:I, s:s}", "event", "completion",
				   "handle", op->handle, "status",
				   well ? "ok" : "refused"));
}

static void push_events(struct nic *n)
{
	struct fi_cq_msg_entry entry;
	struct fi_cq_err_entry err = {0};
	ssize_t got;

	while ((got = fi_cq_read(n->cq, &entry, 1)) != -FI_EAGAIN)
		if (got == 1)
			fab_done(entry.op_context, entry.len, true);
		else if (got == -FI_EAVAIL && fi_cq_readerr(n->cq, &err, 0) > 0)
			fab_done(err.op_context, 0, false);
		else
			break;
}

int main(int argc, char **argv)
{
	struct pollfd input = {.fd = 0, .events = POLLIN};
	static char line[65536];
	struct nic n = {0};

	if (argc < 2 || nic_find(&n, argv[1], argc > 2 ? argv[2] : "sockets") ||
	    fab_nic_open(&n)) {
		fprintf(stderr, "cannot open the device\n");
		return 2;
	}
	setvbuf(stdin, NULL, _IONBF, 0); /* so that poll sees every line */
	for (;;) {
		push_events(&n);
		if (poll(&input, 1, 1) <= 0)
			continue;
		if (!fgets(line, sizeof(line), stdin))
			break; /* rung has gone */
		fab_serve(&n, line);
	}
	nic_close(&n);
	fi_close(&n.fabric->fid);
	fi_freeinfo(n.info);
	return 0;
}
