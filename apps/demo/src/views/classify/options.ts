/** What the classify view lets one choose, and how that reads in a link and as options of `LinearClassifier`. */
import type { ClassificationLoss, LinearSolverName } from "@curvature/optim-sgdqn";
import { columnName } from "../../data/dataset.js";
import { type Codec, codec } from "../../state/codec.js";
import { choice, type Field, flag, list, maybe, number, whole, words } from "../../state/fields.js";

export const dataKinds = ["clouds", "moons", "drawn", "digits", "file"] as const;
export type DataKind = (typeof dataKinds)[number];

export const dataNames: Readonly<Record<DataKind, string>> = {
  clouds: "Two clouds",
  moons: "Two half moons",
  drawn: "Your own points",
  digits: "Handwritten digits (1,797)",
  file: "Your file",
};

export const losses = [
  "squared-hinge",
  "hinge",
  "smoothed-hinge",
  "logistic",
] as const satisfies readonly ClassificationLoss[];

export const lossNames: Readonly<Record<(typeof losses)[number], string>> = {
  "squared-hinge": "squared hinge",
  hinge: "hinge",
  "smoothed-hinge": "smoothed hinge",
  logistic: "logistic",
};

export const solvers = [
  "sgd",
  "svmsgd2",
  "sgdqn",
  "asgd",
  "dcd",
] as const satisfies readonly LinearSolverName[];
export type SolverName = (typeof solvers)[number];

export const solverNames: Readonly<Record<SolverName, string>> = {
  sgd: "SGD",
  svmsgd2: "SVMSGD2",
  sgdqn: "SGD-QN",
  asgd: "averaged SGD",
  dcd: "dual coordinate descent",
};

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

/** Of a file: rows beyond which a random sample is taken, and the most that may be held out of them, in %. */
export const mostRows = 5000;
export const mostShare = 80;

const place = number(-edge, edge);
const label = choice(classNames);

/** `x_y_class` */
const addedField: Field<AddedPoint> = {
  parse(text) {
    const parts = text.split("_");
    const [x, y, name] = [place.parse(parts[0]), place.parse(parts[1] ?? ""), label.parse(parts[2] ?? "")];
    return x === undefined || y === undefined || name === undefined || parts.length !== 3
      ? undefined
      : { x, y, label: name };
  },
  format: ({ x, y, label: name }) => `${x}_${y}_${name}`,
};

export interface ClassifyState {
  readonly data: DataKind;
  /** Of both classes together, for the generated sets. */
  readonly points: number;
  /** Standard deviation of a cloud, or of the noise on the moons. */
  readonly spread: number;
  /** The first feature is x times this: columns of different sizes are what makes plain SGD slow. */
  readonly stretch: number;
  readonly added: readonly AddedPoint[];
  /** This one against all others. */
  readonly digit: number;
  /** The last so many digits are not trained on. */
  readonly held: number;
  /** Of a file: its columns of numbers and its column of labels by name; "" for the first ones, and the one that looks like it. */
  readonly x: string;
  readonly y: string;
  readonly labels: string;
  /** Of a file with more than two classes the one against all others; "" for the first in order. */
  readonly against: string;
  /** Of a file, the share of rows that are not trained on, in %. */
  readonly share: number;
  readonly solvers: readonly SolverName[];
  /** Whose model is looked at and taken away. */
  readonly model: SolverName;
  readonly loss: (typeof losses)[number];
  readonly lambda: number | undefined;
  readonly epochs: number;
  readonly seed: number;
  /** Whether the link runs by itself when it is opened. */
  readonly run: boolean;
}

export const classifyCodec: Codec<ClassifyState> = codec<ClassifyState>(
  {
    data: "clouds",
    points: 60,
    spread: 0.45,
    stretch: 1,
    added: [],
    digit: 8,
    held: 597,
    x: "",
    y: "",
    labels: "",
    against: "",
    share: 20,
    solvers,
    model: "sgdqn",
    loss: "squared-hinge",
    lambda: undefined,
    epochs: 30,
    seed: 0,
    run: true,
  },
  {
    data: choice(dataKinds),
    points: whole(4, 5000),
    spread: number(0, 2),
    stretch: number(1, 100),
    added: list(addedField, { least: 0, most: mostAdded }),
    digit: whole(0, 9),
    held: whole(100, 1000),
    x: columnName,
    y: columnName,
    labels: columnName,
    against: words(200),
    share: whole(0, mostShare),
    model: choice(solvers),
    solvers: list(choice(solvers), { least: 1, most: solvers.length }),
    loss: choice(losses),
    lambda: maybe(number(1e-9, 1e6)),
    epochs: whole(1, 1000),
    seed: whole(0, 2 ** 32 - 1),
    run: flag,
  },
);

/** Options of `LinearClassifier` that are plain data; the defaults are left out. */
export interface ModelOptions {
  readonly solver: SolverName;
  readonly loss?: (typeof losses)[number];
  readonly lambda?: number;
  /** A file's columns may be of any size; the other data are as they are, so that all see the same problem. */
  readonly scale: "standard" | "none";
  readonly maxPasses: number;
  /** Of dual coordinate descent, which would end long before the last epoch. */
  readonly tolerance?: number;
  readonly seed?: number;
}

export function modelOptions(solver: SolverName, state: ClassifyState): ModelOptions {
  const { data, loss, lambda, epochs, seed } = state;
  return {
    solver,
    ...(loss === "squared-hinge" ? {} : { loss }),
    ...(lambda === undefined ? {} : { lambda }),
    scale: data === "file" ? "standard" : "none",
    maxPasses: epochs,
    ...(solver === "dcd" ? { tolerance: 1e-9 } : {}),
    ...(seed === 0 ? {} : { seed }),
  };
}

/** The solvers that run: dual coordinate descent has no step in closed form for the logistic loss. */
export const runningSolvers = ({ solvers: chosen, loss }: ClassifyState): readonly SolverName[] =>
  solvers.filter((solver) => chosen.includes(solver) && !(solver === "dcd" && loss === "logistic"));
