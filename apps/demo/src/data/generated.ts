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
import type { DenseMatrix } from "@curvature/linalg";
import type { DataRequest, Dataset } from "./dataset.js";

const curveSide = 28;
const groupsOf = { rings: 3, blobs: 6, loops: 12 } as const;

/** One of the generators' sets of about `count` points (groups are of equal size). */
export function generated(request: Extract<DataRequest, { kind: "generated" }>): Dataset {
  const { set, count, noise, seed } = request;
  switch (set) {
    case "swiss-roll":
      return ofSheet(set, swissRoll({ count, noise, seed }));
    case "s-curve":
      return ofSheet(set, sCurve({ count, noise, seed }));
    case "trefoil": {
      const { points, angle } = trefoilKnot({ count, noise, seed });
      return { ...plain(set, points), labels: Array.from(angle, String), labelName: "angle" };
    }
    case "rings": {
      const pointsPerRing = perGroup(count, groupsOf.rings);
      return ofGroups(set, rings({ rings: groupsOf.rings, pointsPerRing, noise, seed }));
    }
    case "blobs": {
      const pointsPerGroup = perGroup(count, groupsOf.blobs);
      return ofGroups(
        set,
        gaussianBlobs({ groups: groupsOf.blobs, pointsPerGroup, dimensions: 10, box: 4, seed }),
      );
    }
    case "loops": {
      const pointsPerLoop = perGroup(count, groupsOf.loops);
      return ofGroups(set, closedLoops({ loops: groupsOf.loops, pointsPerLoop, noise, seed }));
    }
    case "curves": {
      const { points } = curves({ count, side: curveSide, seed });
      return { ...plain(set, points), image: { rows: curveSide, columns: curveSide, most: 1 } };
    }
  }
}

const perGroup = (count: number, groups: number): number => Math.max(1, Math.round(count / groups));

function plain(name: string, points: DenseMatrix): Dataset {
  const columns = Array.from({ length: points.columns }, (_, j) => `x${j + 1}`);
  return {
    name,
    points,
    columns,
    labels: undefined,
    labelName: undefined,
    image: undefined,
    choices: [],
    leftOut: [],
    fileName: undefined,
    takenFrom: undefined,
  };
}

function ofGroups(name: string, { points, labels }: Groups): Dataset {
  return { ...plain(name, points), labels: Array.from(labels, String), labelName: "group" };
}

function ofSheet(name: string, { points, along }: Sheet): Dataset {
  return { ...plain(name, points), labels: Array.from(along, String), labelName: "along" };
}
