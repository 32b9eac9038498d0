/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_send.c -- rung send: sends the packets of cases or of a capture,
 * repeated and varied, at a given rate.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/meter.h"
#include "cli/run/pace.h"
#include "cli/run/stimulus.h"
#include "cli/spec_port.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"

#define WHO "rung send"

#define BATCH 64
#define ROOM  ((size_t)1 << 20) /* bytes of frames that a sweep made */

struct sender {
	struct stimulus stimulus;
	const char *name;    /* the port, as the user gave it */
	bool open_to_choice; /* the user gave only an interface */
	char chosen[64];     /* the kind of port chosen for it */
	struct port_spec at;
	bool quiet, json;
	struct port *port;
	struct pace pace;
	struct meter meter;
	const volatile bool *stop;
	struct port_frame batch[BATCH];
	double due[BATCH];
	size_t n, used;
	uint8_t *room;
	uint64_t sent, bytes;
	double next; /* when the next packet is due */
	struct dgram d;
	/* time since which no datagram left; 0: none was sent */
	vtime stuck_at;
};

static const struct option_row send_rows[] = {
	{0, "port", "PORT", "where to send", OPTION_TEXT(struct sender, name),
	 .words = "raw: ring: xdp: udp:"},
	{0, "json", NULL, "print the result as one JSON object",
	 OPTION_FLAG(struct sender, json)},
	OPTION_ROW_QUIET(struct sender, quiet),
	OPTION_END};

static const struct option_group send_groups[] = {
	{NULL, stimulus_rows, offsetof(struct sender, stimulus)},
	{NULL, send_rows, 0},
	OPTION_GROUPS_END};

/* ---- Sending ---- */

#define STUCK_TIME (2 * VSPAN_S)

/* Subtracts frames that an interruption left unsent. */
static void drop_rest(struct sender *s, size_t done)
{
	if (done < s->n)
		s->n = done;
}

static int cmd_send_failed(const struct sender *s)
{
	fprintf(stderr, "%s: %s: %s\n", WHO, s->name, strerror(errno));
	return EXIT_HARNESS;
}

/* Waits for a slow link, but not for one that accepts nothing. */
static int send_frames(struct sender *s)
{
	vtime until = port_now() + STUCK_TIME;
	size_t done = 0;

	while (done < s->n && !*s->stop) {
		int n = s->port->ops->put(s->port, s->batch + done,
					  s->n - done);

		if (n <= 0 && (errno != ENOBUFS && errno != EAGAIN))
			return cmd_send_failed(s);
		if (n > 0) {
			done += (size_t)n;
			until = port_now() + STUCK_TIME;
		} else if (port_now() >= until) {
			return cmd_send_failed(s);
		}
	}
	drop_rest(s, done);
	return 0;
}

/* Returns true if nothing has left for so long that waiting is useless. */
static bool is_stuck(struct sender *s, uint64_t unsent_before)
{
	const vtime now = port_now();

	if (s->port->unsent == unsent_before || !s->stuck_at)
		s->stuck_at = now;
	if (now - s->stuck_at < STUCK_TIME)
		return false;
	errno = ENOBUFS;
	return true;
}

/* Frames without one of our packets cannot be sent as datagrams. */
static int send_dgrams(struct sender *s)
{
	struct frame_info info;
	int err = 0;

	for (size_t i = 0; i < s->n && err != ERR_SYS && !*s->stop; i++) {
		const uint64_t unsent = s->port->unsent;
		const struct port_frame *f = &s->batch[i];

		if (frame_parse(&s->stimulus.packet_set.conf, FRAME_ETHERNET,
				f->p, f->len, &s->d, &info) != FRAME_OK)
			continue;
		s->d.src = s->at.conf.addr;
		s->d.dst = s->at.peer;
		s->d.native = s->at.native;
		err = s->port->ops->send(s->port, &s->d);
		if (!err && is_stuck(s, unsent))
			err = ERR_SYS;
	}
	if (err == ERR_SYS)
		return cmd_send_failed(s);
	return 0;
}

/* Sends the queued frames.  Return: 0 or an exit code after a message. */
static int cmd_send_spill(struct sender *s)
{
	const int code = s->at.peer.len ? send_dgrams(s) : send_frames(s);
	const vtime now = port_now();

	if (code)
		return code;
	for (size_t i = 0; i < s->n; i++) {
		s->bytes += s->batch[i].len;
		if (!s->stimulus.rate.max)
			pace_sent(&s->pace, s->due[i], now);
	}
	s->sent += s->n;
	s->n = s->used = 0;
	meter_show(&s->meter, s->sent, now);
	return 0;
}

/* Copies a frame made by a sweep, since the next frame overwrites it. */
static void cmd_send_hold(struct sender *s, const struct series_frame *f,
			  double due)
{
	const struct packet_set *packet_set = &s->stimulus.packet_set;
	const uint8_t *p = f->p;

	if (p < packet_set->bytes ||
	    p >= packet_set->bytes + packet_set->nbytes) {
		memcpy(s->room + s->used, p, f->len);
		p = s->room + s->used;
		s->used += f->len;
	}
	s->due[s->n] = due;
	s->batch[s->n++] = (struct port_frame){.p = p, .len = f->len};
}

static double due_of(struct sender *s, const struct series_frame *f)
{
	const struct stimulus_rate *rate = &s->stimulus.rate;
	const double due = s->next;

	if (!rate->set)
		return (double)f->at;
	s->next += rate_span(rate, f->len);
	return due;
}

static int send_all(struct sender *s, struct series *series)
{
	struct series_frame f;
	vtime now = s->pace.begun;
	int code = 0;

	while (!code && !*s->stop && series_next(series, &f)) {
		const double due = s->stimulus.rate.max ? 0 : due_of(s, &f);
		const bool early = !s->stimulus.rate.max &&
				   due > (double)(now - s->pace.begun);

		if (s->n && (early || s->n == BATCH || s->used + f.len > ROOM))
			code = cmd_send_spill(s);
		if (early)
			now = pace_wait(&s->pace, due, s->stop);
		cmd_send_hold(s, &f, due);
	}
	if (code)
		return code;
	return cmd_send_spill(s);
}

/* ---- Results ---- */

static void cmd_send_print_json(const struct sender *s, double seconds)
{
	printf("{\"port\": \"%s\", \"packets\": %" PRIu64
	       ", \"bytes\": %" PRIu64 ", \"seconds\": %.6f, "
	       "\"packets_per_second\": %.1f, \"bits_per_second\": %.0f",
	       s->port->ops->name, s->sent, s->bytes, seconds,
	       (double)s->sent / seconds, (double)s->bytes * 8 / seconds);
	if (!s->stimulus.rate.max)
		printf(", \"late_ns\": {\"p50\": %" PRId64 ", \"p99\": %" PRId64
		       ", \"worst\": %" PRId64 "}",
		       pace_late(&s->pace, 500), pace_late(&s->pace, 990),
		       s->pace.worst);
	puts("}");
}

static void cmd_send_print_text(const struct sender *s, double seconds)
{
	printf("%s: %" PRIu64 " packets, %" PRIu64 " bytes in %.3f s: %.0f "
	       "packets/s, %.3f Mbit/s\n",
	       s->name, s->sent, s->bytes, seconds, (double)s->sent / seconds,
	       (double)s->bytes * 8 / seconds / 1e6);
	if (!s->stimulus.rate.max && s->sent)
		printf("late for their times by (us): p50 %.1f p99 %.1f worst "
		       "%.1f\n",
		       (double)pace_late(&s->pace, 500) / 1e3,
		       (double)pace_late(&s->pace, 990) / 1e3,
		       (double)s->pace.worst / 1e3);
}

/* A rate includes the time after each packet, also after the last one. */
static double took(const struct sender *s)
{
	double ns = (double)(port_now() - s->pace.begun);

	if (s->stimulus.rate.set && ns < s->next)
		ns = s->next;
	if (ns > 0)
		return ns / 1e9;
	return 1e-9;
}

/* Returns the number of datagrams that did not leave. */
static bool cmd_send_lost(const struct sender *s)
{
	const struct port *p = s->port;

	if (p->unsent)
		fprintf(stderr,
			"%s: %s: %" PRIu64 " datagrams found no room: the "
			"queue of the link is full\n",
			WHO, s->name, p->unsent);
	if (p->too_long)
		fprintf(stderr,
			"%s: %s: %" PRIu64 " datagrams were longer than the "
			"path takes\n",
			WHO, s->name, p->too_long);
	return p->unsent || p->too_long;
}

static int cmd_send_run(struct sender *s, struct series *series)
{
	double seconds;
	int code;

	meter_begin(&s->meter, WHO, s->quiet, series_total(series), port_now());
	pace_begin(&s->pace, port_now());
	code = send_all(s, series);
	seconds = took(s);
	meter_hide(&s->meter);
	if (s->json)
		cmd_send_print_json(s, seconds);
	else
		cmd_send_print_text(s, seconds);
	if (!code && cmd_send_lost(s))
		code = EXIT_HARNESS;
	if (!code && *s->stop)
		return EXIT_INTERRUPTED;
	return code;
}

/* ---- The port ---- */

/* Sets the MAC addresses that the user gave. */
static void readdress(struct sender *s)
{
	struct packet_set *packet_set = &s->stimulus.packet_set;

	for (size_t i = 0; i < packet_set->n; i++) {
		const struct packet_set_frame *f = &packet_set->frames[i];
		uint8_t *p = packet_set->bytes + f->at;

		if (f->len < 14)
			continue;
		if (s->at.conf.peer_mac)
			bits_put(p, 0, 48, s->at.conf.peer_mac);
		if (s->at.conf.mac)
			bits_put(p, 48, 48, s->at.conf.mac);
	}
}

static int meet(struct sender *s)
{
	struct port *p = s->port;
	const vtime until = port_now() + VSPAN_S;
	size_t ready;
	vtime at;
	int got;

	if (!p->ops->meet || !s->at.peer.len)
		return 0;
	while ((got = p->ops->meet(p, &s->at.peer)) == 0 &&
	       port_now() < until && !*s->stop) {
		got = port_wait(&p->fd, 1, vtime_min(until, p->wake), &ready);
		if (got < 0 || p->ops->recv(p, &s->d, &at) < 0)
			break;
	}
	if (got > 0)
		return 0;
	fprintf(stderr, "%s: %s: the peer does not answer\n", WHO, s->name);
	return EXIT_HARNESS;
}

static size_t cmd_send_longest(const struct packet_set *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->frames[i].len > most)
			most = s->frames[i].len;
	return most;
}

/*
 * Chooses the fastest kind of port for this interface that can send the longest
 * frame.
 */
static int cmd_send_choose(struct sender *s)
{
	static const struct {
		enum port_kind kind;
		const char *name;
	} kinds[] = {{PORT_XDP, "xdp"}, {PORT_RING, "ring"}};
	const size_t most = cmd_send_longest(&s->stimulus.packet_set);
	int err = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].kind == PORT_XDP && most > PORT_XDP_MAX)
			continue;
		s->at.conf.kind = kinds[i].kind;
		err = port_new(&s->port, &s->at.conf);
		if (err)
			continue;
		snprintf(s->chosen, sizeof(s->chosen), "%s:%s", kinds[i].name,
			 s->at.conf.iface);
		s->name = s->chosen;
		if (!s->quiet)
			fprintf(stderr, "%s: port %s\n", WHO, s->name);
		return 0;
	}
	return err;
}

static int cmd_send_open_port(struct sender *s)
{
	char why[PORT_NAME + 120];

	if (!(s->at.conf.udp_port))
		s->at.conf.udp_port = s->stimulus.packet_set.conf.udp_port;
	s->at.conf.deaf = !s->at.conf.addr.len;
	privilege_confine();
	privilege_raise();
	if (s->open_to_choice ? cmd_send_choose(s)
			      : port_new(&s->port, &s->at.conf)) {
		port_error(&s->at.conf, errno, why, sizeof(why));
		fprintf(stderr, "%s: %s: %s\n", WHO, s->name, why);
		return EXIT_HARNESS;
	}
	privilege_settle(PRIVILEGE_PORT(s->at.conf.kind), 0);
	s->room = memory_alloc(ROOM + DGRAM_MAX + 128);
	if (!s->room)
		return cli_nomem(WHO);
	if (!s->at.conf.addr.len)
		readdress(s);
	return meet(s);
}

/* Rejects packets that are no Ethernet frames. */
static int check_links(const struct stimulus *s)
{
	for (size_t i = 0; i < s->packet_set.n; i++)
		if (s->packet_set.frames[i].link != FRAME_ETHERNET)
			return cli_usage(WHO, "packets that are no Ethernet "
					      "frames cannot be sent");
	return 0;
}

static int send_stimulus(struct sender *s, char *const *names, size_t n)
{
	struct series *series = NULL;
	int code = stimulus_load(&s->stimulus, names, n);

	if (!code)
		code = check_links(&s->stimulus);
	if (!code)
		code = cmd_send_open_port(s);
	if (!code)
		code = stimulus_series(&s->stimulus, &series);
	if (!code)
		code = cmd_send_run(s, series);
	series_free(series);
	privilege_raise();
	if (s->port)
		s->port->ops->free(s->port);
	free(s->room);
	stimulus_free(&s->stimulus);
	return code;
}

/* ---- Options ---- */

/* The user gave only an interface: the port is chosen when it is opened. */
static int cmd_send_read_iface(struct sender *s)
{
	struct port_conf *conf = &s->at.conf;

	if (!*s->name || strlen(s->name) >= sizeof(conf->iface))
		return cli_usage(WHO,
				 "--port %s: expected an interface or a "
				 "port",
				 s->name);
	memcpy(conf->iface, s->name, strlen(s->name) + 1);
	return -1;
}

/* Return: -1: continue; else an exit code. */
static int cmd_send_read_port(struct sender *s)
{
	const struct port_conf *conf = &s->at.conf;
	const char *why;

	if (!s->name)
		return cli_usage(WHO, "--port is missing: it says where the "
				      "packets go");
	if (!strchr(s->name, ':')) {
		s->open_to_choice = true;
		return cmd_send_read_iface(s);
	}
	if (spec_port(&s->at, s->name, &why))
		return cli_usage(WHO, "--port %s: %s", s->name, why);
	if (!conf->addr.len != !s->at.peer.len)
		return cli_usage(WHO, "--port %s: expected %s as well", s->name,
				 conf->addr.len ? ",peer=HOST" : ",ip=ADDR");
	if (conf->kind == PORT_UDP && !conf->addr.len)
		return cli_usage(WHO, "--port %s: expected udp:ADDR,peer=HOST",
				 s->name);
	return -1;
}

static int cmd_send(int argc, char **argv)
{
	struct sender *s = memory_calloc(1, sizeof(*s));
	struct operands names;
	int code;

	if (!s)
		return cli_nomem(WHO);
	stimulus_begin(&s->stimulus, WHO);
	s->stimulus.sends = true;
	code = option_read(&command_send, argc, argv, s, &names);
	if (code < 0)
		code = cmd_send_read_port(s);
	if (code < 0) {
		s->stop = cli_interrupts();
		code = send_stimulus(s, names.at, names.n);
	}
	free(s);
	return code;
}

const struct command command_send = {
	.name = "send",
	.what = "send the packets of a case on a link",
	.usage = "[OPTION...] CASE...|FILE --port PORT",
	.about = "Puts the packets of cases, as they cross between tester and "
		 "reference, or those of a capture on a link, and prints how "
		 "fast that went. Without --rate they leave at the times at "
		 "which they were seen; --rate max is as fast as the port "
		 "can.\n\n"
		 "PORT is raw:, ring: or xdp:IFACE, for frames as they are "
		 "(mac=, peer-mac=: with these addresses). With "
		 "ip=ADDR,peer=HOST, or udp:ADDR,peer=HOST, datagrams are sent "
		 "from ADDR to HOST. IFACE alone takes the fastest port of "
		 "that interface.",
	.groups = send_groups,
	.exits = "Exit codes: 0 sent, 2 usage, or a file that is no capture "
		 "or is damaged, 4 nothing is selected, or there is no "
		 "packet, 5 the port cannot be opened or did not send every "
		 "packet, 130 interrupted.",
	.run = cmd_send,
};
