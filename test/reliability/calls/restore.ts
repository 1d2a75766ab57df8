/** Calls of solvers that take a snapshot. */
import { solvers } from "../problems.ts";
import { type Call, call } from "./call.ts";

/** Every solver takes snapshots from outside. */
export const restoreCalls = Object.fromEntries(
  Object.entries(solvers).map(([name, create]): [string, Call] => [
    `restore ${name}`,
    call(
      () => [create().save()],
      (snapshot) => create().restore(snapshot),
    ),
  ]),
);
