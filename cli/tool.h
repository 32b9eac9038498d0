/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/tool.h -- what another program of this machine prints: tc, tshark.
 */
#ifndef CLI_TOOL_H
#define CLI_TOOL_H

#include <stdbool.h>

#include "base/text.h"

/*
 * tool_output runs a shell command and appends the lines that it prints within
 * ten seconds to |ret|, each with its newline.  A command that goes on is
 * killed.  It gets no capability, no descriptor and a clean environment
 * (suite/dut/chan/dut_spawn.h).
 * Return: whether it printed a line.
 */
bool tool_output(const char *command, struct text *ret);

#endif
