#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One task of a Slurm job array: a shard of a run of rung.
#
#   jobs=$(sbatch --parsable --array=1-16 slurm-array.sh OUT [OPTION... SELECTOR...])
#   sbatch --dependency="afterany:$jobs" slurm-merge.sh OUT
#
# OUT is a folder that all nodes see.  The options are those of 'rung run'; a
# device at a port needs --seed.  --licenses=nic7 or --gres=nic:1 on the command
# line of sbatch keeps two tasks from the same device.
#SBATCH --job-name=rung
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
out=$1
shift
shard=$out/shard-$SLURM_ARRAY_TASK_ID
# A task that Slurm has started again goes on with what its first run left.
[ ! -e "$shard/run.json" ] || set -- --resume "$@"
mkdir -p "$out"
exec rung run --quiet --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$shard" "$@"
