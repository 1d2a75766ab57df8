/** A file of the visitor's: how it is handed over, forgotten, and which of its columns are the labels. */
import type { Dataset } from "../data/dataset.js";
import { SelectField } from "./fields.js";
import { FileDrop } from "./file-drop.js";

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

export function VisitorFileField({ label, accept, file, onFile, onForget, onRefused }: VisitorFileProps) {
  return (
    <>
      <FileDrop label={label} accept={accept} onFile={onFile} onRefused={onRefused} />
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

interface LabelColumnProps {
  readonly dataset: Dataset | undefined;
  /** A column's name; "" for the one that was found. */
  readonly value: string;
  readonly onChange: (labels: string) => void;
}

/** Which column of the file names the classes; nothing for a file without names of columns. */
export function LabelColumnField({ dataset, value, onChange }: LabelColumnProps) {
  const choices = dataset?.choices ?? [];
  if (choices.length === 0) return null;
  const found = dataset?.labelName === undefined ? "none found" : `found: ${dataset.labelName}`;
  return (
    <SelectField
      label="Column of labels"
      value={value}
      options={[{ value: "", name: found }, ...choices.map((name) => ({ value: name, name }))]}
      onChange={onChange}
    />
  );
}
