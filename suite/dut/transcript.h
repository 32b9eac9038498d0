/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite/dut/transcript.h -- records what passes between the runner and a
 * device, so that a case can be judged again without the device.
 *
 * The runner is deterministic: its verdict follows from the case, the
 * declaration, the seed, and the results of its calls to the device.  A
 * transcript has a line for each call, in order, with its result;
 * dut_replayed.h gives these results to a runner again.
 *
 *    {"schema":"rung.transcript/1","tester":"127.0.0.1","peer":"127.0.0.2",...}
 *    ["begin",0,[1,0,0,0]]                 error; link
 *    ["now",2000]                          time in ns
 *    ["send",0,112,"5d1e3f09"]             error; length and CRC-32C of the
 * data
 *    ["control",0,{"id":1,"verb":"send"}]  error; request
 *    ["next",0,"dgram",2400,[...],"0a00"]  error; kind; time; head; data
 *    ["next",0,"event",2500,{...}]         error; kind; time; message
 *    ["next",0,"timeout",3000]
 *    ["tally"]
 *    ["counts",[0,0,...]]                  the counts after the line above
 */
#ifndef SUITE_DUT_TRANSCRIPT_H
#define SUITE_DUT_TRANSCRIPT_H

#include <jansson.h>

#include "base/text.h"
#include "suite/dut/dut.h"

#define TRANSCRIPT_SCHEMA "rung.transcript/1"

/*
 * transcript_begin records all calls to |d| from now on, until it is freed.
 * Errors: ERR_NOMEM.
 */
int transcript_begin(struct dut *d);

/*
 * transcript_take moves the transcript of the calls since the last
 * transcript_take to the empty text |ret|.  A device without a transcript
 * leaves it empty.
 * Errors: ERR_NOMEM.
 */
int transcript_take(struct dut *d, struct text *ret);

/* Numbers of a line, in the order in which both files write and read them. */
enum { TRANSCRIPT_COUNTS = 10 + DOUBT_COUNT, TRANSCRIPT_HEAD = 16 };

/* transcript_counts lists the counts of a device. */
void transcript_counts(const struct dut_counts *c,
		       uint64_t ret[TRANSCRIPT_COUNTS]);

/* transcript_head lists the members of a datagram between addresses and data.
 */
void transcript_head(const struct dgram *d, uint64_t ret[TRANSCRIPT_HEAD]);

#endif
