/** Inputs of the study's form. */
import { useState } from "preact/hooks";
import { type FieldProps, Labelled, SelectField } from "../../../controls/fields.js";
import { limits, type StudyKind } from "../../../study/study.js";

interface TextProps extends FieldProps {
  readonly value: string;
  /** More than one line. */
  readonly rows?: number;
  readonly problem?: string | undefined;
  readonly onChange: (value: string) => void;
}

export function TextField({ value, rows, onChange, ...words }: TextProps) {
  return (
    <Labelled {...words}>
      {(input) =>
        rows === undefined ? (
          <input
            {...input}
            value={value}
            maxLength={limits.words}
            placeholder={words.placeholder}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <textarea
            {...input}
            rows={rows}
            value={value}
            placeholder={words.placeholder}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )
      }
    </Labelled>
  );
}

interface CountProps extends FieldProps {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A whole number; while it is none, the field says so and the last one counts. */
export function CountField({ value, least, most, onChange, ...words }: CountProps) {
  const [draft, setDraft] = useState<string | undefined>();
  const isGood = (text: string): boolean =>
    /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return (
    <Labelled
      {...words}
      problem={
        draft === undefined || isGood(draft)
          ? undefined
          : `It must be a whole number from ${least} to ${most}.`
      }
    >
      {(input) => (
        <input
          {...input}
          type="number"
          inputMode="numeric"
          step={1}
          min={least}
          max={most}
          value={draft ?? value}
          onInput={(event) => {
            const text = event.currentTarget.value;
            setDraft(text);
            if (isGood(text)) onChange(Number(text));
          }}
          onBlur={() => setDraft(undefined)}
        />
      )}
    </Labelled>
  );
}

interface KindProps {
  readonly names: Readonly<Record<StudyKind, string>>;
  readonly value: StudyKind;
  readonly onChange: (kind: StudyKind) => void;
}

export const KindField = ({ names, value, onChange }: KindProps) => (
  <SelectField
    label="Trials"
    value={value}
    options={[
      { value: "triplets", name: names.triplets },
      { value: "odd-one-out", name: names["odd-one-out"] },
    ]}
    onChange={onChange}
  />
);
