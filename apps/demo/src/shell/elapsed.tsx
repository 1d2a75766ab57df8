import { useEffect, useState } from "preact/hooks";

const every = 200;

/** Seconds since a moment of `performance.now()`, counting: for phases that tell no numbers of their own. */
export function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), every);
    return () => clearInterval(timer);
  }, []);
  return <span class="numbers">{(Math.max(0, now - since) / 1000).toFixed(1)} s</span>;
}
