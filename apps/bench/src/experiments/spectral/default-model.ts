/**
 * Whether t-EE would be the better default of `embed`: its maps beside t-SNE's of the same points, from the same start, at three
 * perplexities; paired differences over draws of the rows.
 *
 * Usage: node default-model.ts [--quick] [--mnist folder] [--tables folder] [--points 1500] [--seeds 5] [--perplexities 10,30,100]
 *          [--large letter:10,letter:30] [--cells file]
 *
 * `--large` names sets and perplexities at which 20,000 rows are mapped once, besides. `--cells` is a file to which what was measured is appended, a line
 * for each set, perplexity and draw, and from which a run that was cut off goes on.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { experimentArguments, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { mean, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { type LabelledSet, labelledSets, rowsOf } from "./labelled-sets.ts";
import {
  type Figures,
  figuresOf,
  lessIsBetter,
  type Measure,
  type Model,
  measures,
  models,
  RULE,
} from "./model-measures.ts";

const values = experimentArguments({
  mnist: string(),
  tables: string(),
  points: whole(1500, 450, 450),
  seeds: whole(5, 2, 2),
  perplexities: string("10,30,100", "10,30"),
  large: string("letter:10,letter:30", ""),
  cells: string(""),
});
const { isQuick, points: N, seeds, cells: file } = values;
const LARGE = 20_000;
const perplexities = values.perplexities.split(",").map((word) => wholeNumber("perplexities", word, 2));

/** Of one draw of a set's rows. */
interface Measured {
  readonly set: string;
  readonly points: number;
  readonly perplexity: number;
  readonly seed: number;
  readonly figures: Readonly<Record<Model, Figures>>;
}

const made: Measured[] =
  file !== "" && existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line): Measured => JSON.parse(line))
    : [];

async function measured(set: LabelledSet, perplexity: number, seed: number): Promise<Measured> {
  const what = { set: set.name, points: set.points.rows, perplexity, seed };
  const before = made.find((one) =>
    (["set", "points", "perplexity", "seed"] as const).every((key) => one[key] === what[key]),
  );
  if (before !== undefined) return before;
  const one = { ...what, figures: await figuresOf(set, perplexity, seed) };
  if (file !== "") appendFileSync(file, `${JSON.stringify(one)}\n`);
  note(
    `${set.name} ${what.points}, perplexity ${perplexity}, ${seed}: trust ${models.map((model) => one.figures[model].trust.toFixed(4)).join(" ")}`,
  );
  return one;
}

const { mnist, tables } = values;
const sources = labelledSets(isQuick ? { mnist: undefined, tables: undefined } : { mnist, tables });
const sets: LabelledSet[] = [];
for (const [name, read] of sources) sets.push({ ...(await read()), name });

const all: Measured[] = [];
for (let seed = 0; seed < seeds; seed++)
  for (const set of sets) {
    // of the smaller ones five sixths, so that draws differ
    const some = rowsOf(set, Math.min(N, Math.floor((set.points.rows * 5) / 6)), seed);
    for (const perplexity of perplexities) all.push(await measured(some, perplexity, seed));
  }
const large: Measured[] = [];
for (const word of values.large === "" ? [] : values.large.split(",")) {
  const [name, perplexity] = word.split(":");
  for (const set of sets.filter((one) => one.name === name))
    large.push(await measured(rowsOf(set, LARGE, 0), wholeNumber("large", perplexity, 2), 0));
}

/** Two-sided, at 95 %, by degrees of freedom from 1 on. */
const student = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
const rivals = models.filter((model) => model !== "t-SNE");

/** A rival less t-SNE, over the draws of one set at one perplexity. */
interface Difference {
  readonly set: string;
  readonly perplexity: number;
  readonly rival: Model;
  readonly measure: Measure;
  readonly mean: number;
  /** Of the mean. */
  readonly error: number;
  /** 1 better, −1 worse, 0 not decided. */
  readonly sign: number;
}

const drawsOf = (set: string, perplexity: number): Measured[] =>
  all.filter((one) => one.set === set && one.perplexity === perplexity);

function difference(set: string, perplexity: number, rival: Model, measure: Measure): Difference {
  const each = drawsOf(set, perplexity).map(
    ({ figures }) => figures[rival][measure] - figures["t-SNE"][measure],
  );
  const middle = mean(each);
  const variance = each.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (each.length - 1);
  const error = Math.sqrt(variance / each.length);
  const limit = (student[each.length - 2] ?? 2) * error;
  const isBetter = middle < 0 === lessIsBetter.includes(measure);
  return {
    ...{ set, perplexity, rival, measure, error, mean: middle },
    sign: Math.abs(middle) <= limit ? 0 : isBetter ? 1 : -1,
  };
}

const conditions = sets.flatMap(({ name }) => perplexities.map((perplexity) => ({ name, perplexity })));
const differences = conditions.flatMap(({ name, perplexity }) =>
  rivals.flatMap((rival) => measures.map((measure) => difference(name, perplexity, rival, measure))),
);

const digitsOf = (measure: Measure): number => (measure === "seconds" ? 2 : 4);
const shown = (value: number, measure: Measure): string => value.toFixed(digitsOf(measure));
const signed = (value: number, measure: Measure): string =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digitsOf(measure))}`;

const of = (rival: Model, measure: Measure): Difference[] =>
  differences.filter((one) => one.rival === rival && one.measure === measure);
const count = (list: readonly Difference[], sign: number): number =>
  list.filter((one) => one.sign === sign).length;
/** Better on most conditions, and worse on few. */
const isAhead = (rival: Model, measure: Measure): boolean => {
  const list = of(rival, measure);
  return count(list, 1) > list.length / 2 && count(list, -1) <= list.length / 10;
};
const judged = measures.filter((measure) => !lessIsBetter.includes(measure));

const valuesOf = (list: readonly Measured[], set: string, points: string, perplexity: number): Cell[][] =>
  models.map((model): Cell[] => [
    points,
    perplexity,
    model,
    ...measures.map((measure) =>
      shown(
        mean(
          list
            .filter((one) => one.set === set && one.perplexity === perplexity)
            .map(({ figures }) => figures[model][measure]),
        ),
        measure,
      ),
    ),
  ]);

writeReport(
  {
    paper: "spectral",
    name: "default-model",
    title: "Is t-EE the better default?",
    claim:
      "t-EE is the better default: on more than half of the sets and perplexities its maps are better than t-SNE's, and on at most a tenth worse, in trustworthiness, neighbours kept (5, 10, 200), random triplets, correlation of distances, and accuracy of classes.",
    data: `${sets.map(({ name, description }) => `${name} (${description})`).join("; ")}. Of each ${N} rows are drawn, of the smaller ones five sixths.${large.length === 0 ? "" : ` Besides ${LARGE} rows of ${[...new Set(large.map(({ set }) => set))].join(" and ")}, once.`}`,
    method: `embed with its defaults (100 evaluations, principal components as the start, one thread): method "tsne"; method "tee" as it is, λ = 100, repulsion by squared distances up to 5,000 points; and "t-EE, λ by N": repulsion "constant", λ = ${RULE} N / perplexity, a rule from the digits alone, under which t-EE has about t-SNE's stationary maps (λ in the place of the log-sum). KL: of the map's own perplexity, as it is and at the best of eleven sizes. Trust: trustworthiness at 10 neighbours. Triplets: the share of 20,000 at random in the order of the data. Class accuracy: by the vote of the 10 nearest in the map. Better or worse: the mean of the paired differences is beyond 95 % of Student's t over the draws; draws of small sets have most rows in common, so that their errors are too small.`,
    repeats: `${seeds} draws (seeds 0 to ${seeds - 1}) of each set, the same for all models; 20,000 points once, which says nothing of chance. ± is the standard error of the mean of the paired differences.`,
    clock: "processor",
    findings: [
      ...rivals.map(
        (rival) =>
          `${rival}: ${verdict(Object.fromEntries(judged.map((measure) => [measure, isAhead(rival, measure)])))}`,
      ),
      ...rivals.map(
        (rival) =>
          `${rival}, of ${conditions.length} sets and perplexities better / worse than t-SNE: ${measures
            .map((m) => `${m} ${count(of(rival, m), 1)} / ${count(of(rival, m), -1)}`)
            .join(", ")}.`,
      ),
    ],
    tables: [
      {
        title: "Less t-SNE",
        note: "Means over the sets, by perplexity, and on how many sets and perplexities a model is better, worse, and neither.",
        columns: [
          "model",
          "measure",
          ...perplexities.map((perplexity) => `perplexity ${perplexity}`),
          "better",
          "worse",
          "neither",
        ],
        rows: rivals.flatMap((rival) =>
          measures.map((measure): Cell[] => {
            const list = of(rival, measure);
            const means = perplexities.map((perplexity) =>
              signed(
                mean(list.filter((one) => one.perplexity === perplexity).map((one) => one.mean)),
                measure,
              ),
            );
            return [rival, measure, ...means, count(list, 1), count(list, -1), count(list, 0)];
          }),
        ),
      },
      {
        title: "The maps",
        columns: ["data", "perplexity", "model", ...measures],
        rows: conditions.flatMap(({ name, perplexity }) => valuesOf(all, name, name, perplexity)),
      },
      {
        title: "Paired differences",
        columns: ["data", "perplexity", "model", ...measures],
        rows: conditions.flatMap(({ name, perplexity }) =>
          rivals.map((rival): Cell[] => [
            name,
            perplexity,
            rival,
            ...measures.map((measure) => {
              const one = differences.find(
                (each) =>
                  each.set === name &&
                  each.perplexity === perplexity &&
                  each.rival === rival &&
                  each.measure === measure,
              );
              return one === undefined ? "-" : `${signed(one.mean, measure)} ± ${shown(one.error, measure)}`;
            }),
          ]),
        ),
      },
      ...(large.length === 0
        ? []
        : [
            {
              title: `${LARGE} points`,
              note: "Neighbourhoods of 2,000 of them.",
              columns: ["data", "perplexity", "model", ...measures],
              rows: large.flatMap(({ set, perplexity }) => valuesOf(large, set, set, perplexity)),
            },
          ]),
    ],
  },
  isQuick,
);
