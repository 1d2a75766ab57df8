/**
 * Data sets with classes, from which rows are drawn: bundled, drawn, and those of folders that are given. Licences: the digits, letter,
 * pendigits and spam are the UCI repository's (CC BY 4.0); MNIST, 20 Newsgroups and COIL-20 state none, and are measured, not published
 * here (of COIL-20 the distances are).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readLibsvm } from "@curvature/datasets";
import {
  principalComponents,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
} from "@curvature/linalg";
import { coilDistances, coilScores } from "../../data/coil.ts";
import type { SetFolders } from "./recipe-sets.ts";
import { clusterTree, digits, mnist, type PointSet, table } from "./sets.ts";

/** With its classes. */
export type LabelledSet = Required<PointSet>;

const LARGEST = 20_000;
const COMPONENTS = 50;

/** Whole, by name; each is read when it is asked for. */
export function labelledSets({
  mnist: images,
  tables,
}: SetFolders): ReadonlyMap<string, () => Promise<LabelledSet>> {
  const inTables = (name: string, folder: string): [string, () => Promise<LabelledSet>] => [
    name,
    async () => withClasses(await table(folder, name, LARGEST)),
  ];
  return new Map([
    ["digits", async () => withClasses(await digits(LARGEST))],
    ["COIL-10", coil],
    ["tree", async () => withClasses(clusterTree(LARGEST))],
    ...(tables === undefined
      ? []
      : [
          inTables("letter", tables),
          inTables("pendigits", tables),
          inTables("spam", tables),
          ["news20", () => newsgroups(tables)] satisfies [string, () => Promise<LabelledSet>],
        ]),
    ...(images === undefined
      ? []
      : [
          ["MNIST", async () => withClasses(await mnist(images, LARGEST))] satisfies [
            string,
            () => Promise<LabelledSet>,
          ],
        ]),
  ]);
}

function withClasses({ labels, ...set }: PointSet): LabelledSet {
  if (labels === undefined) throw new Error(`${set.name} has no classes`);
  return { ...set, labels };
}

async function coil(): Promise<LabelledSet> {
  const { labels } = coilDistances();
  return {
    name: "COIL-10",
    description: `720 images of ten objects of COIL-20, the first ${COMPONENTS} coordinates of their classical scaling`,
    points: coilScores(COMPONENTS),
    labels: [...labels],
  };
}

async function newsgroups(folder: string): Promise<LabelledSet> {
  const { rows, labels } = await readLibsvm(readFileSync(join(folder, "news20.train.svm.gz")), {
    indexBase: 1,
  });
  return {
    name: "news20",
    description: `${rows.rows} texts of 20 Newsgroups, tf-idf, PCA ${COMPONENTS}`,
    points: principalComponents(rows, { count: COMPONENTS }).scores,
    labels: [...labels],
  };
}

/** Some rows of a set, in the order in which they were drawn; all of them where it has no more. */
export function rowsOf(
  { name, description, points, labels }: LabelledSet,
  N: number,
  seed: number,
): LabelledSet {
  if (N >= points.rows) return { name, description, points, labels };
  const chosen = sampleWithoutReplacement(new RandomGenerator(seed), N, points.rows);
  return {
    name,
    description,
    points: selectRows(points, chosen),
    labels: Array.from(chosen, (n) => labels[n]),
  };
}
