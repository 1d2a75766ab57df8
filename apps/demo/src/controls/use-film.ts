/** Steps of a computation as a film: it plays by itself when there is a new one, and can be dragged. */
import { useEffect, useState } from "preact/hooks";
import { wantsLessMotion } from "../shell/theme.js";

export interface Film {
  /** What is shown, from `first` to `last`. */
  readonly position: number;
  readonly isPlaying: boolean;
  /** Shows a position, and stays there. */
  show(position: number): void;
  /** From here to the end; from the beginning if this is the end. */
  play(): void;
  pause(): void;
}

export interface FilmRange {
  readonly first: number;
  readonly last: number;
  /** From one position to the next. */
  readonly step: number;
  /** Milliseconds from the first to the last. */
  readonly lasts: number;
}

/** @param subject - another one begins another film; undefined for none */
export function useFilm(subject: unknown, { first, last, step, lasts }: FilmRange): Film {
  const [position, setPosition] = useState(last);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (subject === undefined) return;
    const isStill = wantsLessMotion();
    setPosition(isStill ? last : first);
    setIsPlaying(!isStill);
  }, [subject, last]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const from = position < last ? position : first;
    const started = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const share = Math.max(0, now - started) / lasts;
      const reached = Math.min(last, from + step * Math.floor(((last - first) * share) / step + 1e-9));
      setPosition(reached);
      if (reached < last) frame = requestAnimationFrame(next);
      else setIsPlaying(false);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, subject, last]);
  return {
    position: Math.min(position, last),
    isPlaying,
    show: (chosen) => {
      setIsPlaying(false);
      setPosition(chosen);
    },
    play: () => setIsPlaying(true),
    pause: () => setIsPlaying(false),
  };
}
