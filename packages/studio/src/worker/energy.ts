import { strainEnergy, type Vec3, type World } from 'pliant';

/** Cosine of the angle to gravity above which a plane is a ground; a more inclined one is a wall or a slope. */
const LEVEL = 0.99;

/** Potential energies of a world (J), for the plot. Measuring allocates nothing. */
export class Energies {
  /** A point of height 0. */
  private readonly ground: Vec3;

  /** `world` must be in its initial state. */
  constructor(private readonly world: World) {
    this.ground = groundOf(world);
  }

  /** −Σ m g·(x − ground). */
  gravity(): number {
    const { gravity: g, positions: x } = this.world;
    const { ground } = this;
    let sum = 0;
    for (let o = 0; o < x.length; o += 4)
      sum -= x[o + 3] * (g[0] * (x[o] - ground[0]) + g[1] * (x[o + 1] - ground[1]) + g[2] * (x[o + 2] - ground[2]));
    return sum;
  }

  strain(): number {
    let sum = 0;
    for (const body of this.world.bodies) sum += strainEnergy(this.world, body);
    return sum;
  }
}

/**
 * A point of the level plane below the bodies, or the lowest particle if there is none. Without gravity heights have no
 * meaning.
 */
export function groundOf({ gravity: g, positions: x, colliders }: World): Vec3 {
  const pull = Math.hypot(...g);
  let lowest: Vec3 = [x[0] ?? 0, x[1] ?? 0, x[2] ?? 0];
  if (pull === 0) return lowest;
  for (let o = 4; o < x.length; o += 4) if (dot(g, x, o) > dot(g, lowest, 0)) lowest = [x[o], x[o + 1], x[o + 2]];
  const grounds = colliders
    .filter(({ type, direction }) => type === 'plane' && -dot(g, direction, 0) > LEVEL * pull)
    // A plane above the lowest particle is not its ground.
    .filter(({ position }) => dot(g, position, 0) >= dot(g, lowest, 0) - 1e-3 * pull)
    .sort((a, b) => dot(g, a.position, 0) - dot(g, b.position, 0));
  return grounds.length > 0 ? ([...grounds[0].position] as Vec3) : lowest;
}

const dot = (g: readonly number[], x: ArrayLike<number>, o: number) => g[0] * x[o] + g[1] * x[o + 1] + g[2] * x[o + 2];
