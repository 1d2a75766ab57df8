/**
 * The log of a command, on standard error: for people one line that is rewritten, for programs one JSON object per
 * line (where standard error is no terminal, or with --json). Data never goes here.
 */
import type { Failure } from "./failure.js";
import { count, duration, printable, type Style, shortNumber, styleFor } from "./terminal.js";

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

export interface LogOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** What is being made: the line's first word. */
  readonly title: string;
  readonly limits: Limits;
}

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

export function logTo(stream: Stream, options: LogOptions, now: () => number = () => performance.now()): Log {
  if (options.json || !stream.isTTY) return new JsonLog(stream, options, now);
  return new TerminalLog(stream, options, now);
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

/** Milliseconds between two pictures of the progress. */
const lineEvery = 80;
const jsonEvery = 250;

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
    if (!this.options.quiet) this.write({ event: "warning", message });
  }

  note(message: string): void {
    if (!this.options.quiet) this.write({ event: "note", message });
  }

  summary(_lines: readonly string[], record: Readonly<Record<string, unknown>>): void {
    if (!this.options.quiet) this.write({ event: "result", ...record });
  }

  failure(failure: Failure): void {
    if (this.options.json) {
      const { code, message, exitCode } = failure;
      this.write({ event: "error", code, message, exitCode });
    } else this.stream.write(`curvature: ${failure.message}\n`);
  }

  private write(record: Readonly<Record<string, unknown>>): void {
    this.stream.write(`${jsonLine(record)}\n`);
  }
}

/** A line of JSON in which nothing is missing: what is unknown, or not a number, is null. */
export function jsonLine(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(record, (_key, value: unknown) => (value === undefined ? null : value));
}

class TerminalLog implements Log {
  private readonly style: Style;
  private readonly pace: Pace;
  private lastPicture = Number.NEGATIVE_INFINITY;
  private shown = false;

  constructor(
    private readonly stream: Stream,
    private readonly options: LogOptions,
    private readonly now: () => number,
  ) {
    this.style = styleFor(stream);
    this.pace = new Pace(options.limits);
  }

  phase(phase: string, share?: number): void {
    if (share !== undefined && this.now() - this.lastPicture < lineEvery) return;
    this.lastPicture = share === undefined ? Number.NEGATIVE_INFINITY : this.now();
    this.show(share === undefined ? [phase] : [phase, `${bar(share, 20)} ${percentText(share)}`]);
  }

  step(step: Step): void {
    if (this.now() - this.lastPicture < lineEvery) return;
    this.lastPicture = this.now();
    this.show(this.wordsOf(step));
  }

  warning(sentence: string): void {
    if (!this.options.quiet) this.line(`${this.style.bold("warning:")} ${printable(sentence)}`);
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
    return [this.progressWord(step, share, figures), ...figures, ...details];
  }

  /** A bar as long as the figures leave room for. */
  private progressWord(step: Step, share: number | undefined, figures: readonly string[]): string {
    if (share === undefined) return `iteration ${count(step.iteration)}`;
    const percent = percentText(share);
    const taken = figures.reduce(
      (sum, figure) => sum + gap.length + figure.length,
      this.options.title.length,
    );
    const room = this.width - taken - gap.length - percent.length - 1;
    return room < 5 ? percent : `${bar(share, Math.min(20, room))} ${percent}`;
  }

  private get width(): number {
    return (this.stream.columns || 80) - 1;
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
    this.stream.write(`\r\u001b[2K${text}`);
    this.shown = true;
  }

  private line(text: string): void {
    this.stream.write(`${this.shown ? "\r\u001b[2K" : ""}${text}\n`);
    this.shown = false;
  }
}

const gap = "  ";

/** What people call the solvers' numbers. */
const shortNames: Readonly<Record<string, string>> = { lambda: "λ", klDivergence: "KL" };

const rateText = (rate: number): string => (rate >= 100 ? count(Math.round(rate)) : rate.toPrecision(3));

const percentText = (share: number): string => `${Math.floor(100 * share)} %`.padStart(4);

function bar(share: number, width: number): string {
  const filled = Math.round(share * width);
  return "━".repeat(filled) + "─".repeat(width - filled);
}
