/** What SFO itself costs, without the evaluations. */
import { Sfo } from "@curvature/optim-sfo";
import { cpuSeconds } from "../../processor.ts";
import { springs } from "./springs.ts";

/** Processor seconds of a pass of SFO outside its subfunctions, N springs of M parameters, passes 3 to 5. */
export function secondsOutside(N: number, M: number): number {
  const sum = springs(N, M);
  const solver = new Sfo(sum, new Float64Array(M).fill(0.5), { tolerance: 0 });
  const gradientAt = new Float64Array(M);
  let [inside, done, began, before] = [0, 0, cpuSeconds(), 0];
  const [warm, last] = [2, 5];
  while (done < last) {
    for (const { index, point, ticket } of solver.ask()) {
      const start = cpuSeconds();
      const value = Number(sum.evaluate(index, point, gradientAt));
      inside += cpuSeconds() - start;
      const iteration = solver.tell(ticket, value, gradientAt);
      if (iteration === undefined) continue;
      if (done < warm && iteration.passes >= warm) {
        [began, inside, before] = [cpuSeconds(), 0, iteration.passes];
      }
      done = iteration.passes;
    }
  }
  return (cpuSeconds() - began - inside) / (done - before);
}
