/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/frame/tunnel.h -- the headers between two IP headers of a frame that was
 * captured inside a tunnel, or that a switch mirrored through one.
 *
 * Spec: RFC 7348 5 (VXLAN); RFC 2784, 2890 (GRE); RFC 2003, 2473 (IP in IP);
 *       RFC 8986 4.4 to 4.6 (SRv6: the inner packet follows the routing
 *       header); draft-foschiano-erspan-03 4 (ERSPAN types I, II and III)
 */
#ifndef WIRE_FRAME_TUNNEL_H
#define WIRE_FRAME_TUNNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tunnel_inner {
	TUNNEL_NONE, /* no tunnel, or one that is not read */
	TUNNEL_ETHERNET,
	TUNNEL_IP,    /* IPv4 or IPv6; its version says which */
	TUNNEL_SHORT, /* the header of the tunnel is truncated */
};

struct tunnel {
	enum tunnel_inner inner;
	size_t len; /* bytes of the headers before the inner frame */
};

/* tunnel_port returns true for the UDP ports of VXLAN. */
bool tunnel_port(uint16_t dport);

/* tunnel_of_port reads what follows a UDP header: |len| bytes at |p|. */
struct tunnel tunnel_of_port(uint16_t dport, const uint8_t *p, size_t len);

/*
 * tunnel_of_proto reads what follows an IP header, extension headers included,
 * whose protocol is |proto|: |len| bytes at |p|.
 */
struct tunnel tunnel_of_proto(uint8_t proto, const uint8_t *p, size_t len);

#endif
