/** Labelled inputs: each has its words, and a hint where they need one. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  readonly label: string;
  /** A sentence under the input. */
  readonly hint?: string | undefined;
  /** What an empty field stands for. */
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean | undefined;
}

interface SelectProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly onChange: (value: T) => void;
}

export function SelectField<T extends string>(props: SelectProps<T>) {
  const { disabled, value, options, onChange } = props;
  return (
    <Labelled {...props}>
      {(input) => (
        <select
          {...input}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(options[event.currentTarget.selectedIndex].value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface SliderProps extends FieldProps {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly step: number;
  /** The value in words, beside the label and for who does not see the slider. */
  readonly words: string;
  readonly onChange: (value: number) => void;
}

export function SliderField(props: SliderProps) {
  const { disabled, value, low, high, step, words, onChange } = props;
  return (
    <Labelled {...props}>
      {(input) => (
        <input
          {...input}
          type="range"
          min={low}
          max={high}
          step={step}
          value={value}
          disabled={disabled}
          aria-valuetext={words}
          onInput={(event) => onChange(Number(event.currentTarget.value))}
        />
      )}
    </Labelled>
  );
}

interface CheckProps extends FieldProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function CheckField({ label, disabled, value, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface LabelledProps extends Pick<FieldProps, "label" | "hint"> {
  /** Why the text in it is no value; in place of the hint. */
  readonly problem?: string | undefined;
  /** The value in words, beside the label. */
  readonly words?: string;
  /** The input, with what ties it to its words. */
  readonly children: (input: InputWords) => ComponentChildren;
}

interface InputWords {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
}

export function Labelled({ label, hint, problem, words, children }: LabelledProps) {
  const id = useId();
  const below = problem ?? hint;
  const hintId = below === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {words !== undefined && (
          <span class="field-value" aria-hidden="true">
            {words}
          </span>
        )}
      </label>
      {children({ id, "aria-invalid": problem !== undefined, "aria-describedby": hintId })}
      {below !== undefined && (
        <small id={hintId} class={problem === undefined ? "hint" : "bad"}>
          {below}
        </small>
      )}
    </div>
  );
}
