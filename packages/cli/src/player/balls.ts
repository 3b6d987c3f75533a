import { ancestorsInto, type World } from 'pliant';

/**
 * The balls of a page. Each represents one particle from the first frame to the last. Rows of particles change when
 * bodies break or are cut: a ball is identified by the particle as built. Copies of a particle are separate balls from
 * the frame in which they appear.
 */
export class Balls {
  /** First built particle of a body; its pieces have the same built particles. */
  private readonly first = new Map<Float64Array, number>();
  private built = 0;
  /** By built particle: its ball, and those of its copies. */
  private readonly balls = new Map<number, number[]>();
  /** By ball: the one that it was copied from, or itself. */
  private readonly copiedFrom: number[] = [];
  private readonly frames: Float32Array[] = [];

  /** `thinning`: one of every so many built particles is shown. */
  constructor(
    private readonly world: World,
    private readonly thinning: number,
  ) {}

  frame(): void {
    const ballOf = this.find();
    const before = this.frames[this.frames.length - 1];
    const frame = new Float32Array(3 * this.copiedFrom.length);
    // Balls of a removed body stay where they were.
    if (before) frame.set(before);
    const { positions } = this.world;
    ballOf.forEach((ball, row) => {
      if (ball >= 0) frame.set(positions.subarray(4 * row, 4 * row + 3), 3 * ball);
    });
    this.frames.push(frame);
  }

  /** Ball of each row as the world is now, −1 for those that are not shown. */
  find(): Int32Array {
    const { world, thinning } = this;
    const ballOf = new Int32Array(world.particleCount).fill(-1);
    const found = new Map<number, number>();
    for (const body of world.bodies) {
      const { builtPositions, firstParticle } = body;
      const ancestor = new Uint32Array(body.particleCount);
      ancestorsInto(ancestor, world, body);
      let first = this.first.get(builtPositions);
      if (first === undefined) {
        first = this.built;
        this.first.set(builtPositions, first);
        this.built += builtPositions.length / 3;
      }
      for (let i = 0; i < ancestor.length; i++) {
        const particle = first + ancestor[i];
        if (particle % thinning !== 0) continue;
        const nth = found.get(particle) ?? 0;
        found.set(particle, nth + 1);
        ballOf[firstParticle + i] = this.ballOf(particle, nth);
      }
    }
    return ballOf;
  }

  private ballOf(particle: number, nth: number): number {
    let balls = this.balls.get(particle);
    if (!balls) {
      balls = [];
      this.balls.set(particle, balls);
    }
    while (balls.length <= nth) {
      const ball = this.copiedFrom.length;
      this.copiedFrom.push(balls[0] ?? ball);
      balls.push(ball);
    }
    return balls[nth];
  }

  /** All frames, with all balls in each: before it appears, a copy is at the position of its original. */
  finish(): Float32Array[] {
    return this.frames.map((frame) => {
      const all = new Float32Array(3 * this.copiedFrom.length);
      all.set(frame);
      for (let ball = frame.length / 3; ball < this.copiedFrom.length; ball++)
        all.copyWithin(3 * ball, 3 * this.copiedFrom[ball], 3 * this.copiedFrom[ball] + 3);
      return all;
    });
  }
}
