"""A sweep's shards as tasks of Dask. The folder is one that all workers share; each of them has Node.js."""
import subprocess

from dask.distributed import Client

SHARDS = 4
SWEEP = "npx @curvature/cli sweep embed digits.csv --labels digit --grid perplexity=5,10,30 --restarts 2".split()


def shard(i: int) -> None:
    subprocess.run(
        [*SWEEP, "--shard", f"{i}/{SHARDS}", "--concurrency", "1", "--out", "results", "--resume"],
        check=True,
    )


if __name__ == "__main__":
    client = Client()
    client.gather(client.map(shard, range(1, SHARDS + 1), retries=3))
    subprocess.run([*SWEEP, "--merge", "results", "--out", "results"], check=True)
