/** What a visitor's table holds, and what becomes of it by what was chosen. */
import type { ColumnChoice, PreparationOptions, TableAccount } from "@curvature/linalg/tables";
import type { Reading, TableChoices } from "./table-fields.js";

/** A table before anything is computed from it. */
export interface TableLook {
  readonly account: TableAccount;
  /** Whether the rows are points; else what they are. */
  readonly kind: "table" | "distances" | "edges";
  /** How the file is written, in words. */
  readonly form: string;
  /** What was decided in reading it, in sentences. */
  readonly notes: readonly string[];
  /** The labels' index, chosen or found. */
  readonly labels: number | undefined;
  /** How `prepare` calls each column. */
  readonly names: readonly ColumnChoice[];
  /** Of each column, whether it is of use. */
  readonly suggested: readonly boolean[];
}

/** A column's span over the median of all: at thirty times it counts a thousand times as much in squared distances. */
export const largestRatio = 30;

export interface TablePlan {
  /** Of each column, whether it is used. */
  readonly used: readonly boolean[];
  readonly preparation: PreparationOptions;
  /** Undefined where no column of words is used; the same of cells that are missing. */
  readonly words: TableChoices["words"];
  readonly missing: TableChoices["missing"];
  readonly scale: "none" | "standard";
  /** The column of the widest span, and how many times the columns' median it is. */
  readonly widest: { readonly index: number; readonly ratio: number } | undefined;
  /** Whether there was nothing to decide: numbers of like sizes, none of them missing, and no column that is anything else. */
  readonly isPlain: boolean;
}

/** @param areTargets - whether the labels are to be learned */
export function planOf(look: TableLook, chosen: TableChoices, areTargets: boolean): TablePlan {
  const { account, names, labels, suggested } = look;
  const used = suggested.map((is, index) => index !== labels && is !== chosen.toggled.includes(index));
  const all = account.columns.flatMap((column, index) => (used[index] ? [{ ...column, index }] : []));
  const ofWords = all.filter(({ type }) => type === "word");
  // infinite numbers count as missing
  const gaps = all.filter(({ missing, odd, infinite }) => missing + odd + infinite > 0);
  const isGap =
    gaps.length > 0 || (areTargets && labels !== undefined && account.columns[labels].missing > 0);
  const isFreeText = ofWords.some(
    ({ distinct, missing }) => distinct > 1000 || distinct === account.rows - missing,
  );
  const words = ofWords.length === 0 ? undefined : (chosen.words ?? (isFreeText ? "hash" : "one-hot"));
  const missing = isGap ? (chosen.missing ?? "mean") : undefined;
  const widest = widestOf(all);
  const needsScale = chosen.scale === undefined && widest !== undefined && widest.ratio > largestRatio;
  const isOfIds = all.some(({ type }) => type === "id" || type === "index");
  const left = names.filter((_, index) => !used[index] && index !== labels && !isNamer(look, index));
  return {
    used,
    preparation: {
      // Ids are left out unless they are asked for.
      ...(isOfIds
        ? { columns: names.filter((_, index) => used[index]) }
        : left.length > 0
          ? { ignore: left }
          : {}),
      ...(labels === undefined ? {} : { labels: names[labels] }),
      ...(areTargets && labels !== undefined ? { areTargets } : {}),
      ...(words === undefined ? {} : { words }),
      ...(missing === undefined ? {} : { missing }),
    },
    words,
    missing,
    scale: chosen.scale ?? (needsScale ? "standard" : "none"),
    widest,
    isPlain:
      !needsScale &&
      look.kind === "table" &&
      look.notes.length === 0 &&
      labels === undefined &&
      account.columns.every(
        ({ type, missing, odd, remarks }) => type === "number" && missing + odd + remarks.length === 0,
      ),
  };
}

const isNamer = ({ account }: TableLook, index: number): boolean =>
  ["id", "index"].includes(account.columns[index].type);

interface Span extends Pick<TableAccount["columns"][number], "type" | "low" | "high"> {
  readonly index: number;
}

/** Words and booleans become columns of 0 and 1. */
const spanOf = ({ type, low = 0, high = 0 }: Span): number => (type === "number" ? high - low : 1);

function widestOf(columns: readonly Span[]): TablePlan["widest"] {
  const varying = columns.filter((column) => spanOf(column) > 0).sort((a, b) => spanOf(a) - spanOf(b));
  const widest = varying.at(-1);
  if (widest === undefined) return undefined;
  return { index: widest.index, ratio: spanOf(widest) / spanOf(varying[(varying.length - 1) >> 1]) };
}

/** The options of a reading that are not left to the reader. */
export const stated = (reading: Reading): Partial<Reading> =>
  Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== "auto" && value !== undefined));
