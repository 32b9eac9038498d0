/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/explore/explore_setup.c -- makes the device, its declaration, transports
 * and chairs of the options.
 */
#include "cli/explore/explore_setup.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/endpoint.h"
#include "cli/explore/explore_device.h"
#include "cli/file/atomic_file.h"
#include "cli/file/folder.h"
#include "suite/decl/capability.h"
#include "suite/lang/chair.h"

/* The ids of a virtual device use their highest bits, as in "rung run". */
static void explore_virtual(struct decl *decl)
{
	if (decl)
		endpoint_fill_ids(decl);
}

/* Returns the mask of a list of subjects; 0: a word is not one. */
static unsigned explore_subjects(const char *list)
{
	unsigned all = 0;

	for (const char *s = list; *s; s += *s == ',') {
		const size_t len = strcspn(s, ",");
		unsigned bit = 0;

		for (int i = 0; i < DRAFT_SUBJECTS; i++) {
			const char *name =
				draft_subject_name((enum draft_subject)i);

			if (strlen(name) == len && !strncmp(name, s, len))
				bit = 1u << i;
		}
		if (!bit)
			return 0;
		all |= bit;
		s += len;
	}
	return all;
}

/* Returns the mask of the subjects that the device claims. */
static unsigned explore_claimed(const struct decl *decl)
{
	unsigned all = 0;

	for (int i = 0; i < DRAFT_SUBJECTS; i++)
		if (decl_claims(decl,
				draft_subject_name((enum draft_subject)i)))
			all |= 1u << i;
	return all;
}

/*
 * Makes the folder of --out, and checks that a finding can be written there.
 * Errors: ERR_SYS.
 */
static int explore_make(const char *path)
{
	struct atomic_file finding;
	int dir, err;

	if (folder_make(path))
		return ERR_SYS;
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return ERR_SYS;
	err = atomic_open_at(&finding, dir, "finding.lad");
	atomic_drop(&finding);
	close(dir);
	return err;
}

/* Chooses the transports and the chairs.  Return: 0 or an exit code. */
static int explore_choose_subjects(struct exploring *e)
{
	if (e->family)
		e->conf.subjects = explore_subjects(e->family);
	else
		e->conf.subjects = explore_claimed(e->decl);
	if (!e->conf.subjects && e->family)
		return cli_usage(e->who,
				 "--only takes rud, rod, rudi, uud, srd, wqe "
				 "and roce, separated by commas, not '%s'",
				 e->family);
	if (!e->conf.subjects)
		return cli_usage(e->who,
				 "the declaration claims none of rud, rod, "
				 "rudi, uud, srd, wqe and roce: there is "
				 "nothing to explore");
	if (e->chair)
		e->conf.chairs = 1u << (e->chair - 1);
	else
		e->conf.chairs = (1u << CHAIR_COUNT) - 1;
	if (e->replay) { /* the log says which */
		e->conf.subjects = (1u << DRAFT_SUBJECTS) - 1;
		e->conf.chairs = (1u << CHAIR_COUNT) - 1;
	}
	return 0;
}

int explore_setup(struct exploring *e)
{
	int code = variants_load(e->who, e->dut_setup.mutant, &e->variants);

	e->dut_setup.variants = &e->variants;
	e->dut_setup.stop = cli_interrupts();
	if (!code)
		code = endpoint_decl(e->who, e->dut_setup.decl_path,
				     &e->variants, !e->dut_setup.dut.virtual,
				     &e->decl);
	if (!code)
		code = explore_reference_new(e);
	if (code)
		return code;
	if (e->dut_setup.dut.virtual && !e->dut_setup.decl_path) {
		explore_virtual(e->decl);
		explore_virtual(e->reference_decl);
	}
	e->dut_setup.decl = e->decl;
	e->reference.decl = e->reference_decl;
	e->conf.decl = e->decl;
	e->conf.reference = e->reference_decl;
	e->conf.seed = e->seed;
	code = explore_choose_subjects(e);
	if (code)
		return code;
	e->conf.stop = e->dut_setup.stop;
	e->conf.live = !e->dut_setup.dut.virtual;
	e->conf.exposes_asked =
		!e->dut_setup.dut.linked &&
		(e->dut_setup.dut.virtual || e->dut_setup.dut.ref);
	e->conf.single = !e->dut_setup.dut.virtual &&
			 !dut_setup_many(&e->dut_setup.dut);
	if (e->revive)
		e->conf.revive = explore_revive;
	if (e->out && explore_make(e->out))
		return cli_sys(e->who, e->out);
	return 0;
}
