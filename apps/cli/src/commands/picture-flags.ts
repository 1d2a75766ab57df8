/** The flags of the commands that draw maps of rows, and what becomes of them in a picture. */
import type { NamedColumn } from "@curvature/map-view";
import { areNames, type MapPicture } from "@curvature/map-view/pictures";
import type { Command } from "commander";
import { fileName } from "../arguments.js";
import type { Data, KeptCells } from "../read/data.js";
import type { PictureWords } from "../read/picture-columns.js";
import { count } from "../run/terminal.js";

export type PictureFlags = PictureWords;

export function addPictureFlags(command: Command): Command {
  return command
    .option(
      "--names <column|file>",
      "what each row is called in the picture, as --labels is read; a column is then no data",
      fileName,
    )
    .option(
      "--color <column|file>",
      "what colours the picture in the labels' place: numbers are a scale; a column of numbers stays data",
      fileName,
    );
}

/** What the rows' own columns give to a picture. */
export type PictureParts = Pick<MapPicture, "labels" | "labelName" | "color" | "names" | "details"> & {
  /** What was decided, in a sentence. */
  readonly note?: string;
};

/** Labels that are rather names, one for most rows, are these, unless there are others. */
export function pictureParts({ labels: given, labelName, picture, kept }: Data): PictureParts {
  const labels = given && Array.from(given, String);
  const { color } = picture;
  const details = detailsOf(kept).filter(({ name }) => name !== picture.names?.name);
  const isCalled = labels !== undefined && areNames(labels);
  const names = picture.names?.values ?? (isCalled ? labels : undefined);
  if (labels === undefined || !isCalled) return { labels, labelName, color, names, details };
  const words = count(new Set(labels).size);
  const others = picture.names === undefined ? "" : ", beside those of --names";
  return {
    ...{ labels: undefined, labelName, color, names },
    details: picture.names === undefined ? details : [{ name: labelName, values: labels }, ...details],
    note: `--labels ${JSON.stringify(labelName)} has ${words} different words for ${count(labels.length)} rows: in the picture they are names${others}, and no classes with colours.`,
  };
}

const detailsOf = ({ names, rows }: KeptCells): NamedColumn[] =>
  names.map((name, j) => ({ name, values: rows.map((cells) => cells[j]) }));

/** The columns that go beside a map in its file: the rows' names first, unless they are kept in any case. */
export function withNames(kept: KeptCells, names: NamedColumn | undefined): KeptCells {
  if (names === undefined || kept.names.includes(names.name)) return kept;
  return {
    names: [names.name, ...kept.names],
    rows: names.values.map((name, i) => [name, ...(kept.rows[i] ?? [])]),
  };
}
