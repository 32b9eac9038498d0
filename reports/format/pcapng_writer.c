/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/format/pcapng_writer.c -- writes the blocks and options of pcapng,
 * and the headers of pcap.
 */
#include "reports/format/pcapng_writer.h"

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

static void pcapng_writer_put16(struct text *t, uint16_t v)
{
	text_add(t, (const char *)&v, sizeof(v));
}

static void pcapng_writer_put32(struct text *t, uint32_t v)
{
	text_add(t, (const char *)&v, sizeof(v));
}

static void put_padded(struct text *t, const void *p, size_t len)
{
	text_add(t, p, len);
	text_fill(t, 0, -len & 3);
}

static void block_open(struct pcapng_writer *w, enum block type)
{
	w->block = w->t->len;
	pcapng_writer_put32(w->t, (uint32_t)type);
	/* placeholder of the length, which block_close writes */
	pcapng_writer_put32(w->t, 0);
}

static void block_close(struct pcapng_writer *w)
{
	uint32_t len = (uint32_t)(w->t->len - w->block) + 4;

	pcapng_writer_put32(w->t, len);
	if (!text_err(w->t))
		memcpy(w->t->s + w->block + 4, &len, sizeof(len));
}

static void put_option(struct pcapng_writer *w, enum option code, const void *p,
		       size_t len)
{
	if (len > UINT16_MAX)
		len = UINT16_MAX - 3;
	pcapng_writer_put16(w->t, (uint16_t)code);
	pcapng_writer_put16(w->t, (uint16_t)len);
	put_padded(w->t, p, len);
}

static void put_string(struct pcapng_writer *w, enum option code, const char *s)
{
	if (*s)
		put_option(w, code, s, strlen(s));
}

void pcapng_section(struct pcapng_writer *w, const char *const *comments,
		    const char *tool)
{
	block_open(w, BLOCK_SECTION);
	pcapng_writer_put32(w->t, 0x1a2b3c4d);
	pcapng_writer_put16(w->t, 1); /* version 1.0 */
	pcapng_writer_put16(w->t, 0);
	pcapng_writer_put32(w->t,
			    /* the section's length is not stated */
			    UINT32_MAX);
	pcapng_writer_put32(w->t, UINT32_MAX);
	for (; *comments; comments++)
		put_string(w, OPT_COMMENT, *comments);
	put_string(w, SHB_USERAPPL, tool);
	pcapng_writer_put32(w->t, OPT_END);
	block_close(w);
}

void pcapng_interface(struct pcapng_writer *w, enum frame_link link,
		      const char *name, const char *about)
{
	const uint8_t nanoseconds = 9;

	block_open(w, BLOCK_INTERFACE);
	pcapng_writer_put16(w->t, (uint16_t)link);
	pcapng_writer_put16(w->t, 0);
	pcapng_writer_put32(w->t, 0); /* no limit on captured packet bytes */
	put_string(w, IF_NAME, name);
	put_string(w, IF_DESCRIPTION, about);
	put_option(w, IF_TSRESOL, &nanoseconds, 1);
	pcapng_writer_put32(w->t, OPT_END);
	block_close(w);
}

void pcapng_names_open(struct pcapng_writer *w)
{
	block_open(w, BLOCK_NAMES);
}

void pcapng_names_add(struct pcapng_writer *w, const struct ip_addr *a,
		      const char *name)
{
	char record[16 + 16];
	size_t len = strlen(name) + 1;

	if (!a->len || len > sizeof(record) - 16)
		return;
	memcpy(record, a->b, a->len);
	memcpy(record + a->len, name, len);
	pcapng_writer_put16(w->t, a->len == 4 ? NAME_IPV4 : NAME_IPV6);
	pcapng_writer_put16(w->t, (uint16_t)(a->len + len));
	put_padded(w->t, record, a->len + len);
}

void pcapng_names_close(struct pcapng_writer *w)
{
	pcapng_writer_put32(w->t, 0); /* end of records */
	block_close(w);
}

void pcapng_packet_open(struct pcapng_writer *w, const struct pcapng_packet *p)
{
	block_open(w, BLOCK_PACKET);
	pcapng_writer_put32(w->t, p->iface);
	pcapng_writer_put32(w->t, (uint32_t)(p->at >> 32));
	pcapng_writer_put32(w->t, (uint32_t)p->at);
	pcapng_writer_put32(w->t, (uint32_t)p->len);
	pcapng_writer_put32(w->t, (uint32_t)p->len);
	put_padded(w->t, p->p, p->len);
}

void pcapng_comment(struct pcapng_writer *w, const char *s)
{
	put_string(w, OPT_COMMENT, s);
}

void pcapng_packet_close(struct pcapng_writer *w, const struct pcapng_packet *p)
{
	const uint32_t flags = (uint32_t)p->direction;

	if (flags)
		put_option(w, EPB_FLAGS, &flags, sizeof(flags));
	pcapng_writer_put32(w->t, OPT_END);
	block_close(w);
}

void pcap_head(struct text *t, enum frame_link link)
{
	pcapng_writer_put32(t, PCAP_NS_MAGIC);
	pcapng_writer_put16(t, 2); /* version 2.4 */
	pcapng_writer_put16(t, 4);
	pcapng_writer_put32(t, 0); /* two unused fields */
	pcapng_writer_put32(t, 0);
	pcapng_writer_put32(t, PCAP_SNAPLEN);
	pcapng_writer_put32(t, (uint32_t)link);
}

void pcap_packet(struct text *t, uint64_t at, const uint8_t *p, size_t len)
{
	pcapng_writer_put32(t, (uint32_t)(at / 1000000000));
	pcapng_writer_put32(t, (uint32_t)(at % 1000000000));
	pcapng_writer_put32(t, (uint32_t)len);
	pcapng_writer_put32(t, (uint32_t)len);
	text_add(t, (const char *)p, len);
}
