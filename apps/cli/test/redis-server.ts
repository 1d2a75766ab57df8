/** A real Redis beside the command's tests; see packages/cluster/test/redis-server.ts for what it is asked for. */
export { missingRedis, type RedisServer, startRedis } from "../../../packages/cluster/test/redis-server.js";
