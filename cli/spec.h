/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/spec.h -- what "--dut" and "--control" say, taken apart.
 *
 *	ref                        starts "rung serve" as a child
 *	virtual[,WRAP...]          in this process, in virtual time; WRAP is how
 *	                           packets are wrapped: native (over IP, without
 *	                           UDP), ip6, crc=little, crc=big
 *	udp:ADDR[:PORT],peer=HOST  a device reached from our address ADDR
 *	exec:COMMAND               starts COMMAND, control on its stdin and
 *stdout
 *
 * "exec:" and "udp:" may both be given: the command then is the device that is
 * reached at HOST.  Alone, "exec:" has addresses chosen on loopback, and {dut}
 * and {tester} in COMMAND stand for them.
 */
#ifndef CLI_SPEC_H
#define CLI_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/addr.h"

struct dut_spec {
	bool ref, virtual, udp;
	bool native, ip6;          /* virtual */
	bool crc, crc_be;          /* virtual; else as declared */
	const char *command;       /* of exec, or NULL; lent */
	struct ip_addr addr, peer; /* udp */
	uint16_t port;             /* udp; 0: as declared */
	char text[256];            /* as given, for the report */
};

/*
 * spec_dut takes one --dut; a second one adds to the first.
 * Return: 0, or ERR_SYNTAX with what is wrong in |ret_why|.
 */
int spec_dut(struct dut_spec *s, const char *arg, const char **ret_why);

enum control_kind {
	CONTROL_NONE, /* not given */
	CONTROL_STDIO,
	CONTROL_UNIX,
	CONTROL_TCP,
};

struct control_spec {
	enum control_kind kind;
	char path[108]; /* unix */
	char host[128]; /* tcp */
	uint16_t port;
	const char *token; /* tcp, ",token=..."; lent; NULL: none */
};

/* spec_control takes "stdio", "unix:PATH" or "tcp:HOST:PORT[,token=T]". */
int spec_control(struct control_spec *s, const char *arg, const char **ret_why);

/*
 * spec_host reads a numeric address of |len| characters, "[...]" around IPv6
 * allowed, or looks a name up.
 */
bool spec_host(struct ip_addr *ret, const char *s, size_t len);

/*
 * spec_endpoint reads "ADDR", "ADDR:PORT" or "[IPV6]:PORT"; *ret_port stays as
 * it is if there is none.
 */
bool spec_endpoint(struct ip_addr *ret, uint16_t *ret_port, const char *s,
		   size_t len);

#endif
