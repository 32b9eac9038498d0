/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/tool.h -- runs another program of this machine (tc, tshark) and reads its
 * output.
 */
#ifndef CLI_TOOL_H
#define CLI_TOOL_H

#include <stdbool.h>

#include "base/text.h"

/*
 * tool_output runs a shell command and appends the lines that it prints within
 * ten seconds to |ret|, each with its newline.  A command that takes longer is
 * killed.  It gets no capability, no descriptor and a clean environment
 * (suite/dut/chan/dut_spawn.h).
 * Return: true if it printed a line.
 */
bool tool_output(const char *command, struct text *ret);

#endif
