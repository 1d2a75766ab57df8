/**
 * Which layers there are: those given, or an automatic sequence, found by trying where the count of components settles.
 *
 * Attempt    K_1 = f n, then halves; c_l is the number of components of Q_l's graph
 * Accepted   when c_l = c_{l−1} = c ≥ 2: one more layer, of K = c or of the K that was asked for, is the last
 * Given up   when c_l > c_{l−1}, c_{l−1} ≥ 2: manifolds are split by noise; when K_l has come down to 2 (or to the K asked for)
 * Order      f = 0.18, 0.35, 0.09, 0.5; if all are given up: one component, and K_1 = 0.18 n is the only layer; with a K
 *            that was asked for, 0.18 n and its halves down to that one
 *
 * Why several f. A large K_1 splits noisy manifolds, a small one bridges between near ones, and how much noise there is is not
 * known. Along the halves the two errors show: what was split is split further, what is right stays.
 *
 * Why c is the last layer. If Q_l has c components, 1 is c times an eigenvalue of Q_l, and NOMAD(Q_l, c) is solved by the blocks
 * 1 1ᵀ/|C| with the value c, which no feasible point exceeds: one layer shows the components, certified, and halves in
 * between would only split noisy ones again.
 */
export type LayerPlan =
  | { readonly kind: "given"; readonly clusters: readonly number[] }
  /** `final`: K of the last layer; undefined for the number of components. */
  | { readonly kind: "automatic"; readonly final: number | undefined };

/** A solved layer, as the plan looks at it. */
export interface LayerCount {
  /** K */
  readonly clusters: number;
  /** c */
  readonly components: number;
}

/** What to do next. */
export type Decision =
  | { readonly kind: "layer"; readonly clusters: number; readonly isLast: boolean }
  | { readonly kind: "give-up" };

const SHARES = [0.18, 0.35, 0.09, 0.5] as const;

/**
 * @param path - the layers of this attempt so far, the last of them not the last one of all
 * @param givenUp - attempts before it
 */
export function decide(plan: LayerPlan, n: number, path: readonly LayerCount[], givenUp: number): Decision {
  if (plan.kind === "given") return fromList(plan.clusters, path.length);
  const { final } = plan;
  if (givenUp >= SHARES.length) return fromList(fallback(n, final), path.length);
  const least = final ?? 2;
  if (path.length === 0)
    return { kind: "layer", clusters: shareOf(n, SHARES[givenUp], least), isLast: false };
  const { clusters, components } = path[path.length - 1];
  if (path.length > 1) {
    const before = path[path.length - 2].components;
    if (components === before && components >= 2 && components < n)
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
  const first = shareOf(n, SHARES[0], final ?? 2);
  if (final === undefined) return [first];
  const list: number[] = [];
  for (let K = first; K > final; K = Math.round(K / 2)) list.push(K);
  return [...list, final];
}

/** f n as a whole number from `least` to n. */
const shareOf = (n: number, share: number, least: number): number =>
  Math.min(n, Math.max(least, Math.round(share * n)));
