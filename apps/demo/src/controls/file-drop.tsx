import { useId, useState } from "preact/hooks";
import { checkedFile, fileLimitWords } from "../data/limits.js";

interface FileDropProps {
  readonly label: string;
  /** For the browser's dialogue: ".csv,.npy". */
  readonly accept: string;
  readonly onFile: (file: File) => void;
  readonly onRefused: (sentence: string) => void;
}

/** A file by drag and drop or by the browser's dialogue; one that is too large is refused before it is read. */
export function FileDrop({ label, accept, onFile, onRefused }: FileDropProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    setIsOver(false);
    const file = files?.item(0);
    if (file === null || file === undefined) return;
    const problem = checkedFile(file);
    if (problem === undefined) onFile(file);
    else onRefused(problem);
  };
  return (
    <fieldset
      class={`file-drop ${isOver ? "file-drop-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
      <small id={`${id}-hint`} class="hint">
        {fileLimitWords()}
      </small>
    </fieldset>
  );
}
