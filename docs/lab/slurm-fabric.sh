#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One task of a Slurm job array: a fabric with a seed of its own.
#
#   sbatch --array=1-100 slurm-fabric.sh OUT [OPTION... FILE]
#
# OUT is a folder that all nodes see; task 7 runs seed 7 and writes
# OUT/fabric-7.json.  The options are those of 'rung fabric'.
#SBATCH --job-name=rung-fabric
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
out=$1
shift
mkdir -p "$out"
said=$out/fabric-$SLURM_ARRAY_TASK_ID.json
code=0
rung fabric --json --seed "$SLURM_ARRAY_TASK_ID" "$@" >"$said.part" || code=$?
mv "$said.part" "$said"
exit "$code"
