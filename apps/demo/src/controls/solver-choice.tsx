import type { ComponentChildren } from "preact";

interface SolverChoiceProps {
  readonly color: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  /** The solver's name. */
  readonly children: ComponentChildren;
}

/** The head of a solver's row: its colour, its name, and whether it is the one that is looked at. */
export const SolverChoice = ({ color, isChosen, onChoose, children }: SolverChoiceProps) => (
  <th scope="row">
    <label>
      <input type="radio" name="model" checked={isChosen} onChange={onChoose} />
      <span class="legend-mark" style={{ background: color }} />
      <span>{children}</span>
    </label>
  </th>
);
