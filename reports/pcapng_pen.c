/* SPDX-License-Identifier: BSD-2-Clause */
#include "reports/pcapng_pen.h"

#include <string.h>

enum block {
	BLOCK_INTERFACE = 1,
	BLOCK_NAMES = 4,
	BLOCK_PACKET = 6,
	BLOCK_SECTION = 0x0a0d0d0a,
};

enum option {
	OPT_END = 0,
	OPT_COMMENT = 1,
	SHB_USERAPPL = 4,
	IF_NAME = 2,
	IF_DESCRIPTION = 3,
	IF_TSRESOL = 9,
	EPB_FLAGS = 2,
};

#define NAME_IPV4 1
#define NAME_IPV6 2

#define PCAP_NS_MAGIC 0xa1b23c4d
#define PCAP_SNAPLEN  262144

static void put16(struct text *t, uint16_t v)
{
	text_add(t, (const char *)&v, sizeof(v));
}

static void put32(struct text *t, uint32_t v)
{
	text_add(t, (const char *)&v, sizeof(v));
}

static void put_padded(struct text *t, const void *p, size_t len)
{
	text_add(t, p, len);
	text_fill(t, 0, -len & 3);
}

static void block_open(struct pcapng_pen *w, enum block type)
{
	w->block = w->t->len;
	put32(w->t, (uint32_t)type);
	put32(w->t, 0); /* the length; block_close knows it */
}

static void block_close(struct pcapng_pen *w)
{
	uint32_t len = (uint32_t)(w->t->len - w->block) + 4;

	put32(w->t, len);
	if (!text_err(w->t))
		memcpy(w->t->s + w->block + 4, &len, sizeof(len));
}

static void put_option(struct pcapng_pen *w, enum option code, const void *p,
		       size_t len)
{
	if (len > UINT16_MAX)
		len = UINT16_MAX - 3;
	put16(w->t, (uint16_t)code);
	put16(w->t, (uint16_t)len);
	put_padded(w->t, p, len);
}

static void put_string(struct pcapng_pen *w, enum option code, const char *s)
{
	if (*s)
		put_option(w, code, s, strlen(s));
}

void pcapng_section(struct pcapng_pen *w, const char *const *comments,
		    const char *tool)
{
	block_open(w, BLOCK_SECTION);
	put32(w->t, 0x1a2b3c4d);
	put16(w->t, 1); /* version 1.0 */
	put16(w->t, 0);
	put32(w->t, UINT32_MAX); /* the section's length is not told */
	put32(w->t, UINT32_MAX);
	for (; *comments; comments++)
		put_string(w, OPT_COMMENT, *comments);
	put_string(w, SHB_USERAPPL, tool);
	put32(w->t, OPT_END);
	block_close(w);
}

void pcapng_interface(struct pcapng_pen *w, enum frame_link link,
		      const char *name, const char *about)
{
	const uint8_t nanoseconds = 9;

	block_open(w, BLOCK_INTERFACE);
	put16(w->t, (uint16_t)link);
	put16(w->t, 0);
	put32(w->t, 0); /* no limit on what is captured of a packet */
	put_string(w, IF_NAME, name);
	put_string(w, IF_DESCRIPTION, about);
	put_option(w, IF_TSRESOL, &nanoseconds, 1);
	put32(w->t, OPT_END);
	block_close(w);
}

void pcapng_names_open(struct pcapng_pen *w)
{
	block_open(w, BLOCK_NAMES);
}

void pcapng_names_add(struct pcapng_pen *w, const struct ip_addr *a,
		      const char *name)
{
	char record[16 + 16];
	size_t len = strlen(name) + 1;

	if (!a->len || len > sizeof(record) - 16)
		return;
	memcpy(record, a->b, a->len);
	memcpy(record + a->len, name, len);
	put16(w->t, a->len == 4 ? NAME_IPV4 : NAME_IPV6);
	put16(w->t, (uint16_t)(a->len + len));
	put_padded(w->t, record, a->len + len);
}

void pcapng_names_close(struct pcapng_pen *w)
{
	put32(w->t, 0); /* end of records */
	block_close(w);
}

void pcapng_packet_open(struct pcapng_pen *w, const struct pcapng_packet *p)
{
	block_open(w, BLOCK_PACKET);
	put32(w->t, p->iface);
	put32(w->t, (uint32_t)(p->at >> 32));
	put32(w->t, (uint32_t)p->at);
	put32(w->t, (uint32_t)p->len);
	put32(w->t, (uint32_t)p->len);
	put_padded(w->t, p->p, p->len);
}

void pcapng_comment(struct pcapng_pen *w, const char *s)
{
	put_string(w, OPT_COMMENT, s);
}

void pcapng_packet_close(struct pcapng_pen *w, const struct pcapng_packet *p)
{
	const uint32_t flags = (uint32_t)p->direction;

	if (flags)
		put_option(w, EPB_FLAGS, &flags, sizeof(flags));
	put32(w->t, OPT_END);
	block_close(w);
}

void pcap_head(struct text *t, enum frame_link link)
{
	put32(t, PCAP_NS_MAGIC);
	put16(t, 2); /* version 2.4 */
	put16(t, 4);
	put32(t, 0); /* two fields that nobody uses */
	put32(t, 0);
	put32(t, PCAP_SNAPLEN);
	put32(t, (uint32_t)link);
}

void pcap_packet(struct text *t, uint64_t at, const uint8_t *p, size_t len)
{
	put32(t, (uint32_t)(at / 1000000000));
	put32(t, (uint32_t)(at % 1000000000));
	put32(t, (uint32_t)len);
	put32(t, (uint32_t)len);
	text_add(t, (const char *)p, len);
}
