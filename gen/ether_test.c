/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/ether_test.c -- tests an address on an Ethernet: requests and answers
 * byte by byte, datagrams that wait for a neighbour, and frames that are not
 * for us.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "gen/ether.h"
#include "wire/frame/frame.h"
#include "wire/frame/frame_build.h"

#define OUR_MAC  0x020000000001u
#define PEER_MAC 0x0200000000b2u

/* The frames that an ether has sent; frames[0] is the latest. */
struct ether_test_sink {
	uint8_t frame[32][ETHER_FRAME_MAX];
	size_t len[32];
	unsigned n;
	int err;
};

static int ether_test_out(void *ctx, const uint8_t *frame, size_t len)
{
	struct ether_test_sink *s = ctx;

	if (s->err)
		return s->err;
	assert_true(s->n < 32);
	memcpy(s->frame[s->n], frame, len);
	s->len[s->n++] = len;
	return 0;
}

static struct ip_addr ether_test_addr(const char *text)
{
	struct ip_addr a;

	assert_int_equal(ip_addr_parse(&a, text, strlen(text)), 0);
	return a;
}

static struct ether *ether_test_make(struct ether_test_sink *s,
				     const struct ether_conf *conf)
{
	struct ether *l = NULL;

	memset(s, 0, sizeof(*s));
	assert_int_equal(ether_new(&l, conf, ether_test_out, s), 0);
	return l;
}

static struct ether *make4(struct ether_test_sink *s)
{
	const struct ether_conf conf = {.addr = ether_test_addr("10.0.0.1"),
					.mac = OUR_MAC};

	return ether_test_make(s, &conf);
}

static struct ether *make6(struct ether_test_sink *s)
{
	const struct ether_conf conf = {.addr = ether_test_addr("fd00::a:1"),
					.mac = OUR_MAC};

	return ether_test_make(s, &conf);
}

static struct dgram dgram_to(const char *dst, uint8_t byte)
{
	struct dgram d = {
		.dst = ether_test_addr(dst), .entropy = 0xb41c, .len = 5};

	memset(d.data, byte, d.len);
	return d;
}

static const uint8_t arp_request[] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,  1, 8, 6,
	0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,  0, 0, 1,
	10,   0,    0,    1,    0,    0,    0, 0, 0, 0, 10, 0, 0, 2,
};

static const uint8_t arp_reply[] = {
	2, 0, 0, 0, 0, 1, 2,    0,  0, 0, 0, 0xb2, 8, 6, 0, 1, 8, 0,  6, 4, 0,
	2, 2, 0, 0, 0, 0, 0xb2, 10, 0, 0, 2, 2,    0, 0, 0, 0, 1, 10, 0, 0, 1,
};

/*
 * RFC 826: the tester sends one request; after the answer the queued datagrams
 * leave in order.
 */
static void arp_is_asked_and_learnt(void **state)
{
	static struct ether_test_sink s;
	struct ether *l = make4(&s);
	struct dgram d = dgram_to("10.0.0.2", 1), got;

	(void)state;
	assert_int_equal(ether_deadline(l), VTIME_NEVER);
	assert_int_equal(ether_send(l, &d, 1000), 0);
	d.data[0] = 2;
	assert_int_equal(ether_send(l, &d, 1001), 0);
	assert_int_equal(ether_meet(l, &d.dst, 1002), 0);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.len[0], sizeof(arp_request));
	assert_memory_equal(s.frame[0], arp_request, sizeof(arp_request));
	assert_int_equal(ether_deadline(l), 1000 + ETHER_ASK_EVERY);
	assert_int_equal(ether_take(l, arp_reply, sizeof(arp_reply), &got),
			 ETHER_NOTHING);
	assert_int_equal(s.n, 3);
	assert_int_equal(ether_deadline(l), VTIME_NEVER);
	assert_int_equal(ether_meet(l, &d.dst, 1003), 1);
	for (unsigned i = 1; i < 3; i++) {
		struct frame_eth eth;
		struct frame_info info;

		frame_eth_get(&eth, s.frame[i]);
		assert_int_equal(eth.dst, PEER_MAC);
		assert_int_equal(eth.src, OUR_MAC);
		assert_int_equal(frame_parse(NULL, FRAME_ETHERNET, s.frame[i],
					     s.len[i], &got, &info),
				 FRAME_OK);
		assert_int_equal(got.data[0], i);
		assert_int_equal(got.entropy, 0xb41c);
	}
	assert_int_equal(ether_counts(l)->sent, 2);
	ether_free(l);
}

static void arp_is_answered(void **state)
{
	static struct ether_test_sink s;
	struct ether *l = make4(&s);
	uint8_t q[sizeof(arp_request)];
	struct dgram got;
	struct frame_arp arp;

	(void)state;
	/* 10.0.0.2 requests our address */
	memcpy(q, arp_request, sizeof(q));
	memcpy(q + 6, (uint8_t[]){2, 0, 0, 0, 0, 0xb2}, 6);
	memcpy(q + 22, (uint8_t[]){2, 0, 0, 0, 0, 0xb2, 10, 0, 0, 2}, 10);
	memcpy(q + 38, (uint8_t[]){10, 0, 0, 1}, 4);
	assert_int_equal(ether_take(l, q, sizeof(q), &got), ETHER_NOTHING);
	assert_int_equal(s.n, 1);
	frame_arp_get(&arp, s.frame[0] + 14);
	assert_int_equal(arp.op, FRAME_ARP_REPLY);
	assert_int_equal(arp.sender_mac, OUR_MAC);
	assert_int_equal(arp.sender_ip, 0x0a000001);
	assert_int_equal(arp.target_mac, PEER_MAC);
	assert_int_equal(arp.target_ip, 0x0a000002);
	/* the sender of the request is resolved now */
	assert_int_equal(ether_meet(l, &(struct ip_addr){4, {10, 0, 0, 2}}, 0),
			 1);
	/* a request for another address is ignored */
	q[41] = 9;
	assert_int_equal(ether_take(l, q, sizeof(q), &got), ETHER_NOTHING);
	/*
	 * a truncated request, and one of another address type, are ignored,
	 * too
	 */
	q[41] = 1;
	assert_int_equal(ether_take(l, q, sizeof(q) - 1, &got), ETHER_NOTHING);
	q[19] = 16;
	assert_int_equal(ether_take(l, q, sizeof(q), &got), ETHER_NOTHING);
	assert_int_equal(s.n, 1);
	ether_free(l);
}

/* The neighbour never answers: after four requests the queue is dropped. */
static void silence_ends(void **state)
{
	static struct ether_test_sink s;
	struct ether *l = make4(&s);
	struct dgram d = dgram_to("10.0.0.2", 1);
	vtime now = 0;

	(void)state;
	assert_int_equal(ether_send(l, &d, now), 0);
	for (unsigned i = 0; i < ETHER_ASKS; i++) {
		assert_int_equal(s.n, i + 1);
		now = ether_deadline(l);
		assert_int_equal(ether_tick(l, now - 1), 0);
		assert_int_equal(s.n, i + 1);
		assert_int_equal(ether_counts(l)->unreachable, 0);
		assert_int_equal(ether_tick(l, now), 0);
	}
	assert_int_equal(s.n, ETHER_ASKS);
	assert_int_equal(now, ETHER_ASKS * ETHER_ASK_EVERY);
	assert_int_equal(ether_counts(l)->unreachable, 1);
	assert_int_equal(ether_counts(l)->sent, 0);
	assert_int_equal(ether_deadline(l), VTIME_NEVER);
	/* the next datagram causes a new request */
	assert_int_equal(ether_send(l, &d, now), 0);
	assert_int_equal(s.n, ETHER_ASKS + 1);
	ether_free(l);
}

/* The queue is bounded, and the error of |out| is returned. */
static void ether_test_limits(void **state)
{
	static struct ether_test_sink s;
	struct ether *l = make4(&s);
	struct dgram d = dgram_to("10.0.0.2", 1), got;
	int err = 0;

	(void)state;
	for (unsigned i = 0; i < 100 && !err; i++)
		err = ether_send(l, &d, 0);
	assert_int_equal(err, ERR_SPACE);
	s.err = ERR_SYS;
	assert_int_equal(ether_take(l, arp_reply, sizeof(arp_reply), &got),
			 ERR_SYS);
	d.dst = ether_test_addr("fd00::1");
	assert_int_equal(ether_send(l, &d, 0), ERR_VALUE);
	ether_free(l);
}

/*
 * RFC 4861: a solicitation to the solicited-node group of fd00::a:2, whose MAC
 * address ends in a byte of ff and its last 24 bits; hop limit 255.
 */
static const uint8_t solicit[] = {
	0x33, 0x33, 0xff, 0x0a, 0,    2,    2,  0,  0,   0,    0,    1,    0x86,
	0xdd, 0x60, 0,    0,    0,    0,    32, 58, 255, 0xfd, 0,    0,    0,
	0,    0,    0,    0,    0,    0,    0,  0,  0,   0x0a, 0,    1,    0xff,
	2,    0,    0,    0,    0,    0,    0,  0,  0,   0,    1,    0xff, 0x0a,
	0,    2,    135,  0,    0x7d, 0x79, 0,  0,  0,   0,    0xfd, 0,    0,
	0,    0,    0,    0,    0,    0,    0,  0,  0,   0,    0x0a, 0,    2,
	1,    1,    2,    0,    0,    0,    0,  1,
};

/* fd00::a:2 requests our address, or advertises its own. */
static size_t nd_from_peer(enum frame_nd_type type, uint8_t *p)
{
	static struct ether_test_sink s;
	const struct ether_conf conf = {.addr = ether_test_addr("fd00::a:2"),
					.mac = PEER_MAC};
	struct ether *peer = ether_test_make(&s, &conf);
	struct dgram d = dgram_to("fd00::a:1", 1), got;
	size_t len;

	if (type == FRAME_ND_SOLICIT) {
		assert_int_equal(ether_send(peer, &d, 0), 0);
	} else {
		static uint8_t q[sizeof(solicit)];

		memcpy(q, solicit, sizeof(q));
		assert_int_equal(ether_take(peer, q, sizeof(q), &got),
				 ETHER_NOTHING);
	}
	assert_int_equal(s.n, 1);
	len = s.len[0];
	memcpy(p, s.frame[0], len);
	ether_free(peer);
	return len;
}

static void nd_is_asked_and_learnt(void **state)
{
	static struct ether_test_sink s;
	static uint8_t p[ETHER_FRAME_MAX];
	struct ether *l = make6(&s);
	struct dgram d = dgram_to("fd00::a:2", 1), got;
	size_t len;

	(void)state;
	assert_int_equal(ether_send(l, &d, 0), 0);
	assert_int_equal(s.len[0], sizeof(solicit));
	assert_memory_equal(s.frame[0], solicit, sizeof(solicit));
	len = nd_from_peer(FRAME_ND_ADVERTISE, p);
	/* one bit is wrong: the checksum fails */
	p[len - 1] ^= 1;
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	assert_int_equal(s.n, 1);
	p[len - 1] ^= 1;
	/* a lower hop limit: it came through a router */
	p[14 + 7] = 254;
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	assert_int_equal(s.n, 1);
	p[14 + 7] = 255;
	for (size_t n = 0; n < len; n++)
		assert_int_equal(ether_take(l, p, n, &got), ETHER_NOTHING);
	assert_int_equal(s.n, 1);
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	assert_int_equal(s.n, 2);
	assert_memory_equal(s.frame[1], ((uint8_t[]){2, 0, 0, 0, 0, 0xb2}), 6);
	ether_free(l);
}

static void nd_is_answered(void **state)
{
	static struct ether_test_sink s;
	static uint8_t p[ETHER_FRAME_MAX];
	struct ether *l = make6(&s);
	size_t len = nd_from_peer(FRAME_ND_SOLICIT, p);
	struct frame_nd_link option;
	struct frame_nd nd;
	struct dgram got;

	(void)state;
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	assert_int_equal(s.n, 1);
	frame_nd_get(&nd, s.frame[0] + 54);
	assert_int_equal(nd.icmp_type, FRAME_ND_ADVERTISE);
	assert_true(nd.solicited && nd.override && !nd.router);
	frame_nd_link_get(&option, s.frame[0] + 54 + frame_nd_len);
	assert_int_equal(option.opt_type, FRAME_ND_TARGET);
	assert_int_equal(option.mac, OUR_MAC);
	assert_int_equal(
		ether_meet(l,
			   &(struct ip_addr){.len = 16,
					     .b = {0xfd, [13] = 10, [15] = 2}},
			   0),
		1);
	/* A duplicate address detection is answered to all nodes. */
	memset(p + 22, 0, 16);
	memcpy(p + 56, (uint8_t[]){0, 0}, 2);
	{
		uint32_t sum = frame_sum(0, p + 22, 32) + 32 + 58;
		uint16_t right = frame_checksum(sum, p + 54, 32);

		p[56] = (uint8_t)(right >> 8);
		p[57] = (uint8_t)right;
	}
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	assert_int_equal(s.n, 2);
	assert_memory_equal(s.frame[1], ((uint8_t[]){0x33, 0x33, 0, 0, 0, 1}),
			    6);
	frame_nd_get(&nd, s.frame[1] + 54);
	assert_false(nd.solicited);
	ether_free(l);
}

/* One frame from the peer to us. */
static size_t frame_for_us(uint8_t *p, const struct dgram *d, uint16_t vlan)
{
	static struct ether_test_sink s;
	const struct ether_conf conf = {.addr = ether_test_addr("10.0.0.2"),
					.mac = PEER_MAC,
					.peer_mac = OUR_MAC,
					.vlan = vlan};
	struct ether *peer = ether_test_make(&s, &conf);

	assert_int_equal(ether_send(peer, d, 0), 0);
	assert_int_equal(s.n, 1);
	memcpy(p, s.frame[0], s.len[0]);
	ether_free(peer);
	return s.len[0];
}

static void frames_for_us_and_others(void **state)
{
	static struct ether_test_sink s;
	static uint8_t p[ETHER_FRAME_MAX], q[ETHER_FRAME_MAX];
	struct ether *l = make4(&s);
	struct dgram d = dgram_to("10.0.0.1", 7), got;
	size_t len;

	(void)state;
	d.dscp = 46;
	d.ecn = ECN_CE;
	for (d.native = 0; d.native < 2; d.native++) {
		len = frame_for_us(p, &d, 0);
		assert_int_equal(ether_take(l, p, len, &got), ETHER_DGRAM);
		assert_int_equal(got.native, d.native);
		assert_int_equal(got.entropy, 0xb41c);
		assert_int_equal(got.dscp, 46);
		assert_int_equal(got.ecn, ECN_CE);
		assert_int_equal(got.len, 5);
		assert_int_equal(got.data[4], 7);
	}
	d.native = 0;
	len = frame_for_us(p, &d, 0);
	/* to another station */
	memcpy(q, p, len);
	q[5] = 9;
	assert_int_equal(ether_take(l, q, len, &got), ETHER_NOTHING);
	assert_int_equal(ether_counts(l)->damaged, 0);
	/* a wrong header checksum, a truncated packet, a fragment */
	memcpy(q, p, len);
	q[14 + 8]--;
	assert_int_equal(ether_take(l, q, len, &got), ETHER_NOTHING);
	assert_int_equal(ether_counts(l)->damaged, 1);
	assert_int_equal(ether_take(l, p, len - 1, &got), ETHER_NOTHING);
	assert_int_equal(ether_counts(l)->damaged, 2);
	memcpy(q, p, len);
	q[14 + 6] |= 0x20;
	assert_int_equal(ether_take(l, q, len, &got), ETHER_NOTHING);
	assert_int_equal(ether_counts(l)->damaged, 3);
	/* another UDP port */
	memcpy(q, p, len);
	q[14 + 20 + 3]++;
	assert_int_equal(got.udp_dport, 0);
	assert_int_equal(ether_take(l, q, len, &got), ETHER_DGRAM);
	assert_int_equal(ether_counts(l)->strays, 1);
	assert_int_equal(got.udp_dport, UET_UDP_PORT + 1);
	assert_int_equal(got.len, 5);
	/* a UDP checksum */
	memcpy(q, p, len);
	q[14 + 20 + 7] = 9;
	assert_int_equal(ether_take(l, q, len, &got), ETHER_DGRAM);
	assert_int_equal(got.udp_checksum, 9);
	assert_int_equal(got.headers, 1);
	assert_int_equal(got.no_df, 0);
	d.no_df = 1;
	len = frame_for_us(p, &d, 0);
	assert_int_equal(ether_take(l, p, len, &got), ETHER_DGRAM);
	assert_int_equal(got.no_df, 1);
	d.no_df = 0;
	len = frame_for_us(p, &d, 0);
	/* Ethernet padding is not part of the datagram */
	assert_int_equal(ether_take(l, p, len + 9, &got), ETHER_DGRAM);
	assert_int_equal(got.len, 5);
	assert_int_equal(got.padding, 9);
	assert_int_equal(got.udp_checksum + got.udp_dport, 0);
	/* other protocols, except those that any host sends */
	d.native = 1;
	for (unsigned proto = 0; proto < 256; proto++) {
		const bool ours = proto == UET_IP_PROTO;
		const bool usual = proto == 1 || proto == 2 || proto == 6 ||
				   proto == 17 || proto == 58 || proto == 59 ||
				   proto == 0;

		d.ip_proto = (uint8_t)proto;
		len = frame_for_us(p, &d, 0);
		if (usual)
			continue;
		assert_int_equal(ether_take(l, p, len, &got), ETHER_DGRAM);
		assert_int_equal(got.native, 1);
		assert_int_equal(got.ip_proto, ours ? 0 : proto);
	}
	d.ip_proto = 1;
	len = frame_for_us(p, &d, 0);
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	d.native = d.ip_proto = 0;
	len = frame_for_us(p, &d, 0);
	for (size_t n = 0; n < 14 + 20; n++)
		assert_int_equal(ether_take(l, p, n, &got), ETHER_NOTHING);
	ether_free(l);
}

static void departures_are_seen(void **state)
{
	static struct ether_test_sink s;
	const struct ether_conf conf = {.addr = ether_test_addr("10.0.0.1"),
					.mac = OUR_MAC,
					.peer_mac = PEER_MAC};
	struct ether *l = ether_test_make(&s, &conf);
	struct dgram d = dgram_to("10.0.0.2", 1), got;

	(void)state;
	assert_int_equal(ether_send(l, &d, 0), 0);
	assert_int_equal(ether_counts(l)->sent, 1);
	assert_int_equal(ether_counts(l)->left, 0);
	assert_int_equal(ether_take(l, s.frame[0], s.len[0], &got), ETHER_OWN);
	assert_int_equal(ether_counts(l)->left, 1);
	ether_free(l);
}

static void tags_and_routers(void **state)
{
	static struct ether_test_sink s;
	static uint8_t p[ETHER_FRAME_MAX];
	struct ether_conf conf = {.addr = ether_test_addr("10.0.0.1"),
				  .mac = OUR_MAC,
				  .via = ether_test_addr("10.0.0.254"),
				  .vlan = 5};
	struct ether *l = ether_test_make(&s, &conf);
	struct dgram d = dgram_to("192.0.2.1", 1), in = dgram_to("10.0.0.1", 1);
	struct dgram got;
	size_t len;

	(void)state;
	assert_int_equal(ether_send(l, &d, 0), 0);
	assert_memory_equal(s.frame[0] + 12, ((uint8_t[]){0x81, 0, 0, 5, 8, 6}),
			    6);
	assert_memory_equal(s.frame[0] + 18 + 24, ((uint8_t[]){10, 0, 0, 254}),
			    4);
	len = frame_for_us(p, &in, 5);
	assert_int_equal(ether_take(l, p, len, &got), ETHER_DGRAM);
	len = frame_for_us(p, &in, 6);
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	len = frame_for_us(p, &in, 0);
	assert_int_equal(ether_take(l, p, len, &got), ETHER_NOTHING);
	ether_free(l);
	conf.vlan = 4095;
	assert_int_equal(ether_new(&l, &conf, ether_test_out, &s), ERR_VALUE);
	conf.vlan = 0;
	conf.via = ether_test_addr("fd00::1");
	assert_int_equal(ether_new(&l, &conf, ether_test_out, &s), ERR_VALUE);
	conf.via.len = conf.addr.len = 0;
	assert_int_equal(ether_new(&l, &conf, ether_test_out, &s), ERR_VALUE);
}

static void layouts_tile(void **state)
{
	(void)state;
	assert_null(header_check(&frame_arp_header));
	assert_null(header_check(&frame_nd_header));
	assert_null(header_check(&frame_nd_link_header));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arp_is_asked_and_learnt),
		cmocka_unit_test(arp_is_answered),
		cmocka_unit_test(silence_ends),
		cmocka_unit_test(ether_test_limits),
		cmocka_unit_test(nd_is_asked_and_learnt),
		cmocka_unit_test(nd_is_answered),
		cmocka_unit_test(frames_for_us_and_others),
		cmocka_unit_test(departures_are_seen),
		cmocka_unit_test(tags_and_routers),
		cmocka_unit_test(layouts_tile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
