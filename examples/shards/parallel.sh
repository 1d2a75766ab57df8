#!/bin/bash
# GNU parallel: four shards on this machine, two at a time. Over ssh: add --sshlogin server1,server2 and a folder that they share.
set -euo pipefail
sweep="digits.csv --labels digit --grid perplexity=5,10,30 --restarts 2"

parallel --jobs 2 npx @curvature/cli sweep embed $sweep --shard {}/4 --concurrency 1 --out results --resume ::: 1 2 3 4
npx @curvature/cli sweep embed $sweep --merge results --out results
