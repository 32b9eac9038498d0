/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/probe/probe_packet.c -- finds packets in the record of a stimulus.
 */
#include "suite/run/probe/probe_packet.h"

#include <string.h>

#include "wire/frame/crc.h"

bool probe_is_word(const struct packet *pkt, const char *word)
{
	return strcmp(packet_word(pkt), word) == 0;
}

bool probe_is_ack(const struct packet *pkt)
{
	return strncmp(packet_word(pkt), "ack", 3) == 0;
}

bool probe_any_packet_at(const struct record *r, size_t i, enum rec_kind kind,
			 struct packet *ret)
{
	const struct rec *rec = &r->recs[i];

	if (rec->kind != kind || !rec->frame)
		return false;
	record_packet(r, rec, ret);
	return true;
}

bool probe_packet_at(const struct record *r, size_t i, enum rec_kind kind,
		     struct packet *ret)
{
	return !r->recs[i].setup && probe_any_packet_at(r, i, kind, ret);
}

const struct rec *probe_ack_of(const struct record *r, size_t from,
			       uint64_t psn, struct packet *ret)
{
	for (size_t i = from; i < r->nrecs; i++)
		if (probe_any_packet_at(r, i, REC_RX, ret) &&
		    probe_is_ack(ret) && packet_number(ret, "ack_psn") == psn)
			return &r->recs[i];
	return NULL;
}

bool probe_repeats(const struct record *r, size_t from, const struct rec *until,
		   uint64_t psn)
{
	struct packet pkt;

	for (size_t i = from + 1; &r->recs[i] < until; i++)
		if (probe_any_packet_at(r, i, REC_TX, &pkt) &&
		    packet_number(&pkt, "psn") == psn)
			return true;
	return false;
}

bool probe_crc(const struct record *r, bool *ret_be)
{
	for (size_t i = 0; i < r->nrecs; i++) {
		struct dgram d;

		if (r->recs[i].kind != REC_RX || !r->recs[i].frame)
			continue;
		record_dgram(r, &r->recs[i], &d);
		if (d.len < CRC_LEN)
			continue;
		*ret_be = crc_check(&d, CRC_BE);
		if (*ret_be || crc_check(&d, CRC_LE))
			return true;
	}
	return false;
}
