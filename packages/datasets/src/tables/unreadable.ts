/** Formats that are not read, told by their first bytes, each with the line that converts it. */
import { CurvatureError } from "@curvature/linalg";
import { begins, isZip, textAt } from "../formats/first-bytes.js";

interface Unreadable {
  readonly name: string;
  readonly remedy: string;
}

const pandas = (reader: string): string =>
  `Convert it to CSV: python -c "import pandas as pd; pd.${reader}.to_csv('points.csv', index=False)"`;

/** @throws CurvatureError ERR_PARSE for a file of such a format */
export function refuseUnreadable(head: Uint8Array): void {
  const refused = unreadable(head);
  if (refused === undefined) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `The input is ${refused.name}, which is not read. ${refused.remedy}`,
    { path: "input" },
  );
}

function unreadable(head: Uint8Array): Unreadable | undefined {
  const ascii = textAt(head, 0, Math.min(head.length, 512));
  if (isZip(head)) {
    if (/\[Content_Types\]|docProps|xl\//.test(textAt(head, 30, 40)))
      return { name: "a spreadsheet of Excel (xlsx)", remedy: "Save the sheet as CSV." };
    return { name: "a zip archive", remedy: "Unzip it and give the file that is in it." };
  }
  if (begins(head, 0xd0, 0xcf, 0x11, 0xe0))
    return { name: "an old spreadsheet of Excel (xls)", remedy: "Save the sheet as CSV." };
  if (ascii.startsWith("FEA1"))
    return { name: "an old Feather file", remedy: pandas("read_feather('file.feather')") };
  if (ascii.startsWith("MATLAB 5.0") || ascii.startsWith("MATLAB 7"))
    return {
      name: "a MATLAB file (.mat)",
      remedy: "Write the matrix as text in MATLAB: writematrix(X, 'points.csv').",
    };
  if (begins(head, 0x89, 0x48, 0x44, 0x46))
    return { name: "an HDF5 file", remedy: pandas("read_hdf('file.h5')") };
  if (ascii.startsWith("BZh")) return { name: "compressed by bzip2", remedy: "Expand it: bunzip2 file.bz2" };
  if (begins(head, 0xfd, 0x37, 0x7a, 0x58, 0x5a))
    return { name: "compressed by xz", remedy: "Expand it: unxz file.xz" };
  if (ascii.startsWith("RDX3\n") || ascii.startsWith("RDX2\n") || begins(head, 0x58, 0x0a, 0, 0))
    return {
      name: "an object of R",
      remedy: "Write it as text in R: write.csv(x, 'points.csv', row.names = FALSE).",
    };
  if (begins(head, 0x80) && head[1] >= 2 && head[1] <= 5)
    return { name: "a pickle of Python", remedy: pandas("read_pickle('file.pkl')") };
  if (begins(head, 0x89, 0x50, 0x4e, 0x47) || begins(head, 0xff, 0xd8, 0xff) || ascii.startsWith("GIF8"))
    return { name: "an image", remedy: "Write its features as rows of numbers first." };
  if (ascii.startsWith("%PDF")) return { name: "a PDF", remedy: "Write the table as CSV." };
  if (ascii.startsWith("SQLite format 3"))
    return {
      name: "a database of SQLite",
      remedy: 'Write a table as CSV: sqlite3 -header -csv file.db "select * from t" > points.csv',
    };
  if (/^\s*(<!doctype html|<html)/i.test(ascii))
    return { name: "an HTML page", remedy: "Download the file itself, or save the table as CSV." };
  return undefined;
}
