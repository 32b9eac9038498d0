/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port_udp_test.c -- tests UDP ports on the loopback interface.  Each
 * port has its own address, derived from the process id, so that tests may run
 * in parallel.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

#include <cmocka.h>

#include "base/err.h"
#include "gen/port/port.h"
#include "gen/port/port_clock.h"

#define PATIENCE (10 * VSPAN_S)

static struct ip_addr port_udp_test_own_addr(uint8_t which)
{
	uint32_t pid = (uint32_t)getpid();

	return ip_addr_v4(127u << 24 | 41u << 16 | (pid & 0x1fff) << 3 |
			  (which & 7u));
}

static struct port *port_udp_test_open_port(struct ip_addr addr)
{
	struct port_conf conf = {.addr = addr};
	struct port *p = NULL;

	assert_int_equal(port_udp_new(&p, &conf), 0);
	return p;
}

static void port_udp_test_get(struct port *p, struct dgram *d, vtime *at)
{
	vtime until = port_now() + PATIENCE;
	size_t ready = 9;
	int got;

	while (!(got = p->ops->recv(p, d, at)))
		assert_int_equal(port_wait(&p->fd, 1, until, &ready), 1);
	assert_int_equal(got, 1);
}

static struct dgram port_udp_test_make(struct ip_addr dst, uint16_t entropy,
				       uint8_t byte)
{
	struct dgram d = {.dst = dst,
			  .entropy = entropy,
			  .dscp = (uint8_t)(byte & 63),
			  .ecn = byte & 3,
			  .len = 3};

	memset(d.data, byte, 3);
	return d;
}

/* The other end receives what was sent; its answer keeps the entropy. */
static void ping_pong(struct ip_addr a, struct ip_addr b)
{
	struct port *pa = port_udp_test_open_port(a),
		    *pb = port_udp_test_open_port(b);
	struct dgram d, back;
	vtime at = -1;

	for (unsigned n = 1; n < 100; n++) {
		vtime before = port_now();

		d = port_udp_test_make(b, (uint16_t)(20000 + n), (uint8_t)n);
		assert_int_equal(pa->ops->send(pa, &d), 0);
		port_udp_test_get(pb, &back, &at);
		/* stamps use the wall clock, which may be adjusted meanwhile */
		assert_true(at <= port_now() && at > before - VSPAN_S);
		assert_true(ip_addr_equal(&back.src, &a));
		assert_true(ip_addr_equal(&back.dst, &b));
		assert_int_equal(back.entropy, 20000 + n);
		assert_int_equal(back.ecn, n & 3);
		assert_int_equal(back.dscp, n & 63);
		assert_int_equal(back.native, 0);
		assert_int_equal(back.len, 3);
		assert_memory_equal(back.data, d.data, 3);
		back.dst = a;
		assert_int_equal(pb->ops->send(pb, &back), 0);
		port_udp_test_get(pa, &d, &at);
		assert_int_equal(d.entropy, 20000 + n);
	}
	assert_int_equal(pa->entropy_lost + pb->entropy_lost, 0);
	assert_int_equal(pa->ops->strays(pa), 0);
	pa->ops->free(pa);
	pb->ops->free(pb);
}

static void entropy_ecn_and_dscp_cross(void **state)
{
	(void)state;
	ping_pong(port_udp_test_own_addr(1), port_udp_test_own_addr(2));
}

/* Uses the UET port as entropy, and values that no socket can be bound to. */
static void odd_entropy(void **state)
{
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1)),
		    *b = port_udp_test_open_port(port_udp_test_own_addr(2));
	struct dgram d = port_udp_test_make(port_udp_test_own_addr(2),
					    UET_UDP_PORT, 1),
		     back;
	vtime at;

	(void)state;
	assert_int_equal(a->ops->send(a, &d), 0);
	port_udp_test_get(b, &back, &at);
	assert_int_equal(back.entropy, UET_UDP_PORT);
	assert_int_equal(a->entropy_lost, 0);
	d.entropy = 0;
	assert_int_equal(a->ops->send(a, &d), 0);
	port_udp_test_get(b, &back, &at);
	assert_int_equal(back.entropy, UET_UDP_PORT);
	assert_int_equal(a->entropy_lost, 1);
	a->ops->free(a);
	b->ops->free(b);
}

static void nobody_there_is_no_error(void **state)
{
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1));
	struct dgram d =
		port_udp_test_make(port_udp_test_own_addr(3), 30000, 1);
	vtime at;

	(void)state;
	for (int n = 0; n < 10; n++)
		assert_int_equal(a->ops->send(a, &d), 0);
	assert_int_equal(a->ops->recv(a, &d, &at), 0);
	a->ops->free(a);
}

static void wrong_calls_are_refused(void **state)
{
	struct port_conf conf = {.addr = port_udp_test_own_addr(1)}, none = {0};
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1)),
		    *p = NULL;
	static struct dgram d;

	(void)state;
	assert_int_equal(port_udp_new(&p, &conf), ERR_SYS);
	assert_int_equal(errno, EADDRINUSE);
	assert_int_equal(port_udp_new(&p, &none), ERR_VALUE);
	assert_null(p);
	d = port_udp_test_make(port_udp_test_own_addr(1), 30000, 1);
	d.native = 1;
	assert_int_equal(a->ops->send(a, &d), ERR_SUPPORT);
	d = port_udp_test_make((struct ip_addr){.len = 16}, 30000, 1);
	assert_int_equal(a->ops->send(a, &d), ERR_SYS);
	a->ops->free(a);
}

/* Counts the datagrams of a peer that answers to the source port. */
static void strays_are_counted(void **state)
{
	struct port_conf odd = {.addr = port_udp_test_own_addr(2),
				.udp_port = 30000};
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1)),
		    *b = port_udp_test_open_port(port_udp_test_own_addr(2)),
		    *c = NULL;
	struct dgram d =
		port_udp_test_make(port_udp_test_own_addr(2), 30000, 1);
	vtime at;

	(void)state;
	assert_int_equal(a->ops->send(a, &d), 0);
	port_udp_test_get(b, &d, &at);
	assert_int_equal(port_udp_new(&c, &odd), 0);
	d.dst = port_udp_test_own_addr(1);
	assert_int_equal(c->ops->send(c, &d), 0);
	assert_int_equal(a->ops->strays(a), 1);
	assert_int_equal(a->ops->strays(a), 0);
	assert_int_equal(a->ops->recv(a, &d, &at), 0);
	a->ops->free(a);
	b->ops->free(b);
	c->ops->free(c);
}

/* Overflows a socket: arrivals and losses add up. */
static void port_udp_test_drops_are_counted(void **state)
{
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1)),
		    *b = port_udp_test_open_port(port_udp_test_own_addr(2));
	struct dgram d =
		port_udp_test_make(port_udp_test_own_addr(2), 30000, 1);
	const int small = 4096;
	unsigned got = 0;
	vtime at;

	(void)state;
	assert_int_equal(b->ops->drops(b), 0);
	assert_return_code(
		setsockopt(b->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)),
		errno);
	d.len = 1000;
	for (int n = 0; n < 100; n++)
		assert_int_equal(a->ops->send(a, &d), 0);
	while (b->ops->recv(b, &d, &at) == 1)
		got++;
	assert_in_range(got, 1, 99);
	assert_int_equal(got + b->ops->drops(b), 100);
	assert_int_equal(a->ops->drops(a), 0);
	a->ops->free(a);
	b->ops->free(b);
}

/* The longest datagram arrives; one byte more does not, and is counted. */
static void long_datagrams(void **state)
{
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1)),
		    *b = port_udp_test_open_port(port_udp_test_own_addr(2));
	static struct dgram d, back;
	vtime at;

	(void)state;
	d = port_udp_test_make(port_udp_test_own_addr(2), 30000, 7);
	d.len = DGRAM_MAX;
	assert_int_equal(a->ops->send(a, &d), 0);
	port_udp_test_get(b, &back, &at);
	assert_int_equal(back.len, DGRAM_MAX);
	d.len = 0;
	assert_int_equal(a->ops->send(a, &d), 0);
	port_udp_test_get(b, &back, &at);
	assert_int_equal(back.len, 0);
	d.len = DGRAM_MAX + 1;
	assert_int_equal(a->ops->send(a, &d), ERR_SYS);
	assert_int_equal(errno, EMSGSIZE);
	a->ops->free(a);
	b->ops->free(b);
}

static void ipv6_works_where_there_is_one_address(void **state)
{
	struct ip_addr one = {.len = 16};
	struct port_conf conf = {.addr = one, .udp_port = 0};
	struct port *a = NULL;
	struct dgram d, back;
	vtime at;

	(void)state;
	conf.addr.b[15] = 1;
	conf.udp_port = (uint16_t)(40000 + getpid() % 20000);
	if (port_udp_new(&a, &conf))
		skip();
	d = port_udp_test_make(conf.addr, (uint16_t)(conf.udp_port ^ 0x2000),
			       0x2e);
	assert_int_equal(a->ops->send(a, &d), 0);
	port_udp_test_get(a, &back, &at);
	assert_true(ip_addr_equal(&back.src, &conf.addr));
	assert_int_equal(back.entropy, d.entropy);
	assert_int_equal(back.dscp, 0x2e);
	assert_int_equal(back.ecn, 2);
	a->ops->free(a);
}

static void waiting_ends(void **state)
{
	struct port *a = port_udp_test_open_port(port_udp_test_own_addr(1)),
		    *b = port_udp_test_open_port(port_udp_test_own_addr(2));
	int fds[3] = {-1, a->fd, b->fd};
	int many[PORT_WAIT_MAX + 1] = {0};
	struct dgram d =
		port_udp_test_make(port_udp_test_own_addr(2), 30000, 1);
	vtime before = port_now();
	size_t ready = 9;

	(void)state;
	assert_int_equal(port_wait(fds, 3, before, &ready), 0);
	assert_int_equal(port_wait(fds, 3, before + 2 * VSPAN_MS, &ready), 0);
	assert_true(port_now() >= before + 2 * VSPAN_MS);
	assert_int_equal(a->ops->send(a, &d), 0);
	assert_int_equal(port_wait(fds, 3, VTIME_NEVER, &ready), 1);
	assert_int_equal(ready, 2);
	assert_int_equal(port_wait(many, PORT_WAIT_MAX + 1, 0, &ready),
			 ERR_VALUE);
	a->ops->free(a);
	b->ops->free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entropy_ecn_and_dscp_cross),
		cmocka_unit_test(odd_entropy),
		cmocka_unit_test(nobody_there_is_no_error),
		cmocka_unit_test(wrong_calls_are_refused),
		cmocka_unit_test(strays_are_counted),
		cmocka_unit_test(port_udp_test_drops_are_counted),
		cmocka_unit_test(long_datagrams),
		cmocka_unit_test(ipv6_works_where_there_is_one_address),
		cmocka_unit_test(waiting_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
