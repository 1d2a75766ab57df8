/**
 * The constraint X = P + E ≥ 0 of the method of multipliers, by its multiplier G ≤ 0.
 *
 * Gradient    mode "paper"  G + γ_t [X]_−,    G ← [G + X]_−                                              (15), (16)
 *             mode "exact"  [G + γ_t X]_−,    G ← [G + γ_t X]_−
 * Penalty     γ_t = √(t + 1), t the number of changes of G so far
 * Violations  −min X in units of K/n, and the root mean square of the negative entries
 *
 * "exact" is the gradient of the augmented Lagrangian −Tr(DP) + (‖[G + γ X]_−‖² − ‖G‖²)/(2γ), which lets go of G where X is
 * large; "paper" has the same fixed points. Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), Algorithm 2; G is at
 * most 0 as in the authors' code, and the text has the constraint's sign reversed.
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export class Nonnegativity {
  /** t */
  changes = 0;
  /** Of X at the last change of G. */
  largestViolation = Number.POSITIVE_INFINITY;
  meanViolation = Number.POSITIVE_INFINITY;
  private readonly G: Float64Array;

  constructor(
    private readonly n: number,
    private readonly clusters: number,
    private readonly mode: "paper" | "exact",
  ) {
    this.G = zeros(n, n).data;
  }

  private get gamma(): number {
    return Math.sqrt(this.changes + 1);
  }

  /** A copy of S = −G, n × n. */
  multiplier(): DenseMatrix {
    const S = zeros(this.n, this.n);
    this.writeMultiplier(S);
    return S;
  }

  writeMultiplier({ data: s }: DenseMatrix): void {
    const { G: g } = this;
    for (let k = 0; k < s.length; k++) s[k] = Math.max(0, -g[k]);
  }

  /** −G − γ [X]_−, or −[G + γ X]_−, into `out`: the constraint's part of −gradient. */
  writeDescent({ data: x }: DenseMatrix, { data: out }: DenseMatrix): void {
    const { gamma, G: g } = this;
    if (this.mode === "paper")
      for (let k = 0; k < out.length; k++) out[k] = -g[k] - 0.5 * gamma * (x[k] - Math.abs(x[k]));
    else
      for (let k = 0; k < out.length; k++) {
        const sum = g[k] + gamma * x[k];
        out[k] = 0.5 * (Math.abs(sum) - sum);
      }
  }

  /** The new G, with X's violations on the way. */
  change({ data }: DenseMatrix): void {
    const { G: g, n, clusters } = this;
    const step = this.mode === "paper" ? 1 : this.gamma;
    let least = 0;
    let squares = 0;
    let count = 0;
    for (let k = 0; k < data.length; k++) {
      const x = data[k];
      if (x < 0) {
        least = Math.min(least, x);
        squares += x * x;
        count++;
      }
      g[k] = Math.min(0, g[k] + step * x);
    }
    this.largestViolation = (-least * n) / clusters;
    this.meanViolation = count === 0 ? 0 : Math.sqrt(squares / count);
    this.changes++;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { G, changes: outer, largestViolation: largest, meanViolation: mean } = this;
    return { G: G.slice(), outer, largest, mean };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const G = state.float64("G", this.G.length);
    const outer = state.integer("outer");
    const [largest, mean] = ["largest", "mean"].map((key) => state.number(key));
    return () => {
      this.G.set(G);
      [this.changes, this.largestViolation, this.meanViolation] = [outer, largest, mean];
    };
  }
}
