/** The job of the moment, and all that the page shows of it and of those before it. */
import { useEffect, useRef } from "preact/hooks";
import { mostExpandedBytes } from "../../data/limits.js";
import { wantsLessMotion } from "../../shell/theme.js";
import type { JobStatus } from "../../worker/job.js";
import { JobRun, useRedraw } from "../../worker/job-run.js";
import { type Answer, answersText } from "./answers.js";
import { type AnswerReading, fitOptions, isDrawn, type OrdinalState } from "./options.js";
import type { Question } from "./question.js";
import type { OrdinalAnswer, OrdinalProgress, OrdinalSource, Places } from "./task.js";

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

class MappingRun extends JobRun<"ordinal"> {
  map: ShownMap | undefined;
  /** Of the last job that came to its end. */
  latest: OrdinalAnswer | undefined;
  /** The maps of this set so far, by the number of their answers. */
  trail: readonly Trace[] = [];
  /** What the state asks for, once it has the answers that this job was to find. */
  key: string;
  readonly subject: string;
  private readonly model: string;
  private answers: readonly Answer[] | undefined;

  /**
   * @param before - whose map is shown until there is one, if it is of the same
   * @param onAnswers - hears of the answers that the rule has given
   */
  constructor(
    private readonly state: OrdinalState,
    private readonly files: readonly File[],
    private readonly source: OrdinalSource,
    before: MappingRun | undefined,
    onChange: () => void,
    private readonly onAnswers: (answers: readonly Answer[]) => void,
  ) {
    super(onChange);
    this.key = keyOf(state, files);
    this.subject = subjectOf(state, files);
    this.model = `${state.loss} ${state.seed}`;
    if (before?.subject === this.subject) {
      this.map = before.map;
      this.latest = before.latest;
      if (before.model === this.model) this.trail = before.trail;
    }
    this.start("ordinal", { source, options: fitOptions(state), seed: state.seed });
  }

  /** Whether the rule is answering. */
  get isAnswering(): boolean {
    return this.isRunning && this.source.kind === "drawn" && this.source.more > 0;
  }

  protected override take(progress: OrdinalProgress): void {
    const { answers, names, trained, tested, iteration, ...places } = progress;
    this.answers = answers;
    this.map = { names, places, trained, tested, iteration };
    if (iteration === undefined) this.trace(this.map);
  }

  protected override conclude(answer: OrdinalAnswer): void {
    const { answers, material, places } = answer;
    const { names, train, test } = material;
    const [trained, tested] = [train.quadruplets.length / 4, test.quadruplets.length / 4];
    this.latest = answer;
    this.answers = answers;
    this.map = places && { names, places, trained, tested, iteration: undefined };
    if (this.map === undefined) this.trail = [];
    else this.trace(this.map);
    // What the job has found is what the new state asks for.
    if (this.isAnswering) this.key = keyOf({ ...this.state, answers }, this.files);
  }

  protected override end({ kind }: JobStatus): void {
    if (this.isAnswering && kind !== "failed" && this.answers !== undefined) this.onAnswers(this.answers);
  }

  /** About a drawn set, answers that were taken back take their maps with them. */
  private trace({ trained, places: { trainingError, testError } }: ShownMap): void {
    const isGrowing = this.source.kind === "drawn";
    const others = this.trail.filter((each) =>
      isGrowing ? each.trained < trained : each.trained !== trained,
    );
    this.trail = [...others, { trained, trainingError, testError }].sort((a, b) => a.trained - b.trained);
  }
}

interface Asked {
  /** What to ask now; undefined while it is chosen, and where nothing is asked. */
  readonly question: Question | undefined;
  /** Whether all questions have been asked, or as many as a link holds. */
  readonly isExhausted: boolean;
}

export interface Mapping extends Asked {
  /** Undefined before the first, and where there is nothing to map. */
  readonly run: MappingRun | undefined;
  /** Lets the set's rule answer so many questions. */
  answerByRule(more: number): void;
  /** Starts the last job again. */
  retry(): void;
  stop(): void;
}

export function useMapping(
  state: OrdinalState,
  files: readonly File[],
  onAnswers: (answers: readonly Answer[]) => void,
): Mapping {
  const redraw = useRedraw();
  const current = useRef<MappingRun | undefined>(undefined);
  const latest = useRef(onAnswers);
  latest.current = onAnswers;
  const start = (more: number): void => {
    const before = current.current;
    before?.cancel();
    const source = sourceOf(state, files, more);
    const run: MappingRun | undefined =
      source &&
      new MappingRun(state, files, source, before, redraw, (answers) => {
        if (current.current === run) latest.current(answers);
      });
    current.current = run;
    redraw();
  };
  const key = keyOf(state, files);
  useEffect(() => {
    if (current.current?.key !== key) start(0);
  }, [key]);
  useEffect(() => () => current.current?.cancel(), []);
  // Another subject's map is not shown while the new one is made.
  const run = current.current?.subject === subjectOf(state, files) ? current.current : undefined;
  return {
    run,
    ...askedNow(state, run),
    answerByRule: start,
    retry: () => start(0),
    stop: () => current.current?.cancel(),
  };
}

/** What the map is of. */
function subjectOf(state: OrdinalState, files: readonly File[]): string {
  if (state.set !== "file") return state.set;
  const marks = files.map(({ name, size, lastModified }) => [name, size, lastModified]);
  return JSON.stringify([marks, readingOf(state)]);
}

function readingOf(state: OrdinalState): AnswerReading {
  const { kind, roles, participant, trial, time, where, ignore, first, tie, response, choose } = state;
  const { catch: caught, missing, degenerate, objects } = state;
  return {
    ...{ kind, roles, participant, trial, time, where, ignore, first, tie, response, choose },
    ...{ catch: caught, missing, degenerate, objects },
  };
}

function keyOf(state: OrdinalState, files: readonly File[]): string {
  const { set, answers, count, loss, seed } = state;
  return [subjectOf(state, files), isDrawn(set) ? answersText(answers) : count, loss, seed].join("|");
}

function sourceOf(state: OrdinalState, files: readonly File[], more: number): OrdinalSource | undefined {
  const { set, answers, count } = state;
  if (isDrawn(set)) return { kind: "drawn", set, answers, more, isWatched: !wantsLessMotion() };
  if (set === "cities") return { kind: "cities", count };
  if (set === "study" || files.length === 0) return undefined;
  return { kind: "file", files, reading: readingOf(state), mostBytes: mostExpandedBytes() };
}

/** The question for the answers as they are: they may be one ahead of the last job, or behind it. */
function askedNow({ set, answers }: OrdinalState, run: MappingRun | undefined): Asked {
  const none = { question: undefined, isExhausted: false };
  if (!isDrawn(set) || run?.latest === undefined || run.isAnswering) return none;
  const [now, next] = run.latest.questions;
  const known = answersText(run.latest.answers);
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
