/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/spec.h -- parses the arguments of "--dut" and "--control".
 *
 *	ref                        starts "rung serve" as a child
 *	virtual[,WRAP...]          in this process, in virtual time; WRAP is how
 *                                 packets are wrapped: native (over IP, without
 *                                 UDP), ip6, crc=little, crc=big
 *	PORT,peer=HOST             a device reached from a port of ours
 *	exec:COMMAND               starts COMMAND, control on its stdin and
 *                                 stdout
 *
 * PORT is described in cli/spec_port.h.
 *
 * "exec:" and a port may both be given, in two arguments or as "PORT,peer=HOST
 * exec:COMMAND" in one: the command is then the device at HOST.
 * With "exec:" alone, addresses on loopback are chosen, and replace {dut} and
 * {tester} in COMMAND.
 */
#ifndef CLI_SPEC_H
#define CLI_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/spec_port.h"

struct dut_spec {
	bool ref, virtual;
	bool linked;         /* a port is given: |at| */
	bool native, ip6;    /* of virtual */
	bool crc, crc_be;    /* of virtual; else as declared */
	const char *command; /* command of exec, or NULL; lent */
	struct port_spec at;
	/* for reports, and one argument that is the same device again */
	char text[4096];
};

/*
 * spec_dut parses one --dut; a second one adds to the first.
 * Return: 0, or ERR_SYNTAX with the error in |ret_why|.
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
	char path[108]; /* of unix */
	char host[128]; /* of tcp */
	uint16_t port;
	const char *token; /* of tcp, ",token=..."; lent; NULL: none */
	char secret[256];  /* of tcp, ",token-file=..." or ",token-fd=..." */
};

/*
 * spec_control parses "stdio", "unix:PATH" or "tcp:HOST:PORT", which may be
 * followed by ",token=T", or by ",token-file=PATH" or ",token-fd=N": the first
 * line of that file is the token.
 */
int spec_control(struct control_spec *s, const char *arg, const char **ret_why);

/*
 * spec_token returns the token from any of these sources; NULL if none was
 * given.
 */
const char *spec_token(const struct control_spec *s);

#endif
