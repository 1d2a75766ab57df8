/** A pause, or the end: the answers as a file. */
import { useId, useState } from "preact/hooks";
import { baseName, saving } from "../../export/save.js";
import type { Study } from "../study.js";
import type { Session } from "./session.js";
import { Unkept } from "./welcome.js";

interface EndingProps {
  readonly study: Study;
  readonly session: Session;
  /** Of all trials. */
  readonly count: number;
  readonly isKept: boolean;
  readonly csv: string;
  readonly onSaved: () => void;
  /** Undefined where all is answered. */
  readonly onGoOn: (() => void) | undefined;
  readonly onNext: () => void;
  readonly onForget: () => void;
}

export function Ending({
  study,
  session,
  count,
  isKept,
  csv,
  onSaved,
  onGoOn,
  onNext,
  onForget,
}: EndingProps) {
  const id = useId();
  const [told, setTold] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  const { participant, given } = session;
  const isAtEnd = onGoOn === undefined;
  const file = `${baseName(study.title) || "answers"}-${baseName(participant) || "participant"}.csv`;
  const save = (): void => {
    void saving("answers", file, () => csv).save?.();
    setTold(`Saved as ${file}, among your downloads.`);
    onSaved();
  };
  return (
    <div class="stack">
      <h1>{isAtEnd ? "Thank you" : "Pause"}</h1>
      <p>
        {isAtEnd
          ? `All ${count} questions are answered. Please save your answers now: nothing has been sent.`
          : `${given.length} of ${count} questions are answered.`}
      </p>
      {!isKept && <Unkept />}
      {isAtEnd && study.ending !== "" && <p class="study-words">{study.ending}</p>}
      <p class="row">
        {onGoOn !== undefined && (
          <button type="button" onClick={onGoOn}>
            Go on
          </button>
        )}
        <button type="button" class={isAtEnd ? "" : "quiet"} onClick={save}>
          {isAtEnd ? "Save your answers" : "Save what there is"}
        </button>
      </p>
      <p role="status">{told}</p>
      <details>
        <summary>If saving does not work</summary>
        <div class="field">
          <label for={`${id}-copy`}>Copy all of this, and send it as a message</label>
          <textarea
            id={`${id}-copy`}
            rows={6}
            readOnly
            value={csv}
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      </details>
      <details>
        <summary>Another participant, or to take my answers away</summary>
        <p class="row">
          <button type="button" class="quiet small" onClick={onNext}>
            Back to the beginning
          </button>
          {isAsking ? (
            <button type="button" class="quiet small" onClick={onForget}>
              Yes, erase the {given.length} answers of {participant}
            </button>
          ) : (
            <button type="button" class="quiet small" onClick={() => setIsAsking(true)}>
              Erase my answers from this browser
            </button>
          )}
        </p>
      </details>
    </div>
  );
}
