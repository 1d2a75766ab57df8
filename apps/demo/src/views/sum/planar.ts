/**
 * Sums of functions of two variables, whose contours can be drawn. Every one is a table of numbers, a row for each
 * subfunction, and a formula; the formula stands here twice, as a function and as the text of a module that visitors take
 * away, in the same order of operations.
 *
 *   valleys  fᵢ = (x − p)² + s u²,                u = y − q − c x²                 bent valleys, one in another: not convex
 *   bowls    fᵢ = ½ (a v² + 2 b v w + c w²),      v = x − p,  w = y − q            long bowls, all in about one direction
 *   lines    fᵢ = √(1 + (r/δ)²) − 1,              r = a x + b y − c,  δ = 0.3      the point nearest to many lines, some astray
 */
import { cos, fillNormal, RandomGenerator, sin } from "@curvature/linalg";
import type { SumProblem } from "@curvature/optim-sfo";
import type { PlanarName } from "./problem-request.js";

/** The plane is shown from −edge to edge in both directions around `middle`. */
export const edge = 3;
export const middle: Readonly<Record<PlanarName, readonly [number, number]>> = {
  valleys: [0, 1.5],
  bowls: [0, 0],
  lines: [0, 0],
};

const starts: Readonly<Record<PlanarName, readonly [number, number]>> = {
  valleys: [-2.3, 3.6],
  bowls: [-2.2, 2.2],
  lines: [-2.4, 2.1],
};

type Row = readonly number[];

interface Formula {
  /** The numbers of a subfunction. `normal` gives independent standard normal numbers. */
  draw(normal: () => number, index: number): Row;
  evaluate(row: Row, x: number, y: number, gradient: Float64Array | undefined): number;
  /** The body of `evaluate`, as text. */
  readonly text: readonly string[];
}

const formulas: Readonly<Record<PlanarName, Formula>> = {
  valleys: {
    draw: (normal) => [1.2 + 0.5 * normal(), 4 + Math.abs(normal()), 0.2 * normal(), 0.5 + 0.12 * normal()],
    evaluate([p, s, q, c], x, y, gradient) {
      const u = y - q - c * x * x;
      if (gradient !== undefined) {
        gradient[0] = 2 * (x - p) - 4 * s * c * x * u;
        gradient[1] = 2 * s * u;
      }
      return (x - p) * (x - p) + s * u * u;
    },
    text: [
      "const [p, s, q, c] = rows[index];",
      "const u = y - q - c * x * x;",
      "gradient?.set([2 * (x - p) - 4 * s * c * x * u, 2 * s * u]);",
      "return (x - p) * (x - p) + s * u * u;",
    ],
  },
  bowls: {
    draw: (normal) => {
      const angle = 0.45 + 0.15 * normal();
      const [long, across] = [0.15 + 0.05 * Math.abs(normal()), 3 + Math.abs(normal())];
      const [e, n] = [cos(angle), sin(angle)];
      return [
        long * e * e + across * n * n,
        (long - across) * e * n,
        long * n * n + across * e * e,
        1 + 0.6 * normal(),
        0.3 + 0.6 * normal(),
      ];
    },
    evaluate([a, b, c, p, q], x, y, gradient) {
      const [v, w] = [x - p, y - q];
      if (gradient !== undefined) {
        gradient[0] = a * v + b * w;
        gradient[1] = b * v + c * w;
      }
      return 0.5 * (a * v * v + 2 * b * v * w + c * w * w);
    },
    text: [
      "const [a, b, c, p, q] = rows[index];",
      "const [v, w] = [x - p, y - q];",
      "gradient?.set([a * v + b * w, b * v + c * w]);",
      "return 0.5 * (a * v * v + 2 * b * v * w + c * w * w);",
    ],
  },
  lines: {
    draw: (normal, index) => {
      const angle = 0.3 + 0.5 * normal();
      const [a, b] = [sin(angle), cos(angle)];
      const astray = index % 5 === 0 ? 1.5 * normal() : 0.15 * normal();
      return [a, b, 0.9 * a - 0.6 * b + astray];
    },
    evaluate([a, b, c], x, y, gradient) {
      const r = (a * x + b * y - c) / 0.3;
      const root = Math.sqrt(1 + r * r);
      const slope = r / (0.3 * root);
      if (gradient !== undefined) {
        gradient[0] = slope * a;
        gradient[1] = slope * b;
      }
      return root - 1;
    },
    text: [
      "const [a, b, c] = rows[index];",
      "const r = (a * x + b * y - c) / 0.3;",
      "const root = Math.sqrt(1 + r * r);",
      "const slope = r / (0.3 * root);",
      "gradient?.set([slope * a, slope * b]);",
      "return root - 1;",
    ],
  },
};

export interface Planar extends SumProblem {
  readonly initial: Float64Array;
  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number;
  /** A module that exports the same problem. */
  readonly module: string;
}

export function planarSum(name: PlanarName, count: number, seed: number): Planar {
  const { draw, evaluate, text } = formulas[name];
  const random = new RandomGenerator(seed);
  const drawn = new Float64Array(1);
  const normal = (): number => {
    fillNormal(random, drawn);
    return drawn[0];
  };
  const rows = Array.from({ length: count }, (_, index) => draw(normal, index));
  return {
    dimension: 2,
    count,
    initial: Float64Array.from(starts[name]),
    evaluate: (index, [x, y], gradient) => evaluate(rows[index], x, y, gradient),
    module: [
      `// The sum "${name}" of ${count} functions of x and y.`,
      "const rows = [",
      ...rows.map((row) => `  [${row.join(", ")}],`),
      "];",
      "",
      "export default {",
      "  dimension: 2,",
      `  count: ${count},`,
      `  initial: [${starts[name].join(", ")}],`,
      "  evaluate(index, [x, y], gradient) {",
      ...text.map((line) => `    ${line}`),
      "  },",
      "};",
      "",
    ].join("\n"),
  };
}

/** F(x), added up in the order of the indices. */
export function wholeValue(sum: Pick<Planar, "count" | "evaluate">, x: Float64Array): number {
  let value = 0;
  for (let i = 0; i < sum.count; i++) value += sum.evaluate(i, x);
  return value;
}
