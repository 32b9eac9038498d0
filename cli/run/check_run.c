/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/check_run.c -- runs the workers that judge a capture, and merges
 * their findings into one order.
 */
#include "cli/run/check_run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hot.h"
#include "base/memory.h"
#include "cli/capture/shared_reader.h"
#include "cli/cli.h"
#include "cli/file/large.h"
#include "cli/run/run_capture.h"
#include "lib/lib_inside.h"
#include "suite/run/run.h"

/* Findings of one worker, either of packets or of the end. */
struct keeper {
	struct rung_finding *f;
	size_t n, size;
};

/* Counts of all workers, who read other queues of a live port. */
struct check_shared {
	uint64_t frames; /* frames read so far; accessed atomically */
	pthread_mutex_t lock;
	size_t told; /* findings given to |conf->found|; under the lock */
};

struct check_worker {
	const struct check_run_conf *conf;
	struct check_shared *shared; /* NULL for a capture of rung run */
	struct source *source;
	struct shared_reader *reader; /* NULL: the worker reads |source| */
	struct rung_watch *watch;
	struct keeper found, ends;
	struct rung_flow *flows;
	size_t nflows, flows_size;
	uint64_t fails, remarks;
	uint32_t count[REQ_COUNT][2];
	uint64_t complete, one_way, middle, open;
	bool failed; /* out of memory */
	int err;
	pthread_t thread;
};

void check_run_conf_default(struct check_run_conf *ret, const char *who)
{
	struct judge_conf *j = &ret->watch.judge;

	*ret = (struct check_run_conf){
		.who = who,
		.check_workers = 1,
		.max_findings = 1000,
		.watch = {.max_flows = 65536,
			  .copies = true,
			  .frame = {.tunnels = true}},
	};
	judge_conf_capture(j);
	j->shared_counters = j->minimal_facts = true;
	j->window = 16;
	j->idle = 60 * VSPAN_S;
}

static bool check_run_grow(void **p, size_t *size, size_t each)
{
	const size_t n = *size ? *size * 2 : 64;
	void *more = memory_realloc(*p, n * each);

	if (!more)
		return false;
	*p = more;
	*size = n;
	return true;
}

static void check_run_count(struct check_worker *j,
			    const struct rung_finding *f)
{
	if (req_fails((enum req_id)f->row, j->conf->strict))
		j->fails++;
	else
		j->remarks++;
	j->count[f->row][f->role == RUNG_DST]++;
}

static void check_run_keep(struct check_worker *j, struct keeper *k,
			   const struct rung_finding *f)
{
	if (k->n == j->conf->max_findings)
		return;
	if (k->n == k->size &&
	    !check_run_grow((void **)&k->f, &k->size, sizeof(*k->f))) {
		j->failed = true;
		return;
	}
	k->f[k->n++] = *f;
}

static void keep_flow(void *arg, const struct rung_flow *f)
{
	struct check_worker *j = arg;

	j->one_way += f->kind != RUNG_UUD &&
		      (!f->sides[0].packets || !f->sides[1].packets);
	if (f->kind == RUNG_CONNECTION) {
		j->complete += f->complete;
		j->middle += !f->began;
		j->open += !f->closed;
	}
	if (!j->conf->flows)
		return;
	if (j->nflows == j->flows_size &&
	    !check_run_grow((void **)&j->flows, &j->flows_size,
			    sizeof(*j->flows))) {
		j->failed = true;
		return;
	}
	j->flows[j->nflows++] = *f;
}

/* ---- One worker ---- */

static void check_run_tell(struct check_worker *j, const struct rung_finding *f)
{
	struct check_shared *all = j->shared;

	pthread_mutex_lock(&all->lock);
	if (all->told < j->conf->max_findings) {
		j->conf->found(j->conf->found_arg, f);
		all->told++;
	}
	pthread_mutex_unlock(&all->lock);
}

static void check_run_found(void *arg, const struct rung_finding *f)
{
	struct check_worker *j = arg;

	check_run_count(j, f);
	if (j->conf->recorder)
		recorder_finding(j->conf->recorder, f);
	if (j->conf->found)
		check_run_tell(j, f);
	else
		check_run_keep(j, &j->found, f);
}

static void check_run_ends(void *arg, const struct rung_finding *f)
{
	struct check_worker *j = arg;

	check_run_count(j, f);
	if (j->conf->recorder)
		recorder_finding(j->conf->recorder, f);
	check_run_keep(j, &j->ends, f);
}

/* |until|: as for rung_watch_end() */
static void judge_ends(struct check_worker *j, vtime until)
{
	if (rung_watch_end(j->watch, (uint64_t)until, check_run_ends, j))
		j->failed = true;
	rung_watch_flows(j->watch, keep_flow, j);
}

/* The result is useless, because sit_once_more() will judge again. */
static bool in_vain(const struct check_worker *j)
{
	return j->conf->watch.judge.complete && source_repeats(j->source) &&
	       source_info(j->source)->backward;
}

/* Returns false when a live port must stop. */
static bool check_run_goes_on(const struct check_worker *j)
{
	if (*j->conf->stop && !source_is_live(j->source))
		return false;
	return !in_vain(j);
}

static bool check_run_goes_on_for(void *arg)
{
	return check_run_goes_on(arg);
}

/* Judges the frames of the batch from |at| on, as many as one call takes. */
static HOT void check_run_push_piece(struct check_worker *j,
				     const struct frame_batch *b, unsigned at)
{
	const unsigned left = b->n - at;

	if (lib_watch_push_peeked(j->watch, b->f + at, b->peek + at,
				  left < RUNG_BATCH ? left : RUNG_BATCH,
				  b->first + at, check_run_found, j))
		j->failed = true;
}

static HOT void check_run_read_shared(struct check_worker *j)
{
	struct frame_batch *b;

	for (uint64_t i = 0; (b = shared_reader_take(j->reader, i)); i++) {
		for (unsigned at = 0; at < b->n; at += RUNG_BATCH)
			check_run_push_piece(j, b, at);
		shared_reader_return(j->reader, b);
	}
}

static HOT void check_run_read_all(struct check_worker *j)
{
	struct capture_packet p[RUNG_BATCH];
	struct rung_frame f[RUNG_BATCH];
	uint64_t first;

	while (check_run_goes_on(j) &&
	       (j->err = source_some(j->source, p, RUNG_BATCH)) > 0) {
		for (int i = 0; i < j->err; i++)
			f[i] = (struct rung_frame){.bytes = p[i].p,
						   .len = p[i].len,
						   .link = p[i].link,
						   .at_ns = (uint64_t)p[i].at};
		first = __atomic_fetch_add(&j->shared->frames, (unsigned)j->err,
					   __ATOMIC_RELAXED) +
			1;
		if (j->conf->recorder)
			recorder_frames(j->conf->recorder, f, (size_t)j->err,
					first);
		if (rung_watch_push(j->watch, f, (size_t)j->err, first,
				    check_run_found, j))
			j->failed = true;
	}
}

static void *check_run_work(void *arg)
{
	struct check_worker *j = arg;

	if (j->reader)
		check_run_read_shared(j);
	else
		check_run_read_all(j);
	judge_ends(j, 0);
	return NULL;
}

static int check_run_add_worker(struct check_worker *j,
				const struct check_run_conf *conf,
				unsigned part, unsigned parts)
{
	struct watch_conf w = conf->watch;

	j->conf = conf;
	w.part = part;
	w.parts = parts;
	w.judge.memory = &large_memory;
	if (lib_watch_new(&j->watch, &w))
		return cli_nomem(conf->who);
	rung_watch_over(j->watch, keep_flow, j);
	return 0;
}

static void dismiss(struct check_worker *j)
{
	rung_watch_free(j->watch);
	free(j->found.f);
	free(j->ends.f);
	free(j->flows);
}

/* ---- The result ---- */

static int check_run_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int check_run_by_frame(const void *x, const void *y)
{
	const struct rung_finding *a = x, *b = y;
	int c = check_run_compare(a->frame, b->frame);

	if (!c)
		c = check_run_compare(a->row, b->row);
	if (!c)
		c = check_run_compare(a->role, b->role);
	if (!c)
		c = strcmp(a->side, b->side);
	if (c)
		return c;
	return strcmp(a->expected, b->expected);
}

static int by_first_frame(const void *x, const void *y)
{
	const struct rung_flow *a = x, *b = y;

	return check_run_compare(a->first_frame, b->first_frame);
}

/*
 * The findings of each worker are in order: the next one is the lowest first
 * one.
 */
static void check_run_merge(struct check_worker *j, unsigned n,
			    struct check_run_result *r, size_t max)
{
	size_t at[CHECK_WORKERS_MAX] = {0};

	while (r->nfindings < max) {
		const struct rung_finding *low = NULL;
		unsigned who = 0;

		for (unsigned i = 0; i < n; i++) {
			const struct rung_finding *f = &j[i].found.f[at[i]];

			if (at[i] < j[i].found.n &&
			    (!low || f->frame < low->frame)) {
				low = f;
				who = i;
			}
		}
		if (!low)
			return;
		at[who]++;
		r->findings[r->nfindings++] = *low;
	}
}

static void append_ends(struct check_worker *j, unsigned n,
			struct check_run_result *r, size_t max)
{
	const size_t from = r->nfindings;

	for (unsigned i = 0; i < n; i++)
		for (size_t k = 0; k < j[i].ends.n; k++)
			r->findings[r->nfindings++] = j[i].ends.f[k];
	if (r->nfindings > from)
		qsort(r->findings + from, r->nfindings - from,
		      sizeof(*r->findings), check_run_by_frame);
	if (r->nfindings > max)
		r->nfindings = max;
}

static bool merge_findings(struct check_worker *j, unsigned n,
			   struct check_run_result *r, size_t max)
{
	size_t all = 1;

	for (unsigned i = 0; i < n; i++)
		all += j[i].found.n + j[i].ends.n;
	r->findings = memory_calloc(all, sizeof(*r->findings));
	if (!r->findings)
		return false;
	check_run_merge(j, n, r, max);
	append_ends(j, n, r, max);
	return true;
}

static bool merge_flows(struct check_worker *j, unsigned n,
			struct check_run_result *r)
{
	size_t all = 1;

	for (unsigned i = 0; i < n; i++)
		all += j[i].nflows;
	r->flows = memory_calloc(all, sizeof(*r->flows));
	if (!r->flows)
		return false;
	for (unsigned i = 0; i < n; i++)
		for (size_t k = 0; k < j[i].nflows; k++)
			r->flows[r->nflows++] = j[i].flows[k];
	qsort(r->flows, r->nflows, sizeof(*r->flows), by_first_frame);
	return true;
}

static void check_run_count_reqs(struct check_worker *j, unsigned n,
				 struct check_run_result *r)
{
	uint64_t seen[REQ_COUNT][2] = {0};

	for (unsigned i = 0; i < n; i++)
		rung_watch_seen(j[i].watch, seen);
	for (int q = 0; q < REQ_COUNT; q++)
		for (unsigned side = 0; side < 2; side++) {
			struct verdict_req v = {.req = (enum req_id)q,
						.role = side ? REQ_DST
							     : REQ_SRC,
						.seen = seen[q][side]};

			for (unsigned i = 0; i < n; i++)
				v.findings += j[i].count[q][side];
			if (v.seen || v.findings)
				r->reqs[r->nreqs++] = v;
		}
}

static void check_run_limits(const struct check_run_conf *conf,
			     const struct source *s, struct check_worker *j,
			     unsigned n, struct check_run_result *r)
{
	const struct judge_conf *c = &conf->watch.judge;
	uint64_t *limit = r->sum.limit;

	limit[WATCH_INCOMPLETE] = !c->complete;
	limit[WATCH_VANTAGE] = c->complete && c->remote_vantage;
	limit[WATCH_TIMES] = c->complete && !c->rto_init;
	for (unsigned i = 0; i < n; i++) {
		r->sum.flows_complete += j[i].complete;
		limit[WATCH_MIDDLE] += j[i].middle;
		limit[WATCH_ONE_WAY] += j[i].one_way;
		limit[WATCH_OPEN] += j[i].open;
	}
	limit[WATCH_MISSING] = r->counts.skipped;
	limit[WATCH_CUT] = r->counts.cut;
	limit[WATCH_DROPS] = source_info(s)->dropped;
	for (unsigned i = 0; i < r->sum.nqueues; i++)
		limit[WATCH_DROPS] += i ? r->queues[i].dropped : 0;
	limit[WATCH_BACKWARD] = r->counts.backward;
	if (r->counts.same_time > r->counts.frames / 2)
		limit[WATCH_COARSE] = r->counts.same_time;
	limit[WATCH_COPIES] = r->counts.copies;
	limit[WATCH_REPEATS] = r->counts.repeats;
	limit[WATCH_FRAGMENTS] = r->counts.unread[UNREAD_FRAGMENT];
	limit[WATCH_BROKEN] = r->counts.broken;
	limit[WATCH_ENCRYPTED] = r->counts.encrypted;
	limit[WATCH_IDLE_EVICTED] = r->counts.idle_evicted;
	limit[WATCH_FORGOTTEN] = r->counts.forgotten;
}

/* Adds the counts of a queue, whose frames no other worker has read. */
static void check_run_add_queue(const struct check_worker *j,
				struct rung_counts *ret)
{
	const struct rung_counts before = *ret;

	rung_watch_counts(j->watch, ret);
	if (!before.frames)
		return;
	if (!ret->frames || before.first_ns < ret->first_ns)
		ret->first_ns = before.first_ns;
	if (before.last_ns > ret->last_ns)
		ret->last_ns = before.last_ns;
	ret->frames += before.frames;
	ret->backward += before.backward;
	ret->same_time += before.same_time;
}

/* Each worker has read a queue. */
static void check_run_queues(const struct check_worker *j, unsigned n,
			     struct check_run_result *r)
{
	for (unsigned i = 0; i < n; i++) {
		const struct capture_info *info = source_info(j[i].source);

		r->queues[i] =
			(struct verdict_queue){info->packets, info->dropped};
	}
	r->sum.queues = r->queues;
	r->sum.nqueues = n;
}

/* The first |apart| of |n| workers judged different packets. */
static int check_run_gather(const struct check_run_conf *conf,
			    const struct source *s, struct check_worker *j,
			    unsigned n, unsigned apart,
			    struct check_run_result *r)
{
	const size_t told = j[0].shared ? j[0].shared->told : 0;
	bool failed = !merge_findings(j, n, r, conf->max_findings - told) ||
		      !merge_flows(j, n, r);

	for (unsigned i = 0; i < apart; i++)
		if (source_is_live(s))
			check_run_add_queue(&j[i], &r->counts);
		else
			rung_watch_counts(j[i].watch, &r->counts);
	for (unsigned i = 0; i < n; i++) {
		r->sum.fails += j[i].fails;
		r->sum.remarks += j[i].remarks;
		failed |= j[i].failed;
	}
	check_run_count_reqs(j, n, r);
	if (source_is_live(s))
		check_run_queues(j, n, r);
	check_run_limits(conf, s, j, n, r);
	r->sum.counts = &r->counts;
	r->sum.untold = r->sum.fails + r->sum.remarks - told - r->nfindings;
	r->sum.error = r->error;
	if (failed)
		return cli_nomem(conf->who);
	return 0;
}

/* ---- All workers ---- */

static int check_run_start(struct check_worker *j, unsigned n, const char *who)
{
	unsigned up = 1;
	int code = 0;

	for (; up < n; up++)
		if (pthread_create(&j[up].thread, NULL, check_run_work,
				   &j[up])) {
			code = cli_sys(who, "a thread");
			if (j[0].reader)
				shared_reader_stop(j[0].reader);
			else
				source_stop_queues(j[0].source);
			break;
		}
	if (!code)
		check_run_work(&j[0]);
	for (unsigned i = 1; i < up; i++)
		pthread_join(j[i].thread, NULL);
	return code;
}

/* The error of the first worker that has one counts. */
static void check_run_reading_ended(struct check_run_result *r,
				    const struct check_worker *j, unsigned n)
{
	unsigned i = 0;

	while (i + 1 < n && j[i].err >= 0)
		i++;
	if (j[i].err < 0)
		r->err = j[i].err;
	else
		r->err = 0;
	strncpy(r->error, r->err ? source_error(j[i].source) : "",
		sizeof(r->error) - 1);
}

/* Returns how many workers can read |s|: all one file, or each one queue. */
static unsigned check_run_readers(const struct check_run_conf *conf,
				  const struct source *s)
{
	unsigned n = 0;

	if (conf->recorder)
		return 1;
	if (source_repeats(s))
		return conf->check_workers;
	for (; s; s = source_next_queue(s))
		n++;
	return n;
}

/* Adds |n| workers who share |reader|, or read the queues of |s| without it. */
static int check_run_add_workers(struct check_worker *j,
				 const struct check_run_conf *conf,
				 struct source *s, struct shared_reader *reader,
				 unsigned n)
{
	struct check_run_conf mine = *conf;
	int code = 0;

	if (!reader) /* the flows of all queues are limited */
		mine.watch.max_flows = (conf->watch.max_flows + n - 1) / n;
	for (unsigned i = 0; !code && i < n; i++) {
		j[i].source = s;
		j[i].reader = reader;
		if (reader)
			code = check_run_add_worker(&j[i], &mine, i, n);
		else
			code = check_run_add_worker(&j[i], &mine, 0, 1);
		j[i].conf = conf;
		if (!reader)
			s = source_next_queue(s);
	}
	return code;
}

static int check_run_share(const struct check_run_conf *conf, struct source *s,
			   struct check_run_result *r)
{
	const unsigned n = check_run_readers(conf, s);
	struct check_shared all = {.lock = PTHREAD_MUTEX_INITIALIZER};
	struct check_worker *j = memory_calloc(n, sizeof(*j));
	struct shared_reader *reader = NULL;
	int code = j ? 0 : cli_nomem(conf->who);

	for (unsigned i = 0; j && i < n; i++)
		j[i].shared = &all;
	if (!code && n > 1 && source_repeats(s)) {
		reader = shared_reader_new(s, n, &conf->watch.frame,
					   check_run_goes_on_for, &j[0]);
		code = reader ? 0 : cli_nomem(conf->who);
	}
	if (!code)
		code = check_run_add_workers(j, conf, s, reader, n);
	if (!code)
		code = check_run_start(j, n, conf->who);
	if (!code && reader)
		j[0].err = shared_reader_error(reader);
	if (!code) {
		check_run_reading_ended(r, j, n);
		code = check_run_gather(conf, s, j, n, n, r);
	}
	shared_reader_free(reader);
	for (unsigned i = 0; j && i < n; i++)
		dismiss(&j[i]);
	free(j);
	return code;
}

/* A worker that keeps the findings about one side. */
struct own_worker {
	struct check_worker *j;
	char side[IP_ADDR_TEXT];
};

/* Drops findings about the other side, which the judge at that side finds. */
static void own_found(void *arg, const struct rung_finding *f)
{
	struct own_worker *o = arg;

	if (strcmp(f->side, o->side) == 0)
		check_run_found(o->j, f);
}

static void own_ends(void *arg, const struct rung_finding *f)
{
	struct own_worker *o = arg;

	if (strcmp(f->side, o->side) == 0)
		check_run_ends(o->j, f);
}

static void keep_own(struct check_worker *j, const struct own *own,
		     enum own_view view)
{
	struct own_worker o = {.j = j};

	ip_addr_print(own_side(own, view), o.side);
	for (size_t i = 0; i < own_count(own, view) && !*j->conf->stop; i++) {
		uint32_t number;
		const struct rung_frame *f = own_at(own, view, i, &number);

		if (rung_watch_push(j->watch, f, 1, number, own_found, &o))
			j->failed = true;
	}
}

/* The device's missing answers only: the tester omits answers on purpose. */
static void end_own(struct check_worker *j, const struct own *own)
{
	struct own_worker o = {.j = j};

	ip_addr_print(own_side(own, OWN_DEVICE), o.side);
	if (rung_watch_end(j->watch, (uint64_t)own_end(own), own_ends, &o))
		j->failed = true;
	rung_watch_flows(j->watch, keep_flow, j);
}

/* Judges a capture of a run, each side at its own end of the link. */
static int sit_on_own(const struct check_run_conf *conf, const struct source *s,
		      const struct own *own, struct check_run_result *r)
{
	struct check_worker *j = memory_calloc(2, sizeof(*j));
	struct check_run_conf mine[2] = {*conf, *conf};
	int code = j ? 0 : cli_nomem(conf->who);

	for (unsigned v = 0; !code && v < 2; v++) {
		own_conf(own, v, &mine[v].watch);
		mine[v].flows = conf->flows && v == OWN_DEVICE;
		code = check_run_add_worker(&j[v], &mine[v], 0, 1);
		if (!code)
			keep_own(&j[v], own, v);
	}
	if (!code) {
		r->err = own_error(own, r->error, sizeof(r->error));
		end_own(&j[0], own);
		/* Both workers saw the same flows, so they are counted once. */
		code = check_run_gather(&mine[0], s, j, 2, 1, r);
	}
	for (unsigned v = 0; j && v < 2; v++)
		dismiss(&j[v]);
	free(j);
	return code;
}

/*
 * Reads the counts of dropped packets before judging.  pcapng reports drops in
 * a trailing block, so the whole file is read.  pcap cannot report them, so one
 * packet is read; see sit_once_more.
 */
static bool survey(const struct source *s, struct capture_info *ret)
{
	struct source *peek = source_again(s);
	struct capture_packet first;

	if (!peek)
		return false;
	source_some(peek, &first, 1);
	if (source_info(peek)->ng)
		source_skim(peek);
	*ret = *source_info(peek);
	source_close(peek);
	return true;
}

/*
 * Judges again with unknown order if one packet is earlier than the one before,
 * because the first pass assumed that the order is known.
 */
static int sit_once_more(struct check_run_conf *conf, const struct source *s,
			 struct check_run_result *ret)
{
	struct source *again = source_again(s);
	int code;

	if (!again)
		return cli_nomem(conf->who);
	check_run_free(ret);
	memset(ret, 0, sizeof(*ret));
	conf->watch.judge.complete = false;
	code = check_run_share(conf, again, ret);
	source_close(again);
	return code;
}

static int sit_on_file(struct check_run_conf *conf, struct source *s,
		       struct check_run_result *ret)
{
	struct judge_conf *c = &conf->watch.judge;
	struct capture_info info = {0};
	int code;

	if (!survey(s, &info))
		return cli_nomem(conf->who);
	c->complete = !info.dropped && !info.backward;
	c->time_error = info.resolution;
	code = check_run_share(conf, s, ret);
	if (code || !c->complete || !source_info(s)->backward)
		return code;
	return sit_once_more(conf, s, ret);
}

int check_run_begin(const struct check_run_conf *conf, struct source *s,
		    struct check_run_result *ret)
{
	struct check_run_conf mine = *conf;
	struct own *own = NULL;
	int code;

	memset(ret, 0, sizeof(*ret));
	code = own_load(conf->who, s, &own);
	if (code)
		return code;
	if (own && conf->recorder) {
		own_free(own);
		return cli_usage(conf->who,
				 "--ring does not accept a capture of rung "
				 "run");
	}
	if (own) {
		code = sit_on_own(&mine, s, own, ret);
		own_free(own);
		return code;
	}
	if (mine.watch.judge.complete && source_repeats(s) && !conf->recorder)
		return sit_on_file(&mine, s, ret);
	return check_run_share(&mine, s, ret);
}

void check_run_remarks(const struct check_run_conf *conf, const char *name,
		       const struct check_run_result *r)
{
	if (r->counts.forgotten)
		cli_remark(conf->who, name,
			   "%llu flows were forgotten for lack of room, and "
			   "their findings may be missing: raise --max-flows",
			   (unsigned long long)r->counts.forgotten);
}

void check_run_free(struct check_run_result *r)
{
	free(r->findings);
	free(r->flows);
	r->findings = NULL;
	r->flows = NULL;
}
