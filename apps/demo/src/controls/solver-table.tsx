import type { ComponentChildren } from "preact";
import { lineLooks, type SolverLooks } from "../plot/solver-looks.js";
import { useTheme } from "../shell/theme.js";
import "./solver-table.css";

/** Head and cell of a column; narrow screens leave spare ones out. */
interface SolverColumn<T extends string> {
  readonly head: string;
  readonly isSpare?: boolean;
  readonly status?: (solver: T) => string | undefined;
  readonly cell: (solver: T) => ComponentChildren;
}

interface SolverTableProps<T extends string> {
  readonly caption: string;
  readonly status?: string | undefined;
  readonly looks: Readonly<Record<T, SolverLooks>>;
  readonly solvers: readonly T[];
  /** The one that is looked at and taken away. */
  readonly chosen: T;
  readonly onChoose: (solver: T) => void;
  /** What is said beside a solver's name. */
  readonly aside?: (solver: T) => string | undefined;
  readonly columns: readonly SolverColumn<T>[];
}

/** A row of figures for each solver. */
export function SolverTable<T extends string>(props: SolverTableProps<T>) {
  const { caption, status, looks, solvers, chosen, onChoose, aside, columns } = props;
  const theme = useTheme();
  return (
    <table class="figures-table numbers" data-status={status}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Solver</th>
          {columns.map(({ head, isSpare = false }) => (
            <th key={head} scope="col" class={isSpare ? "spare" : ""}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {solvers.map((solver) => (
          <tr key={solver} class={solver === chosen ? "chosen" : ""}>
            <th scope="row">
              <label>
                <input
                  type="radio"
                  name="model"
                  checked={solver === chosen}
                  onChange={() => onChoose(solver)}
                />
                <span class="legend-mark" style={{ background: lineLooks(looks[solver], theme).color }} />
                <span>
                  {looks[solver].name}
                  {aside?.(solver) !== undefined && <small class="hint"> {aside(solver)}</small>}
                </span>
              </label>
            </th>
            {columns.map(({ head, isSpare = false, status: of, cell }) => (
              <td key={head} class={isSpare ? "spare" : ""} data-status={of?.(solver)}>
                {cell(solver)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
