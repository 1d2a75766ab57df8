/** Labelled inputs: each has its words, a hint where they need one, and hands on valid values only. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  /** A sentence under the input. */
  readonly hint?: string;
  readonly disabled?: boolean;
}

interface SelectProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly onChange: (value: T) => void;
}

export function SelectField<T extends string>({
  label,
  hint,
  disabled,
  value,
  options,
  onChange,
}: SelectProps<T>) {
  const id = useId();
  const change = (event: { readonly currentTarget: HTMLSelectElement }): void => {
    const chosen = options[event.currentTarget.selectedIndex];
    if (chosen !== undefined) onChange(chosen.value);
  };
  return (
    <Labelled id={id} label={label} hint={hint}>
      <select id={id} value={value} disabled={disabled} aria-describedby={hintId(id, hint)} onChange={change}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface NumberProps extends FieldProps {
  /** Undefined shows an empty field, which stands for the default. */
  readonly value: number | undefined;
  readonly low: number;
  readonly high: number;
  readonly isWhole?: boolean;
  readonly step?: number;
  readonly placeholder?: string;
  /** Undefined when the field was emptied, where `isOptional`. */
  readonly onChange: (value: number | undefined) => void;
  readonly isOptional?: boolean;
}

/** A number; while it is not valid, the field says so and the state stays as it was. */
export function NumberField(props: NumberProps) {
  const {
    label,
    hint,
    disabled,
    value,
    low,
    high,
    isWhole = false,
    step,
    placeholder,
    isOptional = false,
  } = props;
  const id = useId();
  const [draft, setDraft] = useState<string | undefined>();
  const problem = draft === undefined ? undefined : problemOf(draft, props);
  const change = (event: { readonly currentTarget: HTMLInputElement }): void => {
    const text = event.currentTarget.value;
    setDraft(text);
    if (problemOf(text, props) === undefined) props.onChange(text === "" ? undefined : Number(text));
  };
  return (
    <Labelled id={id} label={label} hint={problem ?? hint} isBad={problem !== undefined}>
      <input
        id={id}
        type="number"
        inputMode={isWhole ? "numeric" : "decimal"}
        min={low}
        max={high}
        step={step ?? (isWhole ? 1 : "any")}
        placeholder={placeholder}
        required={!isOptional}
        disabled={disabled}
        value={draft ?? value ?? ""}
        aria-invalid={problem !== undefined}
        aria-describedby={hintId(id, problem ?? hint)}
        onInput={change}
        onBlur={() => setDraft(undefined)}
      />
    </Labelled>
  );
}

function problemOf(text: string, { low, high, isWhole, isOptional }: NumberProps): string | undefined {
  const value = Number(text);
  if (text === "" && isOptional) return undefined;
  if (text !== "" && value >= low && value <= high && (!isWhole || Number.isInteger(value))) return undefined;
  return `${isWhole ? "A whole number" : "A number"} from ${low} to ${high}.`;
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

export function SliderField({ label, hint, disabled, value, low, high, step, words, onChange }: SliderProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} value={words}>
      <input
        id={id}
        type="range"
        min={low}
        max={high}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={words}
        aria-describedby={hintId(id, hint)}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
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

interface LabelledProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isBad?: boolean;
  readonly value?: string;
  readonly children: ComponentChildren;
}

const hintId = (id: string, hint: string | undefined): string | undefined =>
  hint === undefined ? undefined : `${id}-hint`;

function Labelled({ id, label, hint, isBad = false, value, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {value !== undefined && (
          <span class="field-value" aria-hidden="true">
            {value}
          </span>
        )}
      </label>
      {children}
      {hint !== undefined && (
        <small id={`${id}-hint`} class={isBad ? "bad" : "hint"}>
          {hint}
        </small>
      )}
    </div>
  );
}
