/** One process for many command lines: a process each would cost more than what most of them do. */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

const script = resolve(import.meta.dirname, "fixtures/resident.mjs");
const program = resolve(import.meta.dirname, "../dist/main.js");

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Resident {
  private readonly child: ChildProcess;
  private last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [script, program], {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  }

  /** How it ends, when those before it have ended. */
  run(words: readonly string[]): Promise<Ended> {
    const ended = this.last.then(() => this.answer(words));
    this.last = ended.catch(() => undefined);
    return ended;
  }

  end(): void {
    this.child.kill("SIGKILL");
  }

  private answer(words: readonly string[]): Promise<Ended> {
    return new Promise((done, fail) => {
      const isGone = (): void => fail(new Error(`the process ended at: curvature ${words.join(" ")}`));
      this.child.once("exit", isGone);
      this.child.once("message", (text) => {
        this.child.off("exit", isGone);
        done(JSON.parse(String(text)));
      });
      if (this.child.connected) this.child.send(words);
      else isGone();
    });
  }
}
