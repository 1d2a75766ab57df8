import type { Source } from "../data/use-source.js";
import { Elapsed } from "../shell/elapsed.js";
import { Fault } from "./notice.js";

interface SourceStatusProps {
  readonly source: Source;
  /** Whether the state speaks of a file. */
  readonly isFile: boolean;
}

/** How the data come along, or why they do not. */
export const SourceStatus = ({ source, isFile }: SourceStatusProps) => (
  <>
    <Fault sentence={source.refusal} />
    <LoadStatus source={source} isFile={isFile} />
  </>
);

function LoadStatus({ source: { loading, isMissing, retry, reading }, isFile }: SourceStatusProps) {
  if (isFile && isMissing)
    return (
      <p class="notice" role="status">
        There is no file here: choose one, under “Data and options”. A link holds none, since files are never
        sent anywhere.
      </p>
    );
  if (loading.kind === "failed") return <Fault sentence={loading.sentence} onRetry={retry} />;
  if (loading.kind === "loading")
    return (
      <p class="notice">
        <span>
          {loading.phase} … <Elapsed since={loading.since} />
        </span>
      </p>
    );
  if (isFile && reading !== undefined && reading.look === undefined)
    return <p class="notice">The file is not read yet: “Data and options” says why.</p>;
  if (loading.kind !== "ready") return null;
  const { takenFrom, points, notes } = loading.dataset;
  const sentences = [
    ...(takenFrom === undefined ? [] : [`${points.rows} of ${takenFrom} rows, drawn at random.`]),
    ...notes,
  ];
  return sentences.length === 0 ? null : <p class="notice">{sentences.join(" ")}</p>;
}
