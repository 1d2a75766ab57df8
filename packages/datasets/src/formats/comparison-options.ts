/** What is asked of a reader of answers. */
import {
  between,
  integerFrom,
  type OptionsOf,
  oneOf,
  option,
  optionTable,
  type SettingsOf,
  text,
} from "@curvature/linalg";
import { fileForm } from "../tables/table-form.js";
import { answerKinds } from "./answer-kinds.js";
import { mostObjects } from "./comparison-objects.js";
import { isRole, matrixKinds, type Roles } from "./comparison-roles.js";
import { matrixEntries } from "./distances.js";
import { conditionOf } from "./line-filter.js";
import { delimiterEntry, recordSizes } from "./shared-options.js";

const areNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
const count = /* @__PURE__ */ integerFrom(1, mostObjects);
const isTextOrTexts = (value: unknown): boolean =>
  typeof value === "string" ||
  (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string"));

const roles = /* @__PURE__ */ option<Roles>(
  'roles and their columns, as "anchor=Center,near=Left,far=Right,answer=Answer"; others are farther, i, j, l, k, left, right, object, odd, option, chosen, choose, first, second, similarity, distance and weight',
  (value): value is Roles =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([role, columns]) => isRole(role) && isTextOrTexts(columns)),
  (words) => {
    const found: Record<string, string[]> = {};
    for (const part of words.split(",")) {
      const at = part.indexOf("=");
      if (at < 1 || at === part.length - 1) return words;
      const role = part.slice(0, at).trim();
      if (!isRole(role)) return words;
      found[role] = [...(found[role] ?? []), part.slice(at + 1).trim()];
    }
    return found;
  },
);
const whether = /* @__PURE__ */ option<boolean | "auto">(
  'true or false, or "auto"',
  (value): value is boolean | "auto" => typeof value === "boolean" || value === "auto",
  (word) => (word === "yes" || word === "true" ? true : word === "no" || word === "false" ? false : word),
);
const names = /* @__PURE__ */ option<readonly string[]>(
  "an array of columns, by name or by index from 0",
  (value): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === "string"),
  (words) => words.split(",").map((word) => word.trim()),
);
const conditions = /* @__PURE__ */ option<readonly string[]>(
  "an array of conditions, a column, = or !=, and a value each",
  (value): value is readonly string[] =>
    Array.isArray(value) &&
    value.every((each) => typeof each === "string" && conditionOf(each) !== undefined),
  (words) => [words],
);

export const comparisonsOptions = optionTable({
  /**
   * What a line is. `"triplets"`: anchor, near, far; `"quadruplets"`: i, j, l, k; `"odd-one-out"`: three objects and more, the
   * odd one last or named by a column; `"rank"`: an anchor, then objects from the nearest on; `"choices"`: an anchor, then
   * objects of which some were chosen as nearer than the rest; `"ratings"`: two objects, and how alike they are; `"distances"`,
   * `"similarities"`: a matrix, as of `readDistances`, of which all comparisons with a common object are made. `"auto"`: by
   * `roles`, by the header, or triplets and quadruplets by position.
   */
  kind: oneOf("auto", ...answerKinds, ...matrixKinds).default("auto"),
  /**
   * Which columns have which role, by their names or their indices from 0: `{ anchor: "Center", near: "Left", far: "Right",
   * answer: "Answer" }`. `answer` says which of near and far (or of the pairs i, j and l, k) it is: 1 or -1, left or right, the
   * name of the nearer object or of its column; `farther`, in its place, says which is farther. Others: `object` (several) and
   * `odd`; `option` (several; `"ref*"` is all columns that begin so), `chosen` (or `farther`) and `choose`; `first`, `second` and
   * `similarity` or `distance`; `weight`. What is odd or chosen is the name of an object or of its column, or its place. One
   * column alone as `object` or `option` lists all of a trial: `["fig","pear"]` or `fig;pear`. Where `left` and `right` stand for
   * near and far, an answer is needed. Left out: by the header.
   */
  roles,
  /** The columns that are used, in the order of the kind, where names and positions do not say it. Left out: all. */
  columns: names,
  // of matrices
  ...matrixEntries(),
  /** Of choices and rankings how many of the objects were chosen, which then stand before the others, or are listed. */
  choose: integerFrom(1),
  /** Whether the words of the answer's column are objects or sides, where they may be both, as 1 and 2. */
  response: oneOf("auto", "object", "side").default("auto"),
  /**
   * The word of the answer's column that says that the first of the two is nearer (of `farther`: is farther); of places among
   * several the first one, 0 or 1. Left out: decided.
   */
  first: text,
  /** The word of the answer's column that says "equally near". Left out: tie, equal, same, both, neither and the like. */
  tie: text,
  /** What becomes of ties: half an answer each way, none, or an error. */
  ties: oneOf("half", "drop", "error").default("half"),
  /** The column that says which lines are of one trial; with `participant`, of one trial of that person. */
  trial: text,
  /** The column that says whose answer it is. */
  participant: text,
  /** The column of the time that an answer took; `fastest` uses it. */
  time: text,
  /** The column that divides the lines into those of a fit and those of a test; `"column=value"` where its words do not say which. */
  split: text,
  /** Only lines with these values are used: `["phase=main", "practice!=1"]`. */
  where: conditions.default(Object.freeze([])),
  /** Columns that are known not to be used, and are no oversight. */
  ignore: names.default(Object.freeze([])),
  /** What becomes of lines with an empty cell where something is needed. */
  missing: oneOf("error", "drop").default("error"),
  /**
   * The column of catch trials: empty, 0 or false on plain lines; the right answer on the others, which are no answers. People who
   * fail more than `catchErrors` of theirs are dropped.
   */
  catch: text,
  /** The share of their catch trials that people may fail. */
  catchErrors: between(0, 1).default(0.25),
  /** The share of the lines that is dropped for having been answered fastest. */
  fastest: between(0, 0.99).default(0),
  /** People with fewer lines are dropped. */
  leastAnswers: integerFrom(1).default(1),
  /** The share of repeated questions in which people may contradict themselves. Left out: nobody is dropped for it. */
  mostInconsistent: between(0, 1),
  ...fileForm(),
  ...delimiterEntry,
  /**
   * Whether the first line names the columns; `"auto"`: if it names i, j, k or i, j, l, k, in any order
   * (or anchor, near, far; head, winner, loser; center, left, right and answer), or a column that an option names. Other columns
   * are ignored, but `weight` or `count`, and those named like an answer, which are refused. A first line of
   * other words that never come again is refused above numbers, and above ten answers and more that share their objects
   * (but one in 20); above others it is an answer, and doubted in `warnings`. `false` takes it for one, and so do `known`
   * objects.
   */
  header: whether.default("auto"),
  /**
   * How the cells name objects: `"indices"` are whole numbers from 0; `"names"` is any text; `"auto"`: indices if every
   * cell is a number, else names, of which no two may differ by case or blanks only.
   */
  objects: oneOf("auto", "indices", "names").default("auto"),
  /**
   * The objects there are: their names in their order, or their number. Others are then errors. Beside names that are
   * no numbers, cells that are all numbers are indices of them. Left out: all that appear.
   */
  known: option<readonly string[] | number>(
    "the objects' names, or their number",
    (value): value is readonly string[] | number => areNames(value) || count.accepts(value),
  ),
  /** What becomes of lines that compare an object's distance to itself, or a pair with itself, or name an object twice. */
  degenerate: oneOf("error", "drop").default("error"),
  ...recordSizes,
});
export type ComparisonsOptions = OptionsOf<typeof comparisonsOptions>;
export type ComparisonSettings = SettingsOf<typeof comparisonsOptions>;
