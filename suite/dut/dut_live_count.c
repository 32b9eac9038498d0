/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/dut_live_count.c -- counts problems that make observations of a
 * live device unreliable: losses and duplicates in the network, and packets
 * that have not left.
 */
#include "suite/dut/dut_live_count.h"

#include "gen/port/port.h"
#include "gen/port/port_clock.h"
#include "judge/core/copies.h"
#include "suite/dut/chan/chan_program.h"
#include "suite/dut/dut.h"
#include "suite/dut/dut_live_state.h"

#define LEAVE_TIME  (50 * VSPAN_MS)
#define READ_TIME   VSPAN_S /* for what the kernel has already captured */
#define DOUBLE_TIME (20 * VSPAN_MS)

void look_for_doubles(struct dut_live *l, const struct dgram *d, vtime at)
{
	const struct copies_frame f = {.p = d->data,
				       .len = d->len,
				       .sum = crc_sum(d, d->data, d->len),
				       .has_id = d->id_known,
				       .id = d->ip_id,
				       .at = at};
	struct copies_item sight;

	copies_see(&l->copies, &f, &sight);
	if (!sight.equal)
		return;
	if (f.has_id && !sight.same_id) {
		l->dut.counts.repeats++;
		return;
	}
	l->open_frame = f;
	l->open_sight = sight;
	l->open++;
}

static void decide_doubles(struct dut_live *l)
{
	if (l->open && copies_decide(&l->copies, &l->open_frame,
				     &l->open_sight) == COPIES_COPY) {
		l->doubled += l->open;
		l->open = 0;
	}
}

void set_doubt(struct dut_live *l, enum dut_doubt what, uint64_t n)
{
	l->dut.counts.doubt[what] = n - l->doubt_before[what];
}

void count_quickly(struct dut_live *l)
{
	static const struct port none;
	const struct port *p = l->port, *q = l->behind ? l->behind : &none;

	set_doubt(l, DOUBT_OVERSIZE, p->oversize + q->oversize);
	set_doubt(l, DOUBT_TRUNCATED, p->truncated + q->truncated);
	set_doubt(l, DOUBT_DAMAGED, p->damaged + q->damaged);
	set_doubt(l, DOUBT_BACKWARD, p->backward + q->backward);
	set_doubt(l, DOUBT_UNSENT, p->unsent + q->unsent);
	set_doubt(l, DOUBT_HELD, p->held + q->held);
	decide_doubles(l);
	set_doubt(l, DOUBT_DOUBLED, p->doubled + q->doubled + l->doubled);
	set_doubt(l, DOUBT_MERGED, p->merged + q->merged);
	set_doubt(l, DOUBT_TOO_LONG, p->too_long + q->too_long);
	set_doubt(l, DOUBT_UNREACHABLE, p->unreachable + q->unreachable);
	set_doubt(l, DOUBT_DOWNS, p->downs + q->downs);
	l->dut.counts.entropy_lost = p->entropy_lost - l->lost_before;
	l->dut.counts.nic_stamps = p->nic_stamps - l->nic_before;
}

void dut_live_count(struct dut_live *l)
{
	struct dut_counts *c = &l->dut.counts;
	struct port *p = l->port;
	vspan starved;

	set_doubt(l, DOUBT_KERNEL_DROPS,
		  p->ops->drops(p) +
			  (l->behind ? l->behind->ops->drops(l->behind) : 0));
	count_quickly(l);
	l->dut.counts.strays += p->ops->strays(p);
	if (!l->chan)
		return;
	starved = chan_starved(l->chan);
	c->starved += starved;
	c->starved_most = vtime_max(c->starved_most, starved);
	c->stopped |= chan_stopped(l->chan);
}

static uint64_t unseen_by(const struct port *p)
{
	const uint64_t known = p ? p->left + p->unsent + p->too_long : 0;

	if (p && p->sees_left && p->sent > known)
		return p->sent - known;
	return 0;
}

uint64_t dut_live_unseen(const struct dut_live *l)
{
	return unseen_by(l->port) + unseen_by(l->behind);
}

static int throw_away(struct dut_live *l, struct port *p)
{
	vtime at = 0;
	int got = p ? p->ops->recv(p, &l->scratch, &at) : 0;

	if (got > 0 && p == l->port &&
	    ip_addr_equal(&l->scratch.src, &l->dut.peer))
		look_for_doubles(l, &l->scratch, at);
	return got;
}

/*
 * Returns whether to wait: packets of the tester may not have left yet, and
 * duplicates made by the network may not have arrived yet.  A tester that was
 * not scheduled finds many packets at once, and reads them all.
 */
static bool is_to_wait(const struct dut_live *l, vtime began, bool reading)
{
	const vspan waited = port_now() - began;

	if (dut_live_unseen(l) > l->doubt_before[DOUBT_UNSEEN])
		return waited < (reading ? READ_TIME : LEAVE_TIME);
	return l->port->doubled + l->doubled && waited < DOUBLE_TIME;
}

void await_departures(struct dut_live *l)
{
	const int fds[] = {l->port->fd, l->behind ? l->behind->fd : -1};
	const vtime began = port_now();
	size_t ready;
	int got = 0;

	while (got >= 0 && is_to_wait(l, began, got > 0)) {
		got = throw_away(l, l->port);
		if (got == 0)
			got = throw_away(l, l->behind);
		/* No descriptor here signals sockets. */
		if (got == 0)
			port_wait(fds, 2, port_now() + VSPAN_MS, &ready);
	}
}

void dut_live_count_anew(struct dut_live *l)
{
	for (int i = 0; i < DOUBT_COUNT; i++)
		l->doubt_before[i] += l->dut.counts.doubt[i];
	l->lost_before = l->port->entropy_lost;
	l->nic_before = l->port->nic_stamps;
	l->dut.counts = (struct dut_counts){0};
	l->open = 0;
}
