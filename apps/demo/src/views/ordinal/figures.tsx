import { Fault } from "../../controls/notice.js";
import { Sentences } from "../../controls/panel.js";
import { Elapsed } from "../../shell/elapsed.js";
import type { SetKind } from "./options.js";
import type { FitFigures } from "./task.js";
import type { Mapping, ShownMap } from "./use-mapping.js";

interface FiguresProps {
  readonly mapping: Mapping;
  readonly set: SetKind;
}

/** How the map does on answers that it has not seen. */
export function HeldOut({ map }: { readonly map: ShownMap | undefined }) {
  return (
    <div class="ordinal-held-out">
      <p class="ordinal-error">
        <strong class="numbers">{heldOutWords(map)}</strong>
      </p>
      <p class="hint">{meaning(map)}</p>
    </div>
  );
}

/** What else can be said of the map, and how its making goes. */
export function Figures({ mapping, set }: FiguresProps) {
  const { run, retry } = mapping;
  const { map, latest, status } = run ?? {};
  const fit = latest?.fit;
  const isAsked = set === "colors" || set === "shapes";
  const disparity = set === "cities" ? map?.places.disparity : undefined;
  return (
    <div class="stack ordinal-figures" data-status={status?.kind ?? "none"}>
      {map !== undefined && (
        <p class="numbers hint">
          {counted(map.trained, "answer", "answers")} fitted
          {map.places.trainingError === undefined
            ? ""
            : `, ${percent(map.places.trainingError)} of them wrong`}
          {disparity === undefined
            ? ""
            : ` · ${percent(disparity)} of the variance unlike the distances' own map`}
          {fit === undefined || status?.kind === "running"
            ? ""
            : ` · ${fit.iterations} iterations, ${duration(fit.seconds)}, ridge ${fit.ridge}${remarks(fit)}`}
        </p>
      )}
      {run?.status.kind === "running" && !isAsked && (
        <p class="row numbers" role="status">
          {map?.iteration === undefined ? run.status.phase : `iteration ${map.iteration}`}{" "}
          <Elapsed since={run.startedAt} />
          <button type="button" class="quiet small" onClick={mapping.stop}>
            Stop
          </button>
        </p>
      )}
      {status?.kind === "stopped" && (
        <p class="row" role="status">
          Stopped. The best map so far is kept.
          {!isAsked && (
            <button type="button" class="quiet small" onClick={retry}>
              Run again
            </button>
          )}
        </p>
      )}
      {status?.kind === "failed" && <Fault sentence={status.sentence} onRetry={retry} />}
      <Sentences of={run?.warnings ?? []} />
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

function heldOutWords(map: ShownMap | undefined): string {
  if (map === undefined || map.tested === 0 || map.places.testError === undefined)
    return "Held-out error: none yet";
  const { tested, places } = map;
  const { testError = 0 } = places;
  return `Held-out error: ${percent(testError)} (${Math.round(testError * tested)} of ${tested})`;
}

/** Fewer than these say little. */
const tellingCount = 20;

function meaning(map: ShownMap | undefined): string {
  if (map === undefined || map.tested === 0)
    return "Every fifth answer is kept back, to see whether the map foretells it.";
  const these = map.tested === 1 ? "the one answer" : `the ${map.tested} answers`;
  const words = `The map has not seen ${these} kept back: so many it gets wrong. Guessing gets half of them wrong.`;
  return map.tested < tellingCount ? `${words} With so few kept back, this says little yet.` : words;
}
