/** What the run does, or has done, in a line or two. */
import { Elapsed } from "../../shell/elapsed.js";
import type { NomadRun } from "./nomad-run.js";
import { fewest } from "./points.js";

const phaseWords: Readonly<Record<string, string>> = {
  "burer-monteiro": "factorisation, for the lower bound",
  "dual-guess": "dual, for the upper bound",
  "dual-gradient": "dual, for the upper bound",
  admm: "ADMM, for both bounds",
  "upper-estimate": "estimate of the upper bound",
  certificate: "certificate of the upper bound",
};

interface StatusProps {
  readonly run: NomadRun | undefined;
  /** Whether the run was made with other points or options than those of now. */
  readonly isStale: boolean;
  readonly count: number;
  readonly isLoading: boolean;
}

export function Status({ run, isStale, count, isLoading }: StatusProps) {
  if (isLoading) return <p class="notice">loading the digits …</p>;
  if (count < fewest)
    return (
      <p class="notice disentangle-status" role="status">
        There are {count === 0 ? "no" : "too few"} points yet. Draw some: press and move, or use the arrow
        keys and Enter.
      </p>
    );
  if (run === undefined) return <p class="notice">Not run yet.</p>;
  const { status } = run;
  return (
    <div
      class={`notice disentangle-status${status.kind === "failed" ? " notice-bad" : ""}`}
      data-status={status.kind}
    >
      <p class="numbers" role={status.kind === "failed" ? "alert" : undefined}>
        <StatusWords run={run} />
        {isStale &&
          status.kind !== "failed" &&
          " Made with other points or options than those of now: Run makes it anew."}
      </p>
    </div>
  );
}

function StatusWords({ run: { status, bounds, answer, startedAt } }: { readonly run: NomadRun }) {
  const latest = bounds.at(-1);
  switch (status.kind) {
    case "running":
      return (
        <>
          {phaseWords[status.phase] ?? status.phase} …{" "}
          {latest !== undefined && `K ${latest.clusters} · iteration ${latest.iteration} · `}
          <Elapsed since={startedAt} />
        </>
      );
    case "failed":
      return <>{status.sentence}</>;
    case "stopped":
      return (
        <>
          Stopped
          {latest === undefined
            ? " before there was a Q."
            : `. iteration ${latest.iteration}: the best Q so far is kept.`}
        </>
      );
    case "done":
      return (
        <>
          {answer?.message} {answer?.iterations} iterations in {answer?.elapsedSeconds.toFixed(2)} s.
        </>
      );
  }
}
