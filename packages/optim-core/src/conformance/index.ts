export type { ConformanceCase, ConformanceCheck } from "./case.js";
export { type FacadeCase, type FacadeResult, facadeConformance } from "./facade.js";
export { type Fault, Faults } from "./faults.js";
export { solverConformance } from "./suite.js";
export { bitsOf, stateBits } from "./trace.js";
