/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_ether_test.c -- tests all ports of whole frames on the two ends
 * of a veth pair in a network namespace of this process.  Skipped if namespaces
 * are not permitted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ifaddrs.h>
#include <linux/capability.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/err.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "wire/frame/frame.h"

#define PATIENCE    (10 * VSPAN_S)
#define XDP_LONGEST 2900 /* longest payload that fits into MTU and page */

static bool possible; /* the namespace exists */

static bool sh(const char *command)
{
	return system(command) == 0;
}

/* Enters a user namespace, in which we are root, unless we are root already. */
static bool unshare_user(void)
{
	const unsigned uid = getuid();
	FILE *map;
	bool ok;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return false;
	map = fopen("/proc/self/uid_map", "w");
	ok = map && fprintf(map, "0 %u 1", uid) > 0;
	return map && !fclose(map) && ok;
}

static int port_ether_test_enter(void **state)
{
	(void)state;
	if (unshare(CLONE_NEWNET) && !unshare_user())
		return 0;
	possible = sh("ip link add va type veth peer name vb 2>/dev/null && "
		      "ip link set va mtu 9300 up && "
		      "ip link set vb mtu 9300 up && ip link set lo up");
	return 0;
}

static void need_namespace(void)
{
	if (possible)
		return;
	print_message("no network namespace with veth here\n");
	skip();
}

static struct ip_addr port_ether_test_addr(const char *text)
{
	struct ip_addr a;

	assert_int_equal(ip_addr_parse(&a, text, strlen(text)), 0);
	return a;
}

static struct port_conf
port_ether_test_conf_of(enum port_kind kind, const char *iface, const char *ip)
{
	struct port_conf conf = {.kind = kind};

	snprintf(conf.iface, sizeof(conf.iface), "%s", iface);
	if (ip)
		conf.addr = port_ether_test_addr(ip);
	return conf;
}

/*
 * Skips in a user namespace, which permits packet sockets but no BPF programs.
 */
static void need_xdp(void)
{
	struct port_conf conf = port_ether_test_conf_of(PORT_XDP, "va", NULL);
	struct port *p;

	need_namespace();
	if (!port_new(&p, &conf)) {
		p->ops->free(p);
		return;
	}
	print_message("no AF_XDP here: %s\n", strerror(errno));
	skip();
}

static struct port *port_ether_test_open_port(const struct port_conf *conf)
{
	struct port *p = NULL;
	int err = port_new(&p, conf);

	if (err)
		print_error("port_new: %s\n", strerror(errno));
	assert_int_equal(err, 0);
	return p;
}

/* Serves both ends, since each resolves the other's address. */
static void port_ether_test_get(struct port *to, struct port *from,
				struct dgram *d, vtime *at)
{
	const int fds[2] = {to->fd, from->fd};
	const vtime until = port_now() + PATIENCE;
	struct dgram *none = malloc(sizeof(*none));
	vtime unused;
	size_t ready;
	int got;

	while (!(got = to->ops->recv(to, d, at))) {
		assert_int_equal(from->ops->recv(from, none, &unused), 0);
		assert_int_equal(port_wait(fds, 2, until, &ready), 1);
	}
	free(none);
	assert_int_equal(got, 1);
}

static void port_ether_test_cross(const struct port_conf *ca,
				  const struct port_conf *cb)
{
	const size_t longest = ca->kind == PORT_XDP || cb->kind == PORT_XDP
				       ? XDP_LONGEST
				       : DGRAM_MAX;
	struct port *a = port_ether_test_open_port(ca),
		    *b = port_ether_test_open_port(cb);
	struct dgram d = {.dst = cb->addr}, back;
	vtime at = -1;

	for (unsigned n = 1; n < 40; n++) {
		const vtime before = port_now();

		d.entropy = (uint16_t)(n * 1000);
		d.dscp = n & 63;
		d.ecn = n & 3;
		d.native =
			n & 1 && ca->kind != PORT_UDP && cb->kind != PORT_UDP;
		d.len = n < 39 ? n : longest;
		memset(d.data, (int)n, d.len);
		assert_int_equal(a->ops->send(a, &d), 0);
		port_ether_test_get(b, a, &back, &at);
		assert_true(at <= port_now() && at > before - VSPAN_S);
		assert_true(ip_addr_equal(&back.src, &ca->addr));
		assert_true(ip_addr_equal(&back.dst, &cb->addr));
		assert_int_equal(back.entropy, d.entropy);
		assert_int_equal(back.dscp, d.dscp);
		assert_int_equal(back.ecn, d.ecn);
		assert_int_equal(back.native, d.native);
		assert_int_equal(back.udp_length, 0);
		assert_int_equal(back.len, d.len);
		assert_memory_equal(back.data, d.data, d.len);
		back.dst = ca->addr;
		assert_int_equal(b->ops->send(b, &back), 0);
		port_ether_test_get(a, b, &back, &at);
		assert_int_equal(back.len, d.len);
	}
	/* Discards the captures of their own frames. */
	assert_int_equal(a->ops->recv(a, &d, &at), 0);
	assert_int_equal(b->ops->recv(b, &d, &at), 0);
	if (a->frames) {
		assert_int_equal(a->sent, 39);
		assert_int_equal(a->left, 39);
	}
	assert_int_equal(a->ops->drops(a) + b->ops->drops(b), 0);
	assert_int_equal(a->truncated + a->backward + a->damaged, 0);
	assert_int_equal(a->ops->strays(a), 0);
	a->ops->free(a);
	b->ops->free(b);
}

static void datagrams_cross(void **state)
{
	static const char *const ip[2][2] = {{"10.9.0.1", "10.9.0.2"},
					     {"fd00:9::1", "fd00:9::2"}};

	(void)state;
	need_namespace();
	for (unsigned v6 = 0; v6 < 2; v6++)
		for (unsigned n = 0; n < 8; n++) {
			struct port_conf a, b;

			a = port_ether_test_conf_of(
				n & 1 ? PORT_RAW : PORT_RING, "va", ip[v6][0]);
			b = port_ether_test_conf_of(
				n & 2 ? PORT_RAW : PORT_RING, "vb", ip[v6][1]);
			a.vlan = b.vlan = n & 4 ? 5 : 0;
			port_ether_test_cross(&a, &b);
		}
}

/* The other end is the kernel, which resolves addresses on its own. */
static void sockets_are_reached(void **state)
{
	const struct port_conf socket4 = {
		.addr = port_ether_test_addr("10.8.0.2")};
	const struct port_conf socket6 = {
		.addr = port_ether_test_addr("fd00:8::2")};
	struct port_conf a;

	(void)state;
	need_namespace();
	assert_true(sh("ip addr add 10.8.0.2/24 dev vb && "
		       "ip addr add fd00:8::2/64 dev vb nodad"));
	for (enum port_kind kind = PORT_RAW; kind <= PORT_RING; kind++) {
		a = port_ether_test_conf_of(kind, "va", "10.8.0.1");
		port_ether_test_cross(&a, &socket4);
		a = port_ether_test_conf_of(kind, "va", "fd00:8::1");
		port_ether_test_cross(&a, &socket6);
	}
	assert_true(sh("ip addr flush dev vb"));
}

static void whole_frames(enum port_kind from, enum port_kind to)
{
	/* a frame of an unknown type, with a tag and without */
	static const uint8_t frame[2][20] = {
		{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x88, 0xb5, 1, 2, 3},
		{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x81, 0, 0x20, 7, 0x88,
		 0xb5, 4},
	};
	const struct port_conf ca = port_ether_test_conf_of(from, "va", NULL);
	const struct port_conf cb = port_ether_test_conf_of(to, "vb", NULL);
	struct port *a = port_ether_test_open_port(&ca),
		    *b = port_ether_test_open_port(&cb);
	struct port_frame out[100], in;
	unsigned done = 0, n = 0;
	size_t ready;

	for (unsigned i = 0; i < 100; i++)
		out[i] = (struct port_frame){.p = frame[i % 2], .len = 20};
	while (done < 100) {
		int got = a->ops->put(a, out + done, 100 - done);

		assert_true(got > 0);
		done += (unsigned)got;
	}
	while (n < 100) {
		int got = b->ops->take(b, &in);

		assert_true(got >= 0);
		if (!got) {
			assert_int_equal(port_wait(&b->fd, 1,
						   port_now() + PATIENCE,
						   &ready),
					 1);
			continue;
		}
		if (in.len != 20) /* the kernel sends router solicitations */
			continue;
		assert_int_equal(in.orig, 20);
		assert_memory_equal(in.p, frame[n % 2], 20);
		n++;
	}
	while (a->ops->take(a, &in) == 1)
		assert_int_not_equal(in.len, 20);
	a->ops->free(a);
	b->ops->free(b);
}

static void frames_cross(void **state)
{
	(void)state;
	need_namespace();
	whole_frames(PORT_RAW, PORT_RING);
	whole_frames(PORT_RING, PORT_RAW);
}

static bool has_program(const char *iface)
{
	char command[80];

	snprintf(command, sizeof(command),
		 "ip link show dev %s | grep -q prog/xdp", iface);
	return sh(command);
}

/*
 * Datagrams cross in the driver and, if frames are too long for the driver,
 * before the stack.
 */
static void xdp_datagrams_cross(void **state)
{
	static const char *const mtus[] = {"3000", "9300"};
	static const enum port_kind kinds[][2] = {{PORT_XDP, PORT_RING},
						  {PORT_RAW, PORT_XDP},
						  {PORT_XDP, PORT_XDP}};
	char command[80];

	(void)state;
	need_xdp();
	for (unsigned m = 0; m < 2; m++) {
		snprintf(command, sizeof(command),
			 "ip link set va mtu %s && ip link set vb mtu %s",
			 mtus[m], mtus[m]);
		assert_true(sh(command));
		for (unsigned k = 0; k < 3; k++) {
			const struct port_conf a = port_ether_test_conf_of(
				kinds[k][0], "va",
				m ? "fd00:9::1" : "10.9.0.1");
			const struct port_conf b = port_ether_test_conf_of(
				kinds[k][1], "vb",
				m ? "fd00:9::2" : "10.9.0.2");

			port_ether_test_cross(&a, &b);
		}
	}
	assert_false(has_program("va"));
	assert_false(has_program("vb"));
}

static void xdp_frames_cross(void **state)
{
	(void)state;
	need_xdp();
	whole_frames(PORT_XDP, PORT_RING);
	whole_frames(PORT_RING, PORT_XDP);
}

/* The time of a frame is that of its arrival, not that of its reading. */
static void xdp_frames_have_the_time_of_the_kernel(void **state)
{
	struct port_conf a = port_ether_test_conf_of(PORT_RING, "va", NULL);
	struct port_conf b = port_ether_test_conf_of(PORT_XDP, "vb", NULL);
	static const uint8_t bytes[60] = {2, 0, 0, 0, 0, 1, 2,   0,
					  0, 0, 0, 2, 8, 0, 0x45};
	const struct port_frame f = {.p = bytes, .len = sizeof(bytes)};
	struct port_frame got = {0};
	struct port *from, *to;
	vtime sent, came;
	size_t ready;

	(void)state;
	need_xdp();
	b.addr.len = a.addr.len = 0;
	from = port_ether_test_open_port(&a);
	to = port_ether_test_open_port(&b);
	do { /* the operating system may send frames of its own */
		sent = port_now();
		assert_int_equal(from->ops->put(from, &f, 1), 1);
		assert_int_equal(port_wait(&to->fd, 1, sent + VSPAN_S, &ready),
				 1);
		came = port_now();
		assert_int_equal(to->ops->take(to, &got), 1);
	} while (got.len != f.len || memcmp(got.p, bytes, f.len));
	assert_in_range(got.at, sent, came);
	from->ops->free(from);
	to->ops->free(to);
}

/*
 * A port that only sends takes no frames away; a queue can have only one port.
 */
static void xdp_has_limits(void **state)
{
	struct port_conf conf = port_ether_test_conf_of(PORT_XDP, "va", NULL);
	static uint8_t bytes[PORT_XDP_MAX + 1];
	struct port_frame f[2] = {{.p = bytes, .len = 60},
				  {.p = bytes, .len = sizeof(bytes)}};
	char why[PORT_NAME + 120];
	struct port *p, *other;

	(void)state;
	need_xdp();
	conf.deaf = true;
	p = port_ether_test_open_port(&conf);
	assert_false(has_program("va"));
	assert_true(port_xdp_copies(p));
	assert_int_equal(p->ops->put(p, f, 2), 1);
	assert_int_equal(p->ops->put(p, f + 1, 1), ERR_SYS);
	assert_int_equal(errno, EMSGSIZE);
	assert_int_equal(p->ops->take(p, f), 0);
	assert_int_equal(p->ops->drops(p), 0);
	assert_int_equal(port_new(&other, &conf), ERR_SYS);
	assert_int_equal(errno, EBUSY);
	port_error(&conf, EBUSY, why, sizeof(why));
	assert_non_null(strstr(why, "queue"));
	conf.queue = 99;
	assert_int_equal(port_new(&other, &conf), ERR_SYS);
	p->ops->free(p);
}

/*
 * Returns how many frames the driver of |iface| has received so far, including
 * those that it dropped.
 */
static unsigned frames_given_to(const char *iface)
{
	struct ifaddrs *all, *each;
	unsigned given = 0;

	assert_int_equal(getifaddrs(&all), 0);
	for (each = all; each; each = each->ifa_next) {
		const struct rtnl_link_stats *stats = each->ifa_data;

		if (strcmp(each->ifa_name, iface) || !stats ||
		    each->ifa_addr->sa_family != AF_PACKET)
			continue;
		given = stats->tx_packets + stats->tx_dropped;
	}
	freeifaddrs(all);
	return given;
}

/*
 * Sends more than |to| has room for; arrivals and losses add up.  The kernel
 * sends frames of its own (router solicitations), which may be lost as well.
 */
static void flood(struct port *from, struct port *to, struct dgram *d,
		  unsigned n)
{
	const unsigned before = frames_given_to("va");
	unsigned got = 0;
	vtime at;

	for (unsigned i = 0; i < n; i++)
		assert_int_equal(from->ops->send(from, d), 0);
	while (to->ops->recv(to, d, &at) == 1)
		got++;
	assert_in_range(got, 1, n - 1);
	assert_in_range(got + to->ops->drops(to), n,
			frames_given_to("va") - before);
}

/* Frames without room are lost and counted. */
static void xdp_drops_are_counted(void **state)
{
	struct port_conf ca =
		port_ether_test_conf_of(PORT_RING, "va", "10.9.0.1");
	struct port_conf cb =
		port_ether_test_conf_of(PORT_XDP, "vb", "10.9.0.2");
	struct dgram d = {.dst = cb.addr, .len = 10};
	struct port *a, *b;

	(void)state;
	need_xdp();
	ca.peer_mac = cb.mac = 0x020000000002;
	a = port_ether_test_open_port(&ca);
	b = port_ether_test_open_port(&cb);
	flood(a, b, &d, 10000);
	a->ops->free(a);
	b->ops->free(b);
}

/* Overflows a ring: arrivals and losses add up. */
static void port_ether_test_drops_are_counted(void **state)
{
	struct port_conf ca = port_ether_test_conf_of(PORT_RING, "va",
						      "10.9.0.1"),
			 cb;
	struct dgram d = {.dst = port_ether_test_addr("10.9.0.2"), .len = 10};
	struct port *a, *b;

	(void)state;
	need_namespace();
	ca.peer_mac = 0x020000000002;
	a = port_ether_test_open_port(&ca);
	for (enum port_kind kind = PORT_RAW; kind <= PORT_RING; kind++) {
		cb = port_ether_test_conf_of(kind, "vb", "10.9.0.2");
		cb.mac = 0x020000000002;
		b = port_ether_test_open_port(&cb);
		assert_int_equal(b->ops->drops(b), 0);
		flood(a, b, &d, 30000);
		b->ops->free(b);
		d.dst = cb.addr;
	}
	a->ops->free(a);
}

/* Counts frames that are longer than the MTU was when the port was opened. */
static void cut_frames_are_counted(void **state)
{
	(void)state;
	need_namespace();
	for (enum port_kind kind = PORT_RAW; kind <= PORT_RING; kind++) {
		struct port_conf ca =
			port_ether_test_conf_of(PORT_RING, "va", "10.9.0.1");
		struct port_conf cb =
			port_ether_test_conf_of(kind, "vb", "10.9.0.2");
		struct dgram d = {.dst = cb.addr, .len = 4000};
		struct port *a, *b;
		size_t ready;
		vtime at;

		ca.peer_mac = cb.mac = 0x020000000002;
		a = port_ether_test_open_port(&ca);
		assert_true(sh("ip link set vb mtu 1500"));
		b = port_ether_test_open_port(&cb);
		assert_true(sh("ip link set vb mtu 9300"));
		assert_int_equal(a->ops->send(a, &d), 0);
		while (!b->truncated) {
			assert_int_equal(b->ops->recv(b, &d, &at), 0);
			if (!b->truncated)
				assert_int_equal(
					port_wait(&b->fd, 1,
						  port_now() + PATIENCE,
						  &ready),
					1);
		}
		assert_int_equal(b->truncated, 1);
		a->ops->free(a);
		b->ops->free(b);
	}
}

static void port_ether_test_refused(const struct port_conf *conf, int error)
{
	struct port *p = NULL;

	errno = 0;
	assert_int_equal(port_new(&p, conf), ERR_SYS);
	assert_int_equal(errno, error);
	assert_null(p);
}

static void what_is_wrong_is_told(void **state)
{
	(void)state;
	need_namespace();
	for (enum port_kind kind = PORT_RAW; kind <= PORT_XDP; kind++) {
		struct port_conf conf =
			port_ether_test_conf_of(kind, "nosuch0", "10.9.0.1");

		port_ether_test_refused(&conf, ENODEV);
		conf = port_ether_test_conf_of(kind, "lo", "10.9.0.1");
		port_ether_test_refused(&conf, EPFNOSUPPORT);
		assert_true(sh("ip link set va down"));
		conf = port_ether_test_conf_of(kind, "va", "10.9.0.1");
		port_ether_test_refused(&conf, ENETDOWN);
		assert_true(sh("ip link set va up"));
	}
}

static bool runs(const char *iface)
{
	const int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", iface);
	assert_int_equal(ioctl(fd, SIOCGIFFLAGS, &r), 0);
	close(fd);
	return r.ifr_flags & IFF_RUNNING;
}

/* Waits for a link that was set up; it comes up within about a second. */
static void await_running(const char *iface)
{
	const struct sockaddr_nl links = {.nl_family = AF_NETLINK,
					  .nl_groups = RTMGRP_LINK};
	const vtime until = port_now() + PATIENCE;
	const int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	uint8_t told[8192];
	size_t ready;

	assert_int_equal(
		bind(fd, (const struct sockaddr *)&links, sizeof(links)), 0);
	while (!runs(iface)) {
		assert_int_equal(port_wait(&fd, 1, until, &ready), 1);
		assert_true(recv(fd, told, sizeof(told), 0) > 0);
	}
	close(fd);
}

/* The link of an open port goes down, and comes up again. */
static void links_come_back(void **state)
{
	(void)state;
	need_namespace();
	for (enum port_kind kind = PORT_RAW; kind <= PORT_RING; kind++) {
		const struct port_conf ca =
			port_ether_test_conf_of(kind, "va", "10.9.0.1");
		const struct port_conf cb =
			port_ether_test_conf_of(kind, "vb", "10.9.0.2");
		struct dgram d = {.dst = cb.addr, .len = 10}, got;
		struct port *a, *b;
		vtime at;

		await_running("va");
		a = port_ether_test_open_port(&ca);
		b = port_ether_test_open_port(&cb);
		assert_int_equal(a->ops->send(a, &d), 0);
		port_ether_test_get(b, a, &got, &at);
		assert_true(sh("ip link set va down"));
		assert_int_equal(a->ops->recv(a, &got, &at), 0);
		assert_int_equal(a->ops->send(a, &d), ERR_SYS);
		assert_int_equal(errno, ENETDOWN);
		assert_int_equal(a->ops->drops(a), 0);
		assert_int_equal(a->downs, 1);
		assert_true(sh("ip link set va up"));
		d.data[0] = 9;
		assert_int_equal(a->ops->send(a, &d), 0);
		do
			port_ether_test_get(b, a, &got, &at);
		while (got.data[0] != 9);
		a->ops->drops(a);
		assert_int_equal(a->downs, 1);
		a->ops->free(a);
		b->ops->free(b);
	}
}

/* Runs in a child, which drops its privileges. */
static void privilege_is_needed(void **state)
{
	pid_t child;
	int status = 0;

	(void)state;
	need_namespace();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct __user_cap_header_struct head = {
			_LINUX_CAPABILITY_VERSION_3, 0};
		struct __user_cap_data_struct none[2] = {0};
		bool right = !syscall(SYS_capset, &head, none);

		for (enum port_kind kind = PORT_RAW; kind <= PORT_RING;
		     kind++) {
			struct port_conf conf =
				port_ether_test_conf_of(kind, "va", "10.9.0.1");
			char why[PORT_NAME + 120];
			struct port *p;

			port_error(&conf, EPERM, why, sizeof(why));
			right &= port_new(&p, &conf) == ERR_SYS &&
				 errno == EPERM && strstr(why, "CAP_NET_RAW");
		}
		_exit(right ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(datagrams_cross),
		cmocka_unit_test(sockets_are_reached),
		cmocka_unit_test(frames_cross),
		cmocka_unit_test(xdp_datagrams_cross),
		cmocka_unit_test(xdp_frames_cross),
		cmocka_unit_test(xdp_frames_have_the_time_of_the_kernel),
		cmocka_unit_test(xdp_has_limits),
		cmocka_unit_test(xdp_drops_are_counted),
		cmocka_unit_test(port_ether_test_drops_are_counted),
		cmocka_unit_test(cut_frames_are_counted),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(links_come_back),
		cmocka_unit_test(privilege_is_needed),
	};

	return cmocka_run_group_tests(tests, port_ether_test_enter, NULL);
}
