/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_doctor.c -- rung doctor: reports what this machine permits, and
 * what it lacks.
 *
 * Each check examines one subject and prints one or more lines about it.  To
 * add a check, write its function and add a row to checks[].
 */
#include <errno.h>
#include <jansson.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>

#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/doctor_iface.h"
#include "cli/endpoint.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/tool.h"

#define WHO "rung doctor"

/* Reads the first line of a file.  Return: true if there is one. */
static bool file_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "re");
	const bool any = f && fgets(line, (int)size, f);

	if (any)
		line[strcspn(line, "\n")] = 0;
	if (f)
		fclose(f);
	return any;
}

/* ---- Raw packets ---- */

static void check_raw(struct doctor *d)
{
	unsigned long long caps = 0;

	if (!doctor_capabilities(&caps))
		doctor_say(d, DOCTOR_NOTE,
			   "the system does not report capabilities");
	else if (doctor_can(CAP_NET_RAW))
		doctor_say(d, DOCTOR_OK,
			   "CAP_NET_RAW: raw packets can be sent");
	else
		doctor_say(d, DOCTOR_NOTE,
			   "no CAP_NET_RAW: only UDP sockets, no raw packets; "
			   "setcap cap_net_raw+ep gives it to the program");
}

/* ---- Interfaces ---- */

/* Bytes of IPv6, UDP, PDS, SES and CRC headers around the largest payload. */
#define MTU_HEADERS 160

/* Runs will use an interface that the user named, so that it must be up. */
static bool doctor_named(const struct doctor *d, const char *name)
{
	for (char *const *p = d->ifaces; p && *p; p++)
		if (!strcmp(*p, name))
			return true;
	return false;
}

static void say_mtu(struct doctor *d, int sock, const char *name)
{
	enum doctor_state state = DOCTOR_NOTE;
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(sock, SIOCGIFMTU, &r)) {
		doctor_say(d, DOCTOR_NOTE, "%s: %s", name, strerror(errno));
		return;
	}
	if ((unsigned)r.ifr_mtu >= d->mtu + MTU_HEADERS) {
		doctor_say(d, DOCTOR_OK, "%s: MTU %d", name, r.ifr_mtu);
		return;
	}
	if (d->declared && doctor_named(d, name))
		state = DOCTOR_LACKS;
	doctor_say(d, state,
		   "%s: MTU %d, too small for the declared payloads of %u "
		   "bytes",
		   name, r.ifr_mtu, d->mtu);
}

static void check_mtu(struct doctor *d)
{
	const int sock = socket(AF_INET, SOCK_DGRAM, 0);
	struct if_nameindex *all = if_nameindex();

	if (sock < 0 || !all)
		doctor_say(d, DOCTOR_NOTE, "interfaces: %s", strerror(errno));
	for (size_t i = 0; sock >= 0 && all && all[i].if_index; i++)
		say_mtu(d, sock, all[i].if_name);
	if (all)
		if_freenameindex(all);
	if (sock >= 0)
		close(sock);
}

/* ---- The clock ---- */

static void check_clock(struct doctor *d)
{
	struct timespec ts = {0};
	char source[64] = "unknown";

	file_line("/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource",
		  source, sizeof(source));
	if (clock_getres(CLOCK_MONOTONIC, &ts) || ts.tv_sec ||
	    ts.tv_nsec > 1000)
		doctor_say(d, DOCTOR_NOTE, "source %s, coarser than 1 us",
			   source);
	else
		doctor_say(d, DOCTOR_OK, "source %s, resolution %ld ns", source,
			   ts.tv_nsec);
}

/* ---- The Wireshark plugin: the list that tshark prints ---- */

/* Replaces each sequence of tabs and blanks by one blank. */
static void squeeze(char *s)
{
	char *to = s;

	for (char *p = s; *p; p++) {
		const char c = *p == '\t' ? ' ' : *p;

		if (c != ' ' || (to > s && to[-1] != ' '))
			*to++ = c;
	}
	*to = 0;
}

static bool find_plugin(char *version, size_t size)
{
	struct text out = {0};
	const char *line = "";

	if (tool_output("tshark -G plugins 2>/dev/null", &out))
		line = text_cstr(&out);
	while (*line && strncmp(line, "rung.so", 7) != 0) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (*line) {
		snprintf(version, size, "%s", line + 7);
		version[strcspn(version, "\n")] = 0;
		squeeze(version);
	}
	text_free(&out);
	return *version != 0;
}

/* Cuts "TShark (Wireshark) 4.0.17 (Git ...)." after the version number. */
static void cut_version(char *s)
{
	char *git = strstr(s, " (Git");
	size_t len;

	if (git)
		*git = 0;
	len = strlen(s);
	if (len && s[len - 1] == '.')
		s[len - 1] = 0;
}

static void check_plugin(struct doctor *d)
{
	char shark[256] = "", plugin[512] = "";
	struct text out = {0};
	const bool any = tool_output("tshark --version 2>/dev/null", &out);

	if (any)
		snprintf(shark, sizeof(shark), "%s", text_cstr(&out));
	text_free(&out);
	shark[strcspn(shark, "\n")] = 0;
	cut_version(shark);
	if (!any)
		doctor_say(d, DOCTOR_NOTE, "tshark is not installed");
	else if (find_plugin(plugin, sizeof(plugin)))
		doctor_say(d, DOCTOR_OK, "found by %s: rung.so %s", shark,
			   plugin);
	else
		doctor_say(d, DOCTOR_LACKS,
			   "not found by %s; sh tools/install-plugin.sh "
			   "installs it",
			   shark);
}

/* ---- All checks ---- */

static const struct cmd_doctor_check {
	const char *name;
	void (*run)(struct doctor *d);
} checks[] = {
	{"raw packets", check_raw},    {"interfaces", check_mtu},
	{"offloads", doctor_offloads}, {"queues", doctor_queues},
	{"timestamps", doctor_stamps}, {"xdp", doctor_xdp},
	{"clock", check_clock},        {"plugin", check_plugin},
};

struct doctor_options {
	const char *decl;
	bool offloads_off, json;
};

static const struct option_row doctor_rows[] = {
	{0, "INTERFACE", NULL,
	 "an Ethernet interface; without one, every one that is up",
	 .kind = OPTION_KIND_OPERAND},
	{0, "offloads-off", NULL,
	 "switch off the offloads that make a capture differ from the wire, "
	 "on the named interfaces",
	 OPTION_FLAG(struct doctor_options, offloads_off)},
	{0, "decl", "FILE",
	 "the declaration of the device, for its MTU (default: that of the "
	 "reference)",
	 OPTION_FILE(struct doctor_options, decl)},
	OPTION_ROW_JSON(struct doctor_options, json),
	OPTION_END};

static const struct option_group doctor_groups[] = {{NULL, doctor_rows, 0},
						    OPTION_GROUPS_END};

static int doctor_exit(const struct doctor *d)
{
	if (d->failed)
		return EXIT_HARNESS;
	if (d->lacks)
		return EXIT_FAILED;
	return EXIT_PASSED;
}

static int examine(struct doctor *d, bool json)
{
	int code = 0;

	if (json)
		d->rows = json_array();
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		d->check = checks[i].name;
		checks[i].run(d);
	}
	if (json)
		code = cli_put_json(WHO, json_pack("{s:s, s:o}", "schema",
						   "rung.doctor/1", "checks",
						   d->rows));
	if (code)
		return code;
	return doctor_exit(d);
}

static int cmd_doctor(int argc, char **argv)
{
	struct doctor_options options = {0};
	struct operands interfaces;
	struct doctor d = {.ifaces = NULL};
	struct decl *decl = NULL;
	int code =
		option_read(&command_doctor, argc, argv, &options, &interfaces);

	if (code >= 0)
		return code;
	d.ifaces = interfaces.at;
	d.offloads_off = options.offloads_off;
	if (d.offloads_off && !interfaces.n)
		return cli_usage(WHO,
				 "--offloads-off needs the interfaces named");
	code = endpoint_decl(WHO, options.decl, NULL, false, &decl);
	if (code)
		return code;
	d.mtu = decl->mtu;
	d.declared = options.decl != NULL;
	decl_free(decl);
	return examine(&d, options.json);
}

const struct command command_doctor = {
	.name = "doctor",
	.what = "report what this machine lacks to test devices",
	.usage = "[OPTION...] [INTERFACE...]",
	.about =
		"Says what this machine allows: raw packets, interfaces, their "
		"MTU, offloads, queues and timestamps, AF_XDP, the clock, and "
		"whether Wireshark finds the plugin.",
	.groups = doctor_groups,
	.exits = "Exit codes: 0 nothing is lacking, 1 something is, 2 usage, 5 "
		 "something could not be done.",
	.run = cmd_doctor,
};
