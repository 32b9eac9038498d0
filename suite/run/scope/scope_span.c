/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/run/scope/scope_span.c -- the spans of a case in nanoseconds, with
 * their tolerances.
 */
#include "suite/run/scope/scope_span.h"

#include "oracle/oracle.h"
#include "suite/decl/decl_setting.h"
#include "suite/run/scope/scope_state.h"

/*
 * Returns the time of a "setting" line.  Without that line it is |rtos| RTO,
 * which the case configures.
 */
static struct decl_time setting_time(const struct decl *d,
				     enum orc_setting setting, unsigned rtos)
{
	uint64_t v;

	if (!decl_setting_find(d, setting, &v) || !v)
		v = rtos * (uint64_t)d->rto.value;
	return (struct decl_time){(vspan)v, d->rto.tolerance};
}

static struct decl_time idle_time(const struct decl *d)
{
	if (d->close_idle.value)
		return d->close_idle;
	return (struct decl_time){2 * d->rto.value + d->ack_time.value,
				  d->rto.tolerance};
}

static struct decl_time timer_of(const struct decl *d, enum span_unit unit)
{
	switch (unit) {
	case SPAN_RTO:
		return d->rto;
	case SPAN_NACK_TIME:
		return d->nack_time;
	case SPAN_ACK_TIME:
		return d->ack_time;
	case SPAN_CLEAR_TIME:
		return d->clear_time;
	case SPAN_RTO_TOTAL:
		return decl_rto_total(d);
	case SPAN_UNRESPONSIVE:
		return d->unresponsive;
	case SPAN_PATH_TIME:
		return d->path_time;
	case SPAN_MISS_TIME:
		return (struct decl_time){decl_wqe_miss(d),
					  d->ack_time.tolerance};
	case SPAN_TAIL_TIME:
		return (struct decl_time){decl_wqe_tail(d),
					  d->ack_time.tolerance};
	case SPAN_CLOSE_IDLE:
		return idle_time(d);
	case SPAN_CLOSE_REQ:
		return setting_time(d, SETTING_close_req_time, 8);
	case SPAN_SYN_SAFETY:
		return setting_time(d, SETTING_syn_retx_safety, 4);
	case SPAN_SES_TIME:
		return decl_ses_time(d);
	case SPAN_NS:
		break;
	}
	return (struct decl_time){0, d->ack_time.tolerance};
}

static vspan times(vspan one, uint32_t milli)
{
	return one / 1000 * milli + one % 1000 * milli / 1000;
}

vspan scope_span(const struct scope *s, const struct span *span,
		 vspan *ret_tolerance)
{
	return span_of(s->decl, span, ret_tolerance);
}

vspan span_of(const struct decl *decl, const struct span *span,
	      vspan *ret_tolerance)
{
	const struct decl_time one = timer_of(decl, span->unit);
	struct decl_time more = {0};

	if (span->plus_milli)
		more = timer_of(decl, span->plus);
	if (ret_tolerance)
		*ret_tolerance = one.tolerance + more.tolerance;
	if (span->unit == SPAN_NS)
		return span->ns + times(more.value, span->plus_milli);
	return times(one.value, span->milli) +
	       times(more.value, span->plus_milli);
}

vspan span_sure(const struct decl *decl, const struct span *span)
{
	vspan tolerance, value = span_of(decl, span, &tolerance);

	if (span->unit == SPAN_NS)
		return value;
	return value + tolerance;
}

/* A span without a declared timer has the tolerance of clocks, a fifth. */
vspan scope_span_early(const struct scope *s, const struct span *span)
{
	vspan tolerance, value = scope_span(s, span, &tolerance);

	if (span->unit == SPAN_NS && tolerance > value / 5)
		tolerance = value / 5;
	if (value > tolerance)
		return value - tolerance;
	return 0;
}

/* A round trip may take as long as any answer. */
vspan scope_span_late(const struct scope *s, const struct span *span,
		      vspan *ret_tolerance)
{
	const vspan value = scope_span(s, span, ret_tolerance);
	const vspan least = s->decl->ack_time.value;

	if (span->unit == SPAN_NS || value + *ret_tolerance >= least)
		return value;
	return least - *ret_tolerance;
}
