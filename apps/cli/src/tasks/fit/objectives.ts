/** The objectives of `curvature fit` that are made from data. */
import { either, oneOf, option, optionTable, type SettingsOf } from "@curvature/linalg";
import {
  autoencoderOptions,
  convolutionalNetworkOptions,
  type ImageShape,
  multilayerPerceptronOptions,
} from "@curvature/objectives/networks";
import { softmaxOptions } from "@curvature/objectives/sums";

export const objectiveNames = [
  "logistic",
  "softmax",
  "mlp",
  "convnet",
  "autoencoder",
  "deep-autoencoder",
  "ica",
  "ising",
] as const;

export type ObjectiveName = (typeof objectiveNames)[number];

interface ObjectiveKind {
  /** For people. */
  readonly title: string;
  /** How many classes its labels have; undefined for those that learn from the data alone. */
  readonly classes: "two" | "any" | undefined;
  /** Whether --hidden has a meaning: sizes of the layers between input and output. */
  readonly hasHidden: boolean;
}

export const objectives = {
  logistic: { title: "logistic regression", classes: "two", hasHidden: false },
  softmax: { title: "softmax regression", classes: "any", hasHidden: false },
  mlp: { title: "multilayer perceptron", classes: "any", hasHidden: true },
  convnet: { title: "convolutional network", classes: "any", hasHidden: true },
  autoencoder: { title: "autoencoder", classes: undefined, hasHidden: true },
  "deep-autoencoder": { title: "deep autoencoder", classes: undefined, hasHidden: true },
  ica: { title: "independent component analysis", classes: undefined, hasHidden: false },
  ising: { title: "Ising model", classes: undefined, hasHidden: false },
} as const satisfies Record<ObjectiveName, ObjectiveKind>;

/** What has no default here is as the objective has it. */
export const objectiveOptions = optionTable({
  /** Minibatches. */
  count: softmaxOptions.entries.count,
  hidden: either(multilayerPerceptronOptions.entries.hidden),
  /** What a row is. */
  image: option<ImageShape>(
    "height x width, or channels x height x width, as 3x32x32",
    (value): value is ImageShape =>
      typeof value === "object" &&
      value !== null &&
      ["channels", "height", "width"].every((name) => Reflect.get(value, name) >= 1),
    (text) => {
      const [channels, height, width] = (/^(?:(\d{1,5})x)?(\d{1,5})x(\d{1,5})$/.exec(text) ?? [])
        .slice(1)
        .map((size: string | undefined) => Number(size ?? 1));
      return { channels, height, width };
    },
  ),
  /** Of the hidden layers of a perceptron. */
  activation: either(multilayerPerceptronOptions.entries.activation),
  /** What the labels are; left out: classes. */
  targets: oneOf("classes", "numbers"),
  filterSide: either(convolutionalNetworkOptions.entries.filterSide),
  decoder: either(autoencoderOptions.entries.decoder),
  contraction: either(autoencoderOptions.entries.contraction),
  lambda: either(softmaxOptions.entries.lambda),
  seed: multilayerPerceptronOptions.entries.seed,
});
export type ObjectiveSettings = SettingsOf<typeof objectiveOptions>;
