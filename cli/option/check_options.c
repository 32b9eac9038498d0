/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/check_options.c -- reads the options about the vantage point of a
 * capture and the declarations of its devices.
 */
#include "cli/option/check_options.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/run/check_run.h"
#include "suite/run/run.h"

static int check_take_at(const char *who, void *target, const char *addr)
{
	struct check_run_conf *conf = target;
	struct judge_conf *j = &conf->watch.judge;

	j->remote_vantage = false;
	if (ip_addr_parse(&j->here, addr, strlen(addr)))
		return cli_usage(who, "--at is an address, not '%s'", addr);
	return 0;
}

static int check_take_decl(const char *who, void *target, const char *path)
{
	const bool ref = strcmp(path, "ref") == 0;
	struct check_run_conf *conf = target;
	struct decl *d;
	const int code = endpoint_decl(who, ref ? NULL : path, NULL, false, &d);

	if (code)
		return code;
	run_declared(d, &conf->watch.judge);
	decl_free(d);
	return 0;
}

/* Reads "26", or "26,28" with the codepoint at the last hop. */
static int check_take_trimmed(const char *who, void *target, const char *points)
{
	struct check_run_conf *conf = target;
	struct judge_conf *j = &conf->watch.judge;
	const char *comma = strchr(points, ',');
	const size_t len = comma ? (size_t)(comma - points) : strlen(points);
	uint64_t first = 0, last = 0;
	char word[4] = "";

	if (len < sizeof(word))
		memcpy(word, points, len);
	if (!cli_number(word, 63, &first) || !first ||
	    (comma && (!cli_number(comma + 1, 63, &last) || !last)))
		return cli_usage(who,
				 "--trimmed is one codepoint from 1 to 63 or "
				 "two, as 26,28; not '%s'",
				 points);
	j->dscp_trimmed = (uint8_t)first;
	j->dscp_trimmed_lasthop = (uint8_t)last;
	return 0;
}

static int check_take_sizes(const char *who, void *target, const char *value)
{
	struct check_run_conf *conf = target;

	return cli_sizes(who, value, &conf->watch.foreign);
}

const struct option_row check_option_rows[] = {
	{0, "whole", NULL,
	 "the capture is complete: it holds every packet of its flows",
	 OPTION_FLAG(struct check_run_conf, watch.judge.complete)},
	{0, "at", "ADDR", "the address at whose link the capture was taken",
	 OPTION_CALL(check_take_at)},
	{0, "decl", "FILE",
	 "the declaration that gives the timers and sizes of the devices; "
	 "'ref': that of the reference",
	 OPTION_CALL(check_take_decl), .files = true},
	{0, "trimmed", "N[,N]",
	 "the DSCP of trimmed packets, and that at the last hop",
	 OPTION_CALL(check_take_trimmed)},
	{0, "udp-port", "N", "the UDP port of UET (default 4793)",
	 OPTION_NUMBER(struct check_run_conf, watch.frame.udp_port, 1,
		       UINT16_MAX)},
	{0, "sizes", "LIST",
	 "headers of other sizes than usual, in bits: ack_ccx=32, nack_ccx=24, "
	 "payload_length=12, or some of them",
	 OPTION_CALL(check_take_sizes)},
	OPTION_END};
