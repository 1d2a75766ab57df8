/** A full Redis may take data again in a moment; it is given up when it has been full for a while. */
import { isFull, type RedisConnection, redisError, tryWrite } from "./connection.js";

export class BackPressure {
  private fullSince: number | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly patienceSeconds: number,
  ) {}

  /**
   * @param wasRefused - whether it was too full for something just now
   * @returns the error of a Redis that is full for the moment; undefined where it takes data
   * @throws CurvatureError ERR_IO when it has been full for too long
   */
  async check(wasRefused = false): Promise<Error | undefined> {
    const { client, place } = this.connection;
    let refusal: unknown = wasRefused ? new Error("OOM") : undefined;
    await tryWrite(client).catch((error: unknown) => {
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
  accepted(): void {
    this.fullSince = undefined;
  }
}
