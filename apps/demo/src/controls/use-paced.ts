import { useEffect, useRef, useState } from "preact/hooks";

/** A value that changes often, taken over no more than once in so many milliseconds; the last one always is. */
export function usePaced<T>(value: T, milliseconds: number): T {
  const [taken, take] = useState(value);
  const takenAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const rest = takenAt.current + milliseconds - performance.now();
    const timer = setTimeout(
      () => {
        takenAt.current = performance.now();
        take(value);
      },
      Math.max(0, rest),
    );
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return taken;
}
