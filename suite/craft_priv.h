/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/craft_priv.h -- a line in the making, for craft*.c only.
 *
 *	craft.c      terms, payload, and what UET fills in
 *	craft_cause.c  and what makes a device answer as the case asks
 *	craft_ib.c   what the next two have in common
 *	craft_srd.c  what SRD fills in
 *	craft_wqe.c  what the WQE extension fills in
 */
#ifndef SUITE_CRAFT_PRIV_H
#define SUITE_CRAFT_PRIV_H

#include "suite/craft.h"
#include "wire/packet.h"

#define CRAFT_SETS 64

/* One line in the making. */
struct craft {
	struct scope *s;
	const struct step *step;
	const struct rung *rung;
	struct rung own; /* a line that had to be changed */
	bool by_psn;     /* its read data is found by a PSN */
	struct packet_set set[CRAFT_SETS];
	size_t nset;
	uint8_t payload[DGRAM_MAX];
	size_t payload_len;
	const struct rec
		*answered;       /* the request that an ACK or NACK answers */
	const struct rec *first; /* "same": the first transmission */
	char *why;
	size_t why_size;
};

/* craft_refuse says why a line cannot be sent.  Return: ERR_VALUE. */
__attribute__((format(printf, 2, 3))) int craft_refuse(struct craft *c,
						       const char *fmt, ...);

bool craft_is_set(struct craft *c, const char *name, bool ses);
uint64_t craft_value(struct craft *c, const char *name, bool ses);

/* craft_put sets a field, whatever the line says. */
void craft_put(struct craft *c, const char *name, bool ses, uint64_t value);

/*
 * craft_cause puts the cause in force into a request, for a device without
 * ses_policy.  Errors: ERR_SUPPORT the device cannot be made to answer so.
 */
int craft_cause(struct craft *c);

/* craft_default gives way to what the line says, and to a packet that has no
 * such field. */
void craft_default(struct craft *c, const char *name, bool ses, uint64_t value);

/*
 * craft_ib_request fills in the PSN of a request, and what "same" repeats: the
 * payload, and the fields |kept|, up to a NULL.
 * Errors: ERR_VALUE this PSN was not sent before.
 */
int craft_ib_request(struct craft *c, const char *const *kept);

/* craft_srd fills in what the line leaves out.  Errors: ERR_VALUE. */
int craft_srd(struct craft *c);

/* craft_srd_head sets path and entropy of the datagram. */
void craft_srd_head(struct craft *c, struct dgram *d);

/* craft_srd_space is the space that a packet of that word speaks of. */
enum psn_space craft_srd_space(const struct craft *c);

/* The same of the WQE extension. */
int craft_wqe(struct craft *c);
enum psn_space craft_wqe_space(const struct craft *c);

#endif
