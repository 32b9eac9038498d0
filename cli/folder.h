/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/folder.h -- the folder of --out: the reports of a run, and a folder for
 * each case:
 *
 *	DIR/cases/uet/rud/send-gtd@target/
 *		case.lad        the case as it was run
 *		ladder.txt      what happened, drawn
 *		capture.pcapng  the packets, with comments
 *		control.jsonl   the control channel, both directions
 *		dut.json        what the device declares
 *		integrity.json  what the tester knows of its own faults
 *		replay.json     what repeats the result (cli/bundle.h)
 *
 * The number of a repetition stands behind the name, but for the first.
 *
 * One run at a time writes to a folder.  What an earlier run left there moves
 * to DIR/earlier if that run ended, else to DIR/unfinished, so that DIR holds
 * files of one run only.
 */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "reports/about.h"
#include "suite/record.h"

#define FOLDER_NAME 4096 /* bytes of a path */

/* folder_make makes a folder and those above it.  Errors: ERR_SYS. */
int folder_make(const char *path);

/*
 * folder_open makes the folder |path| if need be, locks it for this process,
 * and moves aside what an earlier run left.
 *
 * Owner:  folder_close closes *ret.
 * Errors: ERR_SYS with errno (EWOULDBLOCK: another run writes there).
 */
int folder_open(const char *path, int *ret);
void folder_close(int dir);

/*
 * folder_case writes the folder of a case below |dir|; it appears there when it
 * is complete.  |epoch_ns| is when the record's time 0 was, since 1970.
 * |ret_capture| holds FOLDER_NAME bytes and becomes the capture's path,
 * relative to |dir|.  Links below |dir| are not followed.
 *
 * Errors: ERR_SYS with errno; ERR_NOMEM; ERR_VALUE.
 */
int folder_case(int dir, const struct record *r, const struct about *a,
		uint64_t epoch_ns, char *ret_capture);

/*
 * folder_sub makes the folder |name| in |dir| if need be and opens it.
 *
 * Owner:  the caller closes *ret.
 * Errors: ERR_SYS with errno (ELOOP, ENOTDIR: something else has that name).
 */
int folder_sub(int dir, const char *name, int *ret);

/*
 * folder_put writes a new file of |len| bytes in a folder that is not complete
 * yet; nothing may have that name.
 * Errors: ERR_SYS with errno.
 */
int folder_put(int dir, const char *name, const char *s, size_t len);

#endif
