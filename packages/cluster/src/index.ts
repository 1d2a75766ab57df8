export { fileOf, referenceTo } from "./data.js";
export { type DataReference, type Executor, mostTries, type UnitEnd, type UnitOfWork } from "./executor.js";
export {
  crossValidationUnits,
  type Grid,
  planHash,
  restartUnits,
  type SweepPlan,
  sweepUnits,
  type Work,
} from "./plan.js";
export { type AwaitingOptions, awaitingSolver } from "./remote/awaiting-solver.js";
export type { Part } from "./remote/frames.js";
export { type EvaluatorPort, PortTransport, servePort } from "./remote/port-transport.js";
export {
  type RemoteShape,
  RemoteSum,
  type RemoteSumOptions,
  remoteSumOptions,
} from "./remote/remote-sum.js";
export type { RemotePoint, Transport, TransportListener } from "./remote/transport.js";
export { crossValidate, inOrder, restarts, type SweepOptions, sweep } from "./sweep.js";
export { answerUnits, type RunUnit } from "./threads/answer-units.js";
export { type ThreadExecutorOptions, threadExecutor } from "./threads/thread-executor.js";
