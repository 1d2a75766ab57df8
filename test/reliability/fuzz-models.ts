/** The readers of model files. */
import { CurvatureError, fitScaling } from "@curvature/linalg";
import { hash128 } from "@curvature/optim-core";
import { clusterModel, loadClusterModel, saveClusterModel } from "@curvature/optim-sdp";
import { LinearClassifier, LinearRegressor, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { outcome, type Reader } from "./fuzz-target.ts";
import { lazily } from "./lazily.ts";
import { mutatedBytes } from "./mutations.ts";
import { classLabels, points } from "./problems.ts";

const models = lazily(async () => {
  const rows = points(12);
  const classifier = new LinearClassifier();
  await classifier.fit(rows, classLabels());
  const logistic = new LinearClassifier({ loss: "logistic", scale: "standard" });
  await logistic.fit(
    rows,
    rows.map((_, i) => i % 2),
  );
  const regressor = new LinearRegressor();
  await regressor.fit(
    rows,
    rows.map((row) => row[0]),
  );
  return [saveModel(classifier), saveModel(logistic), saveModel(regressor)];
});

/** A model file with a checksum that fits again. */
function resealedModel(bytes: Uint8Array): Uint8Array {
  const tail = '],"checksum":"'.length + 32 + '"}\n'.length;
  const before = bytes.subarray(0, Math.max(0, bytes.length - tail));
  const digits = Array.from(hash128(before), (word) => word.toString(16).padStart(8, "0")).join("");
  const end = new TextEncoder().encode(`],"checksum":"${digits}"}\n`);
  const sealed = new Uint8Array(before.length + end.length);
  sealed.set(before);
  sealed.set(end, before.length);
  return sealed;
}

export const model: Reader = {
  name: "model",
  make: (random) => {
    const input: { bytes: Uint8Array | undefined } = { bytes: undefined };
    return {
      get bytes() {
        return input.bytes;
      },
      data: undefined,
      read: async () => {
        const mutated = mutatedBytes(random, await models());
        const bytes = random.integer(4) === 0 ? mutated : resealedModel(mutated);
        input.bytes = bytes;
        return outcome(
          () => loadModel(bytes),
          (loaded) => {
            const rows = [Array.from({ length: loaded.features }, () => 1)];
            try {
              loaded.predict(rows);
            } catch (error) {
              if (!(error instanceof CurvatureError)) throw error;
            }
            saveModel(loaded);
          },
        );
      },
    };
  },
};

const clusterModels = lazily(async () => {
  const rows = points(12);
  const clustered = { labels: rows.map((_, i) => i % 3), cost: 3, costLower: 2 };
  const places = clusterModel(
    rows.map(([x = 0, y = 0]) => [x, y]),
    clustered,
    { method: "sphere", order: "longitude-latitude" },
  );
  return [
    ...[undefined, "standard" as const, "unit-rows" as const].map((method) =>
      clusterModel(rows, clustered, method && fitScaling(rows, method)),
    ),
    places,
  ].map(saveClusterModel);
});

export const modelOfClusters: Reader = {
  name: "model of clusters",
  make: (random) => {
    const input: { bytes: Uint8Array | undefined } = { bytes: undefined };
    return {
      get bytes() {
        return input.bytes;
      },
      data: undefined,
      read: async () => {
        const mutated = mutatedBytes(random, await clusterModels());
        const bytes = random.integer(4) === 0 ? mutated : resealedModel(mutated);
        input.bytes = bytes;
        return outcome(
          () => loadClusterModel(bytes),
          (loaded) => {
            const rows = [Array.from({ length: loaded.features }, () => 1)];
            try {
              loaded.assign(rows);
            } catch (error) {
              if (!(error instanceof CurvatureError)) throw error;
            }
            saveClusterModel(loaded);
          },
        );
      },
    };
  },
};
