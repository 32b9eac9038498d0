/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dissector/table/follow.c -- Follow Stream: each PSN of a flow once, with what
 * was sent out of order in its place.
 */
#include "dissector/table/follow.h"
#include "dissector/families.h"

#include "dissector/flow.h"
#include "dissector/table/tapped.h"

#include <epan/follow.h>
#include <epan/to_str.h>

/* ---- Payload ---- */

/* In place of ports stands the PDCID of the end that sent first, or 0. */
static void follow_ends(follow_info_t *f, const packet_info *pinfo,
			const struct dissect_flow *flow)
{
	if (f->client_ip.type != AT_NONE)
		return;
	copy_address(&f->client_ip, &pinfo->src);
	copy_address(&f->server_ip, &pinfo->dst);
	f->client_port = flow->first_id;
}

/*
 * Inserts a record before those of the same direction that have higher PSNs.
 * The list begins with the last record.
 */
static void follow_insert(follow_info_t *f, follow_record_t *r)
{
	GList *at = f->payload;

	for (; at; at = at->next) {
		const follow_record_t *other = at->data;

		if (other->is_server == r->is_server &&
		    (gint32)(r->seq - other->seq) < 0)
			continue;
		if (other->is_server == r->is_server || at == f->payload)
			break;
	}
	f->payload = g_list_insert_before(f->payload, at, r);
}

static tap_packet_status follow_packet(void *ctx, packet_info *pinfo,
				       epan_dissect_t *edt, const void *data,
				       tap_flags_t flags)
{
	follow_info_t *f = ctx;
	const struct tapped *t = data;
	const struct packet *pkt = &t->pkt;
	const struct seen *s = t->seen;
	const struct dissect_flow *flow = s ? flow_of(s) : NULL;
	follow_record_t *r;

	(void)edt;
	(void)flags;
	if (!flow || !(s->flags & SEEN_SENT) || s->flags & SEEN_AGAIN ||
	    pkt->len <= pkt->payload)
		return TAP_PACKET_DONT_REDRAW;
	follow_ends(f, pinfo, flow);
	r = g_new0(follow_record_t, 1);
	r->is_server = s->from != flow->first_from;
	r->packet_num = pinfo->num;
	r->seq = s->psn;
	r->abs_ts = pinfo->abs_ts;
	r->data = g_byte_array_append(g_byte_array_new(), pkt->p + pkt->payload,
				      (guint)(pkt->len - pkt->payload));
	f->bytes_written[r->is_server] += r->data->len;
	follow_insert(f, r);
	return TAP_PACKET_DONT_REDRAW;
}

/* ---- Filters ---- */

static char *follow_stream_filter(enum family family, unsigned stream)
{
	return g_strdup_printf("%s.stream eq %u", family_name(family), stream);
}

static char *follow_conversation(epan_dissect_t *edt, packet_info *pinfo,
				 unsigned *stream, unsigned *sub)
{
	const struct seen *s = track_frame(pinfo->num);

	(void)edt;
	if (!s || s->stream == SEEN_NO_STREAM)
		return NULL;
	*stream = seen_stream(s);
	*sub = 0;
	return follow_stream_filter(s->family, *stream);
}

static char *follow_addresses(address *src, address *dst, int sport, int dport)
{
	char a[64], b[64];

	(void)sport;
	(void)dport;
	address_to_str_buf(src, a, sizeof(a));
	address_to_str_buf(dst, b, sizeof(b));
	return g_strdup_printf("(ip.src eq %s and ip.dst eq %s) or "
			       "(ip.src eq %s and ip.dst eq %s)",
			       a, b, b, a);
}

static char *follow_port(wmem_allocator_t *pool, unsigned port)
{
	return wmem_strdup_printf(pool, "%u", port);
}

/* Wireshark gives these callbacks no context, so each family has its own. */
#define FOLLOW_CALLBACKS(arg, id, word)                                  \
	static char *follow_index_##word(unsigned stream, unsigned sub)  \
	{                                                                \
		(void)sub;                                               \
		return follow_stream_filter(DISSECT_FAMILY(id), stream); \
	}                                                                \
	FOLLOW_COUNT(static uint32_t follow_count_##word(void) {         \
		return flow_count(DISSECT_FAMILY(id));                   \
	})

DISSECT_FAMILIES(FOLLOW_CALLBACKS)

#define FOLLOW_ROW(arg, id, word) \
	{follow_index_##word FOLLOW_COUNT(, follow_count_##word)},
static const struct {
	char *(*index)(unsigned stream, unsigned sub);
	FOLLOW_COUNT(uint32_t (*count)(void);)
} follow_callbacks[] = {DISSECT_FAMILIES(FOLLOW_ROW)};

void follow_register(int proto, enum family family, const char *name)
{
	register_follow_stream(proto, name, follow_conversation,
			       follow_callbacks[family].index, follow_addresses,
			       follow_port,
			       follow_packet FOLLOW_COUNT(
				       , follow_callbacks[family].count, NULL));
}
