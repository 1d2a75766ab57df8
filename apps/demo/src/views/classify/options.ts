/** What the classify view lets one choose: each field stands here once, for links, controls, runs and code. */
import { between, flag, integerFrom, oneOf, positive } from "@curvature/linalg";
import { linearClassifierOptions } from "@curvature/optim-sgdqn";
import { choice, number, optionalNumber, pick, slider, wordsOf } from "../../controls/declared.js";
import { columnName } from "../../data/dataset.js";
import { tableFields } from "../../data/table-fields.js";
import type { SolverLooks } from "../../plot/solver-looks.js";
import { changed, codec, type Given, type StateOf } from "../../state/codec.js";
import { type Field, list, ruled, words } from "../../state/fields.js";

/** In colours that are not those of the two classes. */
export const solvers = {
  sgd: { name: "SGD", color: 2 },
  svmsgd2: { name: "SVMSGD2", color: 5, dash: [8, 4] },
  sgdqn: { name: "SGD-QN", color: 3 },
  asgd: { name: "averaged SGD", color: 4, dash: [10, 4, 2, 4] },
  dcd: { name: "dual coordinate descent", color: 8, dash: [2, 4] },
} as const satisfies Readonly<Record<string, SolverLooks>>;
export type SolverName = keyof typeof solvers;
const solver = ruled(oneOf(...wordsOf(solvers)).default("sgdqn"));

/** The two classes of points in the plane. */
export const classNames = ["a", "b"] as const;
export type ClassName = (typeof classNames)[number];

/** A point that the visitor has set, in units of the board. */
interface AddedPoint {
  readonly x: number;
  readonly y: number;
  readonly label: ClassName;
}

/** The board shows x and y from −edge to edge. */
export const edge = 2;
export const mostAdded = 300;
/** Of a file: rows beyond which a random sample is taken. */
export const mostRows = 5000;

const place = ruled(between(-edge, edge).default(0));
const className = ruled(oneOf(...classNames).default("a"));

/** `x_y_class` */
const addedField: Pick<Field<AddedPoint>, "parse" | "format"> = {
  parse(text) {
    const [first, second = "", third = "", ...rest] = text.split("_");
    const [x, y, label] = [place.parse(first), place.parse(second), className.parse(third)];
    return x === undefined || y === undefined || label === undefined || rest.length > 0
      ? undefined
      : { x, y, label };
  },
  format: ({ x, y, label }) => `${x}_${y}_${label}`,
};

const { entries } = linearClassifierOptions;

export const moreFields = {
  loss: choice(entries.loss, {
    label: "Loss",
    names: {
      "squared-hinge": "squared hinge",
      hinge: "hinge",
      "smoothed-hinge": "smoothed hinge",
      logistic: "logistic",
    },
  }),
  lambda: optionalNumber(positive, { label: "λ, weight of ½ ‖w‖²", placeholder: "by rows left out" }),
  seed: number(entries.seed, { label: "Seed", step: 1 }),
};
const runFields = {
  maxPasses: number(integerFrom(1, 1000).default(30), {
    label: "Epochs",
    hint: "Passes over the rows.",
    step: 1,
  }),
  ...moreFields,
};

export const fields = {
  data: pick(
    "clouds",
    {
      clouds: "Two clouds",
      moons: "Two half moons",
      drawn: "Your own points",
      digits: "Handwritten digits (1,797)",
      file: "Your file",
    },
    { label: "Data" },
  ),
  /** Of both classes together, for the generated sets. */
  points: number(integerFrom(4, 5000).default(60), { label: "Points", step: 1 }),
  /** Standard deviation of a cloud, or of the noise on the moons. */
  spread: slider(0.45, { label: "Spread", range: [0, 2], step: 0.05 }),
  stretch: slider(1, {
    label: "x is larger than y by",
    hint: "Columns of different sizes make the problem long and narrow.",
    range: [1, 20],
    step: 1,
    shown: (times) => `× ${times}`,
  }),
  added: list(addedField, [], { least: 0, most: mostAdded }),
  /** This one against all others. */
  digit: choice(oneOf("0", "1", "2", "3", "4", "5", "6", "7", "8", "9").default("8"), { label: "Digit" }),
  held: number(integerFrom(100, 1000).default(597), {
    label: "Digits held out",
    hint: "The last so many are not learned from; errors on them tell how well the model reads.",
    step: 1,
  }),
  ...tableFields,
  /** Of a file: its columns of numbers by name; "" for the first ones. */
  x: columnName,
  y: columnName,
  /** Of a file with more than two classes the one against all others; "" for the first in order. */
  against: words(200),
  share: number(integerFrom(0, 80).default(20), {
    label: "Rows held out, %",
    hint: "Drawn at random, and not learned from: errors on them tell how good the border is.",
    step: 1,
  }),
  /** Whose model is looked at and taken away. */
  model: solver,
  solvers: list(solver, wordsOf(solvers), { least: 1, most: wordsOf(solvers).length }),
  ...runFields,
  /** Whether the link runs by itself when it is opened. */
  run: ruled(flag.default(true)),
};
export type ClassifyState = StateOf<typeof fields>;
export const classifyCodec = codec<ClassifyState>(fields);

/** Options of `LinearClassifier` that are plain data, without those that are the defaults. */
export interface ModelOptions extends Given<StateOf<typeof runFields>> {
  readonly solver: SolverName;
  /** A file's columns may be of any size; the other data are as they are, so that all see the same problem. */
  readonly scale: "standard" | "none";
  /** Dual coordinate descent has no free one; all have the same, so that their costs can be compared. */
  readonly bias: "free" | "regularized";
  /** Of dual coordinate descent, which would end long before the last epoch. */
  readonly tolerance: number | undefined;
}

export const modelOptions = (solver: SolverName, state: ClassifyState): ModelOptions => ({
  solver,
  scale: state.data === "file" ? "standard" : "none",
  bias: runningSolvers(state).includes("dcd") ? "regularized" : "free",
  ...changed(linearClassifierOptions, runFields, state),
  tolerance: solver === "dcd" ? 1e-9 : undefined,
});

/** The solvers that run: dual coordinate descent has no step in closed form for the logistic loss. */
export const runningSolvers = ({ solvers: chosen, loss }: ClassifyState): readonly SolverName[] =>
  wordsOf(solvers).filter((name) => chosen.includes(name) && !(name === "dcd" && loss === "logistic"));
