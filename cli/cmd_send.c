/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd_send.c -- rung send: the packets of cases or of a capture, repeated
 * and varied, put on a link at a pace.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/meter.h"
#include "cli/pace.h"
#include "cli/spec.h"
#include "cli/stimulus.h"
#include "gen/port.h"

#define WHO "rung send"

#define BATCH 64
#define ROOM  ((size_t)1 << 20) /* bytes of frames that a sweep has made */

struct sender {
	struct stimulus stimulus;
	const char *name;    /* of the port, as given */
	bool open_to_choice; /* an interface alone was given, */
	char chosen[64];     /* and this was chosen */
	struct port_spec at;
	bool fast; /* --rate max */
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
	double next; /* when the next one is due */
	struct dgram d;
	vtime stuck_at; /* since then no datagram left; 0: none was sent */
};

static void help(void)
{
	printf("Usage: rung send [OPTION...] CASE...|FILE --port PORT\n\n"
	       "Puts the packets of cases, as they cross between tester and "
	       "reference, or those\n"
	       "of a capture on a link, and says how fast that went.  Without "
	       "--rate they leave\n"
	       "at the times at which they were seen; --rate max is as fast as "
	       "the port can.\n"
	       "PORT is raw:, ring: or xdp:IFACE, for frames as they are "
	       "(mac=, peer-mac=: with\n"
	       "these addresses); with ip=ADDR,peer=HOST, or "
	       "udp:ADDR,peer=HOST,"
	       " datagrams are\n"
	       "sent from there to HOST.  IFACE alone takes the port that is "
	       "best for it.\n\n"
	       "      --port PORT      where to\n"
	       "%s"
	       "      --json           the result as one JSON object\n"
	       "  -q, --quiet          no progress\n"
	       "  -h, --help           this text\n",
	       stimulus_help);
}

/* ---- Sending ---- */

#define STUCK_TIME (2 * VSPAN_S)

/* What was not sent, for it was interrupted, does not count. */
static void drop_rest(struct sender *s, size_t done)
{
	if (done < s->n)
		s->n = done;
}

static int failed(const struct sender *s)
{
	fprintf(stderr, "%s: %s: %s\n", WHO, s->name, strerror(errno));
	return EXIT_HARNESS;
}

/* A slow link is waited for, one that takes nothing at all is not. */
static int send_frames(struct sender *s)
{
	vtime until = port_now() + STUCK_TIME;
	size_t done = 0;

	while (done < s->n && !*s->stop) {
		int n = s->port->ops->put(s->port, s->batch + done,
					  s->n - done);

		if (n <= 0 && (errno != ENOBUFS && errno != EAGAIN))
			return failed(s);
		if (n > 0) {
			done += (size_t)n;
			until = port_now() + STUCK_TIME;
		} else if (port_now() >= until) {
			return failed(s);
		}
	}
	drop_rest(s, done);
	return 0;
}

/* Nothing has left for so long that nothing will. */
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

/* What is no packet of ours cannot leave as a datagram. */
static int send_dgrams(struct sender *s)
{
	struct frame_info info;
	int err = 0;

	for (size_t i = 0; i < s->n && err != ERR_SYS && !*s->stop; i++) {
		const uint64_t unsent = s->port->unsent;
		const struct port_frame *f = &s->batch[i];

		if (frame_parse(&s->stimulus.stock.conf, FRAME_ETHERNET, f->p,
				f->len, &s->d, &info) != FRAME_OK)
			continue;
		s->d.src = s->at.conf.addr;
		s->d.dst = s->at.peer;
		s->d.native = s->at.native;
		err = s->port->ops->send(s->port, &s->d);
		if (!err && is_stuck(s, unsent))
			err = ERR_SYS;
	}
	return err == ERR_SYS ? failed(s) : 0;
}

/* Sends what waits.  Return: 0 or an exit code after a message. */
static int spill(struct sender *s)
{
	const int code = s->at.peer.len ? send_dgrams(s) : send_frames(s);
	const vtime now = port_now();

	if (code)
		return code;
	for (size_t i = 0; i < s->n; i++) {
		s->bytes += s->batch[i].len;
		if (!s->fast)
			pace_sent(&s->pace, s->due[i], now);
	}
	s->sent += s->n;
	s->n = s->used = 0;
	meter_show(&s->meter, s->sent, now);
	return 0;
}

/* What a sweep has made is overwritten by the next frame: it is copied. */
static void hold(struct sender *s, const struct series_frame *f, double due)
{
	const struct stock *stock = &s->stimulus.stock;
	const uint8_t *p = f->p;

	if (p < stock->bytes || p >= stock->bytes + stock->nbytes) {
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
		const double due = s->fast ? 0 : due_of(s, &f);
		const bool early =
			!s->fast && due > (double)(now - s->pace.begun);

		if (s->n && (early || s->n == BATCH || s->used + f.len > ROOM))
			code = spill(s);
		if (early)
			now = pace_wait(&s->pace, due, s->stop);
		hold(s, &f, due);
	}
	return code ? code : spill(s);
}

/* ---- What came of it ---- */

static void print_json(const struct sender *s, double seconds)
{
	printf("{\"port\": \"%s\", \"packets\": %" PRIu64
	       ", \"bytes\": %" PRIu64 ", \"seconds\": %.6f, "
	       "\"packets_per_second\": %.1f, \"bits_per_second\": %.0f",
	       s->port->ops->name, s->sent, s->bytes, seconds,
	       (double)s->sent / seconds, (double)s->bytes * 8 / seconds);
	if (!s->fast)
		printf(", \"late_ns\": {\"p50\": %" PRId64 ", \"p99\": %" PRId64
		       ", \"worst\": %" PRId64 "}",
		       pace_late(&s->pace, 500), pace_late(&s->pace, 990),
		       s->pace.worst);
	puts("}");
}

static void print_text(const struct sender *s, double seconds)
{
	printf("%s: %" PRIu64 " packets, %" PRIu64 " bytes in %.3f s: %.0f "
	       "packets/s, %.3f Mbit/s\n",
	       s->name, s->sent, s->bytes, seconds, (double)s->sent / seconds,
	       (double)s->bytes * 8 / seconds / 1e6);
	if (!s->fast && s->sent)
		printf("late for their times by (us): p50 %.1f p99 %.1f worst "
		       "%.1f\n",
		       (double)pace_late(&s->pace, 500) / 1e3,
		       (double)pace_late(&s->pace, 990) / 1e3,
		       (double)s->pace.worst / 1e3);
}

/* A rate is the time between packets: the last one has its share. */
static double took(const struct sender *s)
{
	double ns = (double)(port_now() - s->pace.begun);

	if (s->stimulus.rate.set && ns < s->next)
		ns = s->next;
	return ns > 0 ? ns / 1e9 : 1e-9;
}

/* Datagrams that did not leave. */
static bool lost(const struct sender *s)
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

static int run(struct sender *s, struct series *series)
{
	double seconds;
	int code;

	meter_begin(&s->meter, WHO, s->quiet, series_total(series), port_now());
	pace_begin(&s->pace, port_now());
	code = send_all(s, series);
	seconds = took(s);
	meter_hide(&s->meter);
	if (s->json)
		print_json(s, seconds);
	else
		print_text(s, seconds);
	if (!code && lost(s))
		code = EXIT_HARNESS;
	return code ? code : *s->stop ? EXIT_INTERRUPTED : EXIT_PASSED;
}

/* ---- The port ---- */

/* Frames get the MAC addresses that were asked for. */
static void readdress(struct sender *s)
{
	struct stock *stock = &s->stimulus.stock;

	for (size_t i = 0; i < stock->n; i++) {
		const struct stock_frame *f = &stock->frames[i];
		uint8_t *p = stock->bytes + f->at;

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

static size_t longest(const struct stock *s)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->frames[i].len > most)
			most = s->frames[i].len;
	return most;
}

/* The fastest that there is on this interface, and holds our frames. */
static int choose(struct sender *s)
{
	static const struct {
		enum port_kind kind;
		const char *name;
	} kinds[] = {{PORT_XDP, "xdp"}, {PORT_RING, "ring"}};
	const size_t most = longest(&s->stimulus.stock);
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

static int open_port(struct sender *s)
{
	char why[PORT_NAME + 120];

	s->at.conf.udp_port = s->at.conf.udp_port
				      ? s->at.conf.udp_port
				      : s->stimulus.stock.conf.udp_port;
	s->at.conf.deaf = !s->at.conf.addr.len;
	if (s->open_to_choice ? choose(s) : port_new(&s->port, &s->at.conf)) {
		port_error(&s->at.conf, errno, why, sizeof(why));
		fprintf(stderr, "%s: %s: %s\n", WHO, s->name, why);
		return EXIT_HARNESS;
	}
	s->room = malloc(ROOM + DGRAM_MAX + 128);
	if (!s->room)
		return cli_nomem(WHO);
	if (!s->at.conf.addr.len)
		readdress(s);
	return meet(s);
}

/* A link is Ethernet. */
static int check_links(const struct stimulus *s)
{
	for (size_t i = 0; i < s->stock.n; i++)
		if (s->stock.frames[i].link != FRAME_ETHERNET)
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
		code = open_port(s);
	if (!code)
		code = stimulus_series(&s->stimulus, &series);
	if (!code)
		code = run(s, series);
	series_free(series);
	if (s->port)
		s->port->ops->free(s->port);
	free(s->room);
	stimulus_free(&s->stimulus);
	return code;
}

/* ---- Options ---- */

enum { OPT_PORT = 256, OPT_JSON };

static const struct option longs[] = {
	STIMULUS_OPTIONS,
	{"port", required_argument, NULL, OPT_PORT},
	{"json", no_argument, NULL, OPT_JSON},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* An interface alone: which port is best is found when it is opened. */
static int read_iface(struct sender *s)
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

/* Return: -1 go on, else an exit code. */
static int read_port(struct sender *s)
{
	const struct port_conf *conf = &s->at.conf;
	const char *why;

	if (!s->name)
		return cli_usage(WHO, "--port is missing: where to");
	if (!strchr(s->name, ':')) {
		s->open_to_choice = true;
		return read_iface(s);
	}
	if (spec_port(&s->at, s->name, &why))
		return cli_usage(WHO, "--port %s: %s", s->name, why);
	if (!conf->addr.len != !s->at.peer.len)
		return cli_usage(WHO,
				 "--port %s: an address and peer= go "
				 "together",
				 s->name);
	if (conf->kind == PORT_UDP && !conf->addr.len)
		return cli_usage(WHO, "--port %s: expected udp:ADDR,peer=HOST",
				 s->name);
	return -1;
}

static int one_option(struct sender *s, int o)
{
	switch (o) {
	case OPT_PORT:
		s->name = optarg;
		return 0;
	case OPT_JSON:
		s->json = true;
		return 0;
	case 'q':
		s->quiet = true;
		return 0;
	case '?':
		return cli_try(WHO);
	case OPT_RATE:
		s->fast = strcmp(optarg, "max") == 0;
		if (s->fast)
			return 0;
		break;
	}
	return stimulus_option(&s->stimulus, o);
}

static int options(int argc, char **argv, struct sender *s)
{
	int o, code = 0;

	while (!code &&
	       (o = getopt_long(argc, argv, "qh", longs, NULL)) != -1) {
		if (o == 'h') {
			help();
			return EXIT_PASSED;
		}
		code = one_option(s, o);
	}
	return code ? code : read_port(s);
}

int cmd_send(int argc, char **argv)
{
	struct sender *s = calloc(1, sizeof(*s));
	int code;

	if (!s)
		return cli_nomem(WHO);
	stimulus_begin(&s->stimulus, WHO);
	code = options(argc, argv, s);
	if (code < 0) {
		s->stop = cli_interrupts();
		code = send_stimulus(s, argv + optind, (size_t)(argc - optind));
	}
	free(s);
	return code;
}
