/**
 * The log of a command, on standard error: on a terminal progress is one line that is rewritten; in a file or a pipe it is a plain
 * line now and then; with --json everything is one JSON object per line. Data never goes here.
 */
import { printable } from "@curvature/linalg";
import type { Failure } from "./failure.js";
import { count, duration, isScreen, type Style, shortNumber, styleFor } from "./terminal.js";

/** One iteration, as the worker reports it. */
export interface Step {
  readonly iteration: number;
  readonly value: number | undefined;
  readonly gradientNorm: number | undefined;
  readonly stepLength: number | undefined;
  readonly evaluations: number;
  readonly passes: number;
  readonly elapsedSeconds: number;
  readonly phase: string;
  /** The solver's own numbers: lambda, gap, … */
  readonly details: Readonly<Record<string, number | undefined>>;
}

/** What ends the run at the latest, where that is known: the time left is taken from the nearest of them. */
export interface Limits {
  readonly iterations?: number | undefined;
  readonly evaluations?: number | undefined;
  readonly passes?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface Log {
  /** @param share - of the phase that is done, from 0 to 1, where that is known */
  phase(name: string, share?: number): void;
  step(step: Step): void;
  warning(sentence: string): void;
  note(sentence: string): void;
  /** The end of a command: lines for people, a record for programs. */
  summary(lines: readonly string[], record: Readonly<Record<string, unknown>>): void;
  failure(failure: Failure): void;
}

/** Of work that is part of other work, which says what there is to say. */
export const silentLog: Log = {
  phase: () => undefined,
  step: () => undefined,
  warning: () => undefined,
  note: () => undefined,
  summary: () => undefined,
  failure: () => undefined,
};

export interface LogOptions {
  readonly json: boolean;
  /** Whether errors alone are said, or warnings beside them. */
  readonly quiet: boolean | "but-warnings";
  /** What is being made: the line's first word. */
  readonly title: string;
  readonly limits: Limits;
}

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

export function logTo(stream: Stream, options: LogOptions, now: () => number = () => performance.now()): Log {
  return options.json ? new JsonLog(stream, options, now) : new TextLog(stream, options, now);
}

/** How fast it goes and how long it takes, judged from the first step that was seen (a resumed run starts late). */
export class Pace {
  private first: Step | undefined;

  constructor(private readonly limits: Limits) {}

  of(step: Step): {
    readonly share: number | undefined;
    readonly iterationsPerSecond: number | undefined;
    readonly secondsLeft: number | undefined;
  } {
    this.first ??= step;
    const { limits, first } = this;
    const seconds = step.elapsedSeconds - first.elapsedSeconds;
    const shares: number[] = [];
    const left: number[] = [];
    const consider = (now: number, before: number, limit: number | undefined): void => {
      if (limit === undefined || limit <= 0 || limit === Number.POSITIVE_INFINITY) return;
      shares.push(Math.min(1, now / limit));
      if (now > before && seconds > 0) left.push((Math.max(0, limit - now) * seconds) / (now - before));
    };
    consider(step.iteration, first.iteration, limits.iterations);
    consider(step.evaluations, first.evaluations, limits.evaluations);
    consider(step.passes, first.passes, limits.passes);
    consider(step.elapsedSeconds, first.elapsedSeconds, limits.seconds);
    return {
      share: shares.length > 0 ? Math.max(...shares) : undefined,
      secondsLeft: left.length > 0 ? Math.min(...left) : undefined,
      iterationsPerSecond: seconds > 0 ? (step.iteration - first.iteration) / seconds : undefined,
    };
  }
}

/** Milliseconds between two pictures of the progress, or two records. */
const pictureEvery = 80;
const jsonEvery = 250;
/** Milliseconds between two lines of progress that stay; they become fewer in a long run: 150 in the first ten hours. */
const lineEvery = 5000;
const lineShare = 1 / 20;

class JsonLog implements Log {
  private readonly pace: Pace;
  private lastStep = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stream: Stream,
    private readonly options: LogOptions,
    private readonly now: () => number,
  ) {
    this.pace = new Pace(options.limits);
  }

  phase(phase: string, share?: number): void {
    if (this.options.quiet || (share !== undefined && this.now() - this.lastStep < jsonEvery)) return;
    if (share !== undefined) this.lastStep = this.now();
    const event = { event: "phase", phase };
    this.write(share === undefined ? event : { ...event, share });
  }

  step(step: Step): void {
    if (this.options.quiet || this.now() - this.lastStep < jsonEvery) return;
    this.lastStep = this.now();
    const { share, iterationsPerSecond, secondsLeft } = this.pace.of(step);
    this.write({ event: "iteration", ...step, share, iterationsPerSecond, secondsLeft });
  }

  warning(message: string): void {
    if (this.options.quiet !== true) this.write({ event: "warning", message });
  }

  note(message: string): void {
    if (!this.options.quiet) this.write({ event: "note", message });
  }

  summary(_lines: readonly string[], record: Readonly<Record<string, unknown>>): void {
    if (!this.options.quiet) this.write({ event: "result", ...record });
  }

  failure(failure: Failure): void {
    const { code, message, exitCode } = failure;
    this.write({ event: "error", code, message, exitCode });
  }

  private write(record: Readonly<Record<string, unknown>>): void {
    this.stream.write(`${jsonLine(record)}\n`);
  }
}

/** A line of JSON in which nothing is missing: what is unknown, or not a number, is null. */
export function jsonLine(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(record, (_key, value: unknown) => (value === undefined ? null : value));
}

class TextLog implements Log {
  private readonly style: Style;
  private readonly pace: Pace;
  /** Whether progress is one line that is rewritten. */
  private readonly isLive: boolean;
  private readonly started: number;
  private lastProgress: number;
  private shown = false;

  constructor(
    private readonly stream: Stream,
    private readonly options: LogOptions,
    private readonly now: () => number,
  ) {
    this.style = styleFor(stream);
    this.pace = new Pace(options.limits);
    this.isLive = isScreen(stream);
    this.started = now();
    this.lastProgress = this.isLive ? Number.NEGATIVE_INFINITY : this.started;
  }

  phase(phase: string, share?: number): void {
    const isShownAtOnce = this.isLive && share === undefined;
    if (isShownAtOnce)
      this.lastProgress = Number.NEGATIVE_INFINITY; // and so is what follows
    else if (!this.isDue()) return;
    this.show(share === undefined ? [phase] : [phase, this.shareText(share, 20)]);
  }

  step(step: Step): void {
    if (this.isDue()) this.show(this.wordsOf(step));
  }

  private isDue(): boolean {
    const now = this.now();
    const wait = this.isLive ? pictureEvery : Math.max(lineEvery, lineShare * (now - this.started));
    if (now - this.lastProgress < wait) return false;
    this.lastProgress = now;
    return true;
  }

  warning(sentence: string): void {
    if (this.options.quiet !== true) this.line(`${this.style.bold("warning:")} ${printable(sentence)}`);
  }

  note(sentence: string): void {
    if (!this.options.quiet) this.line(printable(sentence));
  }

  summary(lines: readonly string[]): void {
    if (!this.options.quiet) for (const line of lines) this.line(line);
  }

  failure(failure: Failure): void {
    this.line(`${this.style.red("curvature:")} ${failure.message}`);
  }

  private wordsOf(step: Step): string[] {
    const { share, iterationsPerSecond, secondsLeft } = this.pace.of(step);
    const figures: string[] = [];
    if (step.value !== undefined) figures.push(`value ${shortNumber(step.value)}`);
    if (step.stepLength !== undefined) figures.push(`step ${shortNumber(step.stepLength)}`);
    if (iterationsPerSecond !== undefined) figures.push(`${rateText(iterationsPerSecond)} it/s`);
    if (secondsLeft !== undefined) figures.push(`${duration(secondsLeft)} left`);
    const details = Object.entries(step.details).flatMap(([name, value]) =>
      value === undefined ? [] : [`${shortNames[name] ?? name} ${shortNumber(value)}`],
    );
    return [...this.progressWords(step, share, figures), ...figures, ...details];
  }

  /** On a screen a bar as long as the figures leave room for. */
  private progressWords(step: Step, share: number | undefined, figures: readonly string[]): string[] {
    const iteration = `iteration ${count(step.iteration)}`;
    if (share === undefined) return [iteration];
    if (!this.isLive) return [iteration, this.shareText(share, 0)];
    const taken = figures.reduce(
      (sum, figure) => sum + gap.length + figure.length,
      this.options.title.length,
    );
    const room = this.width - taken - gap.length - percentText(share).length - 1;
    return [this.shareText(share, room < 5 ? 0 : Math.min(20, room))];
  }

  private shareText(share: number, width: number): string {
    if (!this.isLive) return percentText(share).trim();
    return width === 0 ? percentText(share) : `${bar(share, width)} ${percentText(share)}`;
  }

  private get width(): number {
    return this.isLive ? (this.stream.columns || 80) - 1 : Number.POSITIVE_INFINITY;
  }

  private show(words: readonly string[]): void {
    if (this.options.quiet) return;
    const { title } = this.options;
    let text = this.style.bold(title.slice(0, this.width));
    let used = title.length;
    for (const word of words) {
      used += gap.length + word.length;
      if (used > this.width) break;
      text += gap + word;
    }
    this.stream.write(this.isLive ? `${emptied}${text}` : `${text}\n`);
    this.shown = this.isLive;
  }

  private line(text: string): void {
    this.stream.write(`${this.shown ? emptied : ""}${text}\n`);
    this.shown = false;
  }
}

const gap = "  ";
/** To the beginning of the line, and nothing in it. */
const emptied = "\r\u001b[2K";

/** What people call the solvers' numbers. */
const shortNames: Readonly<Record<string, string>> = { lambda: "λ", klDivergence: "KL" };

const rateText = (rate: number): string => (rate >= 100 ? count(Math.round(rate)) : rate.toPrecision(3));

const percentText = (share: number): string => `${Math.floor(100 * share)} %`.padStart(4);

function bar(share: number, width: number): string {
  const filled = Math.round(share * width);
  return "━".repeat(filled) + "─".repeat(width - filled);
}
