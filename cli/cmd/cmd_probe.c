/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/cmd_probe.c -- rung probe: finds out what a device supports, and
 * writes a draft of its declaration.
 *
 * The stimuli are the cases of cases/probe/, which run one after another on one
 * device.  The first one also finds out whether the device needs a CRC.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/cmd/commands.h"
#include "cli/endpoint.h"
#include "cli/file/atomic_file.h"
#include "cli/file/file.h"
#include "cli/option/dut_options.h"
#include "cli/option/option_read.h"
#include "cli/option/option_rows.h"
#include "cli/privilege.h"
#include "cli/run/dut_setup.h"
#include "suite/run/probe/probe.h"
#include "suite/run/probe/probe_compare.h"
#include "suite/run/probe/probe_draft.h"
#include "suite/run/probe/probe_packet.h"
#include "suite/run/run.h"
#include "suite/run/run_conf.h"
#include "suite/run/run_state.h"

#define WHO "rung probe"

/*
 * A device may retransmit six times, doubling its time-out, which takes long.
 */
#define STIMULUS_TIME (40 * VSPAN_S)

#define LAST_TRIES 3 /* of a device that may be gone: a packet may be lost */

struct probing {
	struct dut_setup_conf dut_setup;
	struct variants variants;
	struct run_conf run;
	const char *cases, *out, *name;
	bool quiet, check;

	struct corpus *corpus;
	struct decl *base; /* what is known of the device in advance */
	struct probe *probe;
	struct dut *dut;
	struct runner *runner;
	struct record record;
	uint64_t strays; /* datagrams to our source ports, in all stimuli */

	/* The first stimulus that the device answered. */
	const struct test_case *heard;
	enum chair heard_chair;
	unsigned lost;         /* stimuli in a row without a reachable device */
	char lost_id[160];     /* the first of them */
	char lost_reason[320]; /* what happened in it */
};

static const struct option_row probe_rows[] = {
	{0, "check", NULL,
	 "write no draft; print what the device does not keep of the "
	 "declaration",
	 OPTION_FLAG(struct probing, check)},
	{0, "name", "TEXT", "the name of the device in the draft",
	 OPTION_TEXT(struct probing, name)},
	{'o', "output", "FILE", "the draft (default: standard output)",
	 OPTION_FILE(struct probing, out)},
	{0, "seed", "N",
	 "the seed of PDCIDs and PSNs (default: a new one each time)",
	 OPTION_NUMBER(struct probing, run.seed, 0, UINT64_MAX)},
	{0, "cases", "DIR",
	 "read the stimuli of DIR/probe/, not the built-in ones",
	 OPTION_FILE(struct probing, cases)},
	{'q', "quiet", NULL, "print no line for each stimulus",
	 OPTION_FLAG(struct probing, quiet)},
	OPTION_END};

static const struct option_group probe_groups[] = {
	{NULL, dut_rows, offsetof(struct probing, dut_setup)},
	{NULL, probe_rows, 0},
	OPTION_GROUPS_END};

/* ---- The device ---- */

static void cmd_probe_unseat(struct probing *p)
{
	runner_free(p->runner);
	p->runner = NULL;
	dut_setup_free(p->dut);
	p->dut = NULL;
	probe_free(p->probe);
	p->probe = NULL;
}

static int cmd_probe_take_dut_setup(struct probing *p)
{
	int code;

	cmd_probe_unseat(p);
	p->lost = 0;
	code = dut_setup_new(&p->dut_setup, 0, MAIN_FAMILY, &p->dut);
	if (code)
		return code;
	if (probe_new(&p->probe, p->base))
		return cli_nomem(WHO);
	p->run.decl = probe_decl(p->probe);
	if (runner_new(&p->runner, p->dut, p->run.decl))
		return cli_nomem(WHO);
	return 0;
}

/* Returns true if the control channel of the device ended, or is silent. */
static bool cmd_probe_is_lost(const struct record *r)
{
	switch (r->reason_id) {
	case REASON_GONE:
	case REASON_NO_RESET:
	case REASON_CONTROL_CLOSED:
	case REASON_CONTROL_SILENT:
		return true;
	default:
		return false;
	}
}

/* A draft would claim less than the device can do.  Return: an exit code. */
static int cmd_probe_no_draft(const struct probing *p)
{
	fprintf(stderr, "%s, since the rest of the stimuli was not answered\n",
		p->check ? "Nothing is compared" : "No draft is written");
	return EXIT_INCONCLUSIVE;
}

static int cmd_probe_say_lost(const struct probing *p)
{
	fprintf(stderr, "%s: the device is gone since the stimulus %s: %s\n",
		WHO, p->lost_id + strlen("probe/"), p->lost_reason);
	return cmd_probe_no_draft(p);
}

/* Gives up at the second stimulus in a row without the device. */
static int cmd_probe_count_lost(struct probing *p)
{
	const struct record *r = &p->record;

	if (!cmd_probe_is_lost(r)) {
		p->lost = 0;
		return 0;
	}
	if (!p->lost++) {
		snprintf(p->lost_id, sizeof(p->lost_id), "%s", r->id);
		snprintf(p->lost_reason, sizeof(p->lost_reason), "%s",
			 r->reason);
	}
	return p->lost > 1 ? cmd_probe_say_lost(p) : 0;
}

static int stimulus(struct probing *p, const struct test_case *k,
		    enum chair chair)
{
	if (run_case(p->runner, k, chair, &p->run, &p->record))
		return cli_nomem(WHO);
	p->strays += p->dut->counts.strays;
	if (*p->run.interrupted) {
		fprintf(stderr, "%s: interrupted: %s\n", WHO,
			p->check ? "nothing is compared"
				 : "no draft is written");
		return EXIT_INTERRUPTED;
	}
	return cmd_probe_count_lost(p);
}

static bool cmd_probe_heard(const struct record *r)
{
	for (size_t i = 0; i < r->nrecs; i++)
		if (r->recs[i].kind == REC_RX)
			return true;
	return false;
}

/* ---- With a CRC, or without ---- */

static const struct test_case *cmd_probe_named(const struct corpus *c,
					       const char *id)
{
	for (size_t i = 0; i < corpus_count(c); i++)
		if (strcmp(corpus_at(c, i)->id, id) == 0)
			return corpus_at(c, i);
	return NULL;
}

/* Sets up the device with or without a CRC, and runs the first stimulus. */
static int cmd_probe_ask(struct probing *p, bool crc, bool crc_be,
			 bool *ret_answered)
{
	const struct test_case *k = cmd_probe_named(p->corpus, "probe/rud");
	int code;

	p->base->crc = crc;
	p->base->crc_be = crc_be;
	code = cmd_probe_take_dut_setup(p);
	if (code || !k)
		return code;
	code = stimulus(p, k, CHAIR_TARGET);
	probe_take(p->probe, &p->record);
	*ret_answered = probe_answered(p->probe);
	return code;
}

/*
 * Sends packets as declared.  If no answer comes, sends them with a CRC in
 * either byte order, since a device may drop packets without one.  The device
 * stays set up in the way in which it answered, or as declared.
 */
static int cmd_probe_find_crc(struct probing *p, bool *ret_answered)
{
	const struct {
		bool crc, be;
	} ways[] = {{p->base->crc, p->base->crc_be},
		    {true, false},
		    {true, true},
		    {false, false}};
	bool answered = false, be;
	int code = 0;

	for (size_t i = 0; i < 4 && !code && !answered; i++)
		code = cmd_probe_ask(p, ways[i].crc, ways[i].be, &answered);
	if (!code && answered && !p->base->crc && probe_crc(&p->record, &be)) {
		p->base->crc = true;
		p->base->crc_be = be;
	} else if (!code && !answered) {
		p->base->crc = ways[0].crc;
		p->base->crc_be = ways[0].be;
	}
	*ret_answered = answered;
	if (code)
		return code;
	return cmd_probe_take_dut_setup(p);
}

/* ---- All stimuli ---- */

static void cmd_probe_tell(const struct probing *p, enum probe_outcome outcome)
{
	static const char *const words[] = {
		[PROBE_SHOWN] = "shown",
		[PROBE_NOT] = "not shown",
		[PROBE_UNTRIED] = "not tried",
	};

	if (!p->quiet)
		fprintf(stderr, "%-10s %s\n", words[outcome],
			p->record.id + strlen("probe/"));
}

static int try_chairs(struct probing *p, const struct test_case *k)
{
	for (int c = 0; c < CHAIR_COUNT; c++) {
		int code;

		if (!k->chairs[c].present)
			continue;
		code = stimulus(p, k, (enum chair)c);
		if (code)
			return code;
		if (!p->heard && cmd_probe_heard(&p->record)) {
			p->heard = k;
			p->heard_chair = (enum chair)c;
		}
		cmd_probe_tell(p, probe_take(p->probe, &p->record));
	}
	return 0;
}

/*
 * Sends the stimulus that the device answered first once more.  A device
 * without a control channel that died in between shows nothing from then on,
 * as does one that cannot do what the stimuli need.
 */
static int cmd_probe_still_there(struct probing *p)
{
	if (!p->heard)
		return p->lost ? cmd_probe_say_lost(p) : 0;
	for (unsigned i = 0; i < LAST_TRIES; i++) {
		const int code = stimulus(p, p->heard, p->heard_chair);

		if (code || cmd_probe_heard(&p->record))
			return code;
	}
	fprintf(stderr,
		"%s: the device is gone: it answered the stimulus %s, and does "
		"not answer it any more\n",
		WHO, p->record.id + strlen("probe/"));
	return cmd_probe_no_draft(p);
}

/* Before giving up on a silent device, tries the other mode. */
static int knock(struct probing *p)
{
	static const char *const ids[] = {"probe/rod", "probe/rudi"};
	int code = 0;

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]) && !code; i++) {
		const struct test_case *k = cmd_probe_named(p->corpus, ids[i]);

		if (k)
			code = stimulus(p, k, CHAIR_TARGET);
		if (k && !code)
			probe_take(p->probe, &p->record);
	}
	return code;
}

static int try_all(struct probing *p)
{
	int code = 0;

	for (size_t i = 0; i < corpus_count(p->corpus) && !code; i++)
		code = try_chairs(p, corpus_at(p->corpus, i));
	return code;
}

/* ---- The draft ---- */

/* A draft took minutes: if its file cannot be written, it is printed. */
static int cmd_probe_put(const struct text *t, const char *path)
{
	int code = 0;

	if (path && strcmp(path, "-") != 0) {
		if (!atomic_write(path, text_cstr(t), t->len))
			return 0;
		code = cli_sys(WHO, path);
		fprintf(stderr, "%s: it goes to standard output instead\n",
			WHO);
	}
	if (atomic_write("-", text_cstr(t), t->len))
		return cli_sys(WHO, "standard output");
	return code;
}

static bool cmd_probe_one_line(const char *s)
{
	return s[0] && !strpbrk(s, "\n\r#");
}

/* The name of the device: --name, that of its hello, or --dut. */
static const char *probe_name(const struct probing *p)
{
	if (p->name)
		return p->name;
	if (cmd_probe_one_line(p->dut->name))
		return p->dut->name;
	return p->dut_setup.dut.text;
}

/* Capabilities beyond the declaration are no difference, but worth a line. */
static void probe_say_unclaimed(const struct probing *p)
{
	struct text t = {0};

	probe_unclaimed(p->probe, p->dut, &t);
	if (t.len && !p->quiet)
		fprintf(stderr, "%s: shown beyond the declaration: %s\n", WHO,
			text_cstr(&t));
	text_free(&t);
}

static int draft(struct probing *p)
{
	struct text t = {0};
	bool differs = false;
	int code;

	if (!probe_answered(p->probe)) {
		fprintf(stderr,
			"%s: the device answered nothing; is it there, at this "
			"address and port?\n",
			WHO);
		if (p->strays)
			fprintf(stderr,
				"%llu datagrams came back to our source port: "
				"answers go to UDP port %u, from the\nsource "
				"port of what they answer\n",
				(unsigned long long)p->strays,
				(unsigned)p->base->udp_port);
		return EXIT_INCONCLUSIVE;
	}
	probe_strays(p->probe, p->strays);
	if (p->check) {
		probe_say_unclaimed(p);
		differs = probe_compare(p->probe, p->dut, &t) > 0;
	} else {
		probe_draft(p->probe, p->dut, probe_name(p), &t);
	}
	if (text_err(&t))
		code = cli_nomem(WHO);
	else
		code = cmd_probe_put(&t, p->out);
	text_free(&t);
	if (!code && differs)
		return EXIT_FAILED;
	return code;
}

static int probe_device(struct probing *p)
{
	struct diag diag = {0};
	bool answered = false;
	int code, err = corpus_new_probes(&p->corpus, p->cases, &diag);

	if (err)
		return cli_bad_text(WHO, err, &diag);
	if (!corpus_count(p->corpus)) {
		fprintf(stderr, "%s: %s/probe/ has no stimulus\n", WHO,
			p->cases);
		return EXIT_NOTHING;
	}
	code = variants_load(WHO, p->dut_setup.mutant, &p->variants);
	p->dut_setup.variants = &p->variants;
	if (!code)
		code = endpoint_decl(WHO, p->dut_setup.decl_path, &p->variants,
				     !p->dut_setup.dut.virtual, &p->base);
	if (code)
		return code;
	code = cli_can_write(WHO, p->out);
	if (code)
		return code;
	p->dut_setup.decl = p->base;
	p->run.interrupted = p->dut_setup.stop = cli_interrupts();
	code = cmd_probe_find_crc(p, &answered);
	if (!code && !answered) {
		code = knock(p);
		answered = probe_answered(p->probe);
		if (!code)
			code = cmd_probe_take_dut_setup(p);
	}
	if (!code && answered)
		code = try_all(p);
	if (!code && answered)
		code = cmd_probe_still_there(p);
	if (code)
		return code;
	return draft(p);
}

/* ---- Options ---- */

/* Return: -1: continue; else an exit code after a message. */
static int cmd_probe_agree(const struct probing *p)
{
	const struct dut_spec *dut = &p->dut_setup.dut;
	int code;

	if (!dut_options_own(&p->dut_setup) && !dut->linked && !dut->command)
		return cli_usage(WHO, "--dut is missing");
	code = dut_options_check(WHO, &p->dut_setup);
	if (code >= 0)
		return code;
	if (p->check && !p->dut_setup.decl_path)
		return cli_usage(WHO, "--check needs --decl");
	if (p->name && !cmd_probe_one_line(p->name))
		return cli_usage(WHO, "--name is one line without '#'");
	return -1;
}

static int cmd_probe(int argc, char **argv)
{
	struct probing *p = memory_calloc(1, sizeof(*p));
	struct operands none;
	int code;

	if (!p)
		return cli_nomem(WHO);
	p->dut_setup.who = WHO;
	p->dut_setup.keeps = PRIVILEGE_FILES | PRIVILEGE_AGAIN;
	p->run.timeout = STIMULUS_TIME;
	/* A stimulus without its answer shows no capability. */
	p->run.step_over = p->run.fields_only = true;
	p->run.seed = dut_options_clock();
	code = option_read(&command_probe, argc, argv, p, &none);
	if (code < 0)
		code = cmd_probe_agree(p);
	if (code < 0) {
		if (!p->dut_setup.privileged)
			privilege_confine();
		code = probe_device(p);
	}
	cmd_probe_unseat(p);
	record_free(&p->record);
	decl_free(p->base);
	corpus_free(p->corpus);
	free(p);
	return code;
}

const struct command command_probe = {
	.name = "probe",
	.what = "find what a device can do, draft its declaration",
	.usage = "--dut SPEC [OPTION...]",
	.about = "Tries out what a device can do, with about thirty stimuli, "
		 "and writes a draft of its declaration, for you to complete "
		 "and for 'rung run --decl'. --decl gives what is known "
		 "before: the ids that the device accepts, its memory, its "
		 "port. A deviation that every packet shows is reported "
		 "once.",
	.groups = probe_groups,
	.no_operands = true,
	.exits = "Exit codes: 0 a draft was written, or nothing differs, 1 "
		 "something differs, 2 usage or configuration, 3 the device "
		 "answered nothing, or was gone before the end, 5 harness "
		 "error, 130 interrupted.",
	.run = cmd_probe,
};
