import { cutStroke } from '@pliant/three/stroke';
import type { Collider, Pick, Vec3, World } from 'pliant';

/** Actions of the user on bodies (SPEC I1 to I3). */
export class Hands {
  private readonly picks = new Map<number, { pick: Pick; locked: boolean }>();
  private ball: { collider: Collider; radius: number } | undefined;
  private wanted: { centre: Vec3; radius: number } | undefined;

  constructor(private readonly world: World) {}

  /** Grabs the first body that a ray hits. */
  pick(id: number, origin: Vec3, direction: Vec3) {
    this.dropPick(id);
    const hit = this.world.castRay(origin, direction);
    if (!hit) return undefined;
    const pick = this.world.addPick({ body: hit.body, point: hit.point });
    this.picks.set(id, { pick, locked: false });
    return { body: hit.body.name, point: hit.point, distance: hit.distance };
  }

  movePick(id: number, target: Vec3): void {
    const held = this.picks.get(id);
    if (held && !held.locked) held.pick.moveTo(target);
  }

  /** Keeps a pick until all are released. */
  lockPick(id: number): void {
    const held = this.picks.get(id);
    if (held) held.locked = true;
  }

  dropPick(id: number): void {
    const held = this.picks.get(id);
    if (held && this.world.picks.includes(held.pick)) this.world.removePick(held.pick);
    this.picks.delete(id);
  }

  dropAllPicks(): void {
    for (const id of [...this.picks.keys()]) this.dropPick(id);
    // Those of the scene file too.
    for (const pick of [...this.world.picks]) this.world.removePick(pick);
  }

  shown() {
    const own = new Map([...this.picks].map(([id, { pick, locked }]) => [pick, { id, locked }] as const));
    return this.world.picks.map((pick, k) => {
      // Picks of the scene file have numbers below 0, and are locked.
      const { id, locked } = own.get(pick) ?? { id: -1 - k, locked: true };
      return { id, from: pick.position, to: pick.target, locked };
    });
  }

  /** Sets the ball at the cursor, from the next step on. */
  push(ball: { centre: Vec3; radius: number } | undefined): void {
    this.wanted = ball;
    if (this.ball && this.ball.radius !== ball?.radius) {
      if (this.world.colliders.includes(this.ball.collider)) this.world.removeCollider(this.ball.collider);
      this.ball = undefined;
    }
    if (ball && !this.ball) {
      const { centre, radius } = ball;
      const collider = this.world.addCollider({ type: 'sphere', centre, radius, friction: 0.3, exitSpeed: 2 });
      this.ball = { collider, radius };
    }
    if (ball) this.ball!.collider.moveTo(ball.centre);
  }

  /** After a step: removes picks whose bodies were removed, and moves the ball. */
  follow(): void {
    for (const [id, { pick }] of this.picks) if (!this.world.picks.includes(pick)) this.picks.delete(id);
    if (this.ball && this.wanted) this.ball.collider.moveTo(this.wanted.centre);
  }

  /** A stroke on the screen, as the rays from the eye through its ends: see cutStroke. */
  cut(origin: Vec3, from: Vec3, to: Vec3): { bodies: number; pieces: number; message: string } {
    const isLine = Math.hypot(...cross(from, to)) > 1e-9;
    if (!isLine) return { bodies: 0, pieces: 0, message: 'A cut needs a line: draw it across a body.' };
    const { met: bodies, bodies: parts } = cutStroke(this.world, origin, from, to);
    const pieces = parts.length;
    if (bodies === 0) return { bodies, pieces, message: 'The line met no body.' };
    const what = bodies === 1 ? 'One body' : `${bodies} bodies`;
    return {
      bodies,
      pieces,
      message: pieces > bodies ? `${what} cut into ${pieces}.` : `${what} cut into, not through.`,
    };
  }
}

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
