/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire/packet_known.h -- the values of a packet that many readers ask for, read
 * once.
 *
 * A packet of a run has a dozen readers, and many of them ask for the same
 * fields.  These are read once.  If a caller of packet_value() writes the name
 * of a field as a literal, the compiler finds its place in this list, and the
 * value comes from the packet that was read.
 */
#ifndef WIRE_PACKET_KNOWN_H
#define WIRE_PACKET_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define PACKET_KNOWN(F)                                                        \
	/* numbers of packets, and what acknowledges them */                   \
	F(psn) F(pkt_id) F(ack_psn) F(cack_psn) F(nack_psn) F(nack_pkt_id)     \
	F(sack_psn) F(sack_bitmap) F(start_psn) F(clear_psn)                   \
	F(clear_psn_offset) F(spdcid) F(dpdcid) F(cack)                        \
	/* types, flags and codes */                                           \
	F(ar) F(retx) F(syn) F(req) F(p) F(m) F(k) F(more) F(ackreq)           \
	F(next_hdr) F(ctl_type) F(nack_code) F(syndrome) F(payload)            \
	/* messages */                                                         \
	F(opcode) F(return_code) F(som) F(eom) F(message_id) F(match_bits)     \
	F(buffer_offset) F(request_length) F(message_offset) F(eager_length)   \
	F(read_memory_key) F(read_offset) F(amo_opcode) F(datatype)            \
	F(compare_value_lo) F(swap_value_lo) F(original_request_psn)           \
	F(read_request_message_id) F(wqe_sn) F(wqe_offset) F(wqe_length)       \
	F(rkey) F(va) F(dmalen) F(job_id) F(pid_on_fep) F(resource_index)      \
	F(ri_generation) F(initiator)
/* clang-format on */

enum packet_name {
#define KNOWN(name) KNOWN_##name,
	PACKET_KNOWN(KNOWN)
#undef KNOWN
		KNOWN_COUNT
};

/* The values of one packet; 0 for names that it lacks. */
struct packet_known {
	uint64_t has; /* bit i: it has the name i */
	uint64_t v[KNOWN_COUNT];
};

struct packet;

/* packet_know reads the values of a packet. */
void packet_know(const struct packet *pkt, struct packet_known *ret);

/* packet_known_word returns a name as the tables of the headers write it. */
const char *packet_known_word(enum packet_name name);

static inline bool packet_knows(const struct packet_known *k,
				enum packet_name name)
{
	return k->has >> name & 1;
}

/* packet_known_name returns the place of a name, or -1. */
static inline __attribute__((always_inline)) int
packet_known_name(const char *name)
{
#define KNOWN(word) __builtin_strcmp(name, #word) == 0 ? KNOWN_##word:
	return PACKET_KNOWN(KNOWN) - 1;
#undef KNOWN
}

#endif
