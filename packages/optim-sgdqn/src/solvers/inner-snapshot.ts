/** Snapshots of solvers within solvers. */
import type { Snapshot } from "@curvature/optim-core";

/** What `snapshot` holds under `inner`; whether that is a snapshot, and whose, is for the inner solver to say. */
export function innerSnapshot({ state }: Snapshot): Snapshot {
  const inner: unknown =
    typeof state === "object" && state !== null && "inner" in state ? state.inner : undefined;
  return isSnapshot(inner) ? inner : { solver: "", version: 0, state: null };
}

function isSnapshot(value: unknown): value is Snapshot {
  return (
    typeof value === "object" && value !== null && "solver" in value && "version" in value && "state" in value
  );
}
