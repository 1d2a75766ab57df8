/** What to say of rows that are so far from the others that clusters are spent on them. */
import { optionName } from "@curvature/linalg";

/** A piece is far from the rest, and not a cluster like others, below this share of n/K. */
const SMALL = 1 / 4;
const MOST_NAMED = 10;

interface SharedRows {
  /** Of each piece. */
  readonly rows: readonly Int32Array[];
  readonly shares: Int32Array;
  /** Different points of each piece. */
  readonly most: readonly number[];
}

/** Undefined where no piece is small. */
export function farRowsSentence(
  { rows, shares, most }: SharedRows,
  n: number,
  K: number,
): string | undefined {
  const isFar = rows.map((piece) => piece.length <= (SMALL * n) / K);
  const far = rows.filter((_, q) => isFar[q]);
  if (far.length === 0) return undefined;
  const spent = shares.reduce((sum, share, q) => (isFar[q] ? sum + share : sum), 0);
  // Then more clusters are more for the others, whatever their cost; else the far pieces may take them.
  const areFull = isFar.every((isSmall, q) => !isSmall || shares[q] === most[q]);
  const advice = areFull
    ? `; if all is right, take ${optionName("clusters")} ${K + spent} where the others are to have ${K}`
    : "";
  const alone = far.filter((piece) => piece.length === 1).flatMap((piece) => [...piece]);
  const others = far.filter((piece) => piece.length > 1);
  const facts = [
    ...(alone.length > 0 ? [aloneSentence(alone)] : []),
    ...others
      .slice(0, MOST_NAMED)
      .map((piece) => `Rows ${named([...piece])} share no cluster with the others in any good clustering.`),
  ];
  return `${facts.join(" ")} Of the ${K} clusters the other rows have ${K - spent}. See whether there are typing errors${advice}.`;
}

const aloneSentence = (rows: readonly number[]): string =>
  rows.length === 1
    ? `Row ${rows[0]} (counted from 0) is so far from the rest that it is a cluster of its own in every good clustering.`
    : `Rows ${named(rows)} are so far from the rest that each is a cluster of its own in every good clustering.`;

function named(rows: readonly number[]): string {
  const first = rows.slice(0, MOST_NAMED).join(", ");
  const more = rows.length - MOST_NAMED;
  return `${first}${more > 0 ? ` and ${more} more` : ""} (counted from 0)`;
}
