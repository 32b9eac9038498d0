/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An adapter: rung's control channel on standard input and output, a device's
 * own words on the other side.
 *
 *	adapter COMMAND...
 *
 * COMMAND is the device's driver program, which takes and gives lines of words
 * (tests/peer/toy.py).  For another device replace nic_open, nic_say and heard.
 */
#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static FILE *nic;                 /* to the driver */
static json_int_t resetting = -1; /* id of the request; -1: none */

static void adapter_tell(json_t *message)
{
	json_dumpf(message, stdout, JSON_COMPACT);
	putchar('\n');
	fflush(stdout);
	json_decref(message);
}

static void adapter_answer(json_int_t id, const char *error)
{
	if (error)
		adapter_tell(json_pack("{s:I, s:s}", "id", id, "error", error));
	else
		adapter_tell(json_pack("{s:I, s:b}", "id", id, "ok", 1));
}

/* The driver fills messages and memory; their bytes follow from the seed. */
static void adapter_reset(json_int_t id, const json_t *seed)
{
	char *text = json_dumps(seed, JSON_ENCODE_ANY);

	fprintf(nic, "reset %s\n", text ? text : "0");
	free(text);
	resetting = id;
}

static void adapter_hello(json_int_t id, json_int_t version)
{
	if (version != 2)
		adapter_answer(id, "this adapter speaks version 2 only");
	else
		adapter_tell(
			json_pack("{s:I, s:b, s:s, s:i, s:[s, s, s, s, s, s]}",
				  "id", id, "ok", 1, "name", "Toy NIC",
				  "version", 2, "verbs", "reset", "send",
				  "write", "read", "post_recv", "expose"));
}

/* Return: NULL, or why not. */
static const char *adapter_carry_out(const char *verb, json_t *request)
{
	long long handle = 0, len = 0, count = 1, key = 0;
	const char *peer = "", *mode = "rud", *header = "std";

	json_unpack(request, "{s?I, s?I, s?I, s?I, s?s, s?s, s?s}", "handle",
		    &handle, "len", &len, "count", &count, "key", &key, "peer",
		    &peer, "mode", &mode, "header", &header);
	if (strcmp(mode, "rud") || strcmp(header, "std") ||
	    json_object_get(request, "offset") ||
	    json_object_get(request, "msg_id"))
		return "unsupported";
	if (!strcmp(verb, "post_recv"))
		fprintf(nic, "room %lld\n", count);
	else if (!strcmp(verb, "expose"))
		fprintf(nic, "map %lld %lld\n", key, len);
	else if (!strcmp(verb, "send") || !strcmp(verb, "write") ||
		 !strcmp(verb, "read"))
		fprintf(nic, "%s %lld %s %lld %lld\n", verb, handle, peer, len,
			key);
	else
		return "unsupported";
	return NULL;
}

static void adapter_request(const char *line)
{
	json_t *r = json_loads(line, 0, NULL);
	json_int_t id = 0, version = 0;
	const char *verb = "";

	json_unpack(r, "{s?I, s?s, s?I}", "id", &id, "verb", &verb, "version",
		    &version);
	if (!strcmp(verb, "hello"))
		adapter_hello(id, version);
	else if (!strcmp(verb, "reset"))
		adapter_reset(id, json_object_get(r, "seed"));
	else
		adapter_answer(id, adapter_carry_out(verb, r));
	json_decref(r);
}

/* Turns the driver's lines into answers and events. */
static void adapter_heard(const char *line)
{
	char status[16];
	long long n;

	if (!strcmp(line, "ready\n") && resetting >= 0)
		adapter_answer(resetting, NULL), resetting = -1;
	else if (sscanf(line, "sent %lld %15s", &n, status) == 2)
		adapter_tell(json_pack("{s:s, s:I, s:s}", "event", "completion",
				       "handle", (json_int_t)n, "status",
				       status));
	else if (sscanf(line, "got %lld", &n) == 1)
		adapter_tell(json_pack("{s:s, s:I}", "event", "recv", "len",
				       (json_int_t)n));
}

static int adapter_nic_open(char **argv)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		return -1;
	if (!fork()) {
		close(ends[0]);
		dup2(ends[1], 0);
		dup2(ends[1], 1);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	close(ends[1]);
	nic = fdopen(dup(ends[0]), "w");
	setvbuf(nic, NULL, _IOLBF, 0);
	return ends[0];
}

int main(int argc, char **argv)
{
	static char line[65536];
	struct pollfd fds[2] = {{.fd = 0, .events = POLLIN},
				{.events = POLLIN}};
	FILE *in[2] = {stdin, NULL};

	fds[1].fd = argc > 1 ? adapter_nic_open(argv + 1) : -1;
	if (fds[1].fd < 0)
		return fprintf(stderr, "adapter COMMAND...\n"), 2;
	in[1] = fdopen(fds[1].fd, "r");
	setvbuf(in[0], NULL, _IONBF, 0); /* so that poll sees every line */
	setvbuf(in[1], NULL, _IONBF, 0);
	while (poll(fds, 2, -1) > 0)
		for (int i = 0; i < 2; i++) {
			if (!fds[i].revents)
				continue;
			if (!fgets(line, sizeof(line), in[i]))
				return i; /* rung has gone, or the driver */
			(i ? adapter_heard : adapter_request)(line);
		}
	return 1;
}
