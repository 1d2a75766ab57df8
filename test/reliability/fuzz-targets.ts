/**
 * All that reads what a stranger wrote: the parsers of `datasets`, and the readers of snapshots, checkpoints and
 * models. Each target makes an input from a generator and reads it; it resolves with a word on what became of it, or
 * rejects.
 */
import { gzipSync } from "node:zlib";
import {
  readCells,
  readComparisons,
  readCsv,
  readDistances,
  readIdx,
  readIdxLabels,
  readJson,
  readJsonLines,
  readLibsvm,
  readNpy,
  readPoints,
  readRows,
  streamLibsvm,
  writeNpy,
} from "@curvature/datasets";
import { CurvatureError, RandomGenerator } from "@curvature/linalg";
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
import { LinearClassifier, LinearRegressor, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { mutatedBytes, mutatedData, mutatedJson, pick } from "./mutations.ts";
import { classLabels, points, solvers } from "./problems.ts";

/** One input: what it is (for the message) and how it is read. */
export interface FuzzInput {
  readonly bytes: Uint8Array | undefined;
  readonly data: unknown;
  read(): Promise<"accepted" | "refused">;
}

interface Reader {
  readonly name: string;
  make(random: RandomGenerator): FuzzInput;
}

export interface FuzzTarget extends Reader {
  /** Reads one in so many of the inputs that are asked for: its own set-up takes that much longer than that of others. */
  readonly oneIn: number;
}

/** The generator of one input. */
export const generatorOf = (seed: number, index: number): RandomGenerator =>
  new RandomGenerator(seed * 2 ** 32 + index);

const text = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join("\n")}\n`);
const refused = "refused";
const accepted = "accepted";

/** Runs a reader: a result that passes `check`, or a CurvatureError. */
async function outcome<T>(
  read: () => T | Promise<T>,
  check: (result: T) => unknown,
): Promise<"accepted" | "refused"> {
  let result: T;
  try {
    result = await read();
  } catch (error) {
    if (error instanceof CurvatureError) return refused;
    throw error;
  }
  await check(result);
  return accepted;
}

function parser<T>(
  name: string,
  samples: readonly Uint8Array[],
  read: (bytes: Uint8Array, random: RandomGenerator) => T | Promise<T>,
  check: (result: T) => unknown,
  mutated = mutatedBytes,
): Reader {
  return {
    name,
    make: (random) => {
      const bytes = mutated(random, samples);
      return { bytes, data: undefined, read: () => outcome(() => read(bytes, random), check) };
    },
  };
}

function ensure(condition: boolean, what: string): void {
  if (!condition) throw new Error(`a broken result: ${what}`);
}

interface DenseResult {
  readonly points: { readonly rows: number; readonly columns: number; readonly data: Float64Array };
  readonly columns: readonly string[];
  readonly labels: readonly string[] | undefined;
}

function checkTable({ points: { rows, columns, data }, columns: names, labels }: DenseResult): void {
  ensure(data.length === rows * columns, "the matrix has another size than it says");
  ensure(data.every(Number.isFinite), "an entry is not finite");
  ensure(names.length === columns, "columns have no names");
  ensure(labels === undefined || labels.length === rows, "labels are not one for each row");
}

const csv = [
  text("a,b,label", "1,2,x", "3,4.5,y", "-1e-3,0,x"),
  text("1;2;3", "4;5;6"),
  text('name\tw\t"q ""t"""', "p\t1\t2", '"r\n s"\t3\t4'),
  text("1 2 3", "4 5 6"),
];
const idx = (() => {
  const labels = Uint8Array.from([0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3, 4]);
  const images = Uint8Array.from([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8]);
  const floats = Uint8Array.from([0, 0, 13, 2, 0, 0, 0, 1, 0, 0, 0, 2, 63, 128, 0, 0, 64, 0, 0, 0]);
  return [labels, images, floats];
})();
const npy = [writeNpy({ rows: 2, columns: 3, data: Float64Array.of(1, 2, 3, 4, 5, 6) }), npyFloat32()];
const libsvm = [
  text("+1 1:0.5 3:2", "-1 2:1 # remark", "+1 1:1 2:2 3:3"),
  text("cat 0:1 5:2", "dog 1:1"),
  text("3 qid:1 1:1 2:0.5", "2 qid:1 2:1"),
];
const json = [
  text("[[1,2],[3,4]]"),
  text('[{"a":1,"b":2,"label":"x"},{"a":3,"b":4.5,"label":"y"}]'),
  text('{"a":[1,2],"b":[3,4]}'),
];
const jsonLines = [text("[1,2]", "[3,4]"), text('{"a":1,"b":2,"label":"x"}', '{"a":3,"b":4,"label":"y"}')];
const triplets = [
  text("i,j,k", "0,1,2", "2,1,0", "1,0,2"),
  text("i,j,l,k,weight", "0,1,2,3,1", "3,2,1,0,2.5"),
  text("anchor;near;far", "a;b;c", "c;b;a"),
  text("0 1 2", "1 2 0"),
];
const distances = [
  text("0,1,2", "1,0,3", "2,3,0"),
  text(",a,b,c", "a,0,1,2", "b,1,0,3", "c,2,3,0"),
  text("0", "1,0", "2,3,0"),
];
const zipped = [...csv, ...json, ...libsvm, ...npy].map((bytes) => new Uint8Array(gzipSync(bytes)));

/** A .npy file of float32 in Fortran order. */
function npyFloat32(): Uint8Array {
  const head = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }";
  const padded = `${head.padEnd(117)}\n`;
  const bytes = new Uint8Array(10 + padded.length + 16);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 255, padded.length >> 8]);
  bytes.set(new TextEncoder().encode(padded), 10);
  bytes.set(new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer), 10 + padded.length);
  return bytes;
}

/** Mostly what fits, since the wrong one ends most readings at the first line. */
const delimiters = ["auto", "auto", "auto", "auto", "auto", ",", ";", "\t"];
const labelColumns = [undefined, undefined, undefined, 0, "label"];
const everything = [...csv, ...npy, ...idx, ...json, ...jsonLines, ...libsvm, ...zipped];

const parsers: readonly Reader[] = [
  parser(
    "csv",
    csv,
    (b, r) => readCsv(b, { delimiter: pick(r, delimiters), labels: pick(r, labelColumns) }),
    checkTable,
  ),
  parser("npy", npy, (b) => readNpy(b), checkTable),
  parser("idx", idx, (b) => readIdx(b), checkTable),
  parser(
    "idx-labels",
    idx,
    (b) => readIdxLabels(b),
    (labels) => ensure(Array.isArray(labels), "no list of labels"),
  ),
  parser(
    "libsvm",
    libsvm,
    (b, r) => readLibsvm(b, { precision: pick(r, ["single", "double"]) }),
    ({ rows }) =>
      ensure(
        rows.values.every(Number.isFinite) && rows.rowPointers.length === rows.rows + 1,
        "rows are broken",
      ),
  ),
  parser(
    "libsvm-stream",
    libsvm,
    async (b) => {
      for await (const { rows } of streamLibsvm(b, { batchRows: 2 }))
        ensure(rows.values.every(Number.isFinite), "an entry is not finite");
    },
    () => undefined,
  ),
  parser(
    "json",
    json,
    (b, r) => readJson(b, { labels: pick(r, [...labelColumns, "__proto__"]) }),
    checkTable,
    mutatedJson,
  ),
  parser("json-lines", jsonLines, (b, r) => readJsonLines(b, { labels: pick(r, labelColumns) }), checkTable),
  parser(
    "comparisons",
    triplets,
    (b, r) => readComparisons(b, { degenerate: pick(r, ["error", "drop"]) }),
    (table) =>
      ensure(
        table.comparisons.quadruplets.every((k) => k >= 0 && k < table.comparisons.objects),
        "an object is not in range",
      ),
  ),
  parser(
    "distances",
    distances,
    (b) => readDistances(b),
    ({ distances: { rows, columns, data } }) =>
      ensure(rows === columns && data.length === rows * rows && data.every(Number.isFinite), "no distances"),
  ),
  parser(
    "cells",
    csv,
    (b, r) => readCells(b, { delimiter: pick(r, delimiters) }),
    ({ cells, lines }) => ensure(cells.length === lines.length, "not one line for each row of cells"),
  ),
  parser(
    "gzip",
    zipped,
    (b) => readRows(b),
    () => undefined,
  ),
  parser(
    "any format",
    everything,
    (b, r) =>
      readPoints(b, {
        name: pick(r, ["a", "a.csv", "a.npy", "a.json.gz", "a.jsonl", "a.idx", "a.svm", "a.gz"]),
      }),
    checkTable,
  ),
];

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

/** Solvers in the middle of their work, and their snapshots and checkpoints; each is made once. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
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

const models = lazily(async () => {
  const rows = points(12);
  const classifier = new LinearClassifier();
  await classifier.fit(rows, classLabels());
  const logistic = new LinearClassifier({ loss: "logistic", scale: "standard" });
  await logistic.fit(
    rows,
    rows.map((_, i) => i % 2),
  );
  const regressor = new LinearRegressor();
  await regressor.fit(
    rows,
    rows.map((row) => row[0]),
  );
  return [saveModel(classifier), saveModel(logistic), saveModel(regressor)];
});

/** A model file with a checksum that fits again. */
function resealedModel(bytes: Uint8Array): Uint8Array {
  const tail = '],"checksum":"'.length + 32 + '"}\n'.length;
  const before = bytes.subarray(0, Math.max(0, bytes.length - tail));
  const digits = Array.from(hash128(before), (word) => word.toString(16).padStart(8, "0")).join("");
  const end = new TextEncoder().encode(`],"checksum":"${digits}"}\n`);
  const sealed = new Uint8Array(before.length + end.length);
  sealed.set(before);
  sealed.set(end, before.length);
  return sealed;
}

const model: Reader = {
  name: "model",
  make: (random) => {
    const input: { bytes: Uint8Array | undefined } = { bytes: undefined };
    return {
      get bytes() {
        return input.bytes;
      },
      data: undefined,
      read: async () => {
        const mutated = mutatedBytes(random, await models());
        const bytes = random.integer(4) === 0 ? mutated : resealedModel(mutated);
        input.bytes = bytes;
        return outcome(
          () => loadModel(bytes),
          (loaded) => {
            const rows = [Array.from({ length: loaded.features }, () => 1)];
            try {
              loaded.predict(rows);
            } catch (error) {
              if (!(error instanceof CurvatureError)) throw error;
            }
            saveModel(loaded);
          },
        );
      },
    };
  },
};

const loaders: readonly Reader[] = [
  parser(
    "decode",
    [encoded],
    (b, r) => decode("FUZZ", r.integer(4) === 0 ? b : resealed(b)),
    () => undefined,
  ),
  model,
  ...Object.entries(solvers).map(([name, create]) => restoring(name, create)),
  ...["optim-core/lbfgs", "optim-spectral/sd", "optim-sgdqn/sgdqn", "optim-sfo/sfo"].map((name) =>
    resuming(name, solvers[name]),
  ),
];

/** zlib's thread takes half a millisecond for each input, a run and its checkpoint a fifth of one. */
const oneIn = (name: string): number => {
  if (name === "gzip" || name === "any format") return 10;
  return name.startsWith("resume ") ? 5 : 1;
};

export const targets: readonly FuzzTarget[] = [...parsers, ...loaders].map((target) => ({
  ...target,
  oneIn: oneIn(target.name),
}));
