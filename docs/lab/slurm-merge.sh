#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Joins the shards of slurm-array.sh.  The job's exit code is that of the whole
# run.
#SBATCH --job-name=rung-merge
set -eu
exec rung merge --quiet "$1"/shard-*/ --out "$1/results"
