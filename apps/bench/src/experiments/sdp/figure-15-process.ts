/** One contestant of figure 15 in its own process: a turn is one run. */
import { takeTurns } from "../../contestants/own-process.ts";
import {
  type ContestantName,
  contestants,
  type Ended,
  problemOf,
  type SolveTurn,
} from "./figure-15-solvers.ts";

takeTurns(
  async (name: ContestantName) =>
    async ({ n, most }: SolveTurn): Promise<Ended> =>
      contestants[name](await problemOf(n), most),
);
