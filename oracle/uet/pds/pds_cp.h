/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/pds/pds_cp.h -- control packets on request.
 */
#ifndef ORACLE_UET_PDS_PDS_CP_H
#define ORACLE_UET_PDS_PDS_CP_H

#include <stdbool.h>

#include "oracle/uet/pds/pds_state.h"

/*
 * pds_send_cp sends a control packet on request.  As a source it
 * uses a PDC that this endpoint made to |peer|, or one that the peer made if
 * there is no other; NOOP and Negotiation open one.
 *
 * Errors:
 * - ERR_STATE there is no PDC for it
 * - ERR_VALUE
 * - ERR_SPACE
 * - ERR_NOMEM
 * - ERR_SUPPORT it is not sent on request
 */
int pds_send_cp(struct pds *pds, const struct ip_addr *peer, bool rod,
		const struct op_cp *cp);

#endif
