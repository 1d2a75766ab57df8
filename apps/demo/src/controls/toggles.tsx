import type { ComponentChildren } from "preact";
import { wordsOf } from "./declared.js";

interface ToggleProps {
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A small button that stays pressed. */
export const Toggle = ({ isOn, disabled, onClick, children }: ToggleProps) => (
  <button
    type="button"
    class="quiet small"
    aria-pressed={isOn}
    disabled={disabled ?? false}
    onClick={onClick}
  >
    {children}
  </button>
);

interface TogglesProps<W extends string> {
  readonly names: Readonly<Record<W, string>>;
  readonly value: W;
  readonly onChange: (value: W) => void;
}

/** Buttons of which one is pressed. */
export const Toggles = <W extends string>({ names, value, onChange }: TogglesProps<W>) => (
  <>
    {wordsOf(names).map((word) => (
      <Toggle key={word} isOn={word === value} onClick={() => onChange(word)}>
        {names[word]}
      </Toggle>
    ))}
  </>
);
