/** What solvers are made of: kernels over buffers that stay on the device. They take what their callers have checked. */
export { affinityRows } from "./affinities.js";
export { type Job, singleBits, type Wanted } from "./gpu.js";
export { curveOrder, exactRepulsionJobs, type TiledRepulsion, tiledRepulsionJobs } from "./repulsion.js";
export { type Question, Slab } from "./slab.js";
export { attractionJob, chebyshevJobs, type SparseRows } from "./sparse-rows.js";
export type { BufferLike } from "./web-gpu.js";
