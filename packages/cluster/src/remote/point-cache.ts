/** A worker's points of one sum: each is fetched once for all the tasks about it, and the last few are kept. */
import { CurvatureError } from "@curvature/linalg";
import type { RedisConnection } from "../redis/connection.js";
import { decodeFrame } from "./frames.js";

/** Points that are kept for further tasks. */
const POINTS_KEPT = 4;

export class PointCache {
  private readonly points = new Map<number, Promise<Float64Array>>();

  /** @param key - of the hash that holds them */
  constructor(
    private readonly connection: RedisConnection,
    private readonly key: string,
  ) {}

  /** @throws CurvatureError (the promise rejects) ERR_IO for a point that is not there */
  point(id: number): Promise<Float64Array> {
    const known = this.points.get(id);
    if (known !== undefined) return known;
    const fetched = this.fetched(id);
    this.points.set(id, fetched);
    fetched.catch(() => this.points.delete(id));
    for (const old of this.points.keys()) {
      if (this.points.size <= POINTS_KEPT) break;
      this.points.delete(old);
    }
    return fetched;
  }

  private async fetched(id: number): Promise<Float64Array> {
    const bytes = await this.connection.client.hgetBuffer(this.key, String(id));
    const frame = bytes === null ? undefined : decodeFrame(bytes);
    if (frame?.kind === "point") return frame.x;
    throw new CurvatureError("ERR_IO", `Point ${id} is not there.`, { path: "point" });
  }
}
