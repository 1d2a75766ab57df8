import { useEffect, useState } from "preact/hooks";
import { forgetFile, keepFile, keptFile } from "../state/file-memory.js";

export interface VisitorFile {
  readonly file: File | undefined;
  /** Whether the browser is still being asked for the file of the last visit. */
  readonly isAsking: boolean;
  readonly choose: (file: File) => void;
  /** Takes it out of the browser's memory too. */
  readonly forget: () => void;
}

/** The visitor's file for a view: the one just chosen, or that of the last visit. */
export function useFile(view: string): VisitorFile {
  const [file, setFile] = useState<File | undefined>();
  const [isAsking, setIsAsking] = useState(true);
  useEffect(() => {
    let isCurrent = true;
    void keptFile(view).then((kept) => {
      if (!isCurrent) return;
      setFile((chosen) => chosen ?? kept);
      setIsAsking(false);
    });
    return () => {
      isCurrent = false;
    };
  }, [view]);
  const choose = (chosen: File): void => {
    setFile(chosen);
    void keepFile(view, chosen);
  };
  const forget = (): void => {
    setFile(undefined);
    void forgetFile(view);
  };
  return { file, isAsking, choose, forget };
}
