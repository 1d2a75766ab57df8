import {
  closedLoops,
  curves,
  type Groups,
  gaussianBlobs,
  rings,
  type Sheet,
  sCurve,
  swissRoll,
  trefoilKnot,
} from "@curvature/datasets";
import { type Dataset, type GeneratedRequest, plainDataset } from "./dataset.js";
import { generatorCall } from "./generators.js";

export function generated(request: GeneratedRequest): Dataset {
  const call = generatorCall(request);
  const ofGroups = ({ points, labels }: Groups): Dataset => labelled(points, labels, "group");
  const ofSheet = ({ points, along }: Sheet): Dataset => labelled(points, along, "along");
  const labelled = (points: Groups["points"], labels: ArrayLike<number>, labelName: string): Dataset => ({
    ...plainDataset(request.set, points),
    labels: Array.from(labels, String),
    labelName,
  });
  switch (call.generator) {
    case "swissRoll":
      return ofSheet(swissRoll(call.options));
    case "sCurve":
      return ofSheet(sCurve(call.options));
    case "trefoilKnot": {
      const { points, angle } = trefoilKnot(call.options);
      return labelled(points, angle, "angle");
    }
    case "rings":
      return ofGroups(rings(call.options));
    case "gaussianBlobs":
      return ofGroups(gaussianBlobs(call.options));
    case "closedLoops":
      return ofGroups(closedLoops(call.options));
    case "curves": {
      const { side } = call.options;
      const { points } = curves(call.options);
      return { ...plainDataset(request.set, points), image: { rows: side, columns: side, most: 1 } };
    }
  }
}
