/** The job of the moment, and all that the page shows of it and of the last one. */
import { useEffect, useMemo } from "preact/hooks";
import { mostExpandedBytes } from "../../data/limits.js";
import { wantsLessMotion } from "../../shell/theme.js";
import { type Ending, type Job, startJob } from "../../worker/job.js";
import { conclusionOf, type JobStatus, starting, useRedraw } from "../../worker/job-run.js";
import { type Answer, answersText } from "./answers.js";
import { fitOptions, isDrawn, type OrdinalState } from "./options.js";
import type { Question } from "./question.js";
import type { OrdinalAnswer, OrdinalProgress, OrdinalSource, Places } from "./task.js";

type MappingStatus = { readonly kind: "none" } | JobStatus;

/** The last map, whatever it came from. */
export interface ShownMap {
  readonly names: readonly string[] | undefined;
  readonly places: Places;
  readonly trained: number;
  readonly tested: number;
  readonly iteration: number | undefined;
}

/** Errors of a map by so many answers. */
export interface Trace {
  readonly trained: number;
  readonly trainingError: number | undefined;
  readonly testError: number | undefined;
}

export interface Mapping {
  readonly status: MappingStatus;
  /** When the job of now began, of `performance.now()`. */
  readonly startedAt: number;
  readonly map: ShownMap | undefined;
  /** Of the last job that came to its end. */
  readonly answer: OrdinalAnswer | undefined;
  /** The maps of this set so far, by the number of their answers. */
  readonly trail: readonly Trace[];
  readonly warnings: readonly string[];
  /** What to ask now; undefined while it is chosen, and where nothing is asked. */
  readonly question: Question | undefined;
  /** Whether all questions have been asked, or as many as a link holds. */
  readonly isExhausted: boolean;
  /** Whether the rule is answering. */
  readonly isAnswering: boolean;
  /** Lets the set's rule answer so many questions. */
  answerByRule(more: number): void;
  /** Starts the last job again. */
  retry(): void;
  stop(): void;
}

type OrdinalRun = Job<OrdinalProgress, OrdinalAnswer>;

export function useMapping(
  state: OrdinalState,
  file: File | undefined,
  onAnswers: (answers: readonly Answer[]) => void,
): Mapping {
  const redraw = useRedraw();
  const kept = useMemo(() => new Kept(redraw), []);
  kept.onAnswers = onAnswers;
  const key = keyOf(state, file);
  useEffect(() => {
    kept.turnTo(key, state, file);
  }, [key]);
  useEffect(() => () => kept.cancel(), []);
  const { status, startedAt, map, answer, warnings, isAnswering } = kept;
  return {
    status,
    startedAt,
    map: kept.subject === subjectOf(state, file) ? map : undefined,
    answer: kept.subject === subjectOf(state, file) ? answer : undefined,
    trail: kept.subject === subjectOf(state, file) ? kept.trail : [],
    warnings,
    ...kept.questionFor(state, file),
    isAnswering,
    answerByRule: (more) => kept.start(key, state, file, more),
    retry: () => kept.start(key, state, file, 0),
    stop: () => kept.cancel(),
  };
}

/** What the map is of: another subject's map is not shown while the new one is made. */
const subjectOf = ({ set }: OrdinalState, file: File | undefined): string =>
  set === "file" ? `file ${file?.name} ${file?.size} ${file?.lastModified}` : set;

function keyOf(state: OrdinalState, file: File | undefined): string {
  const { set, answers, count, loss, seed } = state;
  return [subjectOf(state, file), isDrawn(set) ? answersText(answers) : count, loss, seed].join("|");
}

function sourceOf(
  { set, answers, count }: OrdinalState,
  file: File | undefined,
  more: number,
): OrdinalSource | undefined {
  if (isDrawn(set)) return { kind: "drawn", set, answers, more, isWatched: !wantsLessMotion() };
  if (set === "cities") return { kind: "cities", count };
  return file === undefined ? undefined : { kind: "file", file, mostBytes: mostExpandedBytes() };
}

class Kept {
  status: MappingStatus = { kind: "none" };
  startedAt = 0;
  map: ShownMap | undefined;
  answer: OrdinalAnswer | undefined;
  warnings: string[] = [];
  subject = "";
  isAnswering = false;
  trail: readonly Trace[] = [];
  onAnswers: (answers: readonly Answer[]) => void = () => undefined;
  /** Whether answers come one after the other, as those about a drawn set do. */
  private isGrowing = false;
  /** What the maps of the trail have in common. */
  private model = "";
  private key = "";
  private run: OrdinalRun | undefined;

  constructor(private readonly redraw: () => void) {}

  cancel(): void {
    this.run?.cancel();
  }

  /** Starts what the state asks for, if it is not what there is. */
  turnTo(key: string, state: OrdinalState, file: File | undefined): void {
    if (key !== this.key) this.start(key, state, file, 0);
  }

  start(key: string, state: OrdinalState, file: File | undefined, more: number): void {
    this.run?.cancel();
    this.run = undefined;
    this.key = key;
    this.warnings = [];
    const subject = subjectOf(state, file);
    if (subject !== this.subject) {
      this.map = undefined;
      this.answer = undefined;
      this.trail = [];
      this.subject = subject;
    }
    const model = `${state.loss} ${state.seed}`;
    if (model !== this.model) this.trail = [];
    this.model = model;
    const source = sourceOf(state, file, more);
    this.isGrowing = isDrawn(state.set);
    this.isAnswering = more > 0;
    if (source === undefined) {
      this.status = { kind: "none" };
      this.redraw();
      return;
    }
    this.startedAt = performance.now();
    this.status = starting;
    const isCurrent = (): boolean => this.run === run;
    const run: OrdinalRun = startJob(
      "ordinal",
      { source, options: fitOptions(state), seed: state.seed },
      {
        onProgress: (progress) => isCurrent() && this.take(progress),
        onPhase: (phase) => {
          if (!isCurrent()) return;
          this.status = { kind: "running", phase };
          this.redraw();
        },
        onWarning: (sentence) => isCurrent() && this.warnings.push(sentence),
      },
    );
    this.run = run;
    void run.ending.then((ending) => isCurrent() && this.end(ending, state, file));
    this.redraw();
  }

  /** The question for the answers as they are: they may be one ahead of the last job, or behind it. */
  questionFor(
    state: OrdinalState,
    file: File | undefined,
  ): { readonly question: Question | undefined; readonly isExhausted: boolean } {
    const none = { question: undefined, isExhausted: false };
    if (!isDrawn(state.set) || this.answer === undefined || this.isAnswering) return none;
    if (this.subject !== subjectOf(state, file)) return none;
    const { answers } = state;
    const [now, next] = this.answer.questions;
    const known = answersText(this.answer.answers);
    const asked = answersText(answers);
    if (asked === known) return { question: now, isExhausted: now === undefined };
    const last = answers.at(-1);
    const isAhead =
      now !== undefined &&
      last !== undefined &&
      asked.slice(0, -3) === known &&
      last.anchor === now.anchor &&
      now.choices.includes(last.near) &&
      now.choices.includes(last.far);
    return isAhead ? { question: next, isExhausted: next === undefined } : none;
  }

  private take({ answers: _, names, trained, tested, iteration, ...places }: OrdinalProgress): void {
    this.map = { names, places, trained, tested, iteration };
    if (iteration === undefined) this.trace(this.map);
    this.redraw();
  }

  private end(
    ending: Ending<OrdinalProgress, OrdinalAnswer>,
    state: OrdinalState,
    file: File | undefined,
  ): void {
    const wasAnswering = this.isAnswering;
    this.isAnswering = false;
    this.run = undefined;
    const { status, answer } = conclusionOf(ending);
    if (answer !== undefined) this.keep(answer);
    this.status = status;
    const last = ending.kind === "ended" ? ending.last : undefined;
    const answers = (answer ?? last)?.answers;
    if (wasAnswering && answers !== undefined) {
      // What the job has found is what the new state asks for.
      if (answer !== undefined) this.key = keyOf({ ...state, answers }, file);
      this.onAnswers(answers);
    }
    this.redraw();
  }

  private keep(answer: OrdinalAnswer): void {
    const { material, places } = answer;
    this.answer = answer;
    this.map =
      places === undefined
        ? undefined
        : {
            names: material.names,
            places,
            trained: material.train.quadruplets.length / 4,
            tested: material.test.quadruplets.length / 4,
            iteration: undefined,
          };
    if (this.map === undefined) this.trail = [];
    else this.trace(this.map);
  }

  /** About a drawn set, answers that were taken back take their maps with them. */
  private trace({ trained, places: { trainingError, testError } }: ShownMap): void {
    const others = this.trail.filter((each) =>
      this.isGrowing ? each.trained < trained : each.trained !== trained,
    );
    this.trail = [...others, { trained, trainingError, testError }].sort((a, b) => a.trained - b.trained);
  }
}
