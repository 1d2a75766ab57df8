import { useEffect, useRef } from "preact/hooks";
import { wantsLessMotion } from "../shell/theme.js";

/** Milliseconds of rest after which a change counts. */
const rest = 200;

/**
 * Runs at once, and at every change.
 *
 * @param key - another one for another run
 * @param start - undefined where nothing is to run
 */
export function useAutomaticRun(key: unknown, start: (() => void) | undefined): void {
  const isFirst = useRef(true);
  const latest = useRef(start);
  latest.current = start;
  useEffect(() => {
    if (start === undefined) return undefined;
    const timer = setTimeout(() => latest.current?.(), isFirst.current ? 0 : rest);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [key]);
}

/**
 * Once something was run, what changes is run again; a link begins by itself, but not where less motion is wanted.
 *
 * @returns what the button does
 */
export function useLiveRun(key: unknown, isAutomatic: boolean, start: (() => void) | undefined): () => void {
  const isLive = useRef(isAutomatic && !wantsLessMotion());
  useAutomaticRun(key, isLive.current ? start : undefined);
  return () => {
    isLive.current = true;
    start?.();
  };
}
