/** What the text of one cell can be: a number in the file's way of writing, a missing value, a boolean, a date, or a word. */

/** How a file writes numbers. */
export interface NumberForm {
  readonly decimal: "." | ",";
  /** Between groups of three digits; "" for none. */
  readonly thousands: "" | "." | "," | "'" | " ";
}

export const PLAIN: NumberForm = { decimal: ".", thousands: "" };

/** What programs write for a cell without a value, in lower case: R, pandas, SAS, UCI, spreadsheets, SQL, loggers. */
const missingWords = new Set([
  ...["", "na", "n/a", "#n/a", "nan", "-nan", "null", "none", "nil", "nat", "<na>", "missing"],
  ...["?", "-", "--", "---", ".", "…", "–", "—", "\\n", "#value!", "#div/0!", "#ref!", "#num!", "#null!"],
]);

export const isMissing = (text: string): boolean => missingWords.has(text.trim().toLowerCase());

const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/;
const infinite = /^([+-]?)(inf|infinity|1\.#inf)$/i;
/** Blanks of all widths, between a number and its unit or between groups. */
const blanks = /[\s\u00a0\u2007\u2009\u202f]/g;
const units = /^[$€£¥₹]|[$€£¥₹%‰]$/g;

/** NaN for what is no number. A per cent is a hundredth; a unit of money is dropped. */
export function numberOf(text: string, form: NumberForm = PLAIN): number {
  const trimmed = text.trim();
  if (form === PLAIN && plainNumber.test(trimmed)) return Number(trimmed.replace(/[dD]/, "e"));
  const sign = infinite.exec(trimmed)?.[1];
  if (sign !== undefined) return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const isPercent = trimmed.endsWith("%");
  const isNegative = /^\(.*\)$/.test(trimmed); // as accountants write it
  let digits = (isNegative ? `-${trimmed.slice(1, -1)}` : trimmed)
    .replace(/^-([$€£¥₹])/, "$1-")
    .replace(/\u2212/g, "-")
    .replace(units, "")
    .trim()
    .replace(units, "")
    .trim();
  if (form.thousands !== "") digits = ungrouped(digits, form);
  if (form.decimal === ",") digits = digits.includes(".") ? "" : digits.replace(",", ".");
  if (!plainNumber.test(digits)) return Number.NaN;
  const value = Number(digits.replace(/[dD]/, "e"));
  return isPercent ? value / 100 : value;
}

/** Without the marks between groups of three digits; "" where they stand elsewhere. */
function ungrouped(digits: string, { decimal, thousands }: NumberForm): string {
  const grouped = thousands === " " ? digits.replace(blanks, " ") : digits;
  if (!grouped.includes(thousands)) return grouped;
  const [whole, ...rest] = grouped.split(decimal);
  const groups = whole.replace(/^[+-]/, "").split(thousands);
  const isGrouped = groups.every((group, k) => (k === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group));
  if (!isGrouped || rest.some((part) => part.includes(thousands))) return "";
  return [whole.replaceAll(thousands, ""), ...rest].join(decimal);
}

const booleans = new Set(["true", "false", "yes", "no", "y", "n", "t", "f", "ja", "nein", "oui", "non"]);
export const isBoolean = (text: string): boolean => booleans.has(text.trim().toLowerCase());

const months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez";
const time = String.raw`\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]m)?`;
const zone = String.raw`( ?(z|utc|gmt|[+-]\d{2}:?\d{2}))?`;
const dates = new RegExp(
  `^(${[
    String.raw`\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?([t ]${time}${zone})?`, // 2024-03-01 12:30
    String.raw`\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})([, t]+${time}${zone})?`, // 03.07.2023
    String.raw`\d{1,2}[ -]?(${months})[a-z]*[ -,]*(\d{4}|\d{2})( ${time})?`, // 3 Jul 2023
    String.raw`(${months})[a-z]*[ -.]+(\d{1,2}[ -,]+)?\d{4}( ${time})?`, // Jan-1-1995
    String.raw`\d{4}[- ]?[qm]\d{1,2}`, // 1974Q1
    String.raw`\d{4}-?w\d{2}(-?\d)?`, // 2024-W05
    time,
  ].join("|")})$`,
  "i",
);
export const isDate = (text: string): boolean => dates.test(text.trim());
