#!/bin/bash
#SBATCH --job-name=curvature
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=04:00:00
# In a folder that all nodes share: "sbatch slurm.sh" does the shards, "bash slurm.sh" merges when they have ended.
set -euo pipefail
sweep="digits.csv --labels digit --grid perplexity=5,10,30 --restarts 2"

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
  npx @curvature/cli sweep embed $sweep --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --concurrency "${SLURM_CPUS_PER_TASK:-1}" --out results --resume
else
  npx @curvature/cli sweep embed $sweep --merge results --out results
fi
