/**
 * Which column of a table of answers says what: by the roles that are given, by the names in its header, or by position.
 */
import { CurvatureError, nearestName, optionName, shown } from "@curvature/linalg";
import type { AnswerKind } from "./answer-kinds.js";
import { namesAccuracy, namesAnswer, namesFarther, saySorted } from "./answer-names.js";
import { codes } from "./answer-words.js";
import { checkBeside, isBeside, plain, rolesOf as rolesWritten, typed } from "./beside-columns.js";

/** Of a matrix whose rows and columns are the objects. */
export const matrixKinds = ["distances", "similarities"] as const;

/** The roles that columns can have, in each kind. */
const rolesOf: Readonly<Record<AnswerKind, readonly string[]>> = {
  triplets: ["anchor", "near", "far", "answer", "farther", "weight"],
  quadruplets: ["i", "j", "l", "k", "answer", "farther", "weight"],
  "odd-one-out": ["object", "odd", "weight"],
  rank: ["anchor", "option", "choose", "weight"],
  choices: ["anchor", "option", "chosen", "farther", "choose", "weight"],
  ratings: ["first", "second", "similarity", "distance"],
};
export const isRole = (name: string): boolean =>
  name === "left" || name === "right" || Object.values(rolesOf).some((roles) => roles.includes(name));

/** Which columns have which role, by their names or their indices from 0; several for `object`, `option`, `chosen`. */
export type Roles = Readonly<Record<string, string | readonly string[]>>;

/** Columns that say something of every line, whatever its kind. */
interface SideColumns {
  readonly trial: string | undefined;
  readonly participant: string | undefined;
  readonly time: string | undefined;
  readonly split: string | undefined;
  readonly catch: string | undefined;
}

export interface ComparisonColumns {
  readonly kind: AnswerKind;
  /**
   * Those of the objects: anchor, near, far; i, j, l, k; the objects of which one is odd; the anchor and the options; the two of a
   * rating.
   */
  readonly objects: readonly number[];
  /** Those that say which of the objects is nearer, odd, chosen. */
  readonly answers: readonly number[];
  /** Whether they say which is farther. */
  readonly areFarther: boolean;
  /** Whether the names of the columns say that the first candidate is the nearer one. */
  readonly areSorted: boolean;
  readonly weight: number | undefined;
  /** How many were chosen or ranked. */
  readonly choose: number | undefined;
  readonly rating: { readonly column: number; readonly isSimilarity: boolean } | undefined;
  readonly side: { readonly [name in keyof SideColumns]: number | undefined };
  readonly names: readonly string[] | undefined;
  /** Whether the answers are jsPsych's own, the indices of buttons from 0. */
  readonly areButtons: boolean;
  /** Names of the columns that say nothing of this. */
  readonly ignored: readonly string[];
}

/** What is asked of the columns. */
export interface Wanted {
  readonly kind: AnswerKind | "auto";
  /** The columns that are used, in the order of the kind; undefined for all. */
  readonly columns: readonly string[] | undefined;
  readonly roles: Roles;
  readonly side: SideColumns;
  readonly ignore: readonly string[];
  /** Columns that select the lines. */
  readonly where: readonly string[];
  readonly choose: number | undefined;
  /** Whether the first line is known to name the columns. */
  readonly isHeader: boolean;
}

export const columnsExpected =
  "i, j, k (or anchor, near, far; head, winner, loser) or i, j, l, k, and perhaps weight or count";

const sortedNames: readonly (readonly [anchor: string, near: string, far: string])[] = [
  ["i", "j", "k"],
  ["anchor", "near", "far"],
  ["head", "winner", "loser"],
];
const anchorNames = [
  "anchor",
  "center",
  "centre",
  "reference",
  "ref",
  "query",
  "target",
  "head",
  "standard",
  "sample",
  "probe",
];
const pairNames: readonly (readonly [string, string])[] = [
  ["left", "right"],
  ["option1", "option2"],
  ["option_1", "option_2"],
  ["first", "second"],
  ["a", "b"],
  ["choice1", "choice2"],
];
const weightNames = ["weight", "weights", "count"];

const failure = (sentence: string, path = "roles"): CurvatureError =>
  new CurvatureError("ERR_PARSE", sentence, { path, expected: columnsExpected });

/** A column by its name, or by its index from 0; a name with a star at its end is all that begin so. */
function columnsNamed(
  choice: string,
  names: readonly string[] | undefined,
  width: number,
  option: string,
): number[] {
  const exact = names === undefined ? [] : [...names.keys()].filter((k) => names[k].trim() === choice.trim());
  if (exact.length === 1) return exact;
  if (exact.length > 1)
    throw failure(
      `Two columns are called ${shown(choice)}. Rename one, or give the index, from 0, of the one that is meant.`,
    );
  if (names !== undefined && choice.endsWith("*")) {
    const begin = choice.slice(0, -1);
    const all = [...names.keys()].filter((k) => names[k].trim().startsWith(begin));
    if (all.length > 0) return all;
  }
  if (/^\d{1,6}$/.test(choice) && Number(choice) < width) return [Number(choice)];
  const there =
    names === undefined ? `${width} columns without names, 0 to ${width - 1}` : names.map(shown).join(", ");
  const near = names?.filter((name) => plain(name) === plain(choice));
  const meant = near?.length === 1 ? near[0] : names && nearestName(choice, names.slice(0, 1000));
  const hint = meant === undefined ? "" : ` Did you mean ${shown(meant)}?`;
  throw new CurvatureError(
    "ERR_OPTION",
    `${optionName(option)} names the column ${shown(choice)}, which is not there.${hint} There are ${there}.`,
    { path: option, received: choice },
  );
}

/** Whether the options name a column by a word that stands in the line: it is a header then. */
export function isNamedBy(
  cells: readonly string[],
  { roles, side, where, ignore, columns }: Omit<Wanted, "isHeader">,
): boolean {
  const words = new Set(cells.map((cell) => cell.trim()));
  const named = [
    ...Object.values(roles).flat(),
    ...Object.values(side),
    ...where,
    ...ignore,
    ...(columns ?? []),
  ];
  return named.some(
    (name: string | undefined) =>
      name !== undefined &&
      !/^\d+$/.test(name) &&
      (words.has(name.trim()) ||
        (name.endsWith("*") && [...words].some((word) => word.startsWith(name.slice(0, -1))))),
  );
}

/**
 * The columns of a table whose header is known, or that has none.
 *
 * @param header - undefined without one
 * @param first - the cells of the first line
 * @returns undefined if the header says nothing of this kind, and no roles are given
 * @throws CurvatureError ERR_PARSE, ERR_OPTION
 */
export function columnsOf(
  header: readonly string[] | undefined,
  first: readonly string[],
  line: number,
  wanted: Wanted,
): ComparisonColumns | undefined {
  const width = first.length;
  const { side, roles, ignore, where } = wanted;
  const one = (choice: string | undefined, option: string): number | undefined =>
    choice === undefined ? undefined : columnsNamed(choice, header, width, option)[0];
  const sides = {
    trial: one(side.trial, "trial"),
    participant: one(side.participant, "participant"),
    time: one(side.time, "time"),
    split: one(side.split, "split"),
    catch: one(side.catch, "catch"),
  };
  const ignored = ignore.flatMap((choice) => columnsNamed(choice, header, width, "ignore"));
  const others = where.flatMap((choice) => columnsNamed(choice, header, width, "where"));
  const taken = new Set([...Object.values(sides), ...ignored, ...others].filter((k) => k !== undefined));
  const stated = wanted.columns?.flatMap((choice) => columnsNamed(choice, header, width, "columns"));
  const free = (stated ?? Array.from({ length: width }, (_, k) => k)).filter((k) => !taken.has(k));
  const main =
    Object.keys(roles).length > 0
      ? byRoles(header, line, width, wanted, free)
      : header === undefined || stated !== undefined
        ? byPosition(line, wanted, free, first)
        : byNames(header, line, wanted, free);
  if (main === undefined) return undefined;
  const used = new Set([...taken, ...main.objects, ...main.answers]);
  for (const k of [main.weight, main.choose, main.rating?.column]) if (k !== undefined) used.add(k);
  const left = Array.from({ length: width }, (_, k) => k).filter((k) => !used.has(k));
  if (header !== undefined) {
    checkAnswers(header, left, main, line);
    checkVotes(header, left, main, line);
  }
  const words = new Set(header?.map(plain));
  const isJsPsych = words.has("trial_type") && words.has("trial_index");
  return {
    ...main,
    side: sides,
    names: header,
    areButtons: isJsPsych && main.answers.every((k) => /^(response|button_pressed)$/.test(header?.[k] ?? "")),
    ignored: header === undefined ? [] : left.map((k) => header[k]),
  };
}

type Main = Pick<
  ComparisonColumns,
  "kind" | "objects" | "answers" | "areFarther" | "areSorted" | "weight" | "choose" | "rating"
>;

const noMore = { areFarther: false, weight: undefined, choose: undefined, rating: undefined };

/** A column named like an answer that nobody uses is an oversight as a rule, and half of the answers are then turned round. */
function checkAnswers(header: readonly string[], left: readonly number[], main: Main, line: number): void {
  if (main.answers.length > 0 || main.rating !== undefined) return;
  const column = left.find((k) => namesAnswer(header[k]) || plain(header[k]) === "correct");
  if (column === undefined) return;
  const name = header[column];
  const written = rolesWritten({ ...main, answers: [column] }, header);
  throw new CurvatureError(
    "ERR_PARSE",
    `Line ${line} names a column ${shown(name)}, which is not used and looks like the answer. If it says which is nearer, write ${optionName("roles", written)}${namesFarther(name) ? `; if which is farther, ${fartherIn(written)}` : ""}; if not, ${optionName("ignore", typed(name, column))}.`,
    { path: `line ${line}`, received: name },
  );
}

const voteWord = /(?:^|[\s._-])(?:n|num|votes?|voters|counts?)(?=[\s._-]|$)/;

/** Two columns with how many people chose each of the two: without them a line is one answer, whatever most people said. */
function checkVotes(header: readonly string[], left: readonly number[], main: Main, line: number): void {
  if (main.weight !== undefined || (main.kind !== "triplets" && main.kind !== "quadruplets")) return;
  /** What the votes are for: "near" of n_near. */
  const of = (k: number): string =>
    header[k]
      .toLowerCase()
      .replace(voteWord, "")
      .replaceAll(/^[\s._-]+|[\s._-]+$/g, "");
  const votes = left.filter((k) => voteWord.test(header[k].toLowerCase()));
  const candidates = main.objects.slice(-2).map((k) => plain(header[k]));
  const pair = [candidates, ...codes.map(({ words }) => words)]
    .map((words) => words.map((word) => votes.find((k) => of(k) === word)))
    .find((found) => found.every((k) => k !== undefined));
  if (pair === undefined) return;
  const [first, second] = pair.map((k) => header[k ?? 0]);
  throw new CurvatureError(
    "ERR_PARSE",
    `Line ${line} names columns ${shown(first)} and ${shown(second)}, which are not used and look like numbers of people who chose each of the two. If they are, write a line for each of the two answers, with its number in a column called weight, and the nearer object first; if not, write ${optionName("ignore", `${first},${second}`)}.`,
    { path: `line ${line}`, received: first },
  );
}

/** The roles with the answer as the farther one. */
const fartherIn = (written: string): string => written.replace(/(?:answer|chosen)=(?=[^,]*$)/, "farther=");

function kindBy(roles: Roles): AnswerKind {
  const has = (name: string): boolean => Object.hasOwn(roles, name);
  if (has("similarity") || has("distance")) return "ratings";
  if (has("object") || has("odd")) return "odd-one-out";
  if (has("chosen") || (has("option") && has("farther"))) return "choices";
  if (has("option")) return "rank";
  if (has("l") || has("i")) return has("l") ? "quadruplets" : "triplets";
  return "triplets";
}

const otherWords: Readonly<Record<string, string>> = {
  left: "near",
  right: "far",
  i: "anchor",
  j: "near",
  k: "far",
};

function byRoles(
  header: readonly string[] | undefined,
  line: number,
  width: number,
  { kind: stated, roles: given, choose: most }: Wanted,
  free: readonly number[],
): Main {
  const kind = stated === "auto" ? kindBy(given) : stated;
  const roles: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    const role = kind === "triplets" ? (otherWords[name] ?? name) : name;
    if (!rolesOf[kind].includes(role))
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName("roles")} has the role ${shown(name)}, and ${kind} have the roles ${rolesOf[kind].join(", ")}.`,
        { path: "roles", expected: rolesOf[kind].join(", "), received: name },
      );
    if (roles[role] !== undefined)
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName("roles")} has ${shown(name)} beside another role for the same column of ${kind}. Keep one of them.`,
        { path: "roles", received: name },
      );
    roles[role] = typeof value === "string" ? [value] : value;
  }
  const several = (role: string): readonly number[] =>
    (roles[role] ?? []).flatMap((choice) => columnsNamed(choice, header, width, "roles"));
  const one = (role: string): number | undefined => {
    const [first, ...others] = several(role);
    if (others.length === 0) return first;
    throw new CurvatureError(
      "ERR_OPTION",
      `${optionName("roles")} names ${others.length + 1} columns for ${role}: ${[first, ...others].map((k) => shown(header?.[k] ?? String(k))).join(", ")}. Name the one that is meant.`,
      { path: "roles", received: role },
    );
  };
  const placeOf = new Map<number, string>();
  const need = (role: string): number => {
    const column = one(role);
    if (column !== undefined) {
      const other = placeOf.get(column) ?? role;
      placeOf.set(column, role);
      if (other === role) return column;
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName("roles")} names the column ${shown(header?.[column] ?? String(column))} for ${other} and for ${role}. If its cells hold both objects, make two columns of it.`,
        { path: "roles", received: header?.[column] },
      );
    }
    throw new CurvatureError(
      "ERR_OPTION",
      `${optionName("roles")} names no column for ${role}: ${kind} have the roles ${rolesOf[kind].join(", ")}.`,
      { path: "roles", expected: role },
    );
  };
  /** Those that say which is nearer, or else which is farther. */
  const answered = (role: "answer" | "chosen"): Pick<Main, "answers" | "areFarther"> => {
    const [nearer, farther] = [several(role), several("farther")];
    if (nearer.length > 0 && farther.length > 0)
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName("roles")} names columns for ${role} and for farther. Keep one of them: ${role} says which is nearer.`,
        { path: "roles" },
      );
    if (role === "answer") for (const each of ["answer", "farther"]) one(each);
    return { answers: farther.length > 0 ? farther : nearer, areFarther: farther.length > 0 };
  };
  const weight = one("weight");
  switch (kind) {
    case "triplets": {
      const objects = ["anchor", "near", "far"].map(need);
      const isUnsorted = Object.hasOwn(given, "left") || Object.hasOwn(given, "right");
      if (isUnsorted && roles["farther"] === undefined) need("answer");
      const areSorted = !isUnsorted && saySorted(header?.[objects[1]], header?.[objects[2]]);
      return { ...noMore, kind, objects, ...answered("answer"), areSorted, weight };
    }
    case "quadruplets":
      return {
        ...{ ...noMore, kind, weight, areSorted: false },
        ...{ objects: ["i", "j", "l", "k"].map(need), ...answered("answer") },
      };
    case "odd-one-out": {
      const odd = one("odd") === undefined ? [] : several("odd");
      const own = several("object");
      const objects = own.length > 0 ? own : free.filter((k) => !odd.includes(k) && k !== weight);
      if (objects.length < 2) need("object");
      const main = oddOneOut(objects, odd, weight);
      if (own.length === 0 && header !== undefined) checkBeside(main, header, line);
      return main;
    }
    case "rank":
    case "choices": {
      const anchor = need("anchor");
      const { answers: chosen, areFarther } = answered("chosen");
      const choose = one("choose");
      const own = several("option");
      const rest = free.filter((k) => k !== anchor && k !== weight && k !== choose && !chosen.includes(k));
      const options = own.length > 0 ? own : rest;
      if (own.length === 0 && header !== undefined)
        checkBeside({ kind, objects: [anchor, ...options], answers: chosen }, header, line);
      if (kind === "choices" && chosen.length === 0 && choose === undefined && most === undefined)
        throw noChoice();
      return {
        ...noMore,
        kind,
        objects: [anchor, ...options],
        answers: chosen,
        areFarther,
        areSorted: true,
        weight,
        choose,
      };
    }
    case "ratings": {
      const isSimilarity = roles["similarity"] !== undefined;
      const column = isSimilarity ? need("similarity") : need("distance");
      return {
        ...{ ...noMore, kind, areSorted: true, rating: { column, isSimilarity } },
        ...{ objects: [need("first"), need("second")], answers: [] },
      };
    }
  }
}

const noChoice = (): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `Of choices it must be known which were chosen: name the column that says so, ${optionName("roles", "chosen=...")}, or, where the chosen ones stand before the others, how many they are: ${optionName("choose", "2")}.`,
    { path: "choose" },
  );

/** @throws CurvatureError ERR_PARSE for another number of columns */
function byPosition(
  line: number,
  { kind, choose }: Wanted,
  free: readonly number[],
  cells: readonly string[],
): Main {
  const all = { ...noMore, objects: free, answers: [], areSorted: true };
  const count = free.length;
  if (kind === "odd-one-out" && count >= 3) return { ...all, kind };
  if (kind === "rank" && count >= 3) return { ...all, kind };
  if (kind === "choices" && count >= 3) {
    if (choose === undefined) throw noChoice();
    return { ...all, kind };
  }
  if (count === 3 && (kind === "auto" || kind === "triplets")) return { ...all, kind: "triplets" };
  if (count === 4 && (kind === "auto" || kind === "quadruplets")) return { ...all, kind: "quadruplets" };
  if (kind === "ratings") throw noDirection();
  if (kind !== "auto")
    throw failure(
      `Line ${line} has ${count} columns, which is too few or too many for ${kind}. Say which columns they are: ${optionName("roles", rolesOf[kind].map((role, k) => `${role}=${k}`).join(","))}.`,
      `line ${line}`,
    );
  throw new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has ${count} columns${cells.some((cell) => Number.isNaN(Number(cell))) ? ` (${cells.slice(0, 30).join(", ")}${count > 30 ? ", ..." : ""})` : ""}. ${seemsNamed(cells) ? namedOtherwise() : `Without a header there must be three (i, j, k: i is nearer to j than to k) or four (i, j, l, k: i, j are nearer than l, k); with one, columns named ${columnsExpected}. Or say what they are: ${optionName("kind")} and ${optionName("roles", "anchor=0,near=1,far=2")}${count > 4 && cells.every(isAmount) ? `; of a square matrix ${optionName("kind", "distances")} or ${optionName("kind", "similarities")}` : ""}.`}`,
    { path: `line ${line}`, expected: "3 or 4 columns", received: count },
  );
}

const isAmount = (cell: string): boolean =>
  cell.trim() === "" || !Number.isNaN(Number(cell.replace(",", ".")));

/** Words, all different, of which two or more name what experiments record: no line of objects. */
function seemsNamed(cells: readonly string[]): boolean {
  const names = cells.map(plain);
  const known = names.filter((name) => isBeside(name) || isKnown(name) || /^trial_|_(rt|time)$/.test(name));
  return known.length >= 2 && new Set(names).size === names.length && names.every((name) => !isAmount(name));
}

const namedOtherwise = (): string =>
  `It seems to name the columns, but not what they say of a question. Say it: ${optionName("roles", "anchor=...,left=...,right=...,answer=...")} for triplets, object=...,object=...,object=...,odd=... for the odd one out, anchor=...,option=...,option=...,chosen=... for choices, first=...,second=...,similarity=... for ratings.`;

/** Two columns of objects, and one whose name says what it is of them. @throws CurvatureError for a rating of no known direction */
function ratingsIn(names: readonly string[], free: readonly number[]): Main | undefined {
  const isOne = (name: string): boolean =>
    name.length === 1 || columnWords.test(name) || /^(first|second)$/.test(name);
  const objects = free.filter((k) => isOne(names[k]));
  const column = free.find((k) => /^(similarity|dissimilarity|distance|rating)$/.test(names[k]));
  if (objects.length !== 2 || column === undefined) return undefined;
  if (names[column] === "rating") throw noDirection();
  const rating = { column, isSimilarity: names[column] === "similarity" };
  return { ...noMore, kind: "ratings", objects, answers: [], areSorted: true, rating };
}

/** Beside two objects the odd one is the third; beside more it is one of them. */
function oddOneOut(objects: readonly number[], odd: readonly number[], weight: number | undefined): Main {
  const isThird = objects.length === 2;
  return {
    ...{ ...noMore, kind: "odd-one-out", areSorted: false, weight },
    ...{ objects: isThird ? [...objects, ...odd] : objects, answers: isThird ? [] : odd },
  };
}

const noDirection = (): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `Of ratings it must be known whether a high one means near: ${optionName("roles", "first=a,second=b,similarity=rating")}, or distance=rating.`,
    { path: "roles" },
  );

function byNames(
  header: readonly string[],
  line: number,
  { kind, choose, isHeader }: Wanted,
  free: readonly number[],
): Main | undefined {
  const names = header.map(plain);
  const at = (name: string): number => free.find((k) => names[k] === name) ?? -1;
  const find = (name: string): number => {
    const first = at(name);
    if (first >= 0 && free.some((k) => k > first && names[k] === name)) {
      throw new CurvatureError("ERR_PARSE", `Line ${line} names two columns ${shown(name)}. Rename one.`, {
        path: `line ${line}`,
        received: name,
      });
    }
    return first;
  };
  const weighing = weightNames.filter((name) => at(name) >= 0).map(find);
  const answers = free.filter((k) => namesAnswer(header[k]));
  const accuracy = free.find((k) => namesAccuracy(header[k]));
  const isByPosition = kind === "odd-one-out" || kind === "rank" || kind === "choices";
  if (isByPosition && !isHeader && !seemsHeader(names)) return undefined;
  if (isByPosition && accuracy !== undefined) throw accuracyBeside(header, accuracy, line);
  if ((kind === "odd-one-out" || kind === "choices") && answers.length > 1)
    throw severalAnswers(header, answers, line);
  if (kind === "odd-one-out") {
    const odd = answers.slice(0, 1);
    const objects = free.filter((k) => !odd.includes(k) && !weighing.includes(k));
    if (objects.length < 2) return undefined;
    const main = oddOneOut(objects, odd, weighing[0]);
    checkBeside(main, header, line);
    return main;
  }
  if (kind === "rank" || kind === "choices") {
    const anchor = anchorNames.map(at).find((k) => k >= 0) ?? free[0];
    const chosen = kind === "choices" ? answers : [];
    const options = free.filter((k) => k !== anchor && !chosen.includes(k) && !weighing.includes(k));
    const objects = [anchor, ...options];
    checkBeside({ kind, objects, answers: chosen }, header, line);
    if (kind === "choices" && chosen.length === 0 && choose === undefined) throw noChoice();
    return {
      ...noMore,
      kind,
      objects,
      answers: chosen,
      areSorted: true,
      weight: weighing[0],
    };
  }
  const rated = kind === "auto" || kind === "ratings" ? ratingsIn(names, free) : undefined;
  if (rated !== undefined) return rated;
  if (kind === "ratings") throw noDirection();
  const set = sortedNames.find((each) => each.every((name) => at(name) >= 0));
  const pair = pairNames.find((each) => each.every((name) => at(name) >= 0));
  const anchor = anchorNames.find((name) => at(name) >= 0);
  const [answer, ...moreAnswers] = answers.filter((k) => !(set?.includes(names[k]) ?? false));
  if (
    kind !== "quadruplets" &&
    pair !== undefined &&
    anchor !== undefined &&
    (answer !== undefined || set === undefined)
  ) {
    const objects = [find(anchor), find(pair[0]), find(pair[1])];
    const correct = free.find((k) => names[k] === "correct");
    if (answer !== undefined && (moreAnswers.length > 0 || correct !== undefined))
      throw severalAnswers(
        header,
        [answer, ...moreAnswers, ...(correct === undefined ? [] : [correct])],
        line,
      );
    if (answer === undefined && accuracy !== undefined) throw accuracyAlone(header, objects, accuracy, line);
    if (answer === undefined) throw noAnswer(header, objects, line);
    if (namesFarther(header[answer])) throw maybeFarther(header, objects, answer, line);
    return { ...noMore, kind: "triplets", objects, answers: [answer], areSorted: false, weight: weighing[0] };
  }
  if (set === undefined) {
    checkHalfKnown(names, line);
    checkOdd(header, names, line);
    const byCount = free.length === 3 ? "triplets" : free.length === 4 ? "quadruplets" : undefined;
    if (byCount !== undefined && (isHeader || namesPeople(names)))
      checkBeside({ kind: byCount, objects: free, answers: [] }, header, line);
    return undefined;
  }
  if (weighing.length > 1)
    throw failure(`Line ${line} names more than one column of weights. Rename one.`, `line ${line}`);
  const [i, j, k] = set.map(find);
  const l = set[0] === "i" ? find("l") : -1;
  return {
    ...{ ...noMore, kind: l < 0 ? "triplets" : "quadruplets", objects: l < 0 ? [i, j, k] : [i, j, l, k] },
    ...{ answers: [], areSorted: true, weight: weighing[0] },
  };
}

const noAnswer = (header: readonly string[], objects: readonly number[], line: number): CurvatureError => {
  const [anchor, left, right] = objects.map((k) => typed(header[k], k));
  return failure(
    `Line ${line} names the columns ${objects.map((k) => shown(header[k])).join(", ")}, but none that says which of the two is nearer. Name it: ${optionName("roles", `anchor=${anchor},near=${left},far=${right},answer=...`)}; or, if the second column is always the nearer one, leave the answer out.`,
    `line ${line}`,
  );
};

/** Two columns that may be the answer; to take the first would be to guess. */
function severalAnswers(header: readonly string[], columns: readonly number[], line: number): CurvatureError {
  const written = columns.map((k) => `answer=${typed(header[k], k)}`);
  return failure(
    `Line ${line} names ${columns.length} columns that may be the answer: ${columns.map((k) => shown(header[k])).join(", ")}. Say which it is: ${optionName("roles", `anchor=...,left=...,right=...,${written[0]}`)}, or ${written.slice(1).join(", ")} (of the odd one out odd=..., of choices chosen=...); or leave the others out: ${optionName("ignore", typed(header[columns.at(-1) ?? 0], columns.at(-1) ?? 0))}.`,
    `line ${line}`,
  );
}

/** Whether people were right is no answer, and no object. */
function accuracyBeside(header: readonly string[], column: number, line: number): CurvatureError {
  const name = typed(header[column], column);
  return failure(
    `Line ${line} names a column ${shown(header[column])}, which seems to say whether people were right. If so, write ${optionName("ignore", name)}; if it is an object or the answer, name all columns: ${optionName("roles", `object=...,object=...,odd=${name}`)}, or anchor=...,option=...,option=...,chosen=${name}.`,
    `line ${line}`,
  );
}

function accuracyAlone(
  header: readonly string[],
  objects: readonly number[],
  column: number,
  line: number,
): CurvatureError {
  const [anchor, left, right] = objects.map((k) => typed(header[k], k));
  return failure(
    `Line ${line} names no column that says which of ${shown(header[objects[1]])} and ${shown(header[objects[2]])} is nearer, and ${shown(header[column])} seems to say whether people were right. Name the answer: ${optionName("roles", `anchor=${anchor},left=${left},right=${right},answer=...`)}; if it is this column, answer=${typed(header[column], column)}.`,
    `line ${line}`,
  );
}

/** The odd one, or the least similar one, is the farther of two, or one of all three. */
function maybeFarther(
  header: readonly string[],
  objects: readonly number[],
  answer: number,
  line: number,
): CurvatureError {
  const [written, odd] = (["triplets", "odd-one-out"] as const).map((kind) =>
    rolesWritten({ kind, objects, answers: [answer] }, header),
  );
  return failure(
    `Line ${line} names a column ${shown(header[answer])}, which seems to say which is farther. If so, write ${optionName("roles", fartherIn(written))}; if it says which is nearer, ${written}; if it is the odd one of all three, ${odd}.`,
    `line ${line}`,
  );
}

/** Two of anchor, near, far name columns, and would make a map of their own as objects; i, j, k alone may be objects. */
function checkHalfKnown(names: readonly string[], line: number): void {
  for (const set of sortedNames) {
    const missing = set.filter((name) => !names.includes(name));
    if (missing.length !== 1 || set.some((name) => name.length === 1)) continue;
    const there = set.filter((name) => names.includes(name));
    throw failure(
      `Line ${line} names the columns ${there.join(" and ")}, but none is called ${missing[0]}. Rename the one that is meant, or say which it is: ${optionName("roles")}. If the line is an answer, put a header above it: ${set.join(", ")}.`,
      `line ${line}`,
    );
  }
}

const columnWords =
  /^(object|item|stim|stimulus|image|img|ref|reference|option|choice|rank|word|probe|picture|file|column|c|r|x)_?\d*$/;

/** Whether words name columns, and no objects, above trials of several objects. */
const seemsHeader = (names: readonly string[]): boolean =>
  namesPeople(names) ||
  (new Set(names).size === names.length &&
    names.every((name) => name !== "" && Number.isNaN(Number(name))) &&
    names.filter(isKnown).length >= 2);

const isKnown = (name: string): boolean =>
  columnWords.test(name) || namesAnswer(name) || namesAccuracy(name) || anchorNames.includes(name);

/** A word for people, trials or times beside words and letters that are names of columns, too. */
const namesPeople = (names: readonly string[]): boolean =>
  new Set(names).size === names.length &&
  names.some(isBeside) &&
  names.every(
    (name) => isBeside(name) || isKnown(name) || weightNames.includes(name) || /^[a-z]$/.test(name),
  );

function checkOdd(header: readonly string[], names: readonly string[], line: number): void {
  const odd = names.findIndex((name) => name === "odd" || name === "odd_one_out" || name === "oddball");
  if (odd < 0 || !names.every((name, k) => k === odd || name.length === 1 || columnWords.test(name))) return;
  throw failure(
    `Line ${line} names a column ${shown(header[odd])}. If each line is a trial of which that is the odd one out, write ${optionName("kind", "odd-one-out")}, with ${optionName("roles", `object=...,object=...,odd=${typed(header[odd], odd)}`)} where other columns are no objects.`,
    `line ${line}`,
  );
}

/** A header that is stated to be one, and says nothing of roles, must not name an answer. */
export function checkStated(header: readonly string[], line: number): void {
  const column = header.findIndex((name) => namesAnswer(name) || namesAccuracy(name));
  if (column < 0) return;
  throw failure(
    `Line ${line} names a column ${shown(header[column])}, which looks like the answer, and others whose roles are not known. Say which they are: ${optionName("roles", `anchor=...,near=...,far=...,answer=${typed(header[column], column)}`)}.`,
    `line ${line}`,
  );
}
