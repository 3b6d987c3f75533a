/**
 * Facts of a body's past that its further steps depend on. Only this class sets and copies them: stages report events,
 * and `goalsOf`, skins and snapshots read the facts.
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

  /** Particles have left the body since its skin was made: the skin shows more than the body has. */
  get lost(): boolean {
    return this.facts.lost;
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

  /** The skin was replaced by one that shows the present body. */
  forgetLoss(): void {
    this.facts.lost = false;
  }

  setFading(fading: boolean): void {
    this.facts.fading = fading;
  }

  /**
   * Takes over the facts of the body that this one was a piece of. A piece has its own skin.
   */
  inherit({ facts }: History): void {
    this.facts = { ...facts, lost: this.facts.lost };
  }

  /** The facts that a snapshot keeps. */
  save(): SavedHistory {
    const { flowed, broken, lost, fading } = this.facts;
    return { hasFlowed: flowed, hasBroken: broken, hasLost: lost, fading };
  }

  /** Restores the facts. */
  load({ hasFlowed, hasBroken, hasLost, fading }: SavedHistory): void {
    this.facts = { flowed: hasFlowed, broken: hasBroken, lost: hasLost, fading };
  }
}

interface Facts {
  flowed: boolean;
  broken: boolean;
  lost: boolean;
  fading: boolean;
}

const NOTHING: Facts = { flowed: false, broken: false, lost: false, fading: false };

/** The facts under their names in snapshots. */
export interface SavedHistory {
  readonly hasFlowed: boolean;
  readonly hasBroken: boolean;
  readonly hasLost: boolean;
  readonly fading: boolean;
}
