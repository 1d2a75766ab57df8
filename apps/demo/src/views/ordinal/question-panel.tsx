import { useEffect, useRef } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { type Answer, mostAnswers } from "./answers.js";
import type { DrawnSet } from "./drawn-set.js";
import type { Question } from "./question.js";
import { Thing } from "./thing.js";

interface QuestionPanelProps {
  readonly set: DrawnSet;
  readonly answers: readonly Answer[];
  readonly question: Question | undefined;
  readonly isExhausted: boolean;
  /** Whether the rule is answering. */
  readonly isAnswering: boolean;
  /** Answers so far, with those that the rule is giving. */
  readonly count: number;
  readonly onAnswer: (answer: Answer) => void;
  readonly onRule: () => void;
  readonly onStop: () => void;
  readonly onUndo: () => void;
  readonly onClear: () => void;
}

/** Answers that the rule gives at a press. */
export const ruleAnswers = 120;

export function QuestionPanel(props: QuestionPanelProps) {
  const { set, answers, question, isExhausted, isAnswering, count, onAnswer } = props;
  const answer = (choice: 0 | 1): void => {
    if (question === undefined) return;
    const { anchor, choices } = question;
    onAnswer({ anchor, near: choices[choice], far: choices[1 - choice], byRule: false });
  };
  useArrowKeys(answer);
  // While the next question is chosen, the last one stays: what has the focus must not go.
  const last = useRef<Question | undefined>(undefined);
  last.current = question ?? (isAnswering || isExhausted ? undefined : last.current);
  const shown = last.current;
  const mine = answers.filter(({ byRule }) => !byRule).length;
  return (
    <Panel title="Which is more like this?" class="ordinal-question">
      {shown === undefined ? (
        <p class="ordinal-pause numbers" role="status">
          {isExhausted
            ? `${answers.length} answers, of ${mostAnswers} at most: there is nothing more to ask.`
            : isAnswering
              ? `The rule answers: ${count}`
              : "Choosing a question …"}
        </p>
      ) : (
        <div class={`stack ${question === undefined ? "ordinal-choosing" : ""}`}>
          <Ask set={set} question={shown} isChoosing={question === undefined} onChoose={answer} />
        </div>
      )}
      <p class="hint numbers">
        {why(shown)} {tally(mine, answers.length)}
      </p>
      <div class="row">
        {isAnswering ? (
          <button type="button" onClick={props.onStop}>
            Stop
          </button>
        ) : (
          <button type="button" disabled={answers.length >= mostAnswers} onClick={props.onRule}>
            Answer {ruleAnswers} for me
          </button>
        )}
        <button
          type="button"
          class="quiet small"
          disabled={answers.length === 0 || isAnswering}
          onClick={props.onUndo}
        >
          Undo
        </button>
        <button
          type="button"
          class="quiet small"
          disabled={answers.length === 0 || isAnswering}
          onClick={props.onClear}
        >
          Start over
        </button>
      </div>
      <p class="hint">
        In a hurry? The button answers by {set.rule}. There is no wrong answer of yours: it is your own map.
      </p>
    </Panel>
  );
}

function why(question: Question | undefined): string {
  if (question === undefined) return "";
  if (question.isKeptBack)
    return "Drawn at random; your answer is kept back, to see whether the map can foretell it.";
  if (question.gain === undefined) return "Drawn at random, as the first ones are.";
  return `Chosen among those that teach most: ${question.gain.toFixed(2)} bits expected.`;
}

function tally(mine: number, all: number): string {
  if (all === 0) return "";
  const rule = all - mine;
  const words = [mine > 0 ? `${mine} by you` : "", rule > 0 ? `${rule} by the rule` : ""];
  return `So far ${all} ${all === 1 ? "answer" : "answers"}: ${words.filter((word) => word !== "").join(", ")}.`;
}

interface AskProps {
  readonly set: DrawnSet;
  readonly question: Question;
  /** Whether the question is the last one, and the next is being chosen. */
  readonly isChoosing: boolean;
  readonly onChoose: (choice: 0 | 1) => void;
}

function Ask({ set, question: { anchor, choices }, isChoosing, onChoose }: AskProps) {
  const name = (object: number): string => set.things[object].name;
  return (
    <>
      <p class="visually-hidden" role="status">
        Is {name(anchor)} more like {name(choices[0])}, left, or like {name(choices[1])}, right?
      </p>
      <Tile set={set} object={anchor} />
      <div class="ordinal-choices">
        {([0, 1] as const).map((k) => (
          <button
            key={k}
            type="button"
            class="quiet ordinal-choice"
            aria-label={`${k === 0 ? "Left" : "Right"}: ${name(choices[k])}`}
            aria-disabled={isChoosing}
            aria-keyshortcuts={k === 0 ? "ArrowLeft" : "ArrowRight"}
            onClick={() => onChoose(k)}
          >
            <Tile set={set} object={choices[k]} />
            <span class="ordinal-key">{k === 0 ? "←" : "→"}</span>
          </button>
        ))}
      </div>
    </>
  );
}

function Tile({ set, object }: { readonly set: DrawnSet; readonly object: number }) {
  return (
    <svg class="ordinal-tile" viewBox="-50 -50 100 100" role="img" aria-label={set.things[object].name}>
      <Thing drawing={set.things[object].drawing} size={42} />
    </svg>
  );
}

/** ← and → answer wherever the focus is, but in what uses these keys itself. */
function useArrowKeys(answer: (choice: 0 | 1) => void): void {
  const latest = useRef(answer);
  latest.current = answer;
  useEffect(() => {
    const heard = (event: KeyboardEvent): void => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!isPlain || event.repeat || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
      const { target } = event;
      if (target instanceof Element && target.closest("input, select, textarea, pre, .scatter-host") !== null)
        return;
      event.preventDefault();
      latest.current(event.key === "ArrowLeft" ? 0 : 1);
    };
    window.addEventListener("keydown", heard);
    return () => window.removeEventListener("keydown", heard);
  }, []);
}
