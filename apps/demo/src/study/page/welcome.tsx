/** What the study is, who answers, and where an unfinished one goes on. */
import { useId, useState } from "preact/hooks";
import type { Study } from "../study.js";
import type { Sessions } from "./session.js";

interface WelcomeProps {
  readonly study: Study;
  readonly sessions: Sessions;
  readonly invited: string;
  readonly onStart: (participant: string) => void;
}

export function Welcome({ study, sessions, invited, onStart }: WelcomeProps) {
  const { title, consent, instructions, questions, repeats, catches } = study;
  const [typed, setTyped] = useState(invited || (sessions.latest?.participant ?? ""));
  const [hasAgreed, setHasAgreed] = useState(false);
  const [problem, setProblem] = useState<"name" | "consent" | undefined>();
  const id = useId();
  const participant = invited || typed.trim();
  const before = sessions.of(participant).given.length;
  const count = questions + repeats + catches;
  const start = (): void => {
    const missing = participant === "" ? "name" : consent !== "" && !hasAgreed ? "consent" : undefined;
    setProblem(missing);
    if (missing === undefined) onStart(participant);
    else document.getElementById(`${id}-${missing}`)?.focus();
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <h1>{title || "Study"}</h1>
      {instructions !== "" && <p class="study-words">{instructions}</p>}
      <p>
        {count} questions, one after the other. Answer by touch, by mouse, or with the arrow keys; pause when
        you like.
      </p>
      <p class="hint">
        This page sends nothing. Your answers stay in this browser until you save them as a file at the end.
      </p>
      {!sessions.isKept && <Unkept />}
      {invited === "" && (
        <div class="field">
          <label for={`${id}-name`}>Your participant name or number</label>
          <input
            id={`${id}-name`}
            value={typed}
            maxLength={100}
            autocomplete="off"
            required
            aria-invalid={problem === "name"}
            aria-describedby={problem === "name" ? `${id}-problem` : undefined}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
      )}
      {invited !== "" && <p>You answer as {invited}.</p>}
      {consent !== "" && (
        <fieldset>
          <legend>Consent</legend>
          <p class="study-words">{consent}</p>
          <label class="check">
            <input
              id={`${id}-consent`}
              type="checkbox"
              checked={hasAgreed}
              required
              aria-invalid={problem === "consent"}
              aria-describedby={problem === "consent" ? `${id}-problem` : undefined}
              onChange={(event) => setHasAgreed(event.currentTarget.checked)}
            />
            I have read this, and I agree
          </label>
        </fieldset>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} class="notice notice-bad" role="alert">
          {problem === "name"
            ? "Please type the name or number under which you take part."
            : "Please say that you agree, or close this page."}
        </p>
      )}
      <p class="row">
        <button type="submit" class="study-start">
          {buttonWords(before, count)}
        </button>
      </p>
    </form>
  );
}

const buttonWords = (before: number, count: number): string =>
  before === 0 ? "Start" : before < count ? `Go on at question ${before + 1} of ${count}` : "Show my answers";

export const Unkept = () => (
  <p class="notice notice-bad" role="status">
    This browser keeps nothing (a private window, or its storage is off or full). Your answers are lost if you
    close or reload this page before you have saved them.
  </p>
);
