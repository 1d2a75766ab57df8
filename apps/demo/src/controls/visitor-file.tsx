/** A file of the visitor's, or several: how they are handed over, and forgotten. */
import { useId, useState } from "preact/hooks";
import { checkedFiles, fileLimitWords } from "../data/limits.js";

export interface VisitorFileProps {
  readonly label: string;
  /** For the browser's dialogue: ".csv,.npy". */
  readonly accept: string;
  /** The one that is kept, where it is in use. */
  readonly file: File | undefined;
  /** All of them, the one among them. */
  readonly files: readonly File[];
  /** Whether several may be handed over at once. */
  readonly areSeveral?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /** Takes it out of the browser's memory. */
  readonly onForget: () => void;
  readonly onRefused: (sentence: string) => void;
}

/** By drag and drop or by the browser's dialogue; one that is too large is refused before it is read. */
export function VisitorFileField(props: VisitorFileProps) {
  const { label, accept, file, files: kept, areSeveral = false, onFiles, onForget, onRefused } = props;
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    setIsOver(false);
    const chosen = Array.from(files ?? []).slice(0, areSeveral ? undefined : 1);
    if (chosen.length === 0) return;
    const problem = checkedFiles(chosen);
    if (problem === undefined) onFiles(chosen);
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
          multiple={areSeveral}
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
          {kept.length > 1 ? `${file.name} and ${kept.length - 1} more are` : `${file.name} is`} kept in this
          browser alone, for your next visit.
          <button type="button" class="quiet small" onClick={onForget}>
            {kept.length > 1 ? "Forget them" : "Forget it"}
          </button>
        </p>
      )}
    </>
  );
}
