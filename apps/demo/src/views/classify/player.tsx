import { SliderField } from "../../controls/fields.js";
import type { Film } from "./use-film.js";

interface PlayerProps {
  readonly film: Film;
  /** The last epoch. */
  readonly length: number;
  readonly isReady: boolean;
}

/** Plays the epochs, and drags through them. */
export function Player({ film, length, isReady }: PlayerProps) {
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
        label="Epoch"
        value={film.epoch}
        low={1}
        high={length}
        step={1}
        words={`${film.epoch} of ${length}`}
        disabled={!isReady}
        onChange={(epoch) => film.show(epoch)}
      />
    </div>
  );
}
