/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/spec.c -- parses the arguments of --dut and --control, and reads the
 * token of a TCP control channel.
 */
#include "cli/spec.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"

static int spec_wrong(const char **ret_why, const char *why)
{
	*ret_why = why;
	return ERR_SYNTAX;
}

/* Parses a device at the other end of one of our links. */
static int spec_link(struct dut_spec *s, const char *arg, const char **ret_why)
{
	int err;

	if (s->linked)
		return spec_wrong(ret_why, "a port is given twice");
	err = spec_port(&s->at, arg, ret_why);
	if (err)
		return err;
	if (!s->at.conf.addr.len)
		return spec_wrong(ret_why,
				  "expected ,ip=ADDR, our own address");
	if (!s->at.peer.len)
		return spec_wrong(ret_why, "expected ,peer=HOST, the device's "
					   "address");
	s->linked = true;
	return 0;
}

/* Parses "virtual,native,ip6,crc=big": |arg| is the text after "virtual" */
static int spec_virtual(struct dut_spec *s, const char *arg,
			const char **ret_why)
{
	s->virtual = true;
	while (*arg == ',') {
		const char *word = ++arg;
		const size_t len = strcspn(word, ",");

		arg += len;
		if (len == 6 && !memcmp(word, "native", len)) {
			s->native = true;
		} else if (len == 3 && !memcmp(word, "ip6", len)) {
			s->ip6 = true;
		} else if (len == 10 && !memcmp(word, "crc=little", len)) {
			s->crc = true;
			s->crc_be = false;
		} else if (len == 7 && !memcmp(word, "crc=big", len)) {
			s->crc = true;
			s->crc_be = true;
		} else {
			return spec_wrong(ret_why,
					  "after virtual, expected native, "
					  "ip6, crc=little or crc=big");
		}
	}
	return 0;
}

static bool is_virtual(const char *arg)
{
	return !strncmp(arg, "virtual", 7) && (!arg[7] || arg[7] == ',');
}

/* Adds an argument to the text; a port stands before a command. */
static bool spec_adds_text(struct dut_spec *s, const char *arg)
{
	const size_t have = strlen(s->text), len = strlen(arg);
	const size_t blank = have > 0;

	if (have + blank + len >= sizeof(s->text))
		return false;
	if (have && spec_is_port(arg)) {
		memmove(s->text + len + blank, s->text, have + 1);
		memcpy(s->text, arg, len);
		s->text[len] = ' ';
		return true;
	}
	if (have)
		s->text[have] = ' ';
	memcpy(s->text + have + blank, arg, len + 1);
	return true;
}

/* Parses "PORT,peer=HOST exec:COMMAND"; |exec| is the part behind the blank. */
static int spec_both(struct dut_spec *s, const char *arg, const char *exec,
		     const char **ret_why)
{
	const size_t len = (size_t)(exec - arg) - 1;
	char link[256];
	int err;

	if (len >= sizeof(link))
		return spec_wrong(ret_why, "the port is too long");
	memcpy(link, arg, len);
	link[len] = 0;
	err = spec_dut(s, link, ret_why);
	return err ? err : spec_dut(s, exec, ret_why);
}

int spec_dut(struct dut_spec *s, const char *arg, const char **ret_why)
{
	const char *both = spec_is_port(arg) ? strstr(arg, " exec:") : NULL;
	const bool have = s->text[0];

	if (both)
		return spec_both(s, arg, both + 1, ret_why);
	if (s->ref || s->virtual)
		return spec_wrong(ret_why,
				  "ref and virtual exclude other words");
	if (!spec_adds_text(s, arg))
		return spec_wrong(ret_why, "it is too long");
	if (spec_is_port(arg))
		return spec_link(s, arg, ret_why);
	if (strncmp(arg, "exec:", 5) == 0) {
		if (s->command || !arg[5])
			return spec_wrong(ret_why, "expected one exec:COMMAND");
		s->command = arg + 5;
		return 0;
	}
	s->ref = strcmp(arg, "ref") == 0;
	if (is_virtual(arg) && !have)
		return spec_virtual(s, arg + 7, ret_why);
	if (!s->ref && !is_virtual(arg))
		return spec_wrong(ret_why,
				  "expected ref, virtual, udp:ADDR[:PORT],"
				  "peer=HOST, raw:IFACE,ip=ADDR,peer=HOST, "
				  "ring:... or exec:COMMAND");
	if (have)
		return spec_wrong(ret_why,
				  "ref and virtual exclude other words");
	return 0;
}

const char *spec_token(const struct control_spec *s)
{
	if (s->secret[0])
		return s->secret;
	return s->token;
}

/* Reads the first line of an open file as the token, and closes the file. */
static int read_token(struct control_spec *s, FILE *f, const char **ret_why)
{
	bool got;

	if (!f)
		return spec_wrong(ret_why,
				  "the file of the token cannot be opened");
	got = fgets(s->secret, sizeof(s->secret), f) != NULL;
	fclose(f);
	s->secret[strcspn(s->secret, "\r\n")] = 0;
	if (!got || !s->secret[0])
		return spec_wrong(ret_why, "the file of the token is empty");
	if (strlen(s->secret) == sizeof(s->secret) - 1)
		return spec_wrong(ret_why,
				  "the token is longer than 254 bytes");
	return 0;
}

static FILE *open_fd(const char *digits)
{
	char path[32];

	/*
	 * Opening this path duplicates any descriptor; the caller keeps its
	 * own.
	 */
	snprintf(path, sizeof(path), "/dev/fd/%.10s", digits);
	if (digits[strspn(digits, "0123456789")])
		return NULL;
	return fopen(path, "re");
}

static int spec_given_token(struct control_spec *s, const char *rest,
			    const char **ret_why)
{
	if (strncmp(rest, "token=", 6) == 0) {
		s->token = rest + 6;
		return 0;
	}
	if (strncmp(rest, "token-file=", 11) == 0)
		return read_token(s, fopen(rest + 11, "re"), ret_why);
	if (strncmp(rest, "token-fd=", 9) == 0)
		return read_token(s, open_fd(rest + 9), ret_why);
	return spec_wrong(ret_why, "expected token=TOKEN, token-file=PATH or "
				   "token-fd=N after tcp:HOST:PORT,");
}

static int spec_tcp(struct control_spec *s, const char *arg,
		    const char **ret_why)
{
	size_t len = strcspn(arg, ",");
	size_t at = spec_port_at(arg, len);
	const char *rest = arg + len;

	if (at == len || at >= sizeof(s->host) ||
	    !spec_port_number(arg + at + 1, len - at - 1, &s->port))
		return spec_wrong(ret_why, "expected tcp:HOST:PORT");
	memcpy(s->host, arg, at);
	s->host[at] = 0;
	s->kind = CONTROL_TCP;
	if (*rest)
		return spec_given_token(s, rest + 1, ret_why);
	return 0;
}

int spec_control(struct control_spec *s, const char *arg, const char **ret_why)
{
	if (strcmp(arg, "stdio") == 0) {
		s->kind = CONTROL_STDIO;
		return 0;
	}
	if (strncmp(arg, "tcp:", 4) == 0)
		return spec_tcp(s, arg + 4, ret_why);
	if (strncmp(arg, "unix:", 5) == 0) {
		if (!arg[5] || strlen(arg + 5) >= sizeof(s->path))
			return spec_wrong(ret_why,
					  "expected unix:PATH, at most "
					  "107 characters");
		memcpy(s->path, arg + 5, strlen(arg + 5) + 1);
		s->kind = CONTROL_UNIX;
		return 0;
	}
	return spec_wrong(ret_why,
			  "expected stdio, unix:PATH or tcp:HOST:PORT");
}
