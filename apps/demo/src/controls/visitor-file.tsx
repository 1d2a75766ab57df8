/** A file of the visitor's: how it is handed over, and forgotten. */
import { useId, useState } from "preact/hooks";
import { checkedFile, fileLimitWords } from "../data/limits.js";

export interface VisitorFileProps {
  readonly label: string;
  /** For the browser's dialogue: ".csv,.npy". */
  readonly accept: string;
  /** The one that is kept, where it is in use. */
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  /** Takes it out of the browser's memory. */
  readonly onForget: () => void;
  readonly onRefused: (sentence: string) => void;
}

/** By drag and drop or by the browser's dialogue; one that is too large is refused before it is read. */
export function VisitorFileField({ label, accept, file, onFile, onForget, onRefused }: VisitorFileProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    setIsOver(false);
    const chosen = files?.item(0);
    if (chosen === null || chosen === undefined) return;
    const problem = checkedFile(chosen);
    if (problem === undefined) onFile(chosen);
    else onRefused(problem);
  };
  return (
    <>
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
      {file !== undefined && (
        <p class="row hint">
          {file.name} is kept in this browser alone, for your next visit.
          <button type="button" class="quiet small" onClick={onForget}>
            Forget it
          </button>
        </p>
      )}
    </>
  );
}
