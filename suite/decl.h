/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl.h -- what a device under test declares of itself.
 *
 * A text file of "key value" lines, docs/declaration.md.  It selects the cases,
 * sets the limits of time, and gives the ids that the device accepts.
 */
#ifndef SUITE_DECL_H
#define SUITE_DECL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/vtime.h"
#include "judge/req.h"
#include "wire/icrc.h"
#include "wire/uet_pds.h"

/* A declared time: the value and how far from it is still right. */
struct decl_time {
	vspan value, tolerance;
};

/* field=value that a request must carry to provoke an answer. */
struct decl_field {
	const char *field; /* SES field name */
	uint64_t value;
	struct decl_field *next;
};

/* Which packets of a message carry a cause, and are answered so. */
enum cause_packets {
	CAUSE_ALL,
	CAUSE_FIRST,
	CAUSE_SINGLE, /* only messages of one packet do */
};

/* What makes a device give a certain answer by nature. */
struct decl_cause {
	const struct decl_field *fields; /* NULL: no cause is declared */
	uint64_t codes; /* bit i: the answer may have return code i */
	enum cause_packets packets;
};

/* decl_cause_packets is the word of a declaration for it. */
const char *decl_cause_packets(enum cause_packets p);

struct deviation;

struct decl {
	struct arena arena;
	const char *name;     /* of the device */
	const char *version;  /* "1.0.1" of UET, */
	enum uet_version uet; /* the same */
	const char *const
		*claims; /* "rud", "read", "write", "response.gtd", ... */
	size_t nclaims;

	/* ids that the device accepts */
	uint32_t job_id;
	uint16_t pid_on_fep, resource_index;
	uint8_t ri_generation;
	uint32_t initiator;
	uint64_t memory_key, memory_offset;
	uint32_t memory_len;
	uint32_t max_message; /* bytes */

	/* sizes */
	uint32_t mtu;
	uint32_t max_ack_data; /* Max_ACK_Data_Size */
	uint32_t mp_range;     /* PSNs */
	bool crc, crc_be;
	enum icrc_mode icrc; /* of the families that always have one */
	/* codepoints, which are configuration (uet.md 1.4) */
	uint8_t dscp_data, dscp_control, dscp_trimmed, dscp_trimmed_lasthop;
	uint16_t udp_port;

	/* SRD: what the tester's own QP is called, and the Q_Key of all */
	uint32_t srd_qpn, srd_qkey;
	struct decl_time unresponsive; /* T_unresp */
	uint32_t wqe_qpn;              /* WQE extension: the tester's QP */

	/* timers */
	struct decl_time rto;       /* RTO_Init_Time */
	struct decl_time nack_time; /* NACK_Retx_Time */
	struct decl_time ack_time;  /* an answer that is due at once */
	struct decl_time
		clear_time; /* PDS_Clear_Time: a clear that was asked for */
	unsigned max_rto_retx, max_nack_retx;

	/* natural causes: what makes the device give such an answer unasked */
	struct decl_cause gtd_cause, error_cause;

	/* What is known to be wrong with it, in the order of the file. */
	const struct deviation *deviations;
};

/*
 * decl_parse reads a declaration.  Every key has a default but "name".
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 * Owner:  the caller frees *ret with decl_free.
 */
int decl_parse(struct decl **ret, const char *path, const char *text,
	       size_t len, struct diag *diag);
void decl_free(struct decl *d);

/* decl_print writes a declaration that decl_parse reads back as the same. */
void decl_print(struct text *t, const struct decl *d);

/* decl_claims says whether the device claims a capability. */
bool decl_claims(const struct decl *d, const char *capability);

/*
 * decl_promises says whether the monitors may judge the device by a row: not by
 * one that it has to claim and does not.
 */
bool decl_promises(const struct decl *d, enum req_id id);

/* Every word that "claims" and "needs" know; ends with a NULL word. */
struct capability {
	const char *word;
	const char *text; /* what the device can do, a sentence */
};
extern const struct capability decl_capabilities[];

/*
 * decl_derived says whether a capability is none to be claimed: "mtu.1024"
 * follows from the MTU.
 */
bool decl_derived(const char *word);

/* decl_capability says whether such a word exists at all (for "needs"). */
bool decl_capability(const char *word, size_t len);

/* decl_reference is the text of the reference endpoint's own declaration. */
extern const char decl_reference[];

#endif
