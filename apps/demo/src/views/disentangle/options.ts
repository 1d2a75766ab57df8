/** What the disentangle view lets one choose, and how that reads in a link and as options of `nomad`. */
import { type Codec, codec } from "../../state/codec.js";
import { choice, type Field, flag, list, number, whole } from "../../state/fields.js";

export const dataKinds = ["two-rings", "moons", "double-swiss-roll", "ring", "digits", "drawn"] as const;
export type DataKind = (typeof dataKinds)[number];

export const dataNames: Readonly<Record<DataKind, string>> = {
  "two-rings": "Two rings",
  moons: "Two half moons",
  "double-swiss-roll": "Double Swiss roll",
  ring: "One ring",
  digits: "Handwritten digits, one class",
  drawn: "Your own points",
};

/** One layer of K; K, K/2, … 2; found by trying; a list. */
export const layerings = ["one", "halves", "auto", "list"] as const;
export type Layering = (typeof layerings)[number];

export const layeringNames: Readonly<Record<Layering, string>> = {
  one: "one: K",
  halves: "K, then halves down to 2",
  auto: "automatic: find the number of manifolds",
  list: "a list of your own",
};

export const solvers = ["auto", "admm", "cg"] as const;
export type SolverName = (typeof solvers)[number];

export const solverNames: Readonly<Record<SolverName, string>> = {
  auto: "auto (factorisation, then its dual)",
  admm: "ADMM",
  cg: "conditional gradients (the paper's)",
};

/** A point that was drawn. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export const mostPoints = 400;
export const fewestPoints = 4;
export const mostClusters = 64;
const farthest = 1000;

const coordinate = number(-farthest, farthest);

/** `x_y` */
const placeField: Field<Place> = {
  parse(text) {
    const parts = text.split("_");
    const [x, y] = [coordinate.parse(parts[0]), coordinate.parse(parts[1] ?? "")];
    return x === undefined || y === undefined || parts.length !== 2 ? undefined : { x, y };
  },
  format: ({ x, y }) => `${x}_${y}`,
};

const layerNumbers = list(whole(1, mostPoints), { least: 1, most: 20 });

/** `16~8~2`: none more than the one before it. */
const layersField: Field<readonly number[]> = {
  parse(text) {
    const numbers = layerNumbers.parse(text);
    return numbers?.every((K, l) => l === 0 || K <= numbers[l - 1]) === true ? numbers : undefined;
  },
  format: layerNumbers.format,
};

export interface DisentangleState {
  readonly data: DataKind;
  /** Of the generated sets; of the digits, the most that are taken. */
  readonly points: number;
  readonly noise: number;
  readonly digit: number;
  readonly drawn: readonly Place[];
  /** K, of the first layer. */
  readonly clusters: number;
  readonly layering: Layering;
  /** Where they are a list. */
  readonly layers: readonly number[];
  readonly solver: SolverName;
  readonly tolerance: number;
  readonly seed: number;
  /** Whether it runs by itself, when a link is opened and at every change. */
  readonly run: boolean;
}

export const disentangleCodec: Codec<DisentangleState> = codec<DisentangleState>(
  {
    data: "two-rings",
    points: 200,
    noise: 0.02,
    digit: 0,
    drawn: [],
    clusters: 16,
    layering: "one",
    layers: [16, 8, 4, 2],
    solver: "auto",
    tolerance: 1e-3,
    seed: 0,
    run: true,
  },
  {
    data: choice(dataKinds),
    points: whole(fewestPoints, mostPoints),
    noise: number(0, 10),
    digit: whole(0, 9),
    drawn: list(placeField, { least: 0, most: mostPoints }),
    clusters: whole(2, mostClusters),
    layering: choice(layerings),
    layers: layersField,
    solver: choice(solvers),
    tolerance: number(1e-5, 0.5),
    seed: whole(0, 2 ** 32 - 1),
    run: flag,
  },
);

/** Options of `nomad` that are plain data; the defaults are left out. */
export interface PlainNomadOptions {
  readonly clusters?: number;
  readonly layers?: "auto" | readonly number[];
  readonly solver?: SolverName;
  readonly tolerance?: number;
  readonly seed?: number;
}

/** K as it is used: no more clusters than points. */
export const clustersOf = ({ clusters }: DisentangleState, count: number): number =>
  Math.max(1, Math.min(clusters, count));

export function nomadOptions(state: DisentangleState, count: number): PlainNomadOptions {
  const { solver, tolerance, seed } = state;
  return {
    ...layersOf(state, count),
    ...(solver === "auto" ? {} : { solver }),
    ...(tolerance === disentangleCodec.defaults.tolerance ? {} : { tolerance }),
    ...(seed === 0 ? {} : { seed }),
  };
}

function layersOf(state: DisentangleState, count: number): Pick<PlainNomadOptions, "clusters" | "layers"> {
  const K = clustersOf(state, count);
  switch (state.layering) {
    case "one":
      return { clusters: K };
    case "halves":
      return { layers: halvesOf(K) };
    case "auto":
      return { layers: "auto" };
    case "list":
      return { layers: state.layers.map((each) => Math.min(each, count)) };
  }
}

function halvesOf(first: number): readonly number[] {
  const halves: number[] = [];
  for (let K = first; K > 2; K = Math.round(K / 2)) halves.push(K);
  return [...halves, Math.min(first, 2)];
}
