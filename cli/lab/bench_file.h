/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/lab/bench_file.h -- reads bench.yaml: the devices of a lab.
 *
 *	benches:
 *	  nic7:
 *	    dut: udp:192.0.2.1,peer=192.0.2.2
 *	    decl: nic7.decl
 *	    firmware: ssh lab7 cat /sys/class/infiniband/mlx5_0/fw_ver
 *	    acquire: ...
 *
 * docs/lab.md describes all keys.
 */
#ifndef CLI_LAB_BENCH_FILE_H
#define CLI_LAB_BENCH_FILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/vtime.h"

/* A bench.  Texts are NULL if the file does not give them. */
struct bench {
	const char *name;
	/* as the options of the same names */
	const char *dut, *control, *decl, *trigger;
	/* shell commands that print a line */
	const char *firmware, *driver;
	/* for the reports */
	const char *clock, *cabling, *path, *tags;
	/* shell commands that change something */
	const char *reset, *power, *acquire, *release;
	const char *canary; /* selector of the case that shows a sound bench */
	vspan lease;        /* how long acquire is valid; 0: until release */
};

/*
 * bench_file_parse reads the bench |name|, and checks all others.
 *
 * Owner:  texts are on |a|.
 * Errors: ERR_SYNTAX with |diag| filled; ERR_NOMEM.
 */
int bench_file_parse(struct bench *ret, struct arena *a, const char *path,
		     const char *text, size_t len, const char *name,
		     struct diag *diag);

#endif
