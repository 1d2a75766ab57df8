/** Subfunctions of a few parameters each: what is known of which, and that their sums are minimised without excursions. */
import { expect, test } from "vitest";
import { Sfo } from "../src/sfo.js";
import { Support } from "../src/subfunction-model.js";
import { rosenbrockChain } from "./problems/rosenbrock.js";

const start = Float64Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? -1.2 : 1));

test("a support is what gradients have shown, as long as it is at most half of the parameters", () => {
  const support = new Support(6);
  expect(support.parameters).toBeUndefined();
  support.see(new Float64Array(6)); // a stationary point shows nothing
  expect(support.parameters).toBeUndefined();
  support.see(Float64Array.of(0, 0, 0, 2, 0, 0));
  support.see(Float64Array.of(0, -1, 0, 0, 0, 0));
  expect(support.parameters).toEqual(Int32Array.of(1, 3));
  support.see(Float64Array.of(1, 1, 0, 0, 0, 0));
  expect(support.parameters).toEqual(Int32Array.of(0, 1, 3));
  support.see(Float64Array.of(0, 0, 0, 0, 0, 1));
  expect(support.parameters).toBeUndefined();
  support.forget();
  support.see(Float64Array.of(0, 0, 1, 0, 0, 0));
  expect(support.parameters).toEqual(Int32Array.of(2));
});

test.each([0, 1, 2])("no step goes above the start, seed %i", { tags: ["full"] }, (seed) => {
  const sum = rosenbrockChain();
  const whole = (x: Float64Array): number => {
    let F = 0;
    for (let i = 0; i < sum.count; i++) F += Number(sum.evaluate(i, x));
    return F;
  };
  const bound = whole(start);
  const solver = new Sfo(sum, start, { seed });
  const gradient = new Float64Array(40);
  let seen = 0;
  for (let evaluations = 0; evaluations < 20 * sum.count; evaluations++) {
    const [{ index, point, ticket }] = solver.ask(1);
    const iteration = solver.tell(ticket, Number(sum.evaluate(index, point, gradient)), gradient);
    // Until every subfunction was seen a step can know nothing of the others.
    if (iteration?.details.estimate === undefined) continue;
    seen++;
    if (iteration.index % 39 === 0) expect(whole(solver.last.x)).toBeLessThan(bound);
    expect(iteration.details.restarts).toBe(0);
  }
  expect(seen).toBeGreaterThan(300);
});

test("a parameter that no subfunction depends on stays where it is, and harms nothing", () => {
  const sum = {
    dimension: 8,
    count: 7,
    evaluate(i: number, x: Float64Array, gradient?: Float64Array): number {
      gradient?.fill(0);
      if (gradient !== undefined) gradient[i] = 2 * (i + 1) * (x[i] - i);
      return (i + 1) * (x[i] - i) * (x[i] - i);
    },
  };
  const solver = new Sfo(sum, new Float64Array(8).fill(3));
  const gradient = new Float64Array(8);
  for (let k = 0; k < 400; k++) {
    const [{ index, point, ticket }] = solver.ask(1);
    const value = sum.evaluate(index, point, gradient);
    if (solver.tell(ticket, value, gradient)?.outcome?.status === "converged") break;
  }
  const expected = [0, 1, 2, 3, 4, 5, 6, 3];
  for (const [k, entry] of expected.entries()) expect(solver.last.x[k]).toBeCloseTo(entry, 5);
});

test("a snapshot whose subfunctions have no right domain is refused", () => {
  const sum = rosenbrockChain();
  const solver = new Sfo(sum, start);
  const gradient = new Float64Array(40);
  for (let k = 0; k < 60; k++) {
    const [{ index, point, ticket }] = solver.ask(1);
    solver.tell(ticket, Number(sum.evaluate(index, point, gradient)), gradient);
  }
  const snapshot = structuredClone(solver.save());
  const domains: Uint8Array[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === "domainFlags" && part instanceof Uint8Array) domains.push(part);
      collect(part);
    }
  };
  collect(snapshot);
  expect(domains.length).toBeGreaterThan(5);
  domains[0][1] = 2;
  expect(() => new Sfo(sum, start).restore(snapshot)).toThrow("entries from 0 to 1");
});
