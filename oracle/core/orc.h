/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/core/orc.h -- the parts of a UET endpoint; for this floor and its
 * tests.  pds.h lists the files.
 */
#ifndef ORACLE_CORE_ORC_H
#define ORACLE_CORE_ORC_H

#include "oracle/core/env.h"
#include "oracle/core/family.h"
#include "oracle/oracle.h"
#include "oracle/uet/pds/pds_state.h"
#include "oracle/uet/ses/ses.h"

struct orc {
	struct env env;
	struct pds pds;
	struct ses ses;
	struct pds_ses up; /* |ses|, as |pds| calls it */
};

#endif
