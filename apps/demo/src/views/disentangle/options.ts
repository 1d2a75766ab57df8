/** What the disentangle view lets one choose: each field stands here once, for links, controls, runs and code. */
import { between, flag, integerFrom, oneOf } from "@curvature/linalg";
import { nomadOptions } from "@curvature/optim-sdp";
import { check, choice, number, pick } from "../../controls/declared.js";
import { changed, codec, type Given, type StateOf } from "../../state/codec.js";
import { type Field, list, ruled } from "../../state/fields.js";

export const dataNames = {
  "two-rings": "Two rings",
  moons: "Two half moons",
  "double-swiss-roll": "Double Swiss roll",
  ring: "One ring",
  digits: "Handwritten digits, one class",
  drawn: "Your own points",
} as const;

/** A point that was drawn. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export const mostPoints = 400;
export const mostClusters = 64;
const mostLayers = 20;
const farthest = 1000;

const coordinate = ruled(between(-farthest, farthest).default(0));

/** `x_y` */
const placeField: Pick<Field<Place>, "parse" | "format"> = {
  parse(text) {
    const [x, y, ...rest] = text.split("_").map(coordinate.parse);
    return x === undefined || y === undefined || rest.length > 0 ? undefined : { x, y };
  },
  format: ({ x, y }) => `${x}_${y}`,
};

const { entries } = nomadOptions;
const layerNumbers = list(ruled(integerFrom(1, mostPoints).default(1)), [16, 8, 4, 2], {
  least: 1,
  most: mostLayers,
});

/** Options of `nomad`, which any run has. */
const runFields = {
  solver: choice(entries.solver, {
    label: "Solver",
    names: {
      auto: "auto (factorisation, then its dual)",
      admm: "ADMM",
      cg: "conditional gradients (the paper's)",
    },
  }),
  tolerance: number(entries.tolerance, { label: "Certified gap to reach" }),
  seed: number(entries.seed, { label: "Seed", step: 1 }),
};

export const moreFields = { ...runFields, run: check(flag.default(true), { label: "Run at every change" }) };

export const fields = {
  data: pick("two-rings", dataNames, { label: "Points" }),
  /** Of the generated sets; of the digits, the most that are taken. */
  points: number(integerFrom(4, mostPoints).default(200), { label: "How many points", step: 1 }),
  noise: number(between(0, 10).default(0.02), {
    label: "Noise",
    hint: "Standard deviation of each coordinate.",
    step: 0.01,
  }),
  digit: choice(oneOf("0", "1", "2", "3", "4", "5", "6", "7", "8", "9").default("0"), { label: "Digit" }),
  drawn: list(placeField, [], { least: 0, most: mostPoints }),
  target: pick(
    "matrix",
    {
      matrix: "Q: manifolds and clusters",
      labels: "labels: K groups, with a bound of their own",
    },
    { label: "What is wanted" },
  ),
  /** Of labels. */
  counting: pick(
    "given",
    { given: "K as set below", chosen: "K chosen by BIC, of 1 to 10" },
    { label: "How many groups" },
  ),
  /** K, of the first layer. */
  clusters: ruled(integerFrom(2, mostClusters).default(16)),
  layering: pick(
    "one",
    {
      one: "one: K",
      halves: "K, then halves down to 2",
      auto: "automatic: find the number of manifolds",
      list: "a list of your own",
    },
    { label: "Layers", hint: "The Q of a layer is the Gram matrix of the next." },
  ),
  /** Where they are a list: `16~8~2`, none more than the one before it. */
  layers: { ...layerNumbers, parse: layersIn },
  ...moreFields,
};
export type DisentangleState = StateOf<typeof fields>;
export const disentangleCodec = codec<DisentangleState>(fields);

export function layersIn(text: string): readonly number[] | undefined {
  const numbers = layerNumbers.parse(text);
  return numbers !== undefined && entries.layers.accepts(numbers) ? numbers : undefined;
}

/** Options of `nomad` that are plain data, without those that are the defaults. */
export interface PlainNomadOptions extends Given<StateOf<typeof runFields>> {
  /** "auto" for labels alone. */
  readonly clusters?: number | "auto";
  readonly layers?: "auto" | readonly number[];
}

/** K as it is used: no more clusters than points. */
export const clustersOf = ({ clusters }: DisentangleState, count: number): number =>
  Math.max(1, Math.min(clusters, count));

export const optionsOf = (state: DisentangleState, count: number): PlainNomadOptions => ({
  ...layersOf(state, count),
  ...changed(nomadOptions, runFields, state),
});

function layersOf(state: DisentangleState, count: number): Pick<PlainNomadOptions, "clusters" | "layers"> {
  const K = clustersOf(state, count);
  if (state.target === "labels") return { clusters: state.counting === "chosen" ? "auto" : K };
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
