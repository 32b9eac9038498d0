/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/ctl/ctl_serve.h -- carries out a control request on an endpoint.
 */
#ifndef SUITE_DUT_CTL_CTL_SERVE_H
#define SUITE_DUT_CTL_CTL_SERVE_H

#include "oracle/oracle.h"
#include "suite/dut/ctl/ctl.h"

struct orc;

/*
 * ctl_serve carries out a request on an endpoint, as "rung serve" and the
 * virtual DUT do; |ret| is the answer.
 */
void ctl_serve(const struct orc_api *api, struct orc *o,
	       const struct ctl_req *req, vtime now, struct ctl_ans *ret);

#endif
