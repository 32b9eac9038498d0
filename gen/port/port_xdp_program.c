/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_xdp_program.c -- the program that the kernel runs for each
 * frame of an interface with AF_XDP.
 *
 * It needs no compiler for BPF: it is a table of instructions.  The time stands
 * behind a mark.  A driver without room for metadata leaves old bytes there,
 * and the mark tells them apart: port_xdp_program_time removes it.
 *
 * Spec: RFC 9669 (BPF), Linux Documentation/networking/af_xdp.rst
 */
#include "gen/port/port_xdp_program.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <xdp/xsk.h>

#include "base/err.h"
#include "base/memory.h"

#define MARK 0x72756e6778647074 /* a value that old headroom rarely holds */

struct port_xdp_program {
	int map, program, link; /* descriptors; -1: none */
	bool generic;
};

static int port_xdp_program_failed(int err)
{
	errno = -err;
	return ERR_SYS;
}

/* ---- Instructions ---- */

#define OP(op, dst, src, offset, value)              \
	((struct bpf_insn){.code = (op),             \
			   .dst_reg = (dst),         \
			   .src_reg = (src),         \
			   .off = (int16_t)(offset), \
			   .imm = (int32_t)(value)})
#define SET(dst, value)       OP(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define COPY(dst, src)        OP(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD(dst, value)       OP(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value)
#define LOAD(dst, src, at)    OP(BPF_LDX | BPF_W | BPF_MEM, dst, src, at, 0)
#define STORE(dst, at, src)   OP(BPF_STX | BPF_DW | BPF_MEM, dst, src, at, 0)
#define LONG(dst, src, value) OP(BPF_LD | BPF_DW | BPF_IMM, dst, src, 0, value)
#define CALL(function)        OP(BPF_JMP | BPF_CALL, 0, 0, 0, function)
#define EXIT                  OP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
/* skip |n| instructions */
#define SKIP_NOT_0(dst, n)    OP(BPF_JMP | BPF_JNE | BPF_K, dst, 0, n, 0)
#define SKIP_ABOVE(dst, s, n) OP(BPF_JMP | BPF_JGT | BPF_X, dst, s, n, 0)

#define FRAME offsetof(struct xdp_md, data)
#define ROOM  offsetof(struct xdp_md, data_meta)
#define QUEUE offsetof(struct xdp_md, rx_queue_index)

/* Loads the program into the kernel.  Return: a descriptor, or -errno. */
static int port_xdp_program_load(int map)
{
	const struct bpf_insn rows[] = {
		COPY(BPF_REG_6, BPF_REG_1), /* the frame's struct xdp_md */
		SET(BPF_REG_2, -PORT_XDP_ROOM),
		CALL(BPF_FUNC_xdp_adjust_meta),
		SKIP_NOT_0(BPF_REG_0, 10), /* no room */
		LOAD(BPF_REG_7, BPF_REG_6, ROOM),
		LOAD(BPF_REG_3, BPF_REG_6, FRAME),
		COPY(BPF_REG_2, BPF_REG_7),
		ADD(BPF_REG_2, PORT_XDP_ROOM),
		SKIP_ABOVE(BPF_REG_2, BPF_REG_3, 5), /* for the verifier */
		CALL(BPF_FUNC_ktime_get_ns),
		STORE(BPF_REG_7, 8, BPF_REG_0),
		LONG(BPF_REG_1, 0, MARK & UINT32_MAX),
		OP(0, 0, 0, 0, MARK >> 32),
		STORE(BPF_REG_7, 0, BPF_REG_1),
		LONG(BPF_REG_1, BPF_PSEUDO_MAP_FD, map),
		OP(0, 0, 0, 0, 0),
		LOAD(BPF_REG_2, BPF_REG_6, QUEUE),
		SET(BPF_REG_3, XDP_PASS), /* if the queue has no socket */
		CALL(BPF_FUNC_redirect_map),
		EXIT,
	};

	return bpf_prog_load(BPF_PROG_TYPE_XDP, "rung", "Dual BSD/GPL", rows,
			     sizeof(rows) / sizeof(rows[0]), NULL);
}

/* ---- The interface ---- */

static int port_xdp_program_attach(struct port_xdp_program *p, int ifindex,
				   uint32_t queues)
{
	const struct bpf_link_create_opts mode = {
		.sz = sizeof(mode),
		.flags = p->generic ? XDP_FLAGS_SKB_MODE : XDP_FLAGS_DRV_MODE};

	p->map = bpf_map_create(BPF_MAP_TYPE_XSKMAP, "rung_queues",
				sizeof(uint32_t), sizeof(int), queues, NULL);
	if (p->map < 0)
		return port_xdp_program_failed(p->map);
	p->program = port_xdp_program_load(p->map);
	if (p->program < 0)
		return port_xdp_program_failed(p->program);
	p->link = bpf_link_create(p->program, ifindex, BPF_XDP, &mode);
	if (p->link < 0)
		return port_xdp_program_failed(p->link);
	return 0;
}

int port_xdp_program_new(int ifindex, uint32_t queues, bool generic,
			 struct port_xdp_program **ret)
{
	struct port_xdp_program *p = memory_calloc(1, sizeof(*p));
	int err, kept;

	if (!p)
		return ERR_NOMEM;
	*p = (struct port_xdp_program){
		.map = -1, .program = -1, .link = -1, .generic = generic};
	err = port_xdp_program_attach(p, ifindex, queues);
	if (!err) {
		*ret = p;
		return 0;
	}
	kept = errno;
	port_xdp_program_free(p);
	errno = kept;
	return err;
}

void port_xdp_program_free(struct port_xdp_program *p)
{
	if (!p)
		return;
	if (p->link >= 0)
		close(p->link);
	if (p->program >= 0)
		close(p->program);
	if (p->map >= 0)
		close(p->map);
	free(p);
}

bool port_xdp_program_is_generic(const struct port_xdp_program *p)
{
	return p->generic;
}

int port_xdp_program_join(const struct port_xdp_program *p,
			  struct xsk_socket *xsk)
{
	const int err = xsk_socket__update_xskmap(xsk, p->map);

	if (err)
		return port_xdp_program_failed(err);
	return 0;
}

int64_t port_xdp_program_time(uint8_t *frame)
{
	uint8_t *room = frame - PORT_XDP_ROOM;
	uint64_t mark, time;

	memcpy(&mark, room, sizeof(mark));
	if (mark != MARK)
		return -1;
	memcpy(&time, room + sizeof(mark), sizeof(time));
	memset(room, 0, sizeof(mark));
	return (int64_t)time;
}
