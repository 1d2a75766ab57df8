/** The stimuli: names that are pasted or read from a file, or pictures of a folder. */
import { useId, useState } from "preact/hooks";
import { Fault } from "../../../controls/notice.js";
import { droppedFiles } from "./dropped.js";
import { TextField } from "./fields.js";
import type { StudyForm } from "./form.js";
import { longestSide, type Pictures, picturesOf } from "./pictures.js";

interface StimuliProps {
  readonly form: StudyForm;
  readonly update: (change: Partial<StudyForm>) => void;
  readonly found: Pictures;
  readonly onFound: (found: Pictures) => void;
  /** Of the stimuli that count. */
  readonly names: readonly string[];
}

export function Stimuli({ form, update, found, onFound, names }: StimuliProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [progress, setProgress] = useState("");
  const [problem, setProblem] = useState("");
  const { pictures, others } = found;

  const take = async (files: readonly File[]): Promise<void> => {
    setIsOver(false);
    setProblem("");
    if (files.length === 0) return;
    const isText = ({ name, type }: File): boolean => /\.(txt|csv|tsv)$/i.test(name) || type === "text/plain";
    if (files.length === 1 && isText(files[0])) return takeNames(files[0]);
    const next = await picturesOf(files, (done, of) => setProgress(`Reading pictures: ${done} of ${of}`));
    setProgress("");
    onFound(next);
    if (next.pictures.length === 0 && next.broken.length === 0)
      setProblem(
        "There is no picture among these files (PNG, JPEG, GIF, WebP, AVIF, BMP or SVG), and no list of names.",
      );
  };
  const takeNames = async (file: File): Promise<void> => {
    if (file.size > 1_000_000) return setProblem(`${file.name} is too large for a list of names.`);
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      update({ names: text.replace(/^\uFEFF/, "") });
      onFound({ pictures: [], broken: [], others: 0 });
    } catch {
      setProblem(`${file.name} is not text in UTF-8. Save it as UTF-8.`);
    }
  };
  const failed = (error: unknown): void => {
    setProgress("");
    setProblem(`The files could not be read: ${error instanceof Error ? error.message : String(error)}`);
  };
  return (
    <>
      {pictures.length === 0 && (
        <TextField
          label="Names, one a line"
          hint={'A name in quotes may have line breaks: "two\nlines".'.replace("\n", " ⏎ ")}
          rows={7}
          value={form.names}
          onChange={(text) => update({ names: text })}
        />
      )}
      <fieldset
        class={`file-drop ${isOver ? "file-drop-over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          if (event.dataTransfer !== null) droppedFiles(event.dataTransfer).then(take).catch(failed);
        }}
      >
        <label for={`${id}-files`}>Pictures, or a file of names (or drop them here, a folder too)</label>
        <input
          id={`${id}-files`}
          type="file"
          multiple
          accept="image/*,.txt,.csv,.tsv"
          onChange={(event) => {
            take(Array.from(event.currentTarget.files ?? [])).catch(failed);
            event.currentTarget.value = "";
          }}
        />
        <label for={`${id}-folder`}>A folder of pictures</label>
        <input
          id={`${id}-folder`}
          type="file"
          {...{ webkitdirectory: true }}
          onChange={(event) => {
            take(Array.from(event.currentTarget.files ?? [])).catch(failed);
            event.currentTarget.value = "";
          }}
        />
        <small class="hint">
          They stay on this machine. Pictures of more than {longestSide} pixels are made smaller; each is
          called as its file is.
        </small>
      </fieldset>
      <p role="status" class="hint numbers">
        {progress !== "" ? progress : countWords(names, pictures.length > 0)}
        {others > 0 &&
          ` ${others} ${others === 1 ? "file is no picture and was" : "files are no pictures and were"} left out.`}
      </p>
      <Fault sentence={problem} />
      {pictures.length > 0 && (
        <>
          <ul class="study-pictures">
            {pictures.slice(0, 24).map(({ name, image }) => (
              <li key={name}>
                <img src={image} alt="" width="56" height="56" />
                <span>{name}</span>
              </li>
            ))}
          </ul>
          <p>
            <button
              type="button"
              class="quiet small"
              onClick={() => onFound({ pictures: [], broken: [], others: 0 })}
            >
              Names in place of pictures
            </button>
          </p>
        </>
      )}
    </>
  );
}

function countWords(names: readonly string[], arePictures: boolean): string {
  const { length } = names;
  if (length === 0) return "No stimuli yet.";
  const some = names.slice(0, 3).map((name) => (name.length > 30 ? `${name.slice(0, 30)}…` : name));
  const what = arePictures ? (length === 1 ? "picture" : "pictures") : length === 1 ? "name" : "names";
  return `${length} ${what}: ${some.join(", ")}${length > 3 ? ", …" : "."}`;
}
