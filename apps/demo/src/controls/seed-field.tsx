import { NumberField } from "./fields.js";

interface SeedFieldProps {
  readonly value: number;
  readonly onChange: (seed: number) => void;
}

export const SeedField = ({ value, onChange }: SeedFieldProps) => (
  <NumberField
    label="Seed"
    value={value}
    low={0}
    high={2 ** 32 - 1}
    isWhole
    onChange={(seed) => seed !== undefined && onChange(seed)}
  />
);
