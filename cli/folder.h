/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/folder.h -- what --out keeps of each case, a folder for each:
 *
 *	DIR/cases/uet/rud/send-gtd@target/
 *		case.lad        the case as it was run
 *		ladder.txt      what happened, drawn
 *		capture.pcapng  the packets, with comments
 *		control.jsonl   the control channel, both directions
 *		dut.json        what the device declares
 *		integrity.json  what the tester knows of its own faults
 *
 * A repetition but the first has its number behind the name.
 */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "reports/about.h"
#include "suite/record.h"

#define FOLDER_NAME 4096 /* bytes of a path */

/* folder_probe says whether files can be made in it.  Errors: ERR_SYS. */
int folder_probe(const char *dir);

/*
 * folder_case writes the folder of a case below |dir|; |epoch_ns| is when the
 * record's time 0 was, since 1970.  |ret_capture| holds FOLDER_NAME bytes and
 * becomes the capture's path, relative to |dir|.
 * Errors: ERR_SYS with errno; ERR_NOMEM; ERR_VALUE.
 */
int folder_case(const char *dir, const struct record *r, const struct about *a,
		uint64_t epoch_ns, char *ret_capture);

#endif
