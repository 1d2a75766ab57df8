/** What is in the visitor's table, and what of it is used: looked at before anything is computed. */
import { withOptionNames } from "@curvature/linalg";
import { controlWords, missingNames, type TableState, wordsNames } from "../data/table-fields.js";
import { largestRatio, planOf, type TableLook, type TablePlan } from "../data/table-plan.js";
import type { Source } from "../data/use-source.js";
import type { ViewProps } from "../shell/view.js";
import { Folded } from "./control-panel.js";
import { wordsOf } from "./declared.js";
import { CheckField, SelectField } from "./fields.js";
import { Fault } from "./notice.js";
import { Panel, Sentences } from "./panel.js";
import "./solver-table.css";
import "./table-account.css";

interface TableAccountProps extends ViewProps<TableState> {
  readonly source: Source;
  /** Whether the labels are to be learned. */
  readonly areTargets: boolean;
  /** Whether columns can be scaled here; else they are in any case, or never. */
  readonly hasScale: boolean;
}

const kinds = { table: "column", distances: "column of distances", edges: "column of edges" } as const;

/** Nothing where no file was read. */
export function TableAccount({ source, areTargets, hasScale, state, update }: TableAccountProps) {
  const { reading, dataset } = source;
  if (reading?.look === undefined) return null;
  const { look, problem, of } = reading;
  const plan = planOf(look, state, areTargets);
  const isUsed = dataset !== undefined;
  // A change of what is in use is a change of what was taken.
  const change = (part: Partial<TableState>): void => update(isUsed ? { ...part, taken: of } : part);
  const all = look.account.columns.length;
  const count = plan.used.reduce((sum, is) => sum + Number(is), 0);
  const account = (
    <>
      <Sentences of={[...look.notes, ...remarksOf(look, areTargets)]} />
      {look.kind !== "table" && (
        <p class="hint">
          The rows are no points with coordinates; the pictures here take each row for a point all the same.
        </p>
      )}
      <ColumnTable look={look} plan={plan} toggled={state.toggled} change={change} />
      <Choices look={look} plan={plan} hasScale={hasScale} change={change} />
    </>
  );
  return (
    <Panel title={source.actions.file?.name}>
      <p class="hint numbers">
        {counted(look.account.rows, "row")}, {counted(all, kinds[look.kind])}; {look.form}.{" "}
        {isUsed &&
          `${count} of ${all} used${hasScale && plan.scale === "standard" ? ", each to deviation 1" : ""}.`}
      </p>
      {isUsed ? <Folded title="Columns, and what becomes of them">{account}</Folded> : account}
      <Fault sentence={withOptionNames(problem ?? "", controlWords)} />
      {!isUsed && (
        <div class="row">
          <button type="button" disabled={count === 0} onClick={() => update({ taken: of })}>
            Use {count === all ? "this table" : `${count.toLocaleString("en")} of ${counted(all, "column")}`}
          </button>
          <span class="hint">Nothing is computed before.</span>
        </div>
      )}
    </Panel>
  );
}

function remarksOf({ account }: TableLook, areTargets: boolean): readonly string[] {
  const { duplicates, isRegression } = account;
  return [
    ...(duplicates === 0 ? [] : [`${counted(duplicates, "row")} of the same features as one before.`]),
    ...(areTargets && isRegression === true
      ? [
          "The labels are numbers that measure something; here each different one is a class, one against all others.",
        ]
      : []),
  ];
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

interface PlannedProps {
  readonly look: TableLook;
  readonly plan: TablePlan;
  readonly change: (part: Partial<TableState>) => void;
}

/** Of more columns than these nobody wants to read all. */
const mostRows = 40;

interface ColumnTableProps extends PlannedProps {
  readonly toggled: TableState["toggled"];
}

function ColumnTable({ look, plan, toggled, change }: ColumnTableProps) {
  const { columns } = look.account;
  const shown = shownColumns(look);
  const isShown = new Set(shown);
  const hidden = columns.flatMap((_, index) => (isShown.has(index) ? [] : [index]));
  const toggle = (index: number): void =>
    change({
      toggled: toggled.includes(index) ? toggled.filter((other) => other !== index) : [...toggled, index],
    });
  return (
    <>
      <table class="figures-table numbers account-columns">
        <caption class="visually-hidden">The columns, and which of them are used</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Holds</th>
            <th scope="col">Gaps</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((index) => {
            const { name, unit, missing, odd, remarks } = columns[index];
            const isLabel = index === look.labels;
            return (
              <tr key={index}>
                <th scope="row">
                  <CheckField
                    label={`${name === "" ? `column ${index + 1}` : name}${unit === undefined ? "" : `, ${unit}`}`}
                    value={plan.used[index]}
                    disabled={isLabel || isUseless(look, index)}
                    onChange={() => toggle(index)}
                  />
                </th>
                <td>
                  {isLabel && <strong>labels: </strong>}
                  {holds(look, index)}
                  {remarks.length > 0 && <small class="hint">{remarks.join("; ")}</small>}
                </td>
                <td>{missing + odd === 0 ? "" : missing + odd}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {hidden.length > 0 && (
        <p class="hint numbers">
          {counted(hidden.length, "more column")}, {hidden.filter((index) => plan.used[index]).length} of them
          used.
        </p>
      )}
    </>
  );
}

/** Dates and what has no value cannot be used. */
const isUseless = ({ account }: TableLook, index: number): boolean => {
  const { type, missing } = account.columns[index];
  return type === "date" || missing === account.rows;
};

/** All, or of many the first, the last and those that are more than numbers. */
function shownColumns({ account, suggested }: TableLook): readonly number[] {
  const indices = account.columns.map((_, index) => index);
  if (indices.length <= mostRows) return indices;
  const isOdd = (index: number): boolean => {
    const { type, missing, odd, remarks } = account.columns[index];
    return !suggested[index] || type !== "number" || missing + odd + remarks.length > 0;
  };
  const chosen = new Set([
    ...indices.slice(0, 8),
    ...indices.filter(isOdd).slice(0, mostRows),
    ...indices.slice(-3),
  ]);
  return indices.filter((index) => chosen.has(index));
}

const sixDigits = (value: number): string => String(Number(value.toPrecision(6)));

function holds({ account }: TableLook, index: number): string {
  const { type, low, high, distinct, common, missing } = account.columns[index];
  const most = common.map(({ text, count }) => (count === 1 ? text : `${text} ${count}`)).join(", ");
  switch (type) {
    case "number":
      return low === undefined || high === undefined
        ? "numbers"
        : `numbers, ${sixDigits(low)} to ${sixDigits(high)}`;
    case "boolean":
      return `yes or no: ${most}`;
    case "word":
      return `${counted(distinct, "word")}: ${most}${distinct > common.length ? ", …" : ""}`;
    case "date":
      return `dates: ${most}`;
    case "id":
      return distinct < account.rows - missing ? "codes, no feature" : "names the rows";
    case "index":
      return "counts the rows";
  }
}

const scaleNames = { standard: "each to deviation 1", none: "as they are" };

interface ChoicesProps extends PlannedProps {
  readonly hasScale: boolean;
}

function Choices({ look, plan, hasScale, change }: ChoicesProps) {
  const { account, labels } = look;
  const { words, missing, scale, widest } = plan;
  const nameOf = (index: number): string => account.columns[index].name || `column ${index + 1}`;
  const offered = new Set([...shownColumns(look), ...(labels === undefined ? [] : [labels])]);
  return (
    <div class="account-choices">
      <SelectField
        label="Labels"
        value={String(labels ?? -1)}
        options={[
          { value: "-1", name: "none" },
          ...Array.from(offered, (index) => ({ value: String(index), name: nameOf(index) })),
        ]}
        onChange={(value) => change({ labels: Number(value), toggled: [] })}
      />
      {words !== undefined && (
        <SelectField
          label="Columns of words"
          value={words}
          options={optionsOf(wordsNames)}
          hint={words === "hash" ? "Its words are added up in 64 columns." : undefined}
          onChange={(value) => change({ words: value })}
        />
      )}
      {missing !== undefined && (
        <SelectField
          label="Missing cells"
          value={missing}
          options={optionsOf(missingNames)}
          hint={missing === "mean" ? "By the column’s mean, or its most frequent word." : undefined}
          onChange={(value) => change({ missing: value })}
        />
      )}
      {hasScale && widest !== undefined && (
        <SelectField
          label="Sizes of the columns"
          value={scale}
          options={optionsOf(scaleNames)}
          hint={widest.ratio < 2 ? undefined : spansWords(nameOf(widest.index), widest.ratio, scale)}
          onChange={(value) => change({ scale: value })}
        />
      )}
    </div>
  );
}

const spansWords = (name: string, ratio: number, scale: TablePlan["scale"]): string =>
  `${name} spans ${Number(ratio.toPrecision(2))} times as much as the median of the columns${scale === "none" && ratio > largestRatio ? ", and decides most distances" : ""}.`;

const optionsOf = <T extends string>(names: Readonly<Record<T, string>>) =>
  wordsOf(names).map((value) => ({ value, name: names[value] }));
