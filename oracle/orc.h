/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/orc.h -- what an endpoint is made of; for this floor and its tests.
 * pds.h says which file holds what.
 */
#ifndef ORACLE_ORC_H
#define ORACLE_ORC_H

#include "oracle/env.h"
#include "oracle/oracle.h"
#include "oracle/pds.h"
#include "oracle/ses.h"

struct orc {
	const struct orc_api *as; /* first in an endpoint of any family */
	struct env env;
	struct pds pds;
	struct ses ses;
	struct orc_conf made; /* as make was given it: reset goes back to it */
};

/* The endpoints of the families; orc_reference chooses among them. */
extern const struct orc_api orc_uet, orc_srd, orc_wqe;

/* orc_make is orc_api.make of UET with a memory that may refuse. */
int orc_make(struct orc **ret, const struct orc_conf *conf, struct mem mem);

#endif
