/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/decl/decl_check.c -- checks the numbers of a declaration against each
 * other and against the specification of the families that it claims.
 *
 * decl_row.c holds the range of each single number.
 *
 * Spec: uet.md 1.4, 1.5, 4.2; srd_wqe.md B.4.2
 */
#include "suite/decl/decl_check.h"

#include <inttypes.h>

#include "oracle/oracle.h"
#include "suite/decl/capability.h"
#include "suite/decl/decl_setting.h"

#define MPR_UNIT   128 /* PSNs per unit of the MPR field */
#define ATOMIC_MAX 16  /* bytes of an operand */

static bool decl_is_uet(const struct decl *d)
{
	return decl_claims(d, "rud") || decl_claims(d, "rod") ||
	       decl_claims(d, "rudi") || decl_claims(d, "uud");
}

bool decl_speaks(const struct decl *d, enum family family)
{
	if (family == MAIN_FAMILY)
		return decl_is_uet(d);
	return decl_claims(d, family_name(family));
}

/* "Payload MTU: 1024, 2048, 4096 or 8192 bytes" (3.4.1.11) */
static bool decl_mtu_is_uet(uint32_t mtu)
{
	return mtu == 1024 || mtu == 2048 || mtu == 4096 || mtu == 8192;
}

/* The path MTUs of InfiniBand. */
static bool decl_mtu_is_roce(uint32_t mtu)
{
	return mtu == 256 || mtu == 512 || mtu == 1024 || mtu == 2048 ||
	       mtu == 4096;
}

/* Returns the fault of the MTU as a sentence, or NULL. */
static const char *mtu_fault(const struct decl *d)
{
	if (decl_is_uet(d) && !decl_mtu_is_uet(d->mtu))
		return "the payload MTU of UET is 1024, 2048, 4096 or 8192";
	if (decl_claims(d, "roce") && !decl_mtu_is_roce(d->mtu))
		return "the path MTU of RoCEv2 is 256, 512, 1024, 2048 or 4096";
	if (decl_claims(d, "wqe") && d->mtu % 4)
		return "the MTU of the WQE extension is a multiple of 4";
	return NULL;
}

/*
 * The MPR field counts units of 128 PSNs; since 1.0.3 MP_RANGE may be below
 * 128.
 */
static const char *mp_range_fault(const struct decl *d)
{
	if (d->mp_range < MPR_UNIT && d->uet < UET_1_0_3)
		return "MP_RANGE is below 128 since version 1.0.3 only";
	if (d->mp_range > MPR_UNIT && d->mp_range % MPR_UNIT)
		return "MP_RANGE is a multiple of 128 PSNs, or below";
	return NULL;
}

/* A receiver recognizes a trimmed packet by its codepoint alone. */
static const char *trimmed_fault(const struct decl *d, uint8_t dscp)
{
	if (decl_claims(d, "trim") &&
	    (dscp == d->dscp_data || dscp == d->dscp_control))
		return "a codepoint of packets that no switch trimmed";
	return NULL;
}

/* An R_Key has 32 bits; the key of UET has 64. */
static const char *memory_key_fault(const struct decl *d)
{
	if (d->memory_key <= UINT32_MAX)
		return NULL;
	if (decl_claims(d, "wqe") || decl_claims(d, "roce"))
		return "an R_Key has 32 bits: declare it as 'id rkey'";
	return NULL;
}

/*
 * A device may refuse an atomic that is not aligned (uet.md 5.8,
 * amo_unaligned); the largest operand, COMPLEX_DOUBLE, has 16 bytes.
 */
static const char *memory_offset_fault(const struct decl *d)
{
	if (decl_claims(d, "atomic") && d->memory_offset % ATOMIC_MAX)
		return "atomics need memory that begins at a multiple of 16";
	if (d->memory_len > UINT64_MAX - d->memory_offset)
		return "the memory goes beyond the last offset of 64 bits";
	return NULL;
}

/* "RTO_Init_Time * 2^n", up to a maximum (3.5.15) */
static const char *rto_max_fault(const struct decl *d)
{
	if (d->rto_max.value < d->rto.value)
		return "the RTO does not double beyond this: 'timer rto' is "
		       "at most as long";
	return NULL;
}

/* The ACKs of a device with credit have cc_type CREDIT (uet.md 3.5). */
static const char *nscc_fault(const struct decl *d)
{
	uint64_t cc;

	if (decl_claims(d, "nscc") && decl_setting_find(d, SETTING_cc, &cc) &&
	    cc == ORC_CC_CREDIT)
		return "with 'setting cc=1' ACKs grant credit and have no NSCC "
		       "state: do not claim 'nscc'";
	return NULL;
}

static int decl_fault(const char *row, const char *fault,
		      const struct decl_place *places, const char *file,
		      struct diag *diag)
{
	const struct decl_place *p = &places[decl_row_index(row)];

	if (!fault)
		return 0;
	return diag_set(diag, file, p->line, p->col, p->source, "%s", fault);
}

/*
 * A source sends while the bytes in flight and an MTU are at most cwnd (uet.md
 * 8.5).  The headers of a request count.
 */
#define HEADERS_MAX 192

static void decl_check_cwnd(struct decl *d, bool own_in_flight)
{
	uint64_t cwnd;

	if (own_in_flight || !decl_setting_find(d, SETTING_cwnd, &cwnd) ||
	    !cwnd)
		return;
	d->in_flight = 1;
	if (cwnd > d->mtu)
		d->in_flight +=
			(uint32_t)((cwnd - d->mtu) / (d->mtu + HEADERS_MAX));
	if (d->in_flight > DECL_IN_FLIGHT_MAX)
		d->in_flight = DECL_IN_FLIGHT_MAX;
}

int decl_check(struct decl *d, const struct decl_place *places,
	       const char *file, struct diag *diag)
{
	const bool own_rkey = places[decl_row_index("rkey")].line;
	const char *nscc = nscc_fault(d);
	const struct {
		const char *row, *fault;
	} checks[] = {
		{"mtu", mtu_fault(d)},
		{"mp_range", mp_range_fault(d)},
		{"trimmed", trimmed_fault(d, d->dscp_trimmed)},
		{"trimmed_lasthop", trimmed_fault(d, d->dscp_trimmed_lasthop)},
		{"memory_key", own_rkey ? NULL : memory_key_fault(d)},
		{"memory_offset", memory_offset_fault(d)},
		{"rto_max", rto_max_fault(d)},
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(checks) / sizeof(checks[0]); i++)
		err = decl_fault(checks[i].row, checks[i].fault, places, file,
				 diag);
	if (!err && nscc)
		err = diag_set(diag, file, 0, 0, NULL, "%s", nscc);
	decl_check_cwnd(d, places[decl_row_index("in_flight")].line);
	if (!own_rkey)
		d->rkey = (uint32_t)d->memory_key;
	return err;
}
