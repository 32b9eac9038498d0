/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reports/result/record_read.h -- reads a record back from its file.
 */
#ifndef REPORTS_RESULT_RECORD_READ_H
#define REPORTS_RESULT_RECORD_READ_H

#include "reports/result/record_file.h"

/*
 * record_file_parse reads |len| bytes of |text| into |ret|, a record that is
 * all 0 or was cleared.  It sets ret->recalled; the record owns the texts of
 * |ret_about| and the case.
 *
 * Owner:  record_free, also after an error.
 *
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 */
int record_file_parse(struct record *ret, struct record_about *ret_about,
		      const char *path, const char *text, size_t len,
		      struct diag *diag);

#endif
