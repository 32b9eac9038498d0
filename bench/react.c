/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench/react.c -- measures how fast a port answers: from the arrival of a
 * frame to the departure of the answer, as another host on the link sees it.
 *
 * A client with a bare packet socket sends a datagram of 64 bytes over a veth
 * pair, in a network namespace of this program's own, and waits for the answer;
 * the server is each port in turn, and a bare packet socket that only swaps
 * addresses.  Both sides block, then both spin.  It prints null where
 * namespaces are not permitted.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/socket.h>

#include "bench/bench.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "wire/frame/frame_build.h"

#define CLIENT_IP  0x0a5d0001u
#define SERVER_IP  0x0a5d0002u
#define CLIENT_MAC 0x020000000001u
#define SERVER_MAC 0x020000000002u
#define ENTROPY    40000
#define SAMPLES    100000
#define WARM       100 /* answers before counting starts */
#define LATE       0.1 /* time-out of a question in seconds */

enum server { BARE, UDP, RAW, RING, SERVERS };

static const char *const names[SERVERS] = {"bare", "udp", "raw", "ring"};

struct run {
	enum server server;
	bool spins;
	struct port *port; /* NULL: a bare socket */
	int fd;            /* socket of a bare server */
	_Atomic bool stop;
	double us[SAMPLES];
	size_t n, lost;
};

/* ---- The link ---- */

static bool react_enter(void)
{
	FILE *map;

	if (!unshare(CLONE_NEWNET))
		return true;
	const unsigned uid = getuid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return false;
	map = fopen("/proc/self/uid_map", "w");
	return map && fprintf(map, "0 %u 1", uid) > 0 && !fclose(map);
}

static bool make_link(void)
{
	return !system("ip link add va type veth peer name vb 2>/dev/null && "
		       "ip link set va address 02:00:00:00:00:01 up && "
		       "ip link set vb address 02:00:00:00:00:02 up && "
		       "ip addr flush dev vb");
}

/* Without this the kernel would answer as well, by ICMP. */
static bool kernel_has_address(bool has)
{
	if (!has)
		return !system("ip addr flush dev vb");
	return !system("ip addr add 10.93.0.2/24 dev vb && "
		       "ip neigh replace 10.93.0.1 lladdr 02:00:00:00:00:01 "
		       "dev vb nud permanent");
}

/* Opens a socket that sees only what the other end sent. */
static int bare(const char *iface)
{
	const struct sockaddr_ll to = {.sll_family = AF_PACKET,
				       .sll_protocol = htons(ETH_P_IP),
				       .sll_ifindex =
					       (int)if_nametoindex(iface)};
	const int one = 1;
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one,
		       sizeof(one)) ||
	    bind(fd, (const struct sockaddr *)&to, sizeof(to))) {
		perror(iface);
		exit(1);
	}
	return fd;
}

static void bench_react_await(int fd, bool spins)
{
	size_t ready;

	if (!spins)
		port_wait(&fd, 1, port_now() + 20 * VSPAN_MS, &ready);
}

static void pin(unsigned cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* ---- The server ---- */

static void serve_port(struct run *r)
{
	static struct dgram d;
	vtime at;

	while (!atomic_load(&r->stop)) {
		if (r->port->ops->recv(r->port, &d, &at) != 1) {
			bench_react_await(r->port->fd, r->spins);
			continue;
		}
		d.dst = ip_addr_v4(CLIENT_IP);
		d.src = ip_addr_v4(SERVER_IP);
		r->port->ops->send(r->port, &d);
	}
}

static void serve_bare(struct run *r)
{
	uint8_t p[2048], mac[6];

	while (!atomic_load(&r->stop)) {
		ssize_t n = recv(r->fd, p, sizeof(p), 0);

		if (n < 0) {
			bench_react_await(r->fd, r->spins);
			continue;
		}
		memcpy(mac, p, 6);
		memcpy(p, p + 6, 6);
		memcpy(p + 6, mac, 6);
		send(r->fd, p, (size_t)n, 0);
	}
}

static void *react_serve(void *arg)
{
	struct run *r = arg;

	pin(1);
	(r->port ? serve_port : serve_bare)(r);
	return NULL;
}

/* ---- The client ---- */

static size_t question(uint8_t *p, size_t size)
{
	static struct dgram d;
	const struct frame_eth eth = {SERVER_MAC, CLIENT_MAC, FRAME_TYPE_IPV4};
	int n;

	d = (struct dgram){.src = ip_addr_v4(CLIENT_IP),
			   .dst = ip_addr_v4(SERVER_IP),
			   .entropy = ENTROPY,
			   .len = 64};
	frame_eth_put(&eth, p);
	n = frame_build(NULL, FRAME_RAW_IP, &d, p + frame_eth_len,
			size - frame_eth_len);
	return frame_eth_len + (size_t)n;
}

/* Return: seconds, or less than 0 without an answer. */
static double react_ask(int fd, const uint8_t *p, size_t len, bool spins)
{
	const double began = bench_now();
	uint8_t back[2048];

	send(fd, p, len, 0);
	while (bench_now() - began < LATE) {
		if (recv(fd, back, sizeof(back), 0) > 0)
			return bench_now() - began;
		bench_react_await(fd, spins);
	}
	return -1;
}

static void react_measure(struct run *r, int fd)
{
	uint8_t p[256];
	const size_t len = question(p, sizeof(p));
	double until;

	for (unsigned i = 0; i < WARM; i++)
		react_ask(fd, p, len, r->spins);
	until = bench_now() + bench_seconds() / 4;
	while (r->n < SAMPLES && bench_now() < until) {
		double s = react_ask(fd, p, len, r->spins);

		if (s < 0)
			r->lost++;
		else
			r->us[r->n++] = s * 1e6;
	}
}

/* ---- Both ends ---- */

static bool open_server(struct run *r)
{
	struct port_conf conf = {.kind = PORT_UDP,
				 .addr = ip_addr_v4(SERVER_IP),
				 .iface = "vb",
				 .peer_mac = CLIENT_MAC};

	if (r->server == BARE) {
		r->fd = bare("vb");
		return true;
	}
	conf.kind = r->server == UDP   ? PORT_UDP
		    : r->server == RAW ? PORT_RAW
				       : PORT_RING;
	return !port_new(&r->port, &conf);
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double react_part(const struct run *r, double of)
{
	if (r->n)
		return r->us[(size_t)((double)(r->n - 1) * of)];
	return 0;
}

/* Return: the median. */
static double react_report(struct run *r, double base)
{
	qsort(r->us, r->n, sizeof(r->us[0]), by_size);
	printf("%s\"%s\": {\"median_us\": %.1f, \"p99_us\": %.1f, "
	       "\"answers\": %zu, \"lost\": %zu",
	       r->server ? ", " : "", names[r->server], react_part(r, 0.5),
	       react_part(r, 0.99), r->n, r->lost);
	if (base > 0)
		printf(", \"times_bare\": %.2f", react_part(r, 0.5) / base);
	printf("}");
	return react_part(r, 0.5);
}

static double react_run(enum server server, bool spins, double base)
{
	static struct run r;
	const int fd = bare("va");
	pthread_t thread;

	memset(&r, 0, sizeof(r));
	r.server = server;
	r.spins = spins;
	r.fd = -1;
	if (!kernel_has_address(server == UDP) || !open_server(&r) ||
	    pthread_create(&thread, NULL, react_serve, &r)) {
		perror(names[server]);
		exit(1);
	}
	react_measure(&r, fd);
	atomic_store(&r.stop, true);
	pthread_join(thread, NULL);
	if (r.port)
		r.port->ops->free(r.port);
	if (r.fd >= 0)
		close(r.fd);
	close(fd);
	return react_report(&r, base);
}

int main(void)
{
	if (!react_enter() || !make_link()) {
		puts("null");
		return 0;
	}
	pin(0);
	for (int spins = 0; spins < 2; spins++) {
		double base = 0;

		printf("%s\"%s\": {", spins ? ", " : "{",
		       spins ? "spinning" : "blocking");
		for (enum server s = BARE; s < SERVERS; s++) {
			const double median = react_run(s, spins, base);

			if (s == BARE)
				base = median;
		}
		printf("}");
	}
	puts("}");
	return 0;
}
