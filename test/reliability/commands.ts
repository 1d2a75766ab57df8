/** A run of every command that keeps checkpoints: long enough to be interrupted, with one file as its outcome. */
import { groupsCsv, type Workplace } from "../../apps/cli/test/cli.ts";
import { noise } from "./problems.ts";

export interface CommandRun {
  readonly name: string;
  /** The words without those about checkpoints. */
  readonly words: readonly string[];
  readonly output: string;
  /** How an undisturbed run ends: 0, or 2 where a limit ends it. */
  readonly code: number;
}

const ringsCsv = (perRing: number): string =>
  Array.from({ length: 2 * perRing }, (_, i) => {
    const angle = (2 * Math.PI * i) / perRing;
    const radius = i < perRing ? 1 : 0.5;
    return `${radius * Math.cos(angle)},${radius * Math.sin(angle)}\n`;
  }).join("");

/** Which of two others is nearer to one of 20 places in the plane. */
function answersCsv(count: number): string {
  const places = noise(40, 11);
  const distance = (a: number, b: number): number =>
    (places[2 * a] - places[2 * b]) ** 2 + (places[2 * a + 1] - places[2 * b + 1]) ** 2;
  const lines = ["i,j,k"];
  for (let t = 0; lines.length <= count; t++) {
    const [i, a, b] = [t % 20, (t * 7 + 1) % 20, (t * 13 + 5) % 20];
    if (i === a || i === b || a === b) continue;
    lines.push((distance(i, a) < distance(i, b) ? [i, a, b] : [i, b, a]).join(","));
  }
  return `${lines.join("\n")}\n`;
}

function rowsSvm(count: number): string {
  const values = noise(4 * count, 13);
  return Array.from({ length: count }, (_, i) => {
    const cells = [0, 1, 2, 3].map((j) => `${j + 1}:${values[4 * i + j]}`);
    return `${values[4 * i] + 0.3 * values[4 * i + 1] > 0 ? "+1" : "-1"} ${cells.join(" ")}\n`;
  }).join("");
}

const valley = `
export default {
  dimension: 12,
  count: 10,
  initial: Array.from({ length: 12 }, (_, j) => ((j * 7) % 5) - 2),
  evaluate(index, x, gradient) {
    let value = 0;
    for (let j = 0; j < 12; j++) {
      const weight = 1 + ((index + j) % 4);
      const root = Math.sqrt(1 + (x[j] - index / 5) ** 2);
      value += weight * root;
      if (gradient) gradient[j] = (weight * (x[j] - index / 5)) / root;
    }
    return value;
  },
};
`;

/** Writes the commands' inputs. */
export function prepare(place: Workplace): void {
  place.write("points.csv", groupsCsv(60));
  place.write("rings.csv", ringsCsv(20));
  place.write("answers.csv", answersCsv(400));
  place.write("rows.svm", rowsSvm(400));
  place.write("valley.mjs", valley);
}

export const commandRuns: readonly CommandRun[] = [
  {
    name: "embed",
    words: [
      "embed",
      "points.csv",
      "--labels",
      "group",
      "--solver",
      "gd",
      "--max-iterations",
      "300",
      "--tolerance",
      "0",
    ],
    output: "map.csv",
    code: 2,
  },
  {
    name: "ordinal",
    words: [
      "ordinal",
      "answers.csv",
      "--solver",
      "gd",
      "--tolerance",
      "0",
      "--max-iterations",
      "300",
      "--max-passes",
      "1e9",
    ],
    output: "places.csv",
    code: 0,
  },
  {
    name: "disentangle",
    words: [
      "disentangle",
      "rings.csv",
      "-k",
      "4",
      "--solver",
      "admm",
      "--tolerance",
      "1e-12",
      "--max-iterations",
      "150",
    ],
    output: "q.csv",
    code: 2,
  },
  {
    name: "train",
    words: ["train", "rows.svm", "--solver", "sgdqn", "--max-passes", "150"],
    output: "model.json",
    code: 0,
  },
  {
    name: "fit",
    words: [
      "fit",
      "--module",
      "valley.mjs",
      "--solver",
      "adam:0.05",
      "--tolerance",
      "0",
      "--max-passes",
      "150",
    ],
    output: "point.csv",
    code: 0,
  },
];

/** All words: with the output (`--model` for train), and a checkpoint at every step. */
export const wordsOf = ({ name, words, output }: CommandRun, ...more: readonly string[]): string[] => [
  ...words,
  name === "train" ? "--model" : "--out",
  output,
  "--quiet",
  ...more,
];
