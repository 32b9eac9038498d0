/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen/port/port.c -- finds the kind of port by name and opens it.
 */
#define _GNU_SOURCE
#include "gen/port/port.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

int port_new(struct port **ret, const struct port_conf *conf)
{
	switch (conf->kind) {
	case PORT_UDP:
		return port_udp_new(ret, conf);
	case PORT_RAW:
		return port_raw_new(ret, conf);
	case PORT_RING:
		return port_ring_new(ret, conf);
	case PORT_XDP:
		return port_xdp_new(ret, conf);
	}
	return ERR_VALUE;
}

void port_name(const struct port_conf *conf, char *buf, size_t size)
{
	const unsigned udp_port =
		conf->udp_port ? conf->udp_port : family_port(conf->family);
	char addr[IP_ADDR_TEXT];

	ip_addr_print(&conf->addr, addr);
	if (conf->kind == PORT_UDP)
		snprintf(buf, size, "UDP port %u of %s", udp_port, addr);
	else
		snprintf(buf, size, "%s port on %s, %s",
			 conf->kind == PORT_RAW    ? "raw"
			 : conf->kind == PORT_RING ? "ring"
						   : "xdp",
			 conf->iface, conf->addr.len ? addr : "no address");
}

static const char *port_hint(const struct port_conf *conf, int error)
{
	if (conf->kind == PORT_UDP)
		return "";
	if (error == EPERM || error == EACCES)
		return "; it needs CAP_NET_RAW, see \"rung doctor\"";
	if (error == EPFNOSUPPORT)
		return "; it has to be an Ethernet";
	if (conf->kind == PORT_XDP && (error == EBUSY || error == EEXIST))
		return "; another program has its queue or its frames";
	if (conf->kind == PORT_XDP && error == EOPNOTSUPP)
		return "; the kernel or its driver has no AF_XDP";
	if (conf->kind == PORT_XDP && error == ENOBUFS)
		return conf->deaf
			       ? "; it locks 8 MB of memory, see \"ulimit -l\""
			       : "; it locks 16 MB of memory, see \"ulimit "
				 "-l\"";
	return "";
}

void port_error(const struct port_conf *conf, int error, char *buf, size_t size)
{
	const char *text = strerrordesc_np(error);
	char name[PORT_NAME];

	port_name(conf, name, sizeof(name));
	snprintf(buf, size, "%s: %s%s", name, text_or(text, "unknown error"),
		 port_hint(conf, error));
}
