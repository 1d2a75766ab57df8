/**
 * `@curvature/linalg/threads`: sums over all pairs on several threads of Node. Results have the same bits with any number
 * of threads; what changes is the time. The table of kernels is that of the package itself, in either module system.
 */
import { type Kernels, installPairs, kernelsInUse } from "../index.js";
