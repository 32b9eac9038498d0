/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_live_state.h -- the state of a live device.
 */
#ifndef SUITE_DUT_DUT_LIVE_STATE_H
#define SUITE_DUT_DUT_LIVE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vtime.h"
#include "gen/port/port.h"
#include "judge/core/copies.h"
#include "suite/dut/chan/chan_why.h"
#include "suite/dut/ctl/ctl.h"
#include "suite/dut/dut.h"
#include "wire/frame/foreign.h"

struct chan;
struct trigger;

struct dut_live {
	struct dut dut;
	struct port *port;
	struct port *behind; /* to the other endpoint; NULL: none */
	struct ip_addr face,
		other;     /* rung's address there, and the other endpoint's */
	struct chan *chan; /* NULL: none, or it has closed */
	struct trigger *trigger; /* NULL: none */
	struct foreign foreign;  /* sizes of the device's headers */
	vspan patience;
	vtime last;  /* the latest time reported */
	uint64_t id; /* id of rung's last own request */
	unsigned in_a_row;
	uint64_t doubt_before[DOUBT_COUNT], lost_before,
		nic_before; /* the counts at begin */
	struct text line;
	struct ctl_req req; /* for hello and reset */
	struct dgram scratch;
	struct dut_event ev; /* for answers to rung's own requests */
	char why[CHAN_WHY];
	struct copies copies; /* copies in what the device sent */
	struct copies_frame open_frame;
	struct copies_item open_sight;
	uint64_t open,
		doubled; /* frames that may be duplicates, and those that are */
};

#endif
