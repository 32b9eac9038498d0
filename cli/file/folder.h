/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/folder.h -- the folder of --out: the reports of a run, and a folder
 * for each case:
 *
 *	DIR/cases/uet/rud/send-gtd@target/
 *              case.lad        the case as it was run
 *              ladder.txt      what happened, drawn
 *              capture.pcapng  the packets, with comments
 *              control.jsonl   the control channel, both directions
 *              dut.json        what the device declares
 *              integrity.json  faults of the tester itself
 *              replay.json     the options that repeat it (cli/file/bundle.h)
 *              record.jsonl    the record, from which all reports are made
 *              transcript.jsonl  all calls to the device, with --transcript
 *
 * From the second repetition on, its number follows the name.
 *
 * One run at a time writes to a folder.  The files of an earlier run move to
 * DIR/earlier if that run ended, else to DIR/unfinished, so that DIR holds
 * files of one run only.  A move that a signal ended is finished the next time.
 */
#ifndef CLI_FILE_FOLDER_H
#define CLI_FILE_FOLDER_H

#include "reports/about.h"
#include "suite/verdict/record.h"

#define FOLDER_NAME 4096 /* bytes of the longest path */

#define FOLDER_TRANSCRIPT "transcript.jsonl" /* in the folder of a case */

/* folder_make makes a folder and the folders above it.  Errors: ERR_SYS. */
int folder_make(const char *path);

/*
 * folder_open locks the folder |path| for this process.  It finishes a move
 * that a signal interrupted, and removes the files and the folders of cases
 * that a killed run left incomplete; those that cannot be removed stay.
 *
 * Owner:  folder_close closes *ret.
 *
 * Errors: ERR_SYS with errno (EWOULDBLOCK: another run writes there).
 */
int folder_open(const char *path, int *ret);
void folder_close(int dir);

/*
 * folder_begin moves the results of an earlier run in the open folder aside.
 *
 * Errors: ERR_SYS with errno.
 */
int folder_begin(int dir);

/*
 * folder_case writes the folder of a case below |dir|; it appears there when it
 * is complete.  |epoch_ns| is the wall-clock time of the record's time 0, since
 * 1970. |ret_capture| holds FOLDER_NAME bytes and becomes the capture's path,
 * relative to |dir|.  Links below |dir| are not followed.
 *
 * Errors: ERR_SYS with errno; ERR_NOMEM; ERR_VALUE.
 */
int folder_case(int dir, const struct record *r, const struct about *a,
		uint64_t epoch_ns, char *ret_capture);

/* Fills the new folder |dir| of a result.  Errors: as folder_case. */
typedef int folder_fill_fn(int dir, void *ctx);

/*
 * folder_result makes the folder |path| below |dir|, and those above it.  It
 * appears when |fill| has filled it.  Links below |dir| are not followed.
 *
 * Errors: ERR_SYS with errno; those of |fill|.
 */
int folder_result(int dir, const char *path, folder_fill_fn *fill, void *ctx);

/*
 * folder_place writes the path of a result: "cases/ID@CHAIR", followed by ".2"
 * and so on for a repetition.
 */
void folder_place(const char *id, uint32_t repeat, char ret[FOLDER_NAME]);

#endif
