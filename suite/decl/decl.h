/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl.h -- the declaration of a device under test: a text file of
 * "key value" lines (docs/declaration.md).  It selects the cases, sets the time
 * limits, and gives the ids that the device accepts.
 */
#ifndef SUITE_DECL_DECL_H
#define SUITE_DECL_DECL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/vtime.h"
#include "judge/req.h"
#include "wire/ib/icrc.h"
#include "wire/uet/uet_pds.h"

/* A declared time: the value, and the largest deviation that is still right. */
struct decl_time {
	vspan value, tolerance;
};

/* field=value that a request must carry to provoke an answer. */
struct decl_field {
	const char *field; /* SES field name */
	uint64_t value;
	struct decl_field *next;
};

/* Which packets of a message carry the cause, and so get the answer. */
enum cause_packets {
	CAUSE_ALL,
	CAUSE_FIRST,
	CAUSE_ANY, /* as CAUSE_FIRST, and any one packet may carry it instead */
	CAUSE_SINGLE, /* only messages of one packet carry it */
};

/* A field value on which a device always gives a certain answer. */
struct decl_cause {
	const struct decl_field *fields; /* NULL: no cause is declared */
	uint64_t codes; /* bit i: the answer may have return code i */
	enum cause_packets packets;
};

/* decl_cause_packets returns the declaration's word for |packets|. */
const char *decl_cause_packets(enum cause_packets p);

struct decl_setting;
struct profile;
struct deviation;

/* The default of "size in_flight": the largest MP_RANGE. */
#define DECL_IN_FLIGHT_MAX 32640
/* The greatest retransmissions of a packet that a declaration may state. */
#define DECL_RTO_RETX_MAX  15
#define DECL_NACK_RETX_MAX 31

struct decl {
	struct arena arena;
	const char *name;     /* of the device */
	const char *release;  /* of its hardware or software; or NULL */
	const char *version;  /* version of UET such as "1.0.1" */
	enum uet_version uet; /* |version| as an enum */
	const struct profile *profile; /* of UET; NULL: none is declared */
	const char *const
		*claims; /* "rud", "read", "write", "response.gtd", ... */
	size_t nclaims;

	/* the ids that the device accepts */
	uint32_t job_id;
	uint16_t pid_on_fep, resource_index;
	uint8_t ri_generation;
	uint32_t initiator;
	uint64_t memory_key, memory_offset;
	/* it always has receives for tagged sends with this tag and the next */
	uint64_t tag;
	uint32_t rkey; /* default: memory_key; for the families with an R_Key */
	uint32_t memory_len;
	uint32_t max_message; /* bytes */

	/* sizes */
	uint32_t mtu;
	uint32_t max_ack_data; /* Max_ACK_Data_Size */
	uint32_t mp_range;     /* PSNs */
	uint32_t in_flight;    /* requests without an ACK, at most */
	uint32_t stored;       /* guaranteed responses, kept at once */
	uint32_t eager;        /* bytes of a rendezvous in its request */
	bool crc, crc_be;
	enum icrc_mode icrc; /* for the families that always have an ICRC */
	/* codepoints, which are configuration (uet.md 1.4) */
	uint8_t dscp_data, dscp_control, dscp_trimmed, dscp_trimmed_lasthop;
	uint8_t dscp_bulk; /* of RUDI and UUD in bulk; 0: dscp_data */
	uint16_t udp_port;

	/* SRD: the number of the tester's QP, and the Q_Key of both sides */
	uint32_t srd_qpn, srd_qkey;
	struct decl_time unresponsive; /* T_unresp */
	uint32_t wqe_qpn;              /* WQE extension: the tester's QP */
	uint32_t wqe_ooo;   /* incomplete WQEs that a receiver tracks at once */
	uint32_t wqe_cache; /* bytes that it caches for each QP */

	/* timers */
	struct decl_time rto;        /* RTO_Init_Time */
	struct decl_time rto_max;    /* UET: the RTO doubles up to this */
	struct decl_time nack_time;  /* NACK_Retx_Time */
	struct decl_time ack_time;   /* an answer that is due at once */
	struct decl_time clear_time; /* PDS_Clear_Time: until a requested clear
					is sent */
	/* UET: an initiator closes a PDC that is idle so long; 0: it stays open
	 */
	struct decl_time close_idle;
	/* UET: until a source leaves a path that loses everything; 0: never */
	struct decl_time path_time;
	/* UET: of the SES for a request with |delay_cause|, and until the
	 * receive is posted for one with |defer_cause|; 0: any time, as
	 * ses_policy says */
	struct decl_time ses_time;
	unsigned max_rto_retx, max_nack_retx;

	/*
	 * causes: the fields on which the device gives a guaranteed or an error
	 * response
	 */
	struct decl_cause gtd_cause, error_cause;
	/* the fields on which its answer is right, and late */
	struct decl_cause delay_cause;
	/* the fields of a deferrable send whose receive is posted late */
	struct decl_cause defer_cause;

	/* Bit i: the text gave row i of decl_rows; see decl_given. */
	uint64_t given;

	struct decl_setting *settings; /* in the order of the file */

	/* Known deviations, in the order of the file. */
	const struct deviation *deviations;
};

void decl_free(struct decl *d);

/*
 * decl_given returns true if the text of a declaration gave the number or the
 * time |name| ("mtu", "rto"), and false if it has its default value.
 */
bool decl_given(const struct decl *d, const char *name);

/* decl_icrc_name returns the word of a declaration for a mode. */
const char *decl_icrc_name(enum icrc_mode mode);

/*
 * decl_rto_total returns how long a source retransmits a packet that is never
 * acknowledged: the RTO doubles with each of max_rto_retx retransmissions, up
 * to rto_max, and their tolerances add up (uet.md 8-1).
 */
struct decl_time decl_rto_total(const struct decl *d);

/*
 * decl_ses_time returns how long the SES takes for a request with
 * |delay_cause|.  Without a declared time it is 4 RTO and 2 ack_time, which
 * "ses_policy" asks for.
 */
struct decl_time decl_ses_time(const struct decl *d);

/*
 * Returns T_miss of a WQE receiver in nanoseconds: "setting wqe_miss", which
 * may be 0, or without it ack_time (srd_wqe.md B.7).
 */
vspan decl_wqe_miss(const struct decl *d);

/*
 * Returns T_tail of a WQE receiver in nanoseconds: "setting wqe_tail", or
 * without it 8 RTO and an ack_time (srd_wqe.md B.7).
 */
vspan decl_wqe_tail(const struct decl *d);

/* decl_reference is the declaration of the reference endpoint, as text. */
extern const char decl_reference[];

#endif
