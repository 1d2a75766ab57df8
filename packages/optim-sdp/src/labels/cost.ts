/**
 * What labels cost, and what no labels cost less than.
 *
 *   cost       W(l) = Σ_c Σ_{i in C_c} ‖x_i − m_c‖²
 *   costLower  Tr D − UB,  as W(l) = Tr D − Tr(D Q_l), Q_l = Σ_c 1_C 1_Cᵀ/|C| is feasible and Tr(D Q_l) ≤ UB
 *   costGap    (cost − costLower)/cost, 0 where the cost is 0
 *
 * These are not the bounds of Tr(D Q): that holds the distances between clusters, so that with one far point a gap of 1e-5 of
 * Tr(D Q) is many times the cost. All are in the square of the data's own unit, whatever the scale of D.
 *
 * Rounding: UB has its own margin (see `bounds/upper.ts`). That of D = X Xᵀ, at most (d + 4) ε ‖x_i‖ ‖x_j‖ in each entry, those of
 * centring and of Tr D come to less than (n + d √K + 10) ε Tr D together; eight times as much is taken off.
 */
import { type DenseMatrix, decimalBelow, norm2, optionName, powerOfTwoBelow } from "@curvature/linalg";
import { nomadOptions } from "../nomad-options.js";

/** The labels' own certificate, in the square of the data's unit. */
export interface LabelCost {
  /** Sum of the squared distances of the points from the means of their clusters; Infinity where it overflows. */
  readonly cost: number;
  /** No clustering of these points into K groups costs less; 0 where nothing better is known. */
  readonly costLower: number;
  /** (cost − costLower)/cost, 0 to 1; 0 where the cost is 0. */
  readonly costGap: number;
}

/** A bound that gets better in steps. */
export interface CostBound {
  /** No clustering costs less, in the square of the bound's unit. */
  readonly lower: number;
  /** Whether more steps are of no use. */
  readonly settled: boolean;
  /** Where the work stands, as a sentence, where that says why the bound is low. */
  readonly standing?: string | undefined;
  step(): void;
}

export interface BoundSettings {
  /** Gap of the cost at which it is enough. */
  readonly tolerance: number;
  /** What arrays may take, in bytes. */
  readonly memoryLimit: number;
}

/** A cost is this times the square of a power of two: nothing overflows before the end. */
export interface Scaled {
  readonly cost: number;
  readonly unit: number;
}

/** Of points as they were given. Two passes: means that lie far from 0 take no digits away. */
export function scaledCost({ rows, columns, data }: DenseMatrix, labels: Int32Array, k: number): Scaled {
  let largest = 0;
  for (let i = 0; i < rows; i++)
    largest = Math.max(largest, norm2(data.subarray(i * columns, (i + 1) * columns)));
  if (largest === 0) return { cost: 0, unit: 1 };
  const unit = powerOfTwoBelow(Math.min(largest, Number.MAX_VALUE));
  const sizes = new Float64Array(k);
  for (let i = 0; i < rows; i++) sizes[labels[i]]++;
  const first = new Int32Array(k).fill(-1);
  for (let i = 0; i < rows; i++) if (first[labels[i]] < 0) first[labels[i]] = i;
  let cost = 0;
  for (let j = 0; j < columns; j++) {
    // from a point of the cluster, so that clusters of equal points cost 0 exactly
    const moved = (i: number): number =>
      data[i * columns + j] / unit - data[first[labels[i]] * columns + j] / unit;
    const means = new Float64Array(k);
    for (let i = 0; i < rows; i++) means[labels[i]] += moved(i) / sizes[labels[i]];
    const rests = new Float64Array(k);
    for (let i = 0; i < rows; i++) {
      const x = moved(i) - means[labels[i]];
      rests[labels[i]] += x;
      cost += x * x;
    }
    for (let c = 0; c < k; c++) if (sizes[c] > 0) cost -= (rests[c] * rests[c]) / sizes[c];
  }
  return { cost: Math.max(0, cost), unit };
}

/** Below this results may have lost digits to underflow. */
const SMALLEST = 1e-290;

/**
 * @param own - of the labels, and `total` of one cluster of all points
 * @param gram - Tr D, n and d, in whatever unit D is
 * @param upper - a bound of Tr(D Q), margin included; Infinity for none
 */
export function labelCost(
  own: Scaled,
  total: Scaled,
  gram: { readonly trace: number; readonly n: number; readonly columns: number },
  upper: number,
  K: number,
): LabelCost {
  const { trace, n, columns } = gram;
  if (own.cost === 0) return lowerCost(own, 0);
  const margin = roundingShare(n, columns, K);
  const share = trace > 0 && Number.isFinite(upper) ? Math.max(0, 1 - upper / trace - margin) : 0;
  const ratio = total.unit / own.unit;
  return lowerCost(own, share * total.cost * ratio * ratio);
}

/** What rounding may take from a bound of n points with so many columns and K clusters, in shares of Tr D. */
export const roundingShare = (n: number, columns: number, K: number): number =>
  8 * (n + columns * Math.sqrt(K) + 10) * Number.EPSILON;

/** @param bound - no clustering costs less, in the square of the labels' own unit */
export function lowerCost(own: Scaled, bound: number): LabelCost {
  const cost = own.cost * own.unit * own.unit;
  if (own.cost === 0) return { cost, costLower: 0, costGap: 0 };
  const lower = Math.min(own.cost, bound);
  const costLower = lower * own.unit * own.unit;
  return {
    cost,
    costLower: costLower < SMALLEST ? 0 : Math.min(costLower, Number.MAX_VALUE),
    costGap: (own.cost - lower) / own.cost,
  };
}

/** Of a cost that is no number any more, though labels and gap are those of points brought to a fair scale. */
function outOfRange(cost: number, costGap: number, groups: string): string | undefined {
  const isLarge = cost === Number.POSITIVE_INFINITY;
  if (!isLarge && !(cost === 0 && costGap > 0)) return undefined;
  const [words, factor] = isLarge ? ["more than 1.8e308", "1e-150"] : ["less than 5e-324", "1e150"];
  return `This clustering into ${groups} costs ${words}, which is no number; its gap is at most ${Number((100 * costGap).toPrecision(2))} % all the same. Multiply the points by ${factor} for figures.`;
}

/** The certificate in words; the bound is rounded down. */
export function costSentence({ cost, costLower, costGap }: LabelCost, K: number): string {
  const groups = K === 1 ? "1 group" : `${K} groups`;
  const figure = (x: number): string => String(Number(x.toPrecision(5)));
  const beyond = outOfRange(cost, costGap, groups);
  if (beyond !== undefined) return beyond;
  if (costGap === 0) return `No clustering into ${groups} costs less than this one, ${figure(cost)}.`;
  if (costLower === 0)
    return `This clustering into ${groups} costs ${figure(cost)}; how much less another one costs is not known.`;
  return `No clustering into ${groups} costs less than ${decimalBelow(costLower, 5)}; this one costs ${figure(cost)} (gap ${Number((100 * costGap).toPrecision(2))} %).`;
}

/** Of labels that are proved best. */
export function bestSentence(cost: number, K: number): string {
  const groups = K === 1 ? "1 group" : `${K} groups`;
  const beyond = outOfRange(cost, 1e-9, groups);
  if (beyond !== undefined) return `${beyond} It is proved best.`;
  return `No clustering into ${groups} costs less than this one, ${Number(cost.toPrecision(5))}, by more than 1e-9 of it: it is proved best.`;
}

/** What gives the bound with triangle inequalities more than some seconds. */
export const morePatience = (): string =>
  `${optionName("maxSeconds")}, or a ${optionName("tolerance")} below ${nomadOptions.defaults.tolerance}, goes on with it.`;
