/** What needs Redis: loaded by its own sub-path, so that who works on this machine alone does not load BullMQ. */

<<<<<<< HEAD
export {
  type CoordinatorOptions,
  coordinate,
  coordinatorDefaults,
  type SumTask,
} from "../remote/coordinator.js";
export type { ServedSum } from "../remote/joined-sums.js";
export { type ServeOptions, serveSubfunctions } from "../remote/serve.js";
=======
export { coordinate, type SumTask } from "../remote/coordinator.js";
export { type CoordinatorOptions, coordinatorDefaults } from "../remote/coordinator-options.js";
export { type ServedSum, type ServeOptions, serveSubfunctions } from "../remote/serve.js";
>>>>>>> 3ecb28e (The simulator shares cores evenly, gives every program its time for questions and bytes, and workers what they do: all of a task at once where it waits)
export { type BullmqExecutorOptions, bullmqExecutor } from "./bullmq-executor.js";
export {
  type ConnectOptions,
  connect,
  connectDefaults,
  type RedisConnection,
  redisError,
  shownPlace,
} from "./connection.js";
export { type ServeUnitsOptions, serveUnits, type WorkerEvent } from "./serve-units.js";
