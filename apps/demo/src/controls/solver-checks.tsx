import { wordsOf } from "./declared.js";
import { CheckField } from "./fields.js";

interface SolverChecksProps<T extends string> {
  /** In the order in which they are shown and handed on. */
  readonly solvers: Readonly<Record<T, { readonly name: string }>>;
  readonly chosen: readonly T[];
  readonly isDisabled?: (solver: T) => boolean;
  /** At least one of them. */
  readonly onChange: (chosen: readonly T[]) => void;
}

/** Which solvers run side by side; the last one stays. */
export function SolverChecks<T extends string>({
  solvers,
  chosen,
  isDisabled = () => false,
  onChange,
}: SolverChecksProps<T>) {
  const all = wordsOf(solvers);
  const toggle = (solver: T, isOn: boolean): void => {
    const next = all.filter((each) => (each === solver ? isOn : chosen.includes(each)));
    if (next.length > 0) onChange(next);
  };
  return (
    <fieldset>
      <legend>Solvers</legend>
      {all.map((solver) => (
        <CheckField
          key={solver}
          label={solvers[solver].name}
          value={chosen.includes(solver)}
          disabled={isDisabled(solver) || (chosen.length === 1 && chosen[0] === solver)}
          onChange={(isOn) => toggle(solver, isOn)}
        />
      ))}
    </fieldset>
  );
}
