/** The objectives of `curvature fit` that are made from data. */

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
