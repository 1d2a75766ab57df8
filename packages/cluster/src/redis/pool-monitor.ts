/** Watches a coordinator's pool: whether a worker can do the units, and whether Redis can take the results. */
import { CurvatureError } from "@curvature/linalg";
import { BackPressure } from "./back-pressure.js";
import type { RedisConnection } from "./connection.js";
import { declinedKey } from "./names.js";
import { livingMembers } from "./pool.js";

/** How long the pool may be empty before a warning. */
const emptySeconds = 5;
/** A full Redis, where nothing has ended for so long, is given up: what is in the queue stays, for a later run. */
const fullSeconds = 20;

export class PoolMonitor {
  private readonly reported = new Set<string>();
  private readonly since = performance.now();
  private readonly backPressure: BackPressure;

  constructor(
    private readonly connection: RedisConnection,
    private readonly sweep: string,
    private readonly notice: (sentence: string) => void,
  ) {
    this.backPressure = new BackPressure(connection, fullSeconds);
  }

  /**
   * A full Redis takes the results of short units still, but no worker's word that it is alive: long units would be begun
   * again and again, and nobody would know.
   *
   * @throws CurvatureError ERR_IO when every worker has said that it has not got the data, or Redis is full and nothing ends
   */
  async check(): Promise<void> {
    const { place, client } = this.connection;
    const refusal = await this.backPressure.check();
    if (refusal !== undefined) this.report(refusal.message);
    const members = await livingMembers(this.connection);
    const workers = members.filter(({ kind }) => kind === "worker");
    const declined = await client.hgetall(declinedKey(this.sweep));
    if (workers.length === 0 && performance.now() - this.since > 1000 * emptySeconds) {
      this.report(
        `No worker is at ${place}; start one there: npx @curvature/cli worker --redis <url> --data <folder>.`,
      );
    }
    const saying = workers.filter(({ id }) => Object.hasOwn(declined, id));
    for (const { id, name } of saying)
      this.report(`The worker ${name} cannot do these units. ${declined[id]}`);
    if (workers.length > 0 && saying.length === workers.length) {
      const { id, name } = saying[0];
      throw new CurvatureError("ERR_IO", `No worker has the data. ${name} says: ${declined[id]}`, {
        path: "data",
      });
    }
  }

  /** A unit has ended. */
  unitEnded(): void {
    this.backPressure.accepted();
  }

  private report(sentence: string): void {
    if (this.reported.has(sentence)) return;
    this.reported.add(sentence);
    this.notice(sentence);
  }
}
