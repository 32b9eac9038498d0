/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle/uet/cc/nscc.c -- NSCC: a source moves its window by delay and ECN.
 *
 * Spec: UET 3.6.13 (uet.md 8.5); README.md lists the constants
 */
#include "oracle/uet/cc/nscc.h"

#include "oracle/uet/cc/cc_conf.h"

/* The constants are meant for this rate and RTT, and scaled to others. */
#define REFERENCE_RTT   (12 * VSPAN_US)
#define REFERENCE_BYTES 150000 /* 100 Gbit/s x 12 us */

/* A delay beyond so many base RTTs does not count by nscc_delay_gain. */
#define FAR_RTTS  5
#define GAIN_UNIT 10000

static vspan nscc_target(const struct orc_conf *conf)
{
	return conf->base_rtt * conf->nscc_target / 100;
}

static uint32_t max_window(const struct nscc *n, const struct orc_conf *conf)
{
	const uint64_t bytes = (uint64_t)cc_conf_bytes(conf, n->base_rtt) *
			       conf->nscc_max_window / 100;

	if (bytes < n->packet)
		return n->packet;
	return bytes < INT32_MAX ? (uint32_t)bytes : INT32_MAX;
}

/* Returns |v| scaled by the bytes in flight of this network: scaling_a. */
static uint64_t scaled(const struct orc_conf *conf, uint64_t v)
{
	return v * cc_conf_bytes(conf, conf->base_rtt) / REFERENCE_BYTES;
}

static uint32_t nscc_bounded(const struct nscc *n, const struct orc_conf *conf,
			     uint64_t window)
{
	const uint32_t max = max_window(n, conf);

	if (window < n->packet)
		return n->packet;
	return window < max ? (uint32_t)window : max;
}

uint32_t nscc_start(struct nscc *n, const struct orc_conf *conf,
		    uint32_t packet)
{
	*n = (struct nscc){.base_rtt = conf->base_rtt, .packet = packet};
	return max_window(n, conf);
}

/* ---- Delay ---- */

static void average(struct nscc *n, const struct orc_conf *conf, vspan delay)
{
	const vspan gain = conf->nscc_delay_gain;

	n->avg_delay += (delay - n->avg_delay) * gain / GAIN_UNIT;
}

/*
 * Returns the queueing delay of an ACK, and includes it in the average.  A high
 * delay without a mark is on one path of many: it counts as a low one.
 */
static vspan take_delay(struct nscc *n, const struct orc_conf *conf,
			const struct nscc_ack *ack)
{
	vspan delay;

	if (ack->rtt == NSCC_NO_RTT)
		return n->avg_delay;
	if (ack->rtt < n->base_rtt)
		n->base_rtt = ack->rtt > 0 ? ack->rtt : 1;
	delay = ack->rtt - n->base_rtt;
	if (delay < 0)
		delay = 0;
	if (!ack->ce && delay > nscc_target(conf))
		average(n, conf, n->base_rtt / 4);
	else
		average(n, conf, vtime_min(delay, FAR_RTTS * n->base_rtt));
	return delay;
}

/* ---- Quick adapt ---- */

/*
 * Sets the window to what arrived in the last round trip, if that was wanted
 * and is far below the largest window.  The ACKs of packets that were in flight
 * then change nothing more if they are marked.
 *
 * Return: true if this ACK or loss has no other effect.
 */
static bool quick_adapt(struct nscc *n, const struct orc_conf *conf,
			uint32_t *window, vtime now, uint32_t inflight,
			bool marked, vspan delay)
{
	const vspan limit = nscc_target(conf) * conf->nscc_qa_delay / 100;
	bool done = false;

	if (marked && n->ignored < n->to_ignore) {
		done = true;
	} else if (now > n->qa_at) {
		if (n->qa_set && (n->qa_wanted || delay > limit) &&
		    n->achieved < max_window(n, conf) >> conf->nscc_qa_gate) {
			*window = nscc_bounded(n, conf, n->achieved);
			n->to_ignore = inflight;
			n->ignored = 0;
			n->qa_wanted = false;
			done = true;
		}
		n->achieved = 0;
		n->qa_set = true;
		n->qa_at = now + n->base_rtt + nscc_target(conf);
	}
	if (done) {
		n->inc = 0;
		n->pending = 0;
	}
	return done;
}

/* ---- The four quadrants ---- */

/*
 * Return: true if the whole last window came without delay, so that the window
 * grows fast.
 */
static bool fast_increase(struct nscc *n, const struct orc_conf *conf,
			  uint32_t *window, const struct nscc_ack *ack,
			  vspan delay)
{
	if (delay >= conf->nscc_fast_delay) {
		n->undelayed = 0;
		n->fast = false;
		return false;
	}
	n->undelayed += ack->bytes;
	if (n->undelayed <= *window && !n->fast)
		return false;
	n->fast = true;
	*window = nscc_bounded(
		n, conf,
		*window + scaled(conf, (uint64_t)ack->bytes * conf->nscc_fast) /
				  100);
	return true;
}

/*
 * A window's worth of ACKs adds alpha x packet x (target - delay) /
 * REFERENCE_RTT.
 */
static void proportional_increase(struct nscc *n, const struct orc_conf *conf,
				  const struct nscc_ack *ack, vspan delay)
{
	const uint64_t below = (uint64_t)(nscc_target(conf) - delay);
	const uint64_t packet =
		scaled(conf, (uint64_t)n->packet * conf->nscc_alpha) / 100;

	n->inc += packet * below / REFERENCE_RTT * ack->bytes;
}

/* A window's worth of ACKs adds nscc_fair packets. */
static void fair_increase(struct nscc *n, const struct orc_conf *conf,
			  const struct nscc_ack *ack)
{
	n->inc += scaled(conf, (uint64_t)n->packet * conf->nscc_fair) / 100 *
		  ack->bytes;
}

static void multiplicative_decrease(struct nscc *n, const struct orc_conf *conf,
				    uint32_t *window, vtime now)
{
	const vspan target = nscc_target(conf);
	uint64_t part;

	n->fast = false;
	n->undelayed = 0;
	if (n->avg_delay <= target || now - n->decreased_at <= n->base_rtt)
		return;
	/* hundredths of a hundredth */
	part = (uint64_t)conf->nscc_gamma * 100 *
	       (uint64_t)(n->avg_delay - target) / (uint64_t)n->avg_delay;
	if (part > conf->nscc_max_decrease * 100u)
		part = conf->nscc_max_decrease * 100u;
	*window = nscc_bounded(n, conf, *window - *window * part / 10000);
	n->decreased_at = now;
}

/* Adds what was collected, and |eta| once in a round trip. */
static uint32_t adjust(struct nscc *n, const struct orc_conf *conf,
		       uint32_t window, vtime now)
{
	uint64_t grown;

	if (n->pending <= conf->nscc_adjust * n->packet &&
	    now - n->adjusted_at <= conf->base_rtt)
		return window;
	grown = window + n->inc / window;
	if (now - n->adjusted_at >= conf->base_rtt) {
		grown += scaled(conf, (uint64_t)n->packet * conf->nscc_eta) /
			 100;
		n->adjusted_at = now;
	}
	n->inc = 0;
	n->pending = 0;
	return nscc_bounded(n, conf, grown);
}

uint32_t nscc_acked(struct nscc *n, const struct orc_conf *conf,
		    uint32_t window, const struct nscc_ack *ack)
{
	const vspan delay = take_delay(n, conf, ack);
	const vspan target = nscc_target(conf);

	n->achieved += ack->bytes;
	n->ignored += ack->bytes;
	n->pending += ack->bytes;
	if (quick_adapt(n, conf, &window, ack->now, ack->inflight, ack->ce,
			delay))
		return window;
	if (!ack->ce && delay >= target) {
		fair_increase(n, conf, ack);
	} else if (!ack->ce) {
		if (!fast_increase(n, conf, &window, ack, delay))
			proportional_increase(n, conf, ack, delay);
	} else if (delay >= target) {
		multiplicative_decrease(n, conf, &window, ack->now);
	}
	return adjust(n, conf, nscc_bounded(n, conf, window), ack->now);
}

uint32_t nscc_lost(struct nscc *n, const struct orc_conf *conf, uint32_t window,
		   vtime now, uint32_t bytes, uint32_t inflight, bool quick)
{
	n->ignored += bytes;
	n->fast = false;
	n->undelayed = 0;
	if (quick) {
		average(n, conf, conf->base_rtt);
		n->qa_wanted = true;
		if (quick_adapt(n, conf, &window, now, inflight, true, 0))
			return window;
	}
	return nscc_bounded(n, conf, window > bytes ? window - bytes : 0);
}
