/** WebGPU: a device in a page, a worker or Node, and exact neighbours on it. */
export { type Gpu, type GpuOptions, gpuOptions, openGpu } from "./gpu.js";
export { type NearestRows, nearestOnGpu } from "./neighbors.js";
export type { DeviceLike } from "./web-gpu.js";
