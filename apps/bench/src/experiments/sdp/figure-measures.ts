/** What NOMAD's figures show, in numbers: loops kept in order, manifolds kept apart, features that a map unfolds. */
import type { DenseMatrix } from "@curvature/linalg";

/** Rows of an n × 2 map as pairs. */
export const pairsOf = ({ rows, columns, data }: DenseMatrix): [number, number][] =>
  Array.from({ length: rows }, (_, i) => [data[i * columns], data[i * columns + 1]]);

/**
 * How well a map keeps a loop: of the points in the order of their angle about the map's mean, the share of neighbours that
 * are neighbours on the loop as well. Points are in the loop's order; chance is about 2/n.
 */
export function loopKept(points: readonly (readonly [x: number, y: number])[]): number {
  const n = points.length;
  const [mx, my] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / n);
  const angles = points.map(([x, y]) => Math.atan2(y - my, x - mx));
  const order = angles.map((_, i) => i).sort((a, b) => angles[a] - angles[b]);
  const kept = order.filter((i, k) => {
    const step = Math.abs(i - order[(k + 1) % n]);
    return step === 1 || step === n - 1;
  });
  return kept.length / n;
}

/** Share of Q's mass, Σ Q_ij / n, that joins points of different classes. */
export function leakage({ rows: n, data }: DenseMatrix, labels: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (labels[i] !== labels[j]) sum += data[i * n + j];
  return sum / n;
}

/** Share of the points that lie in a component all of whose points are of one class. */
export function purity(components: Int32Array, labels: ArrayLike<number>): number {
  const classes = new Map<number, Set<number>>();
  components.forEach((component, i) => {
    classes.set(component, (classes.get(component) ?? new Set()).add(labels[i]));
  });
  return components.filter((component) => classes.get(component)?.size === 1).length / components.length;
}

/** R² of the least-squares fit of y by 1 and the two coordinates of a map. */
export function explained(map: readonly (readonly [x: number, y: number])[], y: ArrayLike<number>): number {
  const n = map.length;
  const centred = (values: readonly number[]): number[] => {
    const mean = values.reduce((a, b) => a + b, 0) / n;
    return values.map((value) => value - mean);
  };
  const a = centred(map.map(([x]) => x));
  const b = centred(map.map(([, second]) => second));
  const target = centred(Array.from(y));
  const product = (u: readonly number[], v: readonly number[]): number =>
    u.reduce((sum, each, k) => sum + each * v[k], 0);
  const [aa, ab, bb] = [product(a, a), product(a, b), product(b, b)];
  const [ay, by] = [product(a, target), product(b, target)];
  const determinant = aa * bb - ab * ab;
  const total = product(target, target);
  if (total === 0 || determinant === 0) return 0;
  return ((bb * ay - ab * by) * ay + (aa * by - ab * ay) * by) / determinant / total;
}

/** Features of drawn characters, from the moments of their ink: slant (its shear), elongation (height over width), ink. */
export function inkFeatures({ rows, columns, data }: DenseMatrix): Readonly<Record<string, Float64Array>> {
  const side = Math.round(Math.sqrt(columns));
  const slant = new Float64Array(rows);
  const elongation = new Float64Array(rows);
  const ink = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const moment = (weight: (x: number, y: number) => number): number => {
      let sum = 0;
      for (let k = 0; k < columns; k++) sum += data[i * columns + k] * weight(k % side, Math.floor(k / side));
      return sum;
    };
    ink[i] = moment(() => 1);
    const [mx, my] = [moment((x) => x) / ink[i], moment((_, y) => y) / ink[i]];
    const xx = moment((x) => (x - mx) ** 2);
    const yy = moment((_, y) => (y - my) ** 2);
    slant[i] = moment((x, y) => (x - mx) * (y - my)) / yy;
    elongation[i] = Math.sqrt(yy / xx);
  }
  return { slant, elongation, ink };
}

/** ‖A − B‖_F / ‖B‖_F */
export function relativeDifference(A: DenseMatrix, B: DenseMatrix): number {
  let [difference, size] = [0, 0];
  for (let k = 0; k < B.data.length; k++) {
    difference += (A.data[k] - B.data[k]) ** 2;
    size += B.data[k] ** 2;
  }
  return Math.sqrt(difference / size);
}
