/**
 * The state of a solver, declared once: each field with its kind and first value. Snapshots, their version and the validation
 * of what comes back follow from the declaration.
 *
 *   class Descent extends DeclaredSolver {
 *     readonly state = stateOf({
 *       x: float64(x.slice()),          // the array's content; its length is fixed
 *       order: int32(order, { from: 0, to: N - 1 }),
 *       index: whole(),                 // from 0
 *       random: generator(random),
 *       outcome: outcome(),
 *     });
 *   }
 *
 * `this.state.x` and `this.state.index` are plain fields. All of a snapshot is judged before any of it is taken: a solver that refuses
 * one is as it was before. Surplus fields are refused, so that nothing is ignored in silence. The version is a hash of the
 * declared names and kinds: who changes a declaration cannot forget it.
 */
import { CurvatureError, type DenseMatrix, type RandomGenerator, shown } from "@curvature/linalg";
import type { Iteration, Outcome, Snapshot, SnapshotValue, Solver } from "./solver.js";

/** How values of one kind are saved, judged and taken back. */
export interface Kind<T> {
  /** Names the kind in the hash of the declaration. */
  readonly shape: string;
  readonly initial: T;
  /** A copy. @param number - the number that another field of the same declaration holds */
  save(value: T, number: (name: string) => number): SnapshotValue;
  /**
   * Judges a saved value. The function returned gives the value to hold from now on: `held` itself, where its content is
   * renewed. It must not fail.
   */
  open(at: Place, saved: unknown, held: T): () => T;
}

/** A field that is judged: where it is, and what has been judged before it in the same declaration. */
export class Place {
  /**
   * @param path - "memory.S", for messages
   * @param siblings - the saved fields that stand before it, in its own declaration and in those that it is a part of
   * @param undo - what must be undone if a later field is refused
   */
  constructor(
    readonly path: string,
    readonly siblings: ReadonlyMap<string, unknown>,
    readonly undo: (() => void)[],
  ) {}

  /** A number that was saved before this field, on which its length depends. */
  number(name: string): number {
    const value = this.siblings.get(name);
    return typeof value === "number" ? value : this.refuse(`preceded by a number ${name}`, value);
  }

  within(name: string, siblings: ReadonlyMap<string, unknown> = this.siblings): Place {
    return new Place(this.path === "" ? name : `${this.path}.${name}`, siblings, this.undo);
  }

  refuse(expected: string, received: unknown): never {
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `${this.path} must be ${expected}; received ${shown(received)}. The snapshot is of another problem, or damaged.`,
      { path: this.path, expected, received },
    );
  }
}

/** One for all copies of this module, those of ES modules and of CommonJS. */
const DECLARATION: unique symbol = Symbol.for("@curvature/optim-core/declaration");
type Kinds = { readonly [name: string]: Kind<unknown> };
type Fields<K extends Kinds> = { -readonly [N in keyof K]: K[N] extends Kind<infer T> ? T : never };

/** Fields with their declaration. */
export interface Declared {
  readonly [DECLARATION]: Declaration;
}

/** The fields of a declaration; a plain object to those who read and write it. */
export type State<K extends Kinds> = Fields<K> & Declared;

interface Declaration {
  readonly shape: string;
  /** @param outer - numbers of the declaration that this one is a part of */
  save(outer?: (name: string) => number): SnapshotValue;
  open(at: Place, saved: unknown): () => void;
}

/** Judges fields that must agree with each other, once each of them is good by itself: what they must be, or undefined. */
export type Agreement = (saved: ReadonlyMap<string, unknown>) => string | undefined;

/** @param check - for fields that must agree with each other */
export function stateOf<K extends Kinds>(kinds: K, check?: Agreement): State<K>;
export function stateOf(kinds: Kinds, check?: Agreement): Declared {
  return declared({}, initials(kinds), kinds, check);
}

/** The same for fields that an object has already: those named are its state, with their values of now. */
export function stateIn<O extends object, N extends keyof O & string>(
  owner: O,
  kinds: { readonly [P in N]: Kind<O[P]> },
  check?: Agreement,
): Declared;
export function stateIn(owner: object, kinds: Kinds, check?: Agreement): Declared {
  return { [DECLARATION]: declaration(owner, kinds, check) };
}

function initials(kinds: Kinds): object {
  return Object.fromEntries(Object.keys(kinds).map((name) => [name, kinds[name].initial]));
}

function declared(target: object, fields: object, kinds: Kinds, check: Agreement | undefined): Declared {
  const state = Object.assign(target, fields);
  return Object.defineProperty(
    Object.assign(state, { [DECLARATION]: declaration(state, kinds, check) }),
    DECLARATION,
    { enumerable: false },
  );
}

function declaration(fields: object, kinds: Kinds, check: Agreement = () => undefined): Declaration {
  const names = Object.keys(kinds);
  return {
    get shape() {
      return `{${names.map((name) => `${name}:${kinds[name].shape}`).join(",")}}`;
    },
    save(outer = () => Number.NaN) {
      const number = (name: string): number =>
        Object.hasOwn(kinds, name) ? Number(Reflect.get(fields, name)) : outer(name);
      return Object.fromEntries(
        names.map((name) => [name, kinds[name].save(Reflect.get(fields, name), number)]),
      );
    },
    open(at, saved) {
      if (!isPlainObject(saved)) return at.refuse("an object", saved);
      const surplus = Object.keys(saved).find((name) => !Object.hasOwn(kinds, name));
      if (surplus !== undefined) at.within(surplus).refuse("absent", Reflect.get(saved, surplus));
      const siblings = new Map(at.siblings);
      const takes = names.map((name) => {
        const value: unknown = Object.hasOwn(saved, name) ? Reflect.get(saved, name) : undefined;
        const take = kinds[name].open(at.within(name, siblings), value, Reflect.get(fields, name));
        siblings.set(name, value);
        return () => Reflect.set(fields, name, take());
      });
      const expected = check(siblings);
      if (expected !== undefined) at.refuse(expected, saved);
      return () => {
        for (const take of takes) take();
      };
    },
  };
}

/** A copy of a solver's state. */
export function saved(solver: string, state: Declared): Snapshot {
  const declaration = state[DECLARATION];
  return { solver, version: versionOf(declaration.shape), state: declaration.save() };
}

/** @throws CurvatureError ERR_SNAPSHOT for a snapshot of another solver, problem or version; the state is then as it was */
export function restore(solver: string, state: Declared, snapshot: Snapshot): void {
  const where = `Snapshot for ${solver}`;
  const declaration = state[DECLARATION];
  if (!isPlainObject(snapshot) || typeof snapshot.solver !== "string")
    throw new CurvatureError("ERR_SNAPSHOT", `received ${shown(snapshot)}.`, { where, received: snapshot });
  if (snapshot.solver !== solver)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `it was written by the solver ${shown(snapshot.solver)}. Restore it with that one.`,
      { where, path: "solver", expected: solver, received: snapshot.solver },
    );
  const version = versionOf(declaration.shape);
  if (snapshot.version !== version)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `it is of version ${shown(snapshot.version)}, this library reads ${version}. Use the release that wrote it.`,
      { where, path: "version", expected: String(version), received: snapshot.version },
    );
  const undo: (() => void)[] = [];
  try {
    declaration.open(new Place(where, new Map(), undo), snapshot.state)();
  } catch (error) {
    for (const back of undo.reverse()) back();
    throw error;
  }
}

/** Saves and restores what it declares as its state. */
export abstract class DeclaredSolver {
  abstract readonly name: string;
  protected abstract readonly state: Declared;

  save(): Snapshot {
    return saved(this.name, this.state);
  }
  restore(snapshot: Snapshot): void {
    restore(this.name, this.state, snapshot);
    this.restored?.();
  }
  /** Computes anew what follows from the state. */
  protected restored?(): void;
}

/** FNV-1a, 32 bits. */
function versionOf(shape: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < shape.length; i++) hash = Math.imul(hash ^ shape.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

// ── Numbers, flags, words ─────────────────────────────────────────────────────────────────────────────────────────────

/** A kind whose values are saved as they are. */
function plain<T extends number | string | boolean>(
  shape: string,
  initial: T,
  expected: string,
  accepts: (value: unknown) => value is T,
): Kind<T> {
  return {
    shape,
    initial,
    save: (value) => value,
    open(at, value) {
      if (!accepts(value)) return at.refuse(expected, value);
      return () => value;
    },
  };
}

export const number = (initial = Number.NaN): Kind<number> =>
  plain("number", initial, "a number", (value): value is number => typeof value === "number");

/** A whole number from `from` (0) to `to`. */
export const whole = (
  initial = 0,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: { readonly from?: number; readonly to?: number } = {},
): Kind<number> =>
  plain(
    "whole",
    initial,
    `a whole number from ${from} to ${to}`,
    (value): value is number => Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to,
  );

export const boolean = (initial = false): Kind<boolean> =>
  plain("boolean", initial, "true or false", (value): value is boolean => typeof value === "boolean");

export const string = (initial = ""): Kind<string> =>
  plain("string", initial, "a string", (value): value is string => typeof value === "string");

export const word = <const W extends string>(initial: NoInfer<W>, words: readonly W[]): Kind<W> =>
  plain(words.join("|"), initial, `one of ${words.join(", ")}`, (value): value is W =>
    words.some((each) => each === value),
  );

/** What a snapshot must agree with and never changes, such as a size that an option gave. @param advice - what to do */
export const fixed = <T extends number | string | boolean>(value: T, advice: string): Kind<T> =>
  plain("fixed", value, `${shown(value)}, as here (${advice})`, (saved): saved is T => saved === value);

// ── Typed arrays ──────────────────────────────────────────────────────────────────────────────────────────────────────

type NumericArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

export interface ArrayRules {
  /**
   * How many entries count, where that is not all of the array: they are saved, and renewed at its beginning; the others
   * become 0. `number` gives the numbers of fields that are declared before this one, also in the declaration that this one is
   * a part of.
   */
  readonly length?: (number: (name: string) => number) => number;
  /** Whether the array may be of any length; it is replaced then. */
  readonly anyLength?: boolean;
  /** Least and largest entry. */
  readonly from?: number;
  readonly to?: number;
}

function arrayKind<A extends NumericArray>(
  shape: string,
  isOfKind: (value: unknown) => value is A,
  copy: (array: A, length: number) => A,
): (initial: A, rules?: ArrayRules) => Kind<A> {
  return (initial, { length, anyLength = false, from, to } = {}) => ({
    shape,
    initial,
    save: (array, number) => copy(array, length?.(number) ?? array.length),
    open(at, value, held) {
      const wanted = length?.((name) => at.number(name)) ?? held.length;
      if (!isOfKind(value) || (!anyLength && value.length !== wanted))
        return at.refuse(`a ${shape}${anyLength ? "" : ` of length ${wanted}`}`, value);
      if (value.some((entry) => !(entry >= (from ?? entry) && entry <= (to ?? entry)) && from !== undefined))
        return at.refuse(`a ${shape} of entries from ${from} to ${to}`, value);
      const taken = copy(value, value.length);
      return () => {
        if (held.length < taken.length || (anyLength && held.length !== taken.length)) return taken;
        held.set(taken);
        held.fill(0, taken.length);
        return held;
      };
    },
  });
}

export const float64 = arrayKind(
  "Float64Array",
  (value): value is Float64Array => value instanceof Float64Array,
  (array, length) => array.slice(0, length),
);
export const float32 = arrayKind(
  "Float32Array",
  (value): value is Float32Array => value instanceof Float32Array,
  (array, length) => array.slice(0, length),
);
export const int32 = arrayKind(
  "Int32Array",
  (value): value is Int32Array => value instanceof Int32Array,
  (array, length) => array.slice(0, length),
);
export const uint8 = arrayKind(
  "Uint8Array",
  (value): value is Uint8Array => value instanceof Uint8Array,
  (array, length) => array.slice(0, length),
);

/** Vectors of `size` entries, of which the first `length` count; saved one after the other in one array. */
export const vectors = (size: number, length: NonNullable<ArrayRules["length"]>): Kind<Float64Array[]> => ({
  shape: "vectors",
  initial: [],
  save(held, number) {
    const width = length(number);
    const all = new Float64Array(held.length * width);
    for (const [k, vector] of held.entries()) all.set(vector.subarray(0, width), k * width);
    return all;
  },
  open(at, value) {
    const width = length((name) => at.number(name));
    if (!(value instanceof Float64Array) || (width === 0 ? value.length > 0 : value.length % width !== 0))
      return at.refuse(`a Float64Array of vectors of length ${width}`, value);
    const taken = Array.from({ length: width === 0 ? 0 : value.length / width }, (_, k) => {
      const vector = new Float64Array(size);
      vector.set(value.subarray(k * width, (k + 1) * width));
      return vector;
    });
    return () => taken;
  },
});

/** A dense matrix, replaced as a whole. The sizes that are given must be these, the number of rows at most `maxRows`. */
export const matrix = (
  initial: DenseMatrix,
  {
    rows,
    columns,
    maxRows,
  }: { readonly rows?: number; readonly columns?: number | undefined; readonly maxRows?: number },
): Kind<DenseMatrix> => ({
  shape: "matrix",
  initial,
  save: (held) => ({ rows: held.rows, columns: held.columns, data: held.data.slice() }),
  open(at, value) {
    const saved: { readonly [name: string]: unknown } = isPlainObject(value) ? { ...value } : {};
    const { data } = saved;
    const [m, n] = [Number(saved.rows), Number(saved.columns)];
    const isWhole = Number.isSafeInteger(m) && m >= 0 && Number.isSafeInteger(n) && n >= 0;
    const isOnly = Object.keys(saved).length === 3;
    const fits = isOnly && m === (rows ?? m) && n === (columns ?? n) && m <= (maxRows ?? m);
    if (!(isWhole && fits && data instanceof Float64Array && data.length === m * n))
      return at.refuse(`a matrix, ${rows ?? "m"} x ${columns ?? "n"}`, value);
    const taken = { rows: m, columns: n, data: data.slice() };
    return () => taken;
  },
});

// ── Kinds made of others ──────────────────────────────────────────────────────────────────────────────────────────────

/** So that values that are made anew from one kind do not share an array. */
const fresh = <T>(initial: T): T => (ArrayBuffer.isView(initial) ? structuredClone(initial) : initial);

/** A value, or undefined. */
export const maybe = <T>(kind: Kind<T>, initial?: T): Kind<T | undefined> => ({
  shape: `${kind.shape}?`,
  initial,
  save: (value, number) => (value === undefined ? null : kind.save(value, number)),
  open(at, value, held) {
    if (value === null) return () => undefined;
    return kind.open(at, value, held ?? fresh(kind.initial));
  },
});

/** An object of fields, each of its kind; it is replaced as a whole. */
export function record<K extends Kinds>(kinds: K): Kind<Readonly<Fields<K>>>;
export function record(kinds: Kinds): Kind<object> {
  return {
    get shape() {
      return declaration({}, kinds).shape;
    },
    initial: initials(kinds),
    save: (value, number) => declaration(value, kinds).save(number),
    open(at, value) {
      const taken = Object.fromEntries(
        Object.entries(initials(kinds)).map(([name, of]) => [name, fresh(of)]),
      );
      const take = declaration(taken, kinds).open(at, value);
      return () => {
        take();
        return taken;
      };
    },
  };
}

/** A list of values of one kind. @param length - how many there must be; any number where it is left out */
export const list = <T>(kind: Kind<T>, initial: readonly T[] = [], length?: number): Kind<readonly T[]> => ({
  shape: `[${kind.shape}]`,
  initial,
  save: (values, number) => values.map((value) => kind.save(value, number)),
  open(at, value) {
    if (!Array.isArray(value) || (length !== undefined && value.length !== length))
      return at.refuse(length === undefined ? "a list" : `a list of ${length}`, value);
    const entries: readonly unknown[] = value;
    const takes = entries.map((entry, k) => kind.open(at.within(String(k)), entry, fresh(kind.initial)));
    return () => takes.map((take) => take());
  },
});

export const generator = (random: RandomGenerator): Kind<RandomGenerator> => ({
  shape: "generator",
  initial: random,
  save: (held) => held.save(),
  open(at, value, held) {
    if (!(value instanceof Uint32Array) || value.length !== 4 || value.every((each) => each === 0))
      return at.refuse("a generator's state, a Uint32Array of length 4 that is not all zero", value);
    const words = value.slice();
    return () => {
      held.restore(words);
      return held;
    };
  },
});

const endings = ["converged", "max-iterations", "max-evaluations", "stalled", "diverged", "failed"] as const;

/** How the solver ended. */
export const outcome = (): Kind<Outcome | undefined> =>
  maybe(
    record({
      status: word("failed", endings),
      message: string(),
      test: maybe(record({ name: string(), value: number(), limit: number() })),
    }),
  );

/** An iteration with these details, or none: the one with which a solver ended, for one, which it repeats. */
export const iteration = <K extends Kinds>(details: K): Kind<Iteration<Readonly<Fields<K>>> | undefined> =>
  maybe(
    record({
      ...{
        index: whole(),
        value: maybe(number()),
        gradientNorm: maybe(number()),
        stepLength: maybe(number()),
      },
      ...{
        evaluations: whole(),
        gradientEvaluations: whole(),
        monitoringEvaluations: whole(),
        passes: number(),
      },
      ...{ phase: string(), details: record(details), outcome: outcome() },
    }),
  );

/** An object that declares a state of its own. */
export interface Stateful {
  readonly state: Declared;
}

/** A part of the solver, which has fields of its own. */
export const part = <T extends Stateful>(owner: T): Kind<T> => ({
  get shape() {
    return owner.state[DECLARATION].shape;
  },
  initial: owner,
  save: ({ state }, number) => state[DECLARATION].save(number),
  open(at, value, held) {
    const take = held.state[DECLARATION].open(at, value);
    return () => {
      take();
      return held;
    };
  },
});

/** Several parts of one kind, always the same number. */
export const parts = <T extends Stateful>(owners: readonly T[]): Kind<readonly T[]> => ({
  get shape() {
    return `[${owners.length === 0 ? "" : owners[0].state[DECLARATION].shape}]`;
  },
  initial: owners,
  save: (held, number) => held.map(({ state }) => state[DECLARATION].save(number)),
  open(at, value, held) {
    if (!Array.isArray(value) || value.length !== held.length)
      return at.refuse(`a list of ${held.length}`, value);
    const entries: readonly unknown[] = value;
    const takes = held.map(({ state }, k) => state[DECLARATION].open(at.within(String(k)), entries[k]));
    return () => {
      for (const take of takes) take();
      return held;
    };
  },
});

/** A part that is there only at times: made anew for a snapshot that has it. @param make - from what was saved before it */
export const madePart = <T extends Stateful>(make: (at: Place) => T): Kind<T | undefined> => ({
  shape: "part?",
  initial: undefined,
  save: (value, number) => (value === undefined ? null : value.state[DECLARATION].save(number)),
  open(at, value) {
    if (value === null) return () => undefined;
    const made = make(at);
    const take = made.state[DECLARATION].open(at, value);
    return () => {
      take();
      return made;
    };
  },
});

/** Parts made anew for a snapshot, as many as it has. @param make - from what was saved before them */
export const madeParts = <T extends Stateful>(make: (at: Place) => T): Kind<readonly T[]> => ({
  shape: "[part?]",
  initial: [],
  save: (held) => held.map(({ state }) => state[DECLARATION].save()),
  open(at, value) {
    if (!Array.isArray(value)) return at.refuse("a list", value);
    const entries: readonly unknown[] = value;
    const opened = entries.map((entry, k) => {
      const place = at.within(String(k));
      const made = make(place);
      return { made, take: made.state[DECLARATION].open(place, entry) };
    });
    return () =>
      opened.map(({ made, take }) => {
        take();
        return made;
      });
  },
});

/** A value that is always there, of a kind that makes it anew: `always(first, madePart(make))`. */
export const always = <T>(first: T, kind: Kind<T | undefined>): Kind<T> => ({
  shape: kind.shape,
  initial: first,
  save: kind.save,
  open(at, value, held) {
    if (value === null) return at.refuse("there", value);
    const take = kind.open(at, value, held);
    return () => take() ?? held;
  },
});

/** The snapshot of a solver within this one. It judges and takes at once; a later refusal takes it back. */
export const inner = <S extends Pick<Solver, "save" | "restore">>(solver: S): Kind<S> => ({
  shape: "solver",
  initial: solver,
  save: (held) => plainSnapshot(held.save()),
  open(at, value, held) {
    takeSnapshot(at, value, held);
    return () => held;
  },
});

/** A solver that is there only at times, made anew for a snapshot that has it. */
export const madeInner = <S extends Pick<Solver, "save" | "restore">>(
  make: (at: Place, saved: Snapshot) => S,
): Kind<S | undefined> => ({
  shape: "solver?",
  initial: undefined,
  save: (held) => (held === undefined ? null : plainSnapshot(held.save())),
  open(at, value) {
    if (value === null) return () => undefined;
    const made = make(at, snapshotAt(at, value));
    made.restore(snapshotAt(at, value));
    return () => made;
  },
});

/** The snapshot of a solver that can be made only when all fields are known: it is held as it was saved. @param save - of now */
export const heldSnapshot = (save: () => Snapshot): Kind<Snapshot | undefined> => ({
  shape: "solver",
  initial: undefined,
  save: () => plainSnapshot(save()),
  open(at, value) {
    const snapshot = snapshotAt(at, value);
    return () => snapshot;
  },
});

/** A solver that is always there, made anew for a snapshot. @param make - from what was saved before it */
export const changingInner = <S extends Pick<Solver, "save" | "restore">>(
  first: S,
  make: (at: Place) => S,
): Kind<S> => ({
  shape: "solver",
  initial: first,
  save: (held) => plainSnapshot(held.save()),
  open(at, value) {
    const made = make(at);
    made.restore(snapshotAt(at, value));
    return () => made;
  },
});

const plainSnapshot = ({ solver, version, state }: Snapshot): SnapshotValue => ({ solver, version, state });

function takeSnapshot(at: Place, value: unknown, solver: Pick<Solver, "save" | "restore">): void {
  const before = solver.save();
  solver.restore(snapshotAt(at, value));
  at.undo.push(() => solver.restore(before));
}

function snapshotAt(at: Place, value: unknown): Snapshot {
  return isSnapshot(value) ? value : at.refuse("a snapshot", value);
}

function isSnapshot(value: unknown): value is Snapshot {
  return isPlainObject(value) && Object.keys(value).sort().join() === "solver,state,version";
}
