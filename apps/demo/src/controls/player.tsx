import { SliderField } from "./fields.js";
import "./player.css";
import type { Film, FilmRange } from "./use-film.js";

interface PlayerProps {
  /** What is counted: "Epoch". */
  readonly label: string;
  readonly film: Film;
  readonly range: Pick<FilmRange, "first" | "last" | "step">;
  /** The position in words. */
  readonly words: string;
  readonly isReady: boolean;
}

/** Plays a film, and drags through it. */
export function Player({ label, film, range, words, isReady }: PlayerProps) {
  return (
    <div class="player">
      <button
        type="button"
        class="quiet"
        disabled={!isReady}
        onClick={() => (film.isPlaying ? film.pause() : film.play())}
      >
        {film.isPlaying ? "Pause" : "Replay"}
      </button>
      <SliderField
        label={label}
        value={film.position}
        low={range.first}
        high={range.last}
        step={range.step}
        words={words}
        disabled={!isReady}
        onChange={(position) => film.show(position)}
      />
    </div>
  );
}
