import { RandomGenerator } from "@curvature/linalg";
import type { Snapshot } from "@curvature/optim-core";
import {
  boolean,
  fixed,
  float64,
  generator,
  inner,
  int32,
  list,
  madePart,
  maybe,
  number,
  outcome,
  part,
  parts,
  record,
  restore,
  saved,
  stateIn,
  stateOf,
  string,
  vectors,
  whole,
  word,
} from "@curvature/optim-core/state";
import { expect, test } from "vitest";

class Part {
  readonly state = stateOf({ n: whole(), v: float64(new Float64Array(2)) });
}

class Owner {
  x: Float64Array = Float64Array.of(1, 2);
  value = 3;
  readonly state;
  constructor() {
    this.state = stateIn(this, { x: float64(this.x), value: number() });
  }
}

class Inner {
  readonly state = stateOf({ k: whole() });
  save(): Snapshot {
    return saved("inner", this.state);
  }
  restore(snapshot: Snapshot): void {
    restore("inner", this.state, snapshot);
  }
}

function everything() {
  const owner = new Owner();
  const solver = new Inner();
  const ring = new Float64Array(6);
  const state = stateOf({
    ...{ real: number(), natural: whole(0, { to: 9 }), isOn: boolean(), name: string("a") },
    mode: word("up", ["up", "down"]),
    capacity: fixed(3, "give the same memory"),
    order: int32(new Int32Array(3), { from: 0, to: 2 }),
    free: float64(new Float64Array(1), { anyLength: true }),
    ring: float64(ring, { length: (of) => 2 * of("natural") }),
    last: maybe(record({ x: float64(new Float64Array(1)), value: maybe(number()) })),
    all: list(record({ k: whole() })),
    random: generator(new RandomGenerator(1)),
    outcome: outcome(),
    owner: part(owner),
    two: parts([new Part(), new Part()]),
    made: madePart(() => new Part()),
    inner: inner(solver),
  });
  return { state, owner, solver, ring };
}

function filled() {
  const all = everything();
  const { state, owner, solver } = all;
  state.real = -0;
  state.natural = 2;
  state.isOn = true;
  state.mode = "down";
  state.order.set([2, 0, 1]);
  state.free = Float64Array.of(1, Number.NaN, 3);
  state.ring.set([1, 2, 3, 4, 5, 6]);
  state.last = { x: Float64Array.of(7), value: undefined };
  state.all = [{ k: 1 }, { k: 2 }];
  state.random.next();
  state.outcome = { status: "stalled", message: "m" };
  owner.x = Float64Array.of(8, 9);
  state.two[1].state.n = 4;
  state.made = new Part();
  state.made.state.v[1] = 5;
  solver.state.k = 6;
  return all;
}

test("what was saved is taken back bit for bit, into the arrays that there are", () => {
  const from = filled();
  const snapshot = structuredClone(saved("s", from.state));
  const to = everything();
  const { order } = to.state;
  restore("s", to.state, snapshot);
  expect(saved("s", to.state)).toEqual(snapshot);
  expect(Object.is(to.state.real, -0)).toBe(true);
  expect(to.state.order).toBe(order);
  expect([...to.ring]).toEqual([1, 2, 3, 4, 0, 0]); // entries that count, and no others
  expect([...to.owner.x]).toEqual([8, 9]);
  expect(to.solver.state.k).toBe(6);
  expect(to.state.made?.state.v[1]).toBe(5);
  to.state.order[0] = 0;
  expect(saved("s", to.state)).not.toEqual(snapshot);
  expect(snapshot).toEqual(saved("s", from.state)); // a copy of its own
});

test("a refused field is named by its path, and nothing is taken, nor by solvers within", () => {
  const from = saved("s", filled().state);
  const change = (fields: object): Snapshot => ({ ...from, state: Object.assign({}, from.state, fields) });
  const cases: readonly (readonly [object, string])[] = [
    [{ real: "1" }, "Snapshot for s.real must be a number"],
    [{ natural: 10 }, "Snapshot for s.natural must be a whole number from 0 to 9; received 10"],
    [{ capacity: 4 }, "Snapshot for s.capacity must be 3, as here (give the same memory); received 4"],
    [{ mode: "left" }, "Snapshot for s.mode must be one of up, down"],
    [{ order: Int32Array.of(0, 1, 3) }, "Snapshot for s.order must be a Int32Array of entries from 0 to 2"],
    [{ ring: new Float64Array(3) }, "Snapshot for s.ring must be a Float64Array of length 4"],
    [{ all: [{ k: 1 }, { k: -1 }] }, "Snapshot for s.all.1.k must be a whole number"],
    [{ last: { x: new Float64Array(1) } }, "Snapshot for s.last.value must be"],
    [{ outcome: { status: "fine", message: "" } }, "Snapshot for s.outcome.status must be one of"],
    [{ two: [] }, "Snapshot for s.two must be a list of 2"],
    [{ inner: 1 }, "Snapshot for s.inner must be a snapshot"],
    [{ more: 1 }, "Snapshot for s.more must be absent; received 1"],
  ];
  for (const [fields, message] of cases) {
    const to = everything();
    const before = saved("s", to.state);
    expect(() => restore("s", to.state, change(fields))).toThrowError(message);
    expect(saved("s", to.state)).toEqual(before);
  }
});

test("an inner solver that has taken its snapshot gives it back where a later field is refused", () => {
  const solver = new Inner();
  const state = stateOf({ inner: inner(solver), last: whole() });
  const other = new Inner();
  other.state.k = 7;
  const bad: Snapshot = {
    ...saved("s", state),
    state: { inner: { ...other.save() }, last: "none" },
  };
  expect(() => restore("s", state, bad)).toThrowError("last must be a whole number");
  expect(solver.state.k).toBe(0);
});

test("another solver's snapshot, another version's and none are refused", () => {
  const { state } = filled();
  const snapshot = saved("s", state);
  expect(() => restore("t", state, snapshot)).toThrowError('it was written by the solver "s"');
  expect(() => restore("s", state, { ...snapshot, version: 1 })).toThrowError("it is of version 1");
  expect(() => Reflect.apply(restore, undefined, ["s", state, null])).toThrowError("received null");
});

test("the version changes with the names and kinds of the fields, and not with their values", () => {
  const version = (state: Parameters<typeof saved>[1]): number => saved("s", state).version;
  expect(version(filled().state)).toBe(version(everything().state));
  expect(version(stateOf({ a: whole() }))).not.toBe(version(stateOf({ b: whole() })));
  expect(version(stateOf({ a: whole() }))).not.toBe(version(stateOf({ a: number() })));
});

test("fields that must agree are judged together", () => {
  const agree = (fields: ReadonlyMap<string, unknown>): string | undefined =>
    Number(fields.get("a")) < Number(fields.get("b")) ? undefined : "with a below b";
  const state = stateOf({ a: whole(1), b: whole(2) }, agree);
  restore("s", state, saved("s", state));
  state.a = 3;
  expect(() => restore("s", state, saved("s", state))).toThrowError("Snapshot for s must be with a below b");
});

test("a part has the length of its arrays from the declaration around it, and what is beyond them is 0 again", () => {
  class Model {
    readonly state = stateOf({
      t: float64(new Float64Array(3), { length: (of) => of("K") }),
      S: vectors(3, (of) => of("K")),
    });
  }
  const made = () => {
    const models = [new Model(), new Model()];
    return { models, state: stateOf({ K: whole(0, { to: 3 }), models: parts(models) }) };
  };
  const from = made();
  from.state.K = 2;
  from.models[1].state.t.set([1, 2]);
  from.models[1].state.S = [Float64Array.of(3, 4, 0), Float64Array.of(5, 6, 0)];
  const snapshot = saved("s", from.state);
  expect(snapshot.state).toMatchObject({
    models: [{ t: new Float64Array(2) }, { t: Float64Array.of(1, 2), S: Float64Array.of(3, 4, 5, 6) }],
  });
  const to = made();
  to.state.K = 3;
  to.models[1].state.t.set([7, 8, 9]);
  restore("s", to.state, snapshot);
  expect(to.models[1].state.t).toEqual(Float64Array.of(1, 2, 0));
  expect(to.models[1].state.S).toEqual(from.models[1].state.S);
  expect(saved("s", to.state)).toEqual(snapshot);
  const longer = { ...snapshot, state: { ...Object(snapshot.state), K: 3 } };
  expect(() => restore("s", to.state, longer)).toThrowError(
    "s.models.0.t must be a Float64Array of length 3",
  );
});
