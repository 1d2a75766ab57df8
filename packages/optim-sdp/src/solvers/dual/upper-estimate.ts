/**
 * What the upper bound UB_F of `bounds/upper.ts` is about, from Ritz values of J (D + S) J: they lie below the
 * eigenvalues, hence this is no bound. It says when computing the bound is worth its time, and has agreed with it to
 * eight digits.
 */
import { type DenseMatrix, RandomGenerator, zeros } from "@curvature/linalg";
import { generator, part, stateOf } from "@curvature/optim-core/state";
import type { NomadProblem } from "../../problem.js";
import { LeadingSubspace } from "./leading-subspace.js";
import type { SymmetricSum } from "./symmetric-sum.js";

const DEGREE = 4;

export class UpperEstimate {
  private readonly subspace: LeadingSubspace;
  private readonly random: RandomGenerator;
  readonly state;

  constructor(
    private readonly problem: NomadProblem,
    seed: number,
  ) {
    this.subspace = new LeadingSubspace(problem.gram.n);
    this.random = new RandomGenerator(seed);
    this.state = stateOf({ subspace: part(this.subspace), random: generator(this.random) });
  }

  /**
   * @param sum - (D + S)/unit
   * @param block - rows near its leading eigenvectors, for the first time and where more are needed than there are
   * @returns undefined where the rows have become dependent
   */
  upper(sum: SymmetricSum, block: DenseMatrix, unit: number): number | undefined {
    const { subspace, random } = this;
    const { gram, clusters: K } = this.problem;
    if (subspace.V.rows < K || subspace.V.rows < 0.5 * block.rows) {
      subspace.start(block);
      if (block.rows < K + 2) subspace.widen(Math.min(gram.n - 1, Math.ceil(K) + 2) - block.rows, random);
    } else subspace.lookBelow(sum, random);
    const l = subspace.sweep(sum, DEGREE, random);
    if (l === undefined) {
      subspace.start(zeros(0, gram.n));
      return undefined;
    }
    let top = 0;
    for (let i = 0; i < l.length; i++) top += Math.max(0, Math.min(1, K - 1 - i)) * l[i];
    return (sum.entrySum() / gram.n + top) * unit + gram.offset;
  }
}
