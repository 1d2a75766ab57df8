export type { LinearDetails } from "./details.js";
