/** What needs Redis: loaded by its own sub-path, so that who works on this machine alone does not load BullMQ. */

export {
  type CoordinatorOptions,
  coordinate,
  coordinatorOptions,
  type SumTask,
} from "../remote/coordinator.js";
export type { ServedSum } from "../remote/joined-sums.js";
export { type ServeOptions, serveSubfunctions } from "../remote/serve.js";
export { type BullmqExecutorOptions, bullmqExecutor } from "./bullmq-executor.js";
export {
  type ConnectOptions,
  connect,
  connectOptions,
  type RedisConnection,
  redisError,
  shownPlace,
} from "./connection.js";
export { type ServeUnitsOptions, serveUnits, type WorkerEvent } from "./serve-units.js";
