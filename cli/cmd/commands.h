/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/cmd/commands.h -- the sub-commands, each defined in the file of its name.
 */
#ifndef CLI_CMD_COMMANDS_H
#define CLI_CMD_COMMANDS_H

#include "cli/option/option.h"

extern const struct command command_adapter_check;
extern const struct command command_attest;
extern const struct command command_bridge;
extern const struct command command_check;
extern const struct command command_compare;
extern const struct command command_cover;
extern const struct command command_doctor;
extern const struct command command_fabric;
extern const struct command command_gen;
extern const struct command command_graph;
extern const struct command command_ladder;
extern const struct command command_history;
extern const struct command command_list;
extern const struct command command_matrix;
extern const struct command command_merge;
extern const struct command command_options;
extern const struct command command_pack;
extern const struct command command_probe;
extern const struct command command_explore;
extern const struct command command_replay;
extern const struct command command_report;
extern const struct command command_run;
extern const struct command command_send;
extern const struct command command_serve;
extern const struct command command_show;
extern const struct command command_verify;
extern const struct command command_why;

/* All commands in the order of 'rung --help'; the last one is NULL. */
extern const struct command *const commands[];

#endif
