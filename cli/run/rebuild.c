/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/rebuild.c -- configures reports from the description of a run.
 */
#include "cli/run/rebuild.h"

#include "base/diag.h"
#include "cli/cli.h"
#include "reports/format/checklist.h"

int rebuild_configure(const char *who, const struct manifest *m,
		      struct output_conf *conf, struct baseline **ret)
{
	struct diag diag = {0};
	int err = 0;

	conf->who = who;
	conf->virtual = m->virtual;
	conf->total = m->total;
	conf->about = m->about;
	conf->map = m->map.path;
	conf->map_text = m->map.text;
	conf->map_len = m->map.len;
	if (m->map.text)
		err = checklist_check(m->map.path, m->map.text, m->map.len,
				      &diag);
	if (!err && m->baseline.text)
		err = baseline_parse(ret, m->baseline.path, m->baseline.text,
				     m->baseline.len, m->date, &diag);
	if (err)
		return cli_bad_text(who, err, &diag);
	if (*ret)
		(*ret)->strict = m->about.strict;
	conf->baseline = *ret;
	return 0;
}
