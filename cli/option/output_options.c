/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/option/output_options.c -- reads the options about the destination and
 * the form of reports.
 */
#include "cli/option/output_options.h"

#include "cli/option/option_rows.h"

const struct option_row output_rows[] = {
	{0, "json", "FILE", "write results as JSON; - is standard output",
	 OPTION_FILE(struct output_conf, file[OUTPUT_JSON])},
	{0, "junit", "FILE", "write results as JUnit XML; - is standard output",
	 OPTION_FILE(struct output_conf, file[OUTPUT_JUNIT])},
	{0, "markdown", "FILE", "write a summary for the page of a CI step",
	 OPTION_FILE(struct output_conf, file[OUTPUT_MARKDOWN])},
	{0, "html", "FILE",
	 "write the report as one HTML page; - is standard output",
	 OPTION_FILE(struct output_conf, file[OUTPUT_HTML])},
	{0, "tap", NULL, "print results as TAP on standard output",
	 OPTION_FLAG(struct output_conf, tap)},
	{'q', "quiet", NULL,
	 "print what is wrong, in short, and no line for each case",
	 OPTION_FLAG(struct output_conf, quiet)},
	{0, "ladders", NULL,
	 "print a ladder for every case, not for failed ones only",
	 OPTION_FLAG(struct output_conf, ladders)},
	{'v', "verbose", NULL,
	 "print a ladder for every case, with every field and packet",
	 OPTION_FLAG(struct output_conf, verbose)},
	{0, "durations", "N", "list the N cases that took longest at the end",
	 OPTION_NUMBER(struct output_conf, slowest, 0, UINT32_MAX)},
	OPTION_ROW_COLOUR(struct output_conf, when),
	OPTION_END};

int output_options_check(const char *who, struct output_conf *conf)
{
	conf->colour = cli_use_colour(stdout, conf->when);
	if (output_on_stdout(conf) > 1)
		return cli_usage(who, "only one of the reports can go to "
				      "standard output");
	return -1;
}
