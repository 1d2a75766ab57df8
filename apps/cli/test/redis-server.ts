/** A real Redis beside the command's tests; see packages/cluster/test/redis-server.ts for what it is asked for. */
export { missingRedis } from "../../../packages/cluster/test/redis-for-test.js";
export { type RedisServer, startRedis } from "../../../packages/cluster/test/redis-server.js";
