import { useEffect, useState } from "preact/hooks";
import { startJob } from "../worker/job.js";
import { type DataRequest, type Dataset, fileMark } from "./dataset.js";
import { mostExpandedBytes } from "./limits.js";
import type { FileReading } from "./read-file.js";
import type { TableState } from "./table-fields.js";

export type Loading =
  /** Nothing is asked for, or a file whose table nobody has taken yet. */
  | { readonly kind: "none" }
  | {
      readonly kind: "loading";
      readonly phase: string;
      /** Since this moment of `performance.now()`. */
      readonly since: number;
    }
  | { readonly kind: "ready"; readonly dataset: Dataset }
  | { readonly kind: "failed"; readonly sentence: string };

/** A name, the same for the same data, and what to load; undefined for nothing. */
export type KeyedRequest = readonly [key: string, request: DataRequest | undefined];

interface DataLoad {
  readonly loading: Loading;
  /** The last file's. */
  readonly reading: FileReading | undefined;
  /** Tries once more, after a failure. */
  readonly retry: () => void;
}

/**
 * The request for a visitor's file, and its name.
 *
 * @param mostRows - rows beyond which a random sample is taken
 * @param areTargets - whether the labels are to be learned
 */
export function fileRequest(
  file: File,
  state: TableState,
  mostRows: number,
  areTargets: boolean,
  mostBytes = mostExpandedBytes(),
): KeyedRequest {
  const { header, delimiter, decimal, thousands, encoding, skip } = state;
  const { labels, toggled, words, missing, scale, taken } = state;
  const reading = { header, delimiter, decimal, thousands, encoding, skip };
  const choices = { labels, toggled, words, missing, scale };
  const isTaken = taken === fileMark(file);
  const key = [file.name, fileMark(file), mostRows, reading, isTaken ? choices : labels, isTaken];
  return [
    JSON.stringify(key),
    { kind: "file", file, reading, choices, areTargets, isTaken, mostBytes, mostRows },
  ];
}

/**
 * The data of a request, made or read in a worker; a new request ends the one before.
 *
 * @param key - names the request: the same key is the same data
 */
export function useDataset(key: string, request: DataRequest | undefined): DataLoad {
  const [attempt, setAttempt] = useState(0);
  const [loading, setLoading] = useState<{ readonly key: string; readonly state: Loading }>({
    key: "",
    state: { kind: "none" },
  });
  const [reading, setReading] = useState<FileReading | undefined>();
  useEffect(() => {
    const tell = (state: Loading): void => setLoading({ key, state });
    if (request === undefined) {
      tell({ kind: "none" });
      return undefined;
    }
    const since = performance.now();
    tell({ kind: "loading", phase: "starting", since });
    let isCurrent = true;
    const job = startJob("load", request, {
      onPhase: (phase) => isCurrent && tell({ kind: "loading", phase, since }),
    });
    void job.ending.then(({ status, answer }) => {
      if (!isCurrent) return;
      if (answer?.reading !== undefined) setReading(answer.reading);
      if (answer?.dataset !== undefined) tell({ kind: "ready", dataset: answer.dataset });
      else if (answer !== undefined) tell({ kind: "none" });
      else if (status.kind === "failed") tell(status);
    });
    return () => {
      isCurrent = false;
      job.cancel();
    };
  }, [key, attempt]);
  const shown: Loading =
    loading.key === key ? loading.state : { kind: "loading", phase: "starting", since: performance.now() };
  return { loading: shown, reading, retry: () => setAttempt(attempt + 1) };
}
