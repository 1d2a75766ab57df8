/**
 * SVRG-SBB in modules, Algorithm 2 of the paper:
 *
 *   X⁰ = X₀;   for k = 1, 2, …   Xᵏ = S epochs of SVRG-SBB from Xᵏ⁻¹
 *
 * Every module forgets the secant and makes its first epoch with the last step of the module before. With gradients
 * that are Lipschitz and F that grows as the Polyak-Łojasiewicz inequality has it (constant λ), and
 * ½ λ m S b η_min ≥ 1/ρ, ρ in (0, 1):
 *
 *   E[F(Xᵏ) − F*] ≤ ρᵏ (F(X₀) − F*)
 *
 * (printed with ρ⁻ᵏ, which would grow). It costs what one run of K S epochs costs; in practice it is a restart.
 *
 * Ma et al. (2019), Algorithm 2 and Theorem 3. Differs from it: a module goes on from its last snapshot, not from a
 * random iterate.
 */
import { integerFrom, type OptionsOf, optionTable } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { Svrg, type SvrgOptions } from "./svrg.js";

export const modularOptions = optionTable({
  /** S, epochs of a module. */
  epochsPerModule: integerFrom(1).default(5),
});
export type ModularOptions = OptionsOf<typeof modularOptions>;

/**
 * The solver that runs the modules, one after the other, until it is stopped.
 *
 * @param x - the first point; copied
 * @param svrg - the options of every module; `restartEvery` is set from `options`
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
 */
export function modularSvrg(
  sum: SumOfFunctions,
  x: Float64Array,
  options?: ModularOptions,
  svrg?: Omit<SvrgOptions, "restartEvery">,
): Svrg {
  const { epochsPerModule } = modularOptions.resolve("modularSvrg", options);
  return new Svrg(sum, x, { ...svrg, restartEvery: epochsPerModule });
}
