export type { Executor, UnitEnd, UnitOfWork } from "./executor.js";
