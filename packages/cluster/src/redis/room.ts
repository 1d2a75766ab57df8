/** A Redis that is full may have room again in a moment; it is given up when it has had none for a while. */
import { isFull, type RedisConnection, redisError, tryRoom } from "./connection.js";

export class Room {
  private fullSince: number | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly patienceSeconds: number,
  ) {}

  /**
   * @param wasRefused - whether it had no room for something just now
   * @returns the error of a Redis that is full for the moment; undefined where there is room
   * @throws CurvatureError ERR_IO when it has been full for too long
   */
  async look(wasRefused = false): Promise<Error | undefined> {
    const { client, place } = this.connection;
    let refusal: unknown = wasRefused ? new Error("OOM") : undefined;
    await tryRoom(client).catch((error: unknown) => {
      refusal = error;
    });
    if (refusal === undefined) {
      this.fullSince = undefined;
      return undefined;
    }
    this.fullSince ??= performance.now();
    const isLasting = performance.now() - this.fullSince > 1000 * this.patienceSeconds;
    if (!isFull(refusal) || isLasting) throw redisError(place, refusal);
    return redisError(place, refusal);
  }

  /** It has taken something all the same. */
  hasTaken(): void {
    this.fullSince = undefined;
  }
}
