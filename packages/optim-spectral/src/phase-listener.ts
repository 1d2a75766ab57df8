/** Who hears of the phases may take its time, as who hears of iterations may: it is waited for before the next phase begins. */
import type { EmbedOptions } from "./embed-options.js";

export class PhaseListener {
  private heard: Promise<unknown> = Promise.resolve();

  constructor(private readonly onPhase: EmbedOptions["onPhase"]) {}

  tell(...words: Parameters<NonNullable<EmbedOptions["onPhase"]>>): void {
    this.heard = Promise.all([this.heard, this.onPhase?.(...words)]);
    this.heard.catch(() => undefined); // told by `caughtUp`
  }

  /** Rejects with what the listener has rejected with. */
  async caughtUp(): Promise<void> {
    await this.heard;
  }
}
