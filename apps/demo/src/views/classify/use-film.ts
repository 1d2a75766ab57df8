/** The epochs as a film: it plays by itself when there is a new one, and can be dragged. */
import { useEffect, useState } from "preact/hooks";
import { wantsLessMotion } from "../../shell/theme.js";

export interface Film {
  /** The epoch that is shown. */
  readonly epoch: number;
  readonly isPlaying: boolean;
  /** Shows an epoch, and stays there. */
  show(epoch: number): void;
  /** From here to the end; from the beginning if this is the end. */
  play(): void;
  pause(): void;
}

/** Milliseconds that a film lasts, whatever its length. */
const lasts = 2400;

/**
 * @param subject - another one begins another film
 * @param length - the last epoch
 */
export function useFilm(subject: unknown, length: number): Film {
  const [epoch, setEpoch] = useState(length);
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (subject === undefined) return;
    const isStill = wantsLessMotion();
    setEpoch(isStill ? length : 1);
    setIsPlaying(!isStill);
  }, [subject, length]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const first = Math.min(epoch, length);
    const started = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const reached = Math.min(length, Math.floor(first + (length * Math.max(0, now - started)) / lasts));
      setEpoch(reached);
      if (reached < length) frame = requestAnimationFrame(next);
      else setIsPlaying(false);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, subject, length]);
  return {
    epoch: Math.min(epoch, length),
    isPlaying,
    show: (chosen) => {
      setIsPlaying(false);
      setEpoch(chosen);
    },
    play: () => {
      if (epoch >= length) setEpoch(1);
      setIsPlaying(true);
    },
    pause: () => setIsPlaying(false),
  };
}
