/**
 * Facts of a body's past that its further steps depend on. This class is the one place that sets and copies them: stages report what happened, and `goalsOf`,
 * skins and snapshots read it.
 */
export class History {
  private facts: Facts = { ...NOTHING };

  /** Some cluster has a rest shape that is no longer the one it was made with. */
  get flowed(): boolean {
    return this.facts.flowed;
  }

  /** Some cluster has split. */
  get broken(): boolean {
    return this.facts.broken;
  }

  /** Particles have left the body since its skin was made: the skin shows more than there is. */
  get lost(): boolean {
    return this.facts.lost;
  }

  /** Another body has touched it. */
  get met(): boolean {
    return this.facts.met;
  }

  /** A pick holds it in this step. */
  get held(): boolean {
    return this.facts.held;
  }

  /** Some cluster is fading in or out. */
  get fading(): boolean {
    return this.facts.fading;
  }

  /** Plasticity changed a rest shape. */
  noteFlow(): void {
    this.facts.flowed = true;
  }

  /** The rest shapes are again those that the clusters were made with. */
  forgetFlow(): void {
    this.facts.flowed = false;
  }

  noteBreak(): void {
    this.facts.broken = true;
  }

  noteLoss(): void {
    this.facts.lost = true;
  }

  /** A skin was made that shows what is there now. */
  forgetLoss(): void {
    this.facts.lost = false;
  }

  noteMeeting(): void {
    this.facts.met = true;
  }

  setHeld(held: boolean): void {
    this.facts.held = held;
  }

  setFading(fading: boolean): void {
    this.facts.fading = fading;
  }

  /** Takes over the facts of the body that this one was a piece of. A piece has a skin of its own, and nobody holds it yet. */
  inherit({ facts }: History): void {
    this.facts = { ...facts, lost: this.facts.lost, held: this.facts.held };
  }

  /** The facts that a snapshot keeps. */
  save(): SavedHistory {
    const { flowed, broken, lost, met, fading } = this.facts;
    return { hasFlowed: flowed, hasBroken: broken, hasLost: lost, hasMet: met, fading };
  }

  /** Whether a pick holds the body is decided at the start of every step. */
  load({ hasFlowed, hasBroken, hasLost, hasMet, fading }: SavedHistory): void {
    this.facts = { flowed: hasFlowed, broken: hasBroken, lost: hasLost, met: hasMet, fading, held: this.facts.held };
  }
}

interface Facts {
  flowed: boolean;
  broken: boolean;
  lost: boolean;
  met: boolean;
  held: boolean;
  fading: boolean;
}

const NOTHING: Facts = { flowed: false, broken: false, lost: false, met: false, held: false, fading: false };

/** The facts under the names that snapshots have for them. */
export interface SavedHistory {
  readonly hasFlowed: boolean;
  readonly hasBroken: boolean;
  readonly hasLost: boolean;
  readonly hasMet: boolean;
  readonly fading: boolean;
}
