/**
 * Interrupted anywhere = uninterrupted, bit for bit; and snapshots that nobody else can change or mistake.
 */
import { RandomGenerator } from "@curvature/linalg";
import type { RunResult } from "../result.js";
import { run } from "../run.js";
import type { Snapshot, SnapshotValue, Solver } from "../solver.js";
import { anyOf, maxIterations, type StoppingRule } from "../stopping.js";
import { valueDecreaseBelow } from "../tolerances.js";
import { type Checks, type ConformanceCase, stepsOf } from "./case.js";
import { Faults } from "./faults.js";
import { advance, bitsOf, ensure, ensureSame, stateBits, trace } from "./trace.js";

const CUTS = 6;

export function resumeChecks(given: ConformanceCase): Checks {
  const steps = stepsOf(given);
  const fresh = (seed = 1) => given.create(seed, new Faults());
  return {
    "a snapshot is plain data of its own": async () => {
      const solver = fresh();
      await advance(solver, Math.ceil(steps / 3));
      const snapshot = solver.save();
      ensure(snapshot.solver === solver.name, "a snapshot must name its solver", snapshot.solver);
      const before = bitsOf({ ...snapshot });
      ensure(bitsOf({ ...structuredClone(snapshot) }) === before, "structured cloning must keep a snapshot");
      await advance(solver, steps);
      ensure(bitsOf({ ...snapshot }) === before, "going on must not change a snapshot");
      const other = fresh(2);
      other.restore(snapshot);
      await advance(other, steps);
      ensure(bitsOf({ ...snapshot }) === before, "going on after a restore must not change the snapshot");
    },
    "restored from a snapshot, it goes on bit for bit": async () => {
      const whole = await trace(fresh(), steps);
      for (const cut of cutsOf(whole.length - 1)) {
        const interrupted = fresh();
        const head = (await trace(interrupted, cut)).slice(0, -1);
        const resumed = fresh(2);
        await advance(resumed, Math.min(3, cut)); // whatever it was before must not matter
        resumed.restore(structuredClone(interrupted.save()));
        ensure(stateBits(resumed) === stateBits(interrupted), `cut at ${cut}: the restored state differs`);
        const tail = await trace(resumed, whole.length - 1 - cut);
        ensureSame(whole, [...head, ...tail], `cut at ${cut}`);
      }
    },
    "resumed from a checkpoint, a run ends as if uninterrupted": async () => {
      const stop = (limit: number) =>
        anyOf(maxIterations(limit), valueDecreaseBelow(1e-12, { consecutive: 3 }));
      const whole = await checkpointed(fresh(), stop(steps));
      for (const cut of cutsOf(whole.result.iterations)) {
        const interrupted = await checkpointed(fresh(), stop(cut));
        const resumed = await checkpointed(fresh(2), stop(steps), interrupted.bytes);
        ensure(timeless(resumed.result) === timeless(whole.result), `cut at ${cut}: the results differ`);
      }
      const again = await checkpointed(fresh(2), stop(steps), whole.bytes);
      ensure(timeless(again.result) === timeless(whole.result), "resumed at its end, a run must stay there");
    },
    "a snapshot of another solver, another version or damaged is refused, and nothing changes": async () => {
      const solver = fresh();
      await advance(solver, 3);
      const snapshot = solver.save();
      const before = stateBits(solver);
      const foreign: readonly Snapshot[] = [
        { ...snapshot, solver: `${snapshot.solver}-other` },
        { ...snapshot, version: snapshot.version + 1 },
        { ...snapshot, state: null },
        { ...snapshot, state: {} },
        ...damaged(snapshot),
      ];
      for (const bad of foreign) {
        ensure(refuses(solver, bad), "a bad snapshot must be refused with ERR_SNAPSHOT", bad);
        ensure(stateBits(solver) === before, "a refused snapshot must leave the solver as it was", bad);
      }
      solver.restore(snapshot);
      ensure(stateBits(solver) === before, "the good snapshot must still be taken");
    },
  };
}

/** Where to cut: at the start, at the end, and at random between. */
function cutsOf(steps: number): readonly number[] {
  const random = new RandomGenerator(steps);
  return [1, steps, ...Array.from({ length: CUTS }, () => 1 + random.integer(Math.max(1, steps)))];
}

async function checkpointed(
  solver: Solver,
  stop: StoppingRule,
  resume?: Uint8Array,
): Promise<{ readonly result: RunResult; readonly bytes: Uint8Array }> {
  let bytes = new Uint8Array();
  const write = (written: Uint8Array) => {
    bytes = written.slice();
  };
  const checkpoint = { write, everySeconds: Number.POSITIVE_INFINITY };
  const result = await run(solver, { stop, checkpoint, history: true, ...(resume && { resume }) });
  return { result, bytes };
}

const timeless = (result: RunResult): string =>
  bitsOf({ ...result, elapsedSeconds: 0, options: undefined, cause: undefined });

/**
 * Snapshots of which one field, however deep, is absent, of another kind, of another length, or surplus. What can be absent
 * (null) may become anything that is not plain data of its kind; an empty list has no entry to damage.
 */
function damaged(snapshot: Snapshot): readonly Snapshot[] {
  const all: Snapshot[] = [];
  const walk = (value: SnapshotValue, rebuilt: (worse: SnapshotValue) => SnapshotValue): void => {
    const add = (worse: SnapshotValue): void => {
      all.push({ ...snapshot, state: rebuilt(worse) });
    };
    if (ArrayBuffer.isView(value)) {
      add("none");
      if (value.length > 0) add(value.slice(1));
    } else if (isList(value)) {
      add("none");
      for (const [k, entry] of value.entries()) walk(entry, (worse) => rebuilt(value.toSpliced(k, 1, worse)));
    } else if (typeof value === "object" && value !== null) {
      add({ ...value, surplus: 1 });
      for (const [key, entry] of Object.entries(value)) {
        const { [key]: _, ...without } = value;
        add(without);
        walk(entry, (worse) => rebuilt({ ...value, [key]: worse }));
      }
    } else if (value !== null) {
      add(typeof value === "string" ? 1 : "none");
    }
  };
  walk(snapshot.state, (state) => state);
  return all;
}

const isList = (value: SnapshotValue): value is readonly SnapshotValue[] => Array.isArray(value);

function refuses(solver: Solver, snapshot: Snapshot): boolean {
  try {
    solver.restore(snapshot);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ERR_SNAPSHOT";
  }
}
