/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/spec_port.c -- parses a PORT: "udp:10.0.0.1", "raw:eth0,ip=10.0.0.1".
 */
#include "cli/spec_port.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/err.h"
#include "cli/cli.h"
#include "gen/port/resolve.h"

#define VLAN_MAX  4094
#define QUEUE_MAX 65535

static bool spec_resolve(struct ip_addr *ret, const char *name)
{
	struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *ai;
	bool found = false;

	if (resolve_host(&ai, name, NULL, &hints))
		return false;
	*ret = (struct ip_addr){0};
	if (ai->ai_family == AF_INET) {
		struct sockaddr_in sin;

		memcpy(&sin, ai->ai_addr, sizeof(sin));
		memcpy(ret->b, &sin.sin_addr, 4);
		ret->len = 4;
		found = true;
	} else if (ai->ai_family == AF_INET6) {
		struct sockaddr_in6 sin6;

		memcpy(&sin6, ai->ai_addr, sizeof(sin6));
		memcpy(ret->b, &sin6.sin6_addr, 16);
		ret->len = 16;
		found = true;
	}
	freeaddrinfo(ai);
	return found;
}

bool spec_host(struct ip_addr *ret, const char *s, size_t len)
{
	char name[256];

	if (len >= 2 && s[0] == '[' && s[len - 1] == ']') {
		s++;
		len -= 2;
	}
	if (len == 0 || len >= sizeof(name))
		return false;
	if (ip_addr_parse(ret, s, len) == 0)
		return true;
	memcpy(name, s, len);
	name[len] = 0;
	return spec_resolve(ret, name);
}

bool spec_port_number(const char *s, size_t len, uint16_t *ret)
{
	char buf[8];
	uint64_t v;

	if (len == 0 || len >= sizeof(buf))
		return false;
	memcpy(buf, s, len);
	buf[len] = 0;
	if (!cli_number(buf, 65535, &v) || v == 0)
		return false;
	*ret = (uint16_t)v;
	return true;
}

size_t spec_port_at(const char *s, size_t len)
{
	const char *end = memchr(s, ']', len);
	const char *from = end ? end : s;
	const char *c = memchr(from, ':', len - (size_t)(from - s));

	if (!c || (!end && memchr(c + 1, ':', len - (size_t)(c + 1 - s))))
		return len;
	return (size_t)(c - s);
}

bool spec_endpoint(struct ip_addr *ret, uint16_t *ret_port, const char *s,
		   size_t len)
{
	size_t at = spec_port_at(s, len);

	if (!spec_host(ret, s, at))
		return false;
	return at == len ||
	       spec_port_number(s + at + 1, len - at - 1, ret_port);
}

static int spec_port_wrong(const char **ret_why, const char *why)
{
	*ret_why = why;
	return ERR_SYNTAX;
}

/* "02:00:00:00:00:01" */
static bool read_mac(uint64_t *ret, const char *s, size_t len)
{
	uint64_t mac = 0;

	if (len != 17)
		return false;
	for (size_t i = 0; i < len; i += 3) {
		char digits[3] = {s[i], s[i + 1], 0}, *end;

		mac = mac << 8 | strtoul(digits, &end, 16);
		if (end != digits + 2 || (i + 2 < len && s[i + 2] != ':'))
			return false;
	}
	*ret = mac;
	return mac != 0;
}

static bool spec_port_read_number(uint64_t *ret, const char *s, size_t len,
				  uint64_t max)
{
	char buf[8];

	if (len == 0 || len >= sizeof(buf))
		return false;
	memcpy(buf, s, len);
	buf[len] = 0;
	return cli_number(buf, max, ret) && *ret;
}

/* Returns the value after a key, or NULL if the word has another key. */
static const char *spec_port_value_of(const char *word, size_t len,
				      const char *key, size_t *ret_len)
{
	const size_t n = strlen(key);

	if (len < n || memcmp(word, key, n) != 0)
		return NULL;
	*ret_len = len - n;
	return word + n;
}

/* Keys of all kinds of ports. */
static int read_peer(struct port_spec *s, const char *v, size_t n,
		     const char **ret_why)
{
	if (spec_host(&s->peer, v, n))
		return 0;
	return spec_port_wrong(ret_why,
			       "peer= is no address and no known name");
}

static int spec_port_read_word(struct port_spec *s, const char *word,
			       size_t len, const char **ret_why)
{
	struct port_conf *c = &s->conf;
	const bool frames = c->kind != PORT_UDP;
	uint64_t number = 0;
	const char *v;
	size_t n;

	if ((v = spec_port_value_of(word, len, "peer=", &n)))
		return read_peer(s, v, n, ret_why);
	if (!frames)
		return spec_port_wrong(ret_why,
				       "after udp:ADDR[:PORT], expected "
				       ",peer=HOST");
	if ((v = spec_port_value_of(word, len, "ip=", &n)))
		return spec_endpoint(&c->addr, &c->udp_port, v, n)
			       ? 0
			       : spec_port_wrong(ret_why,
						 "expected ip=ADDR[:PORT]");
	if ((v = spec_port_value_of(word, len, "via=", &n)))
		return spec_host(&c->via, v, n)
			       ? 0
			       : spec_port_wrong(ret_why, "expected via=ADDR");
	if ((v = spec_port_value_of(word, len, "mac=", &n)))
		return read_mac(&c->mac, v, n)
			       ? 0
			       : spec_port_wrong(ret_why,
						 "expected mac=02:00:00:00:"
						 "00:01");
	if ((v = spec_port_value_of(word, len, "peer-mac=", &n)))
		return read_mac(&c->peer_mac, v, n)
			       ? 0
			       : spec_port_wrong(ret_why,
						 "expected peer-mac=02:00:00:"
						 "00:00:02");
	if ((v = spec_port_value_of(word, len, "vlan=", &n))) {
		if (!spec_port_read_number(&number, v, n, VLAN_MAX))
			return spec_port_wrong(ret_why,
					       "expected vlan=1 to vlan=4094");
		c->vlan = (uint16_t)number;
		return 0;
	}
	if ((v = spec_port_value_of(word, len, "proto=", &n))) {
		if (!spec_port_read_number(&number, v, n, 255))
			return spec_port_wrong(ret_why,
					       "expected proto=1 to proto=255");
		c->ip_proto = (uint8_t)number;
		return 0;
	}
	if (len == 6 && !memcmp(word, "native", len)) {
		s->native = true;
		return 0;
	}
	return spec_port_wrong(ret_why,
			       "expected ip=, peer=, mac=, peer-mac=, vlan=, "
			       "via=, proto= or native");
}

static int read_words(struct port_spec *s, const char *arg,
		      const char **ret_why)
{
	int err = 0;

	while (*arg == ',' && !err) {
		const char *word = ++arg;
		const size_t len = strcspn(word, ",");

		arg += len;
		err = spec_port_read_word(s, word, len, ret_why);
	}
	return err;
}

static int spec_port_agree(const struct port_spec *s, const char **ret_why)
{
	const struct port_conf *c = &s->conf;

	if (!c->addr.len)
		return 0;
	if (s->peer.len && c->addr.len != s->peer.len)
		return spec_port_wrong(ret_why,
				       "our address and peer= are of different "
				       "families");
	if (c->via.len && c->addr.len != c->via.len)
		return spec_port_wrong(ret_why,
				       "our address and via= are of different "
				       "families");
	return 0;
}

static int spec_port_read_iface(struct port_conf *c, const char *arg,
				size_t len, const char **ret_why)
{
	const char *queue = memchr(arg, ':', len);
	uint64_t n = 0;

	if (queue && c->kind == PORT_XDP) {
		const size_t digits = (size_t)(arg + len - queue - 1);

		if (digits != 1 || queue[1] != '0')
			if (!spec_port_read_number(&n, queue + 1, digits,
						   QUEUE_MAX))
				return spec_port_wrong(ret_why,
						       "expected xdp:IFACE or "
						       "xdp:IFACE:QUEUE");
		c->queue = (uint32_t)n;
		len = (size_t)(queue - arg);
	}
	if (len == 0 || len >= sizeof(c->iface))
		return spec_port_wrong(ret_why,
				       "expected the name of an interface");
	memcpy(c->iface, arg, len);
	c->iface[len] = 0;
	return 0;
}

bool spec_is_port(const char *arg)
{
	return !strncmp(arg, "udp:", 4) || !strncmp(arg, "raw:", 4) ||
	       !strncmp(arg, "ring:", 5) || !strncmp(arg, "xdp:", 4);
}

int spec_port(struct port_spec *ret, const char *arg, const char **ret_why)
{
	struct port_spec s = {.conf.kind = PORT_UDP};
	const char *rest = strchr(arg, ':');
	size_t len;
	int err = 0;

	if (!spec_is_port(arg))
		return spec_port_wrong(ret_why,
				       "expected udp:ADDR[:PORT], "
				       "raw:IFACE,ip=ADDR, ring:IFACE,"
				       "ip=ADDR or xdp:IFACE[:QUEUE],ip=ADDR");
	len = strcspn(++rest, ",");
	if (arg[0] == 'r')
		s.conf.kind = arg[1] == 'a' ? PORT_RAW : PORT_RING;
	else if (arg[0] == 'x')
		s.conf.kind = PORT_XDP;
	if (s.conf.kind != PORT_UDP)
		err = spec_port_read_iface(&s.conf, rest, len, ret_why);
	else if (!spec_endpoint(&s.conf.addr, &s.conf.udp_port, rest, len))
		err = spec_port_wrong(ret_why,
				      "expected udp:ADDR[:PORT], our own "
				      "address");
	if (!err)
		err = read_words(&s, rest + len, ret_why);
	if (!err)
		err = spec_port_agree(&s, ret_why);
	if (!err)
		*ret = s;
	return err;
}
