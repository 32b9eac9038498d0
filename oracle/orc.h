/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/orc.h -- what an endpoint of UET is made of; for this floor and its
 * tests.  pds.h says which file holds what.
 */
#ifndef ORACLE_ORC_H
#define ORACLE_ORC_H

#include "oracle/env.h"
#include "oracle/family.h"
#include "oracle/oracle.h"
#include "oracle/pds.h"
#include "oracle/ses.h"

struct orc {
	struct env env;
	struct pds pds;
	struct ses ses;
};

#endif
