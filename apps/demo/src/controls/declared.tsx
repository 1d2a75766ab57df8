/**
 * Fields of a view's state that a visitor changes, each declared once: by the rule of a package's option or of the page's own
 * comes what a link may hold, the control with its choices, and what it says of a value that is none.
 */
import { between, type DefaultedOption, integerFrom, type Option, oneOf, type Rule } from "@curvature/linalg";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ViewProps } from "../shell/view.js";
import { type Field, ruled, words } from "../state/fields.js";
import { CheckField, type FieldProps, Labelled, SelectField, SliderField } from "./fields.js";

interface InputProps<T> extends FieldProps {
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export interface Control<T> extends Field<T> {
  /** The words of the declaration. */
  readonly words: FieldProps;
  readonly Input: (props: InputProps<T>) => VNode;
}

/** A line of text, which counts when the field is left or Enter is pressed. */
export const line = (most: number, props: FieldProps): Control<string> => ({
  ...words(most),
  words: props,
  Input: ({ value, onChange, ...own }) => (
    <Labelled {...own}>
      {(input) => (
        <input
          {...input}
          value={value}
          maxLength={most}
          placeholder={own.placeholder}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
        />
      )}
    </Labelled>
  ),
});

interface NumberProps extends FieldProps {
  /** From one number to the next, for keys and buttons. */
  readonly step?: number;
}

/** A number. */
export const number = (rule: DefaultedOption<number>, { step, ...words }: NumberProps): Control<number> => ({
  ...ruled(rule),
  words,
  Input: (props) => <NumberField {...props} rule={rule} step={step} />,
});

/** A number, or an empty field, which stands for the package's own choice. */
export const optionalNumber = (
  rule: Option<number>,
  { step, ...words }: NumberProps,
): Control<number | undefined> => ({
  ...ruled(rule),
  words,
  Input: (props) => (
    <NumberField {...props} rule={rule} step={step} onEmpty={() => props.onChange(undefined)} />
  ),
});

interface NumberFieldProps extends FieldProps {
  readonly rule: Rule & { read(text: string): unknown };
  readonly step: number | undefined;
  readonly value: number | undefined;
  readonly onChange: (value: number) => void;
  /** Left out where the field must not be empty. */
  readonly onEmpty?: () => void;
}

/** While it is not valid, the field says so and the state stays as it was. */
function NumberField({ rule, step, value, onChange, onEmpty, ...props }: NumberFieldProps) {
  const [draft, setDraft] = useState<string | undefined>();
  const isEmpty = (text: string): boolean => text === "" && onEmpty !== undefined;
  const isGood = (text: string): boolean => isEmpty(text) || rule.accepts(rule.read(text));
  const change = (text: string): void => {
    setDraft(text);
    if (isEmpty(text)) onEmpty?.();
    else if (isGood(text)) onChange(Number(text));
  };
  return (
    <Labelled
      {...props}
      problem={draft === undefined || isGood(draft) ? undefined : `It must be ${rule.expected}.`}
    >
      {(input) => (
        <input
          {...input}
          type="number"
          inputMode={Number.isInteger(step) ? "numeric" : "decimal"}
          step={step ?? "any"}
          placeholder={props.placeholder}
          required={onEmpty === undefined}
          disabled={props.disabled}
          value={draft ?? value ?? ""}
          onInput={(event) => change(event.currentTarget.value)}
          onBlur={() => setDraft(undefined)}
        />
      )}
    </Labelled>
  );
}

interface ChoiceProps<W extends string> extends FieldProps {
  /** Those that are offered, in their order; left out, all that the rule knows, by themselves. */
  readonly names?: Readonly<Record<W, string>>;
}

/** One of the words of a rule. */
export function choice<A, W extends A & string>(
  rule: DefaultedOption<A>,
  { names, ...words }: ChoiceProps<W>,
): Control<W> {
  const isOffered = (word: unknown): word is W =>
    typeof word === "string" &&
    (names === undefined ? rule.words.includes(word) : Object.hasOwn(names, word));
  const offered = (names === undefined ? rule.words : Object.keys(names)).filter(isOffered);
  const options = offered.map((value) => ({ value, name: names?.[value] ?? value }));
  return {
    fallback: isOffered(rule.fallback) ? rule.fallback : offered[0],
    parse: (text) => (isOffered(text) ? text : undefined),
    format: (value) => value,
    words,
    Input: (props) => <SelectField {...props} options={options} />,
  };
}

/** One of the page's own words. */
export const pick = <W extends string>(
  initial: NoInfer<W>,
  names: Readonly<Record<W, string>>,
  props: FieldProps,
): Control<W> => choice<W, W>(oneOf(...wordsOf(names)).default(initial), { names, ...props });

/** In their order. */
export function wordsOf<W extends string>(names: Readonly<Record<W, unknown>>): readonly W[] {
  const words: W[] = [];
  for (const word in names) words.push(word);
  return words;
}

interface SliderProps extends FieldProps {
  readonly range: readonly [low: number, high: number];
  readonly step: number;
  /** The value in words. */
  readonly shown?: (value: number) => string;
}

/** A number to be dragged. */
export function slider(
  initial: number,
  { range, step, shown = String, ...words }: SliderProps,
): Control<number> {
  const [low, high] = range;
  const rule = Number.isInteger(step) ? integerFrom(low, high) : between(low, high);
  return {
    ...ruled(rule.default(initial)),
    words,
    Input: (props) => <SliderField {...props} low={low} high={high} step={step} words={shown(props.value)} />,
  };
}

export const check = (rule: DefaultedOption<boolean>, words: FieldProps): Control<boolean> => ({
  ...ruled(rule),
  words,
  Input: (props) => <CheckField {...props} />,
});

interface ControlProps<S, K extends keyof S> extends ViewProps<S>, Partial<FieldProps> {
  readonly fields: { readonly [N in NoInfer<K>]: Control<S[N]> };
  readonly name: K;
}

/** The control of one field. Its words are those of the declaration, unless others are given. */
export function FieldControl<S extends object, K extends keyof S & string>({
  fields,
  name,
  state,
  update,
  ...given
}: ControlProps<S, K>) {
  const { Input, words } = fields[name];
  const change = (value: S[K]): void => {
    const part: Partial<S> = {};
    part[name] = value;
    update(part);
  };
  return <Input {...words} {...given} value={state[name]} onChange={change} />;
}

interface ControlsProps<S, K extends keyof S> extends ViewProps<S> {
  readonly fields: { readonly [N in K]: Control<S[N]> };
}

/** The controls of several fields, in their order. */
export function FieldControls<S extends object, K extends keyof S & string>({
  fields,
  ...view
}: ControlsProps<S, K>) {
  const names: K[] = [];
  for (const name in fields) names.push(name);
  return (
    <>
      {names.map((name) => (
        <FieldControl<S, K> key={name} fields={fields} name={name} {...view} />
      ))}
    </>
  );
}
