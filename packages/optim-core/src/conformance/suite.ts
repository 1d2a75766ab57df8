/**
 * One suite for every solver: what the contract in `solver.ts` promises, as checks that any test framework can run.
 */
import type { ConformanceCase, ConformanceCheck } from "./case.js";
import { determinismChecks } from "./determinism.js";
import { endingChecks } from "./endings.js";
import { faultChecks } from "./fault-checks.js";
import { iterationChecks } from "./iterations.js";
import { resumeChecks } from "./resume.js";
import { sumEndingChecks } from "./sum-endings.js";

/**
 * The checks for one solver:
 * `for (const { name, check } of solverConformance(mine)) test(name, check);`
 */
export function solverConformance(given: ConformanceCase): readonly ConformanceCheck[] {
  const checks = {
    ...determinismChecks(given),
    ...iterationChecks(given),
    ...resumeChecks(given),
    ...(given.hasFaults === false ? {} : faultChecks(given)),
    ...(given.createOn === undefined ? {} : endingChecks(given.createOn.bind(given))),
    ...(given.createOnSum === undefined ? {} : sumEndingChecks(given.createOnSum.bind(given))),
  };
  return Object.entries(checks).map(([what, check]) => ({ name: `${given.name}: ${what}`, check }));
}
