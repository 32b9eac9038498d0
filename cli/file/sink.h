/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/file/sink.h -- writes to a pipe or a terminal whose reader may stop
 * reading.
 *
 * Bytes that the reader does not take are buffered, so that the run continues
 * and writes its files.  The sink waits for such a reader at the end, or once
 * it is 64 MiB behind; a signal ends that wait.
 */
#ifndef CLI_FILE_SINK_H
#define CLI_FILE_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct sink {
	int fd;                    /* lent; -1: everything is discarded */
	const volatile bool *stop; /* flag of cli_interrupts, or NULL */
	struct text pending;
	size_t sent; /* bytes of |pending| already sent */
};

/*
 * sink_put appends bytes.
 *
 * Errors:
 * - ERR_SYS with errno: EPIPE the reader is gone, EINTR it does not read and a
 *   signal came
 * - ERR_NOMEM
 *
 * After an error the pending bytes and all later ones are lost.
 */
int sink_put(struct sink *s, const char *p, size_t len);

/*
 * sink_end waits until the reader has taken everything; after a signal it waits
 * one second more.
 *
 * Errors: as sink_put.
 */
int sink_end(struct sink *s);

#endif
