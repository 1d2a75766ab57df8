import { CurvatureError, shown } from "@curvature/linalg";

/** @throws CurvatureError ERR_SHAPE unless there is a string or a number (no NaN) for each of `count` objects */
export function checkLabels(where: string, labels: unknown, count: number): void {
  const isList = Array.isArray(labels) || (ArrayBuffer.isView(labels) && "length" in labels);
  const length = isList && typeof labels.length === "number" ? labels.length : Number.NaN;
  if (!isList || length !== count)
    throw new CurvatureError(
      "ERR_SHAPE",
      `labels must be ${count} strings or numbers, one for each object; received ${shown(labels)}.`,
      { where, path: "labels", expected: `${count} labels`, received: labels },
    );
  if (!Array.isArray(labels)) return;
  for (let i = 0; i < count; i++) {
    const label: unknown = labels[i];
    if (typeof label === "string" || (typeof label === "number" && !Number.isNaN(label))) continue;
    throw new CurvatureError(
      "ERR_SHAPE",
      `the label of object ${i} (counted from 0) must be a string or a number; received ${shown(label)}.`,
      { where, path: `labels[${i}]`, expected: "a string or a number", received: label },
    );
  }
}
