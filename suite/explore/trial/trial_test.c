/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/explore/trial/trial_test.c -- a finding is confirmed by the file that a
 * reader gets, or keeps the file of the run that failed.
 *
 * The device is the reference, but its retransmissions have no retx as long as
 * it has runs left in which it is wrong.
 */
#include "suite/explore/trial/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "suite/decl/decl_parse.h"
#include "suite/dut/dut_virtual.h"
#include "suite/explore/explore.h"
#include "suite/explore/trial/reduce.h"
#include "suite/lang/builtin.h"
#include "suite/lang/case_parse.h"
#include "wire/addr.h"
#include "wire/uet/uet_pds.h"

#define ALWAYS 1000000
#define TRIES  200 /* of a reduction, at most */

static unsigned wrong_runs;

static void reset_counts(struct orc *o, uint64_t seed)
{
	if (wrong_runs)
		wrong_runs--;
	orc_reference.reset(o, seed);
}

static bool poll_wrong(struct orc *o, struct dgram *ret)
{
	if (!orc_reference.poll_tx(o, ret))
		return false;
	if (wrong_runs && ret->data[0] >> 3 == PDS_RUD_REQ)
		ret->data[1] &= 0xef;
	return true;
}

static int trial_test_device(void *ctx, unsigned worker, bool reference,
			     enum family family, struct dut **ret)
{
	const struct orc_api *api = ctx;
	struct orc_conf orc;

	(void)worker;
	orc_conf_default(&orc);
	orc.addr = ip_addr_v4(0x0a000002);
	orc.family = family;
	return dut_virtual_new(ret, reference ? &orc_reference : api, &orc,
			       ip_addr_v4(0x0a000001), 10 * VSPAN_US);
}

static void trial_test_device_free(struct dut *d)
{
	d->ops->free(d);
}

/* A device, and the first sequence of two moves in which it fails. */
struct stand {
	struct orc_api api;
	struct decl *decl;
	struct explore_conf conf;
	struct trial trial;
	struct choices c;
	struct explore_finding f;
};

static void stand_fails(struct stand *s)
{
	const struct draft_plan plan = {.subject = DRAFT_RUD,
					.chair = CHAIR_INITIATOR,
					.n = 2,
					.moves = {1, 2}};

	for (uint64_t seed = 1; seed < 200; seed++) {
		wrong_runs = ALWAYS;
		choices_draw(&s->c, seed);
		trial_draws(&s->trial, &plan, &s->c);
		assert_int_equal(trial_run(&s->trial, &s->c, false), 0);
		if (s->trial.outcome == TRIAL_FAIL && s->trial.draft.nmoves > 1)
			return;
	}
	fail_msg("no sequence fails");
}

static void stand_begin(struct stand *s)
{
	struct diag diag = {0};

	memset(s, 0, sizeof(*s));
	s->api = orc_reference;
	s->api.reset = reset_counts;
	s->api.poll_tx = poll_wrong;
	assert_int_equal(decl_parse(&s->decl, "reference.decl", decl_reference,
				    strlen(decl_reference), &diag),
			 0);
	s->conf = (struct explore_conf){
		.decl = s->decl,
		.reference = s->decl,
		.seed = 1,
		.subjects = 1u << DRAFT_RUD,
		.chairs = 1u << CHAIR_INITIATOR,
		.device = trial_test_device,
		.device_free = trial_test_device_free,
		.fragment = cases_builtin,
		.ctx = &s->api,
		.live = true, /* it may do something else in a second run */
	};
	s->trial.conf = &s->conf;
	stand_fails(s);
	s->f.req = s->trial.req;
	s->f.role = s->trial.role;
	strcpy(s->f.text, s->trial.text);
	trial_write(&s->trial, &s->f, false, &s->f.file);
}

static void stand_end(struct stand *s)
{
	text_free(&s->f.file);
	trial_free(&s->trial);
	decl_free(s->decl);
}

/* Each move of a file for a reader has its title above its lines. */
static bool is_for_reader(const struct text *file)
{
	return strstr(text_cstr(file), "\n  # ") != NULL;
}

/* Runs a file on a new device, as "rung run" does. */
static void stand_runs_file(struct stand *s, struct record *ret)
{
	const struct case_source source = {.id = "found",
					   .path = "found.lad",
					   .text = text_cstr(&s->f.file),
					   .len = s->f.file.len};
	const struct run_conf conf = {.seed = 1, .decl = s->decl};
	struct test_case *k;
	struct diag diag = {0};
	struct runner *r;
	struct dut *d;

	if (case_parse(&k, &source, cases_builtin, NULL, &diag))
		fail_msg("%u: %s", diag.line, diag.text);
	assert_int_equal(k->family, FAMILY_UET);
	assert_int_equal(trial_test_device(&s->api, 0, false, FAMILY_UET, &d),
			 0);
	assert_int_equal(runner_new(&r, d, s->decl), 0);
	memset(ret, 0, sizeof(*ret));
	assert_int_equal(run_case(r, k, CHAIR_INITIATOR, &conf, ret), 0);
	ret->test_case = NULL;
	runner_free(r);
	d->ops->free(d);
	case_free(k);
}

static void a_confirmed_finding_has_a_file_for_a_reader(void **state)
{
	struct stand s;
	struct record rec;

	(void)state;
	stand_begin(&s);
	assert_false(is_for_reader(&s.f.file));
	assert_int_equal(trial_confirm(&s.trial, &s.f), 0);
	assert_true(is_for_reader(&s.f.file));
	assert_true(trial_finds(&s.trial, &s.f));
	assert_string_equal(s.f.text, s.trial.text);
	assert_non_null(strstr(text_cstr(&s.f.file), req_get(s.f.req)->source));

	/* a run of that file has the finding, and none on a right device */
	stand_runs_file(&s, &rec);
	assert_int_equal(rec.verdict, VERDICT_FAIL);
	assert_true(rec.nfindings > 0);
	assert_int_equal(rec.findings[0].req, s.f.req);
	assert_int_equal(rec.findings[0].role, s.f.role);
	record_free(&rec);
	wrong_runs = 0;
	stand_runs_file(&s, &rec);
	assert_int_equal(rec.verdict, VERDICT_PASS);
	record_free(&rec);
	stand_end(&s);
}

/* The device fails by chance: what is shown is the run that failed. */
static void a_finding_that_is_not_confirmed_keeps_its_file(void **state)
{
	struct text was = {0};
	struct stand s;

	(void)state;
	stand_begin(&s);
	text_add(&was, text_cstr(&s.f.file), s.f.file.len);
	strcpy(s.f.text, "what the run said");
	wrong_runs = 0;
	assert_int_equal(trial_confirm(&s.trial, &s.f), 0);
	assert_int_equal(s.trial.outcome, TRIAL_PASS);
	assert_string_equal(text_cstr(&s.f.file), text_cstr(&was));
	assert_string_equal(s.f.text, "what the run said");

	/* another row is not this finding */
	wrong_runs = ALWAYS;
	s.f.role = s.f.role == REQ_SRC ? REQ_DST : REQ_SRC;
	assert_int_equal(trial_confirm(&s.trial, &s.f), 0);
	assert_int_equal(s.trial.outcome, TRIAL_FAIL);
	assert_string_equal(text_cstr(&s.f.file), text_cstr(&was));
	text_free(&was);
	stand_end(&s);
}

/*
 * In virtual time what fails runs once more, with the tester judged; a live
 * device runs once.
 */
static void a_virtual_failure_runs_twice(void **state)
{
	struct stand s;

	(void)state;
	stand_begin(&s);
	for (int live = 0; live < 2; live++) {
		s.conf.live = live;
		wrong_runs = ALWAYS;
		choices_replay(&s.c);
		assert_int_equal(trial_run(&s.trial, &s.c, false), 0);
		assert_int_equal(s.trial.outcome, TRIAL_FAIL);
		assert_int_equal(ALWAYS - wrong_runs, live ? 1 : 2);
	}
	s.conf.live = false;
	wrong_runs = 2; /* the device is right in the second run */
	choices_replay(&s.c);
	assert_int_equal(trial_run(&s.trial, &s.c, false), 0);
	assert_int_equal(s.trial.outcome, TRIAL_PASS);
	stand_end(&s);
}

/* Reduces; the device is right again |runs| runs after the reduction began. */
static void stand_reduces(struct stand *s, unsigned runs)
{
	struct choices c = s->c;

	wrong_runs = ALWAYS;
	choices_replay(&c);
	assert_int_equal(trial_run(&s->trial, &c, false), 0);
	assert_int_equal(s->trial.outcome, TRIAL_FAIL);
	wrong_runs = runs + 1; /* the next reset takes one away */
	s->f.tries = 0;
	assert_int_equal(reduce_choices(&s->trial, &c, TRIES, &s->f), 0);
}

/*
 * The shortest log runs once more, and then its file: only if both fail is the
 * file that of the reader.
 */
static void a_reduction_confirms_its_shortest_log(void **state)
{
	struct stand s;
	unsigned tries;

	(void)state;
	stand_begin(&s);
	stand_reduces(&s, ALWAYS);
	tries = s.f.tries;
	assert_true(tries > 2 && tries < TRIES);
	assert_true(is_for_reader(&s.f.file));
	assert_int_equal(s.trial.draft.nmoves, 1);
	for (unsigned more = 0; more < 3; more++) {
		stand_reduces(&s, tries + more);
		assert_int_equal(s.f.tries, tries);
		assert_int_equal(is_for_reader(&s.f.file), more == 2);
	}
	stand_end(&s);
}

static unsigned runs_in_time;

static bool is_late(void *ctx)
{
	(void)ctx;
	return !runs_in_time || !--runs_in_time;
}

/* A reduction that is late ends: its finding is as far reduced as it came. */
static void a_late_reduction_ends(void **state)
{
	struct stand s;
	struct record rec;
	unsigned whole;

	(void)state;
	stand_begin(&s);
	stand_reduces(&s, ALWAYS);
	whole = s.f.tries;
	assert_false(s.f.cut);
	s.conf.late = is_late;
	runs_in_time = 4;
	stand_reduces(&s, ALWAYS);
	assert_true(s.f.cut);
	assert_true(s.f.tries > 0 && s.f.tries < 4 && whole > 4);
	stand_runs_file(&s, &rec);
	assert_int_equal(rec.verdict, VERDICT_FAIL);
	assert_int_equal(rec.findings[0].req, s.f.req);
	record_free(&rec);
	stand_end(&s);
}

/* The replay of choices shows the same file, or that of a run that passed. */
static void a_replay_shows_the_file_for_a_reader(void **state)
{
	struct text file = {0};
	struct explore *x;
	char text[300], want[300];
	struct stand s;
	enum verdict v;

	(void)state;
	stand_begin(&s);
	assert_int_equal(trial_confirm(&s.trial, &s.f), 0);
	assert_int_equal(explore_new(&x, &s.conf), 0);
	assert_int_equal(explore_replay(x, &s.c, &file, &v, text), 0);
	assert_int_equal(v, VERDICT_FAIL);
	assert_string_equal(text_cstr(&file), text_cstr(&s.f.file));
	snprintf(want, sizeof(want), "%s/%s: %s", req_get(s.f.req)->id,
		 req_role_name(s.f.role), s.f.text);
	assert_string_equal(text, want);
	text_clear(&file);
	wrong_runs = 2; /* that of the choices, and not that of the file */
	assert_int_equal(explore_replay(x, &s.c, &file, &v, text), 0);
	assert_int_equal(v, VERDICT_FAIL);
	assert_false(is_for_reader(&file));
	text_clear(&file);
	assert_int_equal(explore_replay(x, &s.c, &file, &v, text), 0);
	assert_int_equal(v, VERDICT_PASS);
	assert_true(file.len > 0 && !is_for_reader(&file));
	text_free(&file);
	explore_free(x);
	stand_end(&s);
}

/* The reference is as wrong as the device. */
static int trial_test_alike(void *ctx, unsigned worker, bool reference,
			    enum family family, struct dut **ret)
{
	(void)reference;
	return trial_test_device(ctx, worker, false, family, ret);
}

/* A sequence that the reference fails is discarded, and counts once. */
static void a_discarded_sequence_counts_once(void **state)
{
	const struct explore_totals *n;
	struct explore *x;
	struct stand s;

	(void)state;
	stand_begin(&s);
	s.conf.device = trial_test_alike;
	wrong_runs = ALWAYS;
	assert_int_equal(explore_new(&x, &s.conf), 0);
	n = explore_totals(x);
	for (unsigned i = 1; i <= 40; i++) {
		explore_claim(x);
		assert_int_equal(n->begun, i);
		assert_int_equal(explore_run(x), 0);
		assert_int_equal(n->begun, i);
		assert_int_equal(n->runs, i);
	}
	assert_true(n->unsound > 0);
	explore_free(x);
	stand_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_confirmed_finding_has_a_file_for_a_reader),
		cmocka_unit_test(
			a_finding_that_is_not_confirmed_keeps_its_file),
		cmocka_unit_test(a_virtual_failure_runs_twice),
		cmocka_unit_test(a_reduction_confirms_its_shortest_log),
		cmocka_unit_test(a_late_reduction_ends),
		cmocka_unit_test(a_replay_shows_the_file_for_a_reader),
		cmocka_unit_test(a_discarded_sequence_counts_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
