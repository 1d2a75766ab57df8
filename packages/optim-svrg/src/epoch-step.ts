/**
 * B, the length of an epoch in units of the gradient: the first one, and from then on by the secant between snapshots.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { barzilaiBorwein } from "./step-size/barzilai-borwein.js";
import { stabilized } from "./step-size/stabilized.js";
import type { SvrgSettings } from "./svrg-options.js";

/** ε relative to the curvature of the first step, and the most of B relative to the first without an ε. */
const DEFAULT_EPSILON = 0.05;
const GROWTH_WITHOUT_EPSILON = 1e4;

export class EpochStep {
  /** 0 before the first step is known. */
  B = 0;
  epsilon: number | undefined;
  private maxStep = Number.POSITIVE_INFINITY;

  constructor(private readonly options: SvrgSettings) {}

  takeFirst(B: number): void {
    const { usualEpsilon, maxStep } = this.options;
    const usual = usualEpsilon === undefined ? DEFAULT_EPSILON / B : Math.min(usualEpsilon, 1 / B);
    const { epsilon = usual } = this.options;
    this.epsilon = epsilon;
    this.maxStep = maxStep ?? (epsilon > 0 ? 1 / epsilon : GROWTH_WITHOUT_EPSILON * B);
    this.B = this.limited(B);
  }

  /** After `epoch` epochs; a secant without a length or without a finite step keeps B, and so does a new module. */
  follow(epoch: number, dXdX: number, dXdG: number): void {
    const { stepRule, restartEvery } = this.options;
    const isForgotten = restartEvery > 0 && epoch % restartEvery === 0;
    if (stepRule === "fixed" || isForgotten || !(dXdX > 0)) return;
    const B = stepRule === "bb" ? barzilaiBorwein(dXdX, dXdG) : stabilized(dXdX, dXdG, this.epsilon ?? 0);
    if (Number.isFinite(B) && B !== 0) this.B = this.limited(B);
  }

  /** After an epoch that went too far, the secant to where it led. */
  shorten(dXdX: number, dXdG: number): void {
    const B = Math.abs(this.B);
    const next = stabilized(dXdX, dXdG, this.epsilon ?? 0);
    this.B = Number.isFinite(next) ? Math.min(B / 2, Math.max(B / 10, next)) : B / 10;
  }

  private limited(B: number): number {
    return Math.max(-this.maxStep, Math.min(this.maxStep, B));
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { B: this.B, epsilon: this.epsilon ?? null, maxStep: this.maxStep };
  }

  /** Reads what `save` wrote; takes it when the function returned is called. */
  reader(state: SnapshotReader): () => void {
    const B = state.number("B");
    const epsilon = state.optionalNumber("epsilon");
    const maxStep = state.number("maxStep");
    return () => {
      this.B = B;
      this.epsilon = epsilon;
      this.maxStep = maxStep;
    };
  }
}
