/**
 * The command from the built program, in a folder of its own: as a process, or in a process that many command lines share.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Ended, Resident } from "./resident.ts";

const program = resolve(import.meta.dirname, "../bin/curvature.js");

/** What V8 has compiled of the program, for all the processes that tests start: a sixth of the time of a short one. */
const compiled = resolve(import.meta.dirname, "../../../node_modules/.cache/curvature-compiled");

/** What only a process of one's own can be given, or tell. */
export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** Hears of the process and of all that it has logged so far, in JSON lines, whenever it logs something. */
  readonly onLog?: (child: ChildProcess, log: string) => void;
}

export class Workplace {
  readonly folder: string;
  private readonly environment = { NO_COLOR: "1", NODE_COMPILE_CACHE: compiled };
  private readonly known = new Set<string>();
  private readonly shares: boolean;
  private resident: Resident | undefined;

  /** @param shares - whether a command's later lines share a process; each command's first has one of its own all the same */
  constructor(shares = false) {
    this.shares = shares;
    if (!existsSync(resolve(import.meta.dirname, "../dist/main.js"))) {
      throw new Error("The command is not built: run `pnpm turbo run build --filter=@curvature/cli` first.");
    }
    this.folder = mkdtempSync(join(tmpdir(), "curvature-cli-"));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return name;
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  bytes(name: string): Uint8Array {
    return new Uint8Array(readFileSync(this.path(name)));
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  files(): string[] {
    return readdirSync(this.folder).sort();
  }

  start(words: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [program, ...words], {
      cwd: this.folder,
      env: { ...process.env, ...this.environment, ...environment },
    });
  }

  run(words: readonly string[], options?: RunOptions): Promise<Ended> {
    const isFirst = !this.known.has(words[0]);
    this.known.add(words[0]);
    if (!this.shares || isFirst || options !== undefined) return this.runAlone(words, options);
    this.resident ??= new Resident(this.folder, this.environment);
    return this.resident.run(words);
  }

  private async runAlone(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const logged = options.onLog === undefined || words.includes("--json") ? words : [...words, "--json"];
    const child = this.start(logged, options.environment);
    const stdout: Buffer[] = [];
    let stderr = "";
    child.stdout?.on("data", (piece: Buffer) => stdout.push(piece));
    child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
      stderr += piece;
      options.onLog?.(child, stderr);
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.stdin);
    return new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", (code, signal) => {
        done({ code, signal, stdout: Buffer.concat(stdout).toString(), stderr });
      });
    });
  }

  remove(): void {
    this.resident?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A workplace for the tests of a file. */
export function workplace(): () => Workplace {
  let place: Workplace | undefined;
  beforeAll(() => {
    place = new Workplace(true);
  });
  afterAll(() => place?.remove());
  return () => {
    if (place === undefined) throw new Error("The workplace is there only while tests run.");
    return place;
  };
}

/** Three well-parted groups of points in `columns` dimensions, as CSV with a header and a column `group`. */
export function groupsCsv(rows: number, columns = 4): string {
  const names = Array.from({ length: columns }, (_, j) => `f${j}`);
  const lines = [[...names, "group"].join(",")];
  for (let i = 0; i < rows; i++) {
    const group = i % 3;
    const cells = names.map((_, j) => 10 * Number(j === group) + ((i * 7919 + j * 104729) % 1000) / 1000);
    lines.push([...cells, "abc"[group]].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** The lines of a file, its header among them. */
export const rowsOf = (csv: string): string[] => csv.trimEnd().split("\n");

/** The records of a log in JSON lines. */
export function eventsOf(log: string): Record<string, unknown>[] {
  return log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The words with only the last of each flag: no flag may be given twice. */
export const lastOfEach = (words: readonly string[]): string[] =>
  words.filter((word, k) => {
    const isFlag = (at: number): boolean => words[at]?.startsWith("--") === true;
    const isAgain = (flag: string, at: number): boolean => words.indexOf(flag, at + 1) >= 0;
    return isFlag(k) ? !isAgain(word, k) : !(isFlag(k - 1) && isAgain(words[k - 1], k - 1));
  });

/** What every failure must be, behind notes and warnings: one sentence, no stack. */
export function isOneSentence(log: string): boolean {
  const lines = log.split("\n").filter((line) => line !== "");
  const isSentence = (line: string): boolean => line.startsWith("curvature: ");
  return (
    lines.filter(isSentence).length === 1 &&
    isSentence(lines[lines.length - 1]) &&
    !/\bat .*\.js:\d+/.test(log)
  );
}
