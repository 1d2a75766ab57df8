/** The readers of snapshots and checkpoints, of solvers in the middle of their work. */
import { CurvatureError, type RandomGenerator } from "@curvature/linalg";
import {
  type Checkpoint,
  decode,
  decodeCheckpoint,
  encode,
  encodeCheckpoint,
  hash128,
  maxIterations,
  run,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { ensure, outcome, parser, type Reader, refused } from "./fuzz-target.ts";
import { lazily } from "./lazily.ts";
import { mutatedBytes, mutatedData } from "./mutations.ts";
import { solvers } from "./problems.ts";

const plain = {
  a: [1, 2, { b: Float64Array.of(1, -0) }],
  c: "text",
  d: [true, null],
  e: Int32Array.of(1, 2),
  f: undefined,
};
const encoded = encode("FUZZ", plain);

/** The bytes of a checkpoint with a checksum that fits again, so that what is behind the checksum is met. */
function resealed(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 16;
  if (end < 16) return bytes;
  const sealed = bytes.slice();
  sealed.set(new Uint8Array(hash128(sealed.subarray(0, end)).buffer), end);
  return sealed;
}

/** A snapshot with up to two places changed goes to `restore`; what is taken must then step without a fault. */
function restoring(
  name: string,
  create: () => (typeof solvers)[string] extends () => infer S ? S : never,
): Reader {
  const ready = lazily(async () => {
    const source = create();
    for (let k = 0; k < 4; k++) await source.step();
    return { snapshot: source.save(), target: create() };
  });
  return {
    name: `restore ${name}`,
    make: (random) => {
      const seed = random.next();
      const input: { data: unknown } = { data: seed };
      return {
        bytes: undefined,
        get data() {
          return input.data;
        },
        read: async () => {
          const { snapshot, target } = await ready();
          let state = mutatedData(random, snapshot.state);
          if (random.integer(2) === 0) state = mutatedData(random, state);
          const bad: unknown =
            random.integer(50) === 0 ? mutatedData(random, { ...snapshot }) : { ...snapshot, state };
          input.data = bad;
          if (random.integer(16) === 0) takesAgain(target, snapshot);
          return outcome(
            () => Reflect.apply(target.restore, target, [bad]),
            async () => {
              try {
                for (let k = 0; k < 2; k++) await target.step();
              } catch (error) {
                if (!(error instanceof CurvatureError)) throw error;
              }
              target.save();
            },
          );
        },
      };
    },
  };
}

/** Whatever a solver was given before, it takes what it saved. */
function takesAgain(target: Pick<Solver, "restore">, snapshot: Snapshot): void {
  try {
    target.restore(snapshot);
  } catch (error) {
    throw new Error(`a good snapshot is refused after bad ones: ${String(error)}`);
  }
}

/** A checkpoint of a run with its tree changed, written anew, or its bytes changed and sealed anew; `run` goes on from it. */
function resuming(name: string, create: (typeof solvers)[string]): Reader {
  const ready = lazily(async () => {
    let written = new Uint8Array();
    const write = (bytes: Uint8Array): void => {
      written = bytes.slice();
    };
    const checkpoint = { everySeconds: 1e6, write };
    await run(create(), { stop: maxIterations(3), checkpoint, history: true });
    return { written, decoded: decodeCheckpoint(written), target: create() };
  });
  return {
    name: `resume ${name}`,
    make: (random) => {
      const input: { bytes: Uint8Array | undefined } = { bytes: undefined };
      return {
        get bytes() {
          return input.bytes;
        },
        data: undefined,
        read: async () => {
          const { written, decoded, target } = await ready();
          const bytes =
            random.integer(4) === 0 ? resealed(mutatedBytes(random, [written])) : rewritten(random, decoded);
          if (bytes === undefined) return refused;
          input.bytes = bytes;
          return outcome(
            () =>
              run(target, { stop: maxIterations(5), resume: bytes, yieldEvery: Number.POSITIVE_INFINITY }),
            (result) => ensure(typeof result.status === "string", "a run without a status"),
          );
        },
      };
    },
  };
}

function rewritten(random: RandomGenerator, checkpoint: Checkpoint): Uint8Array | undefined {
  try {
    return Reflect.apply(encodeCheckpoint, undefined, [mutatedData(random, checkpoint)]);
  } catch (error) {
    if (error instanceof CurvatureError) return undefined; // the writer refuses it already
    throw error;
  }
}

export const states: readonly Reader[] = [
  parser(
    "decode",
    [encoded],
    (b, r) => decode("FUZZ", r.integer(4) === 0 ? b : resealed(b)),
    () => undefined,
  ),
  ...Object.entries(solvers).map(([name, create]) => restoring(name, create)),
  ...["optim-core/lbfgs", "optim-spectral/sd", "optim-sgdqn/sgdqn", "optim-sfo/sfo"].map((name) =>
    resuming(name, solvers[name]),
  ),
];
