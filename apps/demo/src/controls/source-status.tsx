import type { Dataset } from "../data/dataset.js";
import type { Source } from "../data/use-source.js";
import { Elapsed } from "../shell/elapsed.js";
import { Fault } from "./notice.js";

const mostNames = 5;

function listed(columns: Dataset["leftOut"]): string {
  const names = columns.slice(0, mostNames).map(({ index, name }) => name || `column ${index + 1}`);
  const more = columns.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

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

function LoadStatus({ source: { loading, isMissing, retry }, isFile }: SourceStatusProps) {
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
  if (loading.kind !== "ready") return null;
  const { takenFrom, points, leftOut } = loading.dataset;
  if (takenFrom === undefined && leftOut.length === 0) return null;
  return (
    <p class="notice">
      {takenFrom !== undefined && `${points.rows} of the file's ${takenFrom} rows, drawn at random. `}
      {leftOut.length > 0 && `Left out, since they hold words: ${listed(leftOut)}.`}
    </p>
  );
}
