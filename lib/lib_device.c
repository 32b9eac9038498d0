/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib/lib_device.c -- a device of callbacks (rung.h) as the runner's device.
 *
 * The link has no delay: a datagram of the tester reaches the device at once,
 * and what the device sends reaches the tester at once.  Time advances only
 * while the runner waits, to the device's deadline or to the end of the wait.
 */
#include "lib/lib_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/dut/ctl/ctl_parse.h"
#include "suite/dut/ctl/ctl_print.h"

#define LIB_TESTER 0x0a000001u /* 10.0.0.1 */
#define LIB_DEVICE 0x0a000002u

/* Steps without time passing after which a device counts as looping. */
#define LIB_STEPS_MAX 10000

struct lib_device {
	struct dut dut;
	const struct rung_device *device;
	enum family family;
	vtime now;
	unsigned steps; /* since time advanced */
	struct ctl_ans answer;
	bool answered;
	char line[CTL_LINE_MAX];
};

static struct lib_device *lib_self(struct dut *d)
{
	return (struct lib_device *)d;
}

static vtime lib_now(struct dut *d)
{
	return lib_self(d)->now;
}

static int lib_send(struct dut *d, struct dgram *dg)
{
	struct lib_device *l = lib_self(d);
	const struct rung_ip ip = {dg->entropy, dg->dscp, dg->ecn};

	l->device->receive(l->device->arg, dg->data, dg->len, &ip,
			   (uint64_t)l->now);
	return 0;
}

static int lib_control(struct dut *d, const struct ctl_req *req)
{
	struct lib_device *l = lib_self(d);
	struct text t = {0};
	struct diag diag = {0};
	struct orc_event ev;
	enum ctl_kind kind;

	ctl_req_print(&t, req);
	if (text_err(&t)) {
		text_free(&t);
		return ERR_NOMEM;
	}
	l->line[0] = 0;
	l->device->control(l->device->arg, text_cstr(&t), l->line,
			   sizeof(l->line), (uint64_t)l->now);
	text_free(&t);
	memset(&l->answer, 0, sizeof(l->answer));
	if (ctl_parse_reply(&kind, &l->answer, &ev, l->line, strlen(l->line),
			    &diag) ||
	    kind != CTL_ANSWER) {
		l->answer = (struct ctl_ans){.id = req->id};
		snprintf(l->answer.error, sizeof(l->answer.error), "%.90s",
			 diag.text);
	}
	l->answered = true;
	return 0;
}

/* Return: whether the device reports an event that this version knows. */
static bool lib_event(struct lib_device *l, struct dut_event *ret)
{
	struct diag diag = {0};
	enum ctl_kind kind;
	size_t len;

	if (!l->device->event)
		return false;
	len = l->device->event(l->device->arg, l->line, sizeof(l->line),
			       (uint64_t)l->now);
	if (!len)
		return false;
	ret->kind = DUT_EVENT;
	if (ctl_parse_reply(&kind, &ret->ans, &ret->ev, l->line, len, &diag) ||
	    kind != CTL_EVENT) {
		ret->kind = DUT_GARBAGE;
		snprintf(ret->text, sizeof(ret->text), "%.*s",
			 (int)(len < 255 ? len : 255), l->line);
	}
	return true;
}

static bool lib_transmit(struct lib_device *l, struct dut_event *ret)
{
	struct dgram *d = &ret->d;
	struct rung_ip ip = {0, 0, 0};

	dgram_plain(d);
	d->len = l->device->transmit(l->device->arg, d->data, DGRAM_MAX, &ip,
				     (uint64_t)l->now);
	if (!d->len)
		return false;
	if (d->len > DGRAM_MAX)
		d->len = DGRAM_MAX;
	d->src = l->dut.peer;
	d->dst = l->dut.tester;
	d->family = (uint8_t)l->family;
	d->entropy = ip.entropy;
	d->dscp = ip.dscp & 63;
	d->ecn = ip.ecn & 3;
	d->native = 0;
	d->crc = DGRAM_CRC_NONE;
	ret->kind = DUT_DGRAM;
	return true;
}

static int lib_next(struct dut *d, vtime until, struct dut_event *ret)
{
	struct lib_device *l = lib_self(d);

	for (;;) {
		vtime due = VTIME_NEVER;

		ret->at = l->now;
		if (l->steps++ > LIB_STEPS_MAX) {
			ret->kind = DUT_GONE;
			snprintf(ret->text, sizeof(ret->text),
				 "the device loops: %d steps without time "
				 "passing",
				 LIB_STEPS_MAX);
			return 0;
		}
		if (l->answered) {
			l->answered = false;
			ret->kind = DUT_ANSWER;
			ret->ans = l->answer;
			return 0;
		}
		if (lib_event(l, ret) || lib_transmit(l, ret))
			return 0;
		if (l->device->deadline) {
			const uint64_t at = l->device->deadline(l->device->arg);

			if (at < (uint64_t)VTIME_NEVER)
				due = vtime_max((vtime)at, l->now);
		}
		if (due > until) {
			if (until > l->now)
				l->steps = 0;
			l->now = vtime_max(l->now, until);
			ret->kind = DUT_TIMEOUT;
			ret->at = l->now;
			return 0;
		}
		if (due > l->now)
			l->steps = 0;
		l->now = due;
		l->device->tick(l->device->arg, (uint64_t)l->now);
	}
}

static void lib_tally(struct dut *d)
{
	(void)d;
}

static int lib_begin(struct dut *d, uint64_t seed)
{
	struct lib_device *l = lib_self(d);

	l->now = 0;
	l->steps = 0;
	l->answered = false;
	d->link = d->declared;
	d->counts = (struct dut_counts){0};
	l->device->reset(l->device->arg, seed);
	return 0;
}

static void lib_free(struct dut *d)
{
	free(lib_self(d));
}

static const struct dut_ops lib_ops = {
	.now = lib_now,
	.send = lib_send,
	.control = lib_control,
	.next = lib_next,
	.tally = lib_tally,
	.begin = lib_begin,
	.free = lib_free,
};

int lib_device_new(struct dut **ret, const struct rung_device *device,
		   enum family family)
{
	static const struct ctl_req hello = {
		.id = 1, .verb = CTL_HELLO, .name = "hello", .version = 0};
	struct lib_device *l = memory_calloc(1, sizeof(*l));

	if (!l)
		return ERR_NOMEM;
	l->device = device;
	l->family = family;
	l->dut.ops = &lib_ops;
	l->dut.tester = ip_addr_v4(LIB_TESTER);
	l->dut.peer = ip_addr_v4(LIB_DEVICE);
	l->dut.virtual = true;
	l->dut.control = device->control;
	if (device->control) {
		if (lib_control(&l->dut, &hello)) {
			free(l);
			return ERR_NOMEM;
		}
		l->answered = false;
		memcpy(l->dut.verbs, l->answer.verbs, sizeof(l->dut.verbs));
	}
	*ret = &l->dut;
	return 0;
}
