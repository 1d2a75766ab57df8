"""A sweep's shards as tasks of Ray. The folder is one that all nodes share; each node has Node.js."""
import subprocess

import ray

SHARDS = 4
SWEEP = "npx @curvature/cli sweep embed digits.csv --labels digit --grid perplexity=5,10,30 --restarts 2".split()


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def shard(i: int) -> None:
    subprocess.run(
        [*SWEEP, "--shard", f"{i}/{SHARDS}", "--concurrency", "1", "--out", "results", "--resume"],
        check=True,
    )


ray.init()
ray.get([shard.remote(i) for i in range(1, SHARDS + 1)])
subprocess.run([*SWEEP, "--merge", "results", "--out", "results"], check=True)
