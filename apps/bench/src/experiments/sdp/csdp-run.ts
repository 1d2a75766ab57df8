/** CSDP (Borchers) as a program of its own: a file of SDPA in, optimum and processor seconds out. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CsdpRun {
  /** Objectives of the last iterate, a maximum: the primal's lies below the dual's but for infeasibilities. */
  readonly primal: number;
  readonly dual: number;
  /** Processor seconds of the process, reading the file included. */
  readonly seconds: number;
}

/** "6.2.0"; undefined where the program is not there. */
export function csdpVersion(): string | undefined {
  return /CSDP (\S+)/.exec(spawnSync("csdp", [], { encoding: "utf8" }).stdout ?? "")?.[1];
}

/**
 * One run on one thread.
 *
 * @param programme - in SDPA's sparse format
 * @param gap - the relative gap at which it ends; its own, 1e-8, if left out
 */
export function solveByCsdp(programme: string, gap = 1e-8): CsdpRun {
  const folder = mkdtempSync(join(tmpdir(), "curvature-csdp-"));
  try {
    writeFileSync(join(folder, "problem.dat-s"), programme);
    writeFileSync(join(folder, "param.csdp"), parametersWith(gap));
    // The shell's `times` tells what its children took: minutes and seconds, user and system, in the second line.
    const { stdout } = spawnSync("sh", ["-c", "csdp problem.dat-s; times"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    });
    const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
    const [, user, system] = /(\S+s) (\S+s)\n*$/.exec(stdout) ?? [];
    if (!stdout.includes("Success") || user === undefined || system === undefined)
      throw new Error(`CSDP ended with: ${stdout.trimEnd().split("\n").slice(-12).join("\n")}`);
    return {
      primal: number(/Primal objective value: (\S+)/),
      dual: number(/Dual objective value: (\S+)/),
      seconds: secondsOf(user) + secondsOf(system),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** "1m2.5s" */
function secondsOf(time: string): number {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(time) ?? [];
  return 60 * Number(minutes) + Number(seconds);
}

/** CSDP's file of parameters: its own values but for the gap. */
function parametersWith(gap: number): string {
  const own = {
    axtol: 1e-8,
    atytol: 1e-8,
    objtol: gap,
    pinftol: 1e8,
    dinftol: 1e8,
    maxiter: 100,
    minstepfrac: 0.9,
    maxstepfrac: 0.97,
    minstepp: 1e-8,
    minstepd: 1e-8,
    usexzgap: 1,
    tweakgap: 0,
    affine: 0,
    printlevel: 1,
    perturbobj: 1,
    fastmode: 0,
  };
  return `${Object.entries(own)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n")}\n`;
}
