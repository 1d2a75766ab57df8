/**
 * Which layers there are: a list of the user's, or an automatic sequence, found by trying where the count of components settles.
 *
 * Attempt    K_1 = f n, then halves; c_l is the number of components of Q_l's graph
 * Accepted   when c_l = c_{l−1} = c, 2 ≤ c ≤ K_l/3, and the smallest component has at least 3 n/K_1 points, three clusters of the
 *            first layer: one more layer, of K = c or of the K that was requested, is the last
 * Given up   when c_l > c_{l−1} ≥ 2: noise splits manifolds; when K_l has come down to 2 (or to the K that was requested)
 * Order      f = 1/16, 0.09, 0.125, 0.18, 0.25, 0.35; if all are given up K_1 = 0.09 n is the only layer, or with
 *            a K that was requested, 0.09 n and its halves down to that one
 *
 * Why several f, from below. A small K_1 bridges between near manifolds, a large one splits noisy ones, and how much noise there
 * is is not known. Bridges show as one component; splits can look like a result. So the smallest K_1 that separates anything
 * twice is taken. Two rings with noise of a tenth of their distance, moons with noise up to 0.08 and two spirals are solved right; of
 * moons with noise 0.05 three draws of three were split from K_1 = 0.18 n, the share that suits most noiseless sets.
 *
 * Why c ≤ K_l/3. Fewer than three clusters on a manifold do not show that it goes on: with two each, three rings came out as two.
 *
 * Why c is the last layer. If Q_l has c components, 1 is c times an eigenvalue of Q_l, and NOMAD(Q_l, c) is solved by the blocks
 * 1 1ᵀ/|C| with the value c, which no feasible point exceeds (see `solvers/closed.ts`). Halves in between would only split noisy ones
 * again.
 */
import type { LayerCount, NomadLayer } from "./nomad-result.js";

/** A layer at work. */
export interface Stage {
  /** From 1. */
  readonly layer: number;
  /** K */
  readonly clusters: number;
  readonly isLast: boolean;
}

export type LayerPlan =
  | { readonly kind: "list"; readonly clusters: readonly number[] }
  /** `final`: K of the last layer; undefined for the number of components. */
  | { readonly kind: "automatic"; readonly final: number | undefined };

/** What to do next. */
export type Decision =
  | { readonly kind: "layer"; readonly clusters: number; readonly isLast: boolean }
  | { readonly kind: "give-up" };

const SHARES = [1 / 16, 0.09, 0.125, 0.18, 0.25, 0.35] as const;
/** Of n, K_1 where no attempt is accepted. */
const USUAL_SHARE = 0.09;
/** Clusters that a component has at least, in the first layer and on average in the latest. */
const MIN_TILES = 3;

/** What is to be known of a finished layer. */
export function countOf({ clusters, components: { count, labels } }: NomadLayer): LayerCount {
  const sizes = new Int32Array(count);
  for (let i = 0; i < labels.length; i++) sizes[labels[i]]++;
  return { clusters, components: count, smallest: sizes.reduce((a, b) => Math.min(a, b)) };
}

/**
 * @param path - the layers of this attempt so far, the last of them not the last one of all
 * @param givenUp - attempts before it
 */
export function decide(plan: LayerPlan, n: number, path: readonly LayerCount[], givenUp: number): Decision {
  if (plan.kind === "list") return fromList(plan.clusters, path.length);
  const { final } = plan;
  if (givenUp >= SHARES.length) return fromList(fallback(n, final), path.length);
  const least = final ?? 2;
  if (path.length === 0)
    return { kind: "layer", clusters: shareOf(n, SHARES[givenUp], least), isLast: false };
  const { clusters, components, smallest } = path[path.length - 1];
  if (path.length > 1) {
    const before = path[path.length - 2].components;
    const isLarge = smallest * path[0].clusters >= MIN_TILES * n;
    if (components === before && components >= 2 && MIN_TILES * components <= clusters && isLarge)
      return { kind: "layer", clusters: final ?? components, isLast: true };
    if (before >= 2 && components > before) return { kind: "give-up" };
  }
  const half = Math.max(least, Math.round(clusters / 2));
  return half < clusters ? { kind: "layer", clusters: half, isLast: false } : { kind: "give-up" };
}

function fromList(list: readonly number[], layer: number): Decision {
  return { kind: "layer", clusters: list[layer], isLast: layer === list.length - 1 };
}

function fallback(n: number, final: number | undefined): readonly number[] {
  const first = shareOf(n, USUAL_SHARE, final ?? 2);
  if (final === undefined) return [first];
  const list: number[] = [];
  for (let K = first; K > final; K = Math.round(K / 2)) list.push(K);
  return [...list, final];
}

/** f n as a whole number from `least` to n. */
const shareOf = (n: number, share: number, least: number): number =>
  Math.min(n, Math.max(least, Math.round(share * n)));
