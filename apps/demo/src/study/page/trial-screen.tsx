/** One question: by keys, by touch, by mouse, or read aloud. */
import { useEffect, useRef, useState } from "preact/hooks";
import { sides } from "../answers-file.js";
import type { Trial } from "../plan.js";
import type { Study } from "../study.js";

interface TrialScreenProps {
  readonly study: Study;
  readonly trial: Trial;
  readonly place: number;
  readonly count: number;
  readonly onAnswer: (choice: number, milliseconds: number) => void;
  readonly onPause: () => void;
}

/** Milliseconds in which nobody has seen the question: a second tap was meant for the one before. */
const tooSoon = 100;

const keys: Readonly<Record<Study["kind"], readonly (readonly string[])[]>> = {
  triplets: [
    ["ArrowLeft", "1"],
    ["ArrowRight", "2"],
  ],
  "odd-one-out": [
    ["ArrowLeft", "1"],
    ["ArrowUp", "ArrowDown", "2"],
    ["ArrowRight", "3"],
  ],
};
const marks = { triplets: ["←", "→"], "odd-one-out": ["←", "↑", "→"] } as const;

export function TrialScreen({ study, trial, place, count, onAnswer, onPause }: TrialScreenProps) {
  const { kind, names, question } = study;
  const { anchor, choices } = trial;
  const shownAt = useShown(study, trial);
  const answer = (choice: number): void => {
    if (shownAt !== undefined) onAnswer(choice, performance.now() - shownAt + tooSoon);
  };
  useKeys(kind, answer, onPause);
  useHidden(onPause);
  const about = anchor === undefined ? "" : ` ${names[anchor]}:`;
  const spoken = choices.map((stimulus, k) => `${sides[kind][k]}, ${names[stimulus]}`).join("; ");
  return (
    <div class="study-trial">
      <h1 class="study-question">{question}</h1>
      <p class="visually-hidden" role="status">
        Question {place + 1} of {count}.{about} {spoken}.
      </p>
      {anchor !== undefined && (
        <div class="study-anchor">
          <Stimulus study={study} stimulus={anchor} />
        </div>
      )}
      <div class={`study-choices study-${kind}`}>
        {choices.map((stimulus, k) => (
          <button
            key={k} // the button stays, and keeps the focus, when its stimulus changes
            type="button"
            class="quiet study-choice"
            aria-label={`${sides[kind][k]}: ${names[stimulus]}`}
            aria-disabled={shownAt === undefined}
            aria-keyshortcuts={keys[kind][k][0]}
            onClick={() => answer(k)}
          >
            <Stimulus study={study} stimulus={stimulus} />
            <span class="study-key" aria-hidden="true">
              {marks[kind][k]}
            </span>
          </button>
        ))}
      </div>
      <div class="study-foot">
        <progress value={place} max={count} aria-label="Questions answered" />
        <span class="numbers hint">
          {place + 1} of {count}
        </span>
        <button type="button" class="quiet small" onClick={onPause}>
          Pause
        </button>
      </div>
    </div>
  );
}

function Stimulus({
  study: { names, images },
  stimulus,
}: {
  readonly study: Study;
  readonly stimulus: number;
}) {
  const image = images?.[stimulus];
  return image === undefined ? (
    <span class="study-name">{names[stimulus]}</span>
  ) : (
    <img class="study-image" src={image} alt={names[stimulus]} draggable={false} />
  );
}

/** When the question could be answered, by `performance.now()`: its pictures are decoded, and it has been there for a moment. */
function useShown({ images }: Study, trial: Trial): number | undefined {
  const [shown, setShown] = useState<{ readonly trial: Trial; readonly at: number } | undefined>();
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stimuli = trial.anchor === undefined ? trial.choices : [trial.anchor, ...trial.choices];
    const pictures = stimuli.map((stimulus) => decoded(images?.[stimulus]));
    void Promise.allSettled(pictures).then(() => {
      if (!isCurrent) return;
      timer = setTimeout(() => setShown({ trial, at: performance.now() }), tooSoon);
    });
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [images, trial]);
  return shown?.trial === trial ? shown.at : undefined;
}

async function decoded(source: string | undefined): Promise<void> {
  if (source === undefined) return;
  const image = new Image();
  image.src = source;
  await image.decode();
}

function useKeys(kind: Study["kind"], answer: (choice: number) => void, onPause: () => void): void {
  const latest = useRef({ answer, onPause });
  latest.current = { answer, onPause };
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
      const choice = keys[kind].findIndex((each) => each.includes(event.key));
      if (choice < 0 && event.key !== "Escape") return;
      event.preventDefault();
      if (choice < 0) latest.current.onPause();
      else latest.current.answer(choice);
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, [kind]);
}

/** Who looks at another tab is at no question: the time would be wrong. */
function useHidden(onPause: () => void): void {
  const latest = useRef(onPause);
  latest.current = onPause;
  useEffect(() => {
    const heard = (): void => {
      if (document.hidden) latest.current();
    };
    document.addEventListener("visibilitychange", heard);
    return () => document.removeEventListener("visibilitychange", heard);
  }, []);
}
