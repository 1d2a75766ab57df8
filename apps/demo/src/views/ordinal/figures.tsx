import { Fault } from "../../controls/fault.js";
import { Sentences } from "../../controls/panel.js";
import { Elapsed } from "../../shell/elapsed.js";
import type { SetKind } from "./options.js";
import type { FitFigures } from "./task.js";
import type { Mapping } from "./use-mapping.js";

interface FiguresProps {
  readonly mapping: Mapping;
  readonly set: SetKind;
  readonly onStop: () => void;
}

/** How the map does on answers that it has not seen. */
export function HeldOut({ mapping }: Pick<FiguresProps, "mapping">) {
  return (
    <div class="ordinal-held-out">
      <p class="ordinal-error">
        <strong class="numbers">{heldOutWords(mapping)}</strong>
      </p>
      <p class="hint">{meaning(mapping)}</p>
    </div>
  );
}

/** What else can be said of the map, and how its making goes. */
export function Figures({ mapping, set, onStop }: FiguresProps) {
  const { status, map, answer, warnings } = mapping;
  const fit = answer?.fit;
  const disparity = set === "cities" ? map?.places.disparity : undefined;
  return (
    <div class="stack ordinal-figures" data-status={status.kind}>
      {map !== undefined && (
        <p class="numbers hint">
          {counted(map.trained, "answer", "answers")} fitted
          {map.places.trainingError === undefined
            ? ""
            : `, ${percent(map.places.trainingError)} of them wrong`}
          {disparity === undefined
            ? ""
            : ` · ${percent(disparity)} of the variance unlike the distances' own map`}
          {fit === undefined || status.kind === "running"
            ? ""
            : ` · ${fit.iterations} iterations, ${duration(fit.seconds)}, ridge ${fit.ridge}${remarks(fit)}`}
        </p>
      )}
      {status.kind === "running" && set !== "colors" && set !== "shapes" && (
        <p class="row numbers" role="status">
          {map?.iteration === undefined ? status.phase : `iteration ${map.iteration}`}{" "}
          <Elapsed since={mapping.startedAt} />
          <button type="button" class="quiet small" onClick={onStop}>
            Stop
          </button>
        </p>
      )}
      {status.kind === "stopped" && (
        <p class="row" role="status">
          Stopped. The best map so far is kept.
          {set !== "colors" && set !== "shapes" && (
            <button type="button" class="quiet small" onClick={mapping.retry}>
              Run again
            </button>
          )}
        </p>
      )}
      {status.kind === "failed" && <Fault sentence={status.sentence} onRetry={mapping.retry} />}
      <Sentences of={warnings} />
    </div>
  );
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** What a file's answers say twice, or both ways. */
function remarks({ duplicates, contradictions }: FitFigures): string {
  const twice = duplicates === 0 ? "" : ` · ${counted(duplicates, "repeated answer", "repeated answers")}`;
  return contradictions === 0
    ? twice
    : `${twice} · ${counted(contradictions, "question", "questions")} answered both ways`;
}

const duration = (seconds: number): string =>
  seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`;

export const percent = (share: number): string =>
  `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function heldOutWords({ map }: Mapping): string {
  if (map === undefined || map.tested === 0 || map.places.testError === undefined)
    return "Held-out error: none yet";
  const { tested, places } = map;
  const { testError = 0 } = places;
  return `Held-out error: ${percent(testError)} (${Math.round(testError * tested)} of ${tested})`;
}

/** Fewer than these say little. */
const tellingCount = 20;

function meaning({ map }: Mapping): string {
  if (map === undefined || map.tested === 0)
    return "Every fifth answer is kept back, to see whether the map foretells it.";
  const these = map.tested === 1 ? "the one answer" : `the ${map.tested} answers`;
  const words = `The map has not seen ${these} kept back: so many it gets wrong. Guessing gets half of them wrong.`;
  return map.tested < tellingCount ? `${words} With so few kept back, this says little yet.` : words;
}
