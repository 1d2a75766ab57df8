/**
 * All talk of a command, on standard error: for people one line that is rewritten, for programs one JSON object per
 * line (where standard error is no terminal, or with --json). Data never goes here.
 */
import type { Failure } from "./failure.js";
import { count, duration, printable, type Style, shortNumber, styleFor } from "./terminal.js";

/** One iteration, as the worker tells it. */
export interface Step {
  readonly iteration: number;
  readonly value: number | undefined;
  readonly gradientNorm: number | undefined;
  readonly stepLength: number | undefined;
  readonly evaluations: number;
  readonly passes: number;
  readonly elapsedSeconds: number;
  readonly phase: string;
  /** The solver's own numbers: λ, gap, …; shown as they are named. */
  readonly details: Readonly<Record<string, number>>;
}

/** What ends the run at the latest, where that is known: the time left is taken from the nearest of them. */
export interface Limits {
  readonly iterations?: number | undefined;
  readonly evaluations?: number | undefined;
  readonly passes?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface Talk {
  phase(name: string): void;
  step(step: Step): void;
  warning(sentence: string): void;
  note(sentence: string): void;
  /** The end of a command: lines for people, a record for programs. */
  summary(lines: readonly string[], record: Readonly<Record<string, unknown>>): void;
  failure(failure: Failure): void;
}

export interface TalkOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** What is being made: the line's first word. */
  readonly title: string;
  readonly limits: Limits;
}

type Stream = Pick<NodeJS.WriteStream, "write" | "isTTY" | "columns">;

export function talkOn(
  stream: Stream,
  options: TalkOptions,
  now: () => number = () => performance.now(),
): Talk {
  if (options.json || !stream.isTTY) return new JsonTalk(stream, options, now);
  return new LineTalk(stream, options, now);
}

/** How fast it goes and how long it takes, judged from the first step that was seen (a resumed run starts late). */
export class Pace {
  private first: Step | undefined;

  constructor(private readonly limits: Limits) {}

  of(step: Step): {
    readonly share?: number;
    readonly iterationsPerSecond?: number;
    readonly secondsLeft?: number;
  } {
    this.first ??= step;
    const { limits, first } = this;
    const seconds = step.elapsedSeconds - first.elapsedSeconds;
    const shares: number[] = [];
    const left: number[] = [];
    const consider = (now: number, before: number, limit: number | undefined): void => {
      if (limit === undefined || limit <= 0) return;
      shares.push(Math.min(1, now / limit));
      if (now > before && seconds > 0) left.push((Math.max(0, limit - now) * seconds) / (now - before));
    };
    consider(step.iteration, first.iteration, limits.iterations);
    consider(step.evaluations, first.evaluations, limits.evaluations);
    consider(step.passes, first.passes, limits.passes);
    consider(step.elapsedSeconds, first.elapsedSeconds, limits.seconds);
    return {
      ...(shares.length > 0 && { share: Math.max(...shares) }),
      ...(left.length > 0 && { secondsLeft: Math.min(...left) }),
      ...(seconds > 0 && { iterationsPerSecond: (step.iteration - first.iteration) / seconds }),
    };
  }
}

/** Milliseconds between two pictures of the progress. */
const lineEvery = 80;
const jsonEvery = 250;

class JsonTalk implements Talk {
  private readonly pace: Pace;
  private lastStep = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stream: Stream,
    private readonly options: TalkOptions,
    private readonly now: () => number,
  ) {
    this.pace = new Pace(options.limits);
  }

  phase(phase: string): void {
    if (!this.options.quiet) this.write({ event: "phase", phase });
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

class LineTalk implements Talk {
  private readonly style: Style;
  private readonly pace: Pace;
  private lastPicture = Number.NEGATIVE_INFINITY;
  private shown = false;

  constructor(
    private readonly stream: Stream,
    private readonly options: TalkOptions,
    private readonly now: () => number,
  ) {
    this.style = styleFor(stream);
    this.pace = new Pace(options.limits);
  }

  phase(phase: string): void {
    this.lastPicture = Number.NEGATIVE_INFINITY;
    this.show([this.style.bold(this.options.title), phase]);
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
    const words = [this.style.bold(this.options.title)];
    if (share === undefined) words.push(`iteration ${count(step.iteration)}`);
    else words.push(`${bar(share)} ${Math.floor(100 * share)} %`);
    if (step.value !== undefined) words.push(`value ${shortNumber(step.value)}`);
    if (step.stepLength !== undefined) words.push(`step ${shortNumber(step.stepLength)}`);
    if (iterationsPerSecond !== undefined) words.push(`${shortNumber(iterationsPerSecond)} it/s`);
    if (secondsLeft !== undefined) words.push(`${duration(secondsLeft)} left`);
    for (const [name, value] of Object.entries(step.details)) words.push(`${name} ${shortNumber(value)}`);
    return words;
  }

  private show(words: readonly string[]): void {
    if (this.options.quiet) return;
    let text = words[0];
    const width = (this.stream.columns || 80) - 1;
    let used = this.options.title.length;
    for (const word of words.slice(1)) {
      if (used + word.length + 2 > width) break;
      text += `  ${word}`;
      used += word.length + 2;
    }
    this.stream.write(`\r\u001b[2K${text}`);
    this.shown = true;
  }

  private line(text: string): void {
    this.stream.write(`${this.shown ? "\r\u001b[2K" : ""}${text}\n`);
    this.shown = false;
  }
}

function bar(share: number): string {
  const width = 20;
  const filled = Math.round(share * width);
  return "━".repeat(filled) + "─".repeat(width - filled);
}
