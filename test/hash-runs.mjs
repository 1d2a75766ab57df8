/**
 * Prints one line per solver: iterations and the SHA-256 of the bytes of a whole run (every iteration's value and
 * the final map). Runs the built packages under whichever Node calls it.
 */
import { createHash } from "node:crypto";
import { loadDigits } from "@curvature/datasets/digits";
import { embed } from "@curvature/optim-spectral";

const { points } = await loadDigits();
const few = { rows: 200, columns: points.columns, data: points.data.slice(0, 200 * points.columns) };

async function hash(name, options) {
  const digest = createHash("sha256");
  const value = new Float64Array(1);
  const result = await embed(few, {
    perplexity: 12,
    seed: 3,
    tolerance: 0,
    ...options,
    onIteration: (iteration) => {
      value[0] = iteration.value ?? 0;
      digest.update(new Uint8Array(value.buffer));
    },
  });
  digest.update(new Uint8Array(result.embedding.data.buffer));
  process.stdout.write(`${name} ${result.iterations} ${digest.digest("hex")}\n`);
}

for (const solver of ["sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs"]) {
  await hash(solver, { solver, maxIterations: 110 });
}
await hash("auto", { maxEvaluations: 140 });
await hash("auto ee", { method: "ee", maxEvaluations: 140 });
await hash("auto ssne", { method: "ssne", maxEvaluations: 140 });
await hash("sd sne, laplacian start", {
  method: "sne",
  solver: "sd",
  initialization: "laplacian",
  maxIterations: 110,
});
await hash("sd homotopy", { method: "ee", solver: "sd", homotopy: true, kappa: 20, maxIterations: 150 });
