/** A coordinator's look at its pool: whether there is somebody who can do the work, and room for the results. */
import { CurvatureError } from "@curvature/linalg";
import type { RedisConnection } from "./connection.js";
import { declinedKey } from "./names.js";
import { livingMembers } from "./pool.js";
import { Room } from "./room.js";

/** How long an empty pool is borne in silence. */
const emptySeconds = 5;
/** A Redis without room, where nothing has ended for so long, is given up: what is in the queue stays, for a later run. */
const fullSeconds = 20;

export class PoolWatch {
  private readonly told = new Set<string>();
  private readonly since = performance.now();
  private readonly room: Room;

  constructor(
    private readonly connection: RedisConnection,
    private readonly sweep: string,
    private readonly notice: (sentence: string) => void,
  ) {
    this.room = new Room(connection, fullSeconds);
  }

  /**
   * A full Redis takes the results of short units still, but no worker's word that it is alive: long units would be begun
   * again and again, and nobody told.
   *
   * @throws CurvatureError ERR_IO when every worker has said that it has not got the data, or Redis is full and nothing ends
   */
  async look(): Promise<void> {
    const { place, client } = this.connection;
    const refusal = await this.room.look();
    if (refusal !== undefined) this.tell(refusal.message);
    const members = await livingMembers(this.connection);
    const workers = members.filter(({ kind }) => kind === "worker");
    const declined = await client.hgetall(declinedKey(this.sweep));
    if (workers.length === 0 && performance.now() - this.since > 1000 * emptySeconds) {
      this.tell(
        `No worker is at ${place}; start one there: npx @curvature/cli worker --redis <url> --data <folder>.`,
      );
    }
    const saying = workers.filter(({ id }) => Object.hasOwn(declined, id));
    for (const { id, name } of saying) this.tell(`The worker ${name} cannot do these units. ${declined[id]}`);
    if (workers.length > 0 && saying.length === workers.length) {
      const { id, name } = saying[0];
      throw new CurvatureError("ERR_IO", `No worker has the data. ${name} says: ${declined[id]}`, {
        path: "data",
      });
    }
  }

  /** A unit has ended. */
  heard(): void {
    this.room.hasTaken();
  }

  private tell(sentence: string): void {
    if (this.told.has(sentence)) return;
    this.told.add(sentence);
    this.notice(sentence);
  }
}
