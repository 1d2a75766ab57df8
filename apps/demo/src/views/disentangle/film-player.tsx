import { useEffect } from "preact/hooks";
import { SliderField } from "../../controls/fields.js";
import type { Still } from "./task.js";

interface FilmPlayerProps {
  readonly stills: readonly Still[];
  readonly shown: number;
  readonly isPlaying: boolean;
  readonly onShow: (still: number) => void;
  readonly onPlay: (isPlaying: boolean) => void;
}

/** Milliseconds that a still stands. */
const pace = 220;

/** The run once more, at the pace of the eye. */
export function FilmPlayer({ stills, shown, isPlaying, onShow, onPlay }: FilmPlayerProps) {
  const last = stills.length - 1;
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => (shown < last ? onShow(shown + 1) : onPlay(false)), pace);
    return () => clearTimeout(timer);
  }, [isPlaying, shown, last]);
  if (last < 1) return null;
  const { iteration, clusters, lower } = stills[shown];
  const play = (): void => {
    if (!isPlaying && shown === last) onShow(0);
    onPlay(!isPlaying);
  };
  return (
    <div class="film-player">
      <button type="button" class="quiet" onClick={play}>
        {isPlaying ? "Pause" : "Play"}
      </button>
      <SliderField
        label="The run, step by step"
        words={`K ${clusters}, iteration ${iteration}, Tr(D Q) ${lower.toPrecision(5)}`}
        low={0}
        high={last}
        step={1}
        value={shown}
        onChange={(still) => {
          onPlay(false);
          onShow(still);
        }}
      />
    </div>
  );
}
