/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_doctor.c -- rung doctor: what this machine allows, and what it lacks.
 *
 * Each check looks at one thing and says one line or more of it.  To add one,
 * write the function and add its row to checks[].
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>

#include "cli/cli.h"
#include "cli/doctor.h"

#define WHO "rung doctor"

static const char *const state_names[] = {"ok", "note", "lacks"};

void doctor_say(struct doctor *d, enum doctor_state state, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (d->rows)
		json_array_append_new(
			d->rows,
			json_pack("{s:s, s:s, s:s}", "check", d->check, "state",
				  state_names[state], "text", text));
	else
		printf("%-6s %-12s %s\n", state_names[state], d->check, text);
}

/* first_line reads the first line of a file or a command's output. */
static bool first_line(FILE *f, char *line, size_t size)
{
	bool any = f && fgets(line, (int)size, f);

	if (any)
		line[strcspn(line, "\n")] = 0;
	return any;
}

static bool file_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "r");
	const bool any = first_line(f, line, size);

	if (f)
		fclose(f);
	return any;
}

/* ---- Raw packets ---- */

static bool capabilities(unsigned long long *ret)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "CapEff: %llx", ret) == 1;
	if (f)
		fclose(f);
	return found;
}

bool doctor_can(unsigned capability)
{
	unsigned long long caps = 0;

	return capabilities(&caps) && caps >> capability & 1;
}

static void check_raw(struct doctor *d)
{
	unsigned long long caps = 0;

	if (!capabilities(&caps))
		doctor_say(d, DOCTOR_NOTE, "capabilities are not told here");
	else if (doctor_can(CAP_NET_RAW))
		doctor_say(d, DOCTOR_OK,
			   "CAP_NET_RAW: raw packets can be sent");
	else
		doctor_say(d, DOCTOR_NOTE,
			   "no CAP_NET_RAW: UDP sockets only, no raw packets; "
			   "setcap cap_net_raw+ep gives it to the program");
}

/* ---- Interfaces ---- */

#define MTU_WANTED 4096 /* a payload MTU of 4096 needs some more */

static void say_mtu(struct doctor *d, int sock, const char *name)
{
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(sock, SIOCGIFMTU, &r))
		doctor_say(d, DOCTOR_NOTE, "%s: %s", name, strerror(errno));
	else
		doctor_say(d, r.ifr_mtu > MTU_WANTED ? DOCTOR_OK : DOCTOR_NOTE,
			   "%s: MTU %d%s", name, r.ifr_mtu,
			   r.ifr_mtu > MTU_WANTED
				   ? ""
				   : ", too small for payloads of 4096 bytes");
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

/* ---- The Wireshark plugin: what tshark itself says that it has loaded ---- */

/* Columns are apart by tabs or blanks: one blank each will do. */
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
	FILE *f = popen("tshark -G plugins 2>/dev/null", "r");
	char line[512];
	bool found = false;

	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "rung.so", 7) != 0 || found)
			continue;
		found = true;
		snprintf(version, size, "%s", line + 7);
		version[strcspn(version, "\n")] = 0;
		squeeze(version);
	}
	if (f)
		pclose(f);
	return found;
}

/* "TShark (Wireshark) 4.0.17 (Git ...)." without what follows the number. */
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
	FILE *f = popen("tshark --version 2>/dev/null", "r");
	char shark[256] = "", plugin[512] = "";
	const bool any = first_line(f, shark, sizeof(shark));

	if (f)
		pclose(f);
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

/* ---- All of them ---- */

static const struct check {
	const char *name;
	void (*run)(struct doctor *d);
} checks[] = {
	{"raw packets", check_raw},    {"interfaces", check_mtu},
	{"offloads", doctor_offloads}, {"queues", doctor_queues},
	{"timestamps", doctor_stamps}, {"xdp", doctor_xdp},
	{"clock", check_clock},        {"plugin", check_plugin},
};

static void help(void)
{
	puts("Usage: rung doctor [OPTION...] [INTERFACE...]\n\n"
	     "Says what this machine allows: raw packets, interfaces, their "
	     "MTU, offloads,\n"
	     "queues and timestamps, AF_XDP, the clock, and whether Wireshark "
	     "finds the\nplugin.\n"
	     "Without an interface all Ethernets that are up are looked at.\n\n"
	     "  --offloads-off  switch off what makes a capture differ from "
	     "the "
	     "wire, on the\n"
	     "                  interfaces that are named\n"
	     "  --json          as JSON\n"
	     "  -h, --help      this text");
}

static int examine(struct doctor *d, bool json)
{
	json_t *root;
	int bad;

	d->rows = json ? json_array() : NULL;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		d->check = checks[i].name;
		checks[i].run(d);
	}
	if (!json)
		return d->failed ? EXIT_HARNESS : EXIT_PASSED;
	root = json_pack("{s:s, s:o}", "schema", "rung.doctor/1", "checks",
			 d->rows);
	bad = !root || json_dumpf(root, stdout, JSON_INDENT(2));
	json_decref(root);
	putchar('\n');
	if (bad && !ferror(stdout))
		return cli_nomem(WHO);
	return d->failed ? EXIT_HARNESS : EXIT_PASSED;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct option longs[] = {
		{"json", no_argument, NULL, 'j'},
		{"offloads-off", no_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct doctor d = {.ifaces = NULL};
	bool json = false;
	int o;

	while ((o = getopt_long(argc, argv, "h", longs, NULL)) != -1)
		switch (o) {
		case 'j':
			json = true;
			break;
		case 'o':
			d.offloads_off = true;
			break;
		case 'h':
			help();
			return EXIT_PASSED;
		default:
			return cli_try(WHO);
		}
	d.ifaces = argv + optind;
	if (d.offloads_off && optind == argc)
		return cli_usage(WHO, "--offloads-off wants the interfaces "
				      "named");
	return examine(&d, json);
}
