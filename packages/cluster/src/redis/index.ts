/** What needs Redis: loaded by its own sub-path, so that who works on this machine alone does not load BullMQ. */
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
