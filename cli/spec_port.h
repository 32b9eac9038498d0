/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/spec_port.h -- reads a PORT and the addresses in it.
 *
 * PORT is
 *
 *	udp:ADDR[:PORT]            UDP sockets
 *	raw:IFACE,ip=ADDR[:PORT]   whole frames, by libnet and libpcap
 *	ring:IFACE,ip=ADDR[:PORT]  whole frames, by a packet ring
 *	xdp:IFACE[:QUEUE],ip=...   whole frames, by AF_XDP
 *
 * and all but the first may be followed by more words, separated by commas:
 * mac=MAC, vlan=N, via=ADDR (a router), peer-mac=MAC (without ARP or ND),
 * proto=N (of the native form) and native (datagrams go over IP, without UDP).
 */
#ifndef CLI_SPEC_PORT_H
#define CLI_SPEC_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/port/port.h"

struct port_spec {
	struct port_conf conf; /* udp_port 0: as declared */
	struct ip_addr peer;   /* len 0: not given */
	bool native;           /* datagrams go without UDP */
};

/*
 * spec_port parses a PORT.  The caller checks which words are required:
 * conf.addr and peer may be missing.
 * Return: 0, or ERR_SYNTAX with the error in |ret_why|.
 */
int spec_port(struct port_spec *ret, const char *arg, const char **ret_why);

/* spec_is_port returns true if |arg| begins like a PORT. */
bool spec_is_port(const char *arg);

/*
 * spec_host parses a numeric address of |len| characters, with optional "[...]"
 * around IPv6, or resolves a name.
 */
bool spec_host(struct ip_addr *ret, const char *s, size_t len);

/*
 * spec_endpoint parses "ADDR", "ADDR:PORT" or "[IPV6]:PORT".  Without a port,
 * *ret_port does not change.
 */
bool spec_endpoint(struct ip_addr *ret, uint16_t *ret_port, const char *s,
		   size_t len);

/*
 * spec_port_at returns where ":PORT" begins in |len| characters, or |len|; an
 * IPv6 address without brackets has no port.
 */
size_t spec_port_at(const char *s, size_t len);

/*
 * spec_port_number parses a port from 1 to 65535; false: it is no such number.
 */
bool spec_port_number(const char *s, size_t len, uint16_t *ret);

#endif
