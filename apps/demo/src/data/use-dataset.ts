import { useEffect, useState } from "preact/hooks";
import { startJob } from "../worker/job.js";
import type { DataRequest, Dataset } from "./dataset.js";
import { mostExpandedBytes } from "./limits.js";

export type Loading =
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
  /** Tries once more, after a failure. */
  readonly retry: () => void;
}

/**
 * The request for a visitor's file, and its name.
 *
 * @param labels - a column's name; "" for the one that looks like labels
 * @param mostRows - rows beyond which a random sample is taken
 */
export const fileRequest = (file: File, labels: string, mostRows: number): KeyedRequest => [
  [file.name, file.size, file.lastModified, mostRows, labels].join(" "),
  {
    kind: "file",
    file,
    labels: labels === "" ? undefined : labels,
    mostBytes: mostExpandedBytes(),
    mostRows,
  },
];

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
      if (answer !== undefined) tell({ kind: "ready", dataset: answer });
      else if (status.kind === "failed") tell(status);
    });
    return () => {
      isCurrent = false;
      job.cancel();
    };
  }, [key, attempt]);
  const shown: Loading =
    loading.key === key ? loading.state : { kind: "loading", phase: "starting", since: performance.now() };
  return { loading: shown, retry: () => setAttempt(attempt + 1) };
}
