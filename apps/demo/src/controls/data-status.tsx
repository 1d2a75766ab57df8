import type { Loading } from "../data/use-dataset.js";
import { Elapsed } from "../shell/elapsed.js";
import { Fault } from "./fault.js";

interface DataStatusProps {
  readonly loading: Loading;
  /** Whether the link speaks of a file that this browser does not have. */
  readonly isMissing: boolean;
  readonly onRetry: () => void;
}

/** How the data come along, or why they do not. */
export function DataStatus({ loading, isMissing, onRetry }: DataStatusProps) {
  if (isMissing)
    return (
      <p class="notice" role="status">
        The link shows a file that is not here: files are never sent anywhere. Choose it to go on.
      </p>
    );
  if (loading.kind === "failed") return <Fault sentence={loading.sentence} onRetry={onRetry} />;
  if (loading.kind === "loading")
    return (
      <p class="notice">
        <span>
          {loading.phase} … <Elapsed since={loading.since} />
        </span>
      </p>
    );
  const { takenFrom, points } = loading.kind === "ready" ? loading.dataset : {};
  if (takenFrom === undefined || points === undefined) return null;
  return (
    <p class="notice">
      {points.rows} of the file's {takenFrom} rows, drawn at random.
    </p>
  );
}
