/** Where a view's data come from: what its state asks for, or the visitor's file. */
import { useEffect, useState } from "preact/hooks";
import type { VisitorFileProps } from "../controls/visitor-file.js";
import { forgetFiles, keepFiles, keptFiles } from "../state/file-memory.js";
import { type Dataset, fileMark } from "./dataset.js";
import type { FileReading } from "./read-file.js";
import { type KeyedRequest, type Loading, useDataset } from "./use-dataset.js";

export type FileActions = Omit<VisitorFileProps, "label" | "accept">;

interface VisitorFile {
  /** For the field that takes it. */
  readonly actions: FileActions;
  /** Whether the browser keeps none for the view, and none was chosen. */
  readonly isMissing: boolean;
  /** Why the last one was not taken. */
  readonly refusal: string;
}

/**
 * The visitor's file for a view, or files: the one just chosen, or that of the last visit.
 *
 * @param onTurn - to the file that was chosen, or away from the one that was forgotten
 */
export function useVisitorFile(view: string, onTurn: (isFile: boolean) => void): VisitorFile {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isAsking, setIsAsking] = useState(true);
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    let isCurrent = true;
    void keptFiles(view).then((kept) => {
      if (!isCurrent) return;
      setFiles((chosen) => (chosen.length > 0 ? chosen : kept));
      setIsAsking(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [view]);
  const turn = (next: readonly File[]): void => {
    setRefusal("");
    setFiles(next);
    void (next.length === 0 ? forgetFiles(view) : keepFiles(view, next));
    onTurn(next.length > 0);
  };
  const [file] = files;
  const actions = { file, files, onFiles: turn, onForget: () => turn([]), onRefused: setRefusal };
  return { actions, isMissing: file === undefined && !isAsking, refusal };
}

export interface Source extends VisitorFile {
  readonly dataset: Dataset | undefined;
  readonly loading: Loading;
  /** Of the visitor's file. */
  readonly reading: FileReading | undefined;
  readonly retry: () => void;
}

/** @param requestOf - what the state asks for, with the visitor's file */
export function useSource(
  view: string,
  requestOf: (file: File | undefined) => KeyedRequest,
  onTurn: (isFile: boolean) => void,
): Source {
  const own = useVisitorFile(view, onTurn);
  const load = useDataset(...requestOf(own.actions.file));
  const dataset = load.loading.kind === "ready" ? load.loading.dataset : undefined;
  const { file } = own.actions;
  const isOfFile = file !== undefined && load.reading?.of === fileMark(file);
  return { ...own, ...load, reading: isOfFile ? load.reading : undefined, dataset };
}
