/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/run/rebuild.h -- the configuration of reports that are made of the
 * records of a run.
 */
#ifndef CLI_RUN_REBUILD_H
#define CLI_RUN_REBUILD_H

#include "cli/file/manifest.h"
#include "cli/run/output.h"
#include "reports/result/baseline.h"

/*
 * rebuild_configure fills |conf| in from the description of a run: device,
 * options, checklist and known failures.  The caller sets the mode and the
 * folder.
 *
 * Owner:  |m| must outlive |conf|; baseline_free frees *ret, also after an
 *         error.
 * Return: 0 or an exit code after a message that begins with |who|.
 */
int rebuild_configure(const char *who, const struct manifest *m,
		      struct output_conf *conf, struct baseline **ret);

#endif
