/** The stills of a run: the latest one while it runs, and any of them afterwards. */
import { useEffect, useState } from "preact/hooks";
import type { Film } from "../../controls/use-film.js";

/** Milliseconds that a still stands. */
const pace = 220;

/** @param subject - another one begins at its latest still */
export function useReplay(subject: unknown, count: number): Film {
  const last = count - 1;
  const [place, setPlace] = useState<number | undefined>();
  const [isPlaying, setPlaying] = useState(false);
  const position = Math.max(0, Math.min(place ?? last, last));
  useEffect(() => {
    setPlace(undefined);
    setPlaying(false);
  }, [subject]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => (position < last ? setPlace(position + 1) : setPlaying(false)), pace);
    return () => clearTimeout(timer);
  }, [isPlaying, position, last]);
  return {
    position,
    isPlaying,
    show: (chosen) => {
      setPlaying(false);
      setPlace(chosen === last ? undefined : chosen);
    },
    play: () => {
      if (position === last) setPlace(0);
      setPlaying(true);
    },
    pause: () => setPlaying(false),
  };
}
