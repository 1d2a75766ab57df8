/** Modules, reports and parameters for the tests of `curvature fit`. */
/** Modules, data and reports for the tests of `curvature fit`. */
import { loadDigits } from "@curvature/datasets/digits";
import type { Workplace } from "./cli.js";

/** Half the squared distances to three points, whose least sum is at their mean (4/3, 5/3). */
export const centres = (inside = "", evaluate = "evaluate"): string => `
const centres = [[1, 2], [3, -1], [0, 4]];
let calls = 0;
export default {
  dimension: 2,
  count: 3,
  initial: [0, 0],
  ${evaluate}(index, x, gradient) {
    calls++;
    ${inside}
    const d = centres[index].map((c, j) => x[j] - c);
    gradient?.set(d);
    return (d[0] * d[0] + d[1] * d[1]) / 2;
  },
};
`;

export interface FitReport {
  readonly input: Record<string, unknown>;
  readonly options: Record<string, unknown>;
  readonly result: Record<string, unknown> & { readonly value: number; readonly passes: number };
  readonly metrics: {
    readonly initialValue: number;
    readonly trainingError: number | null;
    readonly validationLoss?: number;
    readonly validationError?: number | null;
    readonly validationRows?: number;
    readonly parameters: readonly Record<string, unknown>[] | null;
    readonly solvers: readonly {
      readonly solver: string;
      readonly value: number;
      readonly passes: number;
      readonly status: string;
      readonly monitoringEvaluations: number;
      readonly validationLoss?: number;
      readonly validationPasses?: number;
      readonly validationCurve?: readonly { readonly passes: number; readonly value: number }[];
      readonly curve: readonly {
        readonly passes: number;
        readonly seconds: number;
        readonly value: number;
      }[];
    }[];
  };
  readonly phases: Record<string, number>;
}

export const reportIn = (place: Workplace, name: string): FitReport => JSON.parse(place.read(name));

/** Writes digits.csv, all with their labels, digits300.csv, the first of them, and parity.txt, whether these are even. */
export async function writeDigits(place: Workplace): Promise<void> {
  const { points, labels } = await loadDigits();
  const header = [...Array.from({ length: 64 }, (_, j) => `p${j}`), "digit"].join(",");
  const lines = Array.from({ length: points.rows }, (_, i) => {
    const pixels = Array.from(points.data.subarray(64 * i, 64 * i + 64), (value) => value / 16);
    return [...pixels, labels[i]].join(",");
  });
  place.write("digits.csv", `${[header, ...lines].join("\n")}\n`);
  place.write("digits300.csv", `${[header, ...lines.slice(0, 300)].join("\n")}\n`);
  const parities = Array.from(labels.subarray(0, 300), (label) => (label % 2 === 0 ? "even" : "odd"));
  place.write("parity.txt", `${parities.join("\n")}\n`);
}
