/**
 * What times tell that were measured up to a limit. Who was not there by then has Infinity: it takes longer than the limit,
 * nobody knows how much.
 */
import { verdict } from "../../words.ts";

/** Of a claim; undefined where the limit leaves it open. */
export type Judgement = boolean | undefined;

interface Time {
  readonly name: string;
  readonly seconds: number;
}

/** Whether `slow` takes at least `factor` times as long as `fast`. */
export function isTimesAsLong(factor: number, slow: number, fast: number, limit: number): Judgement {
  const [isSlowThere, isFastThere] = [Number.isFinite(slow), Number.isFinite(fast)];
  // Who was not there takes the limit at least.
  if (isFastThere && (isSlowThere ? slow : limit) >= factor * fast) return true;
  if (isSlowThere && slow < factor * (isFastThere ? fast : limit)) return false;
  return undefined;
}

/** Whether all hold. */
export function allOf(judgements: readonly Judgement[]): Judgement {
  if (judgements.includes(false)) return false;
  return judgements.length === 0 || judgements.includes(undefined) ? undefined : true;
}

/** A verdict on the parts that are decided, and which are not. */
export function judged(parts: Readonly<Record<string, Judgement>>, limit: number): string {
  const decided: Record<string, boolean> = {};
  const open: string[] = [];
  for (const [name, judgement] of Object.entries(parts)) {
    if (judgement === undefined) open.push(name);
    else decided[name] = judgement;
  }
  const names = new Intl.ListFormat("en-GB").format(open);
  if (open.length === 0) return verdict(decided);
  if (Object.keys(decided).length === 0) return `The claim is **not** decided in ${limit} s.`;
  const held = Object.values(decided).every(Boolean);
  const first = held ? "The claim holds as far as it is decided." : verdict(decided);
  return `${first} **Not** decided in ${limit} s: ${names}.`;
}

/** Who was there and when, who was not, and who was before `own`. */
export function standing(times: readonly Time[], own: string, limit: number): string {
  const order = times.toSorted((a, b) => (a.seconds === b.seconds ? 0 : a.seconds - b.seconds));
  const there = order.filter(({ seconds }) => Number.isFinite(seconds));
  const late = order.filter(({ seconds }) => !Number.isFinite(seconds)).map(({ name }) => name);
  const ownSeconds = order.find(({ name }) => name === own)?.seconds ?? Infinity;
  const ahead = there.filter(({ seconds }) => seconds < ownSeconds).map(({ name }) => name);
  const parts = [
    ...(there.length === 0
      ? []
      : [there.map(({ name, seconds }) => `${name} ${seconds.toPrecision(2)}`).join(", ")]),
    ...(late.length === 0 ? [] : [`**not** in ${limit} s: ${late.join(", ")}`]),
  ];
  const before = ahead.length === 0 ? `None is ahead of ${own}` : `**Ahead** of ${own}: ${ahead.join(", ")}`;
  return `${parts.join("; ")}. ${before}.`;
}
